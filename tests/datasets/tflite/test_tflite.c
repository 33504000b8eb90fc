#include "datasets/tflite/tflite.h"

#include "core/random.h"
#include "datasets/memplan_json/graph.h"
#include "datasets/reading.h"
#include "datasets/tflite/writer.h"
#include "support/fail_each.h"
#include "support/must.h"

static enum status read_and_free(const void *text, struct error *failed)
{
    SCOPED(graph_release) struct graph *graph = NULL;
    return tflite_read(text, "test.file", 0, &graph, failed);
}

/* Reads a model as the graph of that case. */
static void check_model(const struct writer_subgraph *subgraphs, unsigned count, const char *words)
{
    SCOPED(text_free) struct text text = {0};
    SCOPED(text_free) struct text written = {0};
    SCOPED(graph_release) struct graph *graph = NULL;
    writer_add_model(&text, subgraphs, count);
    must(tflite_read(&text, "some/test.tflite", 0, &graph, &error));
    must(graph_json_write(graph, &written, &error));
    reading_check_result("tflite_read", words, written.bytes);
}

/* Codes: 9 FULLY_CONNECTED, 19 RELU, 0 ADD, 32 custom, 210 beyond the table. Types: 0 float32, 9
   int8, 5 text. */
static const struct writer_subgraph plain = {
    "0",
    "5",
    {"x|2 4|0|", "w|3 4|0|c", "y|2 3|0|", "y|2 3|0|", "z|2 3|0|", "|2 3|0|", "empty|0|0|"},
    {"9|0 1 -1|2", "19|2|3", "0|3 2|4", "32|4 6|5"}};

/* A counter (constant at first), a value, and a loop that counts and doubles. */
static const struct writer_subgraph loop[] = {
    {"0", "3", {"x|4|0|", "zero||2|c", "n||2|", "r|4|0|"}, {"119|1 0|2 3|93|1 2"}},
    {"0 1", "3", {"n||2|", "x|4|0|", "ten||2|c", "less||6|"}, {"58|0 2|3"}},
    {"0 1", "3 4", {"n||2|", "x|4|0|", "one||2|c", "m||2|", "twice|4|0|"}, {"0|0 2|3", "0|1 1|4"}},
};

/* Two Ifs call the same branches; one branch hands on what it was given; init runs first. */
static const struct writer_subgraph branches[] = {
    {"0 1",
     "3",
     {"c|1|6|", "x|4|0|", "y|4|0|", "z|4|0|"},
     {"129|||103|3", "118|0 1|2|92|1 2", "118|0 2|3|92|1 2"}},
    {"0", "1", {"a|4|0|", "b|4|0|"}, {"19|0|1"}},
    {"0", "0", {"a|4|0|"}, {0}},
    {"", "", {"k||2|c", "s||2|"}, {"0|0 0|1"}},
};

/* A variable of a subgraph that is called twice is one place, an input and an output, so that it is
   live from the first step to the last; a text is outside the arena. */
static const struct writer_subgraph variables[] = {
    {"0 1", "3", {"x|4|0|", "t|2|5|", "y|4|0|", "z|4|0|"}, {"31|0|2|16|1", "31|2|3|16|1"}},
    {"0", "2", {"a|4|0|", "state|8|0|v", "b|4|0|"}, {"27|0 1|2"}},
};

static void test_graphs(void)
{
    check_model(&plain, 1, "operators, weights, names and facts");
    check_model(loop, 3, "While becomes a loop");
    check_model(branches, 4, "If and CALL_ONCE become regions, each call its own");
    check_model(variables, 2, "variables are live for ever");
}

/* The batch is dynamic: 4 rows of 6 become 2 of 3 for each of it, and both orders of reshaping are
   undone. Codes: 9 FULLY_CONNECTED, 22 RESHAPE, 2 CONCATENATION, 77 SHAPE. */
static const struct writer_subgraph dynamic = {
    "0",
    "6",
    {"x|-9 4 6|0|", "w|3 6|0|c", "rows|-9 6|0|", "dense|-9 3|0|", "back|-9 4 3|0|", "r|-9 4 3|0|",
     "both|-9 8 3|0|", "size|3|2|"},
    {"22|0|2", "9|2 1|3", "22|3|4", "19|4|5", "2|4 5|6", "77|6|7"}};

static void test_batch(void)
{
    static const uint64_t elements[] = {24, 24, 12, 12, 12, 24, 0};
    static const uint64_t batches[] = {1, 5, 64};
    for (size_t i = 0; i < sizeof batches / sizeof *batches; i++) {
        SCOPED(text_free) struct text text = {0};
        SCOPED(graph_release) struct graph *graph = NULL;
        writer_add_model(&text, &dynamic, 1);
        must(tflite_read(&text, "test.tflite", batches[i], &graph, &error));
        CU_ASSERT_EQUAL_FATAL(graph->tensors, 7);
        for (uint32_t t = 0; t < 7; t++)
            CU_ASSERT_EQUAL(graph->tensor[t].bytes,
                            elements[t] ? 4 * elements[t] * batches[i] : 12);
    }
}

static void test_batch_refused(void)
{
    static const struct {
        const char *part;
        struct writer_subgraph subgraph;
    } rows[] = {
        {"found a value or range for the batch and fixed shapes of all 1",
         {"0", "1", {"x|4|0|", "y|4|0|"}, {"19|0|1"}}},
        {"behind the first", {"0", "1", {"x|1 -9|0|", "y|1 -9|0|"}, {"19|0|1"}}},
        {"whose output 0 does not follow", {"0", "1", {"x|-9 4|0|", "y|-9 4|0|"}, {"45|0|1"}}},
        {"whose output 0 does not follow", {"0", "1", {"x|-9 4|0|", "y|1 4|0|"}, {"19|0|1"}}},
        {"whose output 0 does not follow", {"0", "1", {"x|-9 4|0|", "y|-9 3|0|"}, {"22|0|1"}}},
        {"cut or joined", {"0", "1", {"x|-9 4|0|", "y|-9 4|0|"}, {"2|0 0|1"}}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        SCOPED(text_free) struct text text = {0};
        SCOPED(graph_release) struct graph *graph = NULL;
        writer_add_model(&text, &rows[i].subgraph, 1);
        CU_ASSERT_EQUAL(tflite_read(&text, "test.tflite", 7, &graph, &error), STATUS_BAD_INPUT);
        CU_ASSERT_PTR_NOT_NULL(strstr(error.text, rows[i].part));
    }
}

struct fault {
    const char *expected;
    struct writer_subgraph subgraphs[3];
};

static const struct fault faults[] = {
    {"found no operators", {{"0", "0", {"x|4|0|"}, {0}}}},
    {"found a use of tensor 1 'y' before", {{"0", "1", {"x|4|0|", "y|4|0|"}, {"0|0 1|1"}}}},
    {"found tensor 7, expected one of the 2", {{"0", "1", {"x|4|0|", "y|4|0|"}, {"0|0 7|1"}}}},
    {"found tensor 0 written here, which is an input", {{"0", "0", {"x|4|0|"}, {"19|0|0"}}}},
    {"which is a constant", {{"0", "1", {"x|4|0|", "y|4|0|c"}, {"19|0|1"}}}},
    {"found no tensor (-1)", {{"-1", "0", {"x|4|0|"}, {"19|0|0"}}}},
    {"found dimension 0 of tensor 1 'y'", {{"0", "1", {"x|4|0|", "y|0|0|"}, {"19|0|1"}}}},
    {"found dimension -1", {{"0", "1", {"x|4|0|", "y|-1|0|"}, {"19|0|1"}}}},
    {"found 9 dimensions", {{"0", "0", {"x|1 1 1 1 1 1 1 1 1|0|"}, {"19|0|0"}}}},
    {"found a tensor of type 19", {{"0", "0", {"x|1|19|"}, {"19|0|0"}}}},
    {"found a tensor of 2^64 elements",
     {{"0", "0", {"x|2147483647 2147483647 2147483647|0|"}, {"19|0|0"}}}},
    {"found a call of subgraph 5, expected one of 1",
     {{"0", "1", {"x|4|0|", "y|4|0|"}, {"31|0|1|16|5"}}}},
    {"found a call of subgraph 0 inside itself",
     {{"0", "1", {"x|4|0|", "y|4|0|"}, {"31|0|1|16|0"}}}},
    {"found IF without its options", {{"0", "1", {"x|4|0|", "y|4|0|"}, {"118|0 0|1|7|0 0"}}}},
    {"found IF with 0 inputs", {{"0", "1", {"x|4|0|", "y|4|0|"}, {"118||1|92|0 0"}}}},
    {"found operator STABLEHLO_CASE", {{"0", "1", {"x|4|0|", "y|4|0|"}, {"209|0|1|1|0"}}}},
    {"found 8 bytes of input 0 of subgraph 1, expected 16 as it is given",
     {{"0", "1", {"x|4|0|", "y|4|0|"}, {"31|0|1|16|1"}}, {"0", "0", {"a|2|0|"}, {0}}}},
    {"found 2 inputs of subgraph 1 (call of CALL), expected 1",
     {{"0", "1", {"x|4|0|", "y|4|0|"}, {"31|0|1|16|1"}}, {"0 1", "0", {"a|4|0|", "b|4|0|"}, {0}}}},
    {"found a tensor again as an input",
     {{"0", "1", {"x|4|0|", "y|4|0|"}, {"31|0 0|1|16|1"}}, {"0 0", "0", {"a|4|0|"}, {0}}}},
    {"found 32 bytes of output 0 of subgraph 1, expected at most 16",
     {{"0", "1", {"x|4|0|", "y|4|0|"}, {"31|0|1|16|1"}},
      {"0", "1", {"a|4|0|", "b|8|0|"}, {"34|0|1"}}}},
    {"'WHILE_0/body/b' has 32 bytes, expected 16 as the carried argument",
     {{"0", "1", {"x|4|0|", "y|4|0|"}, {"119|0|1|93|1 2"}},
      {"0", "1", {"a|4|0|", "b||6|"}, {"58|0 0|1"}},
      {"0", "1", {"a|4|0|", "b|8|0|"}, {"34|0|1"}}}},
    {"found 2 results of subgraph 2 (body of WHILE), expected 1",
     {{"0", "1", {"x|4|0|", "y|4|0|", "z|4|0|"}, {"119|0|1 2|93|1 2"}},
      {"0", "1", {"a|4|0|", "b||6|"}, {"58|0 0|1"}},
      {"0", "0 0", {"a|4|0|"}, {0}}}},
};

static void test_faults(void)
{
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
        SCOPED(text_free) struct text text = {0};
        unsigned count = 1;
        while (count < 3 && faults[i].subgraphs[count].inputs)
            count++;
        writer_add_model(&text, faults[i].subgraphs, count);
        enum status status = read_and_free(&text, &error);
        int matches = status == STATUS_BAD_INPUT && strstr(error.text, faults[i].expected) &&
                      strncmp(error.text, "byte offset ", 12) == 0;
        if (!matches)
            printf("\n    fault %zu: wanted '%s', got %d %s\n", i, faults[i].expected, status,
                   error.text);
        CU_ASSERT(matches);
    }
}

/* Two calls of the next subgraph in each: without a limit, 2^60 operators. */
static void test_repeats(void)
{
    struct writer_subgraph model[60];
    char calls[60][2][32];
    SCOPED(text_free) struct text text = {0};
    for (unsigned i = 0; i < 60; i++) {
        for (unsigned k = 0; k < 2; k++)
            snprintf(calls[i][k], sizeof calls[i][k], "31|%u|%u|16|%u", k, k + 1, i + 1);
        model[i] = (struct writer_subgraph){
            "0", "2", {"a|4|0|", "b|4|0|", "c|4|0|"}, {calls[i][0], calls[i][1]}};
    }
    model[59].operators[0] = "19|0|1";
    model[59].operators[1] = "19|1|2";
    writer_add_model(&text, model, 60);
    CU_ASSERT_EQUAL(read_and_free(&text, &error), STATUS_BAD_INPUT);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "expected fewer"));
}

static void test_allocations(void)
{
    SCOPED(text_free) struct text one = {0};
    SCOPED(text_free) struct text three = {0};
    writer_add_model(&one, &plain, 1);
    writer_add_model(&three, loop, 3);
    fail_each(read_and_free, &one);
    fail_each(read_and_free, &three);
}

/* Published models. Numbers as TensorFlow's own reader counts them, without tensors that no
   operator touches: ten empty descriptions in dtln. Loops add their arguments and the constants
   they start from. */
static const struct {
    const char *name;
    uint32_t operators, tensors, regions, variables;
} files[] = {
    {"dtln_noise_suppression", 4, 9, 0, 4},
    {"keyword_scrambled", 15, 23, 0, 7},
    {"micro_speech_quantized", 4, 5, 0, 0},
    {"multi_subgraphs_while", 5, 12, 2, 0},
    {"nested_while", 7, 10, 4, 0},
    {"person_detect", 31, 32, 0, 0},
    {"torchaudio_conformer", 138, 140, 0, 0},
    {"while_op_with_forwarding_input", 6, 22, 2, 0},
};

enum { FILES = sizeof files / sizeof *files, DAMAGED_COPIES = 300 };

/* A graph that can be written, or a message with a place. */
static void check_damaged(const char *bytes, size_t length)
{
    struct text copy = {.bytes = memory_allocate(length, 1), .length = length}, json = {0};
    struct graph *graph;

    CU_ASSERT_PTR_NOT_NULL_FATAL(copy.bytes);
    memcpy(copy.bytes, bytes, length);
    enum status status = tflite_read(&copy, "test.file", 0, &graph, &error);
    if (status) {
        CU_ASSERT(status == STATUS_BAD_INPUT && strncmp(error.text, "byte offset ", 12) == 0);
    } else {
        must(graph_json_write(graph, &json, &error));
        text_free(&json);
        graph_free(graph);
    }
    memory_free(copy.bytes);
}

static void test_published_files(void)
{
    struct random_state random = random_seed(1);
    for (size_t i = 0; i < FILES; i++) {
        SCOPED(text_free) struct text text = {0};
        SCOPED(graph_release) struct graph *graph = NULL;
        char name[100], path[4096];
        snprintf(name, sizeof name, "tflite/%s.tflite", files[i].name);
        if (!testing_dataset(name, path, sizeof path))
            continue;
        must(text_read_file(path, &text, &error));
        if (tflite_read(&text, files[i].name, 0, &graph, &error))
            printf("\n    %s: %s\n", error.file, error.text);
        CU_ASSERT_PTR_NOT_NULL_FATAL(graph);
        CU_ASSERT_EQUAL(graph->operators, files[i].operators);
        CU_ASSERT_EQUAL(graph->tensors, files[i].tensors);
        CU_ASSERT_EQUAL(graph->regions - 1, files[i].regions);
        uint32_t kept = 0;
        for (uint32_t k = 0; k < graph->inputs.count; k++)
            for (uint32_t n = 0; n < graph->region[0].yields.count; n++)
                kept += graph->list[graph->inputs.first + k] ==
                        graph->list[graph->region[0].yields.first + n];
        CU_ASSERT_EQUAL(kept, files[i].variables);
        for (int n = 0; n < DAMAGED_COPIES; n++) {
            size_t at = random_below(&random, text.length);
            check_damaged(text.bytes, at);
            char byte = text.bytes[at];
            text.bytes[at] = (char)(byte ^ 1 << random_below(&random, 8));
            check_damaged(text.bytes, text.length);
            text.bytes[at] = byte;
        }
    }
}

static const struct test_case cases[] = {
    {"models become the graphs that they say", test_graphs},
    {"a dynamic batch is handed on from operator to operator", test_batch},
    {"a batch that is not handed on is refused", test_batch_refused},
    {"faults are named with their byte", test_faults},
    {"subgraphs that repeat without end are refused", test_repeats},
    {"every allocation may fail", test_allocations},
    {"published files are read, damaged ones are read or refused", test_published_files},
};
TESTING_MAIN("datasets/tflite", cases)
