#include "harness/brought/order_file.h"

#include <assert.h>
#include <string.h>

#include "core/file.h"
#include "core/memory.h"
#include "planning/order/order_load.h"

enum status order_file_read(const struct order_text *order, struct text *text,
                            uint32_t *permutation, struct error *error)
{
    SCOPED(memory_release) unsigned *line_of = NULL; /* where each name was found; 0: not yet */
    uint32_t count = 0;
    unsigned line = 1;
    TRY(memory_create(&line_of, order->known.count, sizeof *line_of, error));
    for (char *at = text->bytes, *next; at && *at; at = next, line++) {
        size_t length = strcspn(at, "\n");
        next = at + length + (at[length] == '\n');
        at[length] = '\0';
        if (length && at[length - 1] == '\r')
            at[length - 1] = '\0';
        if (!*at)
            continue;
        uint32_t known = names_find(&order->known, at);
        if (known == NAMES_NONE)
            return error_set_at(error, STATUS_BAD_INPUT, order->file, line,
                                "found '%s', expected the name of an operator of '%s'", at,
                                order->graph);
        if (line_of[known])
            return error_set_at(error, STATUS_BAD_INPUT, order->file, line,
                                "operator '%s' again, which line %u has already", at,
                                line_of[known]);
        line_of[known] = line;
        if (order->number[known] != ORDER_NONE)
            permutation[count++] = order->number[known];
    }
    for (uint32_t i = 0; i < order->known.count; i++)
        if (order->number[i] != ORDER_NONE && !line_of[i])
            return error_set_at(error, STATUS_BAD_INPUT, order->file, 0, "operator '%s' is missing",
                                names_get(&order->known, i));
    return STATUS_OK;
}

bool order_file_is(const char *name)
{
    return strchr(name, '/') || file_name_has_extension(name, ".txt");
}

static void clear_order(struct order_text *order)
{
    names_free(&order->known);
}

static enum status read_as_written(const struct order_row *row, const struct order_task *task,
                                   uint32_t *permutation, struct order_report *report,
                                   struct error *error)
{
    const struct order_view *view = task->view;
    const struct graph *graph = view->graph;
    SCOPED(clear_order) struct order_text order = {.file = row->rule, .graph = graph_name(graph)};
    SCOPED(text_free) struct text text = {0};
    SCOPED(memory_release) uint32_t *number = NULL;
    TRY(memory_create(&number, graph->operators, sizeof *number, error));
    /* All operators of the graph may stand in the file. Those of other regions get no number and
       are passed over. */
    for (uint32_t o = 0; o < graph->operators; o++) {
        number[o] = ORDER_NONE;
        TRY(names_add(&order.known, graph_label(graph, graph->op[o].name), error));
    }
    for (uint32_t v = 0; v < view->operators; v++)
        number[view->graph_operator[v]] = v;
    order.number = number;
    TRY(text_read_file(row->rule, &text, error));
    TRY(order_file_read(&order, &text, permutation, error));
    TRY(order_permutation_check(view, permutation, error));
    return order_report_feasible(view, permutation, report, error);
}

static enum status order_as_written(const struct order_row *row, const struct order_task *task,
                                    uint32_t *permutation, struct order_report *report,
                                    struct error *error)
{
    assert(task->view->graph);
    enum status status = read_as_written(row, task, permutation, report, error);
    if (status == STATUS_BAD_INPUT)
        error_name_file(error, row->rule);
    return status;
}

enum status order_file_create(const char *path, struct order_row **created, struct error *error)
{
    const struct order_row row = {.name = path,
                                  .title = "as a file says",
                                  .source = path,
                                  .rule = path,
                                  .order = order_as_written};
    SCOPED(text_free) struct text text = {0};
    /* A file that is not there ends the command now, not each of its jobs. */
    TRY(text_read_file(path, &text, error));
    return order_configure(&row, NULL, created, error);
}
