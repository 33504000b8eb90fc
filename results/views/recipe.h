#ifndef MEMPLAN_RESULTS_VIEWS_RECIPE_H
#define MEMPLAN_RESULTS_VIEWS_RECIPE_H

#include "results/store/measures.h"
#include "results/views/picker.h"
#include "results/views/planners/contest.h"

/* A table that is being made, and the data that its recipe asks for, which has been read. */
struct table_making {
    const struct table_recipe *recipe;
    struct table *table;
    struct store *store; /* NULL for TABLE_OF_ITS_OWN */
    struct result_choice choice;
    struct contest contest; /* the newest rows in contest.set; the rest for TABLE_OF_CONTEST only */
    struct measure_set measures;
    struct picker picker; /* of contest.set; `used` says whether there is anything to show */
    struct error *error;
};

enum table_source {
    TABLE_OF_ROWS,     /* rows of the store, see query_newest */
    TABLE_OF_CONTEST,  /* the same, with the standings of their planners */
    TABLE_OF_MEASURES, /* the measures of a topic */
    TABLE_OF_ITS_OWN,  /* nothing is read before; a table of this kind needs no store */
};

/* How a table is made, a row of results/tables/tables.def. A peak that verify or execute refused is
   shown as "invalid". */
struct table_recipe {
    const char *name;
    const char *title;   /* in lists of tables */
    const char *caption; /* above the table; NULL where fill sets it */
    const char *columns; /* as table_add_columns takes them; NULL where fill adds them */
    enum table_source source;
    const char *topic;   /* of the measures */
    const char *wanted;  /* the results that the table is made from, for the error where there are
                            none; for measures the name of the reproduction that writes them, NULL
                            where it is that of the topic */
    const char *command; /* that writes the measures, where it is no reproduction; else NULL */
    struct result_filter filter; /* of the rows; its choice is that of the request */

    enum status (*fill)(struct table_making *making); /* adds rows and notes */

    /* For a table that is for other programs and that reports leave out: the columns that people
       see; else NULL. */
    const char *shown;
    enum table_subject subject;
    const char *example; /* the table's name and options; NULL for its name alone */
};

/* Fills a zeroed table, which the caller frees, also after an error. choice may be NULL. STATUS_NO
   where the store has no results for the table; the error says which are needed. */
enum status table_recipe_make(const struct table_recipe *recipe, struct store *store,
                              const struct result_choice *choice, struct table *table,
                              struct error *error);

/* A measure as a cell, an empty one where there is no such measure: the number itself, or divided
   by `unit` and with decimals; and the measure of a part with that word. */
struct cell making_measure(const struct table_making *making, const char *instance,
                           const char *variant, const char *name);
struct cell making_scaled(const struct table_making *making, const char *instance,
                          const char *variant, const char *name, double unit, unsigned decimals);
struct cell making_part(const struct table_making *making, const char *instance,
                        const char *variant, const char *part, enum measure_word word);

/* Whether measure `index` is the first one of its instance. */
bool making_starts_instance(const struct table_making *making, uint32_t index);

#endif
