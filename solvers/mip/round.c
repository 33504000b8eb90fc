#include "solvers/mip/round.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "core/clock.h"
#include "core/memory.h"
#include "core/random.h"
#include "solvers/mip/model/formulation.h"
#include "solvers/mip/model/lines.h"
#include "solvers/mip/model/order_plan.h"

/* Makes plans buffer by buffer, from the bottom up, and after each draws the conclusions that a
   node draws (mip_lines_propagate), so that most mistakes are seen at once. */

struct mip_dive;

/* In which order buffers are placed, and how high the plan may be. */
struct mip_dive_rule {
    const uint64_t *key; /* [buffers] parts of a unit; low ones come first */
    uint64_t parts;      /* of a unit */
    uint32_t halvings;   /* how often a key is halved before it is added to the least offset */
    uint64_t most;       /* scaled bytes */
};

struct mip_dive {
    const struct mip_model *model;
    struct mip_pairs node, saved; /* those of the model with directions and boxes of their own */
    bool *is_placed, *is_tried;   /* [buffers] */
};

static void mip_dive_free(struct mip_dive *dive)
{
    if (!dive)
        return;
    mip_pairs_copy_free(&dive->node);
    mip_pairs_copy_free(&dive->saved);
    memory_free_all(dive->is_placed, dive->is_tried, dive);
}

SCOPED_POINTER(struct mip_dive, mip_dive_release, mip_dive_free);

/* The model outlives it. */
static enum status mip_dive_create(const struct mip_model *model, struct mip_dive **created,
                                   struct error *error)
{
    SCOPED(mip_dive_release) struct mip_dive *dive = NULL;
    uint32_t buffers = model->problem->buffers;
    TRY(memory_create(&dive, 1, sizeof *dive, error));
    dive->model = model;
    TRY(mip_pairs_copy(&model->pairs, &dive->node, error));
    TRY(mip_pairs_copy(&model->pairs, &dive->saved, error));
    TRY(memory_create_all(buffers, error, &dive->is_placed, &dive->is_tried));
    HAND_OVER(dive, created);
}

/* Directions follow from boxes here even where the program leaves them open: else nothing would
   keep the offsets of a dive apart. */
static bool propagate(struct mip_dive *dive)
{
    return mip_lines_propagate(&dive->node, dive->model->switches | MIP_DIRECTIONS);
}

/* Puts a buffer as low as it can lie, below all that are not placed. False where that leaves no
   plan. */
static bool place_lowest(struct mip_dive *dive, uint32_t buffer)
{
    struct mip_pairs *node = &dive->node;
    assert(!dive->is_placed[buffer]);
    for (uint32_t p = 0; p < node->count; p++) {
        bool is_first = node->pair[p].first == buffer;
        uint32_t other = is_first ? node->pair[p].second : node->pair[p].first;
        if ((!is_first && node->pair[p].second != buffer) || dive->is_placed[other])
            continue;
        enum mip_direction wanted = is_first ? MIP_FIRST_BELOW : MIP_SECOND_BELOW;
        if (node->direction[p] != MIP_OPEN && node->direction[p] != wanted)
            return false;
        mip_pairs_direct(node, p, wanted);
    }
    mip_pairs_narrow(node, buffer, INT64_MIN, node->lowest[buffer]);
    return propagate(dive);
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
    mip_pairs_restore(&model->pairs, &dive->node);
    dive->node.work += model->pairs.count + model->problem->buffers;
    for (uint32_t b = 0; b < model->problem->buffers; b++) {
        int64_t size = (int64_t)(model->problem->size[b] / model->scale);
        mip_pairs_narrow(&dive->node, b, 0, (int64_t)most - size);
        dive->is_placed[b] = false;
    }
    return propagate(dive);
}

/* Tries once. True where the offsets of a plan were found. */
static bool mip_dive_try(struct mip_dive *dive, const struct mip_dive_rule *rule, struct plan *plan)
{
    const struct mip_model *model = dive->model;
    uint32_t buffers = plan->buffers, most_mistakes = buffers / 2, mistakes = 0;
    assert(rule->most <= model->upper && buffers == model->problem->buffers);
    bool is_sound = start(dive, rule->most);
    for (uint32_t placed = 0; is_sound && placed < buffers; placed++) {
        memset(dive->is_tried, 0, buffers * sizeof *dive->is_tried);
        mip_pairs_restore(&dive->node, &dive->saved);
        uint32_t b = choose(dive, rule);
        assert(b != UINT32_MAX);
        while (!place_lowest(dive, b)) {
            mip_pairs_restore(&dive->saved, &dive->node);
            dive->is_tried[b] = true;
            b = choose(dive, rule);
            if (b == UINT32_MAX || ++mistakes > most_mistakes)
                return false;
        }
        dive->is_placed[b] = true;
    }
    for (uint32_t b = 0; is_sound && b < buffers; b++) {
        assert(dive->is_placed[b] && dive->node.lowest[b] == dive->node.highest[b]);
        plan->offset[b] = (uint64_t)dive->node.lowest[b] * model->scale;
    }
    return is_sound;
}

enum status mip_values_of_plan(const struct mip_model *model, const struct plan *plan,
                               double *values, bool *holds, struct error *error)
{
    SCOPED(plan_release) struct plan *arranged = NULL;
    SCOPED(plan_release) struct plan *lowest = NULL;
    assert(plan_found(plan) && values);
    *holds = false;
    TRY(plan_create(model->problem, &arranged, error));
    TRY(plan_create(model->problem, &lowest, error));
    plan_take(arranged, plan);
    mip_arrange(model, arranged);
    if (!mip_lower_plan(model, arranged, lowest))
        return STATUS_OK;
    lowest->status = PLAN_FEASIBLE;
    TRY(plan_set_peak(lowest, model->problem, error));
    assert(lowest->measures.peak_bytes <= plan->measures.peak_bytes);
    model->formulation->from_plan(model, lowest, values);
    *holds = mip_model_holds(model, values);
    return STATUS_OK;
}

struct mip_rounder {
    const struct mip_model *model;
    struct mip_dive *dive;
    struct plan *best; /* the lowest so far, or none */
    struct plan *trial;
    uint64_t *relaxed;   /* [buffers] offsets of the relaxation, in parts of a unit */
    uint64_t *key;       /* [buffers] */
    uint64_t most_bytes; /* the peak of a plan to be handed on */
    uint64_t left;       /* work that dives may do */
    struct random_state random;
    enum status status;
    struct error *error;
};

bool mip_rounder_suits(const struct mip_model *model)
{
    return model->first_offset != MIP_NO_COLUMN || model->first_position;
}

enum status mip_rounder_create(const struct mip_model *model, const struct plan *plan,
                               struct mip_rounder **created, struct error *error)
{
    SCOPED(mip_rounder_release) struct mip_rounder *rounder = NULL;
    uint32_t buffers = model->problem->buffers;
    assert(mip_rounder_suits(model));
    TRY(memory_create(&rounder, 1, sizeof *rounder, error));
    rounder->model = model;
    rounder->random = random_seed(1);
    rounder->most_bytes = model->upper * model->scale;
    rounder->error = error;
    TRY(mip_dive_create(model, &rounder->dive, error));
    TRY(plan_create(model->problem, &rounder->best, error));
    TRY(plan_create(model->problem, &rounder->trial, error));
    TRY(memory_create_all(buffers, error, &rounder->relaxed, &rounder->key));
    if (plan_found(plan))
        plan_take(rounder->best, plan);
    if (plan_found(plan) && plan->measures.peak_bytes <= rounder->most_bytes)
        rounder->most_bytes = plan->measures.peak_bytes - 1;
    HAND_OVER(rounder, created);
}

void mip_rounder_free(struct mip_rounder *rounder)
{
    if (!rounder)
        return;
    mip_dive_free(rounder->dive);
    plan_free(rounder->best);
    plan_free(rounder->trial);
    memory_free_all(rounder->relaxed, rounder->key, rounder);
}

static double get_offset(const struct mip_model *model, const double *values, uint32_t buffer)
{
    double sum = 0;
    if (model->first_offset != MIP_NO_COLUMN)
        return fmax(0, values[model->first_offset + buffer]);
    assert(model->position && model->first_position);
    for (uint32_t c = model->first_position[buffer]; c < model->first_position[buffer + 1]; c++)
        sum += (double)model->position[c - model->first_position[0]] * fmax(0, values[c]);
    return sum;
}

/* Parts of a unit, in which keys are counted. */
static uint64_t get_parts(const struct mip_model *model)
{
    enum { FINE_UPPER = 1 << 30, FINEST = 1024 };
    return model->upper < FINE_UPPER ? FINEST : 1;
}

/* The offsets of the relaxation, or of the best plan, and up to a half of the upper end more. */
static void make_keys(struct mip_rounder *rounder, uint64_t parts)
{
    enum { MOST_HALVINGS = 8 };
    const struct mip_model *model = rounder->model;
    const struct plan *best = rounder->best;
    bool by_best = plan_found(best) && random_below(&rounder->random, 2);
    uint64_t halvings = 1 + random_below(&rounder->random, MOST_HALVINGS);
    assert(model->upper <= UINT64_MAX / parts);
    uint64_t spread = (model->upper * parts >> halvings) + 1;
    for (uint32_t b = 0; b < best->buffers; b++)
        rounder->key[b] = (by_best ? best->offset[b] / model->scale * parts : rounder->relaxed[b]) +
                          random_below(&rounder->random, spread);
}

/* Whether the best plan is one to be handed on, as which it is. */
static bool hand_on(struct mip_rounder *rounder, double *found)
{
    bool holds;
    uint64_t peak_bytes = rounder->best->measures.peak_bytes;
    if (!plan_found(rounder->best) || peak_bytes > rounder->most_bytes)
        return false;
    assert(peak_bytes > 0);
    rounder->most_bytes = peak_bytes - 1;
    rounder->status =
        mip_values_of_plan(rounder->model, rounder->best, found, &holds, rounder->error);
    if (rounder->status || !holds)
        return false;
    /* The lowest plan of the order may be lower yet. */
    rounder->most_bytes = (uint64_t)found[0] * rounder->model->scale - 1;
    return true;
}

/* True where the best plan was replaced by one with a peak that is to be handed on. */
static bool dive_once(struct mip_rounder *rounder)
{
    enum { MOST_HALVINGS = 12 };
    const struct mip_model *model = rounder->model;
    struct plan *trial = rounder->trial;
    uint64_t parts = get_parts(model);
    make_keys(rounder, parts);
    const struct mip_dive_rule rule = {.key = rounder->key,
                                       .parts = parts,
                                       .halvings =
                                           (uint32_t)random_below(&rounder->random, MOST_HALVINGS),
                                       .most = rounder->most_bytes / model->scale};
    if (!mip_dive_try(rounder->dive, &rule, trial))
        return false;
    trial->status = PLAN_FEASIBLE;
    rounder->status = plan_set_peak(trial, model->problem, rounder->error);
    if (rounder->status || trial->measures.peak_bytes > rounder->most_bytes)
        return false;
    plan_take(rounder->best, trial);
    return true;
}

/* Dives may take half as long as the solver, but a limit on time is not to wait for them long. */
static bool round_by_dive(struct mip_rounder *rounder, double *found)
{
    enum { MOST_AT_ONCE = 4000000 };
    const uint64_t *done = &rounder->dive->node.work, before = *done;
    bool is_found = false;
    while (*done - before < rounder->left && *done - before < MOST_AT_ONCE && !rounder->status &&
           !is_found)
        is_found = dive_once(rounder) && hand_on(rounder, found);
    uint64_t work = *done - before;
    rounder->left -= work < rounder->left ? work : rounder->left;
    return is_found;
}

enum status mip_rounder_begin(struct mip_rounder *rounder, uint64_t deadline_ns, uint64_t *work,
                              const struct plan **found)
{
    const uint64_t *done = &rounder->dive->node.work, before = *done;
    bool is_found = false;
    while (*done - before < *work && !rounder->status && !is_found && clock_left_ns(deadline_ns))
        is_found = dive_once(rounder);
    *work = *done - before;
    *found = is_found ? rounder->best : NULL;
    return rounder->status;
}

bool mip_rounder_round(void *context, const double *values, uint64_t work, double *found)
{
    struct mip_rounder *rounder = context;
    const struct mip_model *model = rounder->model;
    uint64_t parts = get_parts(model);
    if (rounder->status)
        return false;
    for (uint32_t b = 0; b < model->problem->buffers; b++)
        rounder->relaxed[b] = (uint64_t)(get_offset(model, values, b) * (double)parts);
    rounder->left += work / 2;
    return hand_on(rounder, found) || round_by_dive(rounder, found);
}

enum status mip_rounder_best(const struct mip_rounder *rounder, const struct plan **best)
{
    *best = rounder->best;
    return rounder->status;
}
