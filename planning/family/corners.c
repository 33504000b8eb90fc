#include "planning/family/corners.h"

#include <assert.h>

#include "core/memory.h"
#include "planning/sizes/spread.h"

__extension__ typedef unsigned __int128 wide;

enum { MOST_CORNERS = 1 << SPREAD_MOST_VARIABLES };

/* The buffers that are live at one step, and the bytes of them all at each corner. */
struct live_at {
    uint32_t step, count;
    uint32_t *buffer; /* [count] */
    uint64_t bytes[MOST_CORNERS];
};

struct corners {
    struct family *family;
    const struct orientation *orientation;
    struct spread_sizes *spread;
    uint64_t range[2]
                  [SPREAD_MOST_VARIABLES]; /* the least and the greatest value of each variable */
    uint64_t peak[MOST_CORNERS];
    struct live_at live[2]; /* at the steps by which the box is to be proved */
    uint64_t *size[2];      /* [buffers] */
    wide *end;              /* [buffers] */
    struct scratch scratch;
};

/* Whether no alignment ever moves a buffer: each divides all sizes, so also all sums of them. */
static bool is_aligned(const struct family *family)
{
    const struct problem *problem = family->problem;
    uint64_t greatest = 1;
    for (uint32_t b = 0; b < problem->buffers; b++)
        if (problem_alignment(problem, b) > greatest)
            greatest = problem_alignment(problem, b);
    for (uint32_t b = 0; b < problem->buffers; b++)
        if (greatest % problem_alignment(problem, b) ||
            (family->same[b] == b && sizes_divisor(family->sizes, b) % greatest))
            return false;
    return true;
}

enum status corners_create(struct family *family, struct corners **created, struct error *error)
{
    SCOPED(corners_release) struct corners *made = NULL;
    size_t buffers = family->problem->buffers;
    *created = NULL;
    if (!is_aligned(family))
        return STATUS_OK;
    TRY(memory_create(&made, 1, sizeof *made, error));
    made->family = family;
    TRY(spread_create(family->sizes, family->same, &made->spread, error));
    if (!made->spread)
        return STATUS_OK;
    for (int i = 0; i < 2; i++) {
        TRY(scratch_take_all(&made->scratch, buffers, error, &made->size[i],
                             &made->live[i].buffer));
    }
    TRY(scratch_take(&made->scratch, &made->end, buffers, sizeof *made->end, error));
    HAND_OVER(made, created);
}

void corners_free(struct corners *corners)
{
    if (!corners)
        return;
    spread_free(corners->spread);
    scratch_free(&corners->scratch);
    memory_free(corners);
}

/* Sizes at a corner: bit v of its number says whether variable v has its greatest value. */
static void find_sizes(const struct corners *corners, uint32_t corner, uint64_t *size)
{
    const struct spread_sizes *spread = corners->spread;
    uint64_t value[SPREAD_MOST_VARIABLES];
    assert(corner < UINT32_C(1) << spread->variables);
    for (uint32_t v = 0; v < spread->variables; v++)
        value[v] = corners->range[corner >> v & 1][v];
    for (uint32_t b = 0; b < corners->family->problem->buffers; b++) {
        uint32_t same = corners->family->same[b];
        bool is_size = same < b || sizes_value(&spread->spread, b, value, &size[b]);
        size[b] = same < b ? size[same] : size[b];
        assert(is_size && size[b]);
        (void)is_size;
    }
}

static void list_live(const struct corners *corners, uint32_t step, struct live_at *live)
{
    const struct problem *problem = corners->family->problem;
    live->step = step;
    live->count = 0;
    for (uint32_t b = 0; b < problem->buffers; b++)
        for (uint32_t s = problem->first[b]; s < problem->first[b + 1]; s++)
            if (problem->lower[s] <= step && step < problem->upper[s]) {
                assert(live->count <= b); /* no buffer has two segments at a step */
                live->buffer[live->count++] = b;
            }
}

static uint64_t sum_live(const struct live_at *live, const uint64_t *size)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < live->count; i++)
        sum += size[live->buffer[i]];
    return sum;
}

/* Whether the peak is at most ratio times the load; false where that is too close to be said. */
static bool is_within(wide peak, wide load, struct family_ratio ratio)
{
    assert(ratio.load_bytes > 0 && ratio.peak_bytes >= ratio.load_bytes);
    if (ratio.peak_bytes == ratio.load_bytes)
        return peak <= load;
    while ((peak | load) >> 63) {
        peak = (peak >> 1) + 1;
        load >>= 1;
    }
    return peak * ratio.load_bytes <= load * ratio.peak_bytes;
}

/* The peak where each size is the sum of those at two corners, times these weights. */
static wide find_mixed_peak(struct corners *corners, uint64_t weight, uint64_t other)
{
    const struct orientation *orientation = corners->orientation;
    wide peak = 0, *end = corners->end;
    for (uint32_t i = 0; i < orientation->buffers; i++) {
        uint32_t b = orientation->sorted[i];
        wide begin = 0;
        for (uint32_t e = orientation->first[b]; e < orientation->first[b + 1]; e++)
            begin = end[orientation->below[e]] > begin ? end[orientation->below[e]] : begin;
        end[b] = begin + (wide)weight * corners->size[0][b] + (wide)other * corners->size[1][b];
        assert(end[b] > begin); /* at most a weight below 2^63 times a peak below 2^63, twice */
        peak = end[b] > peak ? end[b] : peak;
    }
    return peak;
}

/* Whether the ratio is kept where both steps have as many bytes, between a corner at which the
   first has more and one at which the second has. */
static bool holds_between(struct corners *corners, uint32_t corner, uint32_t other,
                          struct family_ratio ratio)
{
    const struct live_at *first = &corners->live[0], *second = &corners->live[1];
    assert(first->bytes[corner] > second->bytes[corner]);
    assert(first->bytes[other] < second->bytes[other]);
    uint64_t weight = second->bytes[other] - first->bytes[other];
    uint64_t other_weight = first->bytes[corner] - second->bytes[corner];
    find_sizes(corners, corner, corners->size[0]);
    find_sizes(corners, other, corners->size[1]);
    wide load = (wide)weight * first->bytes[corner] + (wide)other_weight * first->bytes[other];
    return is_within(find_mixed_peak(corners, weight, other_weight), load, ratio);
}

/* Fills the bytes that are live at a step at all corners. */
static void measure_step(struct corners *corners, uint32_t step, struct live_at *live)
{
    list_live(corners, step, live);
    for (uint32_t c = 0; c < UINT32_C(1) << corners->spread->variables; c++) {
        find_sizes(corners, c, corners->size[0]);
        live->bytes[c] = sum_live(live, corners->size[0]);
        assert(live->bytes[c] <= corners->peak[c]);
    }
}

/* The first corner at which the bytes at the given steps exceed the ratio; the number of corners
   where there is none. */
static uint32_t find_failing(const struct corners *corners, uint32_t steps,
                             struct family_ratio ratio)
{
    uint32_t count = UINT32_C(1) << corners->spread->variables;
    for (uint32_t c = 0; c < count; c++) {
        bool holds = false;
        for (uint32_t i = 0; i < steps; i++)
            holds |= is_within(corners->peak[c], corners->live[i].bytes[c], ratio);
        if (!holds)
            return c;
    }
    return count;
}

bool corners_prove(struct corners *corners, const struct orientation *orientation,
                   const uint64_t *lower, const uint64_t *upper, struct family_ratio ratio)
{
    struct family *family = corners->family;
    const struct spread_sizes *spread = corners->spread;
    uint32_t count = UINT32_C(1) << spread->variables, step = 0, failing;
    corners->orientation = orientation;
    assert(orientation->buffers == family->problem->buffers);
    for (uint32_t v = 0; v < spread->variables; v++) {
        if (!sizes_value(&spread->base, spread->variable_base[v], lower, &corners->range[0][v]) ||
            !sizes_value(&spread->base, spread->variable_base[v], upper, &corners->range[1][v]))
            return false;
        assert(corners->range[0][v] <= corners->range[1][v]);
    }
    for (uint32_t c = 0; c < count; c++) {
        find_sizes(corners, c, corners->size[0]);
        corners->peak[c] = family_peak(family, orientation, corners->size[0]);
    }
    family_load_at(family, corners->size[0], &step);
    measure_step(corners, step, &corners->live[0]);
    failing = find_failing(corners, 1, ratio);
    if (failing == count)
        return true;
    find_sizes(corners, failing, corners->size[0]);
    family_load_at(family, corners->size[0], &step);
    measure_step(corners, step, &corners->live[1]);
    if (find_failing(corners, 2, ratio) < count)
        return false;
    const uint64_t *first = corners->live[0].bytes, *second = corners->live[1].bytes;
    for (uint32_t c = 0; c < count; c++)
        for (uint32_t other = 0; other < count; other++)
            if (first[c] > second[c] && first[other] < second[other] &&
                !holds_between(corners, c, other, ratio))
                return false;
    return true;
}
