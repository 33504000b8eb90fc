/* Lemma 1 of boxing.h: jobs that are all live at one time, boxed strip by strip. */

#include "heuristics/idealloc/boxing.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* The jobs in two orders, from whose beginnings strips are cut. boxing->taken[position in list]
   says which jobs are gone. */
struct cutting {
    struct boxing *boxing;
    struct boxing_list list;  /* by birth */
    const uint32_t *by_death; /* the positions in `list`, latest death first */
    uint32_t next[2];         /* where the next strip begins in `list` and in `by_death` */
};

enum side { EARLY_BIRTHS, LATE_DEATHS };

static uint32_t cut_strip(struct cutting *cutting, enum side side, uint64_t most, uint32_t *strip)
{
    bool *taken = cutting->boxing->taken;
    uint32_t cut = 0;
    while (cut < most && cutting->next[side] < cutting->list.count) {
        uint32_t at = cutting->next[side]++;
        uint32_t position = side == EARLY_BIRTHS ? at : cutting->by_death[at];
        if (taken[position])
            continue;
        taken[position] = true;
        strip[cut++] = cutting->list.job[position];
    }
    return cut;
}

/* jobs * ceil(factor), limited to UINT32_MAX, which is more than any list has. */
static uint64_t multiply_jobs(uint64_t jobs, double factor)
{
    double product = (double)jobs * ceil(factor);
    return product < UINT32_MAX ? (uint64_t)product : UINT32_MAX;
}

enum status boxing_lemma_1(struct boxing *boxing, struct boxing_list list,
                           const struct boxing_target *target, struct boxing_list *left,
                           struct error *error)
{
    uint64_t outer = multiply_jobs(target->jobs, 1 / (target->epsilon * target->epsilon));
    uint64_t inner = multiply_jobs(target->jobs, 1 / target->epsilon);
    assert(left->count + list.count <= boxing->most);
    if (list.count <= 2 * outer) {
        memcpy(left->job + left->count, list.job, list.count * sizeof *list.job);
        left->count += list.count;
        return STATUS_OK;
    }
    memcpy(boxing->by_death, list.job, list.count * sizeof *list.job);
    boxing_sort(boxing, BOXING_LATE_DEATH, (struct boxing_list){boxing->by_death, list.count});
    for (uint32_t i = 0; i < list.count; i++)
        boxing->by_death[i] = boxing->keyed[i].position;
    memset(boxing->taken, 0, list.count * sizeof *boxing->taken);
    struct cutting cutting = {boxing, list, boxing->by_death, {0, 0}};
    left->count += cut_strip(&cutting, EARLY_BIRTHS, outer, left->job + left->count);
    left->count += cut_strip(&cutting, LATE_DEATHS, outer, left->job + left->count);

    /* The strips inside are boxed, as many jobs in each box as the target allows. A strip of early
       births is sorted by death first, and a strip of late deaths by birth. */
    struct boxing_list strip = {boxing->strip, 0};
    enum side side = EARLY_BIRTHS;
    while ((strip.count = cut_strip(&cutting, side, inner, strip.job)) > 0) {
        boxing_sort(boxing, side == EARLY_BIRTHS ? BOXING_LATE_DEATH : BOXING_BIRTH, strip);
        for (uint32_t i = 0, jobs; i < strip.count; i += jobs) {
            uint32_t rest = strip.count - i;
            jobs = rest < target->jobs ? rest : (uint32_t)target->jobs;
            TRY(boxing_add_box(boxing, (struct boxing_list){strip.job + i, jobs}, target, error));
        }
        side = side == EARLY_BIRTHS ? LATE_DEATHS : EARLY_BIRTHS;
    }
    return STATUS_OK;
}
