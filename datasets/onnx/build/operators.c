#include "datasets/onnx/build/operators.h"

#include <stdlib.h>
#include <string.h>

#include "datasets/onnx/build/flops.h"
#include "datasets/onnx/shapes/sizes.h"

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

static bool have_same_layout(const struct onnx_model *model, const char *first, const char *second)
{
    const struct onnx_value *one = onnx_model_find(model, first);
    const struct onnx_value *other = onnx_model_find(model, second);
    uint64_t one_bytes, other_bytes;
    if (!one || !other || onnx_sizes_get(model, first, &one_bytes) ||
        onnx_sizes_get(model, second, &other_bytes))
        return false;
    return one_bytes == other_bytes &&
           onnx_sizes_bits(one->element) == onnx_sizes_bits(other->element);
}

bool onnx_operators_inplace(const struct onnx_model *model, const Onnx__NodeProto *node,
                            size_t input)
{
    const struct operator_row *row = find_row(node);
    if (!row || input >= 32 || !(row->inplace >> input & 1))
        return false;
    return have_same_layout(model, onnx_node_input(node, input), onnx_node_output(node, 0));
}
