#include "harness/layout/report_write.h"

#include <inttypes.h>
#include <string.h>

#include "datasets/json/text.h"

/* The widths of the columns, which are those of their longest entries. */
struct widths {
    int name, size, step, address, reused_by, in_place;
    size_t room; /* for the names of those who reuse bytes */
};

static bool has_steps(const struct layout_report_row *row)
{
    return row->start <= row->end;
}

/* Makes the text of the address; it stays in *scratch until the next call. */
static const char *make_address(const struct layout_report *report,
                                const struct layout_report_row *row, struct text *scratch)
{
    const struct extent *extent = report->extent + row->first_extent;
    scratch->length = 0;
    for (uint32_t i = 0; i < row->extents; i++)
        text_append(scratch, row->extents > 1 ? "%s0x%" PRIx64 "+%" PRIu64 : "%s0x%" PRIx64,
                    i ? ";" : "", extent[i].offset, extent[i].bytes);
    return scratch->failed || !row->extents ? "" : scratch->bytes;
}

/* The names of the tensors that reuse its bytes, as many as fit `width` letters. */
static const char *make_reusers(const struct layout_report *report,
                                const struct layout_report_row *row, size_t width,
                                struct text *scratch)
{
    enum { COUNT_LETTERS = 8 }; /* of ", +N" */
    uint32_t named = 0;
    scratch->length = 0;
    for (; named < row->reusers && named < LAYOUT_REPORT_MOST_NAMES; named++) {
        const char *name = report->row[row->reused_by[named]].name;
        bool is_last = named + 1 == row->reusers;
        if (named && scratch->length + strlen(name) + (is_last ? 2 : COUNT_LETTERS) > width)
            break;
        text_append(scratch, "%s%s", named ? ", " : "", name);
    }
    if (row->reusers > named)
        text_append(scratch, ", +%u", row->reusers - named);
    if (!row->reusers)
        text_append(scratch, "-");
    return scratch->failed ? "" : scratch->bytes;
}

static void widen(int *width, size_t needed)
{
    if (needed > (size_t)*width)
        *width = (int)needed;
}

static size_t count_digits(uint64_t number)
{
    size_t digits = 1;
    while (number /= 10)
        digits++;
    return digits;
}

static const char *get_in_place(const struct layout_report *report,
                                const struct layout_report_row *row)
{
    return row->in_place == UINT32_MAX ? "-" : report->row[row->in_place].name;
}

static struct widths measure(const struct layout_report *report, size_t width, struct text *scratch)
{
    enum { LEAST_REUSED_BY = 9, BETWEEN = 12 };
    struct widths widths = {6, 4, 5, 7, LEAST_REUSED_BY, 8, LEAST_REUSED_BY};
    for (uint32_t r = 0; r < report->rows; r++) {
        const struct layout_report_row *row = &report->row[r];
        widen(&widths.address, strlen(make_address(report, row, scratch)));
        widen(&widths.name, strlen(row->name));
        widen(&widths.size, count_digits(row->size_bytes));
        widen(&widths.step, count_digits(row->end));
        widen(&widths.in_place, strlen(get_in_place(report, row)));
    }
    size_t others =
        (size_t)(widths.name + widths.size + 2 * widths.step + widths.address + widths.in_place) +
        BETWEEN;
    if (width > others + LEAST_REUSED_BY)
        widths.room = width - others;
    for (uint32_t r = 0; r < report->rows; r++)
        widen(&widths.reused_by,
              strlen(make_reusers(report, &report->row[r], widths.room, scratch)));
    return widths;
}

enum status layout_report_write(const struct layout_report *report, size_t width, struct text *text,
                                struct error *error)
{
    SCOPED(text_free) struct text scratch = {0};
    const struct widths widths = measure(report, width, &scratch);
    text_append(text, "%-*s  %*s  %*s  %*s  %-*s  %-*s  in-place\n", widths.name,
                report->problem ? "buffer" : "tensor", widths.size, "size", widths.step, "start",
                widths.step, "end", widths.address, "address", widths.reused_by, "reused by");
    for (uint32_t r = 0; r < report->rows; r++) {
        const struct layout_report_row *row = &report->row[r];
        text_append(text, "%-*s  %*" PRIu64, widths.name, row->name, widths.size, row->size_bytes);
        if (has_steps(row))
            text_append(text, "  %*u  %*u", widths.step, row->start, widths.step, row->end);
        else
            text_append(text, "  %*s  %*s", widths.step, "-", widths.step, "-");
        text_append(text, "  %-*s", widths.address, make_address(report, row, &scratch));
        text_append(text, "  %-*s", widths.reused_by,
                    make_reusers(report, row, widths.room, &scratch));
        text_append(text, "  %s\n", get_in_place(report, row));
    }
    TRY(text_check(&scratch, error));
    return text_check(text, error);
}

enum status layout_report_write_json(const struct layout_report *report, struct text *text,
                                     struct error *error)
{
    text_append(text, "[");
    for (uint32_t r = 0; r < report->rows; r++) {
        const struct layout_report_row *row = &report->row[r];
        const struct extent *extent = report->extent + row->first_extent;
        text_append(text, "%s\n{\"%s\": ", r ? "," : "", report->problem ? "buffer" : "tensor");
        json_text_string(text, row->name);
        text_append(text, ", \"size\": %" PRIu64, row->size_bytes);
        if (has_steps(row))
            text_append(text, ", \"start\": %u, \"end\": %u", row->start, row->end);
        else
            text_append(text, ", \"start\": null, \"end\": null");
        text_append(text, ", \"address\": %" PRIu64, row->address);
        for (uint32_t i = 0; row->extents > 1 && i < row->extents; i++)
            text_append(text, "%s[%" PRIu64 ", %" PRIu64 "]%s", i ? ", " : ", \"extents\": [",
                        extent[i].offset, extent[i].bytes, i + 1 < row->extents ? "" : "]");
        text_append(text, ", \"reused_by\": [");
        for (uint32_t i = 0; i < row->reusers && i < LAYOUT_REPORT_MOST_NAMES; i++) {
            text_append(text, i ? ", " : "");
            json_text_string(text, report->row[row->reused_by[i]].name);
        }
        text_append(text, "], \"reusers\": %u, \"in_place\": ", row->reusers);
        if (row->in_place == UINT32_MAX)
            text_append(text, "null");
        else
            json_text_string(text, report->row[row->in_place].name);
        text_append(text, "}");
    }
    text_append(text, "\n]\n");
    return text_check(text, error);
}
