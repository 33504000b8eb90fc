/* Which bytes an operator saves as inputs die with it. */

#include <assert.h>

#include "core/memory.h"
#include "planning/order/order_view.h"
#include "planning/order/order_view_builder.h"

/* The tensor in whose place this one is, by views alone. */
static uint32_t find_place(const struct order_view_builder *builder, uint32_t tensor)
{
    const struct order_lists *through = &builder->through;
    assert(tensor < builder->view->tensors);
    while (order_lists_count(through, tensor))
        tensor = *order_lists_begin(through, tensor);
    return tensor;
}

static enum status add_spared(struct order_view_builder *builder, const struct order_spared *spared)
{
    struct order_view *view = builder->view;
    TRY(memory_reserve(&view->spared, &builder->spared_capacity, (size_t)builder->spared + 1,
                       sizeof *view->spared, builder->error));
    assert(spared->input < view->tensors && spared->group < view->tensors && spared->bytes > 0);
    view->spared[builder->spared++] = *spared;
    return STATUS_OK;
}

/* How many inputs of a plain operator are in the place of the tensor. */
static uint32_t count_reads(const struct order_view_builder *builder, uint32_t o, uint32_t tensor)
{
    const struct graph *graph = builder->scope->graph;
    struct span inputs = graph->op[o].inputs;
    uint32_t reads = 0;
    for (uint32_t i = 0; i < inputs.count; i++) {
        uint32_t input = builder->tensor_of[graph->list[inputs.first + i]];
        reads += input != ORDER_NONE && find_place(builder, input) == tensor;
    }
    return reads;
}

/* Outputs are written over what is read for the last time, and read once. */
static enum status spare_outputs(struct order_view_builder *builder, uint32_t o)
{
    const struct inplace_possibles *possibles = builder->scope->possibles;
    const struct order_view *view = builder->view;
    for (uint32_t i = possibles ? possibles->first[o] : 0; possibles && i < possibles->first[o + 1];
         i++) {
        uint32_t output = builder->tensor_of[possibles->pair[i].output];
        assert(output < view->tensors && view->producer[output] != ORDER_NONE);
        uint32_t input = builder->tensor_of[possibles->pair[i].input];
        if (input == ORDER_NONE || !view->bytes[output])
            continue;
        input = find_place(builder, input);
        if (count_reads(builder, o, input) == 1)
            TRY(add_spared(builder, &(struct order_spared){input, output, view->bytes[output]}));
    }
    return STATUS_OK;
}

/* An input of an operator with regions may be gone before that takes most; but what a loop reads in
   its regions is there until it is left. */
static enum status spare_inputs(struct order_view_builder *builder, uint32_t v)
{
    const struct order_view *view = builder->view;
    const struct graph *graph = builder->scope->graph;
    uint32_t o = view->graph_operator[v];
    for (uint32_t i = view->inputs.start[v]; i < view->inputs.start[v + 1]; i++) {
        uint32_t input = view->inputs.item[i], inner = o + 1;
        assert(view->producer[input] == ORDER_NONE || view->producer[input] < v);
        while (graph->op[o].loop && inner < graph->op[o].end && !count_reads(builder, inner, input))
            inner++;
        if (view->bytes[input] && (!graph->op[o].loop || inner == graph->op[o].end))
            TRY(add_spared(builder, &(struct order_spared){input, input, view->bytes[input]}));
    }
    return STATUS_OK;
}

enum status order_view_list_spared(struct order_view_builder *builder)
{
    struct order_view *view = builder->view;
    TRY(memory_create(&view->first_spared, (size_t)view->operators + 1, sizeof(uint32_t),
                      builder->error));
    for (uint32_t v = 0; v < view->operators; v++) {
        uint32_t o = view->graph_operator[v];
        if (builder->scope->graph->op[o].first_region == GRAPH_NONE)
            TRY(spare_outputs(builder, o));
        else if (builder->scope->owners == ORDER_OWNERS_LEAST)
            TRY(spare_inputs(builder, v));
        view->first_spared[v + 1] = builder->spared;
        assert(view->first_spared[v] <= builder->spared);
    }
    return STATUS_OK;
}
