#include <inttypes.h>
#include <memplan/memplan.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/testing.h"

enum { BUFFERS = 4, THREADS = 4, ROUNDS = 12 };

/* Two of 60 bytes one after the other, one of 40 beside both, one of 10 beside the second. */
static const uint64_t sizes[BUFFERS] = {60, 40, 60, 10};
static const uint32_t lowers[BUFFERS] = {0, 0, 2, 3}, uppers[BUFFERS] = {2, 4, 4, 4};

static struct memplan_problem make_problem(void)
{
    return (struct memplan_problem){.struct_bytes = sizeof(struct memplan_problem),
                                    .buffers = BUFFERS,
                                    .size = sizes,
                                    .lower = lowers,
                                    .upper = uppers};
}

static struct memplan_answer make_answer(uint64_t *offset)
{
    return (struct memplan_answer){.struct_bytes = sizeof(struct memplan_answer), .offset = offset};
}

static void test_plan(void)
{
    const char *const planners[] = {NULL, "exact", "large_first", "naive", "nnvm?match_range=4"};
    for (size_t i = 0; i < sizeof planners / sizeof *planners; i++) {
        uint64_t offset[BUFFERS];
        struct memplan_problem problem = make_problem();
        struct memplan_answer answer = make_answer(offset), again = make_answer(offset);
        enum memplan_result result = memplan_plan(planners[i], &problem, &answer);
        CU_ASSERT(result == MEMPLAN_FOUND || result == MEMPLAN_OPTIMAL);
        CU_ASSERT(answer.lower_bound_bytes == 110 && answer.peak_bytes >= 110);
        CU_ASSERT_EQUAL(result == MEMPLAN_OPTIMAL, answer.peak_bytes == 110);
        CU_ASSERT_STRING_EQUAL(answer.message, "");
        CU_ASSERT_EQUAL(memplan_verify(&problem, &again), MEMPLAN_FOUND);
        CU_ASSERT_EQUAL(again.peak_bytes, answer.peak_bytes);
    }
}

static void test_constraints(void)
{
    static const uint64_t alignment[BUFFERS] = {1, 32, 64, 1};
    static const uint64_t fixed[BUFFERS] = {MEMPLAN_FREE, MEMPLAN_FREE, 128, MEMPLAN_FREE};
    uint64_t offset[BUFFERS];
    struct memplan_problem problem = make_problem();
    struct memplan_answer answer = make_answer(offset);
    problem.alignment = alignment;
    problem.fixed_offset = fixed;
    CU_ASSERT(memplan_plan("exact", &problem, &answer) <= MEMPLAN_OPTIMAL);
    CU_ASSERT(offset[1] % 32 == 0 && offset[2] == 128 && answer.peak_bytes == 188);
}

/* The second buffer has a hole, in which the third fits, and uses half of itself at the end. */
static void test_segments(void)
{
    static const uint64_t size[] = {10, 100, 100, 50};
    static const uint32_t first[] = {0, 1, 3, 4, 5};
    static const uint32_t lower[] = {0, 0, 4, 2, 4}, upper[] = {1, 2, 5, 4, 5};
    static const uint64_t window_lower[] = {0, 0, 0, 0, 0}, window_upper[] = {10, 100, 50, 100, 50};
    uint64_t offset[4];
    struct memplan_problem problem = {.struct_bytes = sizeof problem,
                                      .buffers = 4,
                                      .segments = 5,
                                      .size = size,
                                      .first = first,
                                      .lower = lower,
                                      .upper = upper,
                                      .window_lower = window_lower,
                                      .window_upper = window_upper};
    struct memplan_answer answer = make_answer(offset);
    CU_ASSERT_EQUAL(memplan_plan("exact", &problem, &answer), MEMPLAN_OPTIMAL);
    CU_ASSERT_EQUAL(answer.peak_bytes, 110);
}

static void test_capacity(void)
{
    uint64_t offset[BUFFERS];
    struct memplan_problem problem = make_problem();
    struct memplan_answer answer = make_answer(offset);
    problem.capacity_bytes = 109;
    CU_ASSERT_EQUAL(memplan_plan("exact", &problem, &answer), MEMPLAN_INFEASIBLE);
    CU_ASSERT_EQUAL(answer.lower_bound_bytes, 110);
    CU_ASSERT_STRING_EQUAL(answer.message,
                           "no plan fits the capacity: step 3 has 110 live bytes, among them '2' "
                           "(60) and '1' (40)");
    CU_ASSERT(answer.first == 2 && answer.second == 1 && answer.step == 3);
    CU_ASSERT_EQUAL(answer.peak_bytes, 0);
    problem.capacity_bytes = 120;
    CU_ASSERT_EQUAL(memplan_plan("naive", &problem, &answer), MEMPLAN_GAVE_UP);
    CU_ASSERT_STRING_EQUAL(answer.message, "over the capacity: step 3 has 110 live bytes, among "
                                           "them '2' (60) and '1' (40)");
}

static void test_verify(void)
{
    uint64_t offset[BUFFERS] = {0, 50, 0, 200};
    struct memplan_problem problem = make_problem();
    struct memplan_answer answer = make_answer(offset);
    CU_ASSERT_EQUAL(memplan_verify(&problem, &answer), MEMPLAN_WRONG);
    CU_ASSERT_STRING_EQUAL(answer.message,
                           "buffers '0' at [0, 60) and '1' at [50, 90) share bytes at step 0");
    CU_ASSERT(answer.first == 0 && answer.second == 1 && answer.step == 0);
    offset[1] = 60;
    CU_ASSERT_EQUAL(memplan_verify(&problem, &answer), MEMPLAN_FOUND);
    CU_ASSERT(answer.first == MEMPLAN_NOBODY && answer.step == MEMPLAN_NOBODY);
    CU_ASSERT_EQUAL(answer.peak_bytes, 210);
    problem.capacity_bytes = 209;
    CU_ASSERT_EQUAL(memplan_verify(&problem, &answer), MEMPLAN_GAVE_UP);
    CU_ASSERT_STRING_EQUAL(answer.message,
                           "found a peak of 210 bytes, expected at most the capacity, 209");
    offset[2] = MEMPLAN_FREE;
    CU_ASSERT_EQUAL(memplan_verify(&problem, &answer), MEMPLAN_WRONG);
    CU_ASSERT(strstr(answer.message, "'2'") != NULL);
}

/* This planner lays the third buffer in two pieces, which no offset can tell. */
static void test_split(void)
{
    static const uint64_t size[] = {8, 7, 3, 1, 4};
    static const uint32_t lower[] = {0, 4, 3, 2, 1}, upper[] = {3, 5, 5, 3, 5};
    uint64_t offset[5] = {7, 7, 7, 7, 7};
    struct memplan_problem problem = {
        .struct_bytes = sizeof problem, .buffers = 5, .size = size, .lower = lower, .upper = upper};
    struct memplan_answer answer = make_answer(offset);
    CU_ASSERT_EQUAL(memplan_plan("exclusive", &problem, &answer), MEMPLAN_UNSUPPORTED);
    CU_ASSERT_STRING_EQUAL(answer.message,
                           "the plan splits buffers, which the library cannot tell");
    CU_ASSERT(offset[0] == 7 && answer.peak_bytes == 0);
}

/* Calls share nothing, so that each finds what it finds alone. */
static void *plan_often(void *peaks)
{
    uint64_t *peak_bytes = peaks;
    for (uint32_t i = 0; i < ROUNDS; i++) {
        uint64_t offset[BUFFERS];
        struct memplan_problem problem = make_problem();
        struct memplan_answer answer = make_answer(offset);
        problem.threads = 1 + i % 2;
        if (memplan_plan(i % 3 ? "exact" : NULL, &problem, &answer) == MEMPLAN_OPTIMAL &&
            memplan_verify(&problem, &answer) == MEMPLAN_FOUND)
            peak_bytes[i] = answer.peak_bytes;
    }
    return NULL;
}

static void test_threads(void)
{
    uint64_t peak_bytes[THREADS][ROUNDS] = {{0}};
    pthread_t thread[THREADS];
    for (uint32_t i = 0; i < THREADS; i++)
        CU_ASSERT_EQUAL_FATAL(pthread_create(&thread[i], NULL, plan_often, peak_bytes[i]), 0);
    for (uint32_t i = 0; i < THREADS; i++)
        pthread_join(thread[i], NULL);
    for (uint32_t i = 0; i < THREADS; i++)
        for (uint32_t k = 0; k < ROUNDS; k++)
            CU_ASSERT_EQUAL(peak_bytes[i][k], 110);
}

static void check_refused(const struct memplan_problem *problem, const char *planner,
                          const char *text)
{
    uint64_t offset[BUFFERS] = {7, 7, 7, 7};
    struct memplan_answer answer = make_answer(offset);
    CU_ASSERT_EQUAL(memplan_plan(planner, problem, &answer), MEMPLAN_BAD_INPUT);
    if (!strstr(answer.message, text))
        printf("\n    %s, expected %s", answer.message, text);
    CU_ASSERT_PTR_NOT_NULL(strstr(answer.message, text));
    CU_ASSERT(offset[0] == 7 && offset[3] == 7);
}

static void test_bad_input(void)
{
    static const uint64_t none[BUFFERS] = {60, 0, 60, 10}, vast[BUFFERS] = {60, 1, INT64_MAX, 10};
    static const uint32_t backwards[BUFFERS] = {2, 4, 1, 4}, far[BUFFERS + 1] = {0, 1, 2, 9, 4};
    enum { ROWS = 11 };
    struct memplan_problem problem[ROWS];
    const char *const texts[ROWS] = {"found 0 buffers, expected at least 1",
                                     "found no array size, expected one",
                                     "found no array lower, expected one",
                                     "found no array upper, expected one",
                                     "found one of window_lower and window_upper",
                                     "found 3 segments of 4 buffers without the array first",
                                     "buffer '1' has size 0, expected at least 1",
                                     "more than 2^63 - 1 bytes at buffer '2'",
                                     "buffer '2' lives in [2, 1), expected lower < upper",
                                     "buffer '2' has the segments 2 up to 9 of 4",
                                     "found a struct_bytes of 0 in the problem"};
    for (int i = 0; i < ROWS; i++)
        problem[i] = make_problem();
    check_refused(&problem[0], "large", "no planner 'large', expected one of memplan_planner_at");
    check_refused(&problem[0], "nnvm?match_range=x", "match_range=");
    problem[0].buffers = 0;
    problem[1].size = NULL;
    problem[2].lower = NULL;
    problem[3].upper = NULL;
    problem[4].window_lower = sizes;
    problem[5].segments = 3;
    problem[6].size = none;
    problem[7].size = vast;
    problem[8].upper = backwards;
    problem[9].segments = BUFFERS;
    problem[9].first = far;
    problem[10].struct_bytes = 0;
    for (int i = 0; i < ROWS; i++)
        check_refused(&problem[i], NULL, texts[i]);
}

static void test_null_pointers(void)
{
    uint64_t offset[BUFFERS] = {7, 7, 7, 7};
    struct memplan_problem problem = make_problem();
    struct memplan_answer answer = make_answer(NULL);
    CU_ASSERT_EQUAL(memplan_plan(NULL, &problem, &answer), MEMPLAN_BAD_INPUT);
    CU_ASSERT_STRING_EQUAL(answer.message, "found no array offset, expected one");
    CU_ASSERT_EQUAL(memplan_verify(&problem, &answer), MEMPLAN_BAD_INPUT);
    answer.offset = offset;
    CU_ASSERT_EQUAL(memplan_plan(NULL, NULL, &answer), MEMPLAN_BAD_INPUT);
    CU_ASSERT_STRING_EQUAL(answer.message, "found no problem, expected one");
    CU_ASSERT(answer.offset == offset && offset[0] == 7);
    CU_ASSERT_EQUAL(memplan_plan(NULL, &problem, NULL), MEMPLAN_BAD_INPUT);
    CU_ASSERT_EQUAL(memplan_plan(NULL, NULL, NULL), MEMPLAN_BAD_INPUT);
    CU_ASSERT_EQUAL(memplan_verify(NULL, &answer), MEMPLAN_BAD_INPUT);
    CU_ASSERT_EQUAL(memplan_verify(&problem, NULL), MEMPLAN_BAD_INPUT);
    CU_ASSERT_EQUAL(memplan_verify(NULL, NULL), MEMPLAN_BAD_INPUT);
    CU_ASSERT_EQUAL(memplan_planner_at(0, NULL), 0);
}

/* Cut in the midst of a character, which is then left out. */
static void test_messages_are_printable(void)
{
    struct memplan_problem problem = make_problem();
    char name[256];
    check_refused(&problem, "a\x1b[2J\xff\xc3\xa9", "no planner 'a\\x1b[2J\\xff\xc3\xa9'");
    for (size_t skipped = 0; skipped < 3; skipped++) {
        uint64_t offset[BUFFERS];
        struct memplan_answer answer = make_answer(offset);
        memset(name, 'n', skipped);
        for (size_t i = skipped; i < sizeof name; i++)
            name[i] = "\xe4\xb8\xad"[(i - skipped) % 3];
        name[sizeof name - 1] = '\0';
        CU_ASSERT_EQUAL(memplan_plan(name, &problem, &answer), MEMPLAN_BAD_INPUT);
        size_t length = strlen(answer.message);
        CU_ASSERT(length > sizeof answer.message - 4 && answer.message[length - 1] == '\xad');
    }
}

enum { MANY = 300 };

/* Plans MANY buffers by each planner that has threads, with too many of them, in an address space
   that has room for so many more bytes. False where a result is none of those that may be. */
static bool plan_in(uint64_t room_bytes)
{
    static const char *const planners[] = {"portfolio", "exact", "best"};
    static uint64_t size[MANY], offset[MANY];
    static uint32_t lower[MANY], upper[MANY];
    uint64_t pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (!file || fscanf(file, "%" SCNu64, &pages) != 1)
        return false;
    fclose(file);
    const rlim_t bytes = (rlim_t)(pages * (uint64_t)sysconf(_SC_PAGESIZE) + room_bytes);
    if (setrlimit(RLIMIT_AS, &(struct rlimit){bytes, bytes}))
        return false;
    for (uint32_t b = 0; b < MANY; b++) {
        lower[b] = b * 7919 % MANY;
        upper[b] = lower[b] + 1 + b * 31 % 40;
        size[b] = 1 + b * 104729 % 1000;
    }
    for (size_t i = 0; i < sizeof planners / sizeof *planners; i++) {
        struct memplan_problem problem = {.struct_bytes = sizeof problem,
                                          .buffers = MANY,
                                          .size = size,
                                          .lower = lower,
                                          .upper = upper,
                                          .time_limit_ns = 20000000,
                                          .threads = i ? 500 : UINT32_MAX};
        struct memplan_answer answer = make_answer(offset);
        enum memplan_result result = memplan_plan(planners[i], &problem, &answer);
        if (result > MEMPLAN_OPTIMAL && result != MEMPLAN_NO_MEMORY && result != MEMPLAN_TIMEOUT)
            return false;
    }
    return true;
}

/* The process that calls goes on, however little memory there is: here a copy of this one.
   Sanitizers need some themselves. */
static void test_little_memory(void)
{
    if (!TESTING_COUNT(1, 0))
        return;
    for (uint64_t room_bytes = 0; room_bytes < (uint64_t)64 << 20;
         room_bytes += room_bytes / 4 + 100000) {
        pid_t child = fork();
        CU_ASSERT_FATAL(child >= 0);
        if (!child)
            _exit(!plan_in(room_bytes));
        int ending;
        CU_ASSERT_EQUAL(waitpid(child, &ending, 0), child);
        CU_ASSERT(WIFEXITED(ending) && WEXITSTATUS(ending) == 0);
    }
}

/* A program that was compiled with a header of fewer fields: nothing behind them is touched. */
static void test_older_header(void)
{
    uint64_t offset[BUFFERS];
    struct memplan_problem problem = make_problem();
    struct memplan_answer answer = make_answer(offset);
    struct memplan_description described = {.struct_bytes =
                                                offsetof(struct memplan_description, source)};
    problem.struct_bytes = offsetof(struct memplan_problem, threads);
    problem.threads = 1000000;
    answer.struct_bytes = offsetof(struct memplan_answer, peak_bytes);
    answer.peak_bytes = 12345;
    CU_ASSERT(memplan_plan("exact", &problem, &answer) <= MEMPLAN_OPTIMAL);
    CU_ASSERT(answer.peak_bytes == 12345 && answer.lower_bound_bytes == 110);
    CU_ASSERT_EQUAL(memplan_planner_at(0, &described), 1);
    CU_ASSERT_STRING_EQUAL(described.name, "naive");
    CU_ASSERT_PTR_NULL(described.source);
}

static void test_tables(void)
{
    struct memplan_description described = {.struct_bytes = sizeof described};
    uint32_t exact = 0, count = memplan_planner_count();
    for (uint32_t i = 0; i < count; i++) {
        CU_ASSERT_EQUAL(memplan_planner_at(i, &described), 1);
        CU_ASSERT(described.name && described.family && described.title && described.source);
        exact += strcmp(described.name, "exact") == 0 && described.flags & MEMPLAN_EXACT;
    }
    CU_ASSERT(count > 50 && exact == 1);
    CU_ASSERT_EQUAL(memplan_planner_at(count, &described), 0);
    CU_ASSERT_STRING_EQUAL(memplan_result_name(MEMPLAN_WRONG), "wrong");
    CU_ASSERT_STRING_EQUAL(memplan_result_name((enum memplan_result)77), "unknown");
    CU_ASSERT(strchr(memplan_version(), '.') != NULL);
}

static const struct test_case cases[] = {
    {"a plan by several planners", test_plan},
    {"alignment and fixed offsets", test_constraints},
    {"segments and windows", test_segments},
    {"capacities", test_capacity},
    {"verify names the witness", test_verify},
    {"split buffers", test_split},
    {"calls from several threads", test_threads},
    {"bad input", test_bad_input},
    {"null pointers", test_null_pointers},
    {"messages are printable", test_messages_are_printable},
    {"little memory", test_little_memory},
    {"structures of older headers", test_older_header},
    {"planners, version, results", test_tables},
};

TESTING_MAIN("memplan", cases)
