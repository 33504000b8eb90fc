#include "heuristics/memories/orders.h"

#include <math.h>

#include "core/sort.h"

/* What the traffic of a node costs in its dearest arena beyond its cheapest one. */
static uint64_t find_saving(const struct memory_model *model, uint32_t node)
{
    uint64_t least = UINT64_MAX, most = 0;
    for (uint32_t a = 0; a < model->arenas; a++) {
        uint64_t traffic = memory_model_traffic(model, node, a);
        if (traffic == UINT64_MAX)
            continue;
        least = traffic < least ? traffic : least;
        most = traffic > most ? traffic : most;
    }
    return most > least ? most - least : 0;
}

static uint64_t get_birth(const void *context, uint32_t node)
{
    const struct memory_model *model = context;
    return problem_lower(model->nodes, node);
}

static uint64_t get_penalties(const void *context, uint32_t node)
{
    const struct memory_model *model = context;
    uint64_t sum = 0;
    for (uint32_t i = model->first_edge[node]; i < model->first_edge[node + 1]; i++)
        sum += model->edge[model->edge_of[i]].cost;
    return sum;
}

static uint64_t get_density(const void *context, uint32_t node)
{
    const struct memory_model *model = context;
    double area = (double)model->nodes->size[node] * (double)problem_duration(model->nodes, node);
    return (uint64_t)fmin((double)find_saving(model, node) / area * 1e6, 0x1p62);
}

static uint64_t get_boundedness(const void *context, uint32_t node)
{
    const struct memory_model *model = context;
    double root = sqrt((double)model->nodes->size[node]);
    return (uint64_t)fmin((double)find_saving(model, node) / root, 0x1p62);
}

enum status memory_order_make(const struct memory_model *model, enum memory_order kind,
                              uint32_t *order, struct error *error)
{
    const struct sort_key size = {.descending = true, SORT_ARRAY(model->nodes->size)};
    const struct sort_key birth = {.value = get_birth};
    const struct sort_key keys[MEMORY_ORDERS][SORT_MOST_KEYS] = {
        [MEMORY_ORDER_SIZE] = {size, birth},
        [MEMORY_ORDER_BIRTH] = {birth},
        [MEMORY_ORDER_PENALTY] = {{.value = get_penalties, .descending = true}, size},
        [MEMORY_ORDER_BOUNDEDNESS] = {{.value = get_boundedness, .descending = true}, size},
        [MEMORY_ORDER_BENEFIT] = {{.value = get_density, .descending = true}, size},
    };
    return sort_by_keys(keys[kind], model, model->classes.count, order, error);
}
