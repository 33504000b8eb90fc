#include "results/tables/reproduced/steps.h"

#include <string.h>

bool steps_next(const struct measure_set *set, const char *variant, struct step *step)
{
    struct measure_parts parts;
    for (; step->first < set->count; step->first = step->end, step->place = 0) {
        step->instance = set->measure[step->first].instance;
        step->place++;
        step->end = step->first;
        for (; step->end < set->count; step->end++) {
            const struct measure *measure = &set->measure[step->end];
            if (strcmp(measure->instance, step->instance) != 0)
                break;
            if (measure->value == step->place && strcmp(measure->variant, variant) == 0 &&
                measure_key_read(measure, MEASURE_PLACE, &parts)) {
                strcpy(step->tensor, parts.part);
                return true;
            }
        }
    }
    return false;
}

bool step_find(const struct measure_set *set, const char *variant, const struct step *step,
               enum measure_word word, int64_t *value)
{
    const struct measure_key key = {step->tensor, word, NULL};
    return measures_find_part(set, step->instance, variant, &key, value);
}
