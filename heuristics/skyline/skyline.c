/* Best fit on a skyline: Sekiyama et al., "Profile-guided memory optimization for deep neural
   networks", arXiv 1804.10001, after the strip packing of Burke, Kendall and Whitwell, Oper. Res.
   52(4), 2004.

   The skyline is the upper edge of what is placed, in pieces of one height. Of its lowest piece,
   the earliest of several, the best of the buffers that live inside the piece is put on it; where
   none does, the piece rises to its lower neighbour. Nothing is ever put below the skyline. The
   paper takes the longest life as the best; largest size, largest area and earliest start are
   variants. Ties: longer, larger, earlier, first in the problem.

   Departures:
   - An aligned buffer lies at the next multiple above the piece, and a buffer that would touch a
     fixed one above that.
   - A buffer with holes is live from its first to its last step.

   O(n log n + n sqrt n), mostly O(n log n); with f fixed buffers O(n f) more. */

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "core/binary_search.h"
#include "core/checked.h"
#include "core/compare.h"
#include "heuristics/common/order.h"
#include "heuristics/common/rows.h"
#include "heuristics/skyline/best_block.h"
#include "heuristics/skyline/contour.h"

/* What planner->rule points to: the orders by which the best buffer is chosen, one run for each;
   the first run with the lowest peak wins. */
struct rule {
    const struct order *best[4];
    uint32_t count;
};

struct packing {
    const struct problem *problem;
    uint32_t *time; /* [times] the steps at which a buffer begins or ends */
    uint32_t times;
    struct skyline_block *block; /* [frees] the buffers to place */
    uint32_t frees;
    uint32_t *fixed; /* [fixeds] the fixed buffers by offset */
    uint32_t fixeds;
    uint32_t *sorted; /* [buffers] the buffers, best first */
    uint64_t *offset;
};

static uint32_t find_time(const struct packing *packing, uint32_t time)
{
    return BINARY_SEARCH(at, 1, packing->times, packing->time[at] > time) - 1;
}

/* The lowest offset from `height` up at which the buffer touches no fixed buffer. */
static bool find_offset(const struct packing *packing, uint32_t buffer, uint64_t height,
                        uint64_t *offset)
{
    const struct problem *problem = packing->problem;
    uint64_t size = problem->size[buffer], alignment = problem_alignment(problem, buffer), end;
    if (!checked_align(height, alignment, offset))
        return false;
    for (uint32_t i = 0; i < packing->fixeds; i++) {
        uint32_t fixed = packing->fixed[i];
        uint64_t begin = problem_fixed_offset(problem, fixed), above = begin + problem->size[fixed];
        if (problem_lower(problem, fixed) >= problem_upper(problem, buffer) ||
            problem_lower(problem, buffer) >= problem_upper(problem, fixed) || above <= *offset)
            continue;
        if (!checked_add(*offset, size, &end))
            return false;
        if (begin < end && !checked_align(above, alignment, offset))
            return false;
    }
    return checked_add(*offset, size, &end) && end != PROBLEM_FREE;
}

static void free_contour(struct skyline_contour *contour)
{
    heap_free(&contour->lowest);
}

/* Packs all buffers from the beginning, by one order. No piece begins at the last time, so the
   contour has one time less. */
static enum status pack_by(struct packing *packing, const struct order *best, struct error *error)
{
    const struct problem *problem = packing->problem;
    SCOPED(scratch_free) struct scratch scratch = {0};
    SCOPED(free_contour) struct skyline_contour contour = {0};
    struct skyline_blocks *blocks;
    uint32_t rank = 0;
    for (uint32_t b = 0; b < problem->buffers; b++)
        packing->offset[b] = problem_fixed_offset(problem, b);
    if (!packing->frees)
        return STATUS_OK;
    TRY(order_sort(best, problem, 0, packing->sorted, error));
    for (uint32_t i = 0; i < problem->buffers; i++) {
        uint32_t b = packing->sorted[i];
        if (problem_fixed_offset(problem, b) != PROBLEM_FREE)
            continue;
        packing->block[rank] =
            (struct skyline_block){.lower = find_time(packing, problem_lower(problem, b)),
                                   .upper = find_time(packing, problem_upper(problem, b)),
                                   .rank = rank,
                                   .buffer = b};
        rank++;
    }
    assert(rank == packing->frees);
    TRY(skyline_contour_create(packing->times - 1, &contour, &scratch, error));
    TRY(skyline_blocks_create(packing->block, packing->frees, &blocks, &scratch, error));
    for (uint32_t placed = 0; placed < packing->frees;) {
        struct skyline_piece piece = skyline_contour_lowest(&contour);
        const struct skyline_block *block = skyline_blocks_take(blocks, piece.begin, piece.end);
        if (!block) {
            TRY(skyline_contour_lift(&contour, piece, error));
            continue;
        }
        uint64_t *offset = &packing->offset[block->buffer];
        if (!find_offset(packing, block->buffer, piece.height, offset))
            return error_set(error, STATUS_BAD_INPUT, "no place below 2^64 bytes for buffer '%s'",
                             names_get(&problem->names, block->buffer));
        const struct skyline_piece raised = {block->lower, block->upper,
                                             *offset + problem->size[block->buffer]};
        TRY(skyline_contour_raise(&contour, piece, raised, error));
        placed++;
    }
    return STATUS_OK;
}

static enum status prepare_packing(struct packing *packing, struct scratch *scratch,
                                   struct error *error)
{
    const struct problem *problem = packing->problem;
    uint32_t buffers = problem->buffers, *time, times = 0;
    TRY(scratch_take_all(scratch, buffers, error, &packing->block, &packing->sorted,
                         &packing->fixed, &packing->offset));
    TRY(scratch_take(scratch, &time, 2 * (size_t)buffers, sizeof *time, error));
    for (uint32_t b = 0; b < buffers; b++) {
        uint64_t offset = problem_fixed_offset(problem, b);
        if (offset == PROBLEM_FREE) {
            time[times++] = problem_lower(problem, b);
            time[times++] = problem_upper(problem, b);
            packing->frees++;
            continue;
        }
        uint32_t at = packing->fixeds++;
        for (; at > 0 && problem_fixed_offset(problem, packing->fixed[at - 1]) > offset; at--)
            packing->fixed[at] = packing->fixed[at - 1];
        packing->fixed[at] = b;
    }
    qsort(time, times, sizeof *time, compare_number_items_32);
    packing->time = time;
    for (uint32_t i = 0; i < times; i++)
        if (!packing->times || time[packing->times - 1] != time[i])
            time[packing->times++] = time[i];
    return STATUS_OK;
}

static enum status plan_skyline(const struct planner *planner, const struct planner_task *task,
                                struct plan *plan, struct error *error)
{
    const struct rule *rule = planner->rule;
    const struct problem *problem = task->problem;
    struct packing packing = {.problem = problem};
    TRY(prepare_packing(&packing, task->scratch, error));
    for (uint32_t i = 0; i < rule->count; i++) {
        TRY(pack_by(&packing, rule->best[i], error));
        uint64_t peak = 0;
        for (uint32_t b = 0; b < problem->buffers; b++)
            if (packing.offset[b] + problem->size[b] > peak)
                peak = packing.offset[b] + problem->size[b];
        plan->measures.nodes++;
        if (i && peak >= plan->measures.peak_bytes)
            continue;
        plan->measures.peak_bytes = peak;
        memcpy(plan->offset, packing.offset, plan->buffers * sizeof *plan->offset);
    }
    return plan_set_feasible(plan, problem, error);
}

static const struct order longest = {
    .key = {{ORDER_BY_SPAN, true}, {ORDER_BY_SIZE, true}, {ORDER_BY_FIRST_STEP, false}}};
static const struct order largest = {
    .key = {{ORDER_BY_SIZE, true}, {ORDER_BY_SPAN, true}, {ORDER_BY_FIRST_STEP, false}}};
static const struct order widest = {.key = {{ORDER_BY_SPAN_AREA, true},
                                            {ORDER_BY_SPAN, true},
                                            {ORDER_BY_SIZE, true},
                                            {ORDER_BY_FIRST_STEP, false}}};
static const struct order earliest = {
    .key = {{ORDER_BY_FIRST_STEP, false}, {ORDER_BY_SPAN, true}, {ORDER_BY_SIZE, true}}};

#define SKYLINE(name_, title_, source_, count_, ...)                                               \
    {                                                                                              \
        .name = name_, .family = "skyline", .title = title_, .source = source_,                    \
        .flags = PLANNER_NO_WINDOWS | PLANNER_NO_HOLES,                                            \
        .rule = &(const struct rule){{__VA_ARGS__}, count_}, .plan = plan_skyline                  \
    }

#define BURKE "Burke et al., Oper. Res. 52(4), 2004, on fixed lifetimes"

static const struct planner rows[] = {
    SKYLINE("strip_best_fit", "on the lowest piece of a skyline, longest life first",
            "Sekiyama et al., arXiv 1804.10001", 1, &longest),
    SKYLINE("strip_best_fit_size", "on the lowest piece of a skyline, largest first", BURKE, 1,
            &largest),
    SKYLINE("strip_best_fit_area", "on the lowest piece of a skyline, most bytes times steps first",
            BURKE, 1, &widest),
    SKYLINE("strip_best_fit_start", "on the lowest piece of a skyline, earliest first", BURKE, 1,
            &earliest),
    SKYLINE("strip_best_fit_all", "the best of the four skyline rules", BURKE, 4, &longest,
            &largest, &widest, &earliest),
};

HEURISTICS_ROWS(skyline, rows);
