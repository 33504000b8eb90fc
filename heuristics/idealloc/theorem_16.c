/* Theorem 16 of boxing.h as far as it is practical: small jobs are boxed again and again, until
   boxes and jobs are of about one height. */

#include <math.h>
#include <string.h>

#include "core/memory.h"
#include "heuristics/idealloc/boxing.h"

double boxing_mu_limit(void)
{
    return (sqrt(5) - 1) / 2;
}

void boxing_epsilon_range(double ratio, double *least, double *greatest)
{
    double lg_squared = log2(ratio) * log2(ratio);
    *least = pow(pow(lg_squared, 7) / ratio, 1.0 / 6);
    *greatest = boxing_mu_limit() * lg_squared;
}

struct boxing_state boxing_examine(const struct boxing *boxing, struct boxing_list list,
                                   double epsilon)
{
    double least = INFINITY, greatest = 0;
    for (uint32_t i = 0; i < list.count; i++) {
        double height = boxing->job[list.job[i]].height;
        least = height < least ? height : least;
        greatest = height > greatest ? height : greatest;
    }
    struct boxing_state state = {.ratio = greatest / least};
    double lg_squared = log2(state.ratio) * log2(state.ratio);
    state.mu = epsilon / lg_squared;
    state.height = ceil(pow(state.mu, 5) * greatest / lg_squared);
    state.small = floor(state.mu * state.height);
    state.safe = state.mu < boxing_mu_limit() && state.small >= least;
    return state;
}

/* Moves the jobs of a height up to `small` to the end of the list; returns how many jobs are before
   them. */
static uint32_t split_by_height(const struct boxing *boxing, struct boxing_list list, double small,
                                uint32_t *scratch)
{
    uint32_t large = 0, moved = 0;
    for (uint32_t i = 0; i < list.count; i++)
        if (boxing->job[list.job[i]].height <= small)
            scratch[moved++] = list.job[i];
        else
            list.job[large++] = list.job[i];
    memcpy(list.job + large, scratch, moved * sizeof *scratch);
    return large;
}

static enum status box_small(struct boxing *boxing, const struct boxing_state *state,
                             struct boxing_list *list, struct boxing_list *boxed,
                             struct error *error)
{
    uint32_t large = split_by_height(boxing, *list, state->small, boxed->job);
    boxed->count = 0;
    TRY(boxing_corollary_15(
        boxing, (struct boxing_list){list->job + large, list->count - large},
        (struct boxing_target){.height = state->height, .epsilon = state->mu, .boxed = boxed},
        error));
    memcpy(list->job + large, boxed->job, boxed->count * sizeof *boxed->job);
    list->count = large + boxed->count;
    return STATUS_OK;
}

enum status boxing_theorem_16(struct boxing *boxing, double epsilon, struct boxing_list *list,
                              struct error *error)
{
    struct boxing_list boxed = {0};
    struct boxing_state state;
    enum status status = memory_create(&boxed.job, list->count, sizeof *boxed.job, error);
    while (!status && (state = boxing_examine(boxing, *list, epsilon)).safe)
        status = box_small(boxing, &state, list, &boxed, error);
    memory_free(boxed.job);
    return status;
}
