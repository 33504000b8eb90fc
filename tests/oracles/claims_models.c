/* Models for models.py, executorch.py and hlo.py: the graph that a program of torch.export or a
   module of XLA becomes, or the problem and plan of a snapshot of PyTorch's allocator or of a
   program of ExecuTorch. */
#include <inttypes.h>

#include "datasets/cuda_snapshot/cuda_snapshot.h"
#include "datasets/executorch/executorch.h"
#include "datasets/hlo/hlo.h"
#include "datasets/json/fields.h"
#include "datasets/memplan_json/graph.h"
#include "datasets/pytorch/pytorch.h"
#include "oracles/claims.h"
#include "planning/liveness/liveness.h"
#include "planning/lowering/level.h"

static enum status write_graph(const struct graph *graph, FILE *out, struct error *error)
{
    SCOPED(text_free) struct text text = {0};
    TRY(graph_json_write(graph, &text, error));
    for (size_t i = 0; i < text.length; i++)
        fputc(text.bytes[i] == '\n' ? ' ' : text.bytes[i], out);
    return STATUS_OK;
}

static enum status answer_program(struct json_document *document, FILE *out, struct error *error)
{
    static const struct model_options none = {0};
    SCOPED(graph_release) struct graph *graph = NULL;
    TRY(pytorch_read_program(document, &none, &graph, error));
    return write_graph(graph, out, error);
}

static enum status answer_snapshot(struct json_document *document, FILE *out, struct error *error)
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

static enum status decode(const char *digits, struct text *file, struct error *error)
{
    for (size_t i = 0; digits[i] && digits[i + 1]; i += 2) {
        char byte = (char)(parse_digit(digits[i]) << 4 | parse_digit(digits[i + 1]));
        text_append_bytes(file, &byte, 1);
    }
    return text_check(file, error);
}

/* The graph, and the first and last step of its tensors under the policy flat. */
static enum status answer_hlo(const char *digits, FILE *out, struct error *error)
{
    SCOPED(graph_release) struct graph *graph = NULL;
    SCOPED(text_free) struct text file = {0};
    struct liveness *liveness = NULL;
    struct level *level = NULL;
    TRY(decode(digits, &file, error));
    TRY(hlo_read_graph(&file, "case.pb", 0, &graph, error));
    TRY(liveness_create(graph, &liveness, error));
    enum status status =
        level_create_flat(&(struct level_source){graph, liveness, 1}, &level, error);
    liveness_free(liveness);
    TRY(status);
    fputs("{\"graph\": ", out);
    status = write_graph(graph, out, error);
    fputs(", \"flat\": [", out);
    const struct problem *problem = level->problem;
    for (uint32_t b = 0; b < problem->buffers; b++)
        fprintf(out, "%s[\"%s\", %" PRIu64 ", %" PRIu32 ", %" PRIu32 "]", b ? ", " : "",
                names_get(&problem->names, b), problem->size[b], problem_lower(problem, b),
                problem_upper(problem, b));
    fputs("]}", out);
    level_free(level);
    return status;
}

static enum status answer_executorch(const char *digits, FILE *out, struct error *error)
{
    const struct carried_choice any = {.memory = CARRIED_ANY};
    SCOPED(carried_clear) struct carried carried = {0};
    SCOPED(text_free) struct text file = {0};
    TRY(decode(digits, &file, error));
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
    TRY(json_document_read_sparing(&line, "case", &pytorch_spare, &document, error));
    const struct json_reader fields = {document, error};
    TRY(json_fields_optional_text(&fields, document->root, "pte", &digits));
    if (digits)
        return answer_executorch(digits, out, error);
    TRY(json_fields_optional_text(&fields, document->root, "hlo", &digits));
    if (digits)
        return answer_hlo(digits, out, error);
    return cuda_snapshot_is(document) ? answer_snapshot(document, out, error)
                                      : answer_program(document, out, error);
}
