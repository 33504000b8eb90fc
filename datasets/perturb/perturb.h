#ifndef MEMPLAN_DATASETS_PERTURB_PERTURB_H
#define MEMPLAN_DATASETS_PERTURB_PERTURB_H

#include <stdbool.h>
#include <stdint.h>

#include "core/random.h"
#include "datasets/generate/generate.h"
#include "planning/problem/problem.h"

/* Problems made of other problems by a rule, options and a seed, the same on every machine. Written
   as a name:

       perturbed:thin?percent=5&seed=3:minimalloc/A
       perturbed:join:minimalloc/A+generate:tight?buffers=40

   Behind the second colon stands the instance that is changed, which may itself be perturbed; for
   join both instances, with a + between them. Options that are left out have their defaults. */

struct perturb_task {
    const struct problem *problem;
    const struct problem *second; /* for a rule that takes two problems, else NULL */
    const uint64_t *value;        /* of the rule's options */
    struct random_state random;
};

struct perturb_rule {
    struct generate_kind kind; /* its name, title and options; the kind itself generates nothing */
    bool takes_two;
    /* Adds the changed buffers to `made`, which is empty and has the line_end of the first
       problem. */
    enum status (*apply)(struct perturb_task *task, struct problem *made, struct error *error);
};

uint32_t perturb_count(void);
const struct perturb_rule *perturb_at(uint32_t index);

struct perturbation {
    const struct perturb_rule *rule;
    struct generate_settings settings;
    char *first;        /* name of the instance; owned */
    const char *second; /* within first's memory, or NULL */
};

bool perturb_is_name(const char *name);
/* STATUS_USAGE where the name is not that of a rule with its options and instances. It is to be
   freed with perturb_free. */
enum status perturb_parse_name(const char *name, struct perturbation *perturbation,
                               struct error *error);
void perturb_free(struct perturbation *perturbation);

/* The problem `name`, made of source[0] and, where the rule takes two, source[1]. O(segments)
   without sorting, plus, for a problem with clocks, the search for their heaviest antichain.
   STATUS_BAD_INPUT where the result would have too many bytes or steps for a problem. */
enum status perturb_create(const struct perturbation *perturbation, const char *name,
                           const struct problem *const source[2], struct problem **made,
                           struct error *error);

#endif
