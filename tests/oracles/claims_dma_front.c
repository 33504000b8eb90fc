/* Graphs for dma_front.py: the front of mode planned, planned by exact. */
#include <inttypes.h>
#include <string.h>

#include "dma/planned/front.h"
#include "dma/run.h"
#include "harness/job/run.h"
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

/* Plans in this process: harness/transfers/planned.h starts one for each plan, which takes longer
   than all the rest. */
static enum status place(void *context, const struct problem *problem, struct plan *plan,
                         struct error *error)
{
    const struct graph_case *read = context;
    const struct instance instance = {.name = "case", .problem = (struct problem *)problem};
    static struct outcome outcome;
    struct job job = read->job;
    job.instance = &instance;
    job.policy = NULL;
    TRY(job_run(&job, &outcome, error));
    plan->status = outcome.status;
    plan->measures.peak_bytes = outcome.measures.peak_bytes;
    memcpy(plan->offset, outcome.plan->offset, plan->buffers * sizeof *plan->offset);
    outcome_clear(&outcome);
    return STATUS_OK;
}

static enum status answer_run(const struct graph_case *read, const struct transfer_setting *setting,
                              FILE *out, struct error *error)
{
    struct transfer_run run = {0};
    struct planned_front *front = NULL;
    enum status status = transfer_run_begin(read->instance->graph, setting, &run, error);
    if (!status) {
        const struct planned_task task = {.regions = run.regions,
                                          .costs = run.costs,
                                          .alignment_bytes = 1,
                                          .time_limit_ns = UINT64_MAX,
                                          .capacity_bytes = UINT64_MAX,
                                          .most_points = 400,
                                          .place = place,
                                          .context = (void *)read};
        status = planned_front_create(&task, &front, error);
    }
    if (!status)
        write_front(front, out);
    planned_front_free(front);
    transfer_run_clear(&run);
    return status;
}

enum status graph_case_answer(const struct graph_case *read, FILE *out, struct error *error)
{
    const struct json_reader reader = {.document = read->document, .error = error};
    struct hardware hardware = {.name = "chip"};
    struct transfer_setting setting = {.hardware = &hardware};
    TRY(read_hardware(&reader, &hardware));
    TRY(transfer_modes_find("planned", &setting.mode, error));
    return answer_run(read, &setting, out, error);
}
