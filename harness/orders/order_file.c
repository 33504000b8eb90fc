#include "harness/orders/order_file.h"

#include <assert.h>
#include <string.h>

#include "core/file_name.h"
#include "core/memory.h"
#include "core/names.h"
#include "core/text.h"
#include "planning/order/order_load.h"

bool order_file_is(const char *name)
{
    return strchr(name, '/') || file_name_has_extension(name, ".txt");
}

/* One reading of a file for the operators of one region. */
struct reading {
    const char *path;
    const struct order_view *view;
    struct names known; /* all operators of the graph, in their order */
    uint32_t *number;   /* [operators of the graph] in the view, ORDER_NONE */
    unsigned *line;     /* [operators of the graph] where it was found, 0: nowhere yet */
    uint32_t *permutation, count;
    struct error *error;
};

static enum status list_operators(struct reading *reading)
{
    const struct order_view *view = reading->view;
    const struct graph *graph = view->graph;
    for (uint32_t o = 0; o < graph->operators; o++) {
        reading->number[o] = ORDER_NONE;
        TRY(names_add(&reading->known, graph_label(graph, graph->op[o].name), reading->error));
    }
    for (uint32_t v = 0; v < view->operators; v++)
        reading->number[view->graph_operator[v]] = v;
    return STATUS_OK;
}

static enum status take_name(struct reading *reading, const char *name, unsigned line)
{
    uint32_t op = names_find(&reading->known, name);
    if (op == NAMES_NONE)
        return error_set_at(reading->error, STATUS_BAD_INPUT, reading->path, line,
                            "found '%s', expected the name of an operator of '%s'", name,
                            graph_name(reading->view->graph));
    if (reading->line[op])
        return error_set_at(reading->error, STATUS_BAD_INPUT, reading->path, line,
                            "operator '%s' again, which line %u has already", name,
                            reading->line[op]);
    reading->line[op] = line;
    if (reading->number[op] != ORDER_NONE)
        reading->permutation[reading->count++] = reading->number[op];
    return STATUS_OK;
}

/* Cuts the text into lines. */
static enum status take_lines(struct reading *reading, char *text)
{
    unsigned line = 1;
    for (char *at = text; *at; line++) {
        size_t length = strcspn(at, "\n");
        char *next = at + length + (at[length] == '\n');
        at[length] = '\0';
        if (length && at[length - 1] == '\r')
            at[length - 1] = '\0';
        if (*at)
            TRY(take_name(reading, at, line));
        at = next;
    }
    const struct order_view *view = reading->view;
    for (uint32_t v = 0; v < view->operators; v++)
        if (!reading->line[view->graph_operator[v]])
            return error_set_at(reading->error, STATUS_BAD_INPUT, reading->path, 0,
                                "operator '%s' is missing", order_view_name(view, v, NULL, 0));
    return STATUS_OK;
}

static enum status read_lines(struct reading *reading)
{
    struct text text = {0};
    TRY(list_operators(reading));
    enum status status = text_read_file(reading->path, &text, reading->error);
    if (!status)
        status = take_lines(reading, text.bytes);
    text_free(&text);
    return status;
}

static enum status order_as_written(const struct order_row *row, const struct order_task *task,
                                    uint32_t *permutation, struct order_report *report,
                                    struct error *error)
{
    struct reading reading = {
        .path = row->rule, .view = task->view, .permutation = permutation, .error = error};
    enum status status;
    assert(task->view->graph);
    uint32_t operators = task->view->graph->operators;
    TRY_OR_DONE(status, memory_create(&reading.number, operators, sizeof(uint32_t), error));
    TRY_OR_DONE(status, memory_create(&reading.line, operators, sizeof(unsigned), error));
    TRY_OR_DONE(status, read_lines(&reading));
    TRY_OR_DONE(status, order_permutation_check(task->view, permutation, error));
    status = order_report_feasible(task->view, permutation, report, error);
done:
    names_free(&reading.known);
    memory_free(reading.number);
    memory_free(reading.line);
    return status;
}

enum status order_file_create(const char *path, struct order_row **created, struct error *error)
{
    const struct order_row row = {.name = path,
                                  .title = "as a file says",
                                  .source = path,
                                  .rule = path,
                                  .order = order_as_written};
    return order_configure(&row, NULL, created, error);
}
