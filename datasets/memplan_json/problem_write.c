/* A problem as JSON. */

#include <inttypes.h>

#include "core/memory.h"
#include "core/utf8.h"
#include "datasets/json/text.h"
#include "datasets/memplan_json/problem.h"
#include "planning/problem/clocks.h"
#include "planning/problem/explicit_conflicts.h"

static void write_segments(const struct problem *problem, uint32_t b, uint32_t end,
                           struct text *text)
{
    text_append(text, ", \"segments\": [");
    for (uint32_t s = problem->first[b]; s < problem->first[b + 1]; s++) {
        uint32_t upper = problem->upper[s];
        if (problem->lower[s] >= end)
            break;
        text_append(text, "%s[%u, %u", s > problem->first[b] ? ", " : "", problem->lower[s],
                    upper < end ? upper : end);
        if (problem->window_lower[s] || problem->window_upper[s] != problem->size[b])
            text_append(text, ", %" PRIu64 ", %" PRIu64, problem->window_lower[s],
                        problem->window_upper[s]);
        text_append(text, "]");
    }
    text_append(text, "]}");
}

static void write_row(const uint32_t *row, uint32_t streams, struct text *text)
{
    for (uint32_t s = 0; s < streams; s++)
        text_append(text, "%s%u", s ? ", " : "[", row[s]);
    text_append(text, "]");
}

static void write_clock(const struct problem *problem, uint32_t b, struct text *text)
{
    struct clock clock = problem_clock(problem, b);
    text_append(text, ", \"clock\": [");
    write_row(clock.start, clock.streams, text);
    text_append(text, ", ");
    write_row(clock.end, clock.streams, text);
    text_append(text, "]}");
}

/* What a buffer is, but for when it is live. */
static void write_buffer(const struct problem *problem, uint32_t b, struct text *text)
{
    text_append(text, "    {\"name\": ");
    json_text_string(text, names_get(&problem->names, b));
    text_append(text, ", \"size\": %" PRIu64, problem->size[b]);
    if (problem->alignment[b] != 1)
        text_append(text, ", \"alignment\": %" PRIu64, problem->alignment[b]);
    if (problem->fixed_offset[b] != PROBLEM_FREE)
        text_append(text, ", \"offset\": %" PRIu64, problem->fixed_offset[b]);
    if (problem_hint(problem, b) >= 0)
        text_append(text, ", \"hint\": %" PRId64, problem_hint(problem, b));
}

static void write_note(const struct problem *problem, struct text *text)
{
    if (!problem->note)
        return;
    text_append(text, "  \"note\": ");
    json_text_string(text, problem->note);
    text_append(text, ",\n");
}

/* A line for each buffer that comes first in a pair. */
static void write_pairs(const struct problem *problem, const struct problem_pair *pair,
                        size_t pairs, struct text *text)
{
    text_append(text, ",\n  \"conflicts\": [");
    for (size_t p = 0; p < pairs; p++) {
        bool same = p && pair[p].first == pair[p - 1].first;
        text_append(text, "%s[", !p ? "\n    " : same ? ", " : ",\n    ");
        json_text_string(text, names_get(&problem->names, pair[p].first));
        text_append(text, ", ");
        json_text_string(text, names_get(&problem->names, pair[p].second));
        text_append(text, "]");
    }
    text_append(text, "%s]", pairs ? "\n  " : "");
}

/* Steps behind the line's end as pairs, and the line's end. Where something uses only a window of
   itself there, which no pair can say, they are written as steps like others. */
static enum status find_conflicts(const struct problem *problem, struct problem_pair **pair,
                                  size_t *pairs, uint32_t *end, struct error *error)
{
    bool as_pairs =
        problem->line_end != PROBLEM_NO_LINE_END && problem_conflicts_are_pairs(problem);
    *pair = NULL;
    *end = as_pairs ? problem->line_end : PROBLEM_NO_LINE_END;
    return as_pairs ? problem_conflicts_list(problem, pair, pairs, error) : STATUS_OK;
}

/* The clocks say all that conflict steps do, in less room. */
static void write_clocks(const struct problem *problem, struct text *text)
{
    text_append(text, "  \"buffers\": [");
    for (uint32_t b = 0; b < problem->buffers; b++) {
        text_append(text, b ? ",\n" : "\n");
        write_buffer(problem, b, text);
        write_clock(problem, b, text);
    }
    text_append(text, "\n  ]");
}

static enum status write_buffers(const struct problem *problem, struct text *text,
                                 struct error *error)
{
    struct problem_pair *pair;
    size_t pairs;
    uint32_t end;
    TRY(find_conflicts(problem, &pair, &pairs, &end, error));
    text_append(text, "  \"buffers\": [");
    for (uint32_t b = 0; b < problem->buffers; b++) {
        text_append(text, b ? ",\n" : "\n");
        write_buffer(problem, b, text);
        write_segments(problem, b, end, text);
    }
    text_append(text, "\n  ]");
    if (end != PROBLEM_NO_LINE_END)
        write_pairs(problem, pair, pairs, text);
    memory_free(pair);
    return STATUS_OK;
}

/* as_file: with all that a file says, else only with what makes the problem equal to another. */
static enum status write_problem(const struct problem *problem, bool as_file, struct text *text,
                                 struct error *error)
{
    size_t start = text->length;
    text_append(text, "{\n  \"format\": \"%s\",\n", PROBLEM_JSON_FORMAT);
    if (as_file) {
        text_append(text, "  \"name\": ");
        json_text_string(text, names_get(&problem->name, 0));
        text_append(text, ",\n");
        write_note(problem, text);
    }
    if (problem->clocks_alone || (as_file && problem->streams))
        write_clocks(problem, text);
    else
        TRY(write_buffers(problem, text, error));
    text_append(text, "\n}\n");
    TRY(text_check(text, error));
    if (!utf8_is_valid(text->bytes + start, text->length - start))
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
