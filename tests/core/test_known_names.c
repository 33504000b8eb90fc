#include <stdio.h>
#include <string.h>

#include "core/known_names.h"
#include "core/memory.h"
#include "support/testing.h"

static const char *const names[] = {
    "large_first", "short_first", "zoo/resnet50", "zoo/resnet18", "flat", "greedy_by_size", "ge"};
enum { NAMES = sizeof names / sizeof *names };

static const char *get_name(const void *context, uint32_t index)
{
    const char *const *row = context;
    return row[index];
}

static const struct known_names known = {
    .kind = "thing", .count = NAMES, .name_at = get_name, .context = names};

static void test_suggested(void)
{
    char endless[200];
    memset(endless, 'a', sizeof endless - 1);
    endless[sizeof endless - 1] = '\0';
    /* The names that are near, and none. The part that comes first decides, not what follows it. */
    const struct {
        const char *name, *expected;
        size_t length;
    } rows[] = {{.name = "large_frist", "large_first"},
                {.name = "lrge_first", "large_first"},
                {.name = "shrtt_firs", "short_first"},
                {.name = "falt", "flat"},
                {.name = "resnet50", "zoo/resnet50"},
                {.name = "resnet18x", "zoo/resnet18"},
                {.name = "zoo/resnet05", "zoo/resnet50"},
                {.name = "resnet", "zoo/resnet50, zoo/resnet18"},
                {.name = "greedy", "greedy_by_size"},
                {.name = "first", "large_first, short_first"},
                {.name = "flt,large", "flat", 3},
                {.name = "", ""},
                {.name = "x", ""},
                {.name = "fl", ""},
                {.name = "large_middle_last", ""},
                {.name = endless, ""}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct text near = {0};
        size_t length = rows[i].length ? rows[i].length : strlen(rows[i].name);
        known_names_suggest(&known, rows[i].name, length, &near);
        const char *found = near.length ? near.bytes : "";
        if (strcmp(found, rows[i].expected) != 0)
            printf("\n    %s: %s, expected %s", rows[i].name, found, rows[i].expected);
        CU_ASSERT_STRING_EQUAL(found, rows[i].expected);
        text_free(&near);
    }
}

static void check_refused(const struct known_names *kind, const char *name, const char *expected)
{
    struct error error = ERROR_NONE;
    CU_ASSERT_EQUAL(known_names_refuse(kind, name, strlen(name), &error), STATUS_USAGE);
    CU_ASSERT_EQUAL(error.status, STATUS_USAGE);
    CU_ASSERT_STRING_EQUAL(error.text, expected);
}

static void test_refused(void)
{
    struct known_names kind = known;
    kind.count = 2;
    check_refused(&kind, "large_frist", "no thing 'large_frist', did you mean large_first?");
    check_refused(&kind, "other", "no thing 'other', expected one of: large_first, short_first");
    kind.also = ", or a file";
    check_refused(&kind, "other",
                  "no thing 'other', expected one of: large_first, short_first, or a file");
    kind.also = NULL;
    kind.before = "--";
    check_refused(&kind, "short", "no thing '--short', did you mean --short_first?");
    check_refused(&kind, "qqq", "no thing '--qqq', expected one of: --large_first, --short_first");
}

static const char *get_number(const void *context, uint32_t index)
{
    static const char *const digits[] = {"0", "1", "2", "3", "4", "5", "6", "7", "8", "9"};
    (void)context;
    return digits[index % 10];
}

/* Many names would bury the message. */
static void test_many(void)
{
    struct known_names numbers = {
        .kind = "number", .lister = "memplan list numbers", .count = 20, .name_at = get_number};
    struct error error = ERROR_NONE;
    known_names_refuse(&numbers, "many", 4, &error);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "expected one of: 0, 1, 2"));
    numbers.count++;
    check_refused(&numbers, "many", "no number 'many', memplan list numbers names them");
}

static void test_no_memory(void)
{
    struct error error = ERROR_NONE;
    for (uint64_t n = 0; n < 4; n++) {
        memory_fail_after(n);
        CU_ASSERT_EQUAL(known_names_refuse(&known, "large", 5, &error), STATUS_USAGE);
        memory_fail_after(UINT64_MAX);
    }
}

static const struct test_case cases[] = {
    {"names that are near", test_suggested},
    {"what is said of them", test_refused},
    {"many names", test_many},
    {"no memory", test_no_memory},
};

TESTING_MAIN("core/known_names", cases)
