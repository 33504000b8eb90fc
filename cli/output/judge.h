#ifndef MEMPLAN_CLI_OUTPUT_JUDGE_H
#define MEMPLAN_CLI_OUTPUT_JUDGE_H

#include "core/error.h"

struct best_list;
struct store;

/* Reports on standard error which results contradict each other; STATUS_NO where any do. */
enum status judge_store(struct store *store, struct error *error);

/* Reports on standard error how the rows of a run compare with best known values: what they
   improve, and what they contradict, which gives STATUS_NO. */
enum status judge_best(struct store *store, const char *run, const struct best_list *list,
                       struct error *error);

#endif
