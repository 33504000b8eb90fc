#include "harness/layout/trace.h"

#include <inttypes.h>
#include <stdlib.h>

#include "core/compare.h"
#include "core/memory.h"
#include "datasets/json/text.h"
#include "harness/layout/outcome_layout.h"

enum { PROCESS_BUFFERS = 1, PROCESS_BLOCKS = 2, PROCESS_TIMELESS = 3 };

/* At a step the number of live bytes rises by `more` and falls by `less`. */
struct change {
    uint32_t step;
    uint64_t more, less;
};

static int get_process(const struct layout_rectangle *rectangle)
{
    if (rectangle->timeless)
        return PROCESS_TIMELESS;
    return rectangle->block ? PROCESS_BLOCKS : PROCESS_BUFFERS;
}

static int compare_rectangles(const void *left, const void *right)
{
    const struct layout_rectangle *a = left, *b = right;
    int order = get_process(a) - get_process(b);
    order = order ? order : compare_numbers(a->offset, b->offset);
    order = order ? order : compare_numbers(a->lower, b->lower);
    /* The longer rectangle comes first, since the shorter one may lie within it. */
    return order ? order : compare_numbers(b->upper, a->upper);
}

static void write_process(struct text *text, int process, const char *name)
{
    text_append(
        text,
        "{\"ph\": \"M\", \"pid\": %d, \"name\": \"process_name\", \"args\": {\"name\": ", process);
    json_text_string(text, name);
    text_append(text, "}}");
}

COMPARE_MEMBERS(compare_changes, struct change, step)

/* Writes all slices. The rectangles are sorted by offset, so those of a lane follow each other. */
static void write_slices(const struct layout *layout, struct text *text)
{
    uint32_t lane = 0, lane_end = 0;
    for (uint32_t i = 0; i < layout->count; i++) {
        const struct layout_rectangle *rectangle = &layout->rectangle[i];
        const struct layout_rectangle *before = rectangle - 1;
        int process = get_process(rectangle);
        /* A slice may be drawn in the lane of the one before it where both are disjoint or nested.
           Slices of branches that exclude each other may overlap at the same offset in another way;
           these go into another lane. */
        if (!i || before->offset != rectangle->offset || get_process(before) != process ||
            (rectangle->lower < lane_end && rectangle->upper > before->upper)) {
            lane_end = 0;
            text_append(text,
                        ",\n{\"ph\": \"M\", \"pid\": %d, \"tid\": %" PRIu32
                        ", \"name\": \"thread_name\", \"args\": {\"name\": \"offset %" PRIu64
                        "\"}}",
                        process, ++lane, rectangle->offset);
            text_append(text,
                        ",\n{\"ph\": \"M\", \"pid\": %d, \"tid\": %" PRIu32
                        ", \"name\": \"thread_sort_index\", \"args\": {\"sort_index\": %" PRIu32
                        "}}",
                        process, lane, lane);
        }
        if (rectangle->upper > lane_end)
            lane_end = rectangle->upper;
        text_append(text,
                    ",\n{\"ph\": \"X\", \"pid\": %d, \"tid\": %" PRIu32 ", \"name\": ", process,
                    lane);
        json_text_string(text, rectangle->label);
        text_append(text,
                    ", \"ts\": %" PRIu32 ", \"dur\": %" PRIu32 ", \"args\": {\"offset\": %" PRIu64
                    ", \"size\": %" PRIu64 "}}",
                    rectangle->lower, rectangle->upper - rectangle->lower, rectangle->offset,
                    rectangle->size);
    }
}

/* The number of bytes in use at a step. Rectangles of branches may overlap, since only one of the
   branches has run; their bytes count once. The rectangles are sorted by offset. */
static uint64_t measure_cover(const struct layout *layout, uint32_t step)
{
    uint64_t covered = 0, end = 0;
    for (uint32_t i = 0; i < layout->count; i++) {
        const struct layout_rectangle *rectangle = &layout->rectangle[i];
        if (get_process(rectangle) != PROCESS_BUFFERS)
            break;
        uint64_t upper = rectangle->offset + rectangle->size;
        if (rectangle->lower > step || rectangle->upper <= step || upper <= end)
            continue;
        covered += upper - (rectangle->offset > end ? rectangle->offset : end);
        end = upper;
    }
    return covered;
}

static enum status write_counter(const struct layout *layout, struct text *text,
                                 struct error *error)
{
    SCOPED(memory_release) struct change *change = NULL;
    uint64_t live = 0;
    uint32_t count = 0;
    TRY(memory_create(&change, 2 * (size_t)layout->count, sizeof *change, error));
    for (uint32_t i = 0; i < layout->count; i++) {
        const struct layout_rectangle *rectangle = &layout->rectangle[i];
        if (get_process(rectangle) != PROCESS_BUFFERS)
            continue;
        change[count++] = (struct change){rectangle->lower, rectangle->size, 0};
        change[count++] = (struct change){rectangle->upper, 0, rectangle->size};
    }
    qsort(change, count, sizeof *change, compare_changes);
    for (uint32_t i = 0; i < count; i++) {
        live += change[i].more - change[i].less;
        if (i + 1 == count || change[i + 1].step != change[i].step)
            text_append(text,
                        ",\n{\"ph\": \"C\", \"pid\": %d, \"name\": \"live bytes\", \"ts\": %" PRIu32
                        ", \"args\": {\"bytes\": %" PRIu64 "}}",
                        PROCESS_BUFFERS, change[i].step,
                        layout->overlaps ? measure_cover(layout, change[i].step) : live);
    }
    return STATUS_OK;
}

enum status trace_write(const struct job *job, const struct outcome *outcome, struct text *text,
                        struct error *error)
{
    SCOPED(layout_free) struct layout layout = {0};
    TRY(outcome_layout_fill(job, outcome, &layout, error));
    qsort(layout.rectangle, layout.count, sizeof *layout.rectangle, compare_rectangles);
    text_append(text, "{\"displayTimeUnit\": \"ns\", \"traceEvents\": [\n");
    write_process(text, PROCESS_BUFFERS, job->instance->name);
    text_append(text, ",\n");
    write_process(text, PROCESS_BLOCKS, "blocks of regions");
    if (layout.count && layout.rectangle[layout.count - 1].timeless) {
        text_append(text, ",\n");
        write_process(text, PROCESS_TIMELESS, "conflicts, at no time");
    }
    write_slices(&layout, text);
    TRY(write_counter(&layout, text, error));
    text_append(text, "\n]}\n");
    return text_check(text, error);
}
