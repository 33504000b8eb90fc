/* A problem as JSON. */

#include <inttypes.h>

#include "core/memory.h"
#include "datasets/json/text.h"
#include "datasets/memplan_json/problem.h"
#include "planning/problem/clocks/clocks.h"
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
        if (problem_window_lower(problem, s) ||
            problem_window_upper(problem, s) != problem->size[b])
            text_append(text, ", %" PRIu64 ", %" PRIu64, problem_window_lower(problem, s),
                        problem_window_upper(problem, s));
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

/* Writes everything of a buffer except when it is live. */
static void write_buffer(const struct problem *problem, uint32_t b, struct text *text)
{
    json_text_after(text, "    {\"name\": ", names_get(&problem->names, b));
    text_append(text, ", \"size\": %" PRIu64, problem->size[b]);
    if (problem_alignment(problem, b) != 1)
        text_append(text, ", \"alignment\": %" PRIu64, problem_alignment(problem, b));
    if (problem_fixed_offset(problem, b) != PROBLEM_FREE)
        text_append(text, ", \"offset\": %" PRIu64, problem_fixed_offset(problem, b));
    if (problem_hint(problem, b) >= 0)
        text_append(text, ", \"hint\": %" PRId64, problem_hint(problem, b));
}

/* Writes a line for each buffer that comes first in a pair. */
static void write_pairs(const struct problem *problem, const struct problem_pair *pair,
                        size_t pairs, struct text *text)
{
    text_append(text, ",\n  \"conflicts\": [");
    for (size_t p = 0; p < pairs; p++) {
        bool same = p && pair[p].first == pair[p - 1].first;
        json_text_after(text,
                        !p     ? "\n    ["
                        : same ? ", ["
                               : ",\n    [",
                        names_get(&problem->names, pair[p].first));
        json_text_after(text, ", ", names_get(&problem->names, pair[p].second));
        text_append(text, "]");
    }
    text_append(text, "%s]", pairs ? "\n  " : "");
}

/* Finds the pairs that stand for the conflict steps, and where the line of steps to be written
   ends. If some buffer uses only a window of itself there, which a pair cannot express, the
   conflict steps are written as ordinary steps. */
static enum status find_conflicts(const struct problem *problem, struct problem_pair **pair,
                                  size_t *pairs, uint32_t *end, struct error *error)
{
    bool as_pairs =
        problem->line_end != PROBLEM_NO_LINE_END && problem_conflicts_are_pairs(problem);
    *pair = NULL;
    *end = as_pairs ? problem->line_end : PROBLEM_NO_LINE_END;
    return as_pairs ? problem_conflicts_list(problem, pair, pairs, error) : STATUS_OK;
}

/* Where the text goes: all of it stays, or it is read from time to time and forgotten. */
struct sink {
    struct text *text;
    struct digest *digest; /* NULL: it stays */
};

static enum status check_text(const struct problem *problem, const struct text *text, size_t start,
                              struct error *error)
{
    return json_text_check(text, start, "problem", names_get(&problem->name, 0), error);
}

static enum status forget_text(const struct problem *problem, const struct sink *sink,
                               size_t least_bytes, struct error *error)
{
    if (!sink->digest || sink->text->length < least_bytes)
        return STATUS_OK;
    TRY(check_text(problem, sink->text, 0, error));
    TRY(digest_add(sink->digest, sink->text->bytes, sink->text->length, error));
    sink->text->length = 0;
    return STATUS_OK;
}

enum { PIECE_BYTES = 1 << 16 };

/* Writes the buffers, with their clocks, which say the same as the conflict steps in less space, or
   with their steps below the end. */
static enum status write_lines(const struct problem *problem, bool clocks, uint32_t end,
                               const struct sink *sink, struct error *error)
{
    text_append(sink->text, "  \"buffers\": [");
    for (uint32_t b = 0; b < problem->buffers; b++) {
        text_append(sink->text, b ? ",\n" : "\n");
        write_buffer(problem, b, sink->text);
        if (clocks)
            write_clock(problem, b, sink->text);
        else
            write_segments(problem, b, end, sink->text);
        TRY(forget_text(problem, sink, PIECE_BYTES, error));
    }
    text_append(sink->text, "\n  ]");
    return STATUS_OK;
}

static enum status write_buffers(const struct problem *problem, const struct sink *sink,
                                 struct error *error)
{
    struct problem_pair *pair;
    size_t pairs;
    uint32_t end;
    TRY(find_conflicts(problem, &pair, &pairs, &end, error));
    enum status status = write_lines(problem, false, end, sink, error);
    if (!status && end != PROBLEM_NO_LINE_END)
        write_pairs(problem, pair, pairs, sink->text);
    memory_free(pair);
    return status;
}

/* as_file: writes everything that a file holds; else only what decides whether two problems are
   equal. */
static enum status write_problem(const struct problem *problem, bool as_file,
                                 const struct sink *sink, struct error *error)
{
    text_append(sink->text, "{\n  \"format\": \"%s\",\n", PROBLEM_JSON_FORMAT);
    if (as_file) {
        json_text_after(sink->text, "  \"name\": ", names_get(&problem->name, 0));
        if (problem->note)
            json_text_after(sink->text, ",\n  \"note\": ", problem->note);
        text_append(sink->text, ",\n");
    }
    TRY(problem_is_by_clocks(problem) || (as_file && problem_streams(problem))
            ? write_lines(problem, true, 0, sink, error)
            : write_buffers(problem, sink, error));
    text_append(sink->text, "\n}\n");
    return forget_text(problem, sink, 0, error);
}

enum status problem_json_write(const struct problem *problem, struct text *text,
                               struct error *error)
{
    size_t start = text->length;
    TRY(write_problem(problem, true, &(struct sink){.text = text}, error));
    return check_text(problem, text, start, error);
}

enum status problem_json_digest(const struct problem *problem, char digest[DIGEST_TEXT_BYTES],
                                struct error *error)
{
    struct text text = {0};
    struct sink sink = {.text = &text};
    TRY(digest_create(&sink.digest, error));
    enum status status = write_problem(problem, false, &sink, error);
    if (!status)
        status = digest_finish(sink.digest, digest, error);
    digest_free(sink.digest);
    text_free(&text);
    return status;
}
