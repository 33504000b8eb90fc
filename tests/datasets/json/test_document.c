#include "datasets/json/document.h"
#include "support/must.h"

#include "datasets/reading.h"

static enum status read_and_free(const struct text *text, struct error *reported)
{
    SCOPED(json_document_release) struct json_document *document = NULL;
    TRY(json_document_read(text, "test.file", &document, reported));
    enum status status =
        json_document_expect_format(&(struct json_reader){document, reported}, "this/1");
    return status;
}

static void test_format(void)
{
    SCOPED(text_free)
    struct text text = reading_text("{\"a\": {\"format\": 1}, \"format\": \"this/1\"}");
    SCOPED(json_document_release) struct json_document *document = NULL;
    must(read_and_free(&text, &error));
    must(json_document_read(&text, "f", &document, &error));
    CU_ASSERT_STRING_EQUAL(json_document_format(document), "this/1");
}

static void test_other_formats(void)
{
    reading_check_refused(read_and_free, "json_format_refused");
}

static void test_places(void)
{
    SCOPED(text_free) struct text text = reading_text("{\"a\":\n1}");
    SCOPED(json_document_release) struct json_document *document = NULL;
    must(json_document_read(&text, "f", &document, &error));
    const struct json_reader reader = {document, &error};
    const struct json_value *a = json_tree_find(&document->tree, document->root, "a");
    CU_ASSERT_EQUAL(json_document_fail(&reader, a, "found %d", 1), STATUS_BAD_INPUT);
    CU_ASSERT(error.line == 2 && strcmp(error.text, "found 1") == 0);
    CU_ASSERT_STRING_EQUAL(error.file, "f");
    json_document_fail(&reader, NULL, "found nothing");
    CU_ASSERT_EQUAL(error.line, 0);
    enum status status = error_set(&error, STATUS_BAD_INPUT, "too long");
    CU_ASSERT_EQUAL(json_document_place(&reader, a, status), STATUS_BAD_INPUT);
    CU_ASSERT(error.line == 2 && strcmp(error.file, "f") == 0);
    json_document_place(&reader, document->root, status);
    CU_ASSERT_EQUAL(error.line, 2); /* the first place stays */
    status = error_set(&error, STATUS_LIMIT, "too late");
    CU_ASSERT_EQUAL(json_document_place(&reader, a, status), STATUS_LIMIT);
    CU_ASSERT_EQUAL(error.line, 0);
}

static const struct json_spare spare = {.skipped = (const char *const[]){"skipped", NULL},
                                        .put_off = (const char *const[]){"nodes", "named", NULL}};

/* Reads a text and each part of "nodes" and "named", one inside the other. */
static enum status read_parts(const struct text *text, struct error *reported)
{
    SCOPED(json_document_release) struct json_document *document = NULL;
    TRY(json_document_read_sparing(text, "test.file", &spare, &document, reported));
    const struct json_tree *tree = &document->tree;
    JSON_EACH(list, document->root)
        JSON_EACH(place, list) {
            const struct json_value *part, *inner;
            TRY(json_document_open_part(document, place, &part, reported));
            JSON_EACH(value, json_tree_find(tree, part, "nodes")) {
                TRY(json_document_open_part(document, value, &inner, reported));
                json_document_close_part(document);
            }
            json_document_close_part(document);
        }
    return STATUS_OK;
}

static void test_parts(void)
{
    SCOPED(text_free)
    struct text text =
        reading_text("{\"skipped\": {\"a\": [1]}, \"nodes\": [7, {\"t\": \"x\",\n"
                     "\"skipped\": 2, \"nodes\": [\n{\"t\": \"in\\n\"}]}],\n"
                     "\"named\": {\"skipped\": {\"t\": \"named\"}}, \"t\": \"out\"}");
    SCOPED(json_document_release) struct json_document *document = NULL;
    const struct json_value *node, *inner, *same;
    must(json_document_read_sparing(&text, "f", &spare, &document, &error));
    const struct json_tree *tree = &document->tree;
    const struct json_value *root = document->root, *nodes = json_tree_find(tree, root, "nodes");
    CU_ASSERT_PTR_NULL(json_tree_find(tree, root, "skipped"));
    CU_ASSERT_EQUAL(json_tree_at(nodes, 0)->integer, 7);
    must(json_document_open_part(document, json_tree_at(nodes, 0), &same, &error));
    CU_ASSERT_PTR_EQUAL(same, json_tree_at(nodes, 0));
    json_document_close_part(document);
    CU_ASSERT(json_tree_at(nodes, 1)->put_off && json_tree_at(nodes, 1)->line == 1);
    must(json_document_open_part(document, json_tree_at(nodes, 1), &node, &error));
    CU_ASSERT_STRING_EQUAL(json_tree_text(tree, json_tree_find(tree, node, "t")), "x");
    CU_ASSERT_PTR_NULL(json_tree_find(tree, node, "skipped"));
    inner = json_tree_at(json_tree_find(tree, node, "nodes"), 0);
    CU_ASSERT(inner->put_off && inner->line == 3);
    must(json_document_open_part(document, inner, &inner, &error));
    CU_ASSERT_STRING_EQUAL(json_tree_text(tree, json_tree_find(tree, inner, "t")), "in\n");
    CU_ASSERT_EQUAL(json_tree_find(tree, inner, "t")->line, 3);
    json_document_close_part(document);
    json_document_close_part(document);
    /* A key that is skipped elsewhere is a name here. */
    must(json_document_open_part(
        document, json_tree_find(tree, json_tree_find(tree, root, "named"), "skipped"), &node,
        &error));
    CU_ASSERT_STRING_EQUAL(json_tree_text(tree, json_tree_find(tree, node, "t")), "named");
    CU_ASSERT_STRING_EQUAL(json_tree_text(tree, json_tree_find(tree, root, "t")), "out");
}

/* What is put off or skipped is checked at once, but for keys that come twice. */
static void test_parts_refused(void)
{
    static const struct {
        const char *input, *expected;
    } rows[] = {
        {"{\"nodes\": [{\"a\": [1, \n}]}", "found '}', expected a value"},
        {"{\"nodes\": [{\"a\": \n", "expected '}' for the '{' of line 1"},
        {"{\"nodes\": [\n[1e999]]}", "found 1e999, expected a number up to"},
        {"{\"skipped\": {\"a\": \"\xff\"}}", "expected UTF-8"},
        {"{\"skipped\": {\"a\": 99999999999999999999}}", "expected an integer"},
        {"{\"nodes\": [{\"a\": 1,\n\"a\": 2}]}", "found key \"a\" again"},
        {"{\"named\": {\"a\": {}, \"a\": {}}}", "found key \"a\" again"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        SCOPED(text_free) struct text text = reading_text(rows[i].input);
        CU_ASSERT_EQUAL(read_parts(&text, &error), STATUS_BAD_INPUT);
        CU_ASSERT_PTR_NOT_NULL(strstr(error.text, rows[i].expected));
    }
    reading_check_allocations(read_parts, "{\"nodes\": [{\"nodes\": [{\"a\": \"\\n\"}]}], "
                                          "\"named\": {\"a\": {\"b\": [1, 2.5]}}}");
}

static void test_allocations(void)
{
    reading_check_allocations(read_and_free, "{\"format\": \"this/1\", \"a\": [1, 2.5]}");
}

static const struct test_case cases[] = {
    {"the format is known", test_format},
    {"other formats are refused", test_other_formats},
    {"messages have a place", test_places},
    {"parts are read when they are needed", test_parts},
    {"what is read later is refused at once", test_parts_refused},
    {"every allocation may fail", test_allocations},
};
TESTING_MAIN("datasets/json/document", cases)
