#ifndef MEMPLAN_DATASETS_MEMORIES_DERIVED_H
#define MEMPLAN_DATASETS_MEMORIES_DERIVED_H

#include "datasets/generate/generate.h"
#include "planning/memories/memory_problem.h"

/* Problems with several memories made of ordinary problems by a rule, options and a seed, the same
   on every machine. Written as a name:

       memories:lift?streams=4&seed=0:minimalloc/A
       memories:two?percent=50:generate:layered?buffers=1000 */

struct memory_rule_task {
    const struct problem *source;
    const char *name;      /* of the source */
    const uint64_t *value; /* of the rule's options */
    uint64_t seed;
};

struct memory_rule {
    struct generate_kind kind; /* its name, title and options; the kind itself generates nothing */
    uint32_t memories;
    /* Fills what memory_problem_create leaves open but the names; made->problem has the buffers of
       the source. */
    enum status (*apply)(const struct memory_rule_task *task, struct memory_problem *made,
                         struct error *error);
};

uint32_t memory_rule_count(void);
const struct memory_rule *memory_rule_at(uint32_t index);

bool memory_derived_is_name(const char *name);
/* STATUS_USAGE where the name is not that of a rule with its options and an instance. derived->of
   is within the name. */
enum status memory_derived_parse(const char *name, struct generate_derived *derived,
                                 struct error *error);
/* The finished problem `name`. STATUS_USAGE for a source with clocks, windows or fixed buffers. */
enum status memory_derived_create(const struct generate_derived *derived, const char *name,
                                  const struct problem *source, struct memory_problem **made,
                                  struct error *error);

#endif
