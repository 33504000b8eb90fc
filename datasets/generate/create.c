/* Runs a kind of generator and collects what it makes: a problem with the plan known to be optimal,
   a graph, or the rows of a CSV file. */

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "core/file.h"
#include "core/memory.h"
#include "datasets/generate/generate.h"
#include "planning/graph/build.h"
#include "planning/problem/clocks_resolve.h"

/* Receives what a generator makes and keeps it: a problem, and the offsets that come with its
   buffers. */
struct keeper {
    struct problem *problem;
    uint64_t *offset;
    size_t capacity;
};

static enum status keep_buffer(void *context, const struct generate_buffer *buffer,
                               struct error *error)
{
    struct keeper *keeper = context;
    char name[24];
    uint32_t index = keeper->problem->buffers;
    snprintf(name, sizeof name, "b%" PRIu32, index);
    const struct problem_buffer added = {name, buffer->size, 1, PROBLEM_FREE, -1};
    TRY(memory_reserve(&keeper->offset, &keeper->capacity, (size_t)index + 1, sizeof(uint64_t),
                       error));
    keeper->offset[index] = buffer->offset;
    TRY(problem_add_buffer(keeper->problem, &added, error));
    if (buffer->clock.streams)
        return problem_add_clock(keeper->problem, buffer->clock, error);
    return problem_add_segment(
        keeper->problem, (struct problem_segment){buffer->lower, buffer->upper, 0, buffer->size},
        error);
}

static void free_keeper(struct keeper *keeper)
{
    problem_free(keeper->problem);
    memory_free(keeper->offset);
}

enum status generate_create(const struct generate_kind *kind,
                            const struct generate_settings *settings, const char *name,
                            struct generated *made, struct error *error)
{
    SCOPED(free_keeper) struct keeper keeper = {0};
    SCOPED(graph_release) struct graph *graph = NULL;
    SCOPED(plan_release) struct plan *plan = NULL;
    char full[GENERATE_NAME_BYTES];
    *made = (struct generated){.witness = made->witness};
    if (made->witness)
        *made->witness = NULL;
    if (kind->graph)
        TRY(graph_create(&graph, name, error));
    else
        TRY(problem_create(&keeper.problem, name, error));
    char **note = graph ? &graph->note : &keeper.problem->note;
    generate_write_name(kind, settings, full);
    *note = memory_copy_text(full);
    if (!*note)
        return error_no_memory(error);
    if (graph) {
        TRY(kind->graph(settings, graph, error));
        HAND_OVER(graph, &made->graph);
    }
    TRY(kind->problem(settings, &(struct generate_sink){keep_buffer, &keeper}, error));
    TRY(problem_clocks_resolve(&keeper.problem, error));
    TRY(problem_finish(keeper.problem, error));
    /* The offsets are those of an optimal plan, or all of them are PROBLEM_FREE. */
    if (made->witness && keeper.offset[0] != PROBLEM_FREE) {
        TRY(plan_create(keeper.problem, &plan, error));
        memcpy(plan->offset, keeper.offset, keeper.problem->buffers * sizeof(uint64_t));
        plan->status = PLAN_OPTIMAL;
        TRY(plan_set_peak(plan, keeper.problem, error));
        plan->measures.lower_bound_bytes = plan->measures.peak_bytes;
        *made->witness = plan;
        plan = NULL;
    }
    HAND_OVER(keeper.problem, &made->problem);
}

/* Receives what a generator makes and writes it to a file. */
struct writer {
    struct file_replace replace;
    uint32_t rows;
};

/* Writes a number as decimal digits. It does not use printf, since ten million rows spend most of
   their time here. */
static char *write_number(char *end, uint64_t number)
{
    do
        *--end = (char)('0' + number % 10);
    while (number /= 10);
    return end;
}

/* Writes a comma and then a number, or the components of a clock with colons between them. */
static char *write_time(char *end, uint32_t number, const uint32_t *component, uint32_t streams)
{
    if (!streams)
        end = write_number(end, number);
    for (uint32_t s = streams; s-- > 0;) {
        end = write_number(end, component[s]);
        if (s > 0)
            *--end = ':';
    }
    *--end = ',';
    return end;
}

enum { ROW_BYTES = 96 + 2 * GENERATE_MOST_STREAMS * sizeof "4294967295" };

static enum status write_row(void *context, const struct generate_buffer *buffer,
                             struct error *error)
{
    struct writer *writer = context;
    const struct clock *clock = &buffer->clock;
    char row[ROW_BYTES], *end = row + sizeof row, *at = end;
    assert(clock->streams <= GENERATE_MOST_STREAMS);
    *--at = '\n';
    at = write_number(at, buffer->size);
    *--at = ',';
    at = write_time(at, buffer->upper, clock->end, clock->streams);
    at = write_time(at, buffer->lower, clock->start, clock->streams);
    at = write_number(at, writer->rows++);
    *--at = 'b';
    return file_replace_write(&writer->replace, at, (size_t)(end - at), error);
}

enum status generate_write_csv(const struct generate_kind *kind,
                               const struct generate_settings *settings, const char *path,
                               struct error *error)
{
    struct writer writer = {.rows = 0};
    const struct generate_sink sink = {write_row, &writer};
    char full[GENERATE_NAME_BYTES], head[GENERATE_NAME_BYTES + 32];
    if (!kind->problem)
        return error_set(error, STATUS_USAGE, "%s makes graphs, expected a .json file", kind->name);
    generate_write_name(kind, settings, full);
    int length = snprintf(head, sizeof head, "# %s\nid,lower,upper,size\n", full);
    enum status status = file_replace_open(&writer.replace, path, error);
    if (!status)
        status = file_replace_write(&writer.replace, head, (size_t)length, error);
    if (!status)
        status = kind->problem(settings, &sink, error);
    return file_replace_close(&writer.replace, status, error);
}
