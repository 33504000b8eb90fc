#include "datasets/json/parse.h"
#include "support/must.h"

#include <float.h>

#include "datasets/json/build.h"
#include "datasets/reading.h"

static enum status parse_and_free(const struct text *text, struct error *reported)
{
    SCOPED(json_tree_free) struct json_tree tree = {0};
    return json_parse(text, "test.file", NULL, &tree, reported);
}

/* A good text; the caller frees the tree. */
static const struct json_value *parse(const char *input, struct json_tree *tree)
{
    struct text text = reading_text(input);
    *tree = (struct json_tree){0};
    must(json_parse(&text, "f", NULL, tree, &error));
    text_free(&text); /* nothing of it is borrowed */
    return json_tree_root(tree);
}

static void test_lines(void)
{
    SCOPED(json_tree_free) struct json_tree tree = {0};
    const struct json_value *root = parse("\n{\n\"a\": [1, \"x\\\"]\",\n  {\"b\":\n 2.5}],\r\n\n"
                                          "\"c\": true,\"d\": {\n}, \"e\":\n\"\\\\\"\n, "
                                          "\"f\": null\n}\n\n",
                                          &tree);
    const struct json_value *a = json_tree_find(&tree, root, "a");
    CU_ASSERT_EQUAL(root->line, 2);
    CU_ASSERT_EQUAL(a->line, 3);
    CU_ASSERT_EQUAL(json_tree_at(a, 0)->line, 3);
    CU_ASSERT_EQUAL(json_tree_at(a, 1)->line, 3);
    CU_ASSERT_EQUAL(json_tree_at(a, 2)->line, 4);
    CU_ASSERT_EQUAL(json_tree_find(&tree, json_tree_at(a, 2), "b")->line, 5);
    CU_ASSERT_EQUAL(json_tree_find(&tree, root, "c")->line, 7);
    CU_ASSERT_EQUAL(json_tree_find(&tree, root, "d")->line, 7);
    CU_ASSERT_EQUAL(json_tree_find(&tree, root, "e")->line, 9);
    CU_ASSERT_EQUAL(json_tree_find(&tree, root, "f")->line, 10);
}

static void test_values(void)
{
    SCOPED(json_tree_free) struct json_tree tree = {0};
    const struct json_value *root =
        parse("[null, true, false, -0, 0.5e1, 1E2, \"\", {}, [], {\"\": []}]", &tree);
    static const enum json_kind kinds[] = {JSON_NULL,  JSON_TRUE,  JSON_FALSE, JSON_INTEGER,
                                           JSON_REAL,  JSON_REAL,  JSON_TEXT,  JSON_OBJECT,
                                           JSON_ARRAY, JSON_OBJECT};
    CU_ASSERT_EQUAL_FATAL(json_tree_count(root), sizeof kinds / sizeof *kinds);
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        CU_ASSERT(json_tree_is(json_tree_at(root, i), kinds[i]));
    CU_ASSERT(json_tree_at(root, 3)->integer == 0 && !json_tree_at(root, 3)->negative);
    CU_ASSERT_EQUAL(json_tree_at(root, 4)->real, 5);
    CU_ASSERT_EQUAL(json_tree_at(root, 5)->real, 100);
    CU_ASSERT_STRING_EQUAL(json_tree_text(&tree, json_tree_at(root, 6)), "");
    CU_ASSERT_STRING_EQUAL(json_tree_key(&tree, json_tree_first(json_tree_at(root, 9))), "");
}

static void test_numbers(void)
{
    SCOPED(json_tree_free) struct json_tree tree = {0};
    const struct json_value *root =
        parse("[18446744073709551615, 9223372036854775807, -9223372036854775808, 9007199254740993,"
              "1.7976931348623157e308, 5e-324, 1e-999, 9223372036854775808]",
              &tree);
    CU_ASSERT(json_tree_at(root, 0)->integer == UINT64_MAX && !json_tree_at(root, 0)->negative);
    CU_ASSERT(json_tree_at(root, 1)->integer == INT64_MAX);
    CU_ASSERT(json_tree_at(root, 2)->negative);
    CU_ASSERT((int64_t)json_tree_at(root, 2)->integer == INT64_MIN);
    CU_ASSERT(json_tree_at(root, 3)->integer == 9007199254740993);
    CU_ASSERT_EQUAL(json_tree_at(root, 4)->real, DBL_MAX);
    CU_ASSERT(json_tree_at(root, 5)->real > 0);
    CU_ASSERT_EQUAL(json_tree_at(root, 6)->real, 0);
    CU_ASSERT(json_tree_at(root, 7)->integer == UINT64_C(1) << 63 &&
              !json_tree_at(root, 7)->negative);
    /* Of these only 2^64 - 1 is no double; cases/json_refused.txt has what is beyond. */
    CU_ASSERT_EQUAL(json_tree_number(json_tree_at(root, 0)), 0x1p64);
    CU_ASSERT_EQUAL(json_tree_number(json_tree_at(root, 7)), 0x1p63);
    CU_ASSERT_EQUAL(json_tree_number(json_tree_at(root, 2)), -0x1p63);
}

static void test_texts(void)
{
    SCOPED(json_tree_free) struct json_tree tree = {0};
    const struct json_value *root =
        parse("[\"\\\"\\\\\\/\\b\\f\\n\\r\\t\", \"\\u0041\\u00e9\\u4E2d\", \"\\ud83d\\uDE00\", "
              "\"\xf0\x9f\x98\x80/\x7f\", \"\\\\ud800\", \"?\", {\"\\u006b\": 1}]",
              &tree);
    static const char *const texts[] = {"\"\\/\b\f\n\r\t",  "A\xc3\xa9\xe4\xb8\xad",
                                        "\xf0\x9f\x98\x80", "\xf0\x9f\x98\x80/\x7f",
                                        "\\ud800",          "?"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        CU_ASSERT_STRING_EQUAL(json_tree_text(&tree, json_tree_at(root, i)), texts[i]);
    CU_ASSERT_PTR_NOT_NULL(json_tree_find(&tree, json_tree_at(root, 6), "k"));
}

static void test_faults(void)
{
    static const struct reading_fault bytes[] = {
        {1, "found '\\xef', expected JSON", "\xef\xbb\xbf{}"},
        {1, "found a form feed or vertical tab", "[1,\f2]"},
        {2, "found a form feed or vertical tab", "[1]\n\v"},
        {1, "not UTF-8", "[\"\xff\"]"},
        {2, "not UTF-8", "[\n\"\xc0\x80\"]"},
        {1, "not UTF-8", "[\"\xed\xa0\x80\"]"},
        {1, "not UTF-8", "{\"\xf4\x90\x80\x80\": 1}"},
    };
    reading_check_refused(parse_and_free, "json_refused");
    reading_check_faults(parse_and_free, bytes, sizeof bytes / sizeof *bytes);
}

static void test_zero_byte(void)
{
    static const char bytes[] = "[1, \0 2]";
    const struct text text = {.bytes = (char *)bytes, .length = sizeof bytes - 1};
    CU_ASSERT_EQUAL(parse_and_free(&text, &error), STATUS_BAD_INPUT);
    CU_ASSERT_STRING_EQUAL(error.text, "found '\\x00', expected JSON");
}

/* Keys may stand in several objects, also one in the other. */
static void test_same_keys(void)
{
    SCOPED(json_tree_free) struct json_tree tree = {0};
    const struct json_value *root = parse("{\"a\": {\"a\": {\"a\": 1}, \"b\": {\"a\": 2}},"
                                          "\"b\": [{\"a\": 3}, {\"a\": 4}]}",
                                          &tree);
    const struct json_value *a = json_tree_find(&tree, root, "a");
    CU_ASSERT_EQUAL(tree.keys.count, 2);
    CU_ASSERT_EQUAL(json_tree_find(&tree, json_tree_find(&tree, a, "b"), "a")->integer, 2);
}

static void append_many(struct text *text, const char *piece, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        text_append(text, "%s", piece);
}

static enum status parse_nested(const char *before, const char *after, unsigned depth,
                                struct error *reported)
{
    SCOPED(text_free) struct text text = {0};
    append_many(&text, before, depth);
    append_many(&text, after, depth);
    return parse_and_free(&text, reported);
}

static void test_nesting(void)
{
    must(parse_nested("[", "]", JSON_PARSE_MOST_DEPTH, &error));
    CU_ASSERT_EQUAL(parse_nested("[", "]", JSON_PARSE_MOST_DEPTH + 1, &error), STATUS_BAD_INPUT);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "expected at most 2048"));
    must(parse_nested("{\"a\":[", "]}", JSON_PARSE_MOST_DEPTH / 2, &error));
    CU_ASSERT_EQUAL(parse_nested("{\"a\":[", "]}", JSON_PARSE_MOST_DEPTH, &error),
                    STATUS_BAD_INPUT);
    CU_ASSERT_EQUAL(parse_nested("[\n", "", 100000, &error), STATUS_BAD_INPUT);
    CU_ASSERT_EQUAL(error.line, JSON_PARSE_MOST_DEPTH + 1);
}

/* Each beginning of a document is refused, at its end or before. */
static void test_cut_off(void)
{
    static const char whole[] = "{\"a\": [1, -2.5e3, \"t\\n\\u00e9\\ud83d\\ude00\"],\n \"b\\/\": "
                                "{\"c\": null, \"d\": true}, \"e\": \"\xe4\xb8\xad\"}";
    for (size_t length = 0; length < sizeof whole - 1; length++) {
        SCOPED(text_free) struct text text = {0};
        text_append_bytes(&text, whole, length);
        CU_ASSERT_EQUAL(parse_and_free(&text, &error), STATUS_BAD_INPUT);
        CU_ASSERT(error.line == 1 || error.line == 2);
        CU_ASSERT(*error.text != '\0');
    }
}

/* However long a text with escapes is and whatever is cut off. */
static void test_long_texts(void)
{
    for (unsigned length = 1000; length < 40000; length += length / 7)
        for (unsigned cut = 0; cut < 3; cut++) {
            SCOPED(text_free) struct text text = {0};
            append_many(&text, "[", 700);
            text_append(&text, "\"");
            append_many(&text, "\\u00e9", length);
            text_append(&text, "\", \"");
            append_many(&text, "\\n", length / 2);
            text_append(&text, "\", \"");
            append_many(&text, "x", cut * length);
            text_append(&text, cut ? "" : "\"");
            append_many(&text, cut ? "" : "]", 700);
            CU_ASSERT_EQUAL(parse_and_free(&text, &error), cut ? STATUS_BAD_INPUT : STATUS_OK);
        }
}

static void test_many_keys(void)
{
    enum { KEYS = 20000 };
    SCOPED(text_free) struct text text = {0};
    struct json_tree tree = {0};
    for (unsigned i = 0; i < KEYS; i++)
        text_append(&text, "%s\n\"key%u\": %u", i ? "," : "{", i, i);
    text_append(&text, "}");
    must(json_parse(&text, "f", NULL, &tree, &error));
    CU_ASSERT_EQUAL(json_tree_find(&tree, json_tree_root(&tree), "key17000")->integer, 17000);
    CU_ASSERT_EQUAL(json_tree_find(&tree, json_tree_root(&tree), "key17000")->line, 17002);
    json_tree_free(&tree);
    text.length--;
    text_append(&text, ",\n\"key17000\": 0}");
    CU_ASSERT_EQUAL(parse_and_free(&text, &error), STATUS_BAD_INPUT);
    CU_ASSERT_EQUAL(error.line, KEYS + 2);
}

static void test_into_a_tree(void)
{
    SCOPED(text_free) struct text text = reading_text("{\n\"b\": [1]}");
    SCOPED(json_tree_free) struct json_tree tree = {0};
    json_build_open(&tree, NULL, JSON_OBJECT);
    json_build_count(&tree, "a", 1);
    must(json_parse(&text, "f", "read", &tree, &error));
    json_build_count(&tree, "b", 2);
    json_build_close(&tree);
    must(json_build_check(&tree, &error));
    const struct json_value *root = json_tree_root(&tree);
    const struct json_value *read = json_tree_find(&tree, root, "read");
    CU_ASSERT_EQUAL(json_tree_count(json_tree_find(&tree, read, "b")), 1);
    CU_ASSERT_EQUAL(json_tree_find(&tree, read, "b")->line, 2);
    CU_ASSERT_EQUAL(json_tree_find(&tree, root, "b")->integer, 2);
    CU_ASSERT_EQUAL(json_tree_find(&tree, root, "b")->line, 0);
}

static void test_allocations(void)
{
    reading_check_allocations(parse_and_free, "{\"a\": [1, 2.5, \"text\", {\"b\": null}],"
                                              "\"longer key\": \"a longer text \\u00e9\"}");
}

static const struct test_case cases[] = {
    {"each value knows its line", test_lines},
    {"values have their kinds", test_values},
    {"integers up to 2^64 - 1 are exact", test_numbers},
    {"escapes are decoded", test_texts},
    {"what is wrong is refused with its line", test_faults},
    {"a zero is no blank", test_zero_byte},
    {"other objects may have the same keys", test_same_keys},
    {"nesting is limited", test_nesting},
    {"a text that is cut off is refused", test_cut_off},
    {"long texts are decoded", test_long_texts},
    {"many keys in one object", test_many_keys},
    {"a text goes into an open object", test_into_a_tree},
    {"every allocation may fail", test_allocations},
};
TESTING_MAIN("datasets/json/parse", cases)
