#include "core/checked.h"
#include "datasets/tflite/reader.h"

/* An operator and the tensors from which its flops are counted. */
struct cost {
    const struct tflite_operator *op;
    struct tflite_tensor input[3], output; /* zero elements where there is none */
};

enum { OPTIONS_POOL = 5, POOL_WIDTH = 3, POOL_HEIGHT = 4, OPTIONS_MATMUL = 101 };

/* 2 for each of the elements with each element of a filter: the weights without their dimension
   `axis`, that of the filters. */
static bool count_filters(const struct cost *cost, uint64_t elements, uint32_t axis,
                          uint64_t factor[3])
{
    const struct tflite_tensor *weights = &cost->input[1];
    if (weights->rank < 2 || !weights->dimension[axis])
        return false;
    factor[0] = 2;
    factor[1] = elements;
    factor[2] = weights->elements / weights->dimension[axis];
    return true;
}

/* Finds the numbers whose product the flops are; false where they are not known. */
static bool find_factors(const struct cost *cost, enum tflite_flops rule, uint64_t factor[3])
{
    const struct tflite_tensor *left = &cost->input[0], *weights = &cost->input[1];
    uint64_t elements = cost->output.elements, transposed = 0;
    struct flatbuffer_table options;
    bool found;
    switch (rule) {
    case TFLITE_FLOPS_UNKNOWN:
        return false;
    case TFLITE_FLOPS_NOTHING:
        factor[0] = 0;
        return true;
    case TFLITE_FLOPS_OUTPUT:
        factor[0] = elements;
        return true;
    case TFLITE_FLOPS_INPUT:
        factor[0] = left->elements;
        return true;
    case TFLITE_FLOPS_POOL:
        factor[0] = elements;
        return !tflite_model_options(cost->op, false, OPTIONS_POOL, &found, &options) && found &&
               !flatbuffer_number(&options, POOL_WIDTH, 4, 0, &factor[1]) &&
               !flatbuffer_number(&options, POOL_HEIGHT, 4, 0, &factor[2]);
    case TFLITE_FLOPS_CONV:
        /* Weights [output channels, window..., input channels]: each output element takes one
           filter. */
        return count_filters(cost, elements, 0, factor);
    case TFLITE_FLOPS_DEPTHWISE: /* weights [1, height, width, output channels] */
        return count_filters(cost, elements, weights->rank - 1, factor);
    case TFLITE_FLOPS_TRANSPOSE_CONV:
        /* Inputs are the output's shape, weights [output channels, window..., input channels],
           values: each value is spread over a window of every output channel. */
        return count_filters(cost, cost->input[2].elements, weights->rank - 1, factor);
    case TFLITE_FLOPS_DENSE: /* weights [outputs, inputs] */
        factor[0] = 2;
        factor[1] = elements;
        factor[2] = weights->rank ? weights->dimension[weights->rank - 1] : 0;
        return weights->rank > 0;
    case TFLITE_FLOPS_MATMUL: /* the left matrix is transposed where the options say so */
        if (left->rank < 2 ||
            tflite_model_options(cost->op, false, OPTIONS_MATMUL, &found, &options) ||
            (found && flatbuffer_number(&options, 0, 1, 0, &transposed)))
            return false;
        factor[0] = 2;
        factor[1] = elements;
        factor[2] = left->dimension[left->rank - (transposed ? 2 : 1)];
        return true;
    }
    return false;
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
    uint64_t factor[3] = {1, 1, 1}, product;
    *flops = -1;
    if (!builtin || builtin->flops == TFLITE_FLOPS_UNKNOWN)
        return STATUS_OK;
    for (uint32_t i = 0; i < 4; i++) {
        const struct flatbuffer_vector *vector = i < 3 ? &op->inputs : &op->outputs;
        uint32_t at = i % 3;
        uint32_t index = at < vector->count ? flatbuffer_element(vector, at) : UINT32_MAX;
        if (index < subgraph->tensors.count)
            TRY(tflite_model_tensor(subgraph, index, i < 3 ? &cost.input[i] : &cost.output));
    }
    if (find_factors(&cost, builtin->flops, factor) &&
        checked_multiply(factor[0], factor[1], &product) &&
        checked_multiply(product, factor[2], &product) && product <= INT64_MAX)
        *flops = (int64_t)product;
    return STATUS_OK;
}
