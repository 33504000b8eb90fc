/* Opens boxes and gives the buffers inside them offsets that order them (boxing.h). */

#include <assert.h>
#include <string.h>

#include "core/memory.h"
#include "heuristics/idealloc/boxing.h"

/* The state of opening: a stack of boxes still to be opened, each with the offset of its bottom,
   and scratch that has room for the contents of any box. */
struct opening {
    struct boxing *boxing;
    uint32_t buffers;
    double *offset;
    struct waiting {
        uint32_t job;
        double offset;
    } * waiting;
    uint32_t depth;
    uint32_t *list, *row;
};

/* Gives a buffer its offset, or puts a box on the stack. Every job is on the stack at most once, so
   there is room. */
static void put_job(struct opening *opening, uint32_t job, double offset)
{
    assert(opening->depth < opening->boxing->jobs);
    if (opening->boxing->job[job].count)
        opening->waiting[opening->depth++] = (struct waiting){job, offset};
    else if (job < opening->buffers)
        opening->offset[job] = offset;
}

static void put_list(struct opening *opening, struct boxing_list jobs, double bottom)
{
    struct boxing *boxing = opening->boxing;
    const struct boxing_list list = {opening->list, jobs.count};
    memcpy(list.job, jobs.job, jobs.count * sizeof *jobs.job);
    boxing_sort(boxing, BOXING_BIRTH, list);
    bool overlap = false;
    for (uint32_t i = 1; i < list.count; i++)
        overlap |= boxing->job[list.job[i]].birth < boxing->job[list.job[i - 1]].death;
    for (uint32_t i = 0; !overlap && i < list.count; i++)
        put_job(opening, list.job[i], bottom);
    if (!overlap)
        return;

    /* The jobs of each height, which stay sorted by birth, go into rows. */
    boxing_sort(boxing, BOXING_LARGE_HEIGHT, list);
    for (uint32_t i = 0, end; i < list.count; i = end) {
        double height = boxing->job[list.job[i]].height;
        for (end = i + 1; end < list.count && boxing->job[list.job[end]].height >= height;)
            end++;
        uint32_t rows =
            boxing_colour(boxing, (struct boxing_list){list.job + i, end - i}, opening->row);
        for (uint32_t k = i; k < end; k++)
            put_job(opening, list.job[k], bottom + opening->row[k - i] * height);
        bottom += rows * height;
    }
}

enum status boxing_unbox(struct boxing *boxing, struct boxing_list list, uint32_t buffers,
                         double *offset, struct error *error)
{
    SCOPED(memory_release) struct waiting *waiting = NULL;
    TRY(memory_create(&waiting, boxing->jobs, sizeof *waiting, error));
    struct opening opening = {.boxing = boxing,
                              .buffers = buffers,
                              .offset = offset,
                              .waiting = waiting,
                              .list = boxing->group,
                              .row = boxing->row};
    put_list(&opening, list, 0);
    while (opening.depth) {
        struct waiting next = waiting[--opening.depth];
        const struct boxing_job *box = &boxing->job[next.job];
        put_list(&opening, (struct boxing_list){boxing->content + box->first, box->count},
                 next.offset);
    }
    return STATUS_OK;
}
