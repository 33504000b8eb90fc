#include "solvers/mip/dive.h"

#include <assert.h>
#include <string.h>

#include "core/memory.h"
#include "solvers/mip/model/lines.h"

struct mip_dive {
    const struct mip_model *model;
    struct mip_pairs node, saved; /* those of the model with directions and boxes of their own */
    bool *is_placed, *is_tried;   /* [buffers] */
};

static enum status own_bounds(const struct mip_model *model, struct mip_pairs *node,
                              struct error *error)
{
    uint32_t buffers = model->problem->buffers;
    *node = model->pairs;
    node->direction = NULL;
    node->lowest = node->highest = NULL;
    TRY(memory_create(&node->direction, node->count, sizeof *node->direction, error));
    TRY(memory_create(&node->lowest, buffers, sizeof *node->lowest, error));
    return memory_create(&node->highest, buffers, sizeof *node->highest, error);
}

static void free_bounds(struct mip_pairs *node)
{
    memory_free_all(node->direction, node->lowest, node->highest);
}

static void copy_bounds(const struct mip_pairs *from, struct mip_pairs *to)
{
    size_t buffers = from->problem->buffers;
    assert(from->count == to->count && from->problem == to->problem);
    if (from->count)
        memcpy(to->direction, from->direction, from->count * sizeof *to->direction);
    memcpy(to->lowest, from->lowest, buffers * sizeof *to->lowest);
    memcpy(to->highest, from->highest, buffers * sizeof *to->highest);
}

SCOPED_POINTER(struct mip_dive, mip_dive_release, mip_dive_free);

enum status mip_dive_create(const struct mip_model *model, struct mip_dive **created,
                            struct error *error)
{
    SCOPED(mip_dive_release) struct mip_dive *dive = NULL;
    uint32_t buffers = model->problem->buffers;
    TRY(memory_create(&dive, 1, sizeof *dive, error));
    dive->model = model;
    TRY(own_bounds(model, &dive->node, error));
    TRY(own_bounds(model, &dive->saved, error));
    TRY(memory_create(&dive->is_placed, buffers, sizeof *dive->is_placed, error));
    TRY(memory_create(&dive->is_tried, buffers, sizeof *dive->is_tried, error));
    HAND_OVER(dive, created);
}

void mip_dive_free(struct mip_dive *dive)
{
    if (!dive)
        return;
    free_bounds(&dive->node);
    free_bounds(&dive->saved);
    memory_free_all(dive->is_placed, dive->is_tried, dive);
}

/* Puts a buffer as low as it can lie, below all that are not placed. False where that leaves no
   plan. */
static bool place(struct mip_dive *dive, uint32_t buffer)
{
    struct mip_pairs *node = &dive->node;
    assert(!dive->is_placed[buffer]);
    for (uint32_t p = 0; p < node->count; p++) {
        bool is_first = node->pair[p].first == buffer;
        uint32_t other = is_first ? node->pair[p].second : node->pair[p].first;
        if ((!is_first && node->pair[p].second != buffer) || dive->is_placed[other])
            continue;
        unsigned char wanted = is_first ? MIP_FIRST_BELOW : MIP_SECOND_BELOW;
        if (node->direction[p] != MIP_OPEN && node->direction[p] != wanted)
            return false;
        node->direction[p] = wanted;
    }
    node->highest[buffer] = node->lowest[buffer];
    return mip_lines_propagate(node, dive->model->switches);
}

/* The buffer to be tried next: by where it can lie at least, and by its key. UINT32_MAX: none is
   left. */
static uint32_t choose(const struct mip_dive *dive, const struct mip_dive_rule *rule)
{
    uint32_t chosen = UINT32_MAX;
    uint64_t least = UINT64_MAX;
    for (uint32_t b = 0; b < dive->model->problem->buffers; b++) {
        assert(dive->node.lowest[b] >= 0);
        uint64_t key =
            (uint64_t)dive->node.lowest[b] * rule->parts + (rule->key[b] >> rule->halvings);
        if (!dive->is_placed[b] && !dive->is_tried[b] && key < least) {
            least = key;
            chosen = b;
        }
    }
    return chosen;
}

/* Starts from the root, with less room above. */
static bool start(struct mip_dive *dive, uint64_t most)
{
    const struct mip_model *model = dive->model;
    copy_bounds(&model->pairs, &dive->node);
    for (uint32_t b = 0; b < model->problem->buffers; b++) {
        int64_t size = (int64_t)(model->problem->size[b] / model->scale);
        mip_pairs_narrow(&dive->node, b, 0, (int64_t)most - size);
        dive->is_placed[b] = false;
    }
    return mip_lines_propagate(&dive->node, model->switches);
}

bool mip_dive_try(struct mip_dive *dive, const struct mip_dive_rule *rule, struct plan *plan,
                  uint64_t *work)
{
    /* About how often one propagation looks at each pair. */
    enum { PASSES = 8 };
    const struct mip_model *model = dive->model;
    uint32_t buffers = plan->buffers, most_mistakes = buffers / 2, mistakes = 0;
    uint64_t cost = (uint64_t)PASSES * ((uint64_t)model->pairs.count + buffers);
    assert(rule->most <= model->upper && buffers == model->problem->buffers);
    *work += cost;
    bool is_sound = start(dive, rule->most);
    for (uint32_t placed = 0; is_sound && placed < buffers; placed++) {
        memset(dive->is_tried, 0, buffers * sizeof *dive->is_tried);
        copy_bounds(&dive->node, &dive->saved);
        uint32_t b = choose(dive, rule);
        while (*work += cost, !place(dive, b)) {
            copy_bounds(&dive->saved, &dive->node);
            dive->is_tried[b] = true;
            b = choose(dive, rule);
            if (b == UINT32_MAX || ++mistakes > most_mistakes)
                return false;
        }
        dive->is_placed[b] = true;
    }
    for (uint32_t b = 0; is_sound && b < buffers; b++)
        plan->offset[b] = (uint64_t)dive->node.lowest[b] * model->scale;
    return is_sound;
}
