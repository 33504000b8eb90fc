/* A problem as JSON. */

#include <inttypes.h>

#include "core/memory.h"
#include "datasets/json/text.h"
#include "datasets/memplan_json/problem.h"
#include "planning/problem/explicit_conflicts.h"

enum { PIECE_BYTES = 1 << 16 };

struct writer {
    const struct problem *problem;
    struct text *text;
    struct digest *digest; /* of the text, which is forgotten then piece by piece; NULL: it stays */
};

static enum status forget_text(const struct writer *writer, size_t least_bytes, struct error *error)
{
    struct text *text = writer->text;
    if (!writer->digest || text->length < least_bytes)
        return STATUS_OK;
    TRY(json_text_check(text, 0, "problem", names_get(&writer->problem->name, 0), error));
    digest_add(writer->digest, text->bytes, text->length);
    text->length = 0;
    return STATUS_OK;
}

static void write_segments(const struct problem *problem, uint32_t b, uint32_t end,
                           struct text *text)
{
    for (uint32_t s = problem->first[b]; s < problem->first[b + 1] && problem->lower[s] < end;
         s++) {
        uint32_t upper = problem->upper[s] < end ? problem->upper[s] : end;
        uint64_t low = problem_window_lower(problem, s), high = problem_window_upper(problem, s);
        text_append(text, "%s[%u, %u", s > problem->first[b] ? ", " : "", problem->lower[s], upper);
        if (low || high != problem->size[b])
            text_append(text, ", %" PRIu64 ", %" PRIu64, low, high);
        text_append(text, "]");
    }
}

static void write_parameters(const struct symbolic_sizes *sizes, struct text *text)
{
    text_append(text, "  \"parameters\": {");
    for (uint32_t p = 0; p < sizes->parameter.count; p++)
        text_append(text, "%s\"%s\": [%" PRIu64 ", %" PRIu64 "]", p ? ", " : "",
                    names_get(&sizes->parameter, p), sizes->least[p], sizes->greatest[p]);
    text_append(text, "},\n");
}

/* A size that is a number is written as one. */
static void write_size(const struct problem *problem, uint32_t b, struct text *text)
{
    const struct symbolic_sizes *sizes = problem->sizes;
    text_append(text, ", \"size\": ");
    if (sizes && (sizes->first[b + 1] > sizes->first[b] + 1 ||
                  sizes->step[sizes->first[b]].kind != SIZES_NUMBER)) {
        text_append(text, "\"");
        sizes_write(sizes, b, false, text);
        text_append(text, "\"");
    } else {
        text_append(text, "%" PRIu64, problem->size[b]);
    }
}

/* Writes the buffers, with their clocks, which say the same as the conflict steps in less space, or
   with their steps below the end. */
static enum status write_buffers(const struct writer *writer, bool clocks, uint32_t end,
                                 struct error *error)
{
    const struct problem *problem = writer->problem;
    struct text *text = writer->text;
    text_append(text, "  \"buffers\": [");
    for (uint32_t b = 0; b < problem->buffers; b++) {
        text_append(text, b ? ",\n" : "\n");
        json_text_after(text, "    {\"name\": ", names_get(&problem->names, b));
        write_size(problem, b, text);
        if (problem_alignment(problem, b) != 1)
            text_append(text, ", \"alignment\": %" PRIu64, problem_alignment(problem, b));
        if (problem_fixed_offset(problem, b) != PROBLEM_FREE)
            text_append(text, ", \"offset\": %" PRIu64, problem_fixed_offset(problem, b));
        if (problem_hint(problem, b) >= 0)
            text_append(text, ", \"hint\": %" PRId64, problem_hint(problem, b));
        text_append(text, clocks ? ", \"clock\": [" : ", \"segments\": [");
        if (clocks) {
            struct clock clock = problem_clock(problem, b);
            for (uint32_t s = 0; s < clock.streams; s++)
                text_append(text, "%s%u", s ? ", " : "[", clock.start[s]);
            for (uint32_t s = 0; s < clock.streams; s++)
                text_append(text, "%s%u", s ? ", " : "], [", clock.end[s]);
            text_append(text, "]");
        } else {
            write_segments(problem, b, end, text);
        }
        text_append(text, "]}");
        TRY(forget_text(writer, PIECE_BYTES, error));
    }
    text_append(text, "\n  ]");
    return STATUS_OK;
}

/* Writes the buffers with their steps, and the conflict steps as pairs of buffers, a line for each
   buffer that comes first in a pair. If some buffer uses only a window of itself there, which a
   pair cannot express, the conflict steps are written as ordinary steps. */
static enum status write_conflicts(const struct writer *writer, struct error *error)
{
    const struct problem *problem = writer->problem;
    struct text *text = writer->text;
    SCOPED(memory_release) struct problem_pair *pair = NULL;
    size_t pairs;
    if (problem->line_end == PROBLEM_NO_LINE_END || !problem_conflicts_are_pairs(problem))
        return write_buffers(writer, false, PROBLEM_NO_LINE_END, error);
    TRY(problem_conflicts_list(problem, &pair, &pairs, error));
    TRY(write_buffers(writer, false, problem->line_end, error));
    text_append(text, ",\n  \"conflicts\": [");
    for (size_t p = 0; p < pairs; p++) {
        bool same = p && pair[p].first == pair[p - 1].first;
        text_append(text, p ? "," : "");
        json_text_after(text, same ? " [" : "\n    [", names_get(&problem->names, pair[p].first));
        json_text_after(text, ", ", names_get(&problem->names, pair[p].second));
        text_append(text, "]");
    }
    text_append(text, "%s]", pairs ? "\n  " : "");
    return STATUS_OK;
}

/* as_file: writes everything that a file holds; else only what decides whether two problems are
   equal. */
static enum status write_problem(const struct writer *writer, bool as_file, struct error *error)
{
    const struct problem *problem = writer->problem;
    struct text *text = writer->text;
    text_append(text, "{\n  \"format\": \"%s\",\n", PROBLEM_JSON_FORMAT);
    if (as_file) {
        json_text_after(text, "  \"name\": ", names_get(&problem->name, 0));
        if (problem->note)
            json_text_after(text, ",\n  \"note\": ", problem->note);
        text_append(text, ",\n");
    }
    if (problem->sizes)
        write_parameters(problem->sizes, text);
    TRY(problem_is_by_clocks(problem) || (as_file && problem_streams(problem))
            ? write_buffers(writer, true, 0, error)
            : write_conflicts(writer, error));
    text_append(text, "\n}\n");
    return forget_text(writer, 0, error);
}

enum status problem_json_write(const struct problem *problem, struct text *text,
                               struct error *error)
{
    size_t start = text->length;
    TRY(write_problem(&(struct writer){problem, text, NULL}, true, error));
    return json_text_check(text, start, "problem", names_get(&problem->name, 0), error);
}

enum status problem_json_digest(const struct problem *problem, char digest[DIGEST_TEXT_BYTES],
                                struct error *error)
{
    SCOPED(text_free) struct text text = {0};
    struct writer writer = {problem, &text, NULL};
    TRY(digest_create(&writer.digest, error));
    enum status status = write_problem(&writer, false, error);
    if (!status)
        digest_finish(writer.digest, digest);
    digest_free(writer.digest);
    return status;
}
