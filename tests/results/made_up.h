#ifndef MEMPLAN_TESTS_RESULTS_MADE_UP_H
#define MEMPLAN_TESTS_RESULTS_MADE_UP_H

#include "core/text.h"
#include "results/store/measures.h"
#include "results/store/store.h"
#include "support/testing.h"

/* Results that nobody measured, for tests of tables and plots. */

/* A fresh database for each case of a test that ends in MADE_UP_MAIN. A case may close the store
   and set it to NULL. */
extern struct store *the_store;
extern char the_path[64];
extern struct error the_error;
void made_up_begin(void);
void made_up_end(void);
#define MADE_UP_MAIN(suite, cases)                                                                 \
    int main(void)                                                                                 \
    {                                                                                              \
        return testing_run_between(suite, cases, sizeof(cases) / sizeof *(cases), made_up_begin,   \
                                   made_up_end);                                                   \
    }

/* Another database in the folder for temporary files; the caller closes it and hands both to
   made_up_remove. */
struct store *made_up_open(char path[64]);
void made_up_remove(struct store *store, const char *path);

/* Closes the store and opens its file in this mode. */
void made_up_open_again(enum store_mode mode);

/* A valid, feasible row; the caller changes what a test is about. */
struct result_row made_up_row(const char *instance, const char *policy, const char *planner,
                              uint64_t peak_bytes);

/* Write a row without rectangles, and a measure, and assert that this works. */
void made_up_write(struct store *store, struct result_row row);
void made_up_measure(struct store *store, struct measure measure);

/* Runs statements on a file, and asks it for a number. */
void made_up_run_sql(const char *path, const char *sql);
int64_t made_up_ask(const char *path, const char *sql);

/* Rows for every table and plot: those of the case "everything", the LUNA models at their published
   figures, and a measure for each figure that the sources print. */
void made_up_fill(struct store *store);

/* Writes the rows and measures of tests/results/cases/NAME.csv, of which the text is appended to
   *text. Blocks are separated by empty lines; a block begins with "result" or "measure" and its
   columns. A field that is empty is as in made_up_row, "-" is no text; the rectangles of a row are
   "label:lower:upper:offset:size:group:block", separated by blanks. Other blocks are the test's. */
void made_up_load(struct store *store, const char *name, struct text *text);

/* Takes the fields of a line apart, at most `most`; returns how many there are. */
enum { MADE_UP_FIELD = 512, MADE_UP_FIELDS = 24 };
unsigned made_up_split(const struct text_line *line, char field[MADE_UP_FIELDS][MADE_UP_FIELD]);

/* Asserts that the text is that of tests/results/cases/NAME; MEMPLAN_UPDATE=1 rewrites the file. */
void made_up_compare(const char *name, const struct text *found);

#endif
