#ifndef MEMPLAN_RESULTS_COMPARE_COMPARISON_TABLES_H
#define MEMPLAN_RESULTS_COMPARE_COMPARISON_TABLES_H

#include "results/compare/comparison.h"
#include "results/table/table.h"

/* What a comparison says, as tables: each is one row of comparison_tables.def. */
struct comparison_table {
    const char *name;
    const char *title;
    bool is_list;        /* lists every pair, which is for programs and not for people */
    const char *columns; /* as table_add_columns takes them; NULL where fill adds them */
    enum status (*fill)(const struct comparison *comparison, struct table *table,
                        struct error *error);
};

#define COMPARISON_TABLE(name) extern const struct comparison_table comparison_table_##name;
#include "results/compare/comparison_tables.def"
#undef COMPARISON_TABLE

unsigned comparison_tables_count(void);
const struct comparison_table *comparison_tables_at(unsigned index);

/* Fills a zeroed table, which the caller frees also after a failure. The table may be without rows.
   O(pairs log pairs). */
enum status comparison_tables_build(const struct comparison_table *recipe,
                                    const struct comparison *comparison, struct table *table,
                                    struct error *error);

/* A row's peak, or why it has none. */
struct cell comparison_tables_peak(const struct result_row *row);

#endif
