/* Families for sizes.py: what a plan for all sizes claims, and whether verify calls lists safe. */
#include <inttypes.h>
#include <string.h>

#include "core/memory.h"
#include "datasets/json/fields.h"
#include "datasets/memplan_json/problem.h"
#include "harness/catalogue/planners.h"
#include "harness/family/family_plan.h"
#include "harness/family/size_comparison.h"
#include "oracles/claims.h"
#include "planning/verify/problem/orientation.h"

static enum status verify_given(const struct json_reader *reader, const struct problem *problem,
                                bool *valid, struct error *error)
{
    const struct json_value *lists;
    SCOPED(memory_release) uint32_t *first = NULL;
    SCOPED(memory_release) uint32_t *below = NULL;
    struct verdict verdict;
    uint32_t b = 0, pairs = 0;
    TRY(json_fields_array(reader, reader->document->root, "below", &lists));
    TRY(memory_create(&first, problem->buffers + 1, sizeof *first, error));
    TRY(memory_create(&below, (size_t)problem->buffers * problem->buffers, sizeof *below, error));
    JSON_EACH(list, lists) {
        JSON_EACH(value, list)
            below[pairs++] = (uint32_t)value->integer;
        first[++b] = pairs;
    }
    TRY(verify_orientation(problem, &(struct below_lists){first, below}, &verdict, error));
    *valid = verdict.fault == VERIFY_VALID;
    return STATUS_OK;
}

/* The load at each point of the box; the last parameter changes with each, the first one last. */
static enum status write_loads(const struct family *family, FILE *out, struct error *error)
{
    const struct symbolic_sizes *sizes = family->sizes;
    uint32_t last = family->parameters - 1, p = last;
    SCOPED(memory_release) uint64_t *point = NULL;
    SCOPED(memory_release) uint64_t *size = NULL;
    TRY(memory_create(&point, family->parameters, sizeof *point, error));
    TRY(memory_create(&size, family->problem->buffers, sizeof *size, error));
    for (uint32_t i = 0; i <= last; i++)
        point[i] = sizes->least[i];
    for (char before = '['; p != UINT32_MAX; before = ',') {
        fprintf(out, "%c", before);
        if (family_sizes(family, point, size))
            fprintf(out, "%" PRIu64, family_load(family, size));
        for (p = last; p != UINT32_MAX && point[p]++ == sizes->greatest[p]; p--)
            point[p] = sizes->least[p];
    }
    fputs("]", out);
    return STATUS_OK;
}

static enum status write_plan(const struct family_plan *plan, FILE *out, struct error *error)
{
    const struct orientation *orientation = plan->orientation;
    fprintf(out,
            ", \"status\": \"%s\", \"peak\": %" PRIu64 ", \"bound\": %" PRIu64
            ", \"worst\": [%" PRIu64 ", %" PRIu64 "], \"proved\": [%" PRIu64 ", %" PRIu64
            "], \"least\": [%" PRIu64 ", %" PRIu64 "], \"at\": [",
            plan_status_name(plan->status), plan->peak_bytes, plan->bound_bytes,
            plan->worst.ratio.peak_bytes, plan->worst.ratio.load_bytes,
            plan->worst.proved.peak_bytes, plan->worst.proved.load_bytes, plan->least.peak_bytes,
            plan->least.load_bytes);
    for (uint32_t p = 0; p < plan->family.parameters; p++)
        fprintf(out, "%s%" PRIu64, p ? ", " : "", plan->worst.point[p]);
    fputs("], \"loads\": ", out);
    TRY(write_loads(&plan->family, out, error));
    fputs(", \"below\": [", out);
    for (uint32_t b = 0; b < orientation->buffers; b++) {
        fputs(b ? ", [" : "[", out);
        for (uint32_t e = orientation->first[b]; e < orientation->first[b + 1]; e++)
            fprintf(out, "%s%u", e > orientation->first[b] ? ", " : "", orientation->below[e]);
        fputs("]", out);
    }
    fputs("]", out);
    return STATUS_OK;
}

/* What the rules of ggml's allocator hold at each point that is compared. */
static enum status write_allocated(const struct family_request *request, struct family_plan *plan,
                                   FILE *out, struct error *error)
{
    SCOPED(size_comparison_clear) struct size_comparison comparison = {.cell = NULL};
    const struct size_vectors *vectors = &comparison.vectors;
    TRY(size_comparison_make(request, plan, &comparison, error));
    fputs(", \"allocated\": [", out);
    for (uint32_t v = 0; v < vectors->count; v++) {
        fprintf(out, "%s{\"point\": [", v ? ", " : "");
        for (uint32_t p = 0; p < plan->family.parameters; p++)
            fprintf(out, "%s%" PRIu64, p ? ", " : "",
                    vectors->point[(size_t)v * plan->family.parameters + p]);
        fputs("]", out);
        for (uint32_t r = 0; r < size_comparison_rules(); r++)
            if (strncmp(size_comparison_rule_at(r)->name, "ggml", 4) == 0)
                fprintf(out, ", \"%s\": %" PRIu64, size_comparison_rule_at(r)->name,
                        comparison.cell[r * vectors->count + v].peak_bytes);
        fputs("}", out);
    }
    fputs("]", out);
    return STATUS_OK;
}

static enum status answer_instance(const struct json_reader *reader,
                                   const struct instance *instance, FILE *out, struct error *error)
{
    const char *name;
    bool valid = false;
    TRY(verify_given(reader, instance->problem, &valid, error));
    TRY(json_fields_text(reader, reader->document->root, "planner", &name));
    struct job job = job_make(instance, NULL, planners_find(name));
    job.time_limit_ns = UINT64_C(2000000000);
    const struct json_value *first = json_fields_get(reader, reader->document->root, "worst_first");
    const struct family_request request = {.job = &job,
                                           .worst_first = json_tree_is(first, JSON_TRUE)};
    SCOPED(family_plan_clear) struct family_plan plan = {.orientation = NULL};
    TRY(family_plan_find(&request, &plan, error));
    fprintf(out, "{\"verdict\": %s", valid ? "true" : "false");
    if (plan.status != PLAN_TIMEOUT) {
        TRY(write_plan(&plan, out, error));
        TRY(write_allocated(&request, &plan, out, error));
    }
    fputs("}", out);
    return STATUS_OK;
}

enum status claims_answer(const char *text, size_t length, FILE *out, struct error *error)
{
    SCOPED(text_free) struct text line = {0};
    SCOPED(json_document_release) struct json_document *document = NULL;
    SCOPED(instance_release) struct instance *instance = NULL;
    struct problem *problem;
    text_append_bytes(&line, text, length);
    TRY(json_document_read(&line, "case", &document, error));
    const struct json_reader reader = {document, error};
    struct json_document part = *document;
    part.root = json_fields_get(&reader, document->root, "problem");
    TRY(problem_json_read_document(&part, false, &problem, error));
    TRY(instance_create("case", NULL, problem, &instance, error));
    return answer_instance(&reader, instance, out, error);
}
