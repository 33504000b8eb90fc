#include "datasets/flatbuffer/flatbuffer.h"
#include "support/must.h"

#include <stdlib.h>

#include "datasets/reading.h"
#include "datasets/tflite/writer.h"

/* A root table with numbers of every width, a hole, a string, a vector and a table. */
static struct text make_buffer(void)
{
    static const int numbers[] = {7, -1};
    const struct writer_table root = {"1248.ooo",
                                      {0xfe, 0xbeef, 0x12345678, UINT64_C(0x1122334455667788)}};
    const struct writer_table child = {"4", {42}};
    struct text text = {0};
    text_append_bytes(&text, "\0\0\0\0TEST", 8);
    size_t place = writer_add_table(&text, &root);
    text.bytes[0] = (char)place;
    writer_point(&text, writer_field(&text, place, 5));
    writer_add_string(&text, "hello");
    writer_point(&text, writer_field(&text, place, 6));
    writer_add_vector(&text, numbers, 2);
    size_t at = writer_add_table(&text, &child);
    text.bytes[writer_field(&text, place, 7)] = (char)(at - writer_field(&text, place, 7));
    return text;
}

struct content {
    struct flatbuffer buffer;
    uint64_t number[6];
    struct flatbuffer_vector string, vector;
    struct flatbuffer_table child;
    bool found, other;
};

static enum status read_content(const struct text *text, struct content *content,
                                struct error *reported)
{
    static const unsigned widths[] = {1, 2, 4, 8, 4};
    struct flatbuffer_table root;
    content->buffer = (struct flatbuffer){(const unsigned char *)text->bytes, text->length,
                                          "test.file", reported};
    TRY(flatbuffer_open(&content->buffer, "TEST", &root));
    for (unsigned i = 0; i < 5; i++)
        TRY(flatbuffer_number(&root, i, widths[i], 99, &content->number[i]));
    TRY(flatbuffer_vector(&root, 5, 1, "a string", &content->string));
    TRY(flatbuffer_vector(&root, 6, 4, "numbers", &content->vector));
    TRY(flatbuffer_table(&root, 7, "a child", &content->found, &content->child));
    if (content->found)
        TRY(flatbuffer_number(&content->child, 0, 4, 0, &content->number[5]));
    return flatbuffer_table(&root, 8, "nothing", &content->other, &content->child);
}

static void test_fields(void)
{
    static const uint64_t expected[] = {0xfe, 0xbeef, 0x12345678, UINT64_C(0x1122334455667788),
                                        99,   42};
    SCOPED(text_free) struct text text = make_buffer();
    struct content content = {0};
    must(read_content(&text, &content, &error));
    for (int i = 0; i < 6; i++)
        CU_ASSERT_EQUAL(content.number[i], expected[i]);
    CU_ASSERT_EQUAL(content.string.count, 5);
    CU_ASSERT_EQUAL(memcmp(text.bytes + content.string.at, "hello", 5), 0);
    CU_ASSERT_EQUAL(content.vector.count, 2);
    CU_ASSERT_EQUAL(flatbuffer_element(&content.vector, 1), UINT32_MAX);
    CU_ASSERT_TRUE(content.found);
    CU_ASSERT_FALSE(content.other);
}

/* In memory of exactly its size, so that reading beyond it is seen by the sanitizers. */
static enum status read_copy(const char *bytes, size_t length, struct error *reported)
{
    struct content content = {0};
    struct text copy = {.bytes = memory_allocate(length, 1), .length = length};
    CU_ASSERT_PTR_NOT_NULL_FATAL(copy.bytes);
    memcpy(copy.bytes, bytes, length);
    enum status status = read_content(&copy, &content, reported);
    for (uint32_t i = 0; !status && i < content.vector.count; i++)
        flatbuffer_element(&content.vector, i);
    memory_free(copy.bytes);
    return status;
}

static void check_refusal(enum status status, const struct error *reported)
{
    CU_ASSERT_TRUE(status == STATUS_OK || status == STATUS_BAD_INPUT);
    if (status)
        CU_ASSERT_TRUE(strstr(reported->text, "byte offset ") && strstr(reported->text, "found ") &&
                       strstr(reported->text, "expected "));
}

static void test_damage(void)
{
    SCOPED(text_free) struct text text = make_buffer();
    for (size_t length = 0; length < text.length; length++) {
        enum status status = read_copy(text.bytes, length, &error);
        CU_ASSERT_EQUAL(status, STATUS_BAD_INPUT);
        check_refusal(status, &error);
    }
    for (size_t i = 0; i < text.length; i++)
        for (unsigned value = 0; value < 256; value++) {
            char kept = text.bytes[i];
            text.bytes[i] = (char)value;
            check_refusal(read_copy(text.bytes, text.length, &error), &error);
            text.bytes[i] = kept;
        }
}

static void test_messages(void)
{
    SCOPED(text_free) struct text text = make_buffer();
    CU_ASSERT_EQUAL(read_copy("", 0, &error), STATUS_BAD_INPUT);
    CU_ASSERT_STRING_EQUAL(error.text, "byte offset 4: found no identifier, expected \"TEST\"");
    text.bytes[1] = 1;
    CU_ASSERT_EQUAL(read_copy(text.bytes, text.length, &error), STATUS_BAD_INPUT);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "byte offset 0: found offset"));
    CU_ASSERT_STRING_EQUAL(error.file, "test.file");
}

static const struct test_case cases[] = {
    {"numbers, strings, vectors and tables", test_fields},
    {"truncated and changed buffers are read inside or refused", test_damage},
    {"messages say where", test_messages},
};
TESTING_MAIN("datasets/flatbuffer", cases)
