#include <string.h>

#include "datasets/onnx/fold/rows.h"

/* The shape to which two shapes are broadcast; false if they do not fit each other. */
static bool spread_shapes(const struct onnx_number *left, const struct onnx_number *right,
                          uint32_t *rank, int64_t *dimension)
{
    *rank = left->rank > right->rank ? left->rank : right->rank;
    for (uint32_t i = 0; i < *rank; i++) {
        uint32_t from_end = *rank - i;
        int64_t one = from_end <= left->rank ? left->dimension[left->rank - from_end] : 1;
        int64_t other = from_end <= right->rank ? right->dimension[right->rank - from_end] : 1;
        if (one != other && one != 1 && other != 1)
            return false;
        dimension[i] = one == 1 ? other : one;
    }
    return true;
}

/* The item of a number that stands at position i of the shape to which it is broadcast. */
static int64_t get_spread(const struct onnx_number *number, const struct onnx_number *result,
                          uint32_t i)
{
    uint32_t place = 0, stride = 1, left = i;
    for (uint32_t d = 0; d < result->rank; d++) {
        uint32_t size = (uint32_t)result->dimension[result->rank - 1 - d];
        uint32_t at = left % size;
        left /= size;
        if (d >= number->rank)
            continue;
        uint32_t own = (uint32_t)number->dimension[number->rank - 1 - d];
        place += own == 1 ? 0 : at * stride;
        stride *= own;
    }
    return number->item[place];
}

static bool is_float(int32_t element)
{
    return element == ONNX__TENSOR_PROTO__DATA_TYPE__FLOAT ||
           element == ONNX__TENSOR_PROTO__DATA_TYPE__DOUBLE;
}

/* Combines two known items; ONNX_NUMBER_UNKNOWN where the result is not an integer or too large. */
static int64_t combine(const char *type, bool whole, int64_t a, int64_t b)
{
    int64_t result = 0;
    bool overflows = false;
    if (strcmp(type, "Add") == 0)
        overflows = __builtin_add_overflow(a, b, &result);
    else if (strcmp(type, "Sub") == 0)
        overflows = __builtin_sub_overflow(a, b, &result);
    else if (strcmp(type, "Mul") == 0)
        overflows = __builtin_mul_overflow(a, b, &result);
    else if (strcmp(type, "Div") == 0 && b && (whole || a % b == 0))
        result = b == -1 ? -a : a / b;
    else if (strcmp(type, "Mod") == 0 && b && whole)
        result = b == -1 ? 0 : (a % b + b) % b;
    else if (strcmp(type, "Max") == 0)
        result = a > b ? a : b;
    else if (strcmp(type, "Min") == 0)
        result = a < b ? a : b;
    else
        overflows = true;
    return overflows ? ONNX_NUMBER_UNKNOWN : result;
}

static bool compare(const char *type, int64_t a, int64_t b, int64_t *result)
{
    const struct {
        const char *type;
        bool holds;
    } rows[] = {{"Equal", a == b}, {"Greater", a > b},      {"GreaterOrEqual", a >= b},
                {"Less", a < b},   {"LessOrEqual", a <= b}, {"And", a && b},
                {"Or", a || b}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (strcmp(rows[i].type, type) == 0) {
            *result = rows[i].holds;
            return true;
        }
    return false;
}

struct onnx_number *onnx_fold_binary(const struct onnx_fold *fold)
{
    const struct onnx_number *left = onnx_fold_input(fold, 0), *right = onnx_fold_input(fold, 1);
    const char *type = onnx_node_type(fold->node);
    int64_t dimension[ONNX_MOST_DIMENSIONS], ignored;
    uint32_t rank;
    if (!left || !right || fold->node->n_input != 2 ||
        !spread_shapes(left, right, &rank, dimension))
        return NULL;
    bool compares = compare(type, 0, 0, &ignored);
    int32_t element = compares ? ONNX__TENSOR_PROTO__DATA_TYPE__BOOL : left->element;
    struct onnx_number *result = onnx_number_create(fold->model, element, rank, dimension);
    for (uint32_t i = 0; result && i < result->count; i++) {
        int64_t a = get_spread(left, result, i), b = get_spread(right, result, i);
        if (a == ONNX_NUMBER_UNKNOWN || b == ONNX_NUMBER_UNKNOWN)
            continue;
        if (!compare(type, a, b, &result->item[i]))
            result->item[i] = combine(type, !is_float(element), a, b);
    }
    return result;
}

struct onnx_number *onnx_fold_unary(const struct onnx_fold *fold)
{
    const struct onnx_number *input = onnx_fold_input(fold, 0);
    const char *type = onnx_node_type(fold->node);
    if (!input)
        return NULL;
    struct onnx_number *result =
        onnx_number_create(fold->model, input->element, input->rank, input->dimension);
    for (uint32_t i = 0; result && i < result->count; i++) {
        int64_t item = input->item[i];
        if (item == ONNX_NUMBER_UNKNOWN)
            continue;
        if (strcmp(type, "Not") == 0)
            item = !item;
        else if (strcmp(type, "Neg") == 0 || (strcmp(type, "Abs") == 0 && item < 0))
            item = -item;
        result->item[i] = item;
    }
    return result;
}

struct onnx_number *onnx_fold_where(const struct onnx_fold *fold)
{
    const struct onnx_number *choice = onnx_fold_input(fold, 0);
    const struct onnx_number *left = onnx_fold_input(fold, 1), *right = onnx_fold_input(fold, 2);
    struct onnx_number both = {0};
    int64_t dimension[ONNX_MOST_DIMENSIONS];
    uint32_t rank;
    if (!choice || !left || !right || !spread_shapes(left, right, &both.rank, both.dimension) ||
        !spread_shapes(choice, &both, &rank, dimension))
        return NULL;
    struct onnx_number *result = onnx_number_create(fold->model, left->element, rank, dimension);
    for (uint32_t i = 0; result && i < result->count; i++) {
        int64_t chosen = get_spread(choice, result, i);
        if (chosen != ONNX_NUMBER_UNKNOWN)
            result->item[i] = get_spread(chosen ? left : right, result, i);
    }
    return result;
}

struct onnx_number *onnx_fold_range(const struct onnx_fold *fold)
{
    int64_t start, limit, step, span;
    const struct onnx_number *first = onnx_fold_input(fold, 0);
    if (!onnx_number_scalar(first, &start) ||
        !onnx_number_scalar(onnx_fold_input(fold, 1), &limit) ||
        !onnx_number_scalar(onnx_fold_input(fold, 2), &step) || !step || step == INT64_MIN ||
        __builtin_sub_overflow(limit, start, &span) || span == INT64_MIN)
        return NULL;
    int64_t count = span / step + (span % step != 0);
    if (span == 0 || (span < 0) != (step < 0))
        count = 0;
    struct onnx_number *result = onnx_number_create(fold->model, first->element, 1, &count);
    for (uint32_t i = 0; result && i < result->count; i++)
        result->item[i] = start + step * (int64_t)i;
    return result;
}

/* Reduces a list to one number; other reductions are not known. */
struct onnx_number *onnx_fold_reduce(const struct onnx_fold *fold)
{
    const struct onnx_number *input = onnx_fold_input(fold, 0);
    const char *type = onnx_node_type(fold->node) + strlen("Reduce");
    const char *combined = strcmp(type, "Sum") == 0    ? "Add"
                           : strcmp(type, "Prod") == 0 ? "Mul"
                                                       : type;
    const int64_t one = 1;
    if (!input || input->rank != 1 || !input->count)
        return NULL;
    uint32_t rank = onnx_node_integer(fold->node, "keepdims", 1) ? 1 : 0;
    struct onnx_number *result = onnx_number_create(fold->model, input->element, rank, &one);
    if (!result)
        return NULL;
    result->item[0] = input->item[0];
    for (uint32_t i = 1; i < input->count; i++)
        result->item[0] =
            result->item[0] == ONNX_NUMBER_UNKNOWN || input->item[i] == ONNX_NUMBER_UNKNOWN
                ? ONNX_NUMBER_UNKNOWN
                : combine(combined, !is_float(input->element), result->item[0], input->item[i]);
    return result;
}

struct onnx_number *onnx_fold_constant_of_shape(const struct onnx_fold *fold)
{
    const struct onnx_number *shape = onnx_fold_input(fold, 0);
    const Onnx__AttributeProto *value = onnx_node_attribute(fold->node, "value");
    const struct onnx_number *item =
        value && value->t ? onnx_number_read(fold->model, value->t) : NULL;
    if (!shape || shape->rank != 1 || !onnx_number_is_known(shape) ||
        shape->count > ONNX_MOST_DIMENSIONS || !item || item->count != 1)
        return NULL;
    if (item->element != ONNX__TENSOR_PROTO__DATA_TYPE__INT64)
        return NULL;
    struct onnx_number *result =
        onnx_number_create(fold->model, item->element, shape->count, shape->item);
    for (uint32_t i = 0; result && i < result->count; i++)
        result->item[i] = item->item[0];
    return result;
}
