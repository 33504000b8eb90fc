#include "results/best/list.h"

#include <string.h>

#include "core/memory.h"
#include "support/must.h"
#include "support/testing.h"

static const char heading[] =
    "instance,policy,options,peak_bytes,lower_bound_bytes,cost,cost_bound,status,"
    "planner,prover,proof,proof_digest,since,witness,digest\n";
static enum status parse(const char *lines, struct best_list *list)
{
    struct text text = {0};
    *list = (struct best_list){0};
    text_append(&text, "%s%s", heading, lines);
    enum status status = best_list_parse(&text, "list.csv", list, &error);
    text_free(&text);
    return status;
}

static void expect_written(const struct best_list *list, const char *lines)
{
    struct text text = {0};
    must(best_list_write(list, &text, &error));
    CU_ASSERT_EQUAL(strncmp(text.bytes, heading, strlen(heading)), 0);
    CU_ASSERT_STRING_EQUAL(text.bytes + strlen(heading), lines);
    text_free(&text);
}

/* Fields with commas and quotes, numbers that are not known, any order. */
static void test_round_trip(void)
{
    static const char sorted[] =
        "a,flat,,10,10,,,optimal,exact,load,verified,ab,2026-01-02T03:04:05Z,f-flat.json.gz,ff\n"
        "a,flat,\"disable_inplace=Add,Mul inplace=nnvm\",9,8,,,feasible,p,q,,,,,ff\n"
        "a,problem,,12,10,,,feasible,\"named \"\"so\"\"\",load,,,,,ee\n"
        "b,problem,,,7,,,,,exact,,,,,dd\n"
        "c,memories,,,,0,0,optimal,p,q,,,,w.json.gz,ab\n"
        "d,memories,,,,12.5,12.49,feasible,p,q,,,,w.json.gz,ac\n"
        "e,memories,,,,,infinite,infeasible,,q,,,,,ad\n";
    struct best_list list;
    CU_ASSERT_EQUAL_FATAL(parse(sorted, &list), STATUS_OK);
    CU_ASSERT_EQUAL(list.count, 7);
    expect_written(&list, sorted);
    const struct best_known *line =
        best_list_find(&list, "ff", "flat", "disable_inplace=Add,Mul inplace=nnvm");
    CU_ASSERT_PTR_NOT_NULL_FATAL(line);
    CU_ASSERT_EQUAL(line->peak_bytes, 9);
    line = best_list_find(&list, "ee", "problem", "");
    CU_ASSERT_PTR_NOT_NULL_FATAL(line);
    CU_ASSERT_STRING_EQUAL(line->planner, "named \"so\"");
    CU_ASSERT_PTR_NULL(best_list_find(&list, "ee", "flat", ""));
    CU_ASSERT_PTR_NULL(best_list_find(&list, "ff", "flat", "inplace=nnvm"));
    CU_ASSERT_PTR_NULL(best_list_find(&list, "f", "flat", ""));
    best_list_free(&list);
}

/* A line is added once, then replaced; its status follows from its numbers. */
static void test_put(void)
{
    struct best_list list = {0};
    struct best_known line = {.instance = "b", .digest = "22", .policy = "flat", .options = ""};
    line.lower_bound_bytes = 5;
    must(best_list_put(&list, &line, &error));
    line.digest = "11";
    line.instance = "a";
    line.peak_bytes = 6;
    must(best_list_put(&list, &line, &error));
    expect_written(&list, "a,flat,,6,5,,,feasible,,,,,,,11\nb,flat,,,5,,,,,,,,,,22\n");
    line = *best_list_find(&list, "11", "flat", "");
    line.peak_bytes = 5;
    line.planner = "exact";
    must(best_list_put(&list, &line, &error));
    expect_written(&list, "a,flat,,5,5,,,optimal,exact,,,,,,11\nb,flat,,,5,,,,,,,,,,22\n");
    best_list_free(&list);
}

static const struct {
    const char *lines, *text;
    unsigned line;
} refused[] = {
    {"a,flat,,1,1,,,optimal,p,q,,,,\n", "found too few fields", 2},
    {"a,flat,,1,1,,,optimal,p,q,,,,,dd,more\n", "found more fields", 2},
    {"a,flat,,1,1,,,optimal,p,q,,,,,dd\nb,flat,,x,1,,,optimal,p,q,,,,,ee\n",
     "found 'x' as peak_bytes", 3},
    {"a,flat,,9223372036854775808,1,,,feasible,p,q,,,,,dd\n", "up to 2^63 - 1", 2},
    {"a,flat,,-1,1,,,feasible,p,q,,,,,dd\n", "found '-1' as peak_bytes", 2},
    {"a,flat,,2,1,,,optimal,p,q,,,,,dd\n", "found status 'optimal', expected 'feasible'", 2},
    {"a,flat,,1,2,,,feasible,p,q,,,,,dd\n", "found a peak below the lower bound", 2},
    {"a,,,1,1,,,optimal,p,q,,,,,dd\n", "found no digest or no policy", 2},
    {"a,flat,,2,1,,,feasible,p,q,checked,ab,,,dd\n", "found a proof of no optimum", 2},
    {"a,flat,,1,1,,,optimal,p,q,believed,ab,,,dd\n", "or of an unknown kind", 2},
    {"a,memories,,,,1.2345,,feasible,p,q,,,,,dd\n", "found a cost that is no number", 2},
    {"a,memories,,,,infinite,,feasible,p,q,,,,,dd\n", "found a cost that is no number", 2},
    {"a,memories,,,,1.5,x,feasible,p,q,,,,,dd\n", "found a cost that is no number", 2},
    {"a,memories,,,,1.5,1.501,feasible,p,q,,,,,dd\n", "found a cost below its bound", 2},
    {"a,memories,,,,1.5,1.5,feasible,p,q,,,,,dd\n", "expected 'optimal'", 2},
    {"a,memories,,,,,infinite,,,q,,,,,dd\n", "expected 'infeasible'", 2},
    {"a,flat,,1,1,,,optimal,p,q,,,,,\n", "found no digest or no policy", 2},
    {"a,flat,,1,1,,,optimal,p,q,,,,../x,dd\n", "found a witness with a folder", 2},
    {"a,flat,,1,1,,,optimal,\"p,q,,,,,dd\n", "found no quote at the end", 2},
    {"a,flat,,1,1,,,optimal,p,q,,,,,dd\nb,flat,,1,1,,,optimal,p,q,,,,,dd\n",
     "found a problem for the second time", 3},
};

static void test_bad_lines(void)
{
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        struct best_list list;
        CU_ASSERT_EQUAL(parse(refused[i].lines, &list), STATUS_BAD_INPUT);
        CU_ASSERT_STRING_EQUAL(error.file, "list.csv");
        CU_ASSERT_EQUAL(error.line, refused[i].line);
        CU_ASSERT_PTR_NOT_NULL(strstr(error.text, refused[i].text));
        best_list_free(&list);
    }
}

static void test_bad_headings(void)
{
    static const char *const texts[] = {"", "instance,policy\n", "digest,policy,options\n"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        const struct text text = {.bytes = (char *)texts[i], .length = strlen(texts[i])};
        struct best_list list = {0};
        CU_ASSERT_EQUAL(best_list_parse(&text, "list.csv", &list, &error), STATUS_BAD_INPUT);
        best_list_free(&list);
    }
}

static void test_files(void)
{
    struct best_list list = {0};
    CU_ASSERT_EQUAL(best_list_read("/nowhere/list.csv", &list, &error), STATUS_BAD_INPUT);
    best_list_free(&list);
    must(best_list_read(NULL, &list, &error));
    CU_ASSERT_TRUE(list.count > 0);
    best_list_free(&list);
}

/* Nothing is lost or leaks where memory runs out at any place. */
static void test_no_memory(void)
{
    struct best_list list = {0};
    struct text text = {0};
    text_append(&text, "%sa,flat,,1,1,,,optimal,p,q,,,,,dd\nb,flat,,1,1,,,optimal,p,q,,,,,ee\n",
                heading);
    uint64_t blocks = memory_live_blocks(), allowed = 0;
    enum status status;
    do {
        memory_fail_after(allowed++);
        status = best_list_parse(&text, "list.csv", &list, &error);
        memory_fail_after(UINT64_MAX);
        CU_ASSERT_TRUE(status == STATUS_OK || status == STATUS_INTERNAL);
        best_list_free(&list);
        CU_ASSERT_EQUAL(memory_live_blocks(), blocks);
    } while (status);
    CU_ASSERT_TRUE(allowed > 10);
    text_free(&text);
}

static const struct test_case cases[] = {
    {"round trip", test_round_trip},     {"put", test_put},     {"bad lines", test_bad_lines},
    {"bad headings", test_bad_headings}, {"files", test_files}, {"no memory", test_no_memory},
};

TESTING_MAIN("results/best/list", cases)
