#include "datasets/json/text.h"

#include <string.h>

#include "support/testing.h"

static void check_string(const char *string, const char *expected)
{
    struct text text = {0};
    json_text_string(&text, string);
    CU_ASSERT_STRING_EQUAL(text.bytes, expected);
    text_free(&text);
}

static void test_strings(void)
{
    check_string("", "\"\"");
    check_string("a\"b\\c\n\x01\xc3\xa9", "\"a\\\"b\\\\c\\n\\u0001\xc3\xa9\"");
}

static void check_double(double number, const char *expected)
{
    struct text text = {0};
    json_text_double(&text, number);
    CU_ASSERT_STRING_EQUAL(text.bytes, expected);
    text_free(&text);
}

static void test_doubles(void)
{
    check_double(0, "0");
    check_double(1, "1");
    check_double(0.1, "0.1");
    check_double(1.0 / 3, "0.3333333333333333");
    check_double(1e-9, "1e-09");
}

static void test_utf8(void)
{
    static const char *const good[] = {"", "abc", "\xc3\xa9", "\xe4\xb8\xad", "\xf0\x9f\x98\x80"};
    static const char *const bad[] = {"\xff",         "\xc3",         "\xc0\x80",
                                      "\xe0\x80\x80", "\xed\xa0\x80", "\xf4\x90\x80\x80",
                                      "\x80",         "a\xe4\xb8"};
    for (size_t i = 0; i < sizeof good / sizeof *good; i++)
        CU_ASSERT(json_text_is_utf8(good[i], strlen(good[i])));
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        CU_ASSERT(!json_text_is_utf8(bad[i], strlen(bad[i])));
}

static const struct test_case cases[] = {
    {"strings are escaped", test_strings},
    {"doubles are short and exact", test_doubles},
    {"UTF-8 is told from other bytes", test_utf8},
};
TESTING_MAIN("datasets/json/text", cases)
