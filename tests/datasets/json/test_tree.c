#include "datasets/json/tree.h"

#include <string.h>

#include "datasets/json/build.h"
#include "support/must.h"
#include "support/testing.h"

/* {"name": "n", "list": [1, [], {"name": null}, -2.5], "flags": {"on": true, "off": false}} */
static enum status build_sample(struct json_tree *tree, struct error *reported)
{
    json_build_open(tree, NULL, JSON_OBJECT);
    json_build_text(tree, "name", "n");
    json_build_open(tree, "list", JSON_ARRAY);
    json_build_count(tree, NULL, 1);
    json_build_open(tree, NULL, JSON_ARRAY);
    json_build_close(tree);
    json_build_open(tree, NULL, JSON_OBJECT);
    json_build_null(tree, "name");
    json_build_close(tree);
    json_build_real(tree, NULL, -2.5);
    json_build_close(tree);
    json_build_open(tree, "flags", JSON_OBJECT);
    json_build_boolean(tree, "on", true);
    json_build_boolean(tree, "off", false);
    json_build_close(tree);
    json_build_close(tree);
    return json_build_check(tree, reported);
}

static void test_walk(void)
{
    SCOPED(json_tree_free) struct json_tree tree = {0};
    must(build_sample(&tree, &error));
    const struct json_value *root = json_tree_root(&tree);
    const struct json_value *name = json_tree_first(root), *list = json_tree_next(root, name);
    const struct json_value *flags = json_tree_next(root, list);
    CU_ASSERT(json_tree_is(root, JSON_OBJECT) && json_tree_key(&tree, root) == NULL);
    CU_ASSERT_STRING_EQUAL(json_tree_key(&tree, name), "name");
    CU_ASSERT_STRING_EQUAL(json_tree_text(&tree, name), "n");
    CU_ASSERT_STRING_EQUAL(json_tree_key(&tree, list), "list");
    CU_ASSERT_STRING_EQUAL(json_tree_key(&tree, flags), "flags");
    CU_ASSERT_PTR_NULL(json_tree_next(root, flags));
    CU_ASSERT_EQUAL(json_tree_count(list), 4);
    CU_ASSERT_EQUAL(json_tree_count(flags), 0); /* it is no array */
    CU_ASSERT_EQUAL(json_tree_at(list, 0)->integer, 1);
    CU_ASSERT(json_tree_is(json_tree_at(list, 1), JSON_ARRAY));
    CU_ASSERT_EQUAL(json_tree_count(json_tree_at(list, 1)), 0);
    CU_ASSERT_PTR_NULL(json_tree_first(json_tree_at(list, 1)));
    CU_ASSERT_EQUAL(json_tree_at(list, 3)->real, -2.5);
    CU_ASSERT_PTR_NULL(json_tree_next(list, json_tree_at(list, 3)));
    CU_ASSERT_PTR_NULL(json_tree_at(list, 4));
    CU_ASSERT_EQUAL(root->line, 0);
    CU_ASSERT_EQUAL(root->values, 11);
}

static void test_find(void)
{
    SCOPED(json_tree_free) struct json_tree tree = {0};
    must(build_sample(&tree, &error));
    const struct json_value *root = json_tree_root(&tree);
    const struct json_value *list = json_tree_find(&tree, root, "list");
    const struct json_value *flags = json_tree_find(&tree, root, "flags");
    CU_ASSERT(json_tree_is(json_tree_find(&tree, flags, "on"), JSON_TRUE));
    CU_ASSERT(json_tree_is(json_tree_find(&tree, flags, "off"), JSON_FALSE));
    CU_ASSERT(json_tree_is(json_tree_find(&tree, json_tree_at(list, 2), "name"), JSON_NULL));
    CU_ASSERT_PTR_NULL(json_tree_find(&tree, root, "on")); /* deeper ones are not found */
    CU_ASSERT_PTR_NULL(json_tree_find(&tree, root, "nam"));
    CU_ASSERT_PTR_NULL(json_tree_find(&tree, list, "name"));
    CU_ASSERT_PTR_NULL(json_tree_text(&tree, list));
}

static void test_nothing(void)
{
    SCOPED(json_tree_free) struct json_tree tree = {0};
    CU_ASSERT_PTR_NULL(json_tree_root(&tree));
    CU_ASSERT_PTR_NULL(json_tree_first(NULL));
    CU_ASSERT_PTR_NULL(json_tree_at(NULL, 0));
    CU_ASSERT_PTR_NULL(json_tree_find(&tree, NULL, "key"));
    CU_ASSERT_PTR_NULL(json_tree_text(&tree, NULL));
    CU_ASSERT_PTR_NULL(json_tree_key(&tree, NULL));
    CU_ASSERT_EQUAL(json_tree_count(NULL), 0);
    CU_ASSERT_EQUAL(json_tree_number(NULL), 0);
    CU_ASSERT(!json_tree_is(NULL, JSON_NULL));
}

static void test_numbers(void)
{
    SCOPED(json_tree_free) struct json_tree tree = {0};
    json_build_open(&tree, NULL, JSON_ARRAY);
    json_build_count(&tree, NULL, UINT64_MAX);
    json_build_integer(&tree, NULL, INT64_MIN);
    json_build_integer(&tree, NULL, 7);
    json_build_real(&tree, NULL, 0.1);
    json_build_close(&tree);
    must(json_build_check(&tree, &error));
    const struct json_value *root = json_tree_root(&tree);
    CU_ASSERT(json_tree_at(root, 0)->integer == UINT64_MAX && !json_tree_at(root, 0)->negative);
    CU_ASSERT((int64_t)json_tree_at(root, 1)->integer == INT64_MIN);
    CU_ASSERT(json_tree_at(root, 1)->negative && !json_tree_at(root, 2)->negative);
    CU_ASSERT_EQUAL(json_tree_number(json_tree_at(root, 0)), 18446744073709551616.0);
    CU_ASSERT_EQUAL(json_tree_number(json_tree_at(root, 1)), -9223372036854775808.0);
    CU_ASSERT_EQUAL(json_tree_number(json_tree_at(root, 2)), 7);
    CU_ASSERT_EQUAL(json_tree_number(json_tree_at(root, 3)), 0.1);
}

static const struct test_case cases[] = {
    {"what is held is walked in order", test_walk},
    {"a value is found by its key", test_find},
    {"nothing holds nothing", test_nothing},
    {"integers are exact", test_numbers},
};
TESTING_MAIN("datasets/json/tree", cases)
