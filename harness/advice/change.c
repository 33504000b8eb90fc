#include "harness/advice/change.h"

#include <assert.h>
#include <string.h>

#include "core/memory.h"
#include "planning/graph/build.h"
#include "planning/graph/copy.h"
#include "planning/graph/dtype.h"

/* How a graph is copied with a change. */
struct changing {
    const struct change *change;
    uint32_t writer, reader;    /* operators of a split */
    uint32_t result;            /* what the reader writes */
    uint32_t half, result_half; /* tensors of the copy: the second halves */
};

static bool is_listed(const struct graph *graph, struct span span, uint32_t tensor)
{
    return graph_position(graph, span, tensor) < span.count;
}

/* The tensor is written by a plain operator, in the arena, and handed on by nobody. */
static bool is_internal(const struct graph *graph, uint32_t tensor)
{
    uint32_t producer = graph->tensor[tensor].producer;
    if (producer == GRAPH_NONE || graph->tensor[tensor].external ||
        graph->op[producer].first_region != GRAPH_NONE || is_listed(graph, graph->inputs, tensor))
        return false;
    for (uint32_t r = 0; r < graph->regions; r++)
        if (is_listed(graph, graph->region[r].yields, tensor))
            return false;
    for (uint32_t c = 0; c < graph->carried_count; c++)
        if (graph->carried[c].init == tensor || graph->carried[c].yield == tensor)
            return false;
    return true;
}

/* The only operator that reads the tensor, once; GRAPH_NONE where there are others. */
static uint32_t find_reader(const struct graph *graph, uint32_t tensor)
{
    uint32_t reader = GRAPH_NONE;
    for (uint32_t o = 0; o < graph->operators; o++)
        for (uint32_t i = 0; i < graph->op[o].inputs.count; i++) {
            if (graph->list[graph->op[o].inputs.first + i] != tensor)
                continue;
            if (reader != GRAPH_NONE)
                return GRAPH_NONE;
            reader = o;
        }
    return reader;
}

/* The reader may write its only output over the tensor, so it needs an element of it for one
   element of the output alone. */
static bool is_pointwise(const struct graph *graph, uint32_t op, uint32_t tensor)
{
    struct span pairs = graph->op[op].inplace;
    uint32_t position = graph_position(graph, graph->op[op].inputs, tensor);
    for (uint32_t i = 0; i < pairs.count; i += 2)
        if (graph->list[pairs.first + i] == position)
            return true;
    return false;
}

static bool is_plain(const struct graph *graph, uint32_t op)
{
    const struct graph_operator *row = &graph->op[op];
    return row->first_region == GRAPH_NONE && row->outputs.count == 1 && !row->after.count &&
           !row->ignored.count;
}

/* The first dimension that has two halves. */
static uint32_t find_dimension(const struct graph_tensor *tensor)
{
    uint32_t d = 0;
    while (d < tensor->rank && tensor->dimension[d] < 2)
        d++;
    return d;
}

static bool may_split(const struct graph *graph, uint32_t tensor)
{
    uint32_t writer = graph->tensor[tensor].producer, reader = find_reader(graph, tensor);
    if (reader == GRAPH_NONE || !is_plain(graph, writer) || !is_plain(graph, reader) ||
        graph->op[reader].region != graph->op[writer].region ||
        graph->op[reader].stream != graph->op[writer].stream ||
        !is_pointwise(graph, reader, tensor))
        return false;
    uint32_t result = graph->list[graph->op[reader].outputs.first];
    const struct graph_tensor *from = &graph->tensor[tensor], *to = &graph->tensor[result];
    for (uint32_t o = 0; o < graph->operators; o++)
        for (uint32_t i = 0; i < graph->op[o].after.count; i++) {
            uint32_t earlier = graph->list[graph->op[o].after.first + i];
            if (earlier == writer || earlier == reader)
                return false;
        }
    return is_internal(graph, result) && from->has_shape && to->has_shape &&
           from->rank == to->rank && find_dimension(from) < from->rank &&
           memcmp(from->dimension, to->dimension, from->rank * sizeof *from->dimension) == 0 &&
           graph_dtype_bits(from->dtype) >= 8 && graph_dtype_bits(to->dtype) >= 8;
}

bool change_is_possible(const struct graph *graph, const struct change *change)
{
    const struct graph_tensor *tensor = &graph->tensor[change->tensor];
    if (!is_internal(graph, change->tensor))
        return false;
    if (change->is_split)
        return may_split(graph, change->tensor);
    return tensor->has_shape && strstr(graph_dtype_name(tensor->dtype), "float") != NULL;
}

/* A name for a second half that is not taken. */
static enum status name_second(const struct names *taken, const char *first, struct text *name,
                               struct error *error)
{
    text_append(name, "%s.2", first);
    while (!name->failed && names_find(taken, name->bytes) != NAMES_NONE)
        text_append(name, "_");
    return text_check(name, error);
}

/* Adds the second half of a tensor to the copy, where the first half keeps its number. */
static enum status halve(struct graph_copier *copier, uint32_t tensor, uint32_t *half)
{
    SCOPED(text_free) struct text name = {0};
    struct graph *copy = copier->copy;
    struct graph_tensor *first = &copy->tensor[tensor];
    uint64_t dimension[GRAPH_MOST_DIMENSIONS];
    uint32_t d = find_dimension(first);
    memcpy(dimension, first->dimension, sizeof dimension);
    dimension[d] = first->dimension[d] / 2;
    first->dimension[d] -= dimension[d];
    bool fits = graph_shape_bytes(first->dtype, first->dimension, first->rank, &first->bytes);
    assert(fits); /* it is less than the whole */
    (void)fits;
    TRY(name_second(&copy->tensor_names, names_get(&copier->graph->tensor_names, tensor), &name,
                    copier->error));
    const struct graph_tensor_spec spec = {.name = name.bytes,
                                           .device = first->device,
                                           .has_shape = true,
                                           .dtype = first->dtype,
                                           .rank = first->rank,
                                           .dimensions = dimension};
    return graph_add_tensor(copy, &spec, half, copier->error);
}

/* Replaces a tensor in a list of the copy, or puts another one behind the list. */
static enum status extend_inputs(struct graph_copier *copier, uint32_t op, uint32_t tensor,
                                 uint32_t half)
{
    struct graph *copy = copier->copy;
    struct span *inputs = &copy->op[op].inputs;
    if (!is_listed(copy, *inputs, tensor))
        return STATUS_OK;
    TRY(memory_reserve(&copy->list, &copy->building->list, (size_t)copy->listed + inputs->count + 1,
                       sizeof *copy->list, copier->error));
    for (uint32_t i = 0; i < inputs->count; i++)
        copy->list[copy->listed + i] = copy->list[inputs->first + i];
    copy->list[copy->listed + inputs->count] = half;
    inputs->first = copy->listed;
    inputs->count++;
    copy->listed += inputs->count;
    copy->op[op].inplace.count = 0;
    return STATUS_OK;
}

static void rename_one(struct graph *copy, struct span span, uint32_t from, uint32_t to)
{
    for (uint32_t i = 0; i < span.count; i++)
        if (copy->list[span.first + i] == from)
            copy->list[span.first + i] = to;
}

/* Copies an operator for the second halves. */
static enum status copy_second(struct graph_copier *copier, const struct changing *changing,
                               uint32_t op)
{
    SCOPED(text_free) struct text name = {0};
    struct graph *copy = copier->copy;
    uint32_t added = copy->operators, first = copier->number[op];
    copier->number[op] = GRAPH_NONE;
    TRY(graph_copy_operator(copier, op));
    copier->number[op] = first;
    TRY(name_second(&copy->labels, graph_label(copier->graph, copier->graph->op[op].name), &name,
                    copier->error));
    TRY(names_add(&copy->labels, name.bytes, copier->error));
    copy->op[added].name = copy->labels.count - 1;
    rename_one(copy, copy->op[added].inputs, changing->change->tensor, changing->half);
    rename_one(copy, copy->op[added].outputs, changing->change->tensor, changing->half);
    rename_one(copy, copy->op[added].outputs, changing->result, changing->result_half);
    return STATUS_OK;
}

static enum status copy_pair(struct graph_copier *copier, const struct changing *changing)
{
    uint32_t from = copier->copy->operators;
    TRY(graph_copy_operator(copier, changing->writer));
    TRY(graph_copy_operator(copier, changing->reader));
    TRY(copy_second(copier, changing, changing->writer));
    TRY(copy_second(copier, changing, changing->reader));
    /* Which half of another input is read is not recorded, so that no half can be written over. */
    for (uint32_t o = from; o < copier->copy->operators; o++)
        copier->copy->op[o].inplace.count = 0;
    return STATUS_OK;
}

static enum status copy_changed(struct graph_copier *copier, uint32_t region)
{
    struct changing *changing = (struct changing *)copier->context;
    const struct change *change = changing->change;
    const struct graph *graph = copier->graph;
    if (region == 0 && change->is_split) {
        TRY(halve(copier, change->tensor, &changing->half));
        TRY(halve(copier, changing->result, &changing->result_half));
    } else if (region == 0) {
        struct graph_tensor *tensor = &copier->copy->tensor[change->tensor];
        bool fits =
            graph_dtype_find("int8", &tensor->dtype) &&
            graph_shape_bytes(tensor->dtype, tensor->dimension, tensor->rank, &tensor->bytes);
        assert(fits); /* the table has int8, and it is less than before */
        (void)fits;
    }
    for (uint32_t o = graph->region[region].begin; o < graph->region[region].end;
         o = graph->op[o].end) {
        uint32_t number = copier->copy->operators;
        if (change->is_split && o == changing->writer)
            continue;
        if (change->is_split && o == changing->reader) {
            TRY(copy_pair(copier, changing));
            continue;
        }
        TRY(graph_copy_operator(copier, o));
        if (change->is_split)
            TRY(extend_inputs(copier, number, changing->result, changing->result_half));
        else if (is_listed(graph, graph->op[o].inputs, change->tensor) ||
                 is_listed(graph, graph->op[o].outputs, change->tensor))
            copier->copy->op[number].inplace.count = 0;
    }
    return STATUS_OK;
}

enum status change_apply(const struct graph *graph, const struct change *change,
                         struct graph **changed, struct error *error)
{
    struct changing changing = {.change = change};
    assert(change_is_possible(graph, change));
    if (change->is_split) {
        changing.writer = graph->tensor[change->tensor].producer;
        changing.reader = find_reader(graph, change->tensor);
        changing.result = graph->list[graph->op[changing.reader].outputs.first];
    }
    struct graph_copier copier = {
        .graph = graph, .copy_operators = copy_changed, .context = &changing, .error = error};
    return graph_copy(&copier, changed);
}

void change_write(const struct graph *graph, const struct change *change, struct text *text)
{
    text_append(text, "%s:%s", change->is_split ? "split" : "quantise",
                names_get(&graph->tensor_names, change->tensor));
}

enum status change_parse(const struct graph *graph, const char *text, struct change *change,
                         struct error *error)
{
    const char *colon = strchr(text, ':');
    bool is_quantise = strncmp(text, "quantise:", strlen("quantise:")) == 0;
    change->is_split = strncmp(text, "split:", strlen("split:")) == 0;
    change->tensor = colon ? names_find(&graph->tensor_names, colon + 1) : NAMES_NONE;
    if ((is_quantise || change->is_split) && change->tensor != NAMES_NONE &&
        change_is_possible(graph, change))
        return STATUS_OK;
    return error_set(error, STATUS_USAGE,
                     "found change '%s', expected quantise:TENSOR or split:TENSOR as 'memplan "
                     "advise' lists them for '%s'",
                     text, graph_name(graph));
}
