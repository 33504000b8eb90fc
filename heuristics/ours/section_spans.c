#include "heuristics/ours/section_spans.h"

#include <assert.h>

#include "planning/problem/timeline.h"

static void add_section(struct section_spans *spans, uint32_t live)
{
    spans->sections++;
    spans->members += live;
    if (live > spans->most_live)
        spans->most_live = live;
}

/* Finds the sections in one sweep over the steps. The set of live segments is maximal, and so a
   section, exactly when some segment has started since the last one ended and one ends now. */
static void sweep_steps(const struct problem *problem, const struct timeline *timeline,
                        struct section_spans *spans)
{
    uint32_t started = 0;
    bool grown = false;
    for (uint32_t ended = 0; ended < problem->segments; ended++) {
        uint32_t ending = timeline->by_upper[ended];
        for (; started < problem->segments &&
               problem->lower[timeline->by_lower[started]] < problem->upper[ending];
             started++) {
            spans->run[timeline->by_lower[started]].first = spans->sections;
            spans->pairs += started - ended;
            grown = true;
        }
        if (grown)
            add_section(spans, started - ended);
        grown = false;
        spans->run[ending].end = spans->sections;
        assert(spans->run[ending].first < spans->run[ending].end);
    }
}

enum status section_spans_create(const struct problem *problem, struct section_spans *spans,
                                 struct scratch *scratch, struct error *error)
{
    struct timeline timeline;
    uint32_t segments = problem->segments;
    *spans = (struct section_spans){.sections = 0};
    TRY(scratch_take(scratch, &spans->run, segments, sizeof *spans->run, error));
    TRY(scratch_take(scratch, &spans->starting, segments, sizeof *spans->starting, error));
    TRY(scratch_take(scratch, &spans->buffer, segments, sizeof *spans->buffer, error));
    TRY(timeline_create(problem, &timeline, error));
    sweep_steps(problem, &timeline, spans);
    for (uint32_t s = 0; s < segments; s++) {
        spans->starting[s] = timeline.by_lower[s];
        spans->buffer[s] = timeline.buffer[s];
    }
    timeline_free(&timeline);
    return STATUS_OK;
}
