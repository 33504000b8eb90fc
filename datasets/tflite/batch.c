#include "datasets/tflite/batch.h"

#include <string.h>

#include "core/checked.h"
#include "core/memory.h"
#include "datasets/tflite/reader.h"

/* How the first dimension of an output follows from that of what is read. */
enum rule {
    RULE_NONE,     /* not known */
    RULE_KEPT,     /* it is the same, even where windows or broadcasting change others */
    RULE_PARTS,    /* it is the same, unless the first dimension is cut or joined */
    RULE_ELEMENTS, /* there are as many elements */
    RULE_DENSE,    /* there are as many rows, each of as many elements as the weight is wide */
    RULE_FIXED,    /* the output says of what size the input is, so its own is fixed */
};

static enum rule find_rule(const struct tflite_operator *op)
{
    static const struct {
        enum rule rule;
        const char *names[48];
    } rows[] = {
        {RULE_KEPT,
         {"ADD",
          "SUB",
          "MUL",
          "DIV",
          "MAXIMUM",
          "MINIMUM",
          "POW",
          "SQUARED_DIFFERENCE",
          "PRELU",
          "ABS",
          "NEG",
          "EXP",
          "LOG",
          "SQRT",
          "RSQRT",
          "SQUARE",
          "FLOOR",
          "CEIL",
          "ROUND",
          "SIN",
          "COS",
          "CAST",
          "QUANTIZE",
          "DEQUANTIZE",
          "RELU",
          "RELU6",
          "RELU_N1_TO_1",
          "LEAKY_RELU",
          "ELU",
          "GELU",
          "HARD_SWISH",
          "TANH",
          "LOGISTIC",
          "SOFTMAX",
          "LOG_SOFTMAX",
          "L2_NORMALIZATION",
          "LOCAL_RESPONSE_NORMALIZATION",
          "CONV_2D",
          "DEPTHWISE_CONV_2D",
          "AVERAGE_POOL_2D",
          "MAX_POOL_2D",
          "L2_POOL_2D",
          "RESIZE_BILINEAR",
          "RESIZE_NEAREST_NEIGHBOR",
          "MEAN",
          NULL}},
        {RULE_PARTS, {"CONCATENATION", "SPLIT", NULL}},
        {RULE_ELEMENTS, {"RESHAPE", "SQUEEZE", "EXPAND_DIMS", NULL}},
        {RULE_DENSE, {"FULLY_CONNECTED", NULL}},
        {RULE_FIXED, {"SHAPE", "RANK", NULL}},
    };
    const struct tflite_builtin *builtin = tflite_builtin_at(op->code);
    for (size_t r = 0; builtin && r < sizeof rows / sizeof *rows; r++)
        for (const char *const *name = rows[r].names; *name; name++)
            if (strcmp(*name, builtin->name) == 0)
                return rows[r].rule;
    return RULE_NONE;
}

struct finder {
    const struct tflite_model *model;
    struct tflite_subgraph subgraph;
    uint64_t *first; /* [tensors] */
};

/* The tensor at a position of a list; *index is UINT32_MAX for an optional one that is missing. */
static enum status get_tensor(const struct finder *finder, const struct flatbuffer_vector *list,
                              uint32_t i, uint32_t *index, struct tflite_tensor *tensor)
{
    *tensor = (struct tflite_tensor){0};
    *index = flatbuffer_element(list, i);
    if (*index == UINT32_MAX)
        return STATUS_OK;
    if (*index >= finder->subgraph.tensors.count)
        return flatbuffer_fail(&finder->model->file, list->at + 4 * (size_t)i,
                               "found tensor %d, expected one of the %u of the subgraph",
                               (int)*index, finder->subgraph.tensors.count);
    TRY(tflite_model_tensor(&finder->subgraph, *index, tensor));
    if (tensor->open & ~1u)
        return flatbuffer_fail(&finder->model->file, tensor->at,
                               "found a dynamic dimension behind the first of tensor %u, expected "
                               "only the batch to be dynamic",
                               *index);
    return STATUS_OK;
}

/* Elements of a tensor for each unit of its first dimension. */
static uint64_t get_rest(const struct tflite_tensor *tensor)
{
    uint64_t rest = 1;
    for (uint32_t d = 1; d < tensor->rank; d++)
        rest *= tensor->dimension[d];
    return rest;
}

/* What is read that depends on the batch. */
struct read {
    uint64_t first;           /* dimension, the same for all; 0: nothing depends on it */
    uint64_t rest;            /* of all of it together */
    uint64_t elements, width; /* of the first input, and of each row of the second, a weight */
    bool is_mixed;            /* the first dimensions differ */
};

static enum status read_inputs(const struct finder *finder, const struct tflite_operator *op,
                               struct read *read)
{
    *read = (struct read){0};
    for (uint32_t i = 0; i < op->inputs.count; i++) {
        struct tflite_tensor tensor;
        uint32_t index;
        TRY(get_tensor(finder, &op->inputs, i, &index, &tensor));
        uint64_t first = index == UINT32_MAX ? 0 : finder->first[index];
        if (i == 1 && tensor.rank == 2)
            read->width = tensor.dimension[1];
        if (!first)
            continue;
        if (i == 0 && !checked_multiply(first, get_rest(&tensor), &read->elements))
            read->elements = 0;
        read->is_mixed |= read->first && read->first != first;
        read->first = first;
        read->rest += get_rest(&tensor);
    }
    return STATUS_OK;
}

/* The first dimension of an output whose first dimension is dynamic; 0 where it is not known. */
static uint64_t find_first(enum rule rule, const struct read *read,
                           const struct tflite_tensor *output)
{
    uint64_t rest = get_rest(output), elements = read->elements;
    if (rule == RULE_KEPT || rule == RULE_PARTS)
        return read->is_mixed ? 0 : read->first;
    if (rule == RULE_DENSE) {
        if (!read->width || elements % read->width || !output->rank ||
            !checked_multiply(elements / read->width, output->dimension[output->rank - 1],
                              &elements))
            return 0;
    } else if (rule != RULE_ELEMENTS) {
        return 0;
    }
    return rest && elements % rest == 0 ? elements / rest : 0;
}

static enum status find_outputs(struct finder *finder, const struct tflite_operator *op)
{
    enum rule rule = find_rule(op);
    uint64_t rest = 0;
    struct read read;
    TRY(read_inputs(finder, op, &read));
    for (uint32_t i = 0; i < op->outputs.count; i++) {
        struct tflite_tensor tensor;
        uint32_t index;
        TRY(get_tensor(finder, &op->outputs, i, &index, &tensor));
        if (index == UINT32_MAX || (!read.first && !tensor.open))
            continue;
        rest += get_rest(&tensor);
        if (tensor.open)
            finder->first[index] = read.first ? find_first(rule, &read, &tensor) : 0;
        if (tensor.open ? !finder->first[index] : rule != RULE_FIXED)
            return flatbuffer_fail(&finder->model->file, op->at,
                                   "found an operator with builtin code %u whose output %u does "
                                   "not follow from the batch, expected one that hands it on",
                                   (unsigned)op->code, i);
    }
    if (rule == RULE_PARTS && rest != read.rest)
        return flatbuffer_fail(&finder->model->file, op->at,
                               "found batches that are cut or joined, expected each whole");
    return STATUS_OK;
}

static enum status find(struct finder *finder, uint64_t batch)
{
    const struct tflite_subgraph *subgraph = &finder->subgraph;
    bool found = false;
    for (uint32_t i = 0; i < subgraph->inputs.count; i++) {
        struct tflite_tensor tensor;
        uint32_t index;
        TRY(get_tensor(finder, &subgraph->inputs, i, &index, &tensor));
        if (!tensor.open)
            continue;
        finder->first[index] = batch;
        found = true;
    }
    if (!found)
        return flatbuffer_fail(&finder->model->file, subgraph->at,
                               "found a value or range for the batch and fixed shapes of all "
                               "%u inputs, expected an input whose first dimension is dynamic (-1 "
                               "in its shape signature), or no such parameter",
                               subgraph->inputs.count);
    for (uint32_t i = 0; i < subgraph->operators.count; i++) {
        struct tflite_operator op;
        TRY(tflite_model_operator(subgraph, i, &op));
        TRY(find_outputs(finder, &op));
    }
    return STATUS_OK;
}

enum status tflite_batch_find(const struct tflite_model *model, uint64_t batch,
                              uint64_t **first_dimension)
{
    struct finder finder = {.model = model};
    SCOPED(memory_release) uint64_t *first = NULL;
    if (model->subgraphs.count != 1)
        return flatbuffer_fail(&model->file, model->subgraphs.at,
                               "found %u subgraphs, expected one where the batch is dynamic",
                               model->subgraphs.count);
    TRY(tflite_model_subgraph(model, 0, &finder.subgraph));
    TRY(memory_create(&first, finder.subgraph.tensors.count, sizeof *first, model->file.error));
    finder.first = first;
    TRY(find(&finder, batch));
    *first_dimension = first;
    first = NULL;
    return STATUS_OK;
}
