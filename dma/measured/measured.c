#include "dma/measured/measured.h"

#include <stdlib.h>
#include <string.h>

#include "core/clock.h"
#include "core/compare.h"
#include "core/memory.h"
#include "dma/measured/arithmetic.h"
#include "dma/measured/channel.h"
#include "dma/timing/timeline.h"

enum { RUNS = 11, LINE_BYTES = 64, TAG_BYTES = sizeof(float) };
#define MOST_COMPUTE_NS 2e9
#define MOST_PATH_NS 5000000000u

static double sum(const uint64_t *cost_ns, uint32_t operators)
{
    double total_ns = 0;
    for (uint32_t o = 0; o < operators; o++)
        total_ns += (double)cost_ns[o];
    return total_ns;
}

enum status measured_model_create(const struct transfer_regions *regions,
                                  const struct transfer_costs *chip, struct measured_model *model,
                                  struct error *error)
{
    uint32_t operators = regions->graph->operators;
    const struct calibration *here = &model->calibration;
    struct transfer_costs *costs = &model->costs;
    uint64_t largest_bytes = 0;
    TRY(memory_create_all(operators, error, &model->rounds, &costs->compute_ns,
                          &costs->transfer_ns));
    for (uint32_t o = 0; o < operators; o++)
        if (regions->weight_bytes[o] > largest_bytes)
            largest_bytes = regions->weight_bytes[o];
    TRY(calibration_measure(largest_bytes, &model->calibration, error));
    model->hardware.dma_bytes_per_second = here->copy_bytes_per_second;
    model->hardware.dma_start_ns = here->copy_start_ns;
    model->hardware.contention = (uint64_t)(here->contention * HARDWARE_PARTS);
    costs->hardware = &model->hardware;
    for (uint32_t o = 0; o < operators; o++) {
        uint64_t bytes = regions->weight_bytes[o];
        double ns = bytes ? calibration_copy_ns(here, bytes) : 0;
        if (ns > (double)MOST_PATH_NS)
            return error_set(error, STATUS_LIMIT, "%llu bytes of weights are too many to copy",
                             (unsigned long long)bytes);
        costs->transfer_ns[o] = (uint64_t)(ns + 0.5);
    }

    /* How long computing takes here for each ns on the chip: as much as copies take here for each
       ns of transfers there. A graph without transfers gives no such ratio and is computed at the
       chip's speed. The scale is lowered where computing would take too long to be run. */
    double compute_ns = sum(chip->compute_ns, operators);
    double chip_ns = sum(chip->transfer_ns, operators);
    model->scale = chip_ns > 0 ? sum(costs->transfer_ns, operators) / chip_ns : 1;
    if (compute_ns * model->scale > MOST_COMPUTE_NS)
        model->scale = MOST_COMPUTE_NS / compute_ns;
    for (uint32_t o = 0; o < operators; o++) {
        double rounds = (double)chip->compute_ns[o] * model->scale / here->round_ns + 0.5;
        double fetch_ns = regions->weight_bytes[o] ? here->fetch_ns : 0;
        model->rounds[o] = (uint64_t)rounds;
        costs->compute_ns[o] =
            (uint64_t)((double)model->rounds[o] * here->round_ns + fetch_ns + 0.5);
    }
    return STATUS_OK;
}

void measured_model_clear(struct measured_model *model)
{
    memory_free_all(model->rounds, model->costs.compute_ns, model->costs.transfer_ns);
    *model = (struct measured_model){0};
}

struct runner {
    const struct transfer_program *program;
    const struct measured_model *model;
    struct transfer_timeline timeline;
    struct channel *channel;
    unsigned char *weights, *cold;
    size_t *first;          /* [operators] where its weights begin in `weights` */
    unsigned char **buffer; /* [buffers] */
    uint64_t *transfer; /* [operators] the number of the transfer that carried its weights last */
    struct error *error;
};

/* The weights of an operator are filled with a tag that tells it from others; a rest that is too
   short for a tag stays zero. */
static float find_tag(uint32_t op)
{
    return 1 + (float)(op % 4096) / 4096;
}

static bool has_weights(const unsigned char *from, size_t bytes, uint32_t op)
{
    float tag = find_tag(op);
    size_t last = bytes - bytes % TAG_BYTES;
    return bytes < TAG_BYTES || (memcmp(from, &tag, TAG_BYTES) == 0 &&
                                 memcmp(from + last - TAG_BYTES, &tag, TAG_BYTES) == 0);
}

static enum status lay_weights(struct runner *runner)
{
    const struct transfer_regions *regions = runner->program->regions;
    uint32_t operators = regions->graph->operators;
    size_t total = 0;
    TRY(memory_create_all(operators, runner->error, &runner->first, &runner->transfer));
    for (uint32_t o = 0; o < operators; o++) {
        uint64_t lines = regions->weight_bytes[o] / LINE_BYTES + (regions->weight_bytes[o] > 0);
        runner->first[o] = total;
        if (lines > (SIZE_MAX / 2 - total) / LINE_BYTES)
            return error_no_memory(runner->error);
        total += lines * LINE_BYTES;
    }
    TRY(memory_create(&runner->weights, total, 1, runner->error));
    for (uint32_t o = 0; o < operators; o++) {
        float tag = find_tag(o);
        for (size_t i = 0; i + TAG_BYTES <= regions->weight_bytes[o]; i += TAG_BYTES)
            memcpy(runner->weights + runner->first[o] + i, &tag, TAG_BYTES);
    }
    return STATUS_OK;
}

/* Every byte of the buffers is written once, so that the operating system maps their pages before
   anything is measured. */
static enum status allocate_buffers(struct runner *runner)
{
    const struct transfer_program *program = runner->program;
    TRY(memory_create(&runner->buffer, program->buffers, sizeof *runner->buffer, runner->error));
    for (uint32_t b = 0; b < program->buffers; b++) {
        TRY(memory_create(&runner->buffer[b], program->buffer_bytes[b], 1, runner->error));
        memset(runner->buffer[b], 1, program->buffer_bytes[b]);
    }
    TRY(memory_create(&runner->cold, runner->model->calibration.cold_bytes, 1, runner->error));
    return channel_open(&runner->channel, runner->error);
}

static void free_runner(struct runner *runner)
{
    channel_close(runner->channel);
    for (uint32_t b = 0; runner->buffer && b < runner->program->buffers; b++)
        memory_free(runner->buffer[b]);
    memory_free_all(runner->buffer, runner->weights, runner->cold, runner->first, runner->transfer);
    transfer_timeline_clear(&runner->timeline);
}

static enum status run_instruction(struct runner *runner,
                                   const struct transfer_instruction *instruction)
{
    const struct transfer_regions *regions = runner->program->regions;
    uint32_t o = instruction->op;
    uint64_t bytes = regions->weight_bytes[o];
    unsigned char *buffer = runner->buffer[instruction->buffer];
    switch (instruction->action) {
    case TRANSFER_START:
        runner->transfer[o] =
            channel_start(runner->channel, buffer, runner->weights + runner->first[o], bytes);
        return STATUS_OK;
    case TRANSFER_WAIT:
    case TRANSFER_KEEP:
        channel_wait(runner->channel, runner->transfer[o]);
        return STATUS_OK;
    case TRANSFER_COMPUTE:
        if (bytes && !has_weights(buffer, bytes, o))
            return error_set(runner->error, STATUS_INTERNAL,
                             "operator '%s' found weights in alloc%u that are not its own",
                             graph_label(regions->graph, regions->graph->op[o].name),
                             instruction->buffer);
        arithmetic_run(buffer, bytes, runner->model->rounds[o]);
        return STATUS_OK;
    case TRANSFER_DROP:
        return STATUS_OK;
    default:
        return error_set(runner->error, STATUS_USAGE,
                         "a program that cancels transfers, expected one that can be run");
    }
}

/* Empties the caches of weights, then brings the buffers back into the cache of the channel's
   thread as far as they fit, since they stand for memory on the chip; then runs the program. */
static enum status run_once(struct runner *runner, uint64_t *took_ns)
{
    const struct transfer_program *program = runner->program;
    size_t cold_bytes = runner->model->calibration.cold_bytes;
    calibration_cool(runner->cold, cold_bytes);
    for (uint32_t b = 0; b < program->buffers; b++) {
        size_t bytes =
            program->buffer_bytes[b] < cold_bytes ? (size_t)program->buffer_bytes[b] : cold_bytes;
        channel_wait(runner->channel,
                     channel_start(runner->channel, runner->buffer[b], runner->cold, bytes));
    }
    uint64_t began_ns = clock_monotonic_ns();
    for (uint32_t i = 0; i < runner->timeline.count; i++)
        TRY(run_instruction(runner, &runner->timeline.event[i].instruction));
    *took_ns = clock_monotonic_ns() - began_ns;
    return STATUS_OK;
}

enum status measured_run(const struct transfer_program *program, const struct measured_model *model,
                         const uint32_t *chosen, struct measured_times *times, struct error *error)
{
    SCOPED(free_runner)
    struct runner runner = {.program = program, .model = model, .error = error};
    struct transfer_timeline *timeline = &runner.timeline;
    uint64_t sample_ns[RUNS];
    TRY(transfer_timeline_fill(program, &model->costs, chosen, timeline, error));
    if (timeline->total_ns > MOST_PATH_NS)
        return error_set(error, STATUS_LIMIT,
                         "the path would take %.1f s on this machine, expected at most %.1f",
                         (double)timeline->total_ns / 1e9, (double)MOST_PATH_NS / 1e9);
    TRY(lay_weights(&runner));
    TRY(allocate_buffers(&runner));

    /* The first run only warms up and is not counted. */
    TRY(run_once(&runner, &sample_ns[0]));
    for (int i = 0; i < RUNS; i++)
        TRY(run_once(&runner, &sample_ns[i]));
    qsort(sample_ns, RUNS, sizeof *sample_ns, compare_number_items);
    *times = (struct measured_times){.modelled_ns = timeline->total_ns,
                                     .median_ns = sample_ns[RUNS / 2],
                                     .least_ns = sample_ns[0],
                                     .most_ns = sample_ns[RUNS - 1],
                                     .runs = RUNS};
    return STATUS_OK;
}
