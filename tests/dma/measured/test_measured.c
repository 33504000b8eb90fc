#include "dma/measured/measured.h"

#include <string.h>

#include "core/memory.h"
#include "dma/measured/channel.h"
#include "dma/program/check.h"
#include "random_transfers.h"
#include "support/fail_each.h"
#include "support/must.h"

/* More transfers than may wait, each of what the one before it has brought. */
static void test_channel(void)
{
    enum { TRANSFERS = 5000 };
    static unsigned char bytes[TRANSFERS + 1] = {42};
    struct channel *channel;
    must(channel_open(&channel, &error));
    for (uint64_t i = 0; i < TRANSFERS; i++)
        CU_ASSERT_EQUAL(channel_start(channel, &bytes[i + 1], &bytes[i], 1), i);
    channel_wait(channel, TRANSFERS - 1);
    CU_ASSERT_EQUAL(bytes[TRANSFERS], 42);
    bytes[0] = 7;
    for (uint64_t i = 0; i < 100; i++)
        channel_start(channel, &bytes[i + 1], &bytes[i], 1);
    channel_close(channel);
    CU_ASSERT_EQUAL(bytes[100], 7);
    channel_close(NULL);
}

/* Random weights, and a machine on which everything takes a nanosecond and whose caches are small,
   so that nothing here depends on how long this one takes. */
struct bench {
    struct random_transfers transfers;
    struct measured_model model;
};

static void clear_bench(struct bench *bench)
{
    measured_model_clear(&bench->model);
    random_transfers_clear(&bench->transfers);
}

static void make_bench(uint64_t seed, uint32_t operators, uint32_t most_weighted,
                       struct bench *bench)
{
    const struct random_transfers_kind kind = {
        .operators = operators, .most_weighted = most_weighted, .start_costs = true};
    struct random_state random = random_seed(seed);
    struct measured_model *model = &bench->model;
    random_transfers_create(&random, &kind, &bench->transfers);
    operators = bench->transfers.graph->operators;
    *model = (struct measured_model){.calibration = {.round_ns = 1, .cold_bytes = 4096},
                                     .scale = 1,
                                     .costs.hardware = &model->hardware};
    must(memory_create(&model->rounds, operators, sizeof *model->rounds, &error));
    must(memory_create(&model->costs.compute_ns, operators, sizeof(uint64_t), &error));
    must(memory_create(&model->costs.transfer_ns, operators, sizeof(uint64_t), &error));
    for (uint32_t o = 0; o < operators; o++)
        model->rounds[o] = model->costs.compute_ns[o] = model->costs.transfer_ns[o] = 1;
}

/* Runs the program of a mode. */
static void run_mode(const struct bench *bench, const char *mode)
{
    struct measured_times times;
    SCOPED(transfer_program_release)
    struct transfer_program *program = random_transfers_program(&bench->transfers, mode, 3);
    must(measured_run(program, &bench->model, NULL, &times, &error));
    CU_ASSERT_TRUE(times.runs > 0 && times.least_ns > 0);
    CU_ASSERT_TRUE(times.least_ns <= times.median_ns && times.median_ns <= times.most_ns);
}

static void test_modes(void)
{
    static const char *const modes[] = {"sync", "pingpong", "ring", "planned"};
    SCOPED(clear_bench) struct bench bench = {0};
    make_bench(1, 30, UINT32_MAX, &bench);
    for (int i = 0; i < 4; i++)
        run_mode(&bench, modes[i]);
}

/* Computing is as much longer than on the chip as all transfers together are, in whole rounds. */
static void test_model(void)
{
    const struct random_transfers_kind kind = {30, 0, false, UINT32_MAX, true, false};
    struct random_state random = random_seed(1);
    SCOPED(clear_bench) struct bench bench = {0};
    struct random_transfers *transfers = &bench.transfers;
    double chip_ns = 0, here_ns = 0;
    random_transfers_create(&random, &kind, transfers);
    must(measured_model_create(transfers->regions, transfers->costs, &bench.model, &error));
    const struct measured_model *model = &bench.model;
    const struct calibration *calibration = &model->calibration;
    CU_ASSERT_TRUE(model->scale > 0 && calibration->copy_bytes_per_second > 0);
    CU_ASSERT_TRUE(calibration->cold_bytes > 0 && calibration->contention >= 0);
    for (uint32_t o = 0; o < transfers->graph->operators; o++) {
        double rounds_ns = (double)model->rounds[o] * calibration->round_ns;
        double fetch_ns = transfers->regions->weight_bytes[o] ? calibration->fetch_ns : 0;
        chip_ns += (double)transfers->costs->transfer_ns[o];
        here_ns += (double)model->costs.transfer_ns[o];
        CU_ASSERT_DOUBLE_EQUAL((double)model->costs.compute_ns[o], rounds_ns + fetch_ns, 1);
        CU_ASSERT_DOUBLE_EQUAL(rounds_ns, (double)transfers->costs->compute_ns[o] * model->scale,
                               calibration->round_ns);
    }
    CU_ASSERT_DOUBLE_EQUAL(model->scale, here_ns / chip_ns, 1e-9 * model->scale);
}

/* Weights of the operator before are still in the only buffer. */
static void test_wrong_weights(void)
{
    SCOPED(clear_bench) struct bench bench = {0};
    struct measured_times times;
    make_bench(2, 12, UINT32_MAX, &bench);
    struct transfer_regions *regions = bench.transfers.regions;
    CU_ASSERT_FATAL(regions->weighted_count > 2);
    for (uint32_t i = 0; i < regions->weighted_count; i++)
        regions->weight_bytes[regions->weighted_op[i]] = 64;
    SCOPED(transfer_program_release)
    struct transfer_program *program = random_transfers_program(&bench.transfers, "sync", 3);
    for (uint32_t i = 0; i < program->instructions; i++)
        if (program->instruction[i].op == regions->weighted_op[1] &&
            program->instruction[i].action != TRANSFER_COMPUTE)
            program->instruction[i].op = regions->weighted_op[0];
    CU_ASSERT_EQUAL(measured_run(program, &bench.model, NULL, &times, &error), STATUS_INTERNAL);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "found weights in alloc0 that are not its own"));
}

/* A path that is too long, and the same program of one region, but that its first transfer is
   started, cancelled and started again. */
static void test_refused(void)
{
    static const enum transfer_action before[] = {TRANSFER_START, TRANSFER_CANCEL};
    SCOPED(clear_bench) struct bench bench = {0};
    SCOPED(transfer_program_release) struct transfer_program *cancelling = NULL;
    struct measured_times times;
    make_bench(3, 6, UINT32_MAX, &bench);
    SCOPED(transfer_program_release)
    struct transfer_program *program = random_transfers_program(&bench.transfers, "sync", 3);
    bench.model.costs.compute_ns[0] = UINT64_C(3600000000000);
    CU_ASSERT_EQUAL(measured_run(program, &bench.model, NULL, &times, &error), STATUS_LIMIT);
    bench.model.costs.compute_ns[0] = 1;
    uint32_t first = transfer_regions_weighted(program->regions, 0, 0);
    CU_ASSERT_EQUAL_FATAL(program->regions->count, 1);
    must(transfer_program_create(program->regions, program->buffers, &cancelling, &error));
    for (size_t i = 0; i < sizeof before / sizeof *before; i++)
        must(transfer_program_add(cancelling, before[i], first, 0, &error));
    for (uint32_t i = 0; i < program->instructions; i++) {
        const struct transfer_instruction *copied = &program->instruction[i];
        must(transfer_program_add(cancelling, copied->action, copied->op, copied->buffer, &error));
    }
    transfer_program_end_region(cancelling);
    must(transfer_check(cancelling, &error));
    CU_ASSERT_EQUAL(measured_run(cancelling, &bench.model, NULL, &times, &error), STATUS_USAGE);
}

/* Without weights there is nothing to compare computing with. */
static void test_no_weights(void)
{
    SCOPED(clear_bench) struct bench bench = {0};
    SCOPED(measured_model_clear) struct measured_model model = {0};
    make_bench(4, 6, 0, &bench);
    const struct random_transfers *transfers = &bench.transfers;
    must(measured_model_create(transfers->regions, transfers->costs, &model, &error));
    CU_ASSERT_EQUAL(model.scale, 1);
    run_mode(&bench, "pingpong");
}

static enum status calibrate_once(const void *input, struct error *failed)
{
    const struct random_transfers *transfers = input;
    SCOPED(measured_model_clear) struct measured_model model = {0};
    return measured_model_create(transfers->regions, transfers->costs, &model, failed);
}

struct run {
    const struct transfer_program *program;
    const struct measured_model *model;
};

static enum status run_once(const void *input, struct error *failed)
{
    const struct run *run = input;
    struct measured_times times;
    return measured_run(run->program, run->model, NULL, &times, failed);
}

static void test_no_memory(void)
{
    SCOPED(clear_bench) struct bench bench = {0};
    make_bench(5, 4, 2, &bench);
    fail_each(calibrate_once, &bench.transfers);
    SCOPED(transfer_program_release)
    struct transfer_program *program = random_transfers_program(&bench.transfers, "pingpong", 3);
    fail_each(run_once, &(struct run){program, &bench.model});
}

static const struct test_case cases[] = {
    {"transfers come in order", test_channel},
    {"modes run", test_modes},
    {"this machine as a chip", test_model},
    {"weights of another operator are found", test_wrong_weights},
    {"programs that cannot be run", test_refused},
    {"no weights", test_no_weights},
    {"allocations may fail", test_no_memory},
};

TESTING_MAIN("dma/measured", cases)
