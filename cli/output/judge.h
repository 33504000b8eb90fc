#ifndef MEMPLAN_CLI_OUTPUT_JUDGE_H
#define MEMPLAN_CLI_OUTPUT_JUDGE_H

#include "core/error.h"

struct store;

/* STATUS_NO where results contradict each other, after telling on standard error which do. */
enum status judge_store(struct store *store, struct error *error);

#endif
