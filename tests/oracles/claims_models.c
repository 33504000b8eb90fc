/* Models for models.py and executorch.py: the graph that a program of torch.export becomes, or the
   problem and plan of a snapshot of PyTorch's allocator or of a program of ExecuTorch. */
#include <inttypes.h>

#include "datasets/cuda_snapshot/cuda_snapshot.h"
#include "datasets/executorch/executorch.h"
#include "datasets/json/fields.h"
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

static unsigned parse_digit(char digit)
{
    return digit <= '9' ? (unsigned)(digit - '0') : (unsigned)(digit - 'a') + 10;
}

static enum status answer_executorch(const char *digits, FILE *out, struct error *error)
{
    const struct carried_choice any = {.memory = CARRIED_ANY};
    SCOPED(carried_clear) struct carried carried = {0};
    SCOPED(text_free) struct text file = {0};
    for (size_t i = 0; digits[i] && digits[i + 1]; i += 2) {
        char byte = (char)(parse_digit(digits[i]) << 4 | parse_digit(digits[i + 1]));
        text_append_bytes(&file, &byte, 1);
    }
    TRY(executorch_read(&file, "case.pte", &any, &carried, error));
    const struct problem *problem = carried.problem;
    fputs("{\"buffers\": [", out);
    for (uint32_t b = 0; b < problem->buffers; b++) {
        fprintf(out, "%s[\"%s\", %" PRIu64 ", %" PRIu64 ", [", b ? ", " : "",
                names_get(&problem->names, b), problem->size[b], carried.offset[b]);
        for (uint32_t s = problem->first[b]; s < problem->first[b + 1]; s++)
            fprintf(out, "%s[%" PRIu32 ", %" PRIu32 "]", s > problem->first[b] ? ", " : "",
                    problem->lower[s], problem->upper[s]);
        fputs("]]", out);
    }
    fputs("]}", out);
    return STATUS_OK;
}

enum status claims_answer(const char *text, size_t length, FILE *out, struct error *error)
{
    SCOPED(text_free) struct text line = {0};
    SCOPED(json_document_release) struct json_document *document = NULL;
    text_append_bytes(&line, text, length);
    const char *digits;
    TRY(json_document_read(&line, "case", &document, error));
    const struct json_reader fields = {document, error};
    TRY(json_fields_optional_text(&fields, document->root, "pte", &digits));
    if (digits)
        return answer_executorch(digits, out, error);
    return cuda_snapshot_is(document) ? answer_snapshot(document, out, error)
                                      : answer_program(document, out, error);
}
