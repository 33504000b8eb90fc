/* Graphs for dma_front.py: the front of mode planned, planned by exact. */
#include <inttypes.h>

#include "harness/transfers/planned.h"
#include "oracles/claims.h"
#include "oracles/graph_case.h"

static enum status read_hardware(const struct json_reader *reader, struct hardware *hardware)
{
    const struct json_value *object = json_fields_get(reader, reader->document->root, "hardware");
    static const char *const keys[] = {"dma_bytes_per_second", "dma_start_ns",
                                       "dma_start_instruction_ns", "dma_wait_instruction_ns"};
    uint64_t *const costs[] = {&hardware->dma_bytes_per_second, &hardware->dma_start_ns,
                               &hardware->dma_start_instruction_ns,
                               &hardware->dma_wait_instruction_ns};
    double contention = 0;
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        int64_t cost;
        TRY(json_fields_integer(reader, object, keys[i], json_at_least(i == 0), &cost));
        *costs[i] = (uint64_t)cost;
    }
    TRY(json_fields_optional_number(reader, object, "contention", 1, &contention));
    hardware->contention = (uint64_t)(contention * HARDWARE_PARTS);
    return STATUS_OK;
}

static void write_front(const struct planned_front *front, FILE *out)
{
    fprintf(out, "{\"complete\": %s, \"front\": [", front->complete ? "true" : "false");
    for (uint32_t i = 0; i < front->count; i++)
        fprintf(out, "%s{\"ns\": %" PRIu64 ", \"load\": %" PRIu64 ", \"bytes\": %" PRIu64 "}",
                i ? ", " : "", front->point[i].times.expected_ns, front->point[i].load_bytes,
                front->point[i].on_chip_bytes);
    fputs("]}", out);
}

static enum status answer_case(const struct graph_case *read, FILE *out, struct error *error)
{
    const struct json_reader reader = {.document = read->document, .error = error};
    struct hardware hardware = {.name = "chip"};
    struct transfer_request request = {.instance = read->instance,
                                       .setting = {.hardware = &hardware},
                                       .planner = read->job.planner,
                                       .policy = read->job.policy,
                                       .capacity_bytes = UINT64_MAX,
                                       .time_limit_ns = UINT64_MAX,
                                       .seed = 1};
    struct transfer_run run = {0};
    struct planned_front *front = NULL;
    TRY(read_hardware(&reader, &hardware));
    TRY(transfer_modes_find("planned", &request.setting.mode, error));
    enum status status = transfer_planned_search(&request, &run, &front, error);
    if (!status)
        write_front(front, out);
    planned_front_free(front);
    transfer_run_clear(&run);
    return status;
}

enum status claims_answer(const char *text, size_t length, FILE *out, struct error *error)
{
    struct graph_case read;
    enum status status = graph_case_read(text, length, &read, error);
    if (!status)
        status = answer_case(&read, out, error);
    graph_case_free(&read);
    return status;
}
