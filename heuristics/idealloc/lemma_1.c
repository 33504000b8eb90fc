#include "heuristics/idealloc/boxing.h"

#include <math.h>
#include <string.h>

/* The jobs in two orders, from which strips are cut; taken[place in list] says which are gone. */
struct cutting {
    struct boxing *boxing;
    const uint32_t *list; /* by birth */
    uint32_t count;
    const uint32_t *by_death; /* places in list, last death first */
    uint32_t next[2];         /* in list, in by_death */
};

enum side { EARLY_BIRTHS, LATE_DEATHS };

static uint32_t cut_strip(struct cutting *cutting, enum side side, uint64_t most, uint32_t *strip)
{
    bool *taken = cutting->boxing->taken;
    uint32_t cut = 0;
    while (cut < most && cutting->next[side] < cutting->count) {
        uint32_t at = cutting->next[side]++;
        uint32_t place = side == EARLY_BIRTHS ? at : cutting->by_death[at];
        if (taken[place])
            continue;
        taken[place] = true;
        strip[cut++] = cutting->list[place];
    }
    return cut;
}

/* A strip of jobs with early births is boxed by death, and the other way round. */
static enum status box_strip(struct cutting *cutting, enum side side, uint32_t *strip,
                             uint32_t count, const struct boxing_size *size,
                             struct boxing_list *boxed, struct error *error)
{
    boxing_sort(cutting->boxing, side == EARLY_BIRTHS ? BOXING_LATE_DEATH : BOXING_BIRTH, strip,
                count);
    for (uint32_t i = 0; i < count;) {
        uint32_t jobs = count - i < size->jobs ? count - i : (uint32_t)size->jobs;
        TRY(boxing_add_box(cutting->boxing, strip + i, jobs, size->height, boxed, error));
        i += jobs;
    }
    return STATUS_OK;
}

static enum status box_inside(struct cutting *cutting, uint64_t inner,
                              const struct boxing_size *size, struct boxing_list *boxed,
                              struct error *error)
{
    uint32_t *strip = cutting->boxing->strip;
    enum side side = EARLY_BIRTHS;
    uint32_t cut;
    while ((cut = cut_strip(cutting, side, inner, strip)) > 0) {
        TRY(box_strip(cutting, side, strip, cut, size, boxed, error));
        side = side == EARLY_BIRTHS ? LATE_DEATHS : EARLY_BIRTHS;
    }
    return STATUS_OK;
}

/* jobs * ceil(factor), or more than any list has. */
static uint64_t multiply_jobs(uint64_t jobs, double factor)
{
    double product = (double)jobs * ceil(factor);
    return product < UINT32_MAX ? (uint64_t)product : UINT32_MAX;
}

static void order_by_death(struct boxing *boxing, const uint32_t *list, uint32_t count)
{
    memcpy(boxing->by_death, list, count * sizeof *list);
    boxing_sort(boxing, BOXING_LATE_DEATH, boxing->by_death, count);
    for (uint32_t i = 0; i < count; i++)
        boxing->by_death[i] = boxing->keyed[i].place;
}

enum status boxing_lemma_1(struct boxing *boxing, const uint32_t *list, uint32_t count,
                           const struct boxing_size *size, struct boxing_list *boxed,
                           struct boxing_list *left, struct error *error)
{
    uint64_t outer = multiply_jobs(size->jobs, 1 / (size->epsilon * size->epsilon));
    uint64_t inner = multiply_jobs(size->jobs, 1 / size->epsilon);
    if (count <= 2 * outer) {
        memcpy(left->job + left->count, list, count * sizeof *list);
        left->count += count;
        return STATUS_OK;
    }
    order_by_death(boxing, list, count);
    memset(boxing->taken, 0, count * sizeof *boxing->taken);
    struct cutting cutting = {boxing, list, count, boxing->by_death, {0, 0}};
    left->count += cut_strip(&cutting, EARLY_BIRTHS, outer, left->job + left->count);
    left->count += cut_strip(&cutting, LATE_DEATHS, outer, left->job + left->count);
    return box_inside(&cutting, inner, size, boxed, error);
}
