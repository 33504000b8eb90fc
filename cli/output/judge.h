#ifndef MEMPLAN_CLI_OUTPUT_JUDGE_H
#define MEMPLAN_CLI_OUTPUT_JUDGE_H

#include "core/error.h"

struct best_list;
struct store;

/* STATUS_NO where results contradict each other, after telling on standard error which do. */
enum status judge_store(struct store *store, struct error *error);

/* Tells on standard error what the rows of a run say about best known values: what they improve
   and, which is STATUS_NO, what they contradict. */
enum status judge_best(struct store *store, const char *run, const struct best_list *list,
                       struct error *error);

#endif
