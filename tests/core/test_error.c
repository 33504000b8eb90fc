#include <stdbool.h>
#include <string.h>

#include "core/error.h"
#include "support/testing.h"

static void test_places(void)
{
    struct error error = {.file = "old", .line = 7};
    CU_ASSERT_EQUAL(error_set(&error, STATUS_NO, "%s of %u", "two", 3u), STATUS_NO);
    CU_ASSERT(error.status == STATUS_NO && error.line == 0 && !*error.file);
    CU_ASSERT_STRING_EQUAL(error.text, "two of 3");
    /* The file is named once. */
    error_name_file(&error, "first.csv");
    error_name_file(&error, "second.csv");
    CU_ASSERT_STRING_EQUAL(error.file, "first.csv");
    CU_ASSERT_EQUAL(error_set_at(&error, STATUS_BAD_INPUT, "a.csv", 12, "found %d", -1),
                    STATUS_BAD_INPUT);
    CU_ASSERT(error.status == STATUS_BAD_INPUT && error.line == 12);
    CU_ASSERT_STRING_EQUAL(error.file, "a.csv");
    CU_ASSERT_STRING_EQUAL(error.text, "found -1");
    CU_ASSERT_EQUAL(error_no_memory(&error), STATUS_INTERNAL);
    CU_ASSERT_STRING_EQUAL(error.text, "out of memory");
    CU_ASSERT(error_is_no_memory(&error) && !*error.file);
}

static void test_long_texts_are_cut(void)
{
    struct error error;
    char word[4096];
    memset(word, 'w', sizeof word - 1);
    word[sizeof word - 1] = '\0';
    CU_ASSERT_EQUAL(error_set_at(&error, STATUS_LIMIT, word, 1, "%s", word), STATUS_LIMIT);
    CU_ASSERT_EQUAL(strlen(error.file), sizeof error.file - 1);
    CU_ASSERT_EQUAL(strlen(error.text), sizeof error.text - 1);
}

/* A name from a file, a character of three bytes that is cut at the end, and one that is none. */
static void test_texts_are_printable(void)
{
    struct error error;
    char word[sizeof error.text];
    memset(word, 'w', sizeof word - 1);
    memcpy(word + sizeof word - 3, "\xe4\xb8", 3);
    error_set_at(&error, STATUS_BAD_INPUT, "a\x1b[1m.csv", 1, "found '%s'",
                 "\r\x7f\xff\xc3\xa9\xc2\x85");
    CU_ASSERT_STRING_EQUAL(error.file, "a\\x1b[1m.csv");
    CU_ASSERT_STRING_EQUAL(error.text, "found '\\x0d\\x7f\\xff\xc3\xa9\\xc2\\x85'");
    error_set(&error, STATUS_BAD_INPUT, "%s", word);
    CU_ASSERT_EQUAL(strlen(error.text), sizeof word - 3);
    CU_ASSERT(error.text[sizeof word - 4] == 'w');
}

/* The manual and every script that calls the program rely on these numbers. */
static void test_exit_codes(void)
{
    CU_ASSERT_EQUAL(STATUS_OK, 0);
    CU_ASSERT_EQUAL(STATUS_NO, 1);
    CU_ASSERT_EQUAL(STATUS_USAGE, 2);
    CU_ASSERT_EQUAL(STATUS_BAD_INPUT, 3);
    CU_ASSERT_EQUAL(STATUS_LIMIT, 4);
    CU_ASSERT_EQUAL(STATUS_INTERNAL, 5);
}

static enum status call(enum status status, unsigned *calls)
{
    ++*calls;
    return status;
}

static enum status try_twice(enum status first, unsigned *calls)
{
    TRY(call(first, calls));
    TRY(call(STATUS_OK, calls));
    return STATUS_OK;
}

static enum status try_twice_or_done(enum status first, unsigned *calls)
{
    enum status status;
    TRY_OR_DONE(status, call(first, calls));
    TRY_OR_DONE(status, call(STATUS_OK, calls));
done:
    *calls += 10;
    return status;
}

static void test_try(void)
{
    unsigned calls = 0;
    CU_ASSERT(try_twice(STATUS_OK, &calls) == STATUS_OK && calls == 2);
    CU_ASSERT(try_twice(STATUS_LIMIT, &calls) == STATUS_LIMIT && calls == 3);
    CU_ASSERT(try_twice_or_done(STATUS_OK, &calls) == STATUS_OK && calls == 15);
    CU_ASSERT(try_twice_or_done(STATUS_USAGE, &calls) == STATUS_USAGE && calls == 26);
}

static const struct test_case cases[] = {
    {"with and without a place", test_places},
    {"long texts are cut", test_long_texts_are_cut},
    {"texts are printable", test_texts_are_printable},
    {"statuses are exit codes", test_exit_codes},
    {"TRY and TRY_OR_DONE", test_try},
};

TESTING_MAIN("core/error", cases)
