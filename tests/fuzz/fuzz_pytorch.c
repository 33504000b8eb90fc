#include "datasets/pytorch/pytorch.h"
#include "rewritten_graph.h"

/* An archive, or the program by itself, is refused, or it is a graph that the JSON format knows. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const struct model_options none = {0};
    SCOPED(text_free) struct text text = fuzzing_text(data, size);
    SCOPED(json_document_release) struct json_document *document = NULL;
    struct graph *graph = NULL;
    struct error error = ERROR_NONE;
    enum status status;
    if (size && data[0] == '{') {
        status = json_document_read_sparing(&text, "input", &pytorch_spare, &document, &error);
        if (!status)
            status = pytorch_read_program(document, &none, &graph, &error);
    } else {
        status = pytorch_read_archive(&text, "input", NULL, &none, &graph, &error);
    }
    if (status)
        fuzzing_check_refusal(status, &error);
    else
        fuzzing_require(rewritten_graph_check(graph));
    return 0;
}
