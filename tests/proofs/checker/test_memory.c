#include "proofs/checker/checker.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "support/testing.h"

/* The checker where memory runs out: each allocation fails once, and it says so. The linker puts
   the functions here in the place of the ordinary ones. */
void *__real_calloc(size_t count, size_t bytes);
void *__real_realloc(void *block, size_t bytes);
void *__wrap_calloc(size_t count, size_t bytes);
void *__wrap_realloc(void *block, size_t bytes);

static uint64_t left = UINT64_MAX; /* allocations before the one that fails */

static bool fails(void)
{
    return left != UINT64_MAX && left-- == 0;
}

void *__wrap_calloc(size_t count, size_t bytes)
{
    return fails() ? NULL : __real_calloc(count, bytes);
}

void *__wrap_realloc(void *block, size_t bytes)
{
    return fails() ? NULL : __real_realloc(block, bytes);
}

/* Three buffers of 2, 2 and 3 bytes, of which each two are live at one step, and a fourth that has
   a pair. */
static const char problem[] = "{\"format\": \"memplan-problem/1\", \"buffers\": [\n"
                              "{\"name\": \"a\", \"size\": 2, \"segments\": [[0, 2]]},\n"
                              "{\"name\": \"b\", \"size\": 2, \"segments\": [[0, 1], [2, 3]]},\n"
                              "{\"name\": \"c\", \"size\": 3, \"segments\": [[1, 3]]},\n"
                              "{\"name\": \"d\", \"size\": 1}], \"conflicts\": [[\"d\", \"c\"]]}\n";
static const char log_text[] =
    "memplan-proof 1\nproblem 0000000000000000\ncapacity 6\nunit 1\nuse all\n"
    "v 0 1 2 2\nv 0 2 2 3\nq 0 1 2\nc 1\nK 1 0 6\nd 1\nc\nK 1 0 6\nend\n";
static const char plan[] = "{\"format\": \"memplan-plan/1\", \"buffers\": [\n"
                           "{\"name\": \"a\", \"offset\": 0}, {\"name\": \"b\", \"offset\": 2},\n"
                           "{\"name\": \"c\", \"offset\": 4}, {\"name\": \"d\", \"offset\": 0}]}\n";
static const char csv[] = "id,lower,upper,size,gaps\na,0,3,2,1-2\nb,0,1,1,\n";

static char folder[] = "/tmp/memplan-check-XXXXXX";

static void write_file(const char *name, const char *text, char path[64])
{
    snprintf(path, 64, "%s/%s", folder, name);
    FILE *file = fopen(path, "w");
    CU_ASSERT_FATAL(file && fputs(text, file) >= 0 && fclose(file) == 0);
}

/* The log, once it has the problem's fingerprint, which a first try says. */
static void write_log(const char *problem_path, char path[64])
{
    struct check_answer answer;
    char text[sizeof log_text], *at;
    memcpy(text, log_text, sizeof text);
    write_file("log.mpp", text, path);
    CU_ASSERT_FALSE(check_files(problem_path, path, NULL, &answer));
    at = strstr(check_fault.text, "expected ");
    CU_ASSERT_PTR_NOT_NULL_FATAL(at);
    memcpy(strstr(text, "0000"), at + strlen("expected "), 16);
    write_file("log.mpp", text, path);
}

static void fail_at_each(const char *problem_path, const char *log, const char *plan_path)
{
    struct check_answer answer;
    bool whole = check_files(problem_path, log, plan_path, &answer);
    enum fault_kind kind = whole ? FAULT_NONE : check_fault.kind;
    CU_ASSERT_NOT_EQUAL(kind, FAULT_INTERNAL);
    for (uint64_t n = 0;; n++) {
        left = n;
        bool fine = check_files(problem_path, log, plan_path, &answer);
        bool unused = left != UINT64_MAX;
        left = UINT64_MAX;
        if (unused) {
            CU_ASSERT_EQUAL(fine, whole);
            CU_ASSERT(n > 3);
            return;
        }
        CU_ASSERT_FALSE_FATAL(fine);
        CU_ASSERT_EQUAL_FATAL(check_fault.kind, FAULT_INTERNAL);
    }
}

static void no_memory(void)
{
    char problem_path[64], csv_path[64], log[64], plan_path[64], command[128];
    CU_ASSERT_PTR_NOT_NULL_FATAL(mkdtemp(folder));
    write_file("problem.json", problem, problem_path);
    write_file("problem.csv", csv, csv_path);
    write_file("plan.json", plan, plan_path);
    write_log(problem_path, log);
    fail_at_each(problem_path, log, NULL);
    fail_at_each(problem_path, log, plan_path);
    fail_at_each(csv_path, log, NULL);
    snprintf(command, sizeof command, "rm -rf %s", folder);
    CU_ASSERT_EQUAL(system(command), 0);
}

static const struct test_case cases[] = {{"no memory", no_memory}};

TESTING_MAIN("proofs/checker/memory", cases)
