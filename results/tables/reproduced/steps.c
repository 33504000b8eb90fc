#include "results/tables/reproduced/steps.h"

#include <string.h>

static bool take_step(const struct measure *measure, const char *variant, struct step *step)
{
    step->instance = measure->instance;
    return measure->value == step->place && strcmp(measure->variant, variant) == 0 &&
           measure_part(measure, "place", step->tensor);
}

/* Goes on to the measures of the next instance. */
static bool enter_instance(const struct measure_set *set, struct step *step)
{
    step->first = step->end;
    if (step->first == set->count)
        return false;
    const char *instance = set->measure[step->first].instance;
    while (step->end < set->count && strcmp(set->measure[step->end].instance, instance) == 0)
        step->end++;
    step->place = 1;
    step->next = step->first;
    return true;
}

bool steps_next(const struct measure_set *set, const char *variant, struct step *step)
{
    while (step->place || enter_instance(set, step)) {
        while (step->next < step->end)
            if (take_step(&set->measure[step->next++], variant, step))
                return true;
        step->next = step->first;
        if (++step->place > step->end - step->first)
            step->place = 0;
    }
    return false;
}
