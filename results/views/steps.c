#include "results/views/steps.h"

#include <string.h>

static const char ending[] = " place";

static bool take_step(const struct measure *measure, const char *variant, struct step *step)
{
    size_t length = strlen(measure->name), tail = strlen(ending);
    if (measure->value != step->place || strcmp(measure->variant, variant) != 0 || length <= tail ||
        strcmp(measure->name + length - tail, ending) != 0 || length - tail >= STEPS_NAME_BYTES)
        return false;
    memcpy(step->tensor, measure->name, length - tail);
    step->tensor[length - tail] = '\0';
    step->instance = measure->instance;
    return true;
}

bool steps_next(const struct measure_set *set, const char *variant, struct step *step)
{
    if (!step->place)
        step->place = 1;
    for (; step->place <= set->count; step->place++, step->next = 0)
        while (step->next < set->count)
            if (take_step(&set->measure[step->next++], variant, step))
                return true;
    return false;
}
