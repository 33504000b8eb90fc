#include "harness/brought/order_file.h"

#include <assert.h>
#include <string.h>

#include "core/file_name.h"
#include "core/memory.h"
#include "planning/order/order_load.h"
#include "planning/order/order_view.h"

/* What is known while a text is read. */
struct reading {
    const struct order_text *order;
    unsigned *line; /* [names] line where each was found; 0: not yet */
    uint32_t *permutation, count;
    struct error *error;
};

static enum status take_name(struct reading *reading, const char *name, unsigned line)
{
    const struct order_text *order = reading->order;
    uint32_t known = names_find(&order->known, name);
    if (known == NAMES_NONE)
        return error_set_at(reading->error, STATUS_BAD_INPUT, order->file, line,
                            "found '%s', expected the name of an operator of '%s'", name,
                            order->graph);
    if (reading->line[known])
        return error_set_at(reading->error, STATUS_BAD_INPUT, order->file, line,
                            "operator '%s' again, which line %u has already", name,
                            reading->line[known]);
    reading->line[known] = line;
    if (order->number[known] != ORDER_NONE)
        reading->permutation[reading->count++] = order->number[known];
    return STATUS_OK;
}

/* Cuts the text into lines and takes the name on each. */
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
    return STATUS_OK;
}

static enum status check_missing(const struct reading *reading)
{
    const struct order_text *order = reading->order;
    for (uint32_t i = 0; i < order->known.count; i++)
        if (order->number[i] != ORDER_NONE && !reading->line[i])
            return error_set_at(reading->error, STATUS_BAD_INPUT, order->file, 0,
                                "operator '%s' is missing", names_get(&order->known, i));
    return STATUS_OK;
}

enum status order_file_read(const struct order_text *order, struct text *text,
                            uint32_t *permutation, struct error *error)
{
    struct reading reading = {.order = order, .permutation = permutation, .error = error};
    TRY(memory_create(&reading.line, order->known.count, sizeof *reading.line, error));
    enum status status = text->bytes ? take_lines(&reading, text->bytes) : STATUS_OK;
    if (!status)
        status = check_missing(&reading);
    memory_free(reading.line);
    return status;
}

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
    TRY_OR_DONE(status, order_file_read(&order, &text, permutation, error));
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
