#ifndef MEMPLAN_RESULTS_COMPARE_COMPARISON_TABLES_H
#define MEMPLAN_RESULTS_COMPARE_COMPARISON_TABLES_H

#include "results/compare/comparison.h"
#include "results/table/table.h"

/* What a comparison says, as tables. */
struct comparison_table {
    const char *name;
    const char *title;
    const char *columns; /* as table_add_columns takes them; NULL where fill adds them */
    enum status (*fill)(const struct comparison *comparison, const struct comparison_table *recipe,
                        struct table *table, struct error *error);
    /* What the table shows, where it shows one verdict on one figure. */
    enum comparison_figure figure;
    enum comparison_verdict verdict;
    bool is_list; /* lists every pair, which is for programs and not for people */
};

unsigned comparison_tables_count(void);
const struct comparison_table *comparison_tables_at(unsigned index); /* the first is the overview */

/* Fills a zeroed table, which the caller frees also after a failure. The table may be without rows.
   O(pairs log pairs). */
enum status comparison_tables_build(const struct comparison_table *recipe,
                                    const struct comparison *comparison, struct table *table,
                                    struct error *error);

#endif
