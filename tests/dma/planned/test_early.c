#include "dma/planned/early.h"

#include <stdio.h>
#include <string.h>

#include "core/memory.h"
#include "dma/planned/keep.h"
#include "dma/planned/schedule_problem.h"
#include "dma/planned/schedule_program.h"
#include "dma/program/check.h"
#include "dma/program/paths.h"
#include "dma/timing/timeline.h"
#include "planning/graph/build.h"
#include "planning/problem/bounds.h"
#include "random_transfers.h"
#include "support/fail_each.h"
#include "support/testing.h"
#include "weighted_graph.h"

enum { MOST_PATHS = 60, MOST_VISITS = 10000 };

static struct error error;

static void must(enum status status)
{
    if (status)
        printf("\n%s\n", error.text);
    CU_ASSERT_EQUAL_FATAL(status, STATUS_OK);
}

static uint32_t *create_sync(const struct schedule_space *space)
{
    const struct transfer_regions *regions = space->regions;
    uint32_t *start;
    must(memory_create(&start, space->places, sizeof *start, &error));
    memcpy(start, regions->weighted_op, regions->weighted_count * sizeof *start);
    return start;
}

/* A schedule and what follows from it. */
struct checked {
    const struct schedule_space *space;
    struct transfer_program *program;
    struct problem *problem;
    struct region_times *region_times;
    struct transfer_times times;
    bool *held, *kept; /* [weighted_count] on the path that is walked */
    uint32_t before;
};

static void open_schedule(const struct schedule_space *space, const uint32_t *start,
                          struct checked *checked)
{
    *checked = (struct checked){.space = space};
    must(schedule_program(space, start, &checked->program, &error));
    must(transfer_check(checked->program, &error));
    must(schedule_problem(space, start, &checked->problem, &error));
    must(region_times_create(checked->program, space->costs, &checked->region_times, &error));
    must(transfer_times_compose(checked->region_times, NULL, &checked->times, &error));
    must(memory_create(&checked->held, space->regions->weighted_count, sizeof *checked->held,
                       &error));
    must(memory_create(&checked->kept, space->regions->weighted_count, sizeof *checked->kept,
                       &error));
}

static void close_schedule(struct checked *checked)
{
    transfer_program_free(checked->program);
    problem_free(checked->problem);
    region_times_free(checked->region_times);
    memory_free(checked->held);
    memory_free(checked->kept);
}

static bool is_live(const struct problem *problem, uint32_t b, uint32_t step)
{
    bool live = false;
    for (uint32_t s = problem->first[b]; s < problem->first[b + 1]; s++)
        live |= problem->lower[s] <= step && step < problem->upper[s];
    return live;
}

/* What the chip holds at a step is live there in the problem. */
static void check_step(const struct checked *checked, uint32_t step)
{
    uint32_t tensors = checked->space->level->problem->buffers;
    for (uint32_t b = 0; b < checked->space->regions->weighted_count; b++)
        if (checked->held[b])
            CU_ASSERT_TRUE_FATAL(is_live(checked->problem, tensors + b, step));
}

/* Between the regions what is left behind is still under way. */
static void check_border(struct checked *checked, uint32_t r)
{
    const struct schedule_space *space = checked->space;
    const struct transfer_regions *regions = space->regions;
    const struct transfer_borders *borders = space->borders;
    for (uint32_t b = borders->into[r]; b < borders->into[r + 1]; b++) {
        const struct transfer_border *border = &borders->border[b];
        const struct transfer_region *from = &regions->region[border->from];
        uint32_t owner = from->owner != GRAPH_NONE
                             ? from->owner
                             : regions->graph->region[from->graph_region].owner;
        if (border->from == checked->before &&
            (border->kind == TRANSFER_JOIN || border->kind == TRANSFER_LEAVE))
            check_step(checked, space->liveness->leave_step[owner]);
    }
    checked->before = r;
}

static enum status walk_region(void *context, uint32_t r, struct error *failed)
{
    struct checked *checked = context;
    const struct transfer_program *program = checked->program;
    (void)failed;
    if (r)
        check_border(checked, r);
    for (uint32_t i = program->first[r]; i < program->first[r + 1]; i++) {
        const struct transfer_instruction *instruction = &program->instruction[i];
        bool is_weighted = program->regions->weight_bytes[instruction->op] > 0;
        if (instruction->action == TRANSFER_START)
            checked->held[instruction->buffer] = true;
        if (instruction->action == TRANSFER_CANCEL || instruction->action == TRANSFER_DROP)
            checked->held[instruction->buffer] = false;
        if (instruction->action == TRANSFER_KEEP)
            checked->kept[instruction->buffer] = true;
        if (instruction->action == TRANSFER_DROP)
            checked->kept[instruction->buffer] = false;
        if (instruction->action != TRANSFER_COMPUTE)
            continue;
        check_step(checked, checked->space->liveness->enter_step[instruction->op]);
        if (is_weighted)
            checked->held[instruction->buffer] = checked->kept[instruction->buffer];
    }
    return STATUS_OK;
}

/* The path takes what it takes ns by ns, and holds nothing that the problem does not know of. */
static void check_path(struct checked *checked, const uint32_t *chosen)
{
    struct transfer_timeline timeline = {0};
    struct transfer_times times;
    must(transfer_times_compose(checked->region_times, chosen, &times, &error));
    must(
        transfer_timeline_fill(checked->program, checked->space->costs, chosen, &timeline, &error));
    CU_ASSERT_EQUAL(timeline.total_ns, times.worst_ns);
    CU_ASSERT_TRUE(times.worst_ns <= checked->times.worst_ns);
    transfer_timeline_clear(&timeline);
    const struct transfer_visitor visitor = {walk_region, checked, MOST_VISITS};
    must(transfer_paths_follow(checked->program->regions, chosen, &visitor, &error));
}

static void check_schedule(const struct schedule_space *space, const uint32_t *start)
{
    struct transfer_paths paths;
    struct transfer_path path = {0};
    struct checked checked;
    uint64_t load_bytes, problem_bytes;
    open_schedule(space, start, &checked);
    must(schedule_load(space, start, &load_bytes, &error));
    must(problem_load(checked.problem, &problem_bytes, NULL, &error));
    CU_ASSERT_EQUAL(load_bytes, problem_bytes);
    must(transfer_paths_create(&paths, space->regions, &error));
    for (uint64_t p = 0; p < paths.count && p < MOST_PATHS; p++) {
        must(transfer_paths_get(&paths, p, &path, &error));
        check_path(&checked, path.chosen);
    }
    transfer_path_clear(&path);
    transfer_paths_clear(&paths);
    close_schedule(&checked);
}

static uint32_t draw_between(struct random_state *random, uint32_t least, uint32_t most)
{
    return least + (uint32_t)random_below(random, (uint64_t)most - least + 1);
}

/* Lets a weighted operator be early, if it can: where a region follows itself its buffer has to be
   free. */
static bool draw_early(struct random_state *random, const struct schedule_space *space, uint32_t r,
                       uint32_t n, uint32_t *start)
{
    const struct transfer_borders *borders = space->borders;
    for (uint32_t b = borders->into[r]; b < borders->into[r + 1]; b++) {
        struct schedule_choice choice = schedule_choice_at(space, r, n, b);
        uint32_t *place = &start[schedule_place(space, r, n, b)];
        CU_ASSERT_FATAL(choice.least <= choice.most);
        place[0] = draw_between(random, choice.least, choice.most);
        place[SCHEDULE_RANK] = draw_between(random, 0, 3);
    }
    start[space->regions->region[r].weighted.first + n] = SCHEDULE_EARLY;
    return true;
}

/* Lets weights be kept around the innermost loop that they are in, if any. */
static bool draw_kept(struct random_state *random, const struct schedule_space *space, uint32_t w,
                      uint32_t *start)
{
    uint32_t loop = schedule_loop_around(space, space->regions->weighted_op[w]);
    if (loop == GRAPH_NONE || draw_between(random, 0, 1))
        return false;
    start[w] = draw_between(random, space->regions->region[space->home[loop]].begin, loop);
    return true;
}

/* Any schedule there is. Counts what is early and what is kept. */
static uint32_t draw_schedule(struct random_state *random, const struct schedule_space *space,
                              uint32_t *start, uint32_t *kept)
{
    const struct transfer_regions *regions = space->regions;
    uint32_t early_count = 0;
    for (uint32_t r = 0; r < regions->count; r++)
        for (uint32_t n = 0; n < regions->region[r].weighted.count; n++) {
            uint32_t w = regions->region[r].weighted.first + n;
            if (draw_kept(random, space, w, start))
                ++*kept;
            else if (space->early_place[r] != GRAPH_NONE && draw_between(random, 0, 1))
                early_count += draw_early(random, space, r, n, start);
            else
                start[w] = draw_between(random, regions->region[r].begin, regions->weighted_op[w]);
        }
    return early_count;
}

static void test_any_schedule(void)
{
    struct random_state random = random_seed(31);
    const struct random_transfers_kind kind = {16, 3, true, UINT32_MAX, true};
    uint32_t early_count = 0, kept_count = 0;
    for (int i = 0; i < 300; i++) {
        struct random_transfers transfers;
        struct schedule_space *space;
        random_transfers_create_with_turns(&random, &kind, &transfers);
        must(schedule_space_create(transfers.regions, transfers.costs, 1, &space, &error));
        uint32_t *start = create_sync(space);
        early_count += draw_schedule(&random, space, start, &kept_count);
        check_schedule(space, start);
        memory_free(start);
        schedule_space_free(space);
        random_transfers_clear(&transfers);
    }
    printf("%u early weights, %u kept ", early_count, kept_count);
    CU_ASSERT_TRUE(early_count > 300 && kept_count > 100);
}

static struct transfer_times measure(const struct schedule_space *space, const uint32_t *start)
{
    struct checked checked;
    open_schedule(space, start, &checked);
    struct transfer_times times = checked.times;
    close_schedule(&checked);
    return times;
}

/* What the search makes of sync's schedule, within a capacity: never slower, often faster. */
static bool check_search(const struct schedule_space *space, uint64_t more_bytes)
{
    uint32_t *start = create_sync(space);
    uint64_t least_bytes, load_bytes;
    bool early;
    must(schedule_load(space, start, &least_bytes, &error));
    struct transfer_times sync = measure(space, start);
    const struct schedule_goal goal = {least_bytes + more_bytes, UINT64_MAX, NULL, false};
    must(schedule_start_early(space, &goal, start, &early, &error));
    must(schedule_load(space, start, &load_bytes, &error));
    struct transfer_times times = measure(space, start);
    CU_ASSERT_TRUE(load_bytes <= goal.capacity_bytes);
    CU_ASSERT_TRUE(times.expected_ns <= sync.expected_ns);
    CU_ASSERT_TRUE(!early || times.expected_ns < sync.expected_ns ||
                   times.worst_ns < sync.worst_ns);
    check_schedule(space, start);
    memory_free(start);
    return times.expected_ns < sync.expected_ns;
}

static void test_search(void)
{
    struct random_state random = random_seed(32);
    uint32_t faster = 0;
    for (uint32_t i = 0; i < 200; i++) {
        const struct random_transfers_kind kind = {14, 1 + i % 3, true, UINT32_MAX, i % 2 == 0};
        struct random_transfers transfers;
        struct schedule_space *space;
        random_transfers_create_with_turns(&random, &kind, &transfers);
        must(schedule_space_create(transfers.regions, transfers.costs, 1, &space, &error));
        faster += check_search(space, i % 4 * 8);
        schedule_space_free(space);
        random_transfers_clear(&transfers);
    }
    CU_ASSERT_TRUE(faster > 50);
}

static uint32_t open(struct graph *graph, const char *name, uint64_t bytes, int64_t compute_ns)
{
    uint32_t opened;
    must(graph_open_operator(graph, name, "Any", &opened, &error));
    if (bytes)
        must(graph_operator_weight(graph, "w", 0, bytes, &error));
    graph->op[opened].compute_ns = compute_ns;
    return opened;
}

static void add_branch(struct graph *graph, const char *name, uint64_t bytes)
{
    must(graph_open_region(graph, name, -1, &error));
    open(graph, name, bytes, 10);
    graph_close_operator(graph);
    must(graph_close_region(graph, NULL, 0, &error));
}

/* The branches are as likely as each other; there is time for the weights of both before. */
static void create_branches(struct random_transfers *transfers)
{
    *transfers = (struct random_transfers){.hardware.dma_bytes_per_second = 1000000000};
    must(graph_create(&transfers->graph, "branches", &error));
    open(transfers->graph, "a", 0, 100);
    graph_close_operator(transfers->graph);
    open(transfers->graph, "if", 0, 0);
    add_branch(transfers->graph, "b", 60);
    add_branch(transfers->graph, "c", 40);
    graph_close_operator(transfers->graph);
    open(transfers->graph, "d", 10, 5);
    graph_close_operator(transfers->graph);
    must(graph_finish(transfers->graph, NULL, 0, NULL, &error));
    must(transfer_regions_create(transfers->graph, &transfers->regions, &error));
    must(
        transfer_costs_create(transfers->regions, &transfers->hardware, &transfers->costs, &error));
}

static void expect_branches(uint64_t capacity_bytes, uint64_t expected_ns, const char *program)
{
    struct random_transfers transfers;
    struct schedule_space *space;
    struct checked checked;
    struct text text = {0};
    bool early;
    create_branches(&transfers);
    must(schedule_space_create(transfers.regions, transfers.costs, 1, &space, &error));
    uint32_t *start = create_sync(space);
    const struct schedule_goal goal = {capacity_bytes, UINT64_MAX, NULL, false};
    must(schedule_start_early(space, &goal, start, &early, &error));
    open_schedule(space, start, &checked);
    CU_ASSERT_TRUE(early);
    CU_ASSERT_EQUAL(checked.times.expected_ns, expected_ns);
    transfer_program_print(checked.program, &text);
    if (strcmp(text.bytes, program) != 0)
        printf("\n%llu ns\n%s", (unsigned long long)checked.times.expected_ns, text.bytes);
    CU_ASSERT_STRING_EQUAL(text.bytes, program);
    text_free(&text);
    close_schedule(&checked);
    memory_free(start);
    schedule_space_free(space);
    random_transfers_clear(&transfers);
}

/* With 100 bytes both branches find their weights there; with 60 only one does, since the other's
   would be beside them. What follows loads while either branch computes if there is room. */
static void test_by_hand(void)
{
    expect_branches(UINT64_MAX, 100 + 10 + 5,
                    "start b -> alloc0\n"
                    "start c -> alloc1\n"
                    "compute a\n"
                    "compute if\n"
                    "b of if:\n"
                    "  cancel c\n"
                    "  start d -> alloc2\n"
                    "  wait b\n"
                    "  compute b (alloc0)\n"
                    "c of if:\n"
                    "  cancel b\n"
                    "  start d -> alloc2\n"
                    "  wait c\n"
                    "  compute c (alloc1)\n"
                    "wait d\n"
                    "compute d (alloc2)\n");
    expect_branches(60, 100 + 40 / 2 + 10 + 10 + 5,
                    "start b -> alloc0\n"
                    "compute a\n"
                    "compute if\n"
                    "b of if:\n"
                    "  wait b\n"
                    "  compute b (alloc0)\n"
                    "c of if:\n"
                    "  cancel b\n"
                    "  start c -> alloc1\n"
                    "  wait c\n"
                    "  compute c (alloc1)\n"
                    "start d -> alloc2\n"
                    "wait d\n"
                    "compute d (alloc2)\n");
}

static enum status cross_once(const void *input, struct error *failed)
{
    const struct random_transfers *transfers = input;
    const struct schedule_goal goal = {UINT64_MAX, UINT64_MAX, NULL, false};
    struct schedule_space *space;
    uint32_t start[64];
    bool early;
    TRY(schedule_space_create(transfers->regions, transfers->costs, 1, &space, failed));
    CU_ASSERT_FATAL(space->places <= 64);
    memcpy(start, transfers->regions->weighted_op,
           transfers->regions->weighted_count * sizeof *start);
    enum status status = schedule_keep(space, &goal, start, &early, failed);
    if (!status)
        status = schedule_start_early(space, &goal, start, &early, failed);
    schedule_space_free(space);
    return status;
}

static void test_no_memory(void)
{
    struct random_transfers transfers;
    create_branches(&transfers);
    fail_each(cross_once, &transfers);
    random_transfers_clear(&transfers);
}

/* What keeping weights makes of sync's schedule, within a capacity: never slower. */
static bool check_keeping(const struct schedule_space *space, uint64_t more_bytes)
{
    uint32_t *start = create_sync(space);
    uint64_t least_bytes, load_bytes;
    bool kept;
    must(schedule_load(space, start, &least_bytes, &error));
    struct transfer_times sync = measure(space, start);
    const struct schedule_goal goal = {least_bytes + more_bytes, UINT64_MAX, NULL, false};
    must(schedule_keep(space, &goal, start, &kept, &error));
    must(schedule_load(space, start, &load_bytes, &error));
    struct transfer_times times = measure(space, start);
    CU_ASSERT_TRUE(load_bytes <= goal.capacity_bytes);
    CU_ASSERT_TRUE(times.expected_ns <= sync.expected_ns);
    CU_ASSERT_TRUE(!kept || schedule_may_keep(space));
    check_schedule(space, start);
    memory_free(start);
    return kept;
}

static void test_keeping(void)
{
    struct random_state random = random_seed(33);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < 200; i++) {
        const struct random_transfers_kind kind = {14, 1 + i % 3, true, UINT32_MAX, i % 2 == 0};
        struct random_transfers transfers;
        struct schedule_space *space;
        random_transfers_create_with_turns(&random, &kind, &transfers);
        must(schedule_space_create(transfers.regions, transfers.costs, 1, &space, &error));
        kept += check_keeping(space, i % 4 * 8);
        schedule_space_free(space);
        random_transfers_clear(&transfers);
    }
    printf("%u graphs keep weights ", kept);
    CU_ASSERT_TRUE(kept > 20);
}

static void expect_kept(uint64_t capacity_bytes, uint64_t expected_ns, const char *program)
{
    struct random_transfers transfers = {.graph = weighted_read("a:10@20 loop@0*3{b:10@4} c@1"),
                                         .hardware.dma_bytes_per_second = 1000000000};
    struct schedule_space *space;
    struct checked checked;
    struct text text = {0};
    bool kept;
    must(transfer_regions_create(transfers.graph, &transfers.regions, &error));
    must(transfer_costs_create(transfers.regions, &transfers.hardware, &transfers.costs, &error));
    must(schedule_space_create(transfers.regions, transfers.costs, 1, &space, &error));
    uint32_t *start = create_sync(space);
    const struct schedule_goal goal = {capacity_bytes, UINT64_MAX, NULL, false};
    must(schedule_keep(space, &goal, start, &kept, &error));
    open_schedule(space, start, &checked);
    CU_ASSERT_TRUE(kept);
    CU_ASSERT_EQUAL(checked.times.expected_ns, expected_ns);
    transfer_program_print(checked.program, &text);
    if (strcmp(text.bytes, program) != 0)
        printf("\n%llu ns\n%s", (unsigned long long)checked.times.expected_ns, text.bytes);
    CU_ASSERT_STRING_EQUAL(text.bytes, program);
    text_free(&text);
    close_schedule(&checked);
    memory_free(start);
    schedule_space_free(space);
    random_transfers_clear(&transfers);
}

/* With 20 bytes the weights of the loop travel while `a` computes; with 10 they follow. */
static void test_kept_by_hand(void)
{
    expect_kept(20, 10 + 20 + 3 * 4 + 1,
                "start a -> alloc0\n"
                "start b -> alloc1\n"
                "wait a\n"
                "compute a (alloc0)\n"
                "compute loop\n"
                "keep b\n"
                "r of loop:\n"
                "  compute b (alloc1)\n"
                "drop b\n"
                "compute c\n");
    expect_kept(10, 10 + 20 + 10 + 3 * 4 + 1,
                "start a -> alloc0\n"
                "wait a\n"
                "compute a (alloc0)\n"
                "start b -> alloc1\n"
                "compute loop\n"
                "keep b\n"
                "r of loop:\n"
                "  compute b (alloc1)\n"
                "drop b\n"
                "compute c\n");
}

static const struct test_case cases[] = {
    {"two branches by hand", test_by_hand},
    {"any schedule on every path", test_any_schedule},
    {"the search", test_search},
    {"a loop by hand", test_kept_by_hand},
    {"weights that are kept", test_keeping},
    {"every allocation may fail", test_no_memory},
};

TESTING_MAIN("dma/schedule_start_early", cases)
