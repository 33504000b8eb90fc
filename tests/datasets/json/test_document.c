#include "datasets/json/document.h"
#include "datasets/json/text.h"
#include "datasets/reading.h"

static enum status read_document(const struct text *text, struct error *error)
{
    struct json_document *document;
    TRY(json_document_read(text, "test.file", &document, error));
    json_document_free(document);
    return STATUS_OK;
}

static void test_lines(void)
{
    struct text text = reading_text("{\n\"a\": [1, \"x\\\"]\",\n  {\"b\":\n 2.5}],\n\n\"c\": true,"
                                    "\"d\": {\n}, \"e\":\n\"\\\\\"\n}\n");
    struct json_document *document;
    struct error error;
    CU_ASSERT_FATAL(json_document_read(&text, "f", &document, &error) == STATUS_OK);
    const json_t *root = document->root, *a = json_object_get(root, "a");
    CU_ASSERT_EQUAL(json_document_line(document, root), 1);
    CU_ASSERT_EQUAL(json_document_line(document, a), 2);
    CU_ASSERT_EQUAL(json_document_line(document, json_array_get(a, 0)), 2);
    CU_ASSERT_EQUAL(json_document_line(document, json_array_get(a, 1)), 2);
    CU_ASSERT_EQUAL(json_document_line(document, json_array_get(a, 2)), 3);
    CU_ASSERT_EQUAL(json_document_line(document, json_object_get(json_array_get(a, 2), "b")), 4);
    CU_ASSERT_EQUAL(json_document_line(document, json_object_get(root, "c")), 0);
    CU_ASSERT_EQUAL(json_document_line(document, json_object_get(root, "d")), 6);
    CU_ASSERT_EQUAL(json_document_line(document, json_object_get(root, "e")), 8);
    CU_ASSERT_PTR_EQUAL(json_document_nearest(document, json_object_get(root, "c"), root), root);
    json_document_free(document);
    text_free(&text);
}

static void test_syntax_faults(void)
{
    static const struct reading_fault faults[] = {
        {1, "expected", ""},
        {1, "expected", "   "},
        {2, "'[' or '{' expected near 'null'", "\nnull"},
        {2, "expected", "{\n\"a\" 1}"},
        {1, "duplicate", "{\"a\": 1, \"a\": 2}"},
        {1, "end of file", "{} {}"},
        {1, "integer", "[99999999999999999999]"},
        {1, "unable to decode byte 0xff", "[\"\xff\"]"},
        {3, "expected", "[1,\n2,\n"},
        {1, "\\u0000", "[\"\\u0000\"]"},
    };
    reading_check_faults(read_document, faults, sizeof faults / sizeof *faults);
}

static void test_deep_nesting(void)
{
    struct text text = {0};
    struct error error = ERROR_NONE;
    for (int i = 0; i < 100000; i++)
        text_append(&text, "[");
    CU_ASSERT_EQUAL(read_document(&text, &error), STATUS_BAD_INPUT);
    text_free(&text);
}

static void test_allocations(void)
{
    reading_check_allocations(read_document, "{\"a\": [1, 2.5, \"text\", {\"b\": null}],"
                                             "\"longer key\": \"a longer text \\u00e9\"}");
}

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
    {"each value knows its line", test_lines},
    {"bad syntax is refused with its line", test_syntax_faults},
    {"nesting is limited", test_deep_nesting},
    {"every allocation may fail", test_allocations},
    {"strings are escaped", test_strings},
    {"doubles are short and exact", test_doubles},
    {"UTF-8 is told from other bytes", test_utf8},
};
TESTING_MAIN("datasets/json_document", cases)
