#include "carried_plan.h"
#include "datasets/hlo/hlo.h"
#include "rewritten_graph.h"

/* The plan that a module carries, and its graph in the space that its length chooses. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    SCOPED(text_free) struct text text = fuzzing_text(data, size);
    struct graph *graph = NULL;
    struct error error = ERROR_NONE;
    carried_plan_check(hlo_read, data, size);
    enum status status = hlo_read_graph(&text, "input", size % 3, &graph, &error);
    if (status)
        fuzzing_check_refusal(status, &error);
    else
        rewritten_graph_check(graph);
    return 0;
}
