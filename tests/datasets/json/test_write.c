#include "datasets/json/write.h"

#include <string.h>

#include "core/random.h"
#include "datasets/json/build.h"
#include "datasets/json/parse.h"
#include "support/fail_each.h"
#include "support/must.h"
#include "support/testing.h"

static void check_written(struct json_tree *tree, const char *expected)
{
    SCOPED(text_free) struct text text = {0};
    must(json_build_check(tree, &error));
    json_write(tree, &text);
    CU_ASSERT_STRING_EQUAL(text.bytes, expected);
    json_tree_free(tree);
}

static void test_layout(void)
{
    struct json_tree tree = {0};
    json_build_open(&tree, NULL, JSON_OBJECT);
    json_build_text(&tree, "a \"b\"", "c\n\xc3\xa9");
    json_build_open(&tree, "list", JSON_ARRAY);
    json_build_null(&tree, NULL);
    json_build_open(&tree, NULL, JSON_OBJECT);
    json_build_boolean(&tree, "yes", true);
    json_build_boolean(&tree, "no", false);
    json_build_close(&tree);
    json_build_close(&tree);
    json_build_open(&tree, "none", JSON_ARRAY);
    json_build_close(&tree);
    json_build_open(&tree, "nothing", JSON_OBJECT);
    json_build_close(&tree);
    json_build_close(&tree);
    check_written(&tree, "{\n"
                         "  \"a \\\"b\\\"\": \"c\\n\xc3\xa9\",\n"
                         "  \"list\": [\n"
                         "    null,\n"
                         "    {\n"
                         "      \"yes\": true,\n"
                         "      \"no\": false\n"
                         "    }\n"
                         "  ],\n"
                         "  \"none\": [],\n"
                         "  \"nothing\": {}\n"
                         "}");
}

static void test_numbers(void)
{
    static const double reals[] = {0, 1, -2.5, 0.1, 1.0 / 3, 1e-9, 2.5e20, 1e15, 1e-4};
    struct json_tree tree = {0};
    json_build_open(&tree, NULL, JSON_ARRAY);
    json_build_count(&tree, NULL, UINT64_MAX);
    json_build_integer(&tree, NULL, INT64_MIN);
    json_build_integer(&tree, NULL, 5);
    for (size_t i = 0; i < sizeof reals / sizeof *reals; i++)
        json_build_real(&tree, NULL, reals[i]);
    json_build_close(&tree);
    check_written(&tree,
                  "[\n  18446744073709551615,\n  -9223372036854775808,\n  5,\n  0.0,\n  1.0,\n"
                  "  -2.5,\n  0.1,\n  0.333333333333333,\n  1e-9,\n  2.5e20,\n  1e15,\n"
                  "  0.0001\n]");
}

static void build_random(struct json_tree *tree, const char *key, struct random_state *random,
                         unsigned depth)
{
    static const char *const keys[] = {"a", "b", "", "a longer \"key\"", "\xc3\xa9"};
    uint64_t kind = random_below(random, depth < 5 ? 8 : 6), fields = random_below(random, 6);
    switch (kind) {
    case 0:
        json_build_null(tree, key);
        break;
    case 1:
        json_build_boolean(tree, key, fields & 1);
        break;
    case 2:
        json_build_integer(tree, key, (int64_t)random_next(random));
        break;
    case 3:
        json_build_count(tree, key, random_next(random));
        break;
    case 4:
        json_build_real(tree, key, (double)random_below(random, 1000) / 8);
        break;
    case 5:
        json_build_text(tree, key, keys[fields % 5]);
        break;
    default:
        json_build_open(tree, key, kind == 6 ? JSON_ARRAY : JSON_OBJECT);
        for (uint64_t i = 0; i < fields && i < 5; i++)
            build_random(tree, kind == 6 ? NULL : keys[i], random, depth + 1);
        json_build_close(tree);
    }
}

/* Lines, and how keys are numbered, may differ. */
static bool is_same(const struct json_tree *left, const struct json_tree *right)
{
    bool same = left->values == right->values;
    for (size_t i = 0; i < left->values && same; i++) {
        const struct json_value *a = &left->value[i], *b = &right->value[i];
        const char *key = json_tree_key(left, a), *other = json_tree_key(right, b);
        same = a->kind == b->kind && !key == !other && (!key || strcmp(key, other) == 0);
        if (same && a->kind == JSON_TEXT)
            same = strcmp(json_tree_text(left, a), json_tree_text(right, b)) == 0;
        else if (same)
            same = a->integer == b->integer && a->negative == b->negative;
    }
    return same;
}

/* What is written is read as the same again. */
static void test_round_trips(void)
{
    struct random_state random = random_seed(1);
    for (int i = 0; i < TESTING_COUNT(2000, 300); i++) {
        SCOPED(json_tree_free) struct json_tree made = {0};
        SCOPED(json_tree_free) struct json_tree read = {0};
        SCOPED(text_free) struct text text = {0};
        json_build_open(&made, NULL, JSON_ARRAY);
        build_random(&made, NULL, &random, 0);
        build_random(&made, NULL, &random, 0);
        json_build_close(&made);
        must(json_build_check(&made, &error));
        json_write(&made, &text);
        must(json_parse(&text, "f", NULL, &read, &error));
        CU_ASSERT(is_same(&made, &read));
    }
}

static enum status write_and_free(const void *input, struct error *reported)
{
    SCOPED(json_tree_free) struct json_tree tree = {0};
    SCOPED(text_free) struct text text = {0};
    (void)input;
    json_build_open(&tree, NULL, JSON_ARRAY);
    json_build_text(&tree, NULL, "a text");
    json_build_close(&tree);
    enum status status = json_build_check(&tree, reported);
    if (!status) {
        json_write(&tree, &text);
        status = text_check(&text, reported);
    }
    return status;
}

static void test_allocations(void)
{
    fail_each(write_and_free, NULL);
}

static const struct test_case cases[] = {
    {"a value on each line", test_layout},
    {"numbers", test_numbers},
    {"what is written is read again", test_round_trips},
    {"every allocation may fail", test_allocations},
};
TESTING_MAIN("datasets/json/write", cases)
