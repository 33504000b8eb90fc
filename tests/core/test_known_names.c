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

static void check_suggested(const char *name, const char *expected)
{
    struct text near = {0};
    known_names_suggest(&known, name, strlen(name), &near);
    const char *found = near.length ? near.bytes : "";
    if (strcmp(found, expected) != 0)
        printf("\n    %s: %s, expected %s", name, found, expected);
    CU_ASSERT_STRING_EQUAL(found, expected);
    text_free(&near);
}

static void test_suggested(void)
{
    check_suggested("large_frist", "large_first");
    check_suggested("lrge_first", "large_first");
    check_suggested("shrtt_firs", "short_first");
    check_suggested("falt", "flat");
    check_suggested("resnet50", "zoo/resnet50");
    check_suggested("resnet18x", "zoo/resnet18");
    check_suggested("zoo/resnet05", "zoo/resnet50");
    check_suggested("resnet", "zoo/resnet50, zoo/resnet18");
    check_suggested("greedy", "greedy_by_size");
    check_suggested("first", "large_first, short_first");
}

static void test_far(void)
{
    char endless[200];
    memset(endless, 'a', sizeof endless - 1);
    endless[sizeof endless - 1] = '\0';
    check_suggested("", "");
    check_suggested("x", "");
    check_suggested("fl", "");
    check_suggested("large_middle_last", "");
    check_suggested(endless, "");
}

/* The part of a name that comes first decides, not what follows it. */
static void test_length(void)
{
    struct text near = {0};
    known_names_suggest(&known, "flt,large", 3, &near);
    CU_ASSERT_STRING_EQUAL(near.bytes, "flat");
    text_free(&near);
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
    const struct known_names few = {
        .kind = "number", .lister = "memplan list numbers", .count = 20, .name_at = get_number};
    struct known_names many = few;
    struct error error = ERROR_NONE;
    many.count = 21;
    known_names_refuse(&few, "many", 4, &error);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "expected one of: 0, 1, 2"));
    check_refused(&many, "many", "no number 'many', memplan list numbers names them");
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
    {"names that are not", test_far},
    {"the length counts", test_length},
    {"what is said of them", test_refused},
    {"many names", test_many},
    {"no memory", test_no_memory},
};

TESTING_MAIN("core/known_names", cases)
