/* A plan for all sizes as JSON and as a C header. */

#include <ctype.h>
#include <inttypes.h>

#include "core/file.h"
#include "core/memory.h"
#include "datasets/json/text.h"
#include "harness/family/family_file.h"
#include "harness/files/c_name.h"

enum status family_file_write_json(const struct job *job, const struct family_plan *plan,
                                   struct text *text, struct error *error)
{
    const struct problem *problem = plan->family.problem;
    const struct symbolic_sizes *sizes = problem->sizes;
    const struct orientation *orientation = plan->orientation;
    size_t start = text->length;
    text_append(text, "{\n  \"format\": \"%s\",\n", FAMILY_PLAN_FORMAT);
    json_text_after(text, "  \"instance\": ", job->instance->name);
    json_text_after(text, ",\n  \"digest\": ", job->instance->digest);
    json_text_after(text, ",\n  \"planner\": ", job->planner->name);
    json_text_after(text, ",\n  \"status\": ", plan_status_name(plan->status));
    text_append(text, ",\n  \"parameters\": {");
    for (uint32_t p = 0; p < plan->family.parameters; p++)
        text_append(text, "%s\"%s\": [%" PRIu64 ", %" PRIu64 "]", p ? ", " : "",
                    names_get(&sizes->parameter, p), sizes->least[p], sizes->greatest[p]);
    text_append(
        text, "},\n  \"peak\": %" PRIu64 ",\n  \"lower_bound\": %" PRIu64 ",\n  \"worst_ratio\": ",
        plan->peak_bytes, plan->bound_bytes);
    json_text_double(text, family_ratio_value(plan->worst.ratio));
    text_append(text, ",\n  \"proved_ratio\": ");
    json_text_double(text, family_ratio_value(plan->worst.proved));
    text_append(text, ",\n  \"worst_at\": {");
    for (uint32_t p = 0; p < plan->family.parameters; p++)
        text_append(text, "%s\"%s\": %" PRIu64, p ? ", " : "",
                    names_get(&plan->family.sizes->parameter, p), plan->worst.point[p]);
    text_append(text, "},\n  \"buffers\": [");
    for (uint32_t b = 0; b < problem->buffers; b++) {
        json_text_after(
            text, b ? ",\n    {\"name\": " : "\n    {\"name\": ", names_get(&problem->names, b));
        text_append(text, ", \"size\": \"");
        sizes_write(sizes, b, false, text);
        text_append(text, "\", \"alignment\": %" PRIu64 ", \"below\": [",
                    problem_alignment(problem, b));
        for (uint32_t e = orientation->first[b]; e < orientation->first[b + 1]; e++)
            json_text_after(text, e > orientation->first[b] ? ", " : "",
                            names_get(&problem->names, orientation->below[e]));
        text_append(text, "]}");
    }
    text_append(text, "\n  ]\n}\n");
    return json_text_check(text, start, "problem", job->instance->name, error);
}

/* The functions that expressions call. Each is static and inline, so that no compiler warns of one
   that no size calls. */
static const char functions[] = "#include <stdint.h>\n\n"
                                "#ifndef MEMPLAN_SIZES\n#define MEMPLAN_SIZES\n"
                                "static inline uint64_t memplan_ceil(uint64_t a, uint64_t b)\n{\n"
                                "    return a / b + (a % b != 0);\n}\n"
                                "static inline uint64_t memplan_floor(uint64_t a, uint64_t b)\n{\n"
                                "    return a / b;\n}\n"
                                "static inline uint64_t memplan_align(uint64_t a, uint64_t b)\n{\n"
                                "    return (a + (b - 1)) / b * b;\n}\n"
                                "static inline uint64_t memplan_max(uint64_t a, uint64_t b)\n{\n"
                                "    return a > b ? a : b;\n}\n#endif\n\n";

/* Writes the lines that find the offset and the end of a buffer, and that raise the peak to it. */
static void write_placing(const struct family_plan *plan, uint32_t b, struct text *text)
{
    const struct problem *problem = plan->family.problem;
    const struct orientation *orientation = plan->orientation;
    uint32_t first = orientation->first[b], end = orientation->first[b + 1];
    const uint32_t *same = plan->family.same;
    bool is_aligned = problem_alignment(problem, b) > 1 && first < end;
    text_append(text,
                first < end ? "    begin = offset[%" PRIu32 "] + size_%" PRIu32 ";\n"
                            : "    begin = 0;\n",
                first < end ? orientation->below[first] : 0,
                first < end ? same[orientation->below[first]] : 0);
    for (uint32_t e = first + 1; e < end; e++)
        text_append(text,
                    "    begin = memplan_max(begin, offset[%" PRIu32 "] + size_%" PRIu32 ");\n",
                    orientation->below[e], same[orientation->below[e]]);
    if (is_aligned)
        text_append(text, "    begin = memplan_align(begin, UINT64_C(%" PRIu64 "));\n",
                    problem_alignment(problem, b));
    text_append(text,
                "    offset[%" PRIu32 "] = begin;\n"
                "    peak = memplan_max(peak, begin + size_%" PRIu32 ");\n",
                b, same[b]);
}

enum status family_file_write_header(const struct job *job, const struct family_plan *plan,
                                     const char *path, struct text *text, struct error *error)
{
    const struct problem *problem = plan->family.problem;
    const struct symbolic_sizes *sizes = problem->sizes;
    SCOPED(text_free) struct text upper = {0};
    SCOPED(text_free) struct text lower = {0};
    SCOPED(memory_release) char *stem = file_name_stem(path);
    if (!stem)
        return error_no_memory(error);
    const char *before = isdigit((unsigned char)*stem) ? "plan_" : "";
    c_name_append_identifier(&upper, before, true);
    c_name_append_identifier(&upper, stem, true);
    c_name_append_identifier(&lower, before, false);
    c_name_append_identifier(&lower, stem, false);
    TRY(text_check(&upper, error));
    TRY(text_check(&lower, error));
    text_append(text, "/* Where the buffers of ");
    c_name_append_text(text, job->instance->name);
    text_append(
        text,
        " are for all sizes, planned by memplan.\n   %s_plan fills the offset of each buffer, "
        "in the order of the problem, and\n   returns the bytes of the arena. */\n",
        lower.bytes);
    text_append(text, "#ifndef %s_PLAN_H\n#define %s_PLAN_H\n\n%s", upper.bytes, upper.bytes,
                functions);
    text_append(text, "#define %s_BUFFERS %" PRIu32 "\n\n", upper.bytes, problem->buffers);
    text_append(text, "static inline uint64_t %s_plan(", lower.bytes);
    for (uint32_t p = 0; p < sizes->parameter.count; p++)
        text_append(text, "uint64_t %s_value, ", names_get(&sizes->parameter, p));
    text_append(text, "uint64_t offset[%s_BUFFERS])\n{\n    uint64_t begin, peak = 0;\n",
                upper.bytes);
    for (uint32_t p = 0; p < sizes->parameter.count; p++)
        text_append(text, "    (void)%s_value;\n", names_get(&sizes->parameter, p));
    for (uint32_t b = 0; b < problem->buffers; b++)
        if (plan->family.same[b] == b) {
            text_append(text, "    const uint64_t size_%" PRIu32 " = ", b);
            sizes_write(sizes, b, true, text);
            text_append(text, ";\n");
        }
    for (uint32_t i = 0; i < problem->buffers; i++)
        write_placing(plan, plan->orientation->sorted[i], text);
    text_append(text, "    return peak;\n}\n\n#endif\n");
    return text_check(text, error);
}
