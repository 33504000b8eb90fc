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

/* In alphabetical order, since it is searched by bisection. To add an operator: a row. */
static const struct operator_row operators[] = {
    {"Abs", onnx_flops_output, 1, ONLY},
    {"Acos", onnx_flops_output, 1, ONLY},
    {"Acosh", onnx_flops_output, 1, ONLY},
    {"Add", onnx_flops_output, 1, BOTH},
    {"And", onnx_flops_output, 1, BOTH},
    {"ArgMax", onnx_flops_input, 1, NONE},
    {"ArgMin", onnx_flops_input, 1, NONE},
    {"Asin", onnx_flops_output, 1, ONLY},
    {"Asinh", onnx_flops_output, 1, ONLY},
    {"Atan", onnx_flops_output, 1, ONLY},
    {"Atanh", onnx_flops_output, 1, ONLY},
    {"AveragePool", onnx_flops_pool, 1, NONE},
    {"BatchNormalization", onnx_flops_output, 2, FIRST},
    {"BitShift", onnx_flops_output, 1, BOTH},
    {"BitwiseAnd", onnx_flops_output, 1, BOTH},
    {"BitwiseNot", onnx_flops_output, 1, ONLY},
    {"BitwiseOr", onnx_flops_output, 1, BOTH},
    {"BitwiseXor", onnx_flops_output, 1, BOTH},
    {"Cast", NULL, 0, FIRST},
    {"CastLike", NULL, 0, FIRST},
    {"Ceil", onnx_flops_output, 1, ONLY},
    {"Celu", onnx_flops_output, 1, ONLY},
    {"Clip", onnx_flops_output, 1, ONLY},
    {"Compress", NULL, 0, NONE},
    {"Concat", NULL, 0, NONE},
    {"Constant", NULL, 0, NONE},
    {"ConstantOfShape", NULL, 0, NONE},
    {"Conv", onnx_flops_conv, 1, NONE},
    {"ConvInteger", onnx_flops_conv, 1, NONE},
    {"ConvTranspose", onnx_flops_conv_transpose, 1, NONE},
    {"Cos", onnx_flops_output, 1, ONLY},
    {"Cosh", onnx_flops_output, 1, ONLY},
    {"CumSum", onnx_flops_output, 1, NONE},
    {"DepthToSpace", NULL, 0, NONE},
    {"DequantizeLinear", onnx_flops_output, 2, NONE},
    {"Div", onnx_flops_output, 1, BOTH},
    {"Dropout", NULL, 0, FIRST},
    {"DynamicQuantizeLinear", onnx_flops_output, 2, NONE},
    {"Elu", onnx_flops_output, 1, ONLY},
    {"Equal", onnx_flops_output, 1, BOTH},
    {"Erf", onnx_flops_output, 1, ONLY},
    {"Exp", onnx_flops_output, 1, ONLY},
    {"Expand", NULL, 0, NONE},
    {"EyeLike", NULL, 0, NONE},
    {"Flatten", NULL, 0, FIRST},
    {"Floor", onnx_flops_output, 1, ONLY},
    {"GRU", onnx_flops_recurrent, 1, NONE},
    {"Gather", NULL, 0, NONE},
    {"GatherElements", NULL, 0, NONE},
    {"GatherND", NULL, 0, NONE},
    {"Gelu", onnx_flops_output, 1, ONLY},
    {"Gemm", onnx_flops_gemm, 1, NONE},
    {"GlobalAveragePool", onnx_flops_input, 1, NONE},
    {"GlobalLpPool", onnx_flops_input, 1, NONE},
    {"GlobalMaxPool", onnx_flops_input, 1, NONE},
    {"Greater", onnx_flops_output, 1, BOTH},
    {"GreaterOrEqual", onnx_flops_output, 1, BOTH},
    {"GridSample", onnx_flops_output, 1, NONE},
    {"GroupNormalization", onnx_flops_output, 5, NONE},
    {"HardSigmoid", onnx_flops_output, 1, ONLY},
    {"HardSwish", onnx_flops_output, 1, ONLY},
    {"Hardmax", onnx_flops_output, 3, FIRST},
    {"Identity", NULL, 0, FIRST},
    {"If", NULL, 0, NONE},
    {"InstanceNormalization", onnx_flops_output, 5, NONE},
    {"IsInf", onnx_flops_output, 1, ONLY},
    {"IsNaN", onnx_flops_output, 1, ONLY},
    {"LRN", onnx_flops_output, 5, NONE},
    {"LSTM", onnx_flops_recurrent, 1, NONE},
    {"LayerNormalization", onnx_flops_output, 5, NONE},
    {"LeakyRelu", onnx_flops_output, 1, ONLY},
    {"Less", onnx_flops_output, 1, BOTH},
    {"LessOrEqual", onnx_flops_output, 1, BOTH},
    {"Log", onnx_flops_output, 1, ONLY},
    {"LogSoftmax", onnx_flops_output, 3, FIRST},
    {"Loop", NULL, 0, NONE},
    {"LpNormalization", onnx_flops_output, 5, NONE},
    {"LpPool", onnx_flops_pool, 1, NONE},
    {"MatMul", onnx_flops_matmul, 1, NONE},
    {"MatMulInteger", onnx_flops_matmul, 1, NONE},
    {"Max", onnx_flops_output, 1, BOTH},
    {"MaxPool", onnx_flops_pool, 1, NONE},
    {"Mean", onnx_flops_output, 1, BOTH},
    {"MeanVarianceNormalization", onnx_flops_output, 5, NONE},
    {"Min", onnx_flops_output, 1, BOTH},
    {"Mish", onnx_flops_output, 1, ONLY},
    {"Mod", onnx_flops_output, 1, BOTH},
    {"Mul", onnx_flops_output, 1, BOTH},
    {"Neg", onnx_flops_output, 1, ONLY},
    {"NonZero", NULL, 0, NONE},
    {"Not", onnx_flops_output, 1, ONLY},
    {"OneHot", NULL, 0, NONE},
    {"Or", onnx_flops_output, 1, BOTH},
    {"PRelu", onnx_flops_output, 1, FIRST},
    {"Pad", NULL, 0, NONE},
    {"Pow", onnx_flops_output, 1, BOTH},
    {"QuantizeLinear", onnx_flops_output, 2, NONE},
    {"RNN", onnx_flops_recurrent, 1, NONE},
    {"Range", NULL, 0, NONE},
    {"Reciprocal", onnx_flops_output, 1, ONLY},
    {"ReduceL1", onnx_flops_input, 1, NONE},
    {"ReduceL2", onnx_flops_input, 1, NONE},
    {"ReduceLogSum", onnx_flops_input, 1, NONE},
    {"ReduceLogSumExp", onnx_flops_input, 1, NONE},
    {"ReduceMax", onnx_flops_input, 1, NONE},
    {"ReduceMean", onnx_flops_input, 1, NONE},
    {"ReduceMin", onnx_flops_input, 1, NONE},
    {"ReduceProd", onnx_flops_input, 1, NONE},
    {"ReduceSum", onnx_flops_input, 1, NONE},
    {"ReduceSumSquare", onnx_flops_input, 1, NONE},
    {"Relu", onnx_flops_output, 1, ONLY},
    {"Reshape", NULL, 0, FIRST},
    {"Resize", onnx_flops_output, 1, NONE},
    {"ReverseSequence", NULL, 0, NONE},
    {"Round", onnx_flops_output, 1, ONLY},
    {"Scan", NULL, 0, NONE},
    {"Scatter", NULL, 0, FIRST},
    {"ScatterElements", NULL, 0, FIRST},
    {"ScatterND", NULL, 0, FIRST},
    {"Selu", onnx_flops_output, 1, ONLY},
    {"Shape", NULL, 0, NONE},
    {"Shrink", onnx_flops_output, 1, ONLY},
    {"Sigmoid", onnx_flops_output, 1, ONLY},
    {"Sign", onnx_flops_output, 1, ONLY},
    {"Sin", onnx_flops_output, 1, ONLY},
    {"Sinh", onnx_flops_output, 1, ONLY},
    {"Size", NULL, 0, NONE},
    {"Slice", NULL, 0, NONE},
    {"Softmax", onnx_flops_output, 3, FIRST},
    {"Softplus", onnx_flops_output, 1, ONLY},
    {"Softsign", onnx_flops_output, 1, ONLY},
    {"SpaceToDepth", NULL, 0, NONE},
    {"Split", NULL, 0, NONE},
    {"Sqrt", onnx_flops_output, 1, ONLY},
    {"Squeeze", NULL, 0, FIRST},
    {"Sub", onnx_flops_output, 1, BOTH},
    {"Sum", onnx_flops_output, 1, BOTH},
    {"Tan", onnx_flops_output, 1, ONLY},
    {"Tanh", onnx_flops_output, 1, ONLY},
    {"ThresholdedRelu", onnx_flops_output, 1, ONLY},
    {"Tile", NULL, 0, NONE},
    {"TopK", onnx_flops_input, 1, NONE},
    {"Transpose", NULL, 0, NONE},
    {"Unsqueeze", NULL, 0, FIRST},
    {"Upsample", onnx_flops_output, 1, NONE},
    {"Where", onnx_flops_output, 1, LATER},
    {"Xor", onnx_flops_output, 1, BOTH},
};

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
