#include "datasets/memplan_json/graph.h"
#include "datasets/tflite/tflite.h"
#include "fuzzing.h"

/* What was read is a graph that the JSON format knows too: written and read it is the same. */
static void check_rewritten(const struct graph *graph)
{
    struct text first = {0}, second = {0};
    struct graph *again;
    struct error error;
    fuzzing_require(graph_json_write(graph, &first, &error) == STATUS_OK);
    enum status status = graph_json_read(&first, "input", &again, &error);
    fuzzing_require(status == STATUS_OK);
    fuzzing_require(graph_json_write(again, &second, &error) == STATUS_OK);
    fuzzing_require_same(&first, &second);
    graph_free(again);
    text_free(&first);
    text_free(&second);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct text text = fuzzing_text(data, size);
    struct graph *graph;
    struct error error = ERROR_NONE;
    enum status status = tflite_read(&text, "input", &graph, &error);
    if (status) {
        fuzzing_check_refusal(status, &error);
    } else {
        check_rewritten(graph);
        graph_free(graph);
    }
    text_free(&text);
    return 0;
}
