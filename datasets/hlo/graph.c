/* A module of XLA as a graph: the instructions of its entry computation in the order of the
   schedule, and regions of those that call others. */

#include <string.h>

#include "core/file.h"
#include "core/memory.h"
#include "datasets/hlo/hlo.h"
#include "datasets/hlo/module.h"

/* MOST_WORK: instructions and leaves of all computations, counted once more for each call. */
enum { MOST_WORK = 1 << 22, MOST_COMPARED = 64, MOST_SHOWN = 60, MOST_OVERWRITTEN = 8 };
enum { ALIASES_ENTRY = 1, ENTRY_OUTPUT = 1, ENTRY_PARAMETER = 2, ENTRY_INDEX = 3 };

/* What an operator wrote a tensor for: the leaf that it is, the latest one in its place. */
struct written {
    uint32_t leaf, op;
};

struct reader {
    struct hlo_module module;
    struct assembly assembly;
    uint64_t memory;         /* the space that is planned */
    struct written *written; /* [tensors] */
    size_t written_capacity;
    uint32_t *over;    /* [leaves] the leaf of a parameter in whose place it is, or GRAPH_NONE */
    bool *is_apart;    /* [leaves] it may be in no other's place */
    bool is_again;     /* what was found out makes another graph */
    struct text label; /* a name that is being made */
    uint32_t work;
    unsigned depth;
};

/* One run of a computation. */
struct frame {
    struct reader *reader;
    const struct hlo_computation *computation;
    struct assembly_value *value; /* [leaves] */
    uint32_t *op;                 /* [instructions] 1 + operator, 0 for none so far */
    bool is_inner;                /* not the entry */
};

struct values {
    struct assembly_value *item; /* [count] */
    uint32_t count;
    size_t capacity;
};

static void free_values(struct values *values)
{
    memory_free(values->item);
}

static void free_frame(struct frame *frame)
{
    memory_free_all(frame->value, frame->op);
}

static void free_reader(struct reader *reader)
{
    hlo_module_free(&reader->module);
    assembly_clear(&reader->assembly);
    text_free(&reader->label);
    memory_free_all(reader->written, reader->over, reader->is_apart);
}

/* in: the instruction at fault; NULL: the module. */
static enum status fail(const struct frame *frame, const struct hlo_instruction *in,
                        const char *what)
{
    const struct wire *wire = in ? &in->name : &frame->reader->module.wire;
    size_t length = in ? (size_t)(wire->end - wire->next) : 0;
    return wire_fail(wire, wire->next, "found '%.*s', expected %s",
                     (int)(length < MOST_SHOWN ? length : MOST_SHOWN), (const char *)wire->next,
                     what);
}

/* Makes the text a name of the file, up to a zero in it. */
static void copy_name(struct text *text, const struct wire *name, const char *otherwise)
{
    size_t length = (size_t)(name->end - name->next);
    bool is_empty = length == 0 || *name->next == '\0';
    text->length = 0;
    text_append_bytes(text, is_empty ? otherwise : (const char *)name->next,
                      is_empty ? strlen(otherwise) : length);
}

/* Makes reader->label the name of an instruction, or of a leaf of its value where that is a tuple.
 */
static enum status make_label(struct reader *reader, const struct hlo_instruction *in,
                              uint32_t leaf)
{
    copy_name(&reader->label, &in->name, "instruction");
    if (leaf != GRAPH_NONE && in->elements.count)
        text_append(&reader->label, "{%u}", leaf);
    return text_check(&reader->label, reader->assembly.error);
}

static struct assembly_value *find_value(const struct frame *frame,
                                         const struct hlo_instruction *in)
{
    return frame->value + (in->leaves.first - frame->computation->leaves.first);
}

/* The instruction of this computation with an id, whose value has to be there. */
static enum status find_instruction(const struct frame *frame, const struct hlo_instruction *user,
                                    uint64_t id, const struct hlo_instruction **found)
{
    const struct hlo_module *module = &frame->reader->module;
    uint32_t index = hlo_find(module, HLO_INSTRUCTION, id);
    bool is_inside =
        index - frame->computation->instructions.first < frame->computation->instructions.count;
    *found = is_inside ? &module->instruction[index] : NULL;
    return is_inside ? STATUS_OK
                     : fail(frame, user, "operands, a root and a schedule of its own computation");
}

static enum status collect_value(const struct frame *frame, const struct hlo_instruction *user,
                                 const struct hlo_instruction *in, struct values *values)
{
    const struct assembly_value *value = find_value(frame, in);
    TRY(memory_reserve(&values->item, &values->capacity, (size_t)values->count + in->leaves.count,
                       sizeof *values->item, frame->reader->assembly.error));
    for (uint32_t k = 0; k < in->leaves.count; k++) {
        if (value[k].kind == ASSEMBLY_UNKNOWN)
            return fail(frame, user, "a schedule in which what it reads comes before it");
        values->item[values->count++] = value[k];
    }
    return STATUS_OK;
}

/* Collects the values of some operands. */
static enum status collect(const struct frame *frame, const struct hlo_instruction *in,
                           uint32_t first, uint32_t count, struct values *values)
{
    const struct hlo_instruction *operand;
    if (count > in->operands.count || first > in->operands.count - count)
        return fail(frame, in, "more operands");
    for (uint32_t i = first; i < first + count; i++) {
        TRY(find_instruction(frame, in, frame->reader->module.number.item[in->operands.first + i],
                             &operand));
        TRY(collect_value(frame, in, operand, values));
    }
    return STATUS_OK;
}

/* Lets the leaves of an instruction from `to` on stand for some of the values. */
static enum status copy(struct frame *frame, const struct hlo_instruction *in, struct span to,
                        const struct values *values, uint32_t first)
{
    if (to.count > values->count || first > values->count - to.count)
        return fail(frame, in, "a value of the shape of what it is made of");
    if (to.count)
        memcpy(find_value(frame, in) + to.first, values->item + first,
               to.count * sizeof *values->item);
    return STATUS_OK;
}

/* The leaves of an element of a tuple. */
static enum status find_element(const struct frame *frame, const struct hlo_instruction *in,
                                const struct hlo_instruction *tuple, uint64_t element,
                                struct span *leaves)
{
    const uint64_t *begin = frame->reader->module.number.item;
    if (element >= tuple->elements.count)
        return fail(frame, in, "an element of a tuple that it has");
    element += tuple->elements.first;
    uint64_t end = element + 1 < tuple->elements.first + tuple->elements.count
                       ? begin[element + 1]
                       : tuple->leaves.first + tuple->leaves.count;
    leaves->first = (uint32_t)begin[element] - tuple->leaves.first;
    leaves->count = (uint32_t)(end - begin[element]);
    return STATUS_OK;
}

static enum status find_of_first(const struct frame *frame, const struct hlo_instruction *in,
                                 int64_t element, struct span *leaves)
{
    const struct hlo_instruction *tuple;
    if (element == HLO_WHOLE || !in->operands.count) {
        *leaves = in->leaves;
        leaves->first = 0;
        return STATUS_OK;
    }
    TRY(find_instruction(frame, in, frame->reader->module.number.item[in->operands.first], &tuple));
    return find_element(frame, in, tuple, (uint64_t)element, leaves);
}

static enum status note_written(struct reader *reader, uint32_t tensor, uint32_t leaf, uint32_t op)
{
    TRY(memory_reserve(&reader->written, &reader->written_capacity, (size_t)tensor + 1,
                       sizeof *reader->written, reader->assembly.error));
    reader->written[tensor] = (struct written){leaf, op};
    return STATUS_OK;
}

/* If something else has been written in the place of a value since it was, that has to be
   elsewhere, in another graph. */
static void check_intact(struct reader *reader, const struct assembly_value *value)
{
    if (value->kind != ASSEMBLY_TENSOR || value->tensor >= reader->assembly.places ||
        reader->assembly.place[value->tensor].region == GRAPH_NONE ||
        reader->written[value->tensor].op == value->source)
        return;
    bool *is_apart = &reader->is_apart[reader->written[value->tensor].leaf];
    reader->is_again |= !*is_apart;
    *is_apart = true;
}

/* The open operator uses a value in its regions. */
static enum status use(struct reader *reader, const struct assembly_value *value, uint32_t op)
{
    check_intact(reader, value);
    return value->kind == ASSEMBLY_TENSOR ? assembly_use(&reader->assembly, value->tensor, op)
                                          : STATUS_OK;
}

static bool reads(const struct assembly *assembly, uint32_t tensor)
{
    bool found = false;
    for (uint32_t i = 0; i < assembly->inputs.count; i++)
        found |= assembly->inputs.item[i] == tensor;
    return found;
}

/* The assignment has both leaves in one place. */
static bool is_same_place(const struct reader *reader, uint32_t a, uint32_t b)
{
    const struct hlo_assigned *one = reader->module.leaf[a].place;
    const struct hlo_assigned *other = reader->module.leaf[b].place;
    return one && other && one->allocation == other->allocation && one->offset == other->offset &&
           one->bytes == other->bytes;
}

/* The tensor into which the open operator writes a leaf: where the assignment puts it in the place
   of something that the operator reads, or the module in that of a parameter; else GRAPH_NONE. */
static uint32_t find_overwritten(const struct frame *frame, uint32_t leaf, uint64_t bytes,
                                 uint32_t op)
{
    const struct reader *reader = frame->reader;
    const struct assembly *assembly = &reader->assembly;
    uint32_t found = GRAPH_NONE, over = reader->over[leaf];
    if (reader->is_apart[leaf])
        return GRAPH_NONE;
    for (uint32_t i = 0; i < assembly->inputs.count && i < MOST_COMPARED; i++) {
        uint32_t tensor = assembly->inputs.item[i];
        if (tensor < assembly->places && assembly->place[tensor].region != GRAPH_NONE &&
            is_same_place(reader, reader->written[tensor].leaf, leaf))
            found = tensor;
    }
    if (found == GRAPH_NONE && over != GRAPH_NONE && !frame->is_inner) {
        const struct assembly_value *value = &frame->value[over - frame->computation->leaves.first];
        bool is_free = value->kind == ASSEMBLY_TENSOR && !reads(assembly, value->tensor);
        if (is_free || is_same_place(reader, over, leaf))
            found = value->tensor;
    }
    return found != GRAPH_NONE && reader->written[found].op != op &&
                   assembly_is_writable(assembly, found, op) &&
                   assembly->graph->tensor[found].bytes == bytes
               ? found
               : GRAPH_NONE;
}

/* Lets a leaf stand for a tensor that the open operator writes (op; GRAPH_NONE: an input of the
   graph), or for nothing. */
static enum status define(struct frame *frame, const struct hlo_instruction *in, uint32_t number,
                          uint32_t op)
{
    struct reader *reader = frame->reader;
    struct assembly *assembly = &reader->assembly;
    struct assembly_value *value = find_value(frame, in) + number;
    struct assembly_shape shape;
    uint32_t leaf = in->leaves.first + number, overwritten = GRAPH_NONE;
    TRY(hlo_shape(&reader->module, leaf, reader->memory, &shape));
    if (op != GRAPH_NONE && in->known->rule != HLO_WHILE && in->known->rule != HLO_CONDITIONAL)
        overwritten = find_overwritten(frame, leaf, shape.bytes, op);
    if (overwritten != GRAPH_NONE) {
        TRY(assembly_overwrite(assembly, overwritten, op));
        *value = assembly_weight(&shape, op);
        value->kind = ASSEMBLY_TENSOR;
        value->tensor = overwritten;
    } else {
        TRY(make_label(reader, in, number));
        TRY(assembly_define(assembly, reader->label.bytes, &shape, value));
        value->source = op;
        if (op != GRAPH_NONE)
            TRY(assembly_write(assembly, value->tensor));
    }
    return note_written(reader, value->tensor, leaf, op);
}

static enum status define_all(struct frame *frame, const struct hlo_instruction *in, uint32_t op)
{
    for (uint32_t k = 0; k < in->leaves.count; k++)
        if (find_value(frame, in)[k].kind == ASSEMBLY_UNKNOWN)
            TRY(define(frame, in, k, op));
    return STATUS_OK;
}

/* Opens an operator that waits for what the instruction is told to wait for. */
static enum status open_operator(struct frame *frame, const struct hlo_instruction *in,
                                 uint32_t *op)
{
    const struct hlo_module *module = &frame->reader->module;
    const struct hlo_instruction *first =
        module->instruction + frame->computation->instructions.first;
    struct assembly *assembly = &frame->reader->assembly;
    SCOPED(text_free) struct text type = {0};
    copy_name(&type, &in->opcode, "operator");
    TRY(text_check(&type, assembly->error));
    TRY(make_label(frame->reader, in, GRAPH_NONE));
    TRY(assembly_open(assembly, frame->reader->label.bytes, type.bytes, op));
    frame->op[in - first] = 1 + *op;
    for (uint32_t i = 0; i < in->waits.count; i++) {
        const struct hlo_instruction *earlier;
        TRY(find_instruction(frame, in, module->number.item[in->waits.first + i], &earlier));
        if (frame->op[earlier - first] && earlier != in)
            TRY(assembly_list_add(assembly, &assembly->after, frame->op[earlier - first] - 1));
    }
    return STATUS_OK;
}

static enum status read_all(struct frame *frame, const struct hlo_instruction *in,
                            const struct values *values, uint32_t op)
{
    struct assembly *assembly = &frame->reader->assembly;
    TRY(make_label(frame->reader, in, GRAPH_NONE));
    for (uint32_t i = 0; i < values->count; i++) {
        TRY(use(frame->reader, &values->item[i], op));
        TRY(assembly_read(assembly, &values->item[i], frame->reader->label.bytes));
    }
    return STATUS_OK;
}

/* Operands of the shape of the only output, or the first one of an update, may be overwritten. */
static enum status add_overwritten(struct frame *frame, const struct hlo_instruction *in)
{
    struct reader *reader = frame->reader;
    uint32_t operands = in->known->rule == HLO_UPDATE ? 1 : in->operands.count, position = 0;
    struct assembly_shape to, from;
    if (in->known->rule != HLO_POINTWISE && in->known->rule != HLO_UPDATE)
        return STATUS_OK;
    if (in->leaves.count != 1 || !reader->assembly.outputs.count || operands > MOST_OVERWRITTEN)
        return STATUS_OK;
    TRY(hlo_shape(&reader->module, in->leaves.first, reader->memory, &to));
    for (uint32_t i = 0; i < operands && i < in->operands.count; i++) {
        const struct hlo_instruction *operand;
        TRY(find_instruction(frame, in, reader->module.number.item[in->operands.first + i],
                             &operand));
        if (operand->leaves.count != 1)
            return STATUS_OK;
        TRY(hlo_shape(&reader->module, operand->leaves.first, reader->memory, &from));
        TRY(assembly_may_overwrite(&reader->assembly, find_value(frame, operand), &from, &to,
                                   &position));
    }
    return STATUS_OK;
}

/* A done gives what its start wrote from then on, and not before. */
static enum status finish(struct frame *frame, const struct hlo_instruction *in,
                          const struct values *operands, uint32_t op)
{
    struct reader *reader = frame->reader;
    struct assembly_value *value = find_value(frame, in);
    struct span element;
    TRY(find_of_first(frame, in, in->known->element, &element));
    TRY(copy(frame, in, (struct span){0, in->leaves.count}, operands, element.first));
    for (uint32_t k = 0; k < in->leaves.count; k++) {
        if (value[k].kind != ASSEMBLY_TENSOR ||
            !assembly_is_writable(&reader->assembly, value[k].tensor, op))
            continue;
        TRY(assembly_overwrite(&reader->assembly, value[k].tensor, op));
        value[k].source = op;
        reader->written[value[k].tensor].op = op;
    }
    return STATUS_OK;
}

/* What a start is given is an element of what it makes. */
static enum status add_plain(struct frame *frame, const struct hlo_instruction *in,
                             const struct values *operands)
{
    struct span element;
    uint32_t op;
    TRY(open_operator(frame, in, &op));
    TRY(read_all(frame, in, operands, op));
    if (in->known->rule == HLO_START) {
        TRY(find_element(frame, in, in, (uint64_t)in->known->element, &element));
        TRY(copy(frame, in, element, operands, 0));
    } else if (in->known->rule == HLO_DONE) {
        TRY(finish(frame, in, operands, op));
    }
    TRY(define_all(frame, in, op));
    TRY(add_overwritten(frame, in));
    return assembly_close(&frame->reader->assembly);
}

/* The tensors of values. */
static enum status list_tensors(struct reader *reader, const struct hlo_instruction *in,
                                struct values *values, struct assembly_list *tensors)
{
    TRY(make_label(reader, in, GRAPH_NONE));
    for (uint32_t i = 0; i < values->count; i++) {
        uint32_t tensor;
        check_intact(reader, &values->item[i]);
        TRY(assembly_tensor(&reader->assembly, &values->item[i], reader->label.bytes, &tensor));
        TRY(assembly_list_add(&reader->assembly, tensors, tensor));
    }
    return STATUS_OK;
}

static enum status add_instructions(struct frame *frame);

static enum status create_arrays(struct frame *frame)
{
    struct error *error = frame->reader->assembly.error;
    TRY(memory_create(&frame->value, frame->computation->leaves.count, sizeof *frame->value,
                      error));
    return memory_create(&frame->op, frame->computation->instructions.count, sizeof *frame->op,
                         error);
}

/* Opens a run of the computation that an instruction calls. */
static enum status open_frame(const struct frame *outer, const struct hlo_instruction *in,
                              uint32_t number, struct frame *frame)
{
    struct reader *reader = outer->reader;
    const struct hlo_module *module = &reader->module;
    uint32_t found = GRAPH_NONE;
    if (number < in->called.count)
        found = hlo_find(module, HLO_COMPUTATION, module->number.item[in->called.first + number]);
    if (found == GRAPH_NONE)
        return fail(outer, in, "computations of the module that it calls");
    *frame = (struct frame){
        .reader = reader, .computation = &module->computation[found], .is_inner = true};
    uint64_t work = (uint64_t)reader->work + frame->computation->leaves.count +
                    frame->computation->instructions.count;
    if (reader->depth >= HLO_MOST_DEPTH || work > MOST_WORK)
        return fail(outer, in, "fewer calls of computations, and less deep ones");
    reader->work = (uint32_t)work;
    return create_arrays(frame);
}

/* Runs the computation for these parameters, and collects the value of its root. */
static enum status run(struct frame *frame, const struct hlo_instruction *caller,
                       const struct values *given, struct values *result)
{
    struct reader *reader = frame->reader;
    const struct hlo_computation *computation = frame->computation;
    const struct hlo_instruction *root;
    uint32_t next = 0;
    for (uint32_t p = 0; p < computation->parameters.count; p++) {
        uint64_t at = reader->module.number.item[computation->parameters.first + p];
        const struct hlo_instruction *parameter = &reader->module.instruction[at];
        TRY(copy(frame, parameter, (struct span){0, parameter->leaves.count}, given, next));
        next += parameter->leaves.count;
    }
    if (next != given->count)
        return fail(frame, caller, "what the computation that it calls has parameters for");
    reader->depth++;
    enum status status = add_instructions(frame);
    reader->depth--;
    TRY(status);
    TRY(find_instruction(frame, caller, computation->root, &root));
    return collect_value(frame, caller, root, result);
}

/* Runs the computation in a region of the open operator, which the caller closes. */
static enum status run_region(const struct frame *outer, const struct hlo_instruction *in,
                              uint32_t number, const char *name, const struct values *given,
                              struct assembly_list *yields, size_t *before)
{
    SCOPED(free_frame) struct frame frame = {0};
    SCOPED(free_values) struct values result = {0};
    struct assembly *assembly = &outer->reader->assembly;
    TRY(assembly_enter(assembly, assembly->graph->building->open_operator, name, before));
    TRY(open_frame(outer, in, number, &frame));
    TRY(run(&frame, in, given, &result));
    return list_tensors(outer->reader, in, &result, yields);
}

static enum status add_call(struct frame *frame, const struct hlo_instruction *in,
                            const struct values *operands)
{
    SCOPED(free_frame) struct frame inner = {0};
    SCOPED(free_values) struct values result = {0};
    TRY(open_frame(frame, in, 0, &inner));
    TRY(run(&inner, in, operands, &result));
    return copy(frame, in, (struct span){0, in->leaves.count}, &result, 0);
}

/* What branches hand out is as large as what the operator does. */
static enum status check_yields(const struct frame *frame, const struct hlo_instruction *in,
                                uint32_t op, const struct assembly_list *yields)
{
    const struct graph *graph = frame->reader->assembly.graph;
    struct span outputs = graph->op[op].outputs;
    bool fits = yields->count == outputs.count;
    for (uint32_t i = 0; fits && i < yields->count; i++)
        fits = graph->tensor[yields->item[i]].bytes <=
               graph->tensor[graph->list[outputs.first + i]].bytes;
    return fits ? STATUS_OK : fail(frame, in, "branches with values of its own shape");
}

/* Operand 0 chooses the branch, each of the others is what one branch is given. */
static enum status add_conditional(struct frame *frame, const struct hlo_instruction *in,
                                   const struct values *operands)
{
    SCOPED(free_values) struct values chosen = {0};
    struct assembly *assembly = &frame->reader->assembly;
    uint32_t op;
    if (!in->called.count || in->operands.count != in->called.count + 1)
        return fail(frame, in, "branches, and an operand for each");
    TRY(collect(frame, in, 0, 1, &chosen));
    TRY(open_operator(frame, in, &op));
    TRY(read_all(frame, in, &chosen, op));
    for (uint32_t i = chosen.count; i < operands->count; i++)
        TRY(use(frame->reader, &operands->item[i], op));
    TRY(define_all(frame, in, op));
    TRY(assembly_head(assembly));
    for (uint32_t b = 0; b < in->called.count; b++) {
        SCOPED(free_values) struct values given = {0};
        SCOPED(assembly_list_free) struct assembly_list yields = {0};
        char name[24];
        size_t before;
        snprintf(name, sizeof name, "branch%u", b);
        TRY(collect(frame, in, b + 1, 1, &given));
        TRY(run_region(frame, in, b, name, &given, &yields, &before));
        TRY(check_yields(frame, in, op, &yields));
        TRY(assembly_leave(assembly, before, &yields));
    }
    graph_close_operator(assembly->graph);
    return STATUS_OK;
}

/* Each leaf of the operand is carried: its tensor becomes a place of the loop's own. */
static enum status add_carried(struct frame *frame, const struct hlo_instruction *in, uint32_t op,
                               struct values *carried)
{
    struct reader *reader = frame->reader;
    struct assembly *assembly = &reader->assembly;
    SCOPED(assembly_list_free) struct assembly_list inits = {0};
    for (uint32_t i = 0; i < carried->count; i++)
        TRY(use(reader, &carried->item[i], op));
    TRY(list_tensors(reader, in, carried, &inits));
    TRY(define_all(frame, in, op));
    TRY(assembly_head(assembly));
    const struct graph *graph = assembly->graph;
    assembly->graph->op[op].loop = true;
    for (uint32_t i = 0; i < carried->count; i++) {
        struct graph_carried values = {.init = inits.item[i],
                                       .result = find_value(frame, in)[i].tensor};
        const struct graph_tensor_spec spec = {.bytes = graph->tensor[values.init].bytes,
                                               .external = graph->tensor[values.result].external};
        TRY(make_label(reader, in, i));
        TRY(assembly_add_tensor(assembly, reader->label.bytes, spec, &values.argument));
        values.yield = values.argument;
        carried->item[i] = (struct assembly_value){
            .kind = ASSEMBLY_TENSOR, .tensor = values.argument, .bytes = spec.bytes};
        TRY(graph_operator_carried(assembly->graph, &values, assembly->error));
    }
    return STATUS_OK;
}

/* The computations are called body, condition. */
static enum status add_while(struct frame *frame, const struct hlo_instruction *in,
                             struct values *carried)
{
    SCOPED(assembly_list_free) struct assembly_list yields = {0};
    struct assembly *assembly = &frame->reader->assembly;
    size_t before;
    uint32_t op;
    if (carried->count != in->leaves.count)
        return fail(frame, in, "a value of the shape of its operand");
    TRY(open_operator(frame, in, &op));
    TRY(add_carried(frame, in, op, carried));
    TRY(run_region(frame, in, 1, "condition", carried, &yields, &before));
    TRY(assembly_leave(assembly, before, &yields));
    yields.count = 0;
    TRY(run_region(frame, in, 0, "body", carried, &yields, &before));
    struct span values = assembly->graph->op[op].carried;
    if (yields.count != values.count)
        return fail(frame, in, "a body with a value of its own shape");
    for (uint32_t i = 0; i < values.count; i++)
        assembly->graph->carried[values.first + i].yield = yields.item[i];
    yields.count = 0;
    TRY(assembly_leave(assembly, before, &yields));
    graph_close_operator(assembly->graph);
    return STATUS_OK;
}

static enum status add_constant(struct frame *frame, const struct hlo_instruction *in)
{
    for (uint32_t k = 0; k < in->leaves.count; k++) {
        struct assembly_shape shape;
        TRY(hlo_shape(&frame->reader->module, in->leaves.first + k, frame->reader->memory, &shape));
        find_value(frame, in)[k] = assembly_weight(&shape, 0);
    }
    return STATUS_OK;
}

static enum status add_instruction(struct frame *frame, const struct hlo_instruction *in)
{
    SCOPED(free_values) struct values operands = {0};
    enum hlo_rule rule = in->known->rule;
    struct span all = {0, in->leaves.count}, element;
    if (rule == HLO_PARAMETER)
        return STATUS_OK;
    if (all.count && find_value(frame, in)->kind != ASSEMBLY_UNKNOWN)
        return fail(frame, in, "each instruction once in the schedule");
    TRY(collect(frame, in, 0, in->operands.count, &operands));
    switch (rule) {
    case HLO_CONSTANT:
        return add_constant(frame, in);
    case HLO_TUPLE:
    case HLO_VIEW:
        return copy(frame, in, all, &operands, 0);
    case HLO_ELEMENT:
        TRY(find_of_first(frame, in, (int64_t)(in->index & INT64_MAX), &element));
        return copy(frame, in, all, &operands, element.first);
    case HLO_CALL:
        return add_call(frame, in, &operands);
    case HLO_WHILE:
        return add_while(frame, in, &operands);
    case HLO_CONDITIONAL:
        return add_conditional(frame, in, &operands);
    default:
        return add_plain(frame, in, &operands);
    }
}

static enum status add_instructions(struct frame *frame)
{
    const struct hlo_module *module = &frame->reader->module;
    const struct hlo_computation *computation = frame->computation;
    for (uint32_t i = 0; i < computation->sequence.count; i++) {
        const struct hlo_instruction *in;
        TRY(find_instruction(frame, NULL, module->number.item[computation->sequence.first + i],
                             &in));
        TRY(add_instruction(frame, in));
    }
    for (uint32_t i = 0; i < computation->instructions.count && !computation->is_scheduled; i++)
        TRY(add_instruction(frame, &module->instruction[computation->instructions.first + i]));
    return STATUS_OK;
}

/* The parameters of the entry are the inputs of the graph. */
static enum status add_inputs(struct frame *frame)
{
    struct reader *reader = frame->reader;
    SCOPED(assembly_list_free) struct assembly_list inputs = {0};
    for (uint32_t p = 0; p < frame->computation->parameters.count; p++) {
        uint64_t at = reader->module.number.item[frame->computation->parameters.first + p];
        const struct hlo_instruction *in = &reader->module.instruction[at];
        TRY(define_all(frame, in, GRAPH_NONE));
        for (uint32_t k = 0; k < in->leaves.count; k++)
            if (find_value(frame, in)[k].kind == ASSEMBLY_TENSOR)
                TRY(assembly_list_add(&reader->assembly, &inputs, find_value(frame, in)[k].tensor));
    }
    return graph_set_inputs(reader->assembly.graph, inputs.item, inputs.count,
                            reader->assembly.error);
}

/* Reads which outputs of the module are in the places of parameters, and notes it for the leaves
   that are these outputs in the graph. */
static enum status note_aliases(struct frame *frame, const struct hlo_instruction *root,
                                const struct values *outputs)
{
    struct reader *reader = frame->reader;
    struct hlo_module *module = &reader->module;
    struct wire aliases = module->aliases, entry;
    bool found;
    for (;;) {
        uint64_t parameter = 0;
        uint32_t from, to;
        TRY(wire_next_message(&aliases, ALIASES_ENTRY, &entry, &found));
        if (!found)
            return STATUS_OK;
        TRY(WIRE_READ(entry, {ENTRY_PARAMETER, &parameter, NULL}));
        if (parameter >= frame->computation->parameters.count)
            return fail(frame, root, "aliases of parameters that there are");
        const struct hlo_instruction *in =
            &module->instruction[module->number
                                     .item[frame->computation->parameters.first + parameter]];
        TRY(hlo_find_leaf(module, root->id, entry, ENTRY_OUTPUT, &to));
        TRY(hlo_find_leaf(module, in->id, entry, ENTRY_INDEX, &from));
        to -= root->leaves.first;
        if (to >= outputs->count || from - in->leaves.first >= in->leaves.count ||
            outputs->item[to].kind != ASSEMBLY_TENSOR ||
            outputs->item[to].tensor ==
                frame->value[from - frame->computation->leaves.first].tensor)
            continue;
        uint32_t *over = &reader->over[reader->written[outputs->item[to].tensor].leaf];
        reader->is_again |= *over == GRAPH_NONE;
        *over = from;
    }
}

static enum status build(struct reader *reader, const char *name, struct error *error)
{
    SCOPED(free_frame) struct frame frame = {.reader = reader};
    SCOPED(free_values) struct values outputs = {0};
    SCOPED(assembly_list_free) struct assembly_list tensors = {0};
    const struct hlo_instruction *root;
    bool is_first = reader->work == 0;
    assembly_clear(&reader->assembly);
    TRY(assembly_create(&reader->assembly, name, error));
    frame.computation = &reader->module.computation[reader->module.entry];
    reader->work += frame.computation->leaves.count + frame.computation->instructions.count;
    reader->is_again = false;
    TRY(create_arrays(&frame));
    TRY(add_inputs(&frame));
    TRY(add_instructions(&frame));
    TRY(find_instruction(&frame, NULL, frame.computation->root, &root));
    TRY(collect_value(&frame, root, root, &outputs));
    TRY(list_tensors(reader, root, &outputs, &tensors));
    if (is_first)
        TRY(note_aliases(&frame, root, &outputs));
    if (reader->is_again)
        return STATUS_OK;
    if (!reader->assembly.graph->operators)
        return fail(&frame, root, "instructions that compute something");
    enum status status =
        graph_finish(reader->assembly.graph, tensors.item, tensors.count, NULL, error);
    if (status == STATUS_BAD_INPUT)
        error_name_file(error, reader->module.wire.file);
    return status;
}

enum status hlo_read_graph(const struct text *text, const char *file, uint64_t memory,
                           struct graph **graph, struct error *error)
{
    SCOPED(free_reader) struct reader reader = {.memory = memory};
    SCOPED(memory_release) char *name = file_name_stem(file);
    struct wire module, assignment;
    if (!name)
        return error_no_memory(error);
    reader.assembly.error = error;
    TRY(hlo_open(text, file, &module, &assignment, error));
    TRY(hlo_module_read(module, assignment, &reader.module));
    TRY(memory_create(&reader.over, reader.module.leaves, sizeof *reader.over, error));
    TRY(memory_create(&reader.is_apart, reader.module.leaves, sizeof(bool), error));
    for (uint32_t i = 0; i < reader.module.leaves; i++)
        reader.over[i] = GRAPH_NONE;
    do
        TRY(build(&reader, name, error));
    while (reader.is_again);
    *graph = reader.assembly.graph;
    reader.assembly.graph = NULL;
    return STATUS_OK;
}
