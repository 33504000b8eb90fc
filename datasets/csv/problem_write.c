/* A problem, with or without the offsets of a plan, as a CSV file with the columns that it
   needs. */

#include <inttypes.h>
#include <string.h>

#include "datasets/csv/problem.h"

#include "core/utf8.h"
#include "planning/memories/address.h"

struct writer {
    const struct problem *problem;
    const uint64_t *offset;              /* [buffers] or PROBLEM_FREE; NULL for none */
    const struct extents *extents;       /* of a plan that splits buffers, or NULL */
    const uint32_t *storage_id;          /* [buffers] of a plan that has objects, or NULL */
    const struct names *memories;        /* in which offsets are addresses, or NULL */
    bool alignment, hint, gaps, offsets; /* whether each of these columns is used */
    bool expressions;                    /* write those of the sizes, where the problem has some */
    bool clocks; /* write clocks instead of times, where the problem has them */
    struct text *text;
};

static uint64_t get_offset(const struct writer *writer, uint32_t buffer)
{
    return writer->offset ? writer->offset[buffer] : PROBLEM_FREE;
}

static enum status check_name(const struct names *names, uint32_t b, const char *what,
                              struct error *error)
{
    const char *name = names_get(names, b);
    size_t length = strlen(name);
    const char *fault = NULL;
    if (!length)
        fault = "is empty";
    else if (strpbrk(name, ",\"\r\n"))
        fault = "has a comma, a quote or a line break";
    else if (strchr(" \t", name[0]) || strchr(" \t", name[length - 1]))
        fault = "begins or ends with a blank";
    else if (!utf8_is_valid(name, length))
        fault = "is not UTF-8";
    else if (names_find(names, name) != b)
        fault = "is used twice";
    if (!fault)
        return STATUS_OK;
    return error_set(error, STATUS_BAD_INPUT,
                     "%s name '%s' %s, which a CSV file cannot hold; use JSON", what, name, fault);
}

static bool is_whole(const struct problem *problem, uint32_t b, uint32_t segment)
{
    return problem_window_lower(problem, segment) == 0 &&
           problem_window_upper(problem, segment) == problem->size[b];
}

/* Writes the times between the segments of a buffer, and the windows of segments. */
static void write_gaps(const struct problem *problem, uint32_t b, struct text *text)
{
    const char *separator = ",";
    for (uint32_t s = problem->first[b]; s < problem->first[b + 1]; s++) {
        if (s > problem->first[b] && problem->upper[s - 1] < problem->lower[s]) {
            text_append(text, "%s%u-%u", separator, problem->upper[s - 1], problem->lower[s]);
            separator = " ";
        }
        if (!is_whole(problem, b, s)) {
            text_append(text, "%s%u-%u@%" PRIu64 ":%" PRIu64, separator, problem->lower[s],
                        problem->upper[s], problem_window_lower(problem, s),
                        problem_window_upper(problem, s));
            separator = " ";
        }
    }
    text_append(text, *separator == ',' ? "," : "");
}

static void write_row(struct writer *writer, uint32_t b)
{
    const struct problem *problem = writer->problem;
    const struct extents *extents = writer->extents;
    struct text *text = writer->text;
    uint32_t pieces = extents_count(extents, b), id = storage_ids_get(writer->storage_id, b);
    text_append(text, "%s", names_get(&problem->names, b));
    if (writer->clocks) {
        struct clock clock = problem_clock(problem, b);
        for (uint32_t s = 0; s < clock.streams; s++)
            text_append(text, "%s%u", s ? ":" : ",", clock.start[s]);
        for (uint32_t s = 0; s < clock.streams; s++)
            text_append(text, "%s%u", s ? ":" : ",", clock.end[s]);
    } else {
        text_append(text, ",%u,%u", problem_lower(problem, b), problem_upper(problem, b));
    }
    if (writer->expressions) {
        text_append(text, ",");
        sizes_write(problem->sizes, b, false, text);
    } else {
        text_append(text, ",%" PRIu64, problem->size[b]);
    }
    if (writer->alignment)
        text_append(text, ",%" PRIu64, problem_alignment(problem, b));
    if (writer->hint)
        text_append(text, ",%" PRId64,
                    problem_hint(problem, b) < 0 ? -1 : problem_hint(problem, b));
    if (writer->gaps)
        write_gaps(problem, b, text);
    if (writer->memories)
        text_append(text, ",%s", names_get(writer->memories, memory_of_address(writer->offset[b])));
    if (writer->offsets)
        text_append(text, ",");
    /* A split buffer gets no offset, so that a program that does not know extents cannot misread
       it. */
    if (get_offset(writer, b) != PROBLEM_FREE && !pieces)
        text_append(text, "%" PRIu64,
                    writer->memories ? memory_offset_of_address(get_offset(writer, b))
                                     : get_offset(writer, b));
    if (extents)
        text_append(text, ",");
    for (uint32_t i = 0; i < pieces; i++) {
        const struct extent *extent = &extents->extent[extents->of[b].first + i];
        text_append(text, "%s%" PRIu64 "+%" PRIu64, i ? ";" : "", extent->offset, extent->bytes);
    }
    if (writer->storage_id)
        text_append(text, ",");
    if (id != STORAGE_IDS_NONE)
        text_append(text, "%u", id);
    text_append(text, "\n");
}

static enum status write_rows(struct writer *writer, struct error *error)
{
    const struct problem *problem = writer->problem;
    for (uint32_t b = 0; b < problem->buffers; b++)
        TRY(check_name(&problem->names, b, "buffer", error));
    for (uint32_t m = 0; writer->memories && m < writer->memories->count; m++)
        TRY(check_name(writer->memories, m, "memory", error));
    for (uint32_t b = 0; b < problem->buffers; b++) {
        writer->alignment = writer->alignment || problem_alignment(problem, b) != 1;
        writer->hint = writer->hint || problem_hint(problem, b) >= 0;
        writer->offsets = writer->offsets || get_offset(writer, b) != PROBLEM_FREE;
        writer->gaps =
            !writer->clocks && (writer->gaps || problem->first[b + 1] - problem->first[b] > 1 ||
                                !is_whole(problem, b, problem->first[b]));
    }
    const struct symbolic_sizes *sizes = problem->sizes;
    text_append(writer->text, "id,lower,upper,size");
    for (uint32_t p = 0; writer->expressions && p < sizes->parameter.count; p++)
        text_append(writer->text, " %s=%" PRIu64 "..%" PRIu64, names_get(&sizes->parameter, p),
                    sizes->least[p], sizes->greatest[p]);
    text_append(writer->text, "%s%s%s%s%s%s%s\n", writer->alignment ? ",alignment" : "",
                writer->hint ? ",hint" : "", writer->gaps ? ",gaps" : "",
                writer->memories ? ",memory" : "", writer->offsets ? ",offset" : "",
                writer->extents ? ",extents" : "", writer->storage_id ? ",storage_id" : "");
    for (uint32_t b = 0; b < problem->buffers; b++)
        write_row(writer, b);
    return text_check(writer->text, error);
}

enum status problem_csv_write(const struct problem *problem, struct text *text, struct error *error)
{
    struct writer writer = {.problem = problem, .offset = problem->any_fixed, .text = text};
    return write_rows(&writer, error);
}

enum status problem_csv_write_noted(const struct problem *problem, struct text *text,
                                    struct error *error)
{
    struct writer writer = {.problem = problem,
                            .offset = problem->any_fixed,
                            .expressions = problem->sizes != NULL,
                            .clocks = problem_streams(problem) > 0,
                            .text = text};
    text_append(text, problem->note ? "# " : "");
    for (const char *note = problem->note; note && *note; note++)
        text_append_bytes(text, *note == '\n' || *note == '\r' ? " " : note, 1);
    text_append(text, problem->note ? "\n" : "");
    return write_rows(&writer, error);
}

enum status problem_csv_write_in_memories(const struct problem *problem, const struct plan *plan,
                                          const struct names *memories, struct text *text,
                                          struct error *error)
{
    struct writer writer = {.problem = problem,
                            .offset = plan->offset,
                            .extents = plan->extents,
                            .storage_id = plan->storage_id,
                            .memories = memories,
                            .clocks = problem_streams(problem) > 0,
                            .text = text,
                            .offsets = true};
    if (!plan_found(plan))
        return error_set(error, STATUS_BAD_INPUT,
                         "the plan is %s and has no offsets, expected one that was found",
                         plan_status_name(plan->status));
    return write_rows(&writer, error);
}

enum status problem_csv_write_plan(const struct problem *problem, const struct plan *plan,
                                   struct text *text, struct error *error)
{
    return problem_csv_write_in_memories(problem, plan, NULL, text, error);
}
