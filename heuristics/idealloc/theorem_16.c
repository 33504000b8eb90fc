/* Theorem 16 of boxing.h as far as it is practical: small jobs are boxed again and again, until
   boxes and jobs are of about one height. Corollary 15 does that, class by class of heights. */

#include <assert.h>
#include <math.h>
#include <string.h>

#include "core/clock.h"
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

enum status boxing_theorem_16(struct boxing *boxing, double epsilon, struct boxing_list *list,
                              struct error *error)
{
    SCOPED(memory_release) uint32_t *moved = NULL;
    struct boxing_state state;
    TRY(memory_create(&moved, list->count, sizeof *moved, error));
    while ((state = boxing_examine(boxing, *list, epsilon)).safe && clock_left_ns(boxing->end_ns)) {
        /* The small jobs go to the end of the list, where their boxes then stand. */
        uint32_t large = 0, small = 0;
        for (uint32_t i = 0; i < list->count; i++)
            if (boxing->job[list->job[i]].height <= state.small)
                moved[small++] = list->job[i];
            else
                list->job[large++] = list->job[i];
        memcpy(list->job + large, moved, small * sizeof *moved);
        struct boxing_list boxed = {moved, 0};
        TRY(boxing_corollary_15(
            boxing, (struct boxing_list){list->job + large, small},
            (struct boxing_target){.height = state.height, .epsilon = state.mu, .boxed = &boxed},
            error));
        assert(boxed.count <= small);
        memcpy(list->job + large, moved, boxed.count * sizeof *moved);
        list->count = large + boxed.count;
    }
    return STATUS_OK;
}

/* Class i holds the heights above (1 + epsilon)^(i - 1) and up to (1 + epsilon)^i, rounded down.
   This function gives the upper end of a height's class, which is never below the height. */
static double find_class_top(double height, double epsilon)
{
    double growth = 1 + epsilon;
    double exponent = floor(log(height) / log(growth));
    double top = floor(pow(growth, exponent > 0 ? exponent : 0));
    if (top < height)
        top = floor(pow(growth, exponent + 1));
    return top < height ? height : top;
}

enum status boxing_corollary_15(struct boxing *boxing, struct boxing_list list,
                                struct boxing_target target, struct error *error)
{
    boxing_sort(boxing, BOXING_HEIGHT, list);
    for (uint32_t i = 0, end; i < list.count && clock_left_ns(boxing->end_ns); i = end) {
        double top = find_class_top(boxing->job[list.job[i]].height, target.epsilon);
        for (end = i + 1; end < list.count && boxing->job[list.job[end]].height <= top;)
            end++;
        double jobs = floor(target.height / top);
        target.jobs = jobs < 1 ? 1 : jobs < UINT32_MAX ? (uint64_t)jobs : UINT32_MAX;
        TRY(boxing_theorem_2(boxing, (struct boxing_list){list.job + i, end - i}, &target, error));
    }
    return STATUS_OK;
}
