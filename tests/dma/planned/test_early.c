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
#include "planning/problem/bounds.h"
#include "random_transfers.h"
#include "support/fail_each.h"
#include "support/must.h"
#include "weighted_graph.h"

enum { MOST_PATHS = 60, MOST_VISITS = 10000 };

static uint32_t *create_sync(const struct schedule_space *space)
{
    uint32_t *start;
    must(memory_create(&start, space->places, sizeof *start, &error));
    schedule_sync(space, start);
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

/* What the chip holds at a step is live there in the problem. */
static void check_step(const struct checked *checked, uint32_t step)
{
    const struct problem *problem = checked->problem;
    uint32_t tensors = checked->space->level->problem->buffers;
    for (uint32_t w = 0; w < checked->space->regions->weighted_count; w++) {
        bool live = !checked->held[w];
        for (uint32_t s = problem->first[tensors + w]; s < problem->first[tensors + w + 1]; s++)
            live |= problem->lower[s] <= step && step < problem->upper[s];
        CU_ASSERT_TRUE_FATAL(live);
    }
}

static enum status walk_region(void *context, uint32_t r, struct error *failed)
{
    struct checked *checked = context;
    const struct transfer_program *program = checked->program;
    const struct transfer_regions *regions = checked->space->regions;
    const struct transfer_borders *borders = checked->space->borders;
    (void)failed;
    /* Between the regions what is left behind is still under way. */
    for (uint32_t b = borders->into[r]; r && b < borders->into[r + 1]; b++) {
        const struct transfer_border *border = &borders->border[b];
        const struct transfer_region *from = &regions->region[border->from];
        uint32_t owner = from->owner != GRAPH_NONE
                             ? from->owner
                             : regions->graph->region[from->graph_region].owner;
        if (border->from == checked->before &&
            (border->kind == TRANSFER_JOIN || border->kind == TRANSFER_LEAVE))
            check_step(checked, checked->space->liveness->leave_step[owner]);
    }
    checked->before = r;
    for (uint32_t i = program->first[r]; i < program->first[r + 1]; i++) {
        uint32_t o = program->instruction[i].op;
        bool *held = &checked->held[program->instruction[i].buffer];
        bool *kept = &checked->kept[program->instruction[i].buffer];
        switch (program->instruction[i].action) {
        case TRANSFER_START:
            *held = true;
            break;
        case TRANSFER_CANCEL:
        case TRANSFER_DROP:
            *held = *kept = false;
            break;
        case TRANSFER_KEEP:
            *kept = true;
            break;
        case TRANSFER_WAIT:
            break;
        case TRANSFER_COMPUTE:
            check_step(checked, checked->space->liveness->enter_step[o]);
            if (program->regions->weight_bytes[o])
                *held = *kept;
        }
    }
    return STATUS_OK;
}

/* Each path takes what it takes ns by ns, and holds nothing that the problem does not know of. */
static void check_schedule(const struct schedule_space *space, const uint32_t *start)
{
    SCOPED(transfer_paths_clear) struct transfer_paths paths = {0};
    SCOPED(transfer_path_clear) struct transfer_path path = {0};
    SCOPED(close_schedule) struct checked checked = {0};
    uint64_t load_bytes, problem_bytes;
    open_schedule(space, start, &checked);
    const struct transfer_visitor visitor = {walk_region, &checked, MOST_VISITS};
    must(schedule_load(space, start, &load_bytes, &error));
    must(problem_load(checked.problem, &problem_bytes, NULL, &error));
    CU_ASSERT_EQUAL(load_bytes, problem_bytes);
    must(transfer_paths_create(&paths, space->regions, &error));
    for (uint64_t p = 0; p < paths.count && p < MOST_PATHS; p++) {
        SCOPED(transfer_timeline_clear) struct transfer_timeline timeline = {0};
        struct transfer_times times;
        must(transfer_paths_get(&paths, p, &path, &error));
        must(transfer_times_compose(checked.region_times, path.chosen, &times, &error));
        must(transfer_timeline_fill(checked.program, space->costs, path.chosen, &timeline, &error));
        CU_ASSERT_EQUAL(timeline.total_ns, times.worst_ns);
        CU_ASSERT_TRUE(times.worst_ns <= checked.times.worst_ns);
        must(transfer_paths_follow(space->regions, path.chosen, &visitor, &error));
    }
}

static uint32_t draw_between(struct random_state *random, uint32_t least, uint32_t most)
{
    return least + (uint32_t)random_below(random, (uint64_t)most - least + 1);
}

/* Any schedule there is. Counts what is early and what is kept: weights may be kept around the
   innermost loop that they are in, and be early where their buffer is free. */
static uint32_t draw_schedule(struct random_state *random, const struct schedule_space *space,
                              uint32_t *start, uint32_t *kept)
{
    const struct transfer_regions *regions = space->regions;
    const uint32_t *into = space->borders->into;
    uint32_t early_count = 0;
    for (uint32_t w = 0; w < regions->weighted_count; w++) {
        uint32_t o = regions->weighted_op[w], r = space->home[o];
        uint32_t loop = schedule_loop_around(space, o), n = w - regions->region[r].weighted.first;
        if (loop != GRAPH_NONE && !draw_between(random, 0, 1)) {
            start[w] = draw_between(random, regions->region[space->home[loop]].begin, loop);
            ++*kept;
            continue;
        }
        if (space->early_place[r] == GRAPH_NONE || !draw_between(random, 0, 1)) {
            start[w] = draw_between(random, regions->region[r].begin, o);
            continue;
        }
        for (uint32_t b = into[r]; b < into[r + 1]; b++) {
            struct schedule_choice choice = schedule_choice_at(space, r, n, b);
            uint32_t *place = &start[schedule_place(space, r, n, b)];
            CU_ASSERT_FATAL(choice.least <= choice.most);
            place[0] = draw_between(random, choice.least, choice.most);
            place[SCHEDULE_RANK] = draw_between(random, 0, 3);
        }
        start[w] = SCHEDULE_EARLY;
        early_count++;
    }
    return early_count;
}

static void test_any_schedule(void)
{
    struct random_state random = random_seed(31);
    const struct random_transfers_kind kind = {16, 3, true, UINT32_MAX, true, true};
    uint32_t early_count = 0, kept_count = 0;
    for (int i = 0; i < 300; i++) {
        SCOPED(random_transfers_clear) struct random_transfers transfers = {0};
        random_transfers_create(&random, &kind, &transfers);
        struct schedule_space *space = random_transfers_space(&transfers);
        SCOPED(memory_release) uint32_t *start = create_sync(space);
        early_count += draw_schedule(&random, space, start, &kept_count);
        check_schedule(space, start);
    }
    printf("%u early weights, %u kept ", early_count, kept_count);
    CU_ASSERT_TRUE(early_count > 300 && kept_count > 100);
}

typedef enum status search(const struct schedule_space *space, const struct schedule_goal *goal,
                           uint32_t *start, bool *changed, struct error *error);

/* What a search makes of sync's schedule, within a capacity: never slower. True where it changed
   it; *faster is set where it is faster. */
static bool check_search(const struct schedule_space *space, search *searched, uint64_t more_bytes,
                         bool *faster)
{
    SCOPED(memory_release) uint32_t *start = create_sync(space);
    uint64_t least_bytes, load_bytes;
    bool changed;
    must(schedule_load(space, start, &least_bytes, &error));
    SCOPED(close_schedule) struct checked sync = {0};
    SCOPED(close_schedule) struct checked found = {0};
    open_schedule(space, start, &sync);
    const struct schedule_goal goal = {least_bytes + more_bytes, UINT64_MAX, NULL, false};
    must(searched(space, &goal, start, &changed, &error));
    must(schedule_load(space, start, &load_bytes, &error));
    open_schedule(space, start, &found);
    *faster = found.times.expected_ns < sync.times.expected_ns;
    CU_ASSERT_TRUE(load_bytes <= goal.capacity_bytes);
    CU_ASSERT_TRUE(found.times.expected_ns <= sync.times.expected_ns);
    CU_ASSERT_TRUE(!changed || *faster || found.times.worst_ns < sync.times.worst_ns ||
                   searched == schedule_keep);
    check_schedule(space, start);
    return changed;
}

/* Both searches, on the same random graphs. */
static void test_searches(void)
{
    struct random_state random = random_seed(32);
    uint32_t faster = 0, kept = 0;
    for (uint32_t i = 0; i < 200; i++) {
        const struct random_transfers_kind kind = {14,         1 + i % 3,  true,
                                                   UINT32_MAX, i % 2 == 0, true};
        SCOPED(random_transfers_clear) struct random_transfers transfers = {0};
        bool early_faster, kept_faster;
        random_transfers_create(&random, &kind, &transfers);
        struct schedule_space *space = random_transfers_space(&transfers);
        check_search(space, schedule_start_early, i % 4 * 8, &early_faster);
        bool keeps = check_search(space, schedule_keep, i % 4 * 8, &kept_faster);
        CU_ASSERT_TRUE(!keeps || schedule_may_keep(space));
        faster += early_faster;
        kept += keeps;
    }
    printf("%u graphs keep weights ", kept);
    CU_ASSERT_TRUE(faster > 50 && kept > 20);
}

/* The branches are as likely as each other; there is time for the weights of both before. */
static const char branches[] = "a@100 if@0 {b:60@10} {c:40@10} d:10@5";

static void expect(const char *graph, search *searched, uint64_t capacity_bytes,
                   uint64_t expected_ns, const char *program)
{
    SCOPED(random_transfers_clear) struct random_transfers transfers = {0};
    SCOPED(close_schedule) struct checked checked = {0};
    struct text text = {0};
    bool changed;
    random_transfers_of(weighted_read(graph), &transfers);
    struct schedule_space *space = random_transfers_space(&transfers);
    SCOPED(memory_release) uint32_t *start = create_sync(space);
    const struct schedule_goal goal = {capacity_bytes, UINT64_MAX, NULL, false};
    must(searched(space, &goal, start, &changed, &error));
    open_schedule(space, start, &checked);
    CU_ASSERT_TRUE(changed);
    CU_ASSERT_EQUAL(checked.times.expected_ns, expected_ns);
    transfer_program_print(checked.program, &text);
    if (strcmp(text.bytes, program) != 0)
        printf("\n%llu ns\n%s", (unsigned long long)checked.times.expected_ns, text.bytes);
    CU_ASSERT_STRING_EQUAL(text.bytes, program);
    text_free(&text);
}

/* With 100 bytes both branches find their weights there; with 60 only one does, since the other's
   would be beside them. What follows loads while either branch computes if there is room. */
static void test_by_hand(void)
{
    expect(branches, schedule_start_early, UINT64_MAX, 100 + 10 + 5,
           "start b -> alloc0\n"
           "start c -> alloc1\n"
           "compute a\n"
           "compute if\n"
           "r of if:\n"
           "  cancel c\n"
           "  start d -> alloc2\n"
           "  wait b\n"
           "  compute b (alloc0)\n"
           "r of if:\n"
           "  cancel b\n"
           "  start d -> alloc2\n"
           "  wait c\n"
           "  compute c (alloc1)\n"
           "wait d\n"
           "compute d (alloc2)\n");
    expect(branches, schedule_start_early, 60, 100 + 40 / 2 + 10 + 10 + 5,
           "start b -> alloc0\n"
           "compute a\n"
           "compute if\n"
           "r of if:\n"
           "  wait b\n"
           "  compute b (alloc0)\n"
           "r of if:\n"
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
    SCOPED(schedule_space_release) struct schedule_space *space = NULL;
    uint32_t start[64];
    bool early;
    TRY(schedule_space_create(transfers->regions, transfers->costs, 1, &space, failed));
    CU_ASSERT_FATAL(space->places <= 64);
    schedule_sync(space, start);
    TRY(schedule_keep(space, &goal, start, &early, failed));
    return schedule_start_early(space, &goal, start, &early, failed);
}

static void test_no_memory(void)
{
    SCOPED(random_transfers_clear) struct random_transfers transfers = {0};
    random_transfers_of(weighted_read(branches), &transfers);
    fail_each(cross_once, &transfers);
}

/* With 20 bytes the weights of the loop travel while `a` computes; with 10 they follow. */
static void test_kept_by_hand(void)
{
    expect("a:10@20 loop@0*3{b:10@4} c@1", schedule_keep, 20, 10 + 20 + 3 * 4 + 1,
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
    expect("a:10@20 loop@0*3{b:10@4} c@1", schedule_keep, 10, 10 + 20 + 10 + 3 * 4 + 1,
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
    /* What runs once has nothing to be kept for. */
    expect("a:10@20 once@0*1{b:10@4} loop@0*3{c:10@4} d@1", schedule_keep, 30,
           10 + 20 + 10 + 4 + 10 + 3 * 4 + 1,
           "start a -> alloc0\n"
           "wait a\n"
           "compute a (alloc0)\n"
           "compute once\n"
           "r of once:\n"
           "  start b -> alloc1\n"
           "  wait b\n"
           "  compute b (alloc1)\n"
           "start c -> alloc2\n"
           "compute loop\n"
           "keep c\n"
           "r of loop:\n"
           "  compute c (alloc2)\n"
           "drop c\n"
           "compute d\n");
}

static const struct test_case cases[] = {
    {"two branches by hand", test_by_hand},
    {"any schedule on every path", test_any_schedule},
    {"the searches", test_searches},
    {"a loop by hand", test_kept_by_hand},
    {"every allocation may fail", test_no_memory},
};

TESTING_MAIN("dma/schedule_start_early", cases)
