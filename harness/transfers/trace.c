#include "harness/transfers/trace.h"

#include <inttypes.h>

#include "datasets/json/text.h"

enum { LANE_PROCESSOR = 1, LANE_CHANNEL = 2, NS_PER_US = 1000 };

enum status transfer_trace_write(const struct graph *graph,
                                 const struct transfer_timeline *timeline, struct text *text,
                                 struct error *error)
{
    static const char lane[] = "{\"ph\": \"M\", \"pid\": 1, \"tid\": %d, \"name\": "
                               "\"thread_name\", \"args\": {\"name\": \"%s\"}}";
    text_append(text, "{\"displayTimeUnit\": \"ns\", \"traceEvents\": [\n");
    text_append(text, lane, LANE_PROCESSOR, "compute");
    text_append(text, ",\n");
    text_append(text, lane, LANE_CHANNEL, "transfer");
    for (uint32_t i = 0; i < timeline->count; i++) {
        const struct timeline_event *event = &timeline->event[i];
        const struct transfer_instruction *instruction = &event->instruction;
        bool start = instruction->action == TRANSFER_START;
        uint64_t duration_ns = event->end_ns - event->begin_ns;
        text_append(text, ",\n{\"ph\": \"X\", \"pid\": 1, \"tid\": %d, \"name\": ",
                    start ? LANE_CHANNEL : LANE_PROCESSOR);
        json_text_string(text, graph_label(graph, graph->op[instruction->op].name));
        text_append(text,
                    ", \"cat\": \"%s\", \"ts\": %" PRIu64 ".%03u, \"dur\": %" PRIu64
                    ".%03u, \"args\": {\"buffer\": %" PRIu32 ", \"region\": %" PRIu32 "}}",
                    start ? "transfer" : transfer_action_name(instruction->action),
                    event->begin_ns / NS_PER_US, (unsigned)(event->begin_ns % NS_PER_US),
                    duration_ns / NS_PER_US, (unsigned)(duration_ns % NS_PER_US),
                    instruction->buffer, event->region);
    }
    text_append(text, "\n]}\n");
    return text_check(text, error);
}
