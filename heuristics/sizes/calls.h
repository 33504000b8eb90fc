#ifndef MEMPLAN_HEURISTICS_SIZES_CALLS_H
#define MEMPLAN_HEURISTICS_SIZES_CALLS_H

#include "heuristics/common/events.h"

enum status size_rules_fail_full(struct error *error);

/* The calls of an allocator in the order of the problem, as events_create: at each step the frees
   of what has ended come first, then what begins, both by position. */
enum status size_rules_calls(const struct problem *problem, struct event **calls,
                             struct scratch *scratch, struct error *error);

/* The least common multiple of all alignments and the bytes of a rule's own unit. */
enum status size_rules_find_unit(const struct problem *problem, uint64_t rule_bytes, uint64_t *unit,
                                 struct error *error);

#endif
