#include "datasets/executorch/executorch.h"

#include "datasets/reading.h"
#include "planning/plan/plan.h"
#include "support/fail_each.h"
#include "support/verify_pairwise.h"

/* Programs of ExecuTorch that the fuzz target starts from. They come unchanged from
   pytorch/executorch (keyword_spotting, linear_no_constant_segment; BSD-3-Clause),
   corey-cole/executorch-numpy-runtime (lstm, dynamic; Apache-2.0) and barakugav/executorch-rs
   (external_constants; Apache-2.0). */

static const struct program {
    const char *name;
    uint32_t buffers, steps;
    uint64_t peak, arena_bytes;
} programs[] = {
    {"dynamic", 2, 1, 64, 128}, /* 64 bytes more for XNNPACK */
    {"external_constants", 3, 2, 32, 32},
    {"keyword_spotting", 18, 16, 16000, 16000},
    {"linear_no_constant_segment", 3, 2, 32, 32},
    {"lstm", 6, 1, 408, 416}, /* rounded up to 16 */
};
enum { PROGRAMS = sizeof programs / sizeof *programs };

static const struct carried_choice any = {.memory = CARRIED_ANY};

static struct text load(const char *name)
{
    char path[512];
    struct text text;
    struct error failed;
    snprintf(path, sizeof path, CORPUS "/executorch/%s.pte", name);
    CU_ASSERT_EQUAL_FATAL(text_read_file(path, &text, &failed), STATUS_OK);
    return text;
}

/* The carried plan is safe, and its peak is what the file says. */
static void check_program(const struct program *program)
{
    SCOPED(text_free) struct text text = load(program->name);
    SCOPED(carried_clear) struct carried carried = {0};
    SCOPED(plan_release) struct plan *plan = NULL;
    struct error failed;
    struct verdict verdict;
    CU_ASSERT_EQUAL_FATAL(executorch_read(&text, "test.file", &any, &carried, &failed), STATUS_OK);
    const struct problem *problem = carried.problem;
    CU_ASSERT_EQUAL(problem->buffers, program->buffers);
    CU_ASSERT_EQUAL(problem_steps(problem), program->steps);
    CU_ASSERT_EQUAL(carried.arena_bytes, program->arena_bytes);
    CU_ASSERT_EQUAL_FATAL(plan_create(problem, &plan, &failed), STATUS_OK);
    for (uint32_t b = 0; b < problem->buffers; b++) {
        plan->offset[b] = carried.offset[b];
        CU_ASSERT_EQUAL(problem_alignment(problem, b), 16);
    }
    plan->status = PLAN_FEASIBLE;
    CU_ASSERT_EQUAL(plan_set_peak(plan, problem, &failed), STATUS_OK);
    CU_ASSERT_EQUAL(plan->measures.peak_bytes, program->peak);
    verify_plan_pairwise(problem, plan, &verdict);
    CU_ASSERT_EQUAL(verdict.fault, VERIFY_VALID);
}

static void test_programs(void)
{
    for (int p = 0; p < PROGRAMS; p++)
        check_program(&programs[p]);
}

/* A tensor that is read through a view without an instruction lives as long as the view. */
static void test_view(void)
{
    SCOPED(text_free) struct text text = load("keyword_spotting");
    SCOPED(carried_clear) struct carried carried = {0};
    struct error failed;
    uint32_t found = 0;
    CU_ASSERT_EQUAL_FATAL(executorch_read(&text, "test.file", &any, &carried, &failed), STATUS_OK);
    for (uint32_t b = 0; b < carried.problem->buffers; b++) {
        const char *name = names_get(&carried.problem->names, b);
        CU_ASSERT_NOT_EQUAL(strtoul(name, NULL, 10), 271);
        if (strtoul(name, NULL, 10) != 257)
            continue;
        found++;
        CU_ASSERT(problem_upper(carried.problem, b) > problem_lower(carried.problem, b) + 1);
    }
    CU_ASSERT_EQUAL(found, 1);
}

static enum status read_any(const struct text *text, struct error *failed)
{
    SCOPED(carried_clear) struct carried carried = {0};
    return executorch_read(text, "test.file", &any, &carried, failed);
}

static bool is_refused(const struct text *text, const char *words)
{
    struct error failed = ERROR_NONE;
    enum status status = read_any(text, &failed);
    bool said = status == STATUS_BAD_INPUT && strcmp(failed.file, "test.file") == 0;
    CU_ASSERT(status == STATUS_OK || said);
    return said && strstr(failed.text, words);
}

/* Every start of a file, and every byte changed in several ways, is read or refused. */
static void test_damage(void)
{
    static const unsigned char masks[] = {1, 4, 5, 0x80, 0xff};
    unsigned jumps = 0, sizes = 0;
    for (int p = 0; p < PROGRAMS; p++) {
        SCOPED(text_free) struct text text = load(programs[p].name);
        size_t step = text.length > 3000 ? 31 : 1;
        for (size_t at = 0; at < text.length; at += step) {
            struct text copy = {.bytes = malloc(at + 1), .length = at};
            memcpy(copy.bytes, text.bytes, at);
            is_refused(&copy, "");
            free(copy.bytes);
            for (size_t m = 0; m < sizeof masks; m++) {
                text.bytes[at] = (char)(text.bytes[at] ^ masks[m]);
                jumps += is_refused(&text, "found a jump to instruction");
                sizes += is_refused(&text, "expected them in its");
                text.bytes[at] = (char)(text.bytes[at] ^ masks[m]);
            }
        }
    }
    CU_ASSERT(jumps > 0 && sizes > 0);
}

/* A bundle is a table with the program in its third field. */
static void test_bundle(void)
{
    static const char head[] = "\x18\0\0\0BP08\x0a\0\x08\0\0\0\0\0\x04\0\0\0\0\0\0\0\x10\0\0\0"
                               "\x04\0\0\0";
    SCOPED(text_free) struct text program = load("lstm");
    SCOPED(text_free) struct text bundle = {0};
    struct error failed;
    text_append_bytes(&bundle, head, sizeof head - 1);
    for (int i = 0; i < 32; i += 8)
        text_append(&bundle, "%c", (int)(program.length >> i & 255));
    text_append_bytes(&bundle, program.bytes, program.length);
    CU_ASSERT_TRUE(executorch_is_program(&bundle));
    CU_ASSERT_EQUAL(read_any(&bundle, &failed), STATUS_OK);
    bundle.length -= 9;
    CU_ASSERT_TRUE(is_refused(&bundle, "expected no more than the file holds"));
}

static void test_choice(void)
{
    SCOPED(text_free) struct text text = load("lstm");
    struct carried_choice choice;
    struct error failed = ERROR_NONE;
    static const struct {
        const char *part, *words; /* NULL: it is read */
    } cases[] = {
        {NULL, NULL},
        {"", NULL},
        {"method=forward", NULL},
        {"memory=1&method=forward", NULL},
        {"method=forwar", "found no method of that name that plans memory, expected"},
        {"memory=2", "found no method that plans memory there"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        SCOPED(carried_clear) struct carried carried = {0};
        CU_ASSERT_EQUAL(carried_choose(cases[i].part, &choice, &failed), STATUS_OK);
        enum status status = executorch_read(&text, "test.file", &choice, &carried, &failed);
        CU_ASSERT_EQUAL(status, cases[i].words ? STATUS_BAD_INPUT : STATUS_OK);
        CU_ASSERT(!cases[i].words || strstr(failed.text, cases[i].words));
    }
    CU_ASSERT_EQUAL(carried_choose("memory=x", &choice, &failed), STATUS_USAGE);
    CU_ASSERT_EQUAL(carried_choose("method=", &choice, &failed), STATUS_USAGE);
}

/* Every program is written with its buffers end to end, and with the places that it had: the copy
   has these places, an arena for them, and is the same problem. */
static void test_write(void)
{
    for (int p = 0; p < PROGRAMS; p++) {
        SCOPED(text_free) struct text text = load(programs[p].name);
        SCOPED(text_free) struct text apart = {0};
        SCOPED(text_free) struct text back = {0};
        SCOPED(carried_clear) struct carried before = {0};
        SCOPED(carried_clear) struct carried after = {0};
        struct error failed;
        uint64_t end = 0, offset[64];
        CU_ASSERT_EQUAL_FATAL(executorch_read(&text, "test.file", &any, &before, &failed),
                              STATUS_OK);
        for (uint32_t b = 0; b < before.problem->buffers; b++) {
            offset[b] = end;
            end += (before.problem->size[b] + 15) / 16 * 16;
        }
        CU_ASSERT_EQUAL_FATAL(
            executorch_write(&text, "test.file", &any, offset, end, &apart, &failed), STATUS_OK);
        CU_ASSERT_EQUAL_FATAL(executorch_read(&apart, "test.file", &any, &after, &failed),
                              STATUS_OK);
        CU_ASSERT_EQUAL(after.arena_bytes,
                        end + programs[p].arena_bytes - (programs[p].peak + 15) / 16 * 16);
        CU_ASSERT_EQUAL(memcmp(after.offset, offset, after.problem->buffers * sizeof *offset), 0);
        carried_clear(&after);
        CU_ASSERT_EQUAL_FATAL(executorch_write(&apart, "test.file", &any, before.offset,
                                               programs[p].peak, &back, &failed),
                              STATUS_OK);
        CU_ASSERT_EQUAL_FATAL(executorch_read(&back, "test.file", &any, &after, &failed),
                              STATUS_OK);
        CU_ASSERT_EQUAL(after.arena_bytes, programs[p].arena_bytes);
        CU_ASSERT_EQUAL(
            memcmp(after.offset, before.offset, after.problem->buffers * sizeof *offset), 0);
    }
}

static enum status write_input(const void *input, struct error *failed)
{
    SCOPED(text_free) struct text written = {0};
    static const uint64_t offset[64] = {0, 1024, 2048, 3072, 4096, 5120};
    return executorch_write(input, "test.file", &any, offset, 6144, &written, failed);
}

static enum status read_input(const void *input, struct error *failed)
{
    return read_any(input, failed);
}

static void test_allocations(void)
{
    SCOPED(text_free) struct text text = load("keyword_spotting");
    fail_each(read_input, &text);
    SCOPED(text_free) struct text lstm = load("lstm");
    fail_each(write_input, &lstm);
}

static const struct test_case cases[] = {
    {"carried plans are safe and as large as the file says", test_programs},
    {"views without an instruction", test_view},
    {"damaged programs are read or refused", test_damage},
    {"a bundle", test_bundle},
    {"a method and a memory", test_choice},
    {"programs are written with other places", test_write},
    {"every allocation may fail", test_allocations},
};
TESTING_MAIN("datasets/executorch", cases)
