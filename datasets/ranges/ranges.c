#include "datasets/ranges/ranges.h"

#include <assert.h>
#include <inttypes.h>
#include <string.h>

#include "core/memory.h"
#include "core/scratch.h"
#include "datasets/ranges/infer.h"
#include "planning/graph/dtype.h"

/* A graph whose sizes are being found. */
struct ranges {
    const struct ranges_source *source;
    const struct graph *graph;    /* at the greatest point */
    struct symbolic_sizes *sizes; /* with the parameters */
    /* [parameters] along the axis of each, the other parameters at their greatest: the dimensions,
       [values][tensors][GRAPH_MOST_DIMENSIONS], and the bytes, [values][tensors]. The bytes are the
       one dimension of a tensor without shape. */
    uint64_t **dimension, **bytes;
    struct scratch *scratch;
    struct error *error;
};

static bool is_same_list(const struct graph *a, struct span first, const struct graph *b,
                         struct span second)
{
    return first.count == second.count && memcmp(a->list + first.first, b->list + second.first,
                                                 first.count * sizeof *a->list) == 0;
}

static bool is_same_operator(const struct graph *a, const struct graph *b, uint32_t op)
{
    const struct graph_operator *one = &a->op[op], *other = &b->op[op];
    return one->region == other->region && one->end == other->end && one->loop == other->loop &&
           one->stream == other->stream && one->carried.count == other->carried.count &&
           one->carried.first == other->carried.first &&
           is_same_list(a, one->inputs, b, other->inputs) &&
           is_same_list(a, one->outputs, b, other->outputs) &&
           is_same_list(a, one->ignored, b, other->ignored) &&
           is_same_list(a, one->after, b, other->after);
}

/* Whether the graphs differ in nothing but sizes and what follows from these. The turns of a loop
   are no part of it, as no lifetime depends on their number; nor is which operators may write in
   place, which is asked of the greatest sizes. */
static bool is_same_structure(const struct graph *a, const struct graph *b)
{
    bool same = a->tensors == b->tensors && a->operators == b->operators &&
                a->regions == b->regions && a->carried_count == b->carried_count &&
                is_same_list(a, a->inputs, b, b->inputs);
    for (uint32_t c = 0; same && c < a->carried_count; c++) {
        const struct graph_carried *one = &a->carried[c], *other = &b->carried[c];
        same = one->init == other->init && one->argument == other->argument &&
               one->yield == other->yield && one->result == other->result;
    }
    for (uint32_t r = 0; same && r < a->regions; r++)
        same = is_same_list(a, a->region[r].yields, b, b->region[r].yields);
    for (uint32_t o = 0; same && o < a->operators; o++)
        same = is_same_operator(a, b, o);
    for (uint32_t t = 0; same && t < a->tensors; t++) {
        const struct graph_tensor *one = &a->tensor[t], *other = &b->tensor[t];
        same = one->rank == other->rank && one->has_shape == other->has_shape &&
               one->dtype == other->dtype && one->device == other->device &&
               one->producer == other->producer && one->external == other->external;
    }
    return same;
}

static enum status build_point(const struct ranges *ranges, const uint64_t *point,
                               struct graph **graph)
{
    SCOPED(text_free) struct text options = {0};
    ranges_write_point(ranges->source->options, ranges->sizes, point, &options);
    TRY(text_check(&options, ranges->error));
    TRY(ranges->source->build(ranges->source->context, options.bytes, graph, ranges->error));
    if (!ranges->graph || is_same_structure(ranges->graph, *graph))
        return STATUS_OK;
    graph_free(*graph);
    *graph = NULL;
    return error_set(ranges->error, STATUS_BAD_INPUT,
                     "the operators of %s?%s are others than at the greatest values, expected the "
                     "same for all sizes",
                     ranges->source->name, options.bytes);
}

/* Notes dimensions and bytes of all tensors along the axis of each parameter. */
static enum status walk_axes(struct ranges *ranges)
{
    const struct symbolic_sizes *sizes = ranges->sizes;
    uint32_t parameters = sizes->parameter.count, tensors = ranges->graph->tensors;
    struct scratch *scratch = ranges->scratch;
    uint64_t *point;
    TRY(scratch_take_all(scratch, parameters, ranges->error, &point, &ranges->dimension,
                         &ranges->bytes));
    for (uint32_t p = 0; p < parameters; p++) {
        size_t count = (size_t)(sizes->greatest[p] - sizes->least[p] + 1) * tensors;
        uint64_t *dimension, *bytes;
        TRY(scratch_take(scratch, &dimension, count * GRAPH_MOST_DIMENSIONS, sizeof *dimension,
                         ranges->error));
        TRY(scratch_take(scratch, &bytes, count, sizeof *bytes, ranges->error));
        ranges->dimension[p] = dimension;
        ranges->bytes[p] = bytes;
        memcpy(point, sizes->greatest, parameters * sizeof *point);
        for (point[p] = sizes->least[p]; point[p] <= sizes->greatest[p]; point[p]++) {
            SCOPED(graph_release) struct graph *graph = NULL;
            TRY(build_point(ranges, point, &graph));
            for (uint32_t t = 0; t < tensors; t++, dimension += GRAPH_MOST_DIMENSIONS) {
                const struct graph_tensor *tensor = &graph->tensor[t];
                *bytes++ = *dimension = tensor->bytes;
                if (tensor->has_shape)
                    memcpy(dimension, tensor->dimension, sizeof tensor->dimension);
            }
        }
    }
    return STATUS_OK;
}

static enum status refuse_tensor(const struct ranges *ranges, uint32_t tensor)
{
    return error_set(ranges->error, STATUS_BAD_INPUT,
                     "the bytes of tensor '%s' of %s are no expression of the parameters, expected "
                     "one that repeats its rises",
                     names_get(&ranges->graph->tensor_names, tensor), ranges->source->name);
}

/* Appends a dimension as a factor: of the parameters that change it all but the last have to be
   factors of it. */
static enum status append_dimension(const struct ranges *ranges, uint32_t tensor, uint32_t d,
                                    struct text *text)
{
    const struct symbolic_sizes *sizes = ranges->sizes;
    const struct graph_tensor *sized = &ranges->graph->tensor[tensor];
    uint64_t greatest = sized->has_shape ? sized->dimension[d] : sized->bytes, rest = greatest;
    size_t row = (size_t)ranges->graph->tensors * GRAPH_MOST_DIMENSIONS;
    uint32_t last = UINT32_MAX;
    SCOPED(memory_release) uint64_t *value = NULL;
    for (uint32_t p = 0; p < sizes->parameter.count; p++) {
        const uint64_t *walked = ranges->dimension[p] + (size_t)tensor * GRAPH_MOST_DIMENSIONS + d;
        if (walked[0] == greatest)
            continue;
        if (last != UINT32_MAX) {
            text_append(text, "*%s", names_get(&sizes->parameter, last));
            if (rest % sizes->greatest[last])
                return refuse_tensor(ranges, tensor);
            rest /= sizes->greatest[last];
        }
        last = p;
    }
    if (last == UINT32_MAX) {
        if (rest != 1)
            text_append(text, "*%" PRIu64, rest);
        return STATUS_OK;
    }
    uint32_t count = (uint32_t)(sizes->greatest[last] - sizes->least[last] + 1);
    SCOPED(text_free) struct text factor = {0};
    bool found;
    TRY(memory_create(&value, count, sizeof *value, ranges->error));
    for (uint32_t i = 0; i < count; i++)
        value[i] = ranges->dimension[last][i * row + (size_t)tensor * GRAPH_MOST_DIMENSIONS + d] /
                   (greatest / rest);
    TRY(infer_expression(names_get(&sizes->parameter, last), sizes->least[last], value, count,
                         &factor, &found, ranges->error));
    if (!found)
        return refuse_tensor(ranges, tensor);
    bool is_sum = strpbrk(factor.bytes, "+-") != NULL;
    text_append(text, is_sum ? "*(%s)" : "*%s", factor.bytes);
    return STATUS_OK;
}

/* Compares the bytes of a tensor along all axes with its expression. */
static enum status check_axes(const struct ranges *ranges, uint32_t tensor)
{
    const struct symbolic_sizes *sizes = ranges->sizes;
    uint32_t parameters = sizes->parameter.count;
    SCOPED(memory_release) uint64_t *point = NULL;
    TRY(memory_create(&point, parameters, sizeof *point, ranges->error));
    for (uint32_t p = 0; p < parameters; p++) {
        const uint64_t *bytes = ranges->bytes[p] + tensor;
        memcpy(point, sizes->greatest, parameters * sizeof *point);
        for (point[p] = sizes->least[p]; point[p] <= sizes->greatest[p]; point[p]++) {
            uint64_t value;
            if (!sizes_value(sizes, tensor, point, &value) || value != *bytes)
                return refuse_tensor(ranges, tensor);
            bytes += ranges->graph->tensors;
        }
    }
    return STATUS_OK;
}

static enum status add_tensor(struct ranges *ranges, uint32_t tensor)
{
    const struct graph_tensor *sized = &ranges->graph->tensor[tensor];
    SCOPED(text_free) struct text text = {0};
    const uint64_t elements[1] = {8};
    uint64_t of_eight = 8; /* bytes of eight elements */
    bool fits = !sized->has_shape || graph_shape_bytes(sized->dtype, elements, 1, &of_eight);
    assert(fits && of_eight);
    (void)fits;
    text_append(&text, of_eight % 8 ? "ceil(%" PRIu64 : "%" PRIu64,
                of_eight % 8 ? of_eight : of_eight / 8);
    for (uint32_t d = 0; d < (sized->has_shape ? sized->rank : 1); d++)
        TRY(append_dimension(ranges, tensor, d, &text));
    text_append(&text, of_eight % 8 ? " / 8)" : "");
    TRY(text_check(&text, ranges->error));
    TRY(sizes_add(ranges->sizes, text.bytes, ranges->error));
    return check_axes(ranges, tensor);
}

/* Builds the network at every point and compares all bytes. */
static enum status check_points(const struct ranges *ranges)
{
    const struct symbolic_sizes *sizes = ranges->sizes;
    uint32_t parameters = sizes->parameter.count, p = 0;
    SCOPED(memory_release) uint64_t *point = NULL;
    TRY(memory_create(&point, parameters, sizeof *point, ranges->error));
    memcpy(point, sizes->least, parameters * sizeof *point);
    while (p < parameters) {
        SCOPED(graph_release) struct graph *graph = NULL;
        TRY(build_point(ranges, point, &graph));
        for (uint32_t t = 0; t < graph->tensors; t++) {
            uint64_t bytes;
            if (!sizes_value(sizes, t, point, &bytes) || bytes != graph->tensor[t].bytes)
                return refuse_tensor(ranges, t);
        }
        for (p = 0; p < parameters && point[p]++ == sizes->greatest[p]; p++)
            point[p] = sizes->least[p];
    }
    return STATUS_OK;
}

enum status ranges_build(const struct ranges_source *source, struct graph **created,
                         struct symbolic_sizes **created_sizes, struct error *error)
{
    SCOPED(graph_release) struct graph *graph = NULL;
    SCOPED(sizes_release) struct symbolic_sizes *sizes = NULL;
    SCOPED(scratch_free) struct scratch scratch = {0};
    struct ranges ranges = {.source = source, .error = error, .scratch = &scratch};
    TRY(sizes_create(&sizes, error));
    ranges.sizes = sizes;
    TRY(ranges_read(source->options, source->allowed, sizes, error));
    TRY(build_point(&ranges, sizes->greatest, &graph));
    ranges.graph = graph;
    TRY(walk_axes(&ranges));
    for (uint32_t t = 0; t < graph->tensors; t++)
        TRY(add_tensor(&ranges, t));
    /* The axis of a single parameter is the whole box. */
    if (sizes->parameter.count > 1)
        TRY(check_points(&ranges));
    *created = graph;
    *created_sizes = sizes;
    graph = NULL;
    sizes = NULL;
    return STATUS_OK;
}
