#include "dma/timing/timeline.h"

#include <assert.h>

#include "core/memory.h"
#include "dma/program/paths.h"

enum { MOST_REGIONS = 1 << 20, MOST_EVENTS = 1 << 22 };
#define MOST_NS (UINT64_MAX / 4)

struct recorder {
    const struct transfer_program *program;
    struct transfer_clock clock;
    struct transfer_timeline *timeline;
    uint32_t *started; /* [operators] the event in which its transfer was last started */
};

/* Corrects the event of a start once the transfer has been waited for or cancelled: it may have run
   earlier than planned because transfers in front of it were cancelled, and it ends when it is
   cancelled. */
static void settle(struct timeline_event *event, const struct transfer_clock *clock,
                   uint64_t now_ns)
{
    uint32_t o = event->instruction.op;
    uint64_t end_ns = clock->arrival_ns[o], begin_ns = end_ns - clock->costs->transfer_ns[o];
    assert(event->instruction.action == TRANSFER_START && begin_ns <= end_ns);
    event->end_ns = end_ns < now_ns ? end_ns : now_ns;
    event->begin_ns = begin_ns < now_ns ? begin_ns : now_ns;
}

static enum status record_region(void *context, uint32_t region, struct error *error)
{
    struct recorder *recorder = context;
    struct transfer_timeline *timeline = recorder->timeline;
    struct transfer_clock *clock = &recorder->clock;
    const struct transfer_program *program = recorder->program;
    transfer_clock_enter(clock);
    for (uint32_t i = program->first[region]; i < program->first[region + 1]; i++) {
        const struct transfer_instruction *instruction = &program->instruction[i];
        uint32_t o = instruction->op;
        if (timeline->count == MOST_EVENTS || clock->now_ns > MOST_NS)
            return error_set(error, STATUS_LIMIT, "a timeline of more than %d events", MOST_EVENTS);
        TRY(memory_reserve(&timeline->event, &timeline->capacity, (size_t)timeline->count + 1,
                           sizeof *timeline->event, error));
        struct transfer_interval interval = transfer_clock_run(clock, instruction);
        if (instruction->action == TRANSFER_START)
            recorder->started[o] = timeline->count;
        if (instruction->action == TRANSFER_WAIT || instruction->action == TRANSFER_KEEP ||
            instruction->action == TRANSFER_CANCEL)
            settle(&timeline->event[recorder->started[o]], clock, interval.end_ns);
        timeline->event[timeline->count++] =
            (struct timeline_event){*instruction, region, interval.begin_ns, interval.end_ns};
    }
    return STATUS_OK;
}

static void clear_recorder(struct recorder *recorder)
{
    transfer_clock_clear(&recorder->clock);
    memory_free(recorder->started);
}

enum status transfer_timeline_fill(const struct transfer_program *program,
                                   const struct transfer_costs *costs, const uint32_t *chosen,
                                   struct transfer_timeline *timeline, struct error *error)
{
    SCOPED(clear_recorder) struct recorder recorder = {.program = program, .timeline = timeline};
    uint32_t operators = program->regions->graph->operators;
    TRY(transfer_clock_create(costs, operators, &recorder.clock, error));
    TRY(memory_create(&recorder.started, operators, sizeof *recorder.started, error));
    const struct transfer_visitor visitor = {record_region, &recorder, MOST_REGIONS};
    TRY(transfer_paths_follow(program->regions, chosen, &visitor, error));
    timeline->total_ns = recorder.clock.now_ns;
    return STATUS_OK;
}

void transfer_timeline_clear(struct transfer_timeline *timeline)
{
    memory_free(timeline->event);
    *timeline = (struct transfer_timeline){0};
}
