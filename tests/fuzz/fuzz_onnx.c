#include "datasets/memplan_json/graph.h"
#include "datasets/onnx/read.h"
#include "fuzzing.h"

/* What was read can be written and read again, unless a name is not UTF-8. */
static void check_written(const struct graph *graph)
{
    struct text first = {0}, second = {0};
    struct graph *again;
    struct error error;
    if (graph_json_write(graph, &first, &error) == STATUS_OK) {
        fuzzing_require(graph_json_read(&first, "input", &again, &error) == STATUS_OK);
        fuzzing_require(graph_json_write(again, &second, &error) == STATUS_OK);
        fuzzing_require_same(&first, &second);
        graph_free(again);
    }
    text_free(&first);
    text_free(&second);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const struct onnx_options options = {.assume_dimension = 2};
    struct text text = fuzzing_text(data, size);
    struct graph *graph;
    struct error error = ERROR_NONE;
    enum status status = onnx_read(&text, "input", &options, &graph, &error);
    text_free(&text);
    if (status) {
        fuzzing_check_refusal(status, &error);
        return 0;
    }
    check_written(graph);
    graph_free(graph);
    return 0;
}
