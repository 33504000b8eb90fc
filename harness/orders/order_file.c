#include "harness/orders/order_file.h"

#include <assert.h>
#include <string.h>

#include "core/file_name.h"
#include "core/memory.h"
#include "harness/orders/order_text.h"
#include "planning/order/order_load.h"

bool order_file_is(const char *name)
{
    return strchr(name, '/') || file_name_has_extension(name, ".txt");
}

/* Lists all operators of the graph by name, as all may stand in the file. Those of other regions
   get no number and are passed over. */
static enum status list_operators(const struct order_view *view, uint32_t *number,
                                  struct names *known, struct error *error)
{
    const struct graph *graph = view->graph;
    for (uint32_t o = 0; o < graph->operators; o++) {
        number[o] = ORDER_NONE;
        TRY(names_add(known, graph_label(graph, graph->op[o].name), error));
    }
    for (uint32_t v = 0; v < view->operators; v++)
        number[view->graph_operator[v]] = v;
    return STATUS_OK;
}

static enum status order_as_written(const struct order_row *row, const struct order_task *task,
                                    uint32_t *permutation, struct order_report *report,
                                    struct error *error)
{
    const struct graph *graph = task->view->graph;
    struct order_text order = {.file = row->rule};
    struct text text = {0};
    uint32_t *number = NULL;
    enum status status;
    assert(graph);
    TRY_OR_DONE(status, memory_create(&number, graph->operators, sizeof *number, error));
    TRY_OR_DONE(status, list_operators(task->view, number, &order.known, error));
    order.graph = graph_name(graph);
    order.number = number;
    TRY_OR_DONE(status, text_read_file(row->rule, &text, error));
    TRY_OR_DONE(status, order_text_read(&order, &text, permutation, error));
    TRY_OR_DONE(status, order_permutation_check(task->view, permutation, error));
    status = order_report_feasible(task->view, permutation, report, error);
done:
    if (status == STATUS_BAD_INPUT)
        error_name_file(error, row->rule);
    text_free(&text);
    names_free(&order.known);
    memory_free(number);
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
