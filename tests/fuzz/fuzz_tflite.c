#include "datasets/tflite/tflite.h"
#include "rewritten_graph.h"

/* What was read is a graph that the JSON format knows too. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    SCOPED(text_free) struct text text = fuzzing_text(data, size);
    struct graph *graph;
    struct error error = ERROR_NONE;
    enum status status = tflite_read(&text, "input", 0, &graph, &error);
    if (status)
        fuzzing_check_refusal(status, &error);
    else
        fuzzing_require(rewritten_graph_check(graph));
    return 0;
}
