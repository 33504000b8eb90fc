#ifndef MEMPLAN_RESULTS_TABLES_BUILDERS_H
#define MEMPLAN_RESULTS_TABLES_BUILDERS_H

#include "results/tables/tables.h"

/* The build functions of the rows in tables.c, one file each. */
enum status table_luna_memory(struct store *store, const char *run, struct table *table,
                              struct error *error);
enum status table_luna_control_flow(struct store *store, const char *run, struct table *table,
                                    struct error *error);
enum status table_luna_dma(struct store *store, const char *run, struct table *table,
                           struct error *error);
enum status table_worked(struct store *store, const char *run, struct table *table,
                         struct error *error);
enum status table_dma_front(struct store *store, const char *run, struct table *table,
                            struct error *error);
enum status table_quantise(struct store *store, const char *run, struct table *table,
                           struct error *error);
enum status table_quantise_dma(struct store *store, const char *run, struct table *table,
                               struct error *error);
enum status table_summary(struct store *store, const char *run, struct table *table,
                          struct error *error);
enum status table_policies(struct store *store, const char *run, struct table *table,
                           struct error *error);
enum status table_optimality(struct store *store, const char *run, struct table *table,
                             struct error *error);
enum status table_heuristics(struct store *store, const char *run, struct table *table,
                             struct error *error);
enum status table_minimalloc(struct store *store, const char *run, struct table *table,
                             struct error *error);
enum status table_gaps(struct store *store, const char *run, struct table *table,
                       struct error *error);

#endif
