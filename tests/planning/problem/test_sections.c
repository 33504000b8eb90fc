#include "core/text.h"
#include "planning/problem/bounds.h"
#include "planning/problem/conflicts.h"
#include "planning/problem/sections.h"
#include "planning/sketch.h"
#include "support/made_problem.h"
#include "support/must.h"
#include "support/random_problem.h"
#include "support/testing.h"

static struct sections *create_sections(const struct problem *problem)
{
    struct sections *sections;
    must(sections_create(problem, &sections, &error));
    return sections;
}

/* Sections as "step=load:members", a blank between them. */
static void test_by_hand(void)
{
    static const struct {
        const char *problem, *sections;
    } rows[] = {
        {"", ""},
        /* the picture in the header */
        {"a:1 0-4 b:2 1-6 c:4 3-6", "3=7:abc "},
        /* what ends at a step does not meet what starts there */
        {"a:1 0-2 b:2 1-3 c:4 2-4 d:8 4-5", "1=3:ab 2=6:bc 4=8:d "},
        /* a narrower window says nothing that the wide one before it does not */
        {"a:8 0-2 2-4/2-6 b:1 0-4", "0=9:ab "},
        /* windows that only cross each other both stay */
        {"a:8 0-2/0-5 2-4/3-8 b:1 0-4", "0=6:ab 2=6:ab "},
        /* {a, wide b}, {narrow b}, {a, wide b, c}: the second goes, then the first is in
           the third */
        {"a:4 0-1 2-3 b:8 0-1 1-2/2-6 2-3 c:1 2-3", "2=13:abc "},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        SCOPED(problem_release) struct problem *problem = sketch_problem(rows[i].problem);
        SCOPED(sections_release) struct sections *sections = create_sections(problem);
        SCOPED(text_free) struct text text = {0};
        text_append(&text, "%s", "");
        for (uint32_t s = 0; s < sections->count; s++) {
            text_append(&text, "%u=%llu:", sections->step[s],
                        (unsigned long long)sections->load[s]);
            for (uint64_t m = sections->first[s]; m < sections->first[s + 1]; m++)
                text_append(&text, "%s", names_get(&problem->names, sections->member[m]));
            text_append(&text, " ");
        }
        CU_ASSERT_STRING_EQUAL(text.bytes, rows[i].sections);
    }
    sections_free(NULL);
    conflicts_free(NULL);
}

/* Exactly the live segments of the step are members, each with its buffer, ascending. */
static bool section_is_true(const struct problem *problem, const struct sections *sections,
                            uint32_t section)
{
    uint64_t at = sections->first[section], load = 0;
    for (uint32_t b = 0; b < problem->buffers; b++)
        for (uint32_t s = problem->first[b]; s < problem->first[b + 1]; s++) {
            uint32_t step = sections->step[section];
            if (problem->lower[s] > step || step >= problem->upper[s])
                continue;
            if (at == sections->first[section + 1] || sections->member[at] != b ||
                sections->segment[at] != s)
                return false;
            load += problem_window_upper(problem, s) - problem_window_lower(problem, s);
            at++;
        }
    return at == sections->first[section + 1] && load == sections->load[section];
}

/* The section holds the buffer with a window around that of the segment. */
static bool holds(const struct problem *problem, const struct sections *sections, uint32_t section,
                  uint32_t buffer, uint32_t segment)
{
    for (uint64_t i = sections->first[section]; i < sections->first[section + 1]; i++) {
        uint32_t held = sections->segment[i];
        if (sections->member[i] == buffer &&
            problem_window_lower(problem, held) <= problem_window_lower(problem, segment) &&
            problem_window_upper(problem, held) >= problem_window_upper(problem, segment))
            return true;
    }
    return false;
}

static bool is_within(const struct problem *problem, const struct sections *sections,
                      uint32_t inner, uint32_t outer)
{
    for (uint64_t i = sections->first[inner]; i < sections->first[inner + 1]; i++)
        if (!holds(problem, sections, outer, sections->member[i], sections->segment[i]))
            return false;
    return true;
}

static bool overlap_in_time(const struct problem *problem, uint32_t a, uint32_t b)
{
    return problem->lower[a] < problem->upper[b] && problem->lower[b] < problem->upper[a];
}

/* Segments of both buffers that overlap in time are in some section together. */
static bool every_pair_is_held(const struct problem *problem, const struct sections *sections,
                               uint32_t a, uint32_t b)
{
    for (uint32_t s = problem->first[a]; s < problem->first[a + 1]; s++)
        for (uint32_t t = problem->first[b]; t < problem->first[b + 1]; t++) {
            bool held = !overlap_in_time(problem, s, t);
            for (uint32_t c = 0; c < sections->count && !held; c++)
                held = holds(problem, sections, c, a, s) && holds(problem, sections, c, b, t);
            if (!held)
                return false;
        }
    return true;
}

static void check_sections(const struct problem *problem, const struct sections *sections)
{
    uint64_t most = 0, load;
    for (uint32_t s = 0; s < sections->count; s++) {
        CU_ASSERT_TRUE(section_is_true(problem, sections, s));
        CU_ASSERT_TRUE(s == 0 || sections->step[s - 1] < sections->step[s]);
        CU_ASSERT_FALSE(s > 0 && is_within(problem, sections, s, s - 1));
        CU_ASSERT_FALSE(s > 0 && is_within(problem, sections, s - 1, s));
        if (sections->load[s] > most)
            most = sections->load[s];
    }
    must(problem_load(problem, &load, NULL, &error));
    CU_ASSERT_EQUAL(most, load);
    for (uint32_t a = 0; a < problem->buffers; a++)
        for (uint32_t b = 0; b < problem->buffers; b++)
            CU_ASSERT_TRUE(every_pair_is_held(problem, sections, a, b));
}

static bool buffers_meet(const struct problem *problem, uint32_t a, uint32_t b)
{
    for (uint32_t s = problem->first[a]; s < problem->first[a + 1]; s++)
        for (uint32_t t = problem->first[b]; t < problem->first[b + 1]; t++)
            if (overlap_in_time(problem, s, t))
                return true;
    return false;
}

static void check_conflicts(const struct problem *problem, const struct conflicts *conflicts)
{
    uint64_t at = 0;
    CU_ASSERT_EQUAL(conflicts->first[0], 0);
    for (uint32_t a = 0; a < problem->buffers; a++) {
        for (uint32_t b = 0; b < problem->buffers; b++) {
            if (a == b || !buffers_meet(problem, a, b))
                continue;
            CU_ASSERT_TRUE_FATAL(at < conflicts->first[a + 1]);
            CU_ASSERT_EQUAL(conflicts->other[at++], b);
        }
        CU_ASSERT_EQUAL_FATAL(at, conflicts->first[a + 1]);
    }
}

static void test_random_problems(void)
{
    for (uint64_t seed = 0; seed < 600; seed++) {
        struct random_state random = random_seed(seed);
        const struct random_problem kind = {.most_buffers = 4 + (uint32_t)(seed % 20),
                                            .steps = 3 + (uint32_t)(seed % 13),
                                            .most_size = 1 + seed % 7,
                                            .holes = seed % 2,
                                            .windows = seed % 3 == 0};
        SCOPED(problem_release) struct problem *problem = random_problem_create(&kind, &random);
        SCOPED(sections_release) struct sections *sections = create_sections(problem);
        SCOPED(conflicts_release) struct conflicts *conflicts = NULL;
        must(conflicts_create(problem, &conflicts, &error));
        check_sections(problem, sections);
        check_conflicts(problem, conflicts);
    }
}

static void add_changing(struct problem *problem, struct random_state *random)
{
    uint64_t size = 1 + random_below(random, 4);
    bool live = false;
    made_problem_buffer(problem, "b", size, 1, PROBLEM_FREE);
    for (uint32_t step = 0; step < 6; step++) {
        uint64_t window_lower = random_below(random, size);
        uint64_t window_upper = window_lower + 1 + random_below(random, size - window_lower);
        if (random_below(random, 3) == 0 && (live || step < 5))
            continue;
        made_problem_segment(problem,
                             (struct problem_segment){step, step + 1, window_lower, window_upper});
        live = true;
    }
    if (!live)
        made_problem_segment(problem, (struct problem_segment){6, 7, 0, size});
}

/* Buffers whose window is another one at every step. */
static void test_changing_windows(void)
{
    for (uint64_t seed = 0; seed < 600; seed++) {
        struct random_state random = random_seed(seed);
        SCOPED(problem_release) struct problem *problem = made_problem_start();
        for (uint32_t b = 0; b < 1 + seed % 5; b++)
            add_changing(problem, &random);
        must(problem_finish(problem, &error));
        SCOPED(sections_release) struct sections *sections = create_sections(problem);
        check_sections(problem, sections);
    }
}

static const struct test_case cases[] = {
    {"by hand", test_by_hand},
    {"random problems", test_random_problems},
    {"windows that change at every step", test_changing_windows},
};

TESTING_MAIN("planning/sections", cases)
