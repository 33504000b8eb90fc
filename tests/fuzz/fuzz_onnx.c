#include <pthread.h>
#include <sanitizer/common_interface_defs.h>

#include "datasets/onnx/read.h"
#include "rewritten_graph.h"

/* libonnx runs in a process of its own, where it may die: what a sanitizer finds there is no
   finding about this reader, and must not be kept as one. */
static void forget_findings(void)
{
    __sanitizer_set_death_callback(NULL);
}

int LLVMFuzzerInitialize(int *arguments, char ***argument);
int LLVMFuzzerInitialize(int *arguments, char ***argument)
{
    (void)arguments, (void)argument;
    return pthread_atfork(NULL, NULL, forget_findings);
}

/* What was read is written, unless a name is not UTF-8. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const struct model_options options = {.assume_dimension = 2};
    SCOPED(text_free) struct text text = fuzzing_text(data, size);
    struct graph *graph;
    struct error error = ERROR_NONE;
    enum status status = onnx_read(&text, "input", &options, &graph, &error);
    if (status)
        fuzzing_check_refusal(status, &error);
    else
        rewritten_graph_check(graph);
    return 0;
}
