#ifndef MEMPLAN_RESULTS_STORE_MEASURES_H
#define MEMPLAN_RESULTS_STORE_MEASURES_H

#include <stdbool.h>
#include <stddef.h>

#include <stdint.h>

#include "core/text.h"
#include "results/store/choice.h"

/* Named whole numbers about an instance that do not belong to a plan, such as bytes after
   quantisation or the time of a way of transferring weights. They have a table of their own beside
   the results. */

struct store;

struct measure {
    const char *run, *instance, *digest;
    const char *topic;   /* what is measured: "quantise" */
    const char *variant; /* how: "int8" */
    const char *name;    /* which number, with its unit: "bytes_after" */
    int64_t value;
    const char *host, *build, *started; /* as in struct result_row */
};

/* Writes all measures in one transaction. A measure with the same run, instance, content, topic,
   variant and name is replaced. */
enum status measures_write(struct store *store, const struct measure *measures, uint32_t count,
                           struct error *error);

struct measure_set {
    uint32_t count;
    struct measure *measure; /* [count] by instance, variant, name */
    size_t capacity;
    struct text text; /* of all measures */
};

/* Reads the measures of a topic: for each instance those of its newest content, and of each
   (instance, variant, name) the newest. choice may be NULL; of it only run and instances are used.
   A store without measures, or one that is older than their table, gives an empty set. The set is
   zeroed by the caller and owns its texts. */
enum status measures_read(struct store *store, const struct result_choice *choice,
                          const char *topic, struct measure_set *set, struct error *error);
void measures_free(struct measure_set *set);

bool measures_find(const struct measure_set *set, const char *instance, const char *variant,
                   const char *name, int64_t *value);

/* The key of a measure of a part of the instance, a tensor or a step, or of how it stands to
   another part. It is stored as the name "PART WORD" or "PART WORD OTHER", such as "T1 start" and
   "T1 conflicts with T2". The words are the rows of measure_words.def. */
enum measure_word {
#define MEASURE_WORD(symbol, text) MEASURE_##symbol,
#include "results/store/measure_words.def"
#undef MEASURE_WORD
};
struct measure_key {
    const char *part;
    enum measure_word word;
    const char *other; /* NULL for none */
};

/* Parts of MEASURE_PART_BYTES and more are cut off where they are written, and passed over where
   they are read. */
enum { MEASURE_PART_BYTES = 128, MEASURE_NAME_BYTES = 2 * MEASURE_PART_BYTES + 32 };
void measure_key_write(const struct measure_key *key, char name[MEASURE_NAME_BYTES]);
bool measures_find_part(const struct measure_set *set, const char *instance, const char *variant,
                        const struct measure_key *key, int64_t *value);

/* The part of a measure with that word, and the other part, "" where there is none. False for a
   measure with another word. */
struct measure_parts {
    char part[MEASURE_PART_BYTES], other[MEASURE_PART_BYTES];
};
bool measure_key_read(const struct measure *measure, enum measure_word word,
                      struct measure_parts *parts);

#endif
