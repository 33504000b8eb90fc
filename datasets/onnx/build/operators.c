#include "datasets/onnx/build/operators.h"

#include <stdlib.h>
#include <string.h>

#include "datasets/onnx/shapes/sizes.h"

/* Counts of operations, 2 per multiply-add; -1 where a shape is not known or the count is larger
   than 2^63. For an operator that is counted by its outputs or inputs: one per element. For
   recurrent networks: the products only. */

/* A product that ends as -1 once a factor is not known or it grows too large. */
static int64_t multiply(int64_t product, int64_t factor)
{
    int64_t result;
    if (product < 0 || factor < 0 || __builtin_mul_overflow(product, factor, &result))
        return -1;
    return result;
}

static int64_t count_elements(const struct onnx_model *model, const char *name, uint32_t first)
{
    const struct onnx_value *value = onnx_model_find(model, name);
    int64_t count = 1;
    if (!value || !value->has_rank)
        return -1;
    for (uint32_t i = first; i < value->rank; i++)
        count = multiply(count, onnx_sizes_dimension(model, value, i));
    return count;
}

static int64_t get_dimension(const struct onnx_model *model, const char *name, uint32_t i)
{
    const struct onnx_value *value = onnx_model_find(model, name);
    if (!value || !value->has_rank || i >= value->rank)
        return -1;
    return onnx_sizes_dimension(model, value, i);
}

static int64_t count_output(const struct onnx_model *model, const Onnx__NodeProto *node)
{
    return count_elements(model, onnx_node_output(node, 0), 0);
}

static int64_t count_input(const struct onnx_model *model, const Onnx__NodeProto *node)
{
    return count_elements(model, onnx_node_input(node, 0), 0);
}

/* Each output takes one multiply-add for each element of a filter, [filters, channels / groups,
   window...]. */
static int64_t count_conv(const struct onnx_model *model, const Onnx__NodeProto *node)
{
    int64_t outputs = count_elements(model, onnx_node_output(node, 0), 0);
    return multiply(multiply(outputs, 2), count_elements(model, onnx_node_input(node, 1), 1));
}

/* Each input goes into one multiply-add for each element of [channels, filters / groups, ...]. */
static int64_t count_conv_transpose(const struct onnx_model *model, const Onnx__NodeProto *node)
{
    int64_t inputs = count_elements(model, onnx_node_input(node, 0), 0);
    return multiply(multiply(inputs, 2), count_elements(model, onnx_node_input(node, 1), 1));
}

static int64_t count_gemm(const struct onnx_model *model, const Onnx__NodeProto *node)
{
    uint32_t summed = onnx_node_integer(node, "transA", 0) ? 0 : 1;
    int64_t outputs = count_elements(model, onnx_node_output(node, 0), 0);
    return multiply(multiply(outputs, 2), get_dimension(model, onnx_node_input(node, 0), summed));
}

static int64_t count_matmul(const struct onnx_model *model, const Onnx__NodeProto *node)
{
    const struct onnx_value *left = onnx_model_find(model, onnx_node_input(node, 0));
    int64_t outputs = count_elements(model, onnx_node_output(node, 0), 0);
    if (!left || !left->has_rank || !left->rank)
        return -1;
    return multiply(multiply(outputs, 2), onnx_sizes_dimension(model, left, left->rank - 1));
}

static int64_t count_pool(const struct onnx_model *model, const Onnx__NodeProto *node)
{
    const Onnx__AttributeProto *window = onnx_node_attribute(node, "kernel_shape");
    int64_t count = count_elements(model, onnx_node_output(node, 0), 0);
    if (!window)
        return -1;
    for (size_t i = 0; i < window->n_ints; i++)
        count = multiply(count, window->ints[i]);
    return count;
}

/* Per step, sample and direction: `gates` products of [hidden, inputs + hidden]. The weights are
   [directions, gates * hidden, inputs] and [directions, gates * hidden, hidden]. */
static int64_t count_recurrent(const struct onnx_model *model, const Onnx__NodeProto *node)
{
    const char *input = onnx_node_input(node, 0);
    int64_t samples = multiply(get_dimension(model, input, 0), get_dimension(model, input, 1));
    int64_t left = count_elements(model, onnx_node_input(node, 1), 0);
    int64_t right = count_elements(model, onnx_node_input(node, 2), 0);
    if (left < 0 || right < 0 || left > INT64_MAX - right)
        return -1;
    return multiply(multiply(samples, 2), left + right);
}

/* Which inputs may be overwritten. These are inputs of operators that read each element for the
   last time when they write the element at the same place. The results of comparisons have narrower
   elements, which onnx_operators_inplace checks. */
enum { NONE = 0, FIRST = 1, ONLY = 1, BOTH = 3, LATER = 6 };

struct operator_row {
    const char *type;
    /* Operations of a node whose shapes are all known, -1 if they cannot be told; NULL: none, the
       operator only moves bytes. */
    int64_t (*flops)(const struct onnx_model *model, const Onnx__NodeProto *node);
    unsigned per_element; /* for rows that count per element of their output or input */
    unsigned inplace;     /* bit i: the first output may be written over input i */
};

#define OPERATOR(type, flops, per_element, inplace) {#type, flops, per_element, inplace},
static const struct operator_row operators[] = {
#include "datasets/onnx/build/operators.def"
};
#undef OPERATOR

static int compare_type(const void *type, const void *row)
{
    return strcmp(type, ((const struct operator_row *)row)->type);
}

static const struct operator_row *find_row(const Onnx__NodeProto *node)
{
    if (!onnx_node_is_standard(node))
        return NULL;
    return bsearch(onnx_node_type(node), operators, sizeof operators / sizeof *operators,
                   sizeof *operators, compare_type);
}

int64_t onnx_operators_flops(const struct onnx_model *model, const Onnx__NodeProto *node)
{
    const struct operator_row *row = find_row(node);
    int64_t flops;
    if (!row)
        return -1;
    if (!row->flops)
        return 0;
    int64_t counted = row->flops(model, node);
    return counted < 0 || __builtin_mul_overflow(counted, row->per_element, &flops) ? -1 : flops;
}

bool onnx_operators_inplace(const struct onnx_model *model, const Onnx__NodeProto *node,
                            size_t input)
{
    const struct operator_row *row = find_row(node);
    const char *from = onnx_node_input(node, input), *to = onnx_node_output(node, 0);
    const struct onnx_value *one = onnx_model_find(model, from);
    const struct onnx_value *other = onnx_model_find(model, to);
    uint64_t bytes, other_bytes;
    if (!row || input >= 32 || !(row->inplace >> input & 1) || !one || !other ||
        onnx_sizes_get(model, from, &bytes) || onnx_sizes_get(model, to, &other_bytes))
        return false;
    return bytes == other_bytes && onnx_sizes_bits(one->element) == onnx_sizes_bits(other->element);
}
