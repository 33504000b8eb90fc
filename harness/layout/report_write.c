#include "harness/layout/report_write.h"

#include <inttypes.h>
#include <string.h>

#include "datasets/json/text.h"

/* The widths of the columns, which are those of their longest entries. */
struct widths {
    int name, size, step, address, reused_by;
};

static int find_most(int a, int b)
{
    return a > b ? a : b;
}

static void append_address(const struct layout_report *report, const struct layout_report_row *row,
                           struct text *text)
{
    const struct extent *extent = report->extent + row->first_extent;
    for (uint32_t i = 0; i < row->extents; i++)
        text_append(text, row->extents > 1 ? "%s0x%" PRIx64 "+%" PRIu64 : "%s0x%" PRIx64,
                    i ? ";" : "", extent[i].offset, extent[i].bytes);
}

static void append_reusers(const struct layout_report *report, const struct layout_report_row *row,
                           struct text *text)
{
    uint32_t named = row->reusers;
    if (named > LAYOUT_REPORT_MOST_NAMES)
        named = LAYOUT_REPORT_MOST_NAMES;
    for (uint32_t i = 0; i < named; i++)
        text_append(text, "%s%s", i ? ", " : "", report->row[row->reused_by[i]].name);
    if (row->reusers > named)
        text_append(text, ", +%u", row->reusers - named);
    if (!row->reusers)
        text_append(text, "-");
}

/* Makes the text of one field; it stays in *scratch until the next call. */
static const char *make_field(const struct layout_report *report,
                              const struct layout_report_row *row, struct text *scratch,
                              void (*append)(const struct layout_report *,
                                             const struct layout_report_row *, struct text *))
{
    scratch->length = 0;
    append(report, row, scratch);
    return scratch->failed ? "" : scratch->bytes;
}

static int count_digits(uint64_t number)
{
    int digits = 1;
    while (number /= 10)
        digits++;
    return digits;
}

static struct widths measure(const struct layout_report *report, struct text *scratch)
{
    struct widths widths = {6, 4, 5, 7, 9};
    for (uint32_t r = 0; r < report->rows; r++) {
        const struct layout_report_row *row = &report->row[r];
        const char *address = make_field(report, row, scratch, append_address);
        widths.address = find_most(widths.address, (int)strlen(address));
        const char *reusers = make_field(report, row, scratch, append_reusers);
        widths.reused_by = find_most(widths.reused_by, (int)strlen(reusers));
        widths.name = find_most(widths.name, (int)strlen(row->name));
        widths.size = find_most(widths.size, count_digits(row->size_bytes));
        widths.step = find_most(widths.step, count_digits(row->end));
    }
    return widths;
}

static bool has_steps(const struct layout_report_row *row)
{
    return row->start <= row->end;
}

static void write_row(const struct layout_report *report, const struct layout_report_row *row,
                      const struct widths *widths, struct text *scratch, struct text *text)
{
    text_append(text, "%-*s  %*" PRIu64, widths->name, row->name, widths->size, row->size_bytes);
    if (has_steps(row))
        text_append(text, "  %*u  %*u", widths->step, row->start, widths->step, row->end);
    else
        text_append(text, "  %*s  %*s", widths->step, "-", widths->step, "-");
    text_append(text, "  %-*s", widths->address, make_field(report, row, scratch, append_address));
    text_append(text, "  %-*s", widths->reused_by,
                make_field(report, row, scratch, append_reusers));
    text_append(text, "  %s\n",
                row->in_place == UINT32_MAX ? "-" : report->row[row->in_place].name);
}

enum status layout_report_write(const struct layout_report *report, struct text *text,
                                struct error *error)
{
    SCOPED(text_free) struct text scratch = {0};
    struct widths widths = measure(report, &scratch);
    text_append(text, "%-*s  %*s  %*s  %*s  %-*s  %-*s  in-place\n", widths.name,
                report->problem ? "buffer" : "tensor", widths.size, "size", widths.step, "start",
                widths.step, "end", widths.address, "address", widths.reused_by, "reused by");
    for (uint32_t r = 0; r < report->rows; r++)
        write_row(report, &report->row[r], &widths, &scratch, text);
    TRY(text_check(&scratch, error));
    return text_check(text, error);
}

static void write_extents(const struct layout_report *report, const struct layout_report_row *row,
                          struct text *text)
{
    const struct extent *extent = report->extent + row->first_extent;
    if (row->extents < 2)
        return;
    for (uint32_t i = 0; i < row->extents; i++)
        text_append(text, "%s[%" PRIu64 ", %" PRIu64 "]", i ? ", " : ", \"extents\": [",
                    extent[i].offset, extent[i].bytes);
    text_append(text, "]");
}

static void write_object(const struct layout_report *report, const struct layout_report_row *row,
                         struct text *text)
{
    text_append(text, "{\"%s\": ", report->problem ? "buffer" : "tensor");
    json_text_string(text, row->name);
    text_append(text, ", \"size\": %" PRIu64, row->size_bytes);
    if (has_steps(row))
        text_append(text, ", \"start\": %u, \"end\": %u", row->start, row->end);
    else
        text_append(text, ", \"start\": null, \"end\": null");
    text_append(text, ", \"address\": %" PRIu64, row->address);
    write_extents(report, row, text);
    text_append(text, ", \"reused_by\": [");
    for (uint32_t i = 0; i < row->reusers && i < LAYOUT_REPORT_MOST_NAMES; i++) {
        text_append(text, i ? ", " : "");
        json_text_string(text, report->row[row->reused_by[i]].name);
    }
    text_append(text, "], \"reusers\": %u", row->reusers);
    text_append(text, ", \"in_place\": ");
    if (row->in_place == UINT32_MAX)
        text_append(text, "null");
    else
        json_text_string(text, report->row[row->in_place].name);
    text_append(text, "}");
}

enum status layout_report_write_json(const struct layout_report *report, struct text *text,
                                     struct error *error)
{
    text_append(text, "[");
    for (uint32_t r = 0; r < report->rows; r++) {
        text_append(text, r ? ",\n" : "\n");
        write_object(report, &report->row[r], text);
    }
    text_append(text, "\n]\n");
    return text_check(text, error);
}
