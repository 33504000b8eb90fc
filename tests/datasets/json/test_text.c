#include "datasets/json/text.h"

#include <string.h>

#include "support/testing.h"

static void check_string(const char *string, const char *expected)
{
    SCOPED(text_free) struct text text = {0};
    json_text_string(&text, string);
    CU_ASSERT_STRING_EQUAL(text.bytes, expected);
}

static void test_strings(void)
{
    check_string("", "\"\"");
    check_string("a\"b\\c\n\x01\xc3\xa9", "\"a\\\"b\\\\c\\n\\u0001\xc3\xa9\"");
}

static void check_double(double number, const char *expected)
{
    SCOPED(text_free) struct text text = {0};
    json_text_double(&text, number);
    CU_ASSERT_STRING_EQUAL(text.bytes, expected);
}

static void test_doubles(void)
{
    check_double(0, "0");
    check_double(1, "1");
    check_double(0.1, "0.1");
    check_double(1.0 / 3, "0.3333333333333333");
    check_double(1e-9, "1e-09");
}

static const struct test_case cases[] = {
    {"strings are escaped", test_strings},
    {"doubles are short and exact", test_doubles},
};
TESTING_MAIN("datasets/json/text", cases)
