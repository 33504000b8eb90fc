#include "datasets/openvino/openvino.h"
#include "rewritten_graph.h"

/* A network is refused, or it is a graph that the JSON format knows. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const struct model_options options = {.assume_dimension = 2};
    SCOPED(text_free) struct text text = fuzzing_text(data, size);
    struct graph *graph = NULL;
    struct error error = ERROR_NONE;
    enum status status = openvino_read(&text, "input", &options, &graph, &error);
    if (status)
        fuzzing_check_refusal(status, &error);
    else
        fuzzing_require(rewritten_graph_check(graph));
    return 0;
}
