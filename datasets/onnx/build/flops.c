#include "datasets/onnx/build/flops.h"

#include "datasets/onnx/shapes/sizes.h"

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

int64_t onnx_flops_output(const struct onnx_model *model, const Onnx__NodeProto *node)
{
    return count_elements(model, onnx_node_output(node, 0), 0);
}

int64_t onnx_flops_input(const struct onnx_model *model, const Onnx__NodeProto *node)
{
    return count_elements(model, onnx_node_input(node, 0), 0);
}

/* Each output takes one multiply-add for each element of a filter, [filters, channels / groups,
   window...]. */
int64_t onnx_flops_conv(const struct onnx_model *model, const Onnx__NodeProto *node)
{
    int64_t outputs = count_elements(model, onnx_node_output(node, 0), 0);
    return multiply(multiply(outputs, 2), count_elements(model, onnx_node_input(node, 1), 1));
}

/* Each input goes into one multiply-add for each element of [channels, filters / groups, ...]. */
int64_t onnx_flops_conv_transpose(const struct onnx_model *model, const Onnx__NodeProto *node)
{
    int64_t inputs = count_elements(model, onnx_node_input(node, 0), 0);
    return multiply(multiply(inputs, 2), count_elements(model, onnx_node_input(node, 1), 1));
}

int64_t onnx_flops_gemm(const struct onnx_model *model, const Onnx__NodeProto *node)
{
    uint32_t summed = onnx_node_integer(node, "transA", 0) ? 0 : 1;
    int64_t outputs = count_elements(model, onnx_node_output(node, 0), 0);
    return multiply(multiply(outputs, 2), get_dimension(model, onnx_node_input(node, 0), summed));
}

int64_t onnx_flops_matmul(const struct onnx_model *model, const Onnx__NodeProto *node)
{
    const struct onnx_value *left = onnx_model_find(model, onnx_node_input(node, 0));
    int64_t outputs = count_elements(model, onnx_node_output(node, 0), 0);
    if (!left || !left->has_rank || !left->rank)
        return -1;
    return multiply(multiply(outputs, 2), onnx_sizes_dimension(model, left, left->rank - 1));
}

int64_t onnx_flops_pool(const struct onnx_model *model, const Onnx__NodeProto *node)
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
int64_t onnx_flops_recurrent(const struct onnx_model *model, const Onnx__NodeProto *node)
{
    const char *input = onnx_node_input(node, 0);
    int64_t samples = multiply(get_dimension(model, input, 0), get_dimension(model, input, 1));
    int64_t left = count_elements(model, onnx_node_input(node, 1), 0);
    int64_t right = count_elements(model, onnx_node_input(node, 2), 0);
    if (left < 0 || right < 0 || left > INT64_MAX - right)
        return -1;
    return multiply(multiply(samples, 2), left + right);
}
