#include "core/checked.h"
#include "datasets/tflite/builtin.h"
#include "datasets/tflite/reader.h"

/* What flops are counted from. */
struct cost {
    const struct tflite_operator *op;
    struct tflite_tensor input[3], output; /* zero elements where there is none */
};

static bool multiply(const uint64_t *factors, unsigned count, int64_t *flops)
{
    uint64_t product = 1;
    for (unsigned i = 0; i < count; i++)
        if (!checked_multiply(product, factors[i], &product))
            return false;
    if (product > INT64_MAX)
        return false;
    *flops = (int64_t)product;
    return true;
}

static bool count_nothing(const struct cost *cost, int64_t *flops)
{
    (void)cost;
    *flops = 0;
    return true;
}

static bool count_output(const struct cost *cost, int64_t *flops)
{
    return multiply(&cost->output.elements, 1, flops);
}

static bool count_input(const struct cost *cost, int64_t *flops)
{
    return multiply(&cost->input[0].elements, 1, flops);
}

enum { OPTIONS_POOL = 5, POOL_WIDTH = 3, POOL_HEIGHT = 4, OPTIONS_MATMUL = 101 };

static bool count_pool(const struct cost *cost, int64_t *flops)
{
    struct flatbuffer_table options;
    uint64_t factors[3] = {cost->output.elements};
    bool found;
    if (tflite_model_options(cost->op, false, OPTIONS_POOL, &found, &options) || !found ||
        flatbuffer_number(&options, POOL_WIDTH, 4, 0, &factors[1]) ||
        flatbuffer_number(&options, POOL_HEIGHT, 4, 0, &factors[2]))
        return false;
    return multiply(factors, 3, flops);
}

/* 2 for each of the elements with each element of a filter: the weights without their dimension
   `axis`, that of the filters. */
static bool count_filters(const struct cost *cost, uint64_t elements, uint32_t axis, int64_t *flops)
{
    const struct tflite_tensor *weights = &cost->input[1];
    if (weights->rank < 2 || !weights->dimension[axis])
        return false;
    const uint64_t factors[] = {2, elements, weights->elements / weights->dimension[axis]};
    return multiply(factors, 3, flops);
}

/* Weights [output channels, window..., input channels]: each output element takes one filter. */
static bool count_conv(const struct cost *cost, int64_t *flops)
{
    return count_filters(cost, cost->output.elements, 0, flops);
}

/* Weights [1, height, width, output channels]. */
static bool count_depthwise(const struct cost *cost, int64_t *flops)
{
    return count_filters(cost, cost->output.elements, cost->input[1].rank - 1, flops);
}

/* Inputs are the output's shape, weights [output channels, window..., input channels], values: each
   value is spread over a window of every output channel. */
static bool count_transpose_conv(const struct cost *cost, int64_t *flops)
{
    return count_filters(cost, cost->input[2].elements, cost->input[1].rank - 1, flops);
}

/* Weights [outputs, inputs]. */
static bool count_dense(const struct cost *cost, int64_t *flops)
{
    const struct tflite_tensor *weights = &cost->input[1];
    if (weights->rank < 1)
        return false;
    const uint64_t factors[] = {2, cost->output.elements, weights->dimension[weights->rank - 1]};
    return multiply(factors, 3, flops);
}

/* The left matrix is transposed where the options say so. */
static bool count_matmul(const struct cost *cost, int64_t *flops)
{
    const struct tflite_tensor *left = &cost->input[0];
    struct flatbuffer_table options;
    uint64_t transposed = 0;
    bool found;
    if (left->rank < 2 || tflite_model_options(cost->op, false, OPTIONS_MATMUL, &found, &options))
        return false;
    if (found && flatbuffer_number(&options, 0, 1, 0, &transposed))
        return false;
    const uint64_t factors[] = {2, cost->output.elements,
                                left->dimension[left->rank - (transposed ? 2 : 1)]};
    return multiply(factors, 3, flops);
}

static bool (*const counts[])(const struct cost *cost, int64_t *flops) = {
    [TFLITE_FLOPS_NOTHING] = count_nothing,
    [TFLITE_FLOPS_OUTPUT] = count_output,
    [TFLITE_FLOPS_INPUT] = count_input,
    [TFLITE_FLOPS_POOL] = count_pool,
    [TFLITE_FLOPS_CONV] = count_conv,
    [TFLITE_FLOPS_DEPTHWISE] = count_depthwise,
    [TFLITE_FLOPS_TRANSPOSE_CONV] = count_transpose_conv,
    [TFLITE_FLOPS_DENSE] = count_dense,
    [TFLITE_FLOPS_MATMUL] = count_matmul,
};

static enum status read_tensor(const struct tflite_subgraph *subgraph,
                               const struct flatbuffer_vector *vector, uint32_t i,
                               struct tflite_tensor *tensor)
{
    *tensor = (struct tflite_tensor){0};
    uint32_t index = i < vector->count ? flatbuffer_element(vector, i) : UINT32_MAX;
    if (index >= subgraph->tensors.count)
        return STATUS_OK;
    return tflite_model_tensor(subgraph, index, tensor);
}

enum status tflite_flops_count(const struct tflite_subgraph *subgraph,
                               const struct tflite_operator *op, int64_t *flops)
{
    struct error ignored = ERROR_NONE; /* options that cannot be read only leave flops unknown */
    struct flatbuffer quiet = *op->table.buffer;
    struct tflite_operator counted = *op;
    struct cost cost = {.op = &counted};
    quiet.error = &ignored;
    counted.table.buffer = &quiet;
    const struct tflite_builtin *builtin = tflite_builtin_at(op->code);
    *flops = -1;
    if (!builtin || !counts[builtin->flops])
        return STATUS_OK;
    for (uint32_t i = 0; i < 3; i++)
        TRY(read_tensor(subgraph, &op->inputs, i, &cost.input[i]));
    TRY(read_tensor(subgraph, &op->outputs, 0, &cost.output));
    if (!counts[builtin->flops](&cost, flops))
        *flops = -1;
    return STATUS_OK;
}
