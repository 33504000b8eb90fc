/* Models for models.py: the graph that a program of torch.export becomes, or the problem and plan
   of a snapshot of PyTorch's allocator. */
#include <inttypes.h>

#include "datasets/cuda_snapshot/cuda_snapshot.h"
#include "datasets/memplan_json/graph.h"
#include "datasets/pytorch/pytorch.h"
#include "oracles/claims.h"

static enum status answer_program(const struct json_document *document, FILE *out,
                                  struct error *error)
{
    static const struct model_options none = {0};
    SCOPED(graph_release) struct graph *graph = NULL;
    SCOPED(text_free) struct text text = {0};
    TRY(pytorch_read_program(document, &none, &graph, error));
    TRY(graph_json_write(graph, &text, error));
    for (size_t i = 0; i < text.length; i++)
        fputc(text.bytes[i] == '\n' ? ' ' : text.bytes[i], out);
    return STATUS_OK;
}

static enum status answer_snapshot(const struct json_document *document, FILE *out,
                                   struct error *error)
{
    const struct carried_choice any = {.memory = CARRIED_ANY};
    SCOPED(carried_clear) struct carried carried = {0};
    TRY(cuda_snapshot_read(document, &any, &carried, error));
    fprintf(out, "{\"arena\": %" PRIu64 ", \"buffers\": [", carried.arena_bytes);
    for (uint32_t b = 0; b < carried.problem->buffers; b++)
        fprintf(out, "%s[%" PRIu64 ", %" PRIu64 ", %" PRIu32 ", %" PRIu32 "]", b ? ", " : "",
                carried.problem->size[b], carried.offset[b], problem_lower(carried.problem, b),
                problem_upper(carried.problem, b));
    fputs("]}", out);
    return STATUS_OK;
}

enum status claims_answer(const char *text, size_t length, FILE *out, struct error *error)
{
    SCOPED(text_free) struct text line = {0};
    SCOPED(json_document_release) struct json_document *document = NULL;
    text_append_bytes(&line, text, length);
    TRY(json_document_read(&line, "case", &document, error));
    return cuda_snapshot_is(document) ? answer_snapshot(document, out, error)
                                      : answer_program(document, out, error);
}
