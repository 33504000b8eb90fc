#include <inttypes.h>

#include "datasets/json_text.h"
#include "datasets/problem_json.h"

static void write_segments(const struct problem *problem, uint32_t b, struct text *text)
{
    for (uint32_t s = problem->first[b]; s < problem->first[b + 1]; s++) {
        text_append(text, "%s[%u, %u", s > problem->first[b] ? ", " : "", problem->lower[s],
                    problem->upper[s]);
        if (problem->window_lower[s] || problem->window_upper[s] != problem->size[b])
            text_append(text, ", %" PRIu64 ", %" PRIu64, problem->window_lower[s],
                        problem->window_upper[s]);
        text_append(text, "]");
    }
}

static void write_buffer(const struct problem *problem, uint32_t b, struct text *text)
{
    text_append(text, "    {\"name\": ");
    json_text_string(text, names_get(&problem->names, b));
    text_append(text, ", \"size\": %" PRIu64, problem->size[b]);
    if (problem->alignment[b] != 1)
        text_append(text, ", \"alignment\": %" PRIu64, problem->alignment[b]);
    if (problem->fixed_offset[b] != PROBLEM_FREE)
        text_append(text, ", \"offset\": %" PRIu64, problem->fixed_offset[b]);
    if (problem->hint[b] >= 0)
        text_append(text, ", \"hint\": %" PRId64, problem->hint[b]);
    text_append(text, ", \"segments\": [");
    write_segments(problem, b, text);
    text_append(text, "]}");
}

static void write_note(const struct problem *problem, struct text *text)
{
    if (!problem->note)
        return;
    text_append(text, "  \"note\": ");
    json_text_string(text, problem->note);
    text_append(text, ",\n");
}

static enum status write_problem(const struct problem *problem, bool with_name, struct text *text,
                                 struct error *error)
{
    size_t start = text->length;
    text_append(text, "{\n  \"format\": \"%s\",\n", PROBLEM_JSON_FORMAT);
    if (with_name) {
        text_append(text, "  \"name\": ");
        json_text_string(text, names_get(&problem->name, 0));
        text_append(text, ",\n");
        write_note(problem, text);
    }
    text_append(text, "  \"buffers\": [");
    for (uint32_t b = 0; b < problem->buffers; b++) {
        text_append(text, b ? ",\n" : "\n");
        write_buffer(problem, b, text);
    }
    text_append(text, "\n  ]\n}\n");
    TRY(text_check(text, error));
    if (!json_text_is_utf8(text->bytes + start, text->length - start))
        return error_set(error, STATUS_BAD_INPUT,
                         "problem '%s' has a name that is not UTF-8, expected only such in JSON",
                         names_get(&problem->name, 0));
    return STATUS_OK;
}

enum status problem_json_write(const struct problem *problem, struct text *text,
                               struct error *error)
{
    return write_problem(problem, true, text, error);
}

enum status problem_json_write_content(const struct problem *problem, struct text *text,
                                       struct error *error)
{
    return write_problem(problem, false, text, error);
}
