#include "dma/measured/measured.h"

#include <string.h>

#include "core/memory.h"
#include "dma/measured/channel.h"
#include "dma/modes/modes.h"
#include "random_transfers.h"
#include "support/testing.h"

static struct error error;

static void must(enum status status)
{
    if (status)
        printf("\n%s\n", error.text);
    CU_ASSERT_EQUAL_FATAL(status, STATUS_OK);
}

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

static void create_program(const struct random_transfers *transfers, const char *name,
                           struct transfer_program **program)
{
    const struct transfer_task task = {transfers->regions, transfers->costs, 3};
    const struct transfer_mode *mode;
    must(transfer_modes_find(name, &mode, &error));
    must(transfer_modes_build(mode, &task, program, &error));
}

static void check_times(const struct measured_times *times)
{
    CU_ASSERT_TRUE(times->runs > 0);
    CU_ASSERT_TRUE(times->least_ns <= times->median_ns && times->median_ns <= times->most_ns);
    CU_ASSERT_TRUE(times->least_ns > 0);
}

static void test_modes(void)
{
    static const char *const modes[] = {"sync", "pingpong", "ring", "planned"};
    struct random_state random = random_seed(1);
    struct random_transfers transfers;
    struct measured_model model = {0};
    const struct random_transfers_kind kind = {30, 0, false, UINT32_MAX, true};
    random_transfers_create(&random, &kind, &transfers);
    must(measured_model_create(transfers.regions, transfers.costs, &model, &error));
    CU_ASSERT_TRUE(model.scale > 0 && model.calibration.copy_bytes_per_second > 0);
    for (int i = 0; i < 4; i++) {
        struct transfer_program *program;
        struct measured_times times;
        create_program(&transfers, modes[i], &program);
        must(measured_run(program, &model, NULL, &times, &error));
        check_times(&times);
        transfer_program_free(program);
    }
    measured_model_clear(&model);
    random_transfers_clear(&transfers);
}

/* Weights of the operator before are still in the only buffer. */
static void test_wrong_weights(void)
{
    struct random_state random = random_seed(2);
    struct random_transfers transfers;
    struct measured_model model = {0};
    struct transfer_program *program;
    struct measured_times times;
    const struct random_transfers_kind kind = {12, 0, false, UINT32_MAX, false};
    random_transfers_create(&random, &kind, &transfers);
    CU_ASSERT_FATAL(transfers.regions->bearers > 2);
    for (uint32_t i = 0; i < transfers.regions->bearers; i++)
        transfers.regions->weight_bytes[transfers.regions->bearer[i]] = 64;
    must(measured_model_create(transfers.regions, transfers.costs, &model, &error));
    create_program(&transfers, "sync", &program);
    uint32_t second = transfers.regions->bearer[1];
    for (uint32_t i = 0; i < program->instructions; i++)
        if (program->instruction[i].op == second &&
            program->instruction[i].action != TRANSFER_COMPUTE)
            program->instruction[i].op = transfers.regions->bearer[0];
    CU_ASSERT_EQUAL(measured_run(program, &model, NULL, &times, &error), STATUS_INTERNAL);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "found weights in alloc0 that are not its own"));
    transfer_program_free(program);
    measured_model_clear(&model);
    random_transfers_clear(&transfers);
}

static void test_refused(void)
{
    struct random_state random = random_seed(3);
    struct random_transfers transfers;
    struct measured_model model = {0};
    struct transfer_program *program;
    struct measured_times times;
    const struct random_transfers_kind kind = {6, 0, false, UINT32_MAX, false};
    random_transfers_create(&random, &kind, &transfers);
    must(measured_model_create(transfers.regions, transfers.costs, &model, &error));
    create_program(&transfers, "sync", &program);
    model.costs.compute_ns[0] = UINT64_C(3600000000000);
    CU_ASSERT_EQUAL(measured_run(program, &model, NULL, &times, &error), STATUS_LIMIT);
    model.costs.compute_ns[0] = 1;
    CU_ASSERT_FATAL(program->instructions > 0);
    program->instruction[0].action = TRANSFER_CANCEL;
    CU_ASSERT_EQUAL(measured_run(program, &model, NULL, &times, &error), STATUS_USAGE);
    transfer_program_free(program);
    measured_model_clear(&model);
    random_transfers_clear(&transfers);
}

/* Without weights there is nothing to compare computing with. */
static void test_no_weights(void)
{
    struct random_state random = random_seed(4);
    struct random_transfers transfers;
    struct measured_model model = {0};
    struct transfer_program *program;
    struct measured_times times;
    const struct random_transfers_kind kind = {6, 0, false, 0, false};
    random_transfers_create(&random, &kind, &transfers);
    must(measured_model_create(transfers.regions, transfers.costs, &model, &error));
    CU_ASSERT_EQUAL(model.scale, 1);
    create_program(&transfers, "pingpong", &program);
    must(measured_run(program, &model, NULL, &times, &error));
    check_times(&times);
    transfer_program_free(program);
    measured_model_clear(&model);
    random_transfers_clear(&transfers);
}

static enum status measure_once(const struct random_transfers *transfers,
                                const struct transfer_program *program, struct error *failed)
{
    struct measured_model model = {0};
    struct measured_times times;
    enum status status =
        measured_model_create(transfers->regions, transfers->costs, &model, failed);
    if (!status)
        status = measured_run(program, &model, NULL, &times, failed);
    measured_model_clear(&model);
    return status;
}

/* Not until none fails any more: each run takes a while. */
static void test_no_memory(void)
{
    struct random_state random = random_seed(5);
    struct random_transfers transfers;
    struct transfer_program *program;
    const struct random_transfers_kind kind = {4, 0, false, 2, false};
    random_transfers_create(&random, &kind, &transfers);
    create_program(&transfers, "pingpong", &program);
    for (uint64_t n = 0; n < 15; n++) {
        uint64_t live = memory_live_blocks();
        memory_fail_after(n);
        CU_ASSERT_EQUAL(measure_once(&transfers, program, &error), STATUS_INTERNAL);
        memory_fail_after(UINT64_MAX);
        CU_ASSERT_EQUAL(memory_live_blocks(), live);
    }
    transfer_program_free(program);
    random_transfers_clear(&transfers);
}

static const struct test_case cases[] = {
    {"transfers come in order", test_channel},
    {"modes run", test_modes},
    {"weights of another operator are found", test_wrong_weights},
    {"programs that cannot be run", test_refused},
    {"no weights", test_no_weights},
    {"allocations may fail", test_no_memory},
};

TESTING_MAIN("dma/measured", cases)
