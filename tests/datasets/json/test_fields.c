#include "datasets/json/fields.h"

#include "datasets/reading.h"
#include "support/must.h"

static struct json_document *read_document(const char *input)
{
    struct text text = reading_text(input);
    struct json_document *document;
    must(json_document_read(&text, "test.file", &document, &error));
    text_free(&text);
    return document;
}

static void test_fields(void)
{
    SCOPED(json_document_release)
    struct json_document *document =
        read_document("{\"t\": \"text\", \"a\": [1], \"i\": -3, \"n\": 2, \"r\": 0.5}");
    const struct json_value *root = document->root, *array;
    const char *text;
    int64_t integer;
    double number;
    const struct json_reader reader = {document, &error};
    must(json_fields_check(&reader, root, "all", "r n i a t more"));
    must(json_fields_text(&reader, root, "t", &text));
    CU_ASSERT_STRING_EQUAL(text, "text");
    must(json_fields_array(&reader, root, "a", &array));
    CU_ASSERT_PTR_EQUAL(array, json_fields_get(&reader, root, "a"));
    must(json_fields_integer(&reader, root, "i", json_between(-3, -3), &integer));
    CU_ASSERT_EQUAL(integer, -3);
    must(json_fields_optional_number(&reader, root, "n", 2, &number));
    CU_ASSERT_EQUAL(number, 2);
    must(json_fields_optional_number(&reader, root, "r", 1, &number));
    CU_ASSERT_EQUAL(number, 0.5);
}

static void test_missing(void)
{
    SCOPED(json_document_release) struct json_document *document = read_document("{}");
    const struct json_value *root = document->root, *array = root;
    const char *text = "";
    int64_t integer = 5;
    double number = 5;
    const struct json_reader reader = {document, &error};
    must(json_fields_optional_text(&reader, root, "x", &text));
    CU_ASSERT_PTR_NULL(text);
    must(json_fields_optional_array(&reader, root, "x", &array));
    CU_ASSERT_PTR_NULL(array);
    must(json_fields_optional_integer(&reader, root, "x", json_between(0, 1), &integer));
    must(json_fields_optional_number(&reader, root, "x", 1, &number));
    CU_ASSERT(integer == 5 && number == 5);
    CU_ASSERT_PTR_NULL(json_fields_get(&reader, root, "x"));
}

/* Reads the fields t, a, i and n of an object that has the keys known. */
static enum status read_fields(const struct json_reader *reader)
{
    const struct json_value *root = reader->document->root, *array;
    const char *text;
    int64_t integer;
    double number;
    TRY(json_fields_check(reader, root, "a thing", "t a i n"));
    TRY(json_fields_text(reader, root, "t", &text));
    TRY(json_fields_array(reader, root, "a", &array));
    TRY(json_fields_integer(reader, root, "i", json_at_least(-1), &integer));
    return json_fields_optional_number(reader, root, "n", 1, &number);
}

static enum status read_and_free(const struct text *text, struct error *failed)
{
    SCOPED(json_document_release) struct json_document *document = NULL;
    TRY(json_document_read(text, "test.file", &document, failed));
    return read_fields(&(struct json_reader){document, failed});
}

static void test_faults(void)
{
    reading_check_refused(read_and_free, "json_fields_refused");
}

static const struct test_case cases[] = {
    {"fields have their types", test_fields},
    {"fields may be missing", test_missing},
    {"wrong fields are refused with their line", test_faults},
};
TESTING_MAIN("datasets/json/fields", cases)
