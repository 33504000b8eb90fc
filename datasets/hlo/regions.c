/* Instructions that call computations: inlined, or run in a region of an operator. */

#include <stdio.h>

#include "core/memory.h"
#include "datasets/hlo/reader.h"

enum { MOST_WORK = 1 << 22 };

/* Opens a run of the computation that an instruction calls. */
static enum status open_frame(const struct hlo_frame *outer, const struct hlo_instruction *in,
                              uint32_t number, struct hlo_frame *frame)
{
    struct hlo_reader *reader = outer->reader;
    const struct hlo_module *module = &reader->module;
    uint32_t found = GRAPH_NONE;
    if (number < in->called.count)
        found = hlo_find(module, HLO_COMPUTATION, module->number.item[in->called.first + number]);
    if (found == GRAPH_NONE)
        return hlo_fail(outer, in, "computations of the module that it calls");
    *frame = (struct hlo_frame){
        .reader = reader, .computation = &module->computation.item[found], .is_inner = true};
    TRY(hlo_frame_create(frame));
    return reader->depth < HLO_MOST_DEPTH && reader->work <= MOST_WORK
               ? STATUS_OK
               : hlo_fail(outer, in, "fewer calls of computations, and less deep ones");
}

/* Runs the computation for these parameters, and collects the value of its root. */
static enum status run(struct hlo_frame *frame, const struct hlo_instruction *caller,
                       const struct hlo_values *given, struct hlo_values *result)
{
    struct hlo_reader *reader = frame->reader;
    const struct hlo_computation *computation = frame->computation;
    uint32_t next = 0;
    for (uint32_t p = 0; p < computation->parameters.count; p++) {
        const struct hlo_instruction *parameter = hlo_parameter(&reader->module, computation, p);
        TRY(hlo_copy(frame, parameter, (struct span){0, parameter->leaves.count}, given, next));
        next += parameter->leaves.count;
    }
    if (next != given->count)
        return hlo_fail(frame, caller, "what the computation that it calls has parameters for");
    reader->depth++;
    enum status status = hlo_add_instructions(frame);
    reader->depth--;
    TRY(status);
    return hlo_collect_value(frame, caller, computation->root, result);
}

/* Runs the computation in a region of the open operator, which the caller closes. */
static enum status run_region(const struct hlo_frame *outer, const struct hlo_instruction *in,
                              uint32_t number, const char *name, const struct hlo_values *given,
                              struct assembly_list *yields, size_t *before)
{
    SCOPED(hlo_frame_free) struct hlo_frame frame = {0};
    SCOPED(hlo_values_free) struct hlo_values result = {0};
    struct assembly *assembly = &outer->reader->assembly;
    TRY(assembly_enter(assembly, assembly->graph->building->open_operator, name, before));
    TRY(open_frame(outer, in, number, &frame));
    TRY(run(&frame, in, given, &result));
    return hlo_list_tensors(outer->reader, in, &result, yields);
}

enum status hlo_add_call(struct hlo_frame *frame, const struct hlo_instruction *in,
                         const struct hlo_values *operands)
{
    SCOPED(hlo_frame_free) struct hlo_frame inner = {0};
    SCOPED(hlo_values_free) struct hlo_values result = {0};
    TRY(open_frame(frame, in, 0, &inner));
    TRY(run(&inner, in, operands, &result));
    return hlo_copy(frame, in, (struct span){0, in->leaves.count}, &result, 0);
}

/* Operand 0 chooses the branch, each of the others is what one branch is given. */
enum status hlo_add_conditional(struct hlo_frame *frame, const struct hlo_instruction *in,
                                const struct hlo_values *operands)
{
    SCOPED(hlo_values_free) struct hlo_values chosen = {0};
    struct assembly *assembly = &frame->reader->assembly;
    uint32_t op;
    if (!in->called.count || in->operands.count != in->called.count + 1)
        return hlo_fail(frame, in, "branches, and an operand for each");
    TRY(hlo_collect(frame, in, 0, 1, &chosen));
    TRY(hlo_open_operator(frame, in, &chosen, &op));
    for (uint32_t i = chosen.count; i < operands->count; i++)
        TRY(hlo_use(frame->reader, &operands->item[i], op));
    TRY(hlo_define(frame, in, op));
    TRY(assembly_head(assembly));
    for (uint32_t b = 0; b < in->called.count; b++) {
        SCOPED(hlo_values_free) struct hlo_values given = {0};
        SCOPED(assembly_list_free) struct assembly_list yields = {0};
        char name[24];
        size_t before;
        snprintf(name, sizeof name, "branch%u", b);
        TRY(hlo_collect(frame, in, b + 1, 1, &given));
        TRY(run_region(frame, in, b, name, &given, &yields, &before));
        TRY(assembly_leave_branch(assembly, op, before, &yields));
    }
    graph_close_operator(assembly->graph);
    return STATUS_OK;
}

/* Each leaf of the operand is carried: its tensor becomes a place of the loop's own. */
static enum status add_carried(struct hlo_frame *frame, const struct hlo_instruction *in,
                               uint32_t op, struct hlo_values *carried)
{
    struct hlo_reader *reader = frame->reader;
    struct assembly *assembly = &reader->assembly;
    SCOPED(assembly_list_free) struct assembly_list inits = {0};
    for (uint32_t i = 0; i < carried->count; i++)
        TRY(hlo_use(reader, &carried->item[i], op));
    TRY(hlo_list_tensors(reader, in, carried, &inits));
    TRY(hlo_define(frame, in, op));
    TRY(assembly_head(assembly));
    const struct graph *graph = assembly->graph;
    assembly->graph->op[op].loop = true;
    for (uint32_t i = 0; i < carried->count; i++) {
        struct graph_carried values = {.init = inits.item[i],
                                       .result = hlo_value(frame, in)[i].tensor};
        const struct graph_tensor_spec spec = {.bytes = graph->tensor[values.init].bytes,
                                               .external = graph->tensor[values.result].external};
        TRY(hlo_make_label(reader, in, i));
        TRY(assembly_add_tensor(assembly, reader->label.bytes, spec, &values.argument));
        values.yield = values.argument;
        carried->item[i] = (struct assembly_value){
            .kind = ASSEMBLY_TENSOR, .tensor = values.argument, .bytes = spec.bytes};
        TRY(graph_operator_carried(assembly->graph, &values, assembly->error));
    }
    return STATUS_OK;
}

/* The computations are called body, condition. */
enum status hlo_add_while(struct hlo_frame *frame, const struct hlo_instruction *in,
                          struct hlo_values *carried)
{
    SCOPED(assembly_list_free) struct assembly_list yields = {0};
    struct assembly *assembly = &frame->reader->assembly;
    size_t before;
    uint32_t op;
    if (carried->count != in->leaves.count)
        return hlo_fail(frame, in, "a value of the shape of its operand");
    TRY(hlo_open_operator(frame, in, &(struct hlo_values){.count = 0}, &op));
    TRY(add_carried(frame, in, op, carried));
    TRY(run_region(frame, in, 1, "condition", carried, &yields, &before));
    TRY(assembly_leave(assembly, before, &yields));
    yields.count = 0;
    TRY(run_region(frame, in, 0, "body", carried, &yields, &before));
    if (yields.count > in->leaves.count)
        return hlo_fail(frame, in, "a body with a value of its own shape");
    TRY(assembly_leave_body(assembly, op, before, &yields));
    graph_close_operator(assembly->graph);
    return STATUS_OK;
}
