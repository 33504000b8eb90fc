#include "datasets/json/fields.h"

#include "datasets/reading.h"

static struct json_document *read_document(const char *input)
{
    struct text text = reading_text(input);
    struct json_document *document;
    struct error error;
    CU_ASSERT_EQUAL_FATAL(json_document_read(&text, "test.file", &document, &error), STATUS_OK);
    text_free(&text);
    return document;
}

static void test_fields(void)
{
    struct json_document *document =
        read_document("{\"t\": \"text\", \"a\": [1], \"i\": -3, \"n\": 2, \"r\": 0.5}");
    const struct json_value *root = document->root, *array;
    const char *text;
    int64_t integer;
    double number;
    struct error error;
    CU_ASSERT_EQUAL(json_fields_check(document, root, "all", "r n i a t more", &error), STATUS_OK);
    CU_ASSERT_EQUAL(json_fields_text(document, root, "t", &text, &error), STATUS_OK);
    CU_ASSERT_STRING_EQUAL(text, "text");
    CU_ASSERT_EQUAL(json_fields_array(document, root, "a", &array, &error), STATUS_OK);
    CU_ASSERT_PTR_EQUAL(array, json_fields_get(document, root, "a"));
    CU_ASSERT_EQUAL(json_fields_integer(document, root, "i", -3, -3, &integer, &error), STATUS_OK);
    CU_ASSERT_EQUAL(integer, -3);
    CU_ASSERT_EQUAL(json_fields_optional_number(document, root, "n", 0, 2, &number, &error),
                    STATUS_OK);
    CU_ASSERT_EQUAL(number, 2);
    CU_ASSERT_EQUAL(json_fields_optional_number(document, root, "r", 0.5, 1, &number, &error),
                    STATUS_OK);
    CU_ASSERT_EQUAL(number, 0.5);
    json_document_free(document);
}

static void test_missing(void)
{
    struct json_document *document = read_document("{}");
    const struct json_value *root = document->root, *array = root;
    const char *text = "";
    int64_t integer = 5;
    double number = 5;
    struct error error;
    CU_ASSERT_EQUAL(json_fields_optional_text(document, root, "x", &text, &error), STATUS_OK);
    CU_ASSERT_PTR_NULL(text);
    CU_ASSERT_EQUAL(json_fields_optional_array(document, root, "x", &array, &error), STATUS_OK);
    CU_ASSERT_PTR_NULL(array);
    CU_ASSERT_EQUAL(json_fields_optional_integer(document, root, "x", 0, 1, &integer, &error),
                    STATUS_OK);
    CU_ASSERT_EQUAL(json_fields_optional_number(document, root, "x", 0, 1, &number, &error),
                    STATUS_OK);
    CU_ASSERT(integer == 5 && number == 5);
    CU_ASSERT_PTR_NULL(json_fields_get(document, root, "x"));
    json_document_free(document);
}

/* Reads the fields t, a, i and n of an object that has the keys known. */
static enum status read_fields(const struct json_document *document, struct error *error)
{
    const struct json_value *root = document->root, *array;
    const char *text;
    int64_t integer;
    double number;
    TRY(json_fields_check(document, root, "a thing", "t a i n", error));
    TRY(json_fields_text(document, root, "t", &text, error));
    TRY(json_fields_array(document, root, "a", &array, error));
    TRY(json_fields_integer(document, root, "i", -1, INT64_MAX, &integer, error));
    return json_fields_optional_number(document, root, "n", 0, 1, &number, error);
}

static enum status read_and_free(const struct text *text, struct error *error)
{
    struct json_document *document;
    TRY(json_document_read(text, "test.file", &document, error));
    enum status status = read_fields(document, error);
    json_document_free(document);
    return status;
}

static void test_faults(void)
{
    static const struct reading_fault faults[] = {
        {1, "found an array, expected a thing as an object with the keys t a i n", "[]"},
        {2, "found unknown key \"ta\" in a thing, expected t a i n", "{\"t\": 1,\n\"ta\": null}"},
        {1, "found no \"t\", expected a text", "{}"},
        {2, "found null as t, expected a text", "{\"t\":\nnull}"},
        {1, "found no \"a\", expected an array", "{\"t\": \"\"}"},
        {2, "found an object as a, expected an array", "{\"t\": \"\",\n\"a\": {}}"},
        {1, "found no \"i\", expected an integer", "{\"t\": \"\", \"a\": []}"},
        {2, "found true as i, expected an integer of at least -1",
         "{\"t\": \"\", \"a\": [],\n\"i\": true}"},
        {2, "found a number with a fraction as i, expected an integer of at least -1",
         "{\"t\": \"\", \"a\": [],\n\"i\": 1.0}"},
        {1, "found -2 as i, expected -1 to 9223372036854775807",
         "{\"t\": \"\", \"a\": [], \"i\": -2}"},
        {1, "found 9223372036854775808 as i, expected -1 to 9223372036854775807",
         "{\"t\": \"\", \"a\": [], \"i\": 9223372036854775808}"},
        {1, "found 18446744073709551615 as i, expected -1 to",
         "{\"t\": \"\", \"a\": [], \"i\": 18446744073709551615}"},
        {1, "found -9223372036854775808 as i, expected -1 to",
         "{\"t\": \"\", \"a\": [], \"i\": -9223372036854775808}"},
        {2, "found a text as n, expected a number from 0 to 1",
         "{\"t\": \"\", \"a\": [], \"i\": -1,\n\"n\": \"1\"}"},
        {1, "found n 1.5, expected a number from 0 to 1",
         "{\"t\": \"\", \"a\": [], \"i\": 9223372036854775807, \"n\": 1.5}"},
        {1, "found n -1, expected a number from 0 to 1",
         "{\"t\": \"\", \"a\": [], \"i\": 0, \"n\": -1}"},
    };
    reading_check_faults(read_and_free, faults, sizeof faults / sizeof *faults);
}

static const struct test_case cases[] = {
    {"fields have their types", test_fields},
    {"fields may be missing", test_missing},
    {"wrong fields are refused with their line", test_faults},
};
TESTING_MAIN("datasets/json/fields", cases)
