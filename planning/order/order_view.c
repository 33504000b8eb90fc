#include "planning/order/order_view.h"

#include <stdio.h>

#include "core/checked.h"
#include "core/memory.h"
#include "planning/order/order_view_builder.h"

static enum status add_tensor(struct order_view_builder *builder, uint32_t graph_tensor,
                              uint64_t bytes)
{
    struct order_view *view = builder->view;
    TRY(memory_reserve(&view->graph_tensor, &builder->tensor_capacity, (size_t)view->tensors + 1,
                       sizeof *view->graph_tensor, builder->error));
    TRY(memory_reserve(&view->bytes, &builder->bytes_capacity, (size_t)view->tensors + 1,
                       sizeof *view->bytes, builder->error));
    assert(view->tensors < ORDER_NONE);
    assert(graph_tensor == GRAPH_NONE || builder->tensor_of[graph_tensor] == ORDER_NONE);
    view->graph_tensor[view->tensors] = graph_tensor;
    view->bytes[view->tensors] = bytes;
    if (graph_tensor != GRAPH_NONE)
        builder->tensor_of[graph_tensor] = view->tensors;
    view->tensors++;
    return STATUS_OK;
}

/* What the branches of operator o yield at a position and did not make. */
static enum status pass_through(struct order_view_builder *builder, uint32_t o, uint32_t position)
{
    const struct graph *graph = builder->scope->graph;
    SCOPED(order_lists_free) struct order_lists sources = {0};
    assert(!graph->op[o].loop);
    for (uint32_t r = graph->op[o].first_region; r != GRAPH_NONE; r = graph->region[r].next)
        TRY(order_owners_sources(graph, r, position, &sources, builder->error));
    for (uint32_t i = 0; sources.row_capacity && i < sources.start[1]; i++) {
        uint32_t tensor = builder->tensor_of[sources.item[i]];
        if (tensor != ORDER_NONE)
            TRY(order_lists_add(&builder->through, tensor, builder->error));
    }
    return STATUS_OK;
}

/* Adds the output, with a row of the tensors that are needed as long as it is. The block of its
   operator comes right after the outputs. */
static enum status add_output(struct order_view_builder *builder, uint32_t o, uint32_t position,
                              bool has_block, uint64_t *sum)
{
    const struct graph *graph = builder->scope->graph;
    const struct inplace_possibles *possibles = builder->scope->possibles;
    struct order_view *view = builder->view;
    struct error *error = builder->error;
    struct span outputs = graph->op[o].outputs;
    assert(position < outputs.count);
    uint32_t output = graph->list[outputs.first + position], viewed = ORDER_NONE;
    uint64_t bytes;
    for (uint32_t i = possibles ? possibles->first[o] : 0; possibles && i < possibles->first[o + 1];
         i++)
        if (possibles->pair[i].output == output && possibles->pair[i].is_view) {
            viewed = builder->tensor_of[possibles->pair[i].input];
            break;
        }
    TRY(order_owners_result(builder->scope, o, position, &bytes, error));
    if (viewed != ORDER_NONE) {
        TRY(order_lists_add(&builder->through, viewed, error));
        bytes = 0;
    }
    if (builder->scope->owners == ORDER_OWNERS_IN_LINE && !graph->op[o].loop)
        TRY(pass_through(builder, o, position));
    if (has_block)
        TRY(order_lists_add(&builder->through, view->tensors + outputs.count - position, error));
    assert(builder->through.rows == view->tensors);
    TRY(order_lists_close_row(&builder->through, error));
    TRY(order_lists_add(&view->outputs, view->tensors, error));
    TRY(add_tensor(builder, output, bytes));
    if (checked_add(*sum, bytes, sum))
        return STATUS_OK;
    return error_set(error, STATUS_BAD_INPUT,
                     "the outputs of '%s' add up to more than 2^64 - 1 bytes",
                     graph_label(graph, graph->op[o].name));
}

static enum status add_outputs(struct order_view_builder *builder, uint32_t v)
{
    const struct order_scope *scope = builder->scope;
    struct order_view *view = builder->view;
    uint32_t o = view->graph_operator[v], count = scope->graph->op[o].outputs.count;
    struct order_scratch scratch = {0};
    bool owner = scope->graph->op[o].first_region != GRAPH_NONE;
    bool block = owner && scope->owners == ORDER_OWNERS_BLOCK && !scope->graph->op[o].loop;
    uint64_t sum = 0;
    for (uint32_t i = 0; i < count; i++)
        TRY(add_output(builder, o, i, block, &sum));
    if (owner)
        TRY(order_owners_scratch(scope, o, sum, &scratch, builder->error));
    if (block) {
        TRY(order_lists_add(&view->outputs, view->tensors, builder->error));
        TRY(order_lists_close_row(&builder->through, builder->error));
        TRY(add_tensor(builder, GRAPH_NONE, scratch.block_bytes));
    }
    assert(view->outputs.rows == v);
    TRY(order_lists_close_row(&view->outputs, builder->error));
    if (checked_add(sum, scratch.running_bytes + scratch.block_bytes, &view->alloc_bytes[v]))
        return STATUS_OK;
    return error_set(builder->error, STATUS_BAD_INPUT, "'%s' takes more than 2^64 - 1 bytes",
                     graph_label(scope->graph, scope->graph->op[o].name));
}

static enum status number_tensors(struct order_view_builder *builder)
{
    const struct graph *graph = builder->scope->graph;
    struct order_view *view = builder->view;
    TRY(memory_create(&view->alloc_bytes, view->operators, sizeof(uint64_t), builder->error));
    for (uint32_t i = 0; builder->scope->region == 0 && i < graph->inputs.count; i++) {
        uint32_t tensor = graph->list[graph->inputs.first + i];
        if (builder->tensor_of[tensor] != ORDER_NONE)
            continue;
        TRY(add_tensor(builder, tensor,
                       graph->tensor[tensor].external ? 0 : graph->tensor[tensor].bytes));
        TRY(order_lists_close_row(&builder->through, builder->error));
    }
    for (uint32_t v = 0; v < view->operators; v++)
        TRY(add_outputs(builder, v));
    assert(builder->through.rows == view->tensors && view->outputs.rows == view->operators);
    TRY(memory_create_all(view->tensors, builder->error, &view->producer, &view->kept,
                          &builder->mark));
    for (uint32_t t = 0; t < view->tensors; t++)
        view->producer[t] = builder->mark[t] = ORDER_NONE;
    for (uint32_t v = 0; v < view->operators; v++)
        for (uint32_t i = view->outputs.start[v]; i < view->outputs.start[v + 1]; i++)
            view->producer[view->outputs.item[i]] = v;
    return STATUS_OK;
}

/* Adds a tensor of the graph to the open row of lists, if it is of the view and not there yet. */
static enum status add_use(struct order_view_builder *builder, struct order_lists *lists,
                           uint32_t graph_tensor)
{
    uint32_t tensor = builder->tensor_of[graph_tensor];
    if (tensor == ORDER_NONE || builder->mark[tensor] == lists->rows)
        return STATUS_OK;
    if (builder->view->producer[tensor] == lists->rows && lists == &builder->view->inputs)
        return STATUS_OK;
    builder->mark[tensor] = lists->rows;
    return order_lists_add(lists, tensor, builder->error);
}

static enum status add_uses(struct order_view_builder *builder, struct order_lists *lists,
                            struct span uses)
{
    for (uint32_t i = 0; i < uses.count; i++)
        TRY(add_use(builder, lists, builder->scope->graph->list[uses.first + i]));
    return STATUS_OK;
}

/* Adds to the open row what is needed as long as the row's tensors are, and closes it. */
static enum status close_uses(struct order_view_builder *builder, struct order_lists *lists)
{
    const struct order_lists *through = &builder->through;
    for (uint32_t i = lists->row_capacity ? lists->start[lists->rows] : 0;
         lists->row_capacity && i < lists->start[lists->rows + 1]; i++) {
        uint32_t tensor = lists->item[i];
        assert(tensor < builder->view->tensors);
        for (uint32_t j = through->start[tensor]; j < through->start[tensor + 1]; j++) {
            uint32_t other = through->item[j];
            assert(other < builder->view->tensors);
            if (builder->mark[other] == lists->rows)
                continue;
            builder->mark[other] = lists->rows;
            TRY(order_lists_add(lists, other, builder->error));
        }
    }
    return order_lists_close_row(lists, builder->error);
}

static enum status add_inputs(struct order_view_builder *builder, uint32_t o)
{
    const struct graph *graph = builder->scope->graph;
    struct order_lists *inputs = &builder->view->inputs;
    bool least = builder->scope->owners == ORDER_OWNERS_LEAST;
    assert(inputs->rows < builder->view->operators);
    for (uint32_t inner = o; inner < graph->op[o].end; inner++) {
        const struct graph_operator *op = &graph->op[inner];
        TRY(add_uses(builder, inputs, op->inputs));
        if (least)
            continue;
        for (uint32_t i = 0; i < op->carried.count; i++) {
            TRY(add_use(builder, inputs, graph->carried[op->carried.first + i].init));
            TRY(add_use(builder, inputs, graph->carried[op->carried.first + i].yield));
        }
        for (uint32_t r = op->first_region; r != GRAPH_NONE; r = graph->region[r].next)
            TRY(add_uses(builder, inputs, graph->region[r].yields));
    }
    return close_uses(builder, inputs);
}

/* What is needed when the region is left is kept. Under ORDER_OWNERS_PLACES what a branch yields is
   in the place of the operator's result. */
static enum status keep_yields(struct order_view_builder *builder)
{
    SCOPED(order_lists_free) struct order_lists kept = {0};
    const struct graph *graph = builder->scope->graph;
    const struct graph_region *region = &graph->region[builder->scope->region];
    bool is_inner = region->owner != GRAPH_NONE;
    struct span carried = is_inner ? graph->op[region->owner].carried : (struct span){0, 0};
    struct order_view *view = builder->view;
    for (uint32_t t = 0; t < view->tensors; t++)
        builder->mark[t] = ORDER_NONE;
    if (builder->scope->owners == ORDER_OWNERS_LEAST && is_inner)
        return STATUS_OK;
    TRY(add_uses(builder, &kept, region->yields));
    for (uint32_t i = 0; i < carried.count; i++)
        TRY(add_use(builder, &kept, graph->carried[carried.first + i].yield));
    TRY(close_uses(builder, &kept));
    bool in_places =
        builder->scope->owners == ORDER_OWNERS_PLACES && is_inner && !graph->op[region->owner].loop;
    for (uint32_t i = 0; i < kept.start[1]; i++) {
        uint32_t tensor = kept.item[i], producer = view->producer[tensor];
        assert(producer == ORDER_NONE || producer < view->operators);
        assert(!view->kept[tensor]);
        view->kept[tensor] = true;
        if (in_places && producer != ORDER_NONE) {
            assert(view->alloc_bytes[producer] >= view->bytes[tensor]);
            view->alloc_bytes[producer] -= view->bytes[tensor];
            view->bytes[tensor] = 0;
        }
    }
    return STATUS_OK;
}

static enum status add_writer(struct order_view_builder *builder, uint32_t graph_tensor)
{
    uint32_t tensor = builder->tensor_of[graph_tensor];
    uint32_t first = tensor == ORDER_NONE ? ORDER_NONE : builder->view->producer[tensor];
    assert(first == ORDER_NONE || first <= builder->view->before.rows);
    if (first == ORDER_NONE || first == builder->view->before.rows)
        return STATUS_OK;
    return order_lists_add_once(&builder->view->before, first, builder->error);
}

static enum status add_writers(struct order_view_builder *builder, struct span tensors)
{
    for (uint32_t i = 0; i < tensors.count; i++)
        TRY(add_writer(builder, builder->scope->graph->list[tensors.first + i]));
    return STATUS_OK;
}

/* Lists what each operator has to come after besides those whose outputs it reads. A tensor whose
   value is not read has to be there all the same, and so has one whose bytes do not count though it
   is yielded or carried. An operator that writes nothing has its effect outside the graph. */
static enum status add_control(struct order_view_builder *builder)
{
    const struct graph *graph = builder->scope->graph;
    struct order_lists *before = &builder->view->before;
    uint32_t effect = ORDER_NONE;
    for (uint32_t v = 0; v < builder->view->operators; v++) {
        uint32_t o = builder->view->graph_operator[v];
        assert(builder->op_of[o] == v);
        struct span after = graph->op[o].after;
        bool effects = false;
        for (uint32_t i = 0; i < after.count; i++)
            TRY(order_lists_add_once(before, builder->op_of[graph->list[after.first + i]],
                                     builder->error));
        for (uint32_t inner = o; inner < graph->op[o].end; inner++) {
            const struct graph_operator *op = &graph->op[inner];
            effects |= !op->outputs.count && op->first_region == GRAPH_NONE;
            TRY(add_writers(builder, op->ignored));
            if (builder->scope->owners != ORDER_OWNERS_LEAST)
                continue;
            for (uint32_t i = 0; i < op->carried.count; i++) {
                TRY(add_writer(builder, graph->carried[op->carried.first + i].init));
                TRY(add_writer(builder, graph->carried[op->carried.first + i].yield));
            }
            for (uint32_t r = op->first_region; r != GRAPH_NONE; r = graph->region[r].next)
                TRY(add_writers(builder, graph->region[r].yields));
        }
        if (effects && effect != ORDER_NONE)
            TRY(order_lists_add_once(before, effect, builder->error));
        effect = effects ? v : effect;
        assert(before->rows == v);
        TRY(order_lists_close_row(before, builder->error));
    }
    return STATUS_OK;
}

static enum status add_predecessor(struct order_view_builder *builder, uint32_t *seen, uint32_t v,
                                   uint32_t first)
{
    if (first == ORDER_NONE || seen[first] == v)
        return STATUS_OK;
    assert(first < v);
    seen[first] = v;
    return order_lists_add(&builder->view->predecessors, first, builder->error);
}

static enum status link_operators(struct order_view_builder *builder)
{
    SCOPED(memory_release) uint32_t *seen = NULL;
    struct order_view *view = builder->view;
    TRY(memory_create(&seen, view->operators, sizeof *seen, builder->error));
    for (uint32_t v = 0; v < view->operators; v++)
        seen[v] = ORDER_NONE;
    for (uint32_t v = 0; v < view->operators; v++) {
        for (uint32_t i = view->inputs.start[v]; i < view->inputs.start[v + 1]; i++)
            TRY(add_predecessor(builder, seen, v, view->producer[view->inputs.item[i]]));
        for (uint32_t i = view->before.start[v]; i < view->before.start[v + 1]; i++)
            TRY(add_predecessor(builder, seen, v, view->before.item[i]));
        assert(view->predecessors.rows == v);
        TRY(order_lists_close_row(&view->predecessors, builder->error));
    }
    TRY(order_lists_turn(&view->predecessors, view->operators, &view->successors, builder->error));
    return order_lists_turn(&view->inputs, view->tensors, &view->readers, builder->error);
}

static enum status fill_view(struct order_view_builder *builder)
{
    const struct graph *graph = builder->scope->graph;
    const struct graph_region *region = &graph->region[builder->scope->region];
    struct order_view *view = builder->view;
    for (uint32_t o = region->begin; o < region->end; o = graph->op[o].end)
        view->operators++;
    TRY(memory_create(&view->graph_operator, view->operators, sizeof(uint32_t), builder->error));
    uint32_t number = 0;
    for (uint32_t o = region->begin; o < region->end; o = graph->op[o].end) {
        for (uint32_t inner = o; inner < graph->op[o].end; inner++)
            builder->op_of[inner] = number;
        view->graph_operator[number++] = o;
    }
    assert(number == view->operators);
    TRY(number_tensors(builder));
    for (uint32_t v = 0; v < view->operators; v++)
        TRY(add_inputs(builder, view->graph_operator[v]));
    TRY(keep_yields(builder));
    TRY(add_control(builder));
    TRY(link_operators(builder));
    TRY(order_view_list_spared(builder));

    /* Where lifetimes are those of paths, an input that nobody reads has none. It may share its
       place with what is written over it. */
    const struct inplace_possibles *possibles = builder->scope->possibles;
    bool counts = !builder->scope->region && builder->scope->owners < ORDER_OWNERS_PLACES;
    for (uint32_t t = 0; t < view->tensors; t++)
        builder->mark[t] =
            counts && view->producer[t] == ORDER_NONE && !order_view_is_needed(view, t);
    for (uint32_t i = 0; possibles && i < possibles->count; i++)
        if (builder->tensor_of[possibles->pair[i].input] != ORDER_NONE)
            builder->mark[builder->tensor_of[possibles->pair[i].input]] = 0;
    for (uint32_t t = 0; t < view->tensors; t++)
        view->first_bytes += builder->mark[t] ? view->bytes[t] : 0;

    /* After this no sum of bytes that an order makes overflows. */
    uint64_t sum = 0, most = 0;
    bool fits = true;
    for (uint32_t t = 0; t < view->tensors; t++)
        fits = fits && checked_add(sum, view->bytes[t], &sum);
    for (uint32_t v = 0; v < view->operators; v++)
        most = view->alloc_bytes[v] > most ? view->alloc_bytes[v] : most;
    if (fits && checked_add(sum, most, &sum))
        return STATUS_OK;
    return error_set(builder->error, STATUS_BAD_INPUT,
                     "the tensors of a region add up to more than 2^64 - 1 bytes");
}

static void free_builder(struct order_view_builder *builder)
{
    memory_free_all(builder->op_of, builder->tensor_of, builder->mark);
    order_lists_free(&builder->through);
    order_view_free(builder->view);
}

enum status order_view_create(const struct order_scope *scope, struct order_view **created,
                              struct error *error)
{
    const struct graph *graph = scope->graph;
    SCOPED(free_builder) struct order_view_builder builder = {.scope = scope, .error = error};
    TRY(memory_create(&builder.view, 1, sizeof *builder.view, error));
    builder.view->graph = graph;
    TRY(memory_create(&builder.op_of, graph->operators, sizeof(uint32_t), error));
    TRY(memory_create(&builder.tensor_of, graph->tensors, sizeof(uint32_t), error));
    for (uint32_t t = 0; t < graph->tensors; t++)
        builder.tensor_of[t] = ORDER_NONE;
    TRY(fill_view(&builder));
    HAND_OVER(builder.view, created);
}

void order_view_free(struct order_view *view)
{
    if (!view)
        return;
    struct order_lists *lists[] = {&view->inputs,       &view->outputs,    &view->before,
                                   &view->predecessors, &view->successors, &view->readers};
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        order_lists_free(lists[i]);
    memory_free_all(view->bytes, view->producer, view->kept, view->alloc_bytes, view->first_spared,
                    view->spared, view->graph_operator, view->graph_tensor, view);
}

const char *order_view_name(const struct order_view *view, uint32_t op, char *name, size_t bytes)
{
    assert(op < view->operators);
    if (view->graph)
        return graph_label(view->graph, view->graph->op[view->graph_operator[op]].name);
    snprintf(name, bytes, "%u", op);
    return name;
}
