#include "planning/arena/placer.h"

#include <assert.h>

#include "core/memory.h"
#include "planning/arena/stream_lines.h"

/* In a problem of clocks alone, what is taken is kept twice: on the lines, and on the serial line.
   What is live at a common step of the serial line is read there, where neighbours make long runs
   of taken bytes that are passed over at once; the rest is read on the lines. */
struct placer {
    const struct problem *problem;
    struct occupancy *occupancy; /* by steps, else on the serial line */
    struct stream_lines *lines;  /* of clocks alone, else NULL */
    struct occupancy *on_lines;  /* of clocks alone, else NULL */
};

static enum status create_lines(struct placer *placer, struct error *error)
{
    TRY(stream_lines_create(placer->problem, &placer->lines, error));
    TRY(occupancy_create(&placer->lines->serial, &placer->occupancy, error));
    return occupancy_create_for_ranges(&placer->lines->line, 2 * placer->lines->lines,
                                       &placer->on_lines, error);
}

enum status placer_create(const struct problem *problem, struct placer **created,
                          struct error *error)
{
    struct placer *placer;
    TRY(memory_create(&placer, 1, sizeof *placer, error));
    placer->problem = problem;
    enum status status = problem_is_by_clocks(problem)
                             ? create_lines(placer, error)
                             : occupancy_create(problem, &placer->occupancy, error);
    if (status)
        placer_free(placer);
    else
        *created = placer;
    return status;
}

void placer_free(struct placer *placer)
{
    if (!placer)
        return;
    occupancy_free(placer->occupancy);
    occupancy_free(placer->on_lines);
    stream_lines_free(placer->lines);
    memory_free(placer);
}

static enum status place_buffer(struct placer *placer, const struct fit *fit, uint32_t b,
                                uint64_t *offset, struct error *error)
{
    const struct problem *problem = placer->problem;
    struct gap_walk walk;
    uint32_t ranges;
    occupancy_walk(placer->occupancy, b, &walk);
    const struct live_range *range = stream_lines_find_rest(placer->lines, b, &ranges);
    occupancy_walk_ranges(placer->on_lines, b, range, ranges, &walk);
    if (!fit_choose(fit, &walk, offset))
        return error_set(error, STATUS_BAD_INPUT, "no place below 2^64 bytes for buffer '%s'",
                         names_get(&problem->names, b));
    uint64_t end = *offset + problem->size[b];
    TRY(occupancy_take(placer->occupancy, b, *offset, end, error));
    return occupancy_take(placer->on_lines, b, *offset, end, error);
}

static enum status place_on_lines(struct placer *placer, const struct occupancy_rule *rule,
                                  uint64_t *offset, uint64_t *peak_bytes, struct error *error)
{
    const struct problem *problem = placer->problem;
    uint64_t peak = problem_fixed_end(problem);
    *peak_bytes = UINT64_MAX;
    TRY(occupancy_begin(placer->on_lines, offset, error));
    TRY(occupancy_begin(placer->occupancy, offset, error));
    for (uint32_t i = 0; i < problem->buffers && peak <= rule->most_bytes; i++) {
        uint32_t b = rule->sorted[i];
        if (occupancy_time_is_up(rule, i))
            return STATUS_OK;
        if (offset[b] != PROBLEM_FREE)
            continue;
        TRY(place_buffer(placer, rule->fit, b, &offset[b], error));
        peak = offset[b] + problem->size[b] > peak ? offset[b] + problem->size[b] : peak;
    }
    if (peak <= rule->most_bytes)
        *peak_bytes = peak;
    return STATUS_OK;
}

enum status placer_place_all(struct placer *placer, const struct occupancy_rule *rule,
                             uint64_t *offset, uint64_t *peak_bytes, struct error *error)
{
    return placer->lines ? place_on_lines(placer, rule, offset, peak_bytes, error)
                         : occupancy_place_all(placer->occupancy, rule, offset, peak_bytes, error);
}
