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

/* Whether no two of the jobs, which are sorted by birth, overlap. */
static bool overlap_nowhere(const struct boxing *boxing, struct boxing_list list)
{
    for (uint32_t i = 1; i < list.count; i++)
        if (boxing->job[list.job[i]].birth < boxing->job[list.job[i - 1]].death)
            return false;
    return true;
}

/* Puts jobs of one height, sorted by birth, into rows; returns the height of all rows. */
static double put_rows(struct opening *opening, struct boxing_list list, double bottom)
{
    double height = opening->boxing->job[list.job[0]].height;
    uint32_t rows = boxing_colour(opening->boxing, list, opening->row);
    for (uint32_t i = 0; i < list.count; i++)
        put_job(opening, list.job[i], bottom + opening->row[i] * height);
    return rows * height;
}

static void put_classes(struct opening *opening, struct boxing_list list, double bottom)
{
    const struct boxing *boxing = opening->boxing;
    boxing_sort(boxing, BOXING_LARGE_HEIGHT, list);
    for (uint32_t i = 0, end; i < list.count; i = end) {
        double height = boxing->job[list.job[i]].height;
        for (end = i + 1; end < list.count && boxing->job[list.job[end]].height >= height;)
            end++;
        bottom += put_rows(opening, (struct boxing_list){list.job + i, end - i}, bottom);
    }
}

static void put_list(struct opening *opening, struct boxing_list jobs, double bottom)
{
    const struct boxing_list list = {opening->list, jobs.count};
    memcpy(list.job, jobs.job, jobs.count * sizeof *jobs.job);
    boxing_sort(opening->boxing, BOXING_BIRTH, list);
    if (!overlap_nowhere(opening->boxing, list)) {
        put_classes(opening, list, bottom);
        return;
    }
    for (uint32_t i = 0; i < list.count; i++)
        put_job(opening, list.job[i], bottom);
}

static void open_all(struct opening *opening, struct boxing_list top)
{
    const struct boxing *boxing = opening->boxing;
    put_list(opening, top, 0);
    while (opening->depth) {
        struct waiting next = opening->waiting[--opening->depth];
        const struct boxing_job *box = &boxing->job[next.job];
        put_list(opening, (struct boxing_list){boxing->content + box->first, box->count},
                 next.offset);
    }
}

enum status boxing_unbox(struct boxing *boxing, struct boxing_list list, uint32_t buffers,
                         double *offset, struct error *error)
{
    struct opening opening = {.boxing = boxing,
                              .buffers = buffers,
                              .offset = offset,
                              .list = boxing->group,
                              .row = boxing->row};
    TRY(memory_create(&opening.waiting, boxing->jobs, sizeof *opening.waiting, error));
    open_all(&opening, list);
    memory_free(opening.waiting);
    return STATUS_OK;
}
