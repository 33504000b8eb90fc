/* A CSV file as a problem: one buffer for each row, whose gaps become segments and windows, or
   whose times are clocks. */

#include <assert.h>
#include <string.h>

#include "core/file.h"
#include "core/memory.h"
#include "core/utf8.h"
#include "datasets/csv/problem.h"
#include "datasets/csv/rows.h"
#include "datasets/csv/xla.h"
#include "planning/problem/clocks_resolve.h"
#include "planning/problem/segments.h"

/* The ranges "n=1..16 m=1..4" of a header. */
static enum status read_parameters(const struct csv_rows *rows, struct symbolic_sizes *sizes,
                                   struct error *error)
{
    struct csv_field rest = rows->parameters, item;
    while (csv_field_cut(&rest, ' ', &item)) {
        struct csv_field left = item, name, least;
        uint64_t from = 0, to = 0;
        if (!item.length)
            continue;
        bool is_range = csv_field_cut(&left, '=', &name) && left.start &&
                        csv_field_cut(&left, '.', &least) && left.length > 1 &&
                        *left.start == '.' && text_parse_u64(least.start, least.length, &from) &&
                        text_parse_u64(left.start + 1, left.length - 1, &to);
        if (!is_range)
            return csv_fields_fail(rows, error, "found '%.*s', expected a range such as n=1..64",
                                   csv_field_shown(item), item.start);
        SCOPED(text_free) struct text text = {0};
        text_append_bytes(&text, name.start, name.length);
        TRY(text_check(&text, error));
        TRY(csv_rows_place(
            rows, sizes_add_parameter(sizes, name.length ? text.bytes : "", from, to, error),
            error));
    }
    return STATUS_OK;
}

/* The size of a row whose size is an expression, at the greatest point. */
static enum status read_expression(struct csv_rows *rows, struct symbolic_sizes *sizes,
                                   struct error *error)
{
    SCOPED(text_free) struct text text = {0};
    text_append_bytes(&text, rows->row.expression.start, rows->row.expression.length);
    TRY(text_check(&text, error));
    TRY(csv_rows_place(rows, sizes_add(sizes, text.length ? text.bytes : "", error), error));
    bool is_size = sizes_value(sizes, sizes->count - 1, sizes->greatest, &rows->row.size);
    assert(is_size);
    (void)is_size;
    return STATUS_OK;
}

static enum status add_row(struct problem *problem, const struct csv_row *row,
                           enum fixed_offsets offsets, struct error *error)
{
    struct problem_buffer buffer = {
        .name = row->id,
        .size = row->size,
        .alignment = offsets == FIXED_OFFSETS_AUDITED ? 1 : row->alignment,
        .fixed_offset =
            row->has_offset && offsets != FIXED_OFFSETS_IGNORED ? row->offset : PROBLEM_FREE,
        .hint = row->hint,
    };
    struct segment_joiner joiner = {0};
    uint32_t whole_from = row->lower;
    TRY(problem_add_buffer(problem, &buffer, error));
    if (row->streams)
        return problem_add_clock(
            problem, (struct clock){row->streams, row->clock, row->clock + row->streams}, error);
    /* The buffer is whole up to each gap and behind the last one. */
    for (uint32_t i = 0; i <= row->gaps; i++) {
        const struct csv_gap *gap = i < row->gaps ? &row->gap[i] : NULL;
        struct problem_segment whole = {whole_from, gap ? gap->lower : row->upper, 0, row->size};
        if (whole.lower < whole.upper)
            TRY(segments_join(&joiner, problem, whole, error));
        if (!gap)
            break;
        if (gap->window)
            TRY(segments_join(&joiner, problem,
                              (struct problem_segment){gap->lower, gap->upper, gap->window_lower,
                                                       gap->window_upper},
                              error));
        whole_from = gap->upper;
    }
    return segments_end(&joiner, problem, error);
}

static enum status add_rows(struct csv_rows *rows, struct problem **created,
                            enum fixed_offsets offsets, struct error *error)
{
    struct problem *problem = *created;
    bool found;
    for (;;) {
        TRY(csv_rows_next(rows, &found, error));
        if (!found)
            break;
        if (names_find(&problem->names, rows->row.id) != NAMES_NONE)
            return csv_fields_fail(rows, error, "found id '%s' again, expected each once",
                                   rows->row.id);
        /* The first row says whether the file has clocks. */
        bool clock = rows->row.streams > 0;
        if (problem->buffers && clock != (problem_streams(problem) > 0))
            return csv_fields_fail(rows, error, "found %s as times, expected %s as before",
                                   clock ? "clocks" : "numbers", clock ? "numbers" : "clocks");
        if (rows->row.extents && offsets != FIXED_OFFSETS_IGNORED)
            return csv_fields_fail(
                rows, error,
                "found extents of buffer '%s', expected a problem, where a fixed "
                "buffer is in one piece",
                rows->row.id);
        if (problem->sizes)
            TRY(read_expression(rows, problem->sizes, error));
        TRY(csv_rows_place(rows, add_row(problem, &rows->row, offsets, error), error));
        TRY(csv_rows_note_buffer(rows, error));
    }
    if (!problem->buffers)
        return csv_fields_fail(rows, error, "found no buffers, expected a row for each");
    TRY(csv_rows_place(rows, problem_clocks_resolve(created, error), error));
    return csv_rows_finish(rows, *created, error);
}

enum status problem_csv_read(const struct text *text, const char *file,
                             const struct problem_csv_options *given, struct problem **created,
                             struct error *error)
{
    static const struct problem_csv_options defaults = {.lifetimes = CSV_LIFETIMES_BY_HEADER};
    const struct problem_csv_options *options = given ? given : &defaults;
    enum csv_layout layout = options->dialect ? options->dialect->layout : CSV_NAMED;
    enum csv_lifetimes lifetimes = csv_dialect_lifetimes(options->dialect, options->lifetimes);
    SCOPED(csv_rows_free) struct csv_rows rows = {0};
    SCOPED(problem_release) struct problem *problem = NULL;
    if (layout == CSV_XLA)
        return xla_csv_read(text, file, options, created, error);
    if (layout == CSV_POSITIONAL) {
        TRY(csv_rows_open_positional(text, file, lifetimes, &rows, error));
    } else {
        TRY(csv_rows_open(text, file, &rows, error));
        csv_rows_set_lifetimes(&rows, lifetimes);
    }
    SCOPED(memory_release) char *name = file_name_stem(file);
    if (!name)
        return error_no_memory(error);
    TRY(problem_create(&problem, name, error));
    struct csv_field note = rows.note;
    if (note.start) {
        if (memchr(note.start, '\0', note.length) || !utf8_is_valid(note.start, note.length))
            return error_set_at(error, STATUS_BAD_INPUT, file, 1,
                                "found a comment that is not UTF-8, expected text");
        TRY(memory_create(&problem->note, note.length + 1, 1, error));
        memcpy(problem->note, note.start, note.length);
    }
    if (rows.parameters.length) {
        TRY(sizes_create(&problem->sizes, error));
        TRY(read_parameters(&rows, problem->sizes, error));
    }
    TRY(add_rows(&rows, &problem, options->offsets, error));
    HAND_OVER(problem, created);
}
