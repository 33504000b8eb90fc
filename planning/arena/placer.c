#include "planning/arena/placer.h"

#include <assert.h>

#include "core/memory.h"
#include "planning/arena/stream_lines.h"

/* For a problem of clocks alone, the taken bytes are kept twice: on the lines and on the serial
   line. Buffers that have a common step on the serial line are found there, since neighbours make
   long runs of taken bytes on it, which are passed over at once. All other conflicts are found on
   the lines. */
struct placer {
    struct occupancy *occupancy; /* by steps, else on the serial line */
    struct stream_lines *lines;  /* of clocks alone, else NULL */
    struct occupancy *on_lines;  /* of clocks alone, else NULL */
};

enum status placer_create(const struct problem *problem, struct placer **created,
                          struct error *error)
{
    SCOPED(placer_release) struct placer *made = NULL;
    TRY(memory_create(&made, 1, sizeof *made, error));
    if (problem_is_by_clocks(problem)) {
        TRY(stream_lines_create(problem, &made->lines, error));
        TRY(occupancy_create(&made->lines->serial, &made->occupancy, error));
        TRY(occupancy_create_for_ranges(&made->lines->line, 2 * made->lines->lines, &made->on_lines,
                                        error));
        occupancy_join_lines(made->occupancy, made->lines, made->on_lines);
    } else
        TRY(occupancy_create(problem, &made->occupancy, error));
    assert(!made->lines == !made->on_lines);
    HAND_OVER(made, created);
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

enum status placer_place_all(struct placer *placer, const struct occupancy_rule *rule,
                             uint64_t *offset, uint64_t *peak_bytes, struct error *error)
{
    assert(rule->fit && rule->sorted);
    return occupancy_place_all(placer->occupancy, rule, offset, peak_bytes, error);
}
