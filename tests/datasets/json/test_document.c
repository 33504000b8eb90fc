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

static void test_allocations(void)
{
    reading_check_allocations(read_and_free, "{\"format\": \"this/1\", \"a\": [1, 2.5]}");
}

static const struct test_case cases[] = {
    {"the format is known", test_format},
    {"other formats are refused", test_other_formats},
    {"messages have a place", test_places},
    {"every allocation may fail", test_allocations},
};
TESTING_MAIN("datasets/json/document", cases)
