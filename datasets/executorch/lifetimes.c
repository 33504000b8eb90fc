#include "datasets/executorch/lifetimes.h"

#include <string.h>

struct tracing {
    struct method *method;
    struct lifetime *lifetime; /* [values] */
    uint32_t *written;         /* [writes] planned values in the order in which they were written */
    uint32_t writes;
    uint32_t step;
};

/* The value is used at this step. */
static void touch(struct tracing *tracing, uint32_t value)
{
    struct lifetime *root = &tracing->lifetime[tracing->lifetime[value].root];
    if (root->upper <= tracing->step)
        root->upper = tracing->step + 1;
}

static bool is_written(const struct tracing *tracing, uint32_t value)
{
    return tracing->lifetime[value].upper > 0 || tracing->lifetime[value].root != value;
}

/* A planned value gets memory of its own from this step on. */
static void write_value(struct tracing *tracing, uint32_t value, uint32_t writer)
{
    struct lifetime *lifetime = &tracing->lifetime[value];
    if (!is_written(tracing, value)) {
        lifetime->lower = tracing->step;
        lifetime->writer = writer;
        tracing->written[tracing->writes++] = value;
    }
    touch(tracing, value);
}

/* What lay last where the value lies, if it is the same to the byte; METHOD_NONE otherwise. */
static enum status find_viewed(struct tracing *tracing, uint32_t value, uint32_t *viewed)
{
    const struct method_value *all = tracing->method->value, *of = &all[value];
    *viewed = METHOD_NONE;
    for (uint32_t w = tracing->writes; w-- > 0;) {
        const struct method_value *other = &all[tracing->written[w]];
        TRY(method_charge(tracing->method, 1));
        if (other->memory != of->memory || other->offset >= of->offset + of->bytes ||
            of->offset >= other->offset + other->bytes)
            continue;
        if (other->offset == of->offset && other->bytes == of->bytes && other->type == of->type)
            *viewed = tracing->lifetime[tracing->written[w]].root;
        return STATUS_OK;
    }
    return STATUS_OK;
}

static void view_value(struct tracing *tracing, uint32_t value, uint32_t root)
{
    if (!is_written(tracing, value) && root != value)
        tracing->lifetime[value].root = tracing->lifetime[root].root;
}

/* Calls `use` for each planned value that an argument names. */
typedef enum status use_value(struct tracing *tracing, uint32_t value);
static enum status use_argument(struct tracing *tracing, uint32_t argument, use_value *use)
{
    struct method_items items;
    TRY(method_items(tracing->method, argument, &items));
    TRY(method_charge(tracing->method, 1 + (uint64_t)items.count));
    for (uint32_t i = 0; i < items.count; i++) {
        uint32_t value;
        TRY(method_item(tracing->method, &items, i, &value));
        if (value != METHOD_NONE && tracing->method->value[value].memory > 0 &&
            tracing->method->value[value].bytes > 0)
            TRY(use(tracing, value));
    }
    return STATUS_OK;
}

static enum status write_planned(struct tracing *tracing, uint32_t value)
{
    write_value(tracing, value, tracing->step);
    return STATUS_OK;
}

static enum status read_planned(struct tracing *tracing, uint32_t value)
{
    uint32_t viewed;
    if (!is_written(tracing, value)) {
        TRY(find_viewed(tracing, value, &viewed));
        if (viewed != METHOD_NONE)
            view_value(tracing, value, viewed);
    }
    write_value(tracing, value, tracing->step);
    return STATUS_OK;
}

static bool is_called(const struct flatbuffer_vector *name, const char *text)
{
    return name->count == strlen(text) &&
           memcmp(name->buffer->bytes + name->at, text, name->count) == 0;
}

/* A kernel reads all arguments but its output, which is written first where the last argument says
   what it is, so that it does not count as read. */
static enum status trace_kernel(struct tracing *tracing,
                                const struct method_instruction *instruction)
{
    const struct flatbuffer_vector *arguments = &instruction->arguments;
    const struct flatbuffer_vector *name = &instruction->operator_name;
    if (arguments->count == 0)
        return STATUS_OK;
    uint32_t last = flatbuffer_element(arguments, arguments->count - 1);
    uint32_t first = flatbuffer_element(arguments, 0);
    bool writes_first = is_called(name, "executorch_prim::et_copy_index") ||
                        (name->count > 0 && name->buffer->bytes[name->at + name->count - 1] == '_');
    if (is_called(name, "executorch_prim::et_view")) {
        TRY(use_argument(tracing, first, read_planned));
        if (last < tracing->method->values.count && first < tracing->method->values.count &&
            tracing->method->value[first].memory == tracing->method->value[last].memory)
            view_value(tracing, last, first);
        return use_argument(tracing, last, write_planned);
    }
    TRY(use_argument(tracing, writes_first ? first : last, write_planned));
    for (uint32_t i = 0; i < arguments->count; i++)
        TRY(use_argument(tracing, flatbuffer_element(arguments, i), read_planned));
    return STATUS_OK;
}

static enum status trace_delegate(struct tracing *tracing,
                                  const struct method_instruction *instruction)
{
    for (uint32_t i = 0; i < instruction->arguments.count; i++)
        TRY(use_argument(tracing, flatbuffer_element(&instruction->arguments, i), write_planned));
    return STATUS_OK;
}

/* Only the handle moves: what was there before is not used any more. */
static enum status trace_move(struct tracing *tracing, const struct method_instruction *instruction)
{
    const struct method_value *value = tracing->method->value;
    if (!value[instruction->from].memory || !value[instruction->from].bytes)
        return STATUS_OK;
    touch(tracing, instruction->from);
    view_value(tracing, instruction->to, instruction->from);
    return STATUS_OK;
}

static enum status trace_instruction(struct tracing *tracing)
{
    struct method_instruction instruction;
    TRY(method_instruction(tracing->method, tracing->step, &instruction));
    switch (instruction.call) {
    case METHOD_KERNEL:
        return trace_kernel(tracing, &instruction);
    case METHOD_DELEGATE:
        return trace_delegate(tracing, &instruction);
    case METHOD_MOVE:
        return trace_move(tracing, &instruction);
    case METHOD_FREE:
        break;
    }
    return STATUS_OK;
}

/* Inputs and states are there before the first step. */
static enum status trace_begin(struct tracing *tracing)
{
    const struct method *method = tracing->method;
    for (uint32_t v = 0; v < method->values.count; v++)
        if (method->value[v].memory && method->value[v].bytes && method->value[v].is_state) {
            write_value(tracing, v, METHOD_NONE);
            tracing->lifetime[v].upper = method->instructions.count;
        }
    for (uint32_t i = 0; i < method->inputs.count; i++) {
        uint32_t input = flatbuffer_element(&method->inputs, i);
        TRY(use_argument(tracing, input, write_planned));
    }
    return STATUS_OK;
}

enum status lifetimes_fill(struct method *method, struct lifetime *lifetime,
                           struct scratch *scratch)
{
    struct tracing tracing = {.method = method, .lifetime = lifetime};
    uint32_t count = method->values.count, steps = method->instructions.count;
    TRY(scratch_take(scratch, &tracing.written, count, sizeof(uint32_t), method->file->error));
    for (uint32_t v = 0; v < count; v++)
        lifetime[v] = (struct lifetime){.root = v, .writer = METHOD_NONE};
    TRY(trace_begin(&tracing));
    for (uint32_t i = 0; i < tracing.writes; i++)
        lifetime[tracing.written[i]].writer = METHOD_NONE;
    for (; tracing.step < steps; tracing.step++)
        TRY(trace_instruction(&tracing));
    if (steps > 0)
        tracing.step = steps - 1;
    for (uint32_t i = 0; i < method->outputs.count; i++)
        TRY(use_argument(&tracing, flatbuffer_element(&method->outputs, i), write_planned));
    return STATUS_OK;
}
