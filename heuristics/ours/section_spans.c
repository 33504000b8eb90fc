#include "heuristics/ours/section_spans.h"

#include <assert.h>

#include "planning/problem/timeline.h"

enum status section_spans_create(const struct problem *problem, struct section_spans *spans,
                                 struct scratch *scratch, struct error *error)
{
    SCOPED(timeline_free) struct timeline timeline = {0};
    uint32_t segments = problem->segments, started = 0;
    *spans = (struct section_spans){.sections = 0};
    TRY(scratch_take_all(scratch, segments, error, &spans->run, &spans->starting, &spans->buffer));
    TRY(timeline_create(problem, &timeline, error));

    /* In one sweep over the steps, the set of live segments is maximal, and so a section, exactly
       when some segment has started since the last one ended and one ends now. */
    for (uint32_t ended = 0; ended < segments; ended++) {
        uint32_t ending = timeline.by_upper[ended], before = started;
        for (; started < segments &&
               problem->lower[timeline.by_lower[started]] < problem->upper[ending];
             started++) {
            spans->run[timeline.by_lower[started]].first = spans->sections;
            spans->pairs += started - ended;
        }
        uint32_t live = started - ended;
        if (started > before) {
            spans->sections++;
            spans->members += live;
            spans->most_live = live > spans->most_live ? live : spans->most_live;
        }
        spans->run[ending].end = spans->sections;
        assert(spans->run[ending].first < spans->run[ending].end);
    }
    for (uint32_t s = 0; s < segments; s++) {
        spans->starting[s] = timeline.by_lower[s];
        spans->buffer[s] = timeline.buffer[s];
    }
    return STATUS_OK;
}
