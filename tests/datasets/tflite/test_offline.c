#include "datasets/tflite/offline.h"

#include <string.h>

#include "core/memory.h"
#include "datasets/reading.h"
#include "datasets/tflite/metadata.h"
#include "datasets/tflite/tflite.h"
#include "datasets/tflite/writer.h"
#include "support/fail_each.h"
#include "support/must.h"

/* Code 9 is FULLY_CONNECTED, 19 RELU. */
static const struct writer_subgraph model = {
    "0", "3", {"x|2 4|0|", "w|3 4|0|c", "y|2 3|0|", "z|2 3|0|"}, {"9|0 1 -1|2", "19|2|3"}};
static const struct writer_subgraph caller[] = {{"0", "1", {"x|4|0|", "y|4|0|"}, {"19|0|1"}},
                                                {"0", "1", {"x|4|0|", "y|4|0|"}, {"19|0|1"}}};

static struct text write_model(void)
{
    struct text text = {0};
    writer_add_model(&text, &model, 1);
    return text;
}

static struct text write_bytes(int32_t *offset, uint32_t tensors)
{
    struct text bytes = {0};
    tflite_offline_write(&(struct tflite_offline){tensors, offset}, &bytes);
    return bytes;
}

static void test_bytes(void)
{
    static const unsigned char expected[] = {1, 0, 0, 0, 0,    0,    0,    0,    3, 0, 0, 0,
                                             0, 1, 0, 0, 0xff, 0xff, 0xff, 0xff, 7, 0, 0, 0};
    SCOPED(text_free) struct text bytes = write_bytes((int32_t[]){256, -1, 7}, 3);
    struct tflite_offline offline;
    CU_ASSERT_EQUAL_FATAL(bytes.length, sizeof expected);
    CU_ASSERT_EQUAL(memcmp(bytes.bytes, expected, sizeof expected), 0);
    must(tflite_offline_read(&bytes, "p.bin", &offline, &error));
    CU_ASSERT(offline.tensors == 3 && offline.offset[0] == 256 && offline.offset[1] == -1 &&
              offline.offset[2] == 7);
    tflite_offline_clear(&offline);
}

static void check_refused(const struct text *bytes, const char *expected)
{
    struct tflite_offline offline;
    CU_ASSERT_EQUAL(tflite_offline_read(bytes, "p.bin", &offline, &error), STATUS_BAD_INPUT);
    if (strcmp(error.text, expected) != 0)
        printf("\n    %s, expected %s", error.text, expected);
    CU_ASSERT_STRING_EQUAL(error.text, expected);
    CU_ASSERT_STRING_EQUAL(error.file, "p.bin");
}

static void test_damaged_bytes(void)
{
    SCOPED(text_free) struct text bytes = write_bytes((int32_t[]){256, -2}, 2);
    check_refused(&bytes, "byte offset 16: found offset -2 of tensor 1, expected -1 or more");
    bytes.length -= 4;
    check_refused(&bytes,
                  "byte offset 8: found 2 as the number of offsets, expected 1, which follow");
    bytes.length -= 1;
    check_refused(&bytes, "byte offset 0: found an offline plan of 15 bytes, expected 12 and 4 for "
                          "each tensor");
    bytes.length = 8;
    check_refused(
        &bytes,
        "byte offset 0: found an offline plan of 8 bytes, expected 12 and 4 for each tensor");
    bytes.length = 16;
    bytes.bytes[4] = 2;
    check_refused(&bytes,
                  "byte offset 4: found an offline plan of subgraph 2, expected subgraph 0");
    bytes.bytes[0] = 9;
    check_refused(&bytes, "byte offset 0: found an offline plan of version 9, expected 0 or 1");
}

/* The copy is the same graph, its tables are aligned as the schema asks for, and it carries the
   plan alone, whatever it carried before. */
static void check_carried(const struct text *copy, const int32_t *expected)
{
    struct tflite_offline offline;
    struct tflite_metadata metadata;
    struct flatbuffer_vector data;
    bool found;
    must(tflite_offline_find(copy, "m.tflite", &offline, &error));
    CU_ASSERT_EQUAL_FATAL(offline.tensors, 4);
    CU_ASSERT_EQUAL(memcmp(offline.offset, expected, 4 * sizeof *expected), 0);
    must(tflite_metadata_open(copy, "m.tflite", &metadata, &error));
    CU_ASSERT_EQUAL(metadata.metadata.count, 1);
    must(tflite_metadata_find(&metadata, TFLITE_OFFLINE_NAME, &found, &data));
    CU_ASSERT(found && data.at % 16 == 0 && metadata.root.at % 4 == 0);
    CU_ASSERT(metadata.buffers.at % 4 == 0 && metadata.metadata.at % 4 == 0);
    tflite_offline_clear(&offline);
}

static void check_same_graph(const struct text *text, const struct text *copy)
{
    SCOPED(graph_release) struct graph *graph = NULL;
    SCOPED(graph_release) struct graph *again = NULL;
    must(tflite_read(text, "m.tflite", 0, &graph, &error));
    must(tflite_read(copy, "m.tflite", 0, &again, &error));
    CU_ASSERT(graph->tensors == again->tensors && graph->operators == again->operators);
    for (uint32_t t = 0; t < graph->tensors; t++) {
        CU_ASSERT_EQUAL(graph->tensor[t].bytes, again->tensor[t].bytes);
        CU_ASSERT_STRING_EQUAL(names_get(&graph->tensor_names, t),
                               names_get(&again->tensor_names, t));
    }
}

static void test_embedded(void)
{
    static int32_t first[] = {0, -1, 32, 64}, second[] = {64, -1, 0, 32};
    SCOPED(text_free) struct text text = write_model();
    SCOPED(text_free) struct text bytes = write_bytes(first, 4);
    SCOPED(text_free) struct text more = write_bytes(second, 4);
    SCOPED(text_free) struct text copy = {0};
    SCOPED(text_free) struct text again = {0};
    struct tflite_offline none;
    CU_ASSERT_EQUAL(tflite_offline_find(&text, "m.tflite", &none, &error), STATUS_BAD_INPUT);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "found no metadata 'OfflineMemoryAllocation'"));
    must(tflite_offline_embed(&text, "m.tflite", &bytes, &copy, &error));
    CU_ASSERT_EQUAL((copy.length - text.length) % 64, 0);
    check_carried(&copy, first);
    check_same_graph(&text, &copy);
    must(tflite_offline_embed(&copy, "m.tflite", &more, &again, &error));
    check_carried(&again, second);
    check_same_graph(&text, &again);
}

/* No damage of the copy makes it anything but a refusal or a plan. */
static void test_damaged_model(void)
{
    SCOPED(text_free) struct text text = write_model();
    SCOPED(text_free) struct text bytes = write_bytes((int32_t[]){0, -1, 32, 64}, 4);
    SCOPED(text_free) struct text copy = {0};
    unsigned refused = 0;
    must(tflite_offline_embed(&text, "m.tflite", &bytes, &copy, &error));
    for (size_t i = 0; i < copy.length; i++) {
        struct tflite_offline offline;
        struct text moved = {0};
        copy.bytes[i] ^= 0x55;
        refused += tflite_offline_find(&copy, "m.tflite", &offline, &error) != STATUS_OK;
        tflite_offline_clear(&offline);
        (void)tflite_offline_embed(&copy, "m.tflite", &bytes, &moved, &error);
        text_free(&moved);
        copy.bytes[i] ^= 0x55;
    }
    CU_ASSERT(refused > 50);
    for (; copy.length > 0; copy.length--) {
        struct tflite_offline offline;
        (void)tflite_offline_find(&copy, "m.tflite", &offline, &error);
        tflite_offline_clear(&offline);
    }
}

static void test_tensors(void)
{
    SCOPED(text_free) struct text text = write_model();
    SCOPED(text_free) struct text two = {0};
    struct tflite_tensors tensors;
    must(tflite_read_tensors(&text, "m.tflite", &tensors, &error));
    CU_ASSERT_EQUAL_FATAL(tensors.count, 4);
    CU_ASSERT(tensors.tensor[0] == 0 && tensors.tensor[1] == GRAPH_NONE && tensors.tensor[2] == 1 &&
              tensors.tensor[3] == 2);
    memory_free(tensors.tensor);
    writer_add_model(&two, caller, 2);
    CU_ASSERT_EQUAL(tflite_read_tensors(&two, "m.tflite", &tensors, &error), STATUS_BAD_INPUT);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "found 2 subgraphs, expected one"));
}

static enum status embed_and_free(const void *model_text, struct error *failed)
{
    SCOPED(text_free) struct text bytes = write_bytes((int32_t[]){0, -1, 32, 64}, 4);
    SCOPED(text_free) struct text copy = {0};
    TRY(text_check(&bytes, failed));
    return tflite_offline_embed(model_text, "m.tflite", &bytes, &copy, failed);
}

static void test_no_memory(void)
{
    SCOPED(text_free) struct text text = write_model();
    fail_each(embed_and_free, &text);
}

static const struct test_case cases[] = {
    {"the bytes of a plan", test_bytes},
    {"damaged bytes", test_damaged_bytes},
    {"a model that carries a plan", test_embedded},
    {"damaged models", test_damaged_model},
    {"the tensors of a model", test_tensors},
    {"no memory", test_no_memory},
};

TESTING_MAIN("datasets/tflite/offline", cases)
