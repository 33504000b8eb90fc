#include "datasets/hlo/hlo.h"

#include "datasets/reading.h"
#include "planning/plan/plan.h"
#include "support/fail_each.h"
#include "support/verify_pairwise.h"

/* Modules of XLA that the fuzz target starts from, unchanged: xprof_* taken out of a profile of
   openxla/xprof (Apache-2.0), jax_jit_f of gomlx/gopjrt (Apache-2.0), xla_sample of iree-org/iree
   (Apache-2.0 WITH LLVM-exception). And modules that are made here, field by field. */

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
    static const struct {
        const char *name, *words;
    } cases[] = {
        {"xprof_jit__psum.hlo.pb", "found no heap simulator trace that allocates"},
        {"jax_jit_f.hlo.pb", "found a module without buffer assignment"},
        {"xla_sample.pb", "found a module without buffer assignment"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        SCOPED(text_free) struct text text = load(cases[i].name);
        CU_ASSERT_TRUE(is_refused(&text, cases[i].words));
    }
    SCOPED(text_free) struct text other = reading_text("{\"format\": 1}");
    CU_ASSERT_FALSE(hlo_is_module(&other));
    CU_ASSERT_TRUE(is_refused(&other, "found no module of XLA"));
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
        {"no heap simulator trace", {0, 12, 0, -1}},
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

static enum status read_input(const void *input, struct error *failed)
{
    return read_any(input, failed);
}

static void test_allocations(void)
{
    SCOPED(text_free) struct text text = load("xprof_jit_f.hlo.pb");
    fail_each(read_input, &text);
}

static const struct test_case cases[] = {
    {"carried plans are safe and as large as the file says", test_module},
    {"modules without a plan are refused", test_without_plan},
    {"buffers that share a place", test_sharing},
    {"events that cannot be", test_events},
    {"damaged modules are read or refused", test_damage},
    {"every allocation may fail", test_allocations},
};
TESTING_MAIN("datasets/hlo", cases)
