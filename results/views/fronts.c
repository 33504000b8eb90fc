#include "results/views/fronts.h"

#include <stdio.h>
#include <string.h>

const char *fronts_next(const struct measure_set *set, const char *instance)
{
    for (uint32_t i = 0; i < set->count; i++)
        if (!instance || strcmp(set->measure[i].instance, instance) > 0)
            return set->measure[i].instance;
    return NULL;
}

bool fronts_mode(const struct measure_set *set, const char *instance, const char *mode,
                 struct front_point *point)
{
    return measures_find(set, instance, mode, "total_ns", &point->total_ns) &&
           measures_find(set, instance, mode, "on_chip_bytes", &point->on_chip_bytes);
}

bool fronts_planned(const struct measure_set *set, const char *instance, const char *planner,
                    unsigned index, struct front_point *point)
{
    char variant[128];
    snprintf(variant, sizeof variant, "planned %s %03u", planner, index);
    return fronts_mode(set, instance, variant, point);
}

static bool take_point(const struct measure_set *set, const struct measure *measure,
                       struct order_front_point *point)
{
    *point = (struct order_front_point){.instance = measure->instance, .total_ns = measure->value};
    return strcmp(measure->name, "total_ns") == 0 &&
           sscanf(measure->variant, "%47s %47s", point->order, point->mode) == 2 &&
           measures_find(set, measure->instance, measure->variant, "on_chip_bytes",
                         &point->on_chip_bytes);
}

bool order_fronts_next(const struct measure_set *set, uint32_t *next,
                       struct order_front_point *point)
{
    while (*next < set->count)
        if (take_point(set, &set->measure[(*next)++], point))
            return true;
    return false;
}

bool order_fronts_is_beaten(const struct measure_set *set, const struct order_front_point *point)
{
    struct order_front_point other;
    for (uint32_t next = 0; order_fronts_next(set, &next, &other);)
        if (strcmp(other.instance, point->instance) == 0 && other.total_ns <= point->total_ns &&
            other.on_chip_bytes <= point->on_chip_bytes &&
            (other.total_ns < point->total_ns || other.on_chip_bytes < point->on_chip_bytes))
            return true;
    return false;
}
