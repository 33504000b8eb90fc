#include "dma/transfer_timeline.h"

#include "core/memory.h"
#include "dma/transfer_paths.h"

enum { MOST_REGIONS = 1 << 20, MOST_EVENTS = 1 << 22 };
#define MOST_NS (UINT64_MAX / 4)

struct recorder {
    const struct transfer_program *program;
    struct transfer_clock clock;
    struct transfer_timeline *timeline;
    uint32_t *started; /* [operators] event of the last start */
};

static enum status record(struct recorder *recorder, uint32_t region,
                          const struct transfer_instruction *instruction, struct error *error)
{
    struct transfer_timeline *timeline = recorder->timeline;
    if (timeline->count == MOST_EVENTS || recorder->clock.now_ns > MOST_NS)
        return error_set(error, STATUS_LIMIT, "a timeline of more than %d events", MOST_EVENTS);
    TRY(memory_reserve(&timeline->event, &timeline->capacity, (size_t)timeline->count + 1,
                       sizeof *timeline->event, error));
    struct transfer_moment moment = transfer_clock_run(&recorder->clock, instruction);
    if (instruction->action == TRANSFER_START)
        recorder->started[instruction->operator] = timeline->count;
    if (instruction->action == TRANSFER_CANCEL) {
        struct timeline_event *cancelled =
            &timeline->event[recorder->started[instruction->operator]];
        if (cancelled->end_ns > moment.end_ns)
            cancelled->end_ns = moment.end_ns;
    }
    timeline->event[timeline->count++] =
        (struct timeline_event){*instruction, region, moment.begin_ns, moment.end_ns};
    return STATUS_OK;
}

static enum status record_region(void *context, uint32_t region, struct error *error)
{
    struct recorder *recorder = context;
    const struct transfer_program *program = recorder->program;
    transfer_clock_enter(&recorder->clock);
    for (uint32_t i = program->first[region]; i < program->first[region + 1]; i++)
        TRY(record(recorder, region, &program->instruction[i], error));
    return STATUS_OK;
}

enum status transfer_timeline_fill(const struct transfer_program *program,
                                   const struct transfer_costs *costs, const uint32_t *chosen,
                                   struct transfer_timeline *timeline, struct error *error)
{
    struct recorder recorder = {.program = program, .clock.costs = costs, .timeline = timeline};
    uint32_t operators = program->regions->graph->operators;
    enum status status;
    TRY_OR_DONE(status, memory_create(&recorder.clock.arrival_ns, operators,
                                      sizeof *recorder.clock.arrival_ns, error));
    TRY_OR_DONE(status,
                memory_create(&recorder.started, operators, sizeof *recorder.started, error));
    TRY_OR_DONE(status, transfer_paths_follow(program->regions, chosen, MOST_REGIONS, record_region,
                                              &recorder, error));
    timeline->total_ns = recorder.clock.now_ns;
done:
    memory_free(recorder.clock.arrival_ns);
    memory_free(recorder.started);
    return status;
}

void transfer_timeline_clear(struct transfer_timeline *timeline)
{
    memory_free(timeline->event);
    *timeline = (struct transfer_timeline){0};
}
