#include "harness/orders/order_text.h"

#include <string.h>

#include "core/memory.h"
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

enum status order_text_read(const struct order_text *order, struct text *text,
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
