#include "dma/program/check.h"

#include <stdio.h>
#include <string.h>

#include "core/memory.h"
#include "dma/modes/modes.h"
#include "random_transfers.h"
#include "support/fail_each.h"
#include "support/must.h"
#include "weighted_graph.h"

/* Two operators, op0 of 4 bytes and op1 of 6, and two buffers. A list of instructions is text: "s00
   w00 c00" starts, waits for and computes op0 in buffer 0; x cancels, k keeps, d drops. */
struct bench {
    struct graph *graph;
    struct transfer_regions *regions;
    struct transfer_program *program;
};

static void set_up(struct bench *bench)
{
    static const struct weighted weights[] = {{"int8", 4}, {"int8", 6}};
    bench->graph = weighted_graph(weights, 2);
    must(transfer_regions_create(bench->graph, &bench->regions, &error));
    must(transfer_program_create(bench->regions, 2, &bench->program, &error));
}

static void tear_down(struct bench *bench)
{
    transfer_program_free(bench->program);
    transfer_regions_free(bench->regions);
    graph_free(bench->graph);
}

static void write_list(struct bench *bench, const char *list)
{
    static const char letters[] = {
        [TRANSFER_START] = 's',  [TRANSFER_WAIT] = 'w', [TRANSFER_COMPUTE] = 'c',
        [TRANSFER_CANCEL] = 'x', [TRANSFER_KEEP] = 'k', [TRANSFER_DROP] = 'd'};
    for (const char *at = list; *at; at += at[3] ? 4 : 3) {
        uint32_t action = 0;
        while (letters[action] != *at)
            action++;
        must(transfer_program_add(bench->program, (enum transfer_action)action,
                                  (uint32_t)(at[1] - '0'), (uint32_t)(at[2] - '0'), &error));
    }
    transfer_program_end_region(bench->program);
}

static void test_lists(void)
{
    static const struct {
        const char *list, *fault;
    } lists[] = {
        {"s00 w00 c00 s10 w10 c10", NULL},
        {"s00 w00 s11 c00 w11 c11", NULL},
        {"s00 s11 w11 w00 c00 c11", NULL},
        {"s00 x00 s00 w00 c00 s10 w10 c10", NULL},
        {"s00 s11 x00 s00 w00 c00 w11 c11", NULL},
        {"s00 k00 c00 d00 s10 w10 c10", NULL},
        {"s00 s11 k11 k00 c00 c11 d11 d00", NULL},
        {"w00 c00 s10 w10 c10", "wait op0 in alloc0: no such transfer is under way"},
        {"s00 c00 s10 w10 c10", "compute op0 in alloc0: its weights have not arrived"},
        {"s00 w00 c01 s10 w10 c10", "compute op0 in alloc1: its weights are not there"},
        {"c00 s10 w10 c10", "compute op0 in alloc0: its weights are not there"},
        {"s00 s10 w00 c00 w10 c10", "start op1 in alloc0: another transfer is under way to it"},
        {"s00 w00 s10 c00 w10 c10",
         "start op1 in alloc0: it would overwrite weights that are still needed"},
        {"s00 w00 c00 s10 c10", "compute op1 in alloc0: its weights have not arrived"},
        {"s00 w00 c00", "op1 is not computed"},
        {"s00 w00 c00 s10 w10", "op1 is not computed"},
        {"s00 w00 c00 c00 s10 w10 c10", "compute op0 in alloc0: it is not its turn"},
        {"s10 w10 c10 s00 w00 c00", "compute op1 in alloc0: it is not its turn"},
        {"s00 w00 c00 s10 w10 c10 s01", "the graph ends while a transfer is under way"},
        {"s00 w00 c00 s10 w10 c10 s01 w01",
         "the weights of op0 arrive in a region that does not compute with them"},
        {"s00 w01 c00 s10 w10 c10", "wait op0 in alloc1: no such transfer is under way"},
        {"s00 x00 w00 c00 s10 w10 c10", "wait op0 in alloc0: no such transfer is under way"},
        {"k00 c00 s10 w10 c10", "keep op0 in alloc0: no such transfer is under way"},
        {"s00 w00 c00 d00 s10 w10 c10", "drop op0 in alloc0: no such weights are kept"},
        {"s00 k00 d00 c00 s10 w10 c10", "compute op0 in alloc0: its weights are not there"},
        {"s00 k00 c00 s10 w10 c10",
         "start op1 in alloc0: it would overwrite weights that are still needed"},
        {"s00 k00 c00 s11 w11 c11", "the graph ends while weights are kept"},
        {"s00 k00 c00 x00 s11 w11 c11", "cancel op0 in alloc0: no such transfer is under way"},
        {"s00 w00 x00 c00 s10 w10 c10", "cancel op0 in alloc0: no such transfer is under way"},
    };
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        SCOPED(tear_down) struct bench bench = {0};
        const char *fault = lists[i].fault;
        set_up(&bench);
        write_list(&bench, lists[i].list);
        error = ERROR_NONE;
        CU_ASSERT_EQUAL(transfer_check(bench.program, &error), fault ? STATUS_NO : STATUS_OK);
        if (strcmp(error.text, fault ? fault : "") != 0)
            printf("\n%s: %s\n", lists[i].list, error.text);
        CU_ASSERT_STRING_EQUAL(error.text, fault ? fault : "");
    }
}

static void test_sizes(void)
{
    SCOPED(tear_down) struct bench bench = {0};
    set_up(&bench);
    write_list(&bench, "s00 w00 c00 s10 w10 c10");
    bench.program->buffer_bytes[0] = 5;
    CU_ASSERT_EQUAL(transfer_check(bench.program, &error), STATUS_NO);
    CU_ASSERT_STRING_EQUAL(error.text, "start op1 in alloc0: the buffer is too small");
    bench.program->instruction[0].buffer = 2;
    CU_ASSERT_EQUAL(transfer_check(bench.program, &error), STATUS_NO);
    CU_ASSERT_STRING_EQUAL(error.text, "start op0 in alloc2: there is no such buffer");
}

/* The program without one of its instructions. */
static void drop(struct transfer_program *program, uint32_t dropped)
{
    program->instructions--;
    memmove(program->instruction + dropped, program->instruction + dropped + 1,
            (program->instructions - dropped) * sizeof *program->instruction);
    for (uint32_t r = 0; r <= program->regions->count; r++)
        program->first[r] -= program->first[r] > dropped;
}

/* Every mode's program is right, on every path of graphs with branches and loops; without any one
   of its instructions it is not. */
static void test_modes(void)
{
    enum { GRAPHS = TESTING_COUNT(500, 40) };
    struct random_state random = random_seed(21);
    const struct random_transfers_kind kind = {18, 3, true, UINT32_MAX, true, true};
    for (uint32_t i = 0; i < GRAPHS; i++) {
        SCOPED(random_transfers_clear) struct random_transfers transfers = {0};
        random_transfers_create(&random, &kind, &transfers);
        const struct transfer_task task = {transfers.regions, transfers.costs, 1 + i % 4};
        for (uint32_t m = 0; m < transfer_modes_count(); m++) {
            SCOPED(transfer_program_release) struct transfer_program *program = NULL;
            uint32_t region = 0;
            must(transfer_modes_build(transfer_modes_at(m), &task, &program, &error));
            must(transfer_check(program, &error));
            if (!program->instructions)
                continue;
            uint32_t dropped = (uint32_t)random_below(&random, program->instructions);
            while (program->first[region + 1] <= dropped)
                region++;
            bool reachable = random_transfers_reach(transfers.regions, region);
            drop(program, dropped);
            CU_ASSERT_EQUAL(transfer_check(program, &error), reachable ? STATUS_NO : STATUS_OK);
        }
    }
}

static enum status check(const void *program, struct error *failure)
{
    return transfer_check(program, failure);
}

static void test_no_memory(void)
{
    SCOPED(tear_down) struct bench bench = {0};
    set_up(&bench);
    write_list(&bench, "s00 w00 s11 c00 w11 c11");
    fail_each(check, bench.program);
}

static const struct test_case cases[] = {
    {"lists that are right, and broken on purpose", test_lists},
    {"buffers that are too small or not there", test_sizes},
    {"every mode, and every mode less an instruction", test_modes},
    {"every allocation may fail", test_no_memory},
};

TESTING_MAIN("dma/machine", cases)
