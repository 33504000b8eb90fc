#include "datasets/hlo/hlo.h"

#include "datasets/reading.h"
#include "planning/plan/plan.h"
#include "support/fail_each.h"
#include "support/verify_pairwise.h"

/* Modules of XLA that the fuzz target starts from, unchanged: xprof_* taken out of a profile of
   openxla/xprof (Apache-2.0), jax_jit_f of gomlx/gopjrt (Apache-2.0), xla_sample of iree-org/iree
   (Apache-2.0 WITH LLVM-exception). loop_and_branch and in_place are made by encode() of
   tests/oracles/hlo.py, which holds many more against what docs/formats.md says. And modules that
   are made here, field by field. */

static const struct carried_choice any = {.memory = CARRIED_ANY};

static struct text load(const char *name)
{
    char path[512];
    struct text text;
    struct error failed;
    snprintf(path, sizeof path, CORPUS "/hlo/%s", name);
    CU_ASSERT_EQUAL_FATAL(text_read_file(path, &text, &failed), STATUS_OK);
    return text;
}

static enum status read_any(const struct text *text, struct error *failed)
{
    SCOPED(carried_clear) struct carried carried = {0};
    return hlo_read(text, "test.file", &any, &carried, failed);
}

static bool is_refused(const struct text *text, const char *words)
{
    struct error failed = ERROR_NONE;
    enum status status = read_any(text, &failed);
    bool said = status == STATUS_BAD_INPUT && strcmp(failed.file, "test.file") == 0;
    CU_ASSERT(status == STATUS_OK || said);
    return said && strstr(failed.text, words);
}

static void check_carried(const struct carried *carried, uint64_t peak)
{
    SCOPED(plan_release) struct plan *plan = NULL;
    struct error failed;
    struct verdict verdict;
    const struct problem *problem = carried->problem;
    CU_ASSERT_EQUAL_FATAL(plan_create(problem, &plan, &failed), STATUS_OK);
    for (uint32_t b = 0; b < problem->buffers; b++)
        plan->offset[b] = carried->offset[b];
    plan->status = PLAN_FEASIBLE;
    CU_ASSERT_EQUAL(plan_set_peak(plan, problem, &failed), STATUS_OK);
    CU_ASSERT_EQUAL(plan->measures.peak_bytes, peak);
    verify_plan_pairwise(problem, plan, &verdict);
    CU_ASSERT_EQUAL(verdict.fault, VERIFY_VALID);
}

/* The largest allocation, and the one that is asked for; both are as large as their plans. */
static void test_module(void)
{
    static const struct {
        uint64_t memory, bytes;
        uint32_t buffers;
    } cases[] = {{CARRIED_ANY, 21474934784, 12}, {5, 21474934784, 12}, {6, 12, 6}};
    SCOPED(text_free) struct text text = load("xprof_jit_f.hlo.pb");
    struct error failed;
    CU_ASSERT_TRUE(hlo_is_module(&text));
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        SCOPED(carried_clear) struct carried carried = {0};
        const struct carried_choice choice = {.memory = cases[i].memory};
        CU_ASSERT_EQUAL_FATAL(hlo_read(&text, "test.file", &choice, &carried, &failed), STATUS_OK);
        CU_ASSERT_EQUAL(carried.problem->buffers, cases[i].buffers);
        CU_ASSERT_EQUAL(carried.arena_bytes, cases[i].bytes);
        check_carried(&carried, cases[i].bytes);
    }
    const struct carried_choice parameter = {.memory = 1};
    SCOPED(carried_clear) struct carried carried = {0};
    CU_ASSERT_EQUAL(hlo_read(&text, "test.file", &parameter, &carried, &failed), STATUS_BAD_INPUT);
    CU_ASSERT_PTR_NOT_NULL(strstr(failed.text, "no heap simulator trace of that allocation"));
}

static void test_without_plan(void)
{
    static const char *const names[] = {"xprof_jit__psum.hlo.pb", "jax_jit_f.hlo.pb",
                                        "xla_sample.pb"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        SCOPED(text_free) struct text text = load(names[i]);
        SCOPED(carried_clear) struct carried carried = {0};
        struct error failed;
        CU_ASSERT_TRUE(hlo_is_module(&text));
        CU_ASSERT_EQUAL(hlo_read(&text, "test.file", &any, &carried, &failed), STATUS_OK);
        CU_ASSERT_PTR_NULL(carried.problem);
    }
    SCOPED(text_free) struct text other = reading_text("{\"format\": 1}");
    CU_ASSERT_FALSE(hlo_is_module(&other));
    CU_ASSERT_TRUE(is_refused(&other, "found no module of XLA"));
}

static enum status read_graph(const struct text *text, struct error *failed)
{
    SCOPED(graph_release) struct graph *graph = NULL;
    return hlo_read_graph(text, "test.file", 0, &graph, failed);
}

/* How many operators, tensors and bytes in the arena the graphs of the files have; of the module
   with places in the spaces 0, 2 and 5 for each. */
static void test_graphs(void)
{
    static const struct {
        const char *name;
        uint64_t memory, bytes;
        uint32_t operators, tensors;
    } cases[] = {
        {"xprof_jit_f.hlo.pb", 0, 6 * UINT64_C(5368709120), 15, 15},
        {"xprof_jit_f.hlo.pb", 2, 24, 15, 15},
        {"xprof_jit_f.hlo.pb", 5, 3 * UINT64_C(5368709120), 15, 15},
        {"xprof_jit__psum.hlo.pb", 0, 2 * UINT64_C(5368709120), 1, 2},
        {"jax_jit_f.hlo.pb", 0, 12, 2, 3},
        {"xla_sample.pb", 0, 12, 2, 3},
        {"loop_and_branch.hlo.pb", 0, 3088, 10, 17},
        {"in_place.hlo.pb", 0, 3264, 7, 7},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        SCOPED(text_free) struct text text = load(cases[i].name);
        SCOPED(graph_release) struct graph *graph = NULL;
        struct error failed;
        uint64_t bytes = 0;
        CU_ASSERT_EQUAL_FATAL(hlo_read_graph(&text, "test.file", cases[i].memory, &graph, &failed),
                              STATUS_OK);
        for (uint32_t t = 0; t < graph->tensors; t++)
            bytes += graph->tensor[t].external ? 0 : graph->tensor[t].bytes;
        CU_ASSERT_EQUAL(bytes, cases[i].bytes);
        CU_ASSERT_EQUAL(graph->operators, cases[i].operators);
        CU_ASSERT_EQUAL(graph->tensors, cases[i].tensors);
    }
}

/* Fields of a message being made. */
static void add_number(struct text *text, unsigned field, unsigned value)
{
    const char bytes[] = {(char)(field << 3), (char)value};
    CU_ASSERT_FATAL(value < 128);
    text_append_bytes(text, bytes, sizeof bytes);
}

static void add_bytes(struct text *text, unsigned field, const struct text *content)
{
    const char head[] = {(char)(field << 3 | 2), (char)content->length};
    CU_ASSERT_FATAL(content->length < 128);
    text_append_bytes(text, head, sizeof head);
    text_append_bytes(text, content->bytes ? content->bytes : "", content->length);
}

/* Numbers of a message: field, value, field, value, .. 0. */
static void add_message(struct text *text, unsigned field, const unsigned *numbers)
{
    SCOPED(text_free) struct text message = {0};
    for (; numbers[0]; numbers += 2)
        add_number(&message, numbers[0], numbers[1]);
    add_bytes(text, field, &message);
}

/* A proto with a module of one computation, and an allocation of 24 bytes with the buffers 7 and 8
   at 0, 9 at 8 and 10 at 16, of 8 bytes each. events: kind, buffer, canonical, -1 at the end. */
static struct text make_proto(const int *events)
{
    SCOPED(text_free) struct text module = {0};
    SCOPED(text_free) struct text allocation = {0};
    SCOPED(text_free) struct text trace = {0};
    SCOPED(text_free) struct text assignment = {0};
    struct text proto = {0}, name = reading_text("m"), nothing = {0};
    add_bytes(&module, 1, &name);
    text_free(&name);
    add_bytes(&module, 3, &nothing);
    add_bytes(&proto, 1, &module);
    add_number(&allocation, 1, 4);
    for (unsigned b = 7; b <= 10; b++)
        add_message(&allocation, 9, (const unsigned[]){1, b, 2, b < 9 ? 0 : 8 * (b - 8), 3, 8, 0});
    add_number(&allocation, 2, 24);
    add_bytes(&assignment, 3, &allocation);
    for (; *events >= 0; events += 3)
        add_message(&trace, 1,
                    (const unsigned[]){1, (unsigned)events[0], 2, (unsigned)events[1], 5,
                                       (unsigned)events[2], 0});
    add_bytes(&assignment, 4, &trace);
    add_bytes(&proto, 3, &assignment);
    return proto;
}

/* 8 shares the place of 7 and holds it longer; 9 is freed once; 10 has no event. */
static void test_sharing(void)
{
    SCOPED(text_free)
    struct text text =
        make_proto((const int[]){0, 7, 0, 0, 9, 0, 2, 8, 7, 1, 7, 0, 1, 9, 0, 1, 8, 0, -1});
    SCOPED(carried_clear) struct carried carried = {0};
    static const uint32_t lives[][2] = {{0, 5}, {1, 4}, {0, 6}};
    struct error failed;
    CU_ASSERT_EQUAL_FATAL(hlo_read(&text, "test.file", &any, &carried, &failed), STATUS_OK);
    CU_ASSERT_EQUAL_FATAL(carried.problem->buffers, 3);
    for (uint32_t b = 0; b < 3; b++) {
        CU_ASSERT_EQUAL(problem_lower(carried.problem, b), lives[b][0]);
        CU_ASSERT_EQUAL(problem_upper(carried.problem, b), lives[b][1]);
        CU_ASSERT_EQUAL(carried.offset[b], 8 * b);
    }
    check_carried(&carried, 24);

    /* The same inside an HloSnapshot. */
    SCOPED(text_free) struct text snapshot = {0};
    add_message(&snapshot, 5, (const unsigned[]){1, 1, 0});
    const char head[] = {1 << 3 | 2, (char)((text.length & 127) | 128), (char)(text.length >> 7)};
    text_append_bytes(&snapshot, head, sizeof head);
    text_append_bytes(&snapshot, text.bytes, text.length);
    CU_ASSERT_EQUAL(read_any(&snapshot, &failed), STATUS_OK);
}

static void test_events(void)
{
    static const struct {
        const char *words;
        int events[7];
    } cases[] = {
        {"of buffer 11", {0, 7, 0, 0, 11, 0, -1}},
        {"of kind 3", {0, 7, 0, 3, 7, 0, -1}},
        {"expected an allocation, a free or a share", {0, 7, 0, 2, 8, 11, -1}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        SCOPED(text_free) struct text text = make_proto(cases[i].events);
        CU_ASSERT_TRUE(is_refused(&text, cases[i].words));
    }
    /* Buffers that share each other's place, in a circle. */
    SCOPED(text_free)
    struct text circle = make_proto((const int[]){0, 7, 0, 2, 8, 7, 2, 7, 8, 2, 9, 9, -1});
    struct error failed;
    CU_ASSERT_EQUAL(read_any(&circle, &failed), STATUS_OK);
}

struct made_instruction {
    const char *opcode;
    unsigned id, type, operand, called; /* type: of its shape; 0 for no operand, nothing called */
};

/* A number in a field above 15. */
static void add_high(struct text *text, unsigned field, unsigned value)
{
    const char bytes[] = {(char)((field << 3 & 127) | 128), (char)(field >> 4), (char)value};
    if (value)
        text_append_bytes(text, bytes, sizeof bytes);
}

/* A module whose only computation, 1, is the entry and has 9 as its root. */
static struct text make_module(const struct made_instruction *made, unsigned count)
{
    SCOPED(text_free) struct text computation = {0};
    struct text module = {0}, name = reading_text("m");
    add_bytes(&module, 1, &name);
    text_free(&name);
    for (unsigned i = 0; i < count; i++) {
        SCOPED(text_free) struct text instruction = {0};
        SCOPED(text_free) struct text opcode = reading_text(made[i].opcode);
        add_bytes(&instruction, 1, &opcode);
        add_bytes(&instruction, 2, &opcode);
        add_message(&instruction, 3, (const unsigned[]){2, made[i].type, 0});
        add_high(&instruction, 35, made[i].id);
        add_high(&instruction, 36, made[i].operand);
        add_high(&instruction, 38, made[i].called);
        add_bytes(&computation, 2, &instruction);
    }
    add_number(&computation, 5, 1);
    add_number(&computation, 6, 9);
    const char head[] = {3 << 3 | 2, (char)((computation.length & 127) | 128),
                         (char)(computation.length >> 7)};
    text_append_bytes(&module, head, sizeof head);
    text_append_bytes(&module, computation.bytes, computation.length);
    add_number(&module, 6, 1);
    return module;
}

static void test_refused_graphs(void)
{
    static const struct {
        const char *words;
        struct made_instruction made[3];
        unsigned count;
    } cases[] = {
        {NULL, {{"parameter", 2, 11, 0, 0}, {"negate", 9, 11, 2, 0}}, 2},
        {"instructions that compute", {{"parameter", 9, 11, 0, 0}}, 1},
        {"a schedule of its own computation", {{"negate", 9, 11, 8, 0}}, 1},
        {"what it reads comes before it", {{"negate", 9, 11, 8, 0}, {"abs", 8, 11, 9, 0}}, 2},
        {"found id 9 twice", {{"negate", 9, 11, 0, 0}, {"negate", 9, 11, 0, 0}}, 2},
        {"found an array of type 14", {{"negate", 9, 14, 0, 0}}, 1},
        {"found parameter 0, expected each of 2 once",
         {{"parameter", 9, 11, 0, 0}, {"parameter", 2, 11, 0, 0}},
         2},
        {"fewer calls of computations", {{"call", 9, 11, 0, 1}}, 1},
        {"computations of the module that it calls", {{"call", 9, 11, 0, 5}}, 1},
        {"an element of a tuple",
         {{"parameter", 2, 11, 0, 0}, {"get-tuple-element", 9, 11, 2, 0}},
         2},
        {"branches, and an operand", {{"parameter", 2, 11, 0, 0}, {"conditional", 9, 11, 2, 0}}, 2},
        {"the shape of its operand", {{"while", 9, 11, 0, 1}}, 1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        SCOPED(text_free) struct text text = make_module(cases[i].made, cases[i].count);
        struct error failed = ERROR_NONE;
        enum status status = read_graph(&text, &failed);
        CU_ASSERT_EQUAL(status, cases[i].words ? STATUS_BAD_INPUT : STATUS_OK);
        CU_ASSERT_TRUE(!cases[i].words || strstr(failed.text, cases[i].words));
    }
}

/* Every start of a file, and every byte changed in several ways, is read or refused. */
static void test_damage(void)
{
    static const unsigned char masks[] = {1, 4, 0x80, 0xff};
    SCOPED(text_free) struct text text = load("xprof_jit_f.hlo.pb");
    unsigned outside = 0;
    for (size_t at = 0; at < text.length; at += 3) {
        struct text copy = {.bytes = malloc(at + 1), .length = at};
        memcpy(copy.bytes, text.bytes, at);
        is_refused(&copy, "");
        hlo_is_module(&copy);
        free(copy.bytes);
        for (size_t m = 0; m < sizeof masks; m++) {
            text.bytes[at] = (char)(text.bytes[at] ^ masks[m]);
            outside += is_refused(&text, "expected them in its");
            text.bytes[at] = (char)(text.bytes[at] ^ masks[m]);
        }
    }
    CU_ASSERT(outside > 0);
}

/* The same of graphs. */
static void test_damaged_graphs(void)
{
    static const unsigned char masks[] = {1, 0x86};
    static const char *const names[] = {"loop_and_branch.hlo.pb", "in_place.hlo.pb"};
    unsigned read = 0, refused = 0;
    for (size_t i = 0; i < 2; i++) {
        SCOPED(text_free) struct text text = load(names[i]);
        for (size_t at = 0; at < text.length; at++)
            for (size_t m = 0; m < sizeof masks; m++) {
                struct error failed = ERROR_NONE;
                text.bytes[at] = (char)(text.bytes[at] ^ masks[m]);
                enum status status = read_graph(&text, &failed);
                text.bytes[at] = (char)(text.bytes[at] ^ masks[m]);
                CU_ASSERT(status == STATUS_OK || status == STATUS_BAD_INPUT);
                CU_ASSERT(status == STATUS_OK || strcmp(failed.file, "test.file") == 0);
                read += status == STATUS_OK;
                refused += status == STATUS_BAD_INPUT;
            }
    }
    CU_ASSERT(read > 500 && refused > 500);
}

static enum status read_input(const void *input, struct error *failed)
{
    return read_any(input, failed);
}

static enum status read_graph_input(const void *input, struct error *failed)
{
    return read_graph(input, failed);
}

static void test_allocations(void)
{
    static const char *const names[] = {"loop_and_branch.hlo.pb", "in_place.hlo.pb"};
    SCOPED(text_free) struct text text = load("xprof_jit_f.hlo.pb");
    fail_each(read_input, &text);
    for (size_t i = 0; i < 2; i++) {
        SCOPED(text_free) struct text graph = load(names[i]);
        fail_each(read_graph_input, &graph);
    }
}

static const struct test_case cases[] = {
    {"carried plans are safe and as large as the file says", test_module},
    {"modules without a plan", test_without_plan},
    {"modules as graphs", test_graphs},
    {"buffers that share a place", test_sharing},
    {"events that cannot be", test_events},
    {"modules that are no graphs", test_refused_graphs},
    {"damaged modules are read or refused", test_damage},
    {"damaged graphs are read or refused", test_damaged_graphs},
    {"every allocation may fail", test_allocations},
};
TESTING_MAIN("datasets/hlo", cases)
