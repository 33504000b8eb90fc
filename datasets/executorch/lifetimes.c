#include "datasets/executorch/lifetimes.h"

#include <assert.h>
#include <string.h>

enum { BLOCK_USES = 1024 }; /* that are taken from the scratch at once */

/* A value that another one may be another name of, by a move. */
struct move {
    uint32_t from, next; /* next: the one before that had the same target; METHOD_NONE for none */
};

struct tracing {
    struct method *method;
    const struct lifetimes *lifetimes;
    struct scratch *scratch;
    struct flow_use *free_use; /* [free_uses] */
    uint32_t free_uses;
    struct lifetime *lifetime; /* [values] */
    uint32_t *written;         /* [writes] planned values in the order in which they were written */
    uint32_t writes;
    struct move *move; /* [moves] */
    uint32_t moves;
    uint32_t *last_move; /* [values] into the target; METHOD_NONE for none */
    uint32_t *reached;   /* [values] roots of what is touched */
    uint32_t *stamp;     /* [values] of the last touch that reached the root */
    uint32_t touches;
    uint32_t step;
};

/* Lists all roots whose memory may be the value's. */
static enum status reach_roots(struct tracing *tracing, uint32_t value, uint32_t *count)
{
    const struct lifetime *lifetime = tracing->lifetime;
    uint32_t stamp = ++tracing->touches;
    tracing->reached[0] = lifetime[value].root;
    tracing->stamp[lifetime[value].root] = stamp;
    *count = 1;
    for (uint32_t i = 0; i < *count; i++)
        for (uint32_t m = tracing->last_move[tracing->reached[i]]; m != METHOD_NONE;
             m = tracing->move[m].next) {
            uint32_t root = lifetime[tracing->move[m].from].root;
            TRY(method_charge(tracing->method, 1));
            if (tracing->stamp[root] != stamp)
                tracing->reached[(*count)++] = root;
            tracing->stamp[root] = stamp;
        }
    return STATUS_OK;
}

static enum status note_use(struct tracing *tracing, uint32_t root, uint8_t what)
{
    struct flow_use **last = &tracing->lifetimes->last_use[root];
    if (!*last || (*last)->step != tracing->step) {
        if (!tracing->free_uses) {
            TRY(scratch_take(tracing->scratch, &tracing->free_use, BLOCK_USES,
                             sizeof *tracing->free_use, tracing->method->file->error));
            tracing->free_uses = BLOCK_USES;
        }
        struct flow_use *use = &tracing->free_use[--tracing->free_uses];
        *use = (struct flow_use){.step = tracing->step, .before = *last};
        *last = use;
    }
    (*last)->what |= what;
    return STATUS_OK;
}

/* The value is used at this step. What may be one memory or another is not written as a whole. */
static enum status touch(struct tracing *tracing, uint32_t value, uint8_t use)
{
    uint32_t count;
    TRY(reach_roots(tracing, value, &count));
    for (uint32_t i = 0; i < count; i++) {
        uint32_t index = tracing->reached[i];
        struct lifetime *root = &tracing->lifetime[index];
        if (root->upper == 0)
            continue;
        if (root->upper <= tracing->step)
            root->upper = tracing->step + 1;
        if (tracing->lifetimes->last_use)
            TRY(note_use(tracing, index, (uint8_t)(count > 1 ? use & ~FLOW_WRITES : use)));
    }
    return STATUS_OK;
}

static bool is_written(const struct tracing *tracing, uint32_t value)
{
    return tracing->lifetime[value].upper > 0 || tracing->lifetime[value].root != value ||
           tracing->last_move[value] != METHOD_NONE;
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

/* How a planned value is used. What is not marked as read or written (NAME) is written the first
   time; an input is there before the first step, and an output is needed behind the last one. */
enum how { READ, NAME, KEEP, WRITE, INPUT, OUTPUT };

static enum status use_value(struct tracing *tracing, uint32_t value, enum how how)
{
    struct lifetime *lifetime = &tracing->lifetime[value];
    uint32_t viewed = METHOD_NONE;
    uint8_t use = FLOW_TOUCHES;
    if (how == READ && !is_written(tracing, value))
        TRY(find_viewed(tracing, value, &viewed));
    if (viewed != METHOD_NONE)
        view_value(tracing, value, viewed);
    bool is_new = !is_written(tracing, value);
    if (how == WRITE || (is_new && (how == READ || how == NAME)))
        use |= FLOW_WRITES;
    else if (how != INPUT)
        use |= FLOW_NEEDS;
    if (is_new) {
        lifetime->lower = tracing->step;
        lifetime->upper = tracing->step + 1;
        lifetime->writer = how == INPUT    ? METHOD_NONE
                           : how == OUTPUT ? tracing->method->instructions.count - 1
                                           : tracing->step;
        tracing->written[tracing->writes++] = value;
    }
    return touch(tracing, value, use);
}

/* Uses each planned value that an argument names. */
static enum status use_argument(struct tracing *tracing, uint32_t argument, enum how how)
{
    struct method_items items;
    TRY(method_items(tracing->method, argument, &items));
    TRY(method_charge(tracing->method, 1 + (uint64_t)items.count));
    for (uint32_t i = 0; i < items.count; i++) {
        uint32_t value;
        TRY(method_item(tracing->method, &items, i, &value));
        if (value != METHOD_NONE && tracing->method->value[value].memory > 0 &&
            tracing->method->value[value].bytes > 0)
            TRY(use_value(tracing, value, how));
    }
    return STATUS_OK;
}

static bool is_called(const struct flatbuffer_vector *name, const char *text)
{
    return name->count == strlen(text) &&
           memcmp(name->buffer->bytes + name->at, text, name->count) == 0;
}

/* How many arguments of a kernel come before its output, which is the last one, and stands twice,
   or as a list behind its items. */
static enum status count_read(struct tracing *tracing, const struct flatbuffer_vector *arguments,
                              uint32_t *count)
{
    struct method_items items;
    uint32_t last = flatbuffer_element(arguments, arguments->count - 1), outputs = 2;
    *count = arguments->count - 1;
    if (*count == 0)
        return STATUS_OK;
    if (flatbuffer_element(arguments, *count - 1) != last) {
        TRY(method_items(tracing->method, last, &items));
        outputs = items.single == METHOD_NONE ? 1 + items.count : 1;
    }
    *count = outputs <= arguments->count ? arguments->count - outputs : 0;
    return STATUS_OK;
}

static enum status trace_view(struct tracing *tracing, uint32_t from, uint32_t to)
{
    const struct method *method = tracing->method;
    TRY(use_argument(tracing, from, READ));
    if (to < method->values.count && from < method->values.count &&
        method->value[from].memory == method->value[to].memory)
        view_value(tracing, to, from);
    return use_argument(tracing, to, NAME);
}

/* A kernel reads all arguments but its output, which is written first where the last argument says
   what it is, so that it does not count as read. */
static enum status trace_kernel(struct tracing *tracing,
                                const struct method_instruction *instruction)
{
    const struct flatbuffer_vector *arguments = &instruction->arguments;
    const struct flatbuffer_vector *name = &instruction->operator_name;
    uint32_t reads = arguments->count;
    if (reads == 0)
        return STATUS_OK;
    uint32_t last = flatbuffer_element(arguments, reads - 1);
    uint32_t first = flatbuffer_element(arguments, 0);
    if (is_called(name, "executorch_prim::et_view"))
        return trace_view(tracing, first, last);
    if (is_called(name, "executorch_prim::et_copy_index") ||
        (name->count > 0 && name->buffer->bytes[name->at + name->count - 1] == '_')) {
        TRY(use_argument(tracing, first, KEEP));
    } else {
        TRY(use_argument(tracing, last, WRITE));
        TRY(count_read(tracing, arguments, &reads));
    }
    for (uint32_t i = 0; i < reads; i++)
        TRY(use_argument(tracing, flatbuffer_element(arguments, i), READ));
    return STATUS_OK;
}

static enum status trace_delegate(struct tracing *tracing,
                                  const struct method_instruction *instruction)
{
    for (uint32_t i = 0; i < instruction->arguments.count; i++)
        TRY(use_argument(tracing, flatbuffer_element(&instruction->arguments, i), NAME));
    return STATUS_OK;
}

/* Only the handle moves: the target's own place is not used. */
static enum status trace_move(struct tracing *tracing, const struct method_instruction *instruction)
{
    const struct method_value *value = tracing->method->value;
    uint32_t from = instruction->from, *last = &tracing->last_move[instruction->to];
    if (!value[from].memory || !value[from].bytes)
        return STATUS_OK;
    TRY(touch(tracing, from, FLOW_TOUCHES | FLOW_NEEDS));
    tracing->move[tracing->moves] = (struct move){from, *last};
    *last = tracing->moves++;
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
    case METHOD_JUMP:
        return use_argument(tracing, instruction.from, READ);
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
            TRY(use_value(tracing, v, INPUT));
            tracing->lifetime[v].upper = method->instructions.count;
        }
    for (uint32_t i = 0; i < method->inputs.count; i++)
        TRY(use_argument(tracing, flatbuffer_element(&method->inputs, i), INPUT));
    return STATUS_OK;
}

static enum status take_arrays(struct tracing *tracing, struct lifetimes *lifetimes,
                               struct scratch *scratch)
{
    struct error *error = tracing->method->file->error;
    uint32_t count = tracing->method->values.count, steps = tracing->method->instructions.count;
    TRY(scratch_take_all(scratch, count, error, &lifetimes->of, &tracing->written,
                         &tracing->last_move, &tracing->reached, &tracing->stamp));
    TRY(scratch_take(scratch, &tracing->move, steps, sizeof *tracing->move, error));
    for (uint32_t v = 0; v < count; v++) {
        lifetimes->of[v] = (struct lifetime){.root = v, .writer = METHOD_NONE};
        tracing->last_move[v] = METHOD_NONE;
    }
    tracing->lifetime = lifetimes->of;
    return lifetimes->flow.has_jumps ? scratch_take(scratch, &lifetimes->last_use, count,
                                                    sizeof *lifetimes->last_use, error)
                                     : STATUS_OK;
}

enum status lifetimes_fill(struct method *method, struct lifetimes *lifetimes,
                           struct scratch *scratch)
{
    struct tracing tracing = {.method = method, .lifetimes = lifetimes, .scratch = scratch};
    uint32_t steps = method->instructions.count;
    *lifetimes = (struct lifetimes){.of = NULL};
    TRY(flow_read(method, &lifetimes->flow, scratch));
    TRY(take_arrays(&tracing, lifetimes, scratch));
    TRY(trace_begin(&tracing));
    for (; tracing.step < steps; tracing.step++)
        TRY(trace_instruction(&tracing));
    assert(steps > 0);
    tracing.step = lifetimes->last_use ? steps : steps - 1;
    for (uint32_t i = 0; i < method->outputs.count; i++)
        TRY(use_argument(&tracing, flatbuffer_element(&method->outputs, i), OUTPUT));
    return STATUS_OK;
}

bool lifetimes_is_run(const struct lifetimes *lifetimes, const struct method *method, uint32_t root)
{
    return !lifetimes->last_use || method->value[root].is_state;
}

enum status lifetimes_find_live(struct lifetimes *lifetimes, struct method *method, uint32_t root,
                                uint32_t *lower, uint32_t *upper)
{
    uint32_t steps = lifetimes->flow.steps;
    assert(!lifetimes_is_run(lifetimes, method, root) && steps > 0);
    assert(lifetimes->of[root].root == root && lifetimes->of[root].upper > 0);
    TRY(flow_find_live(&lifetimes->flow, method, lifetimes->last_use[root], lower, upper));
    *upper = *upper < steps ? *upper : steps;
    return STATUS_OK;
}
