#ifndef MEMPLAN_CLI_OUTPUT_JUDGE_H
#define MEMPLAN_CLI_OUTPUT_JUDGE_H

#include "core/text.h"

struct best_list;
struct result_set;
struct store;

/* Reports on standard error which results contradict each other, as contradictions_find found them;
   STATUS_NO where any do. judge_store also finds them. */
enum status judge_contradictions(uint64_t count, const struct text *lines, struct error *error);
enum status judge_store(struct store *store, struct error *error);

/* Reports on standard error how all rows of a run compare with best known values: what they
   improve, and what they contradict, which gives STATUS_NO. */
enum status judge_best(const struct result_set *set, const struct best_list *list,
                       struct error *error);

#endif
