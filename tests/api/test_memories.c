#include <inttypes.h>
#include <memplan/memplan.h>
#include <stdio.h>
#include <string.h>

#include "support/testing.h"

enum { BUFFERS = 5, TENSORS = 3, MEMORIES = 2 };

/* The problem of docs/memories.md, whose least cost is 5. */
static const char kernel[] =
    "{\"format\": \"memplan-memories/1\", \"name\": \"kernel\", \"memories\": [\n"
    "{\"name\": \"fast\", \"capacity\": 12},\n"
    "{\"name\": \"slow\", \"read_ns_per_byte\": 0.5, \"write_ns_per_byte\": 0.5}], \"buffers\": [\n"
    "{\"name\": \"A\", \"size\": 5, \"segments\": [[0, 2]]},\n"
    "{\"name\": \"B\", \"size\": 3, \"segments\": [[2, 5]]},\n"
    "{\"name\": \"C\", \"size\": 3, \"segments\": [[0, 1]], \"memories\": [\"fast\"]},\n"
    "{\"name\": \"D\", \"size\": 5, \"segments\": [[1, 2]]},\n"
    "{\"name\": \"E\", \"size\": 3, \"segments\": [[3, 6]], \"read_bytes\": 30}],\n"
    "\"penalties\": [[\"A\", \"B\", 3], [\"B\", \"C\", 8], [\"B\", \"D\", 8], [\"C\", \"D\", 7],\n"
    "[\"C\", \"E\", 8], [\"D\", \"E\", 9]]}";
/* Ten bytes at steps 1 and 2, of which nine are two buffers. */
static const char full[] =
    "{\"format\": \"memplan-memories/1\", \"name\": \"full\", \"memories\": [\n"
    "{\"name\": \"only\", \"capacity\": 8}], \"buffers\": [\n"
    "{\"name\": \"A\", \"size\": 5, \"segments\": [[0, 3]]},\n"
    "{\"name\": \"B\", \"size\": 4, \"segments\": [[1, 3]]},\n"
    "{\"name\": \"C\", \"size\": 1, \"segments\": [[1, 2]]}]}";
static const char chip[] =
    "{\"format\": \"memplan-hardware/1\", \"name\": \"chip\", \"dma_bytes_per_second\": 1,\n"
    "\"memories\": [{\"name\": \"fast\", \"capacity\": 8},\n"
    "{\"name\": \"slow\", \"read_ns_per_byte\": 1, \"write_ns_per_byte\": 1}]}";
/* a and b are live at once, then b and c: b, the largest, has to leave the fast memory, or both
   others have. */
static const char chain[] =
    "{\"format\": \"memplan-graph/1\", \"name\": \"g\", \"tensors\": [{\"name\": \"a\", \"bytes\": "
    "4},"
    "{\"name\": \"b\", \"bytes\": 6}, {\"name\": \"c\", \"bytes\": 4}], \"inputs\": [\"a\"], "
    "\"outputs\": [\"c\"], \"ops\": [{\"name\": \"x\", \"type\": \"Op\", \"inputs\": [\"a\"], "
    "\"outputs\": [\"b\"]}, {\"name\": \"y\", \"type\": \"Op\", \"inputs\": [\"b\"], "
    "\"outputs\": [\"c\"]}]}";

/* A plan with room for all that these problems need. */
struct room {
    uint32_t memory[BUFFERS];
    uint64_t offset[BUFFERS], peak_bytes[MEMORIES], enough_bytes[MEMORIES];
    uint8_t tight[BUFFERS];
    char name[MEMORIES][64];
    struct memplan_memories_plan plan;
};

static void make_room(struct room *room)
{
    memset(room, 7, sizeof *room);
    room->plan = (struct memplan_memories_plan){.struct_bytes = sizeof room->plan,
                                                .memory = room->memory,
                                                .offset = room->offset,
                                                .most_memories = MEMORIES,
                                                .name = room->name,
                                                .peak_bytes = room->peak_bytes,
                                                .enough_bytes = room->enough_bytes,
                                                .tight = room->tight};
}

static struct memplan_memories make_memories(const char *json, uint32_t buffers)
{
    return (struct memplan_memories){.struct_bytes = sizeof(struct memplan_memories),
                                     .json = json,
                                     .buffers = buffers,
                                     .time_limit_ns = 20000000000};
}

static void test_plan(void)
{
    const char *const planners[] = {NULL, "hitting_set", "canonical_greedy"};
    for (size_t i = 0; i < sizeof planners / sizeof *planners; i++) {
        struct memplan_memories memories = make_memories(kernel, BUFFERS);
        struct room room, again;
        make_room(&room);
        enum memplan_result result = memplan_plan_memories(planners[i], &memories, &room.plan);
        CU_ASSERT(result <= MEMPLAN_OPTIMAL && room.plan.memories == 2);
        CU_ASSERT(room.plan.cost >= 5 * MEMPLAN_COST_PARTS);
        CU_ASSERT(room.plan.cost_bound <= 5 * MEMPLAN_COST_PARTS);
        CU_ASSERT_EQUAL(result == MEMPLAN_OPTIMAL, room.plan.cost == room.plan.cost_bound);
        CU_ASSERT(i == 2 || room.plan.cost == 5 * MEMPLAN_COST_PARTS);
        CU_ASSERT(room.memory[2] == 0 && room.plan.step == MEMPLAN_NOBODY);
        CU_ASSERT_STRING_EQUAL(room.name[1], "slow");
        CU_ASSERT_STRING_EQUAL(room.plan.message, "");
        make_room(&again);
        memcpy(again.memory, room.memory, sizeof again.memory);
        memcpy(again.offset, room.offset, sizeof again.offset);
        CU_ASSERT_EQUAL(memplan_verify_memories(&memories, &again.plan), MEMPLAN_FOUND);
        CU_ASSERT_EQUAL(again.plan.cost, room.plan.cost);
        CU_ASSERT_EQUAL(memcmp(again.peak_bytes, room.peak_bytes, sizeof room.peak_bytes), 0);
    }
}

static void test_what_does_not_fit(void)
{
    struct memplan_memories memories = make_memories(full, 3);
    struct room room;
    make_room(&room);
    CU_ASSERT_EQUAL(memplan_plan_memories(NULL, &memories, &room.plan), MEMPLAN_INFEASIBLE);
    CU_ASSERT_STRING_EQUAL(room.plan.message,
                           "'A', 'B' do not fit together; at step 1 they have 9 bytes; all fits "
                           "with 10 bytes of 'only', not with fewer");
    CU_ASSERT(room.tight[0] == 1 && room.tight[1] == 1 && room.tight[2] == 0);
    CU_ASSERT(room.plan.step == 1 && room.enough_bytes[0] == 10);
    CU_ASSERT_EQUAL(memplan_plan_memories("first_fit", &memories, &room.plan), MEMPLAN_GAVE_UP);
    CU_ASSERT_STRING_EQUAL(room.plan.message,
                           "first_fit found no plan that fits, and no proof that there is none");
    CU_ASSERT_EQUAL(room.enough_bytes[0], MEMPLAN_NONE);
}

static void test_verify(void)
{
    static const struct {
        uint32_t memory[3];
        uint64_t offset[3];
        const char *text;
    } rows[] = {{{0, 0, 0}, {0, 5, 0}, "ends beyond the capacity"},
                {{0, 0, 0}, {0, 4, 7}, "'A' and 'B' share bytes and are live at step 1"},
                {{0, 1, 0}, {0, 4, 7}, "buffer 'B' is in no memory"},
                {{0, 0, MEMPLAN_NOBODY}, {0, 4, 7}, "buffer 'C' is in no memory"}};
    struct memplan_memories memories = make_memories(full, 3);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct room room;
        make_room(&room);
        memcpy(room.memory, rows[i].memory, sizeof rows[i].memory);
        memcpy(room.offset, rows[i].offset, sizeof rows[i].offset);
        CU_ASSERT_EQUAL(memplan_verify_memories(&memories, &room.plan), MEMPLAN_WRONG);
        CU_ASSERT_PTR_NOT_NULL(strstr(room.plan.message, rows[i].text));
        CU_ASSERT_EQUAL(room.plan.cost, 0);
    }
}

/* What lies in the slow memory is written and read once. */
static void test_graphs(void)
{
    const struct memplan_graph graph = {
        .struct_bytes = sizeof graph, .json = chain, .tensors = TENSORS};
    struct memplan_memories memories = make_memories(chip, TENSORS);
    struct room room;
    memories.graph = &graph;
    make_room(&room);
    CU_ASSERT_EQUAL(memplan_plan_memories(NULL, &memories, &room.plan), MEMPLAN_OPTIMAL);
    CU_ASSERT_EQUAL(room.plan.cost, 12 * MEMPLAN_COST_PARTS);
    CU_ASSERT(room.memory[0] == 0 && room.memory[1] == 1 && room.memory[2] == 0);
    CU_ASSERT(room.peak_bytes[0] == 4 && room.peak_bytes[1] == 6);
    CU_ASSERT_EQUAL(memplan_verify_memories(&memories, &room.plan), MEMPLAN_FOUND);
    CU_ASSERT_EQUAL(room.plan.cost, 12 * MEMPLAN_COST_PARTS);
    CU_ASSERT(room.peak_bytes[0] == 4 && room.peak_bytes[1] == 6);
    room.memory[1] = 0;
    CU_ASSERT_EQUAL(memplan_verify_memories(&memories, &room.plan), MEMPLAN_WRONG);
    room.memory[1] = 2;
    CU_ASSERT_EQUAL(memplan_verify_memories(&memories, &room.plan), MEMPLAN_WRONG);
    CU_ASSERT_STRING_EQUAL(room.plan.message, "tensor 'b' is in no memory");
    memories.json = "rp2040";
    CU_ASSERT_EQUAL(memplan_plan_memories(NULL, &memories, &room.plan), MEMPLAN_BAD_INPUT);
    CU_ASSERT_STRING_EQUAL(room.plan.message,
                           "found room for 2 memories, expected the 3 of the JSON");
    room.plan.name = NULL;
    room.plan.peak_bytes = room.plan.enough_bytes = NULL;
    CU_ASSERT_EQUAL(memplan_plan_memories(NULL, &memories, &room.plan), MEMPLAN_OPTIMAL);
    CU_ASSERT_EQUAL(room.plan.memories, 3);
}

static void check_refused(const char *planner, const struct memplan_memories *memories,
                          const char *text)
{
    struct room room;
    make_room(&room);
    CU_ASSERT_EQUAL(memplan_plan_memories(planner, memories, &room.plan), MEMPLAN_BAD_INPUT);
    if (!strstr(room.plan.message, text))
        printf("\n    %s, expected %s", room.plan.message, text);
    CU_ASSERT_PTR_NOT_NULL(strstr(room.plan.message, text));
    CU_ASSERT(room.memory[0] == 0x07070707 && room.plan.cost == 0);
}

static void test_bad_input(void)
{
    struct memplan_graph graph = {.struct_bytes = sizeof graph, .json = chain, .tensors = TENSORS};
    struct memplan_memories memories = make_memories(kernel, BUFFERS);
    struct room room;
    make_room(&room);
    check_refused("large_first", &memories, "no planner of several memories 'large_first'");
    memories.buffers = 4;
    check_refused(NULL, &memories, "found 4 buffers, expected the 5 of the JSON");
    memories.json_bytes = 90;
    check_refused(NULL, &memories, "json:2: ");
    memories = make_memories("{\n\"format\": \"memplan-problem/1\"}", BUFFERS);
    check_refused(NULL, &memories, "json:");
    memories.json = NULL;
    check_refused(NULL, &memories, "found no text json");
    memories.struct_bytes = 0;
    check_refused(NULL, &memories, "found a struct_bytes of 0 in the problem");
    check_refused(NULL, NULL, "found no problem");
    memories = make_memories("{\"format\": \"memplan-hardware/1\",\n\"name\": 1}", TENSORS);
    memories.graph = &graph;
    check_refused(NULL, &memories, "json:2: ");
    memories.json = "imxrt";
    check_refused(NULL, &memories, "no hardware 'imxrt', did you mean imxrt1060?");
    memories.json = chip;
    graph.flags = MEMPLAN_PIN_IO;
    check_refused(NULL, &memories, "flags of the graph");
    graph.struct_bytes = 0;
    check_refused(NULL, &memories, "found a struct_bytes of 0 in the graph");
    room.plan.offset = NULL;
    CU_ASSERT_EQUAL(memplan_verify_memories(&memories, &room.plan), MEMPLAN_BAD_INPUT);
    CU_ASSERT_EQUAL(memplan_verify_memories(&memories, NULL), MEMPLAN_BAD_INPUT);
}

static const struct test_case cases[] = {
    {"plans, and checks of them", test_plan},
    {"what does not fit, and what would", test_what_does_not_fit},
    {"wrong plans", test_verify},
    {"graphs in the memories of a chip", test_graphs},
    {"bad input", test_bad_input},
};

TESTING_MAIN("memories", cases)
