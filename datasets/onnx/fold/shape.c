#include <string.h>

#include "datasets/onnx/fold/rows.h"

/* An axis counted from the front; -1 for one that does not exist. */
static int64_t count_axis(int64_t axis, uint32_t rank)
{
    axis += axis < 0 ? rank : 0;
    return axis >= 0 && axis < rank ? axis : -1;
}

static struct onnx_number *copy_items(const struct onnx_fold *fold, const struct onnx_number *input,
                                      uint32_t rank, const int64_t *dimension)
{
    struct onnx_number *result = onnx_number_create(fold->model, input->element, rank, dimension);
    if (!result || result->count != input->count)
        return NULL;
    memcpy(result->item, input->item, result->count * sizeof *result->item);
    return result;
}

struct onnx_number *onnx_fold_constant(const struct onnx_fold *fold)
{
    const Onnx__AttributeProto *value = onnx_node_attribute(fold->node, "value");
    return value && value->t ? onnx_number_read(fold->model, value->t) : NULL;
}

struct onnx_number *onnx_fold_identity(const struct onnx_fold *fold)
{
    const struct onnx_number *input = onnx_fold_input(fold, 0);
    return input ? copy_items(fold, input, input->rank, input->dimension) : NULL;
}

/* Casts integers to another type if that can hold them; otherwise the node is not folded. */
struct onnx_number *onnx_fold_cast(const struct onnx_fold *fold)
{
    int64_t to = onnx_node_integer(fold->node, "to", 0);
    struct onnx_number *result = onnx_fold_identity(fold);
    bool is_bool = to == ONNX__TENSOR_PROTO__DATA_TYPE__BOOL;
    if (!result ||
        (!is_bool && to != ONNX__TENSOR_PROTO__DATA_TYPE__INT64 &&
         to != ONNX__TENSOR_PROTO__DATA_TYPE__INT32 && to != ONNX__TENSOR_PROTO__DATA_TYPE__FLOAT &&
         to != ONNX__TENSOR_PROTO__DATA_TYPE__DOUBLE))
        return NULL;
    result->element = (int32_t)to;
    for (uint32_t i = 0; i < result->count; i++) {
        bool known = result->item[i] != ONNX_NUMBER_UNKNOWN;
        bool small = result->item[i] >= -(1 << 24) && result->item[i] <= 1 << 24;
        if (known && is_bool)
            result->item[i] = result->item[i] != 0;
        else if (known && !small && to != ONNX__TENSOR_PROTO__DATA_TYPE__INT64)
            result->item[i] = ONNX_NUMBER_UNKNOWN;
    }
    return result;
}

struct onnx_number *onnx_fold_shape(const struct onnx_fold *fold)
{
    const struct onnx_value *value = onnx_model_find(fold->model, onnx_node_input(fold->node, 0));
    if (!value || !value->has_rank)
        return NULL;
    int64_t rank = value->rank, start = onnx_node_integer(fold->node, "start", 0);
    int64_t end = onnx_node_integer(fold->node, "end", rank);
    start = start < -rank ? 0 : start < 0 ? start + rank : start > rank ? rank : start;
    end = end < -rank ? 0 : end < 0 ? end + rank : end > rank ? rank : end;
    int64_t count = end > start ? end - start : 0;
    struct onnx_number *result =
        onnx_number_create(fold->model, ONNX__TENSOR_PROTO__DATA_TYPE__INT64, 1, &count);
    for (int64_t i = 0; result && i < count; i++)
        if (value->dimension[start + i] >= 0)
            result->item[i] = value->dimension[start + i];
    return result;
}

struct onnx_number *onnx_fold_size(const struct onnx_fold *fold)
{
    const struct onnx_value *value = onnx_model_find(fold->model, onnx_node_input(fold->node, 0));
    int64_t size = 1;
    if (!value || !value->has_rank)
        return NULL;
    for (uint32_t i = 0; i < value->rank; i++)
        if (value->dimension[i] < 0 || __builtin_mul_overflow(size, value->dimension[i], &size))
            return NULL;
    struct onnx_number *result =
        onnx_number_create(fold->model, ONNX__TENSOR_PROTO__DATA_TYPE__INT64, 0, NULL);
    if (result)
        result->item[0] = size;
    return result;
}

/* Gathers from lists only, since shapes are lists. */
struct onnx_number *onnx_fold_gather(const struct onnx_fold *fold)
{
    const struct onnx_number *input = onnx_fold_input(fold, 0), *index = onnx_fold_input(fold, 1);
    if (!input || !index || input->rank != 1)
        return NULL;
    struct onnx_number *result =
        onnx_number_create(fold->model, input->element, index->rank, index->dimension);
    for (uint32_t i = 0; result && i < result->count; i++) {
        int64_t at =
            index->item[i] == ONNX_NUMBER_UNKNOWN ? -1 : count_axis(index->item[i], input->count);
        if (at >= 0)
            result->item[i] = input->item[at];
    }
    return result;
}

/* One axis of a slice, as ONNX cuts start and end to the axis. */
struct cut {
    int64_t start, step, count;
};

static struct cut make_cut(int64_t start, int64_t end, int64_t step, int64_t size)
{
    struct cut cut = {.step = step};
    if (!size)
        return cut;
    int64_t least = step > 0 ? 0 : -1, most = step > 0 ? size : size - 1;
    start += start < 0 ? size : 0;
    end += end < 0 ? size : 0;
    cut.start = start < 0 ? 0 : start > most ? most : start;
    end = end < least ? least : end > size ? size : end;
    if (step > 0 && end > cut.start)
        cut.count = (end - cut.start - 1) / step + 1;
    if (step < 0 && cut.start > end)
        cut.count = (cut.start - end - 1) / -step + 1;
    return cut;
}

/* How each axis is cut by the inputs of a Slice from the second on, or by its attributes of old:
   one number for each axis that is cut. */
static bool find_cuts(const struct onnx_fold *fold, const struct onnx_number *input,
                      struct cut *cuts)
{
    static const char *const names[] = {"starts", "ends", "axes", "steps"};
    const int64_t *list[4];
    size_t count[4];
    for (size_t i = 0; i < 4; i++) {
        const Onnx__AttributeProto *attribute = onnx_node_attribute(fold->node, names[i]);
        const struct onnx_number *number = onnx_fold_input(fold, i + 1);
        bool omitted = !attribute && !*onnx_node_input(fold->node, i + 1);
        list[i] = attribute ? attribute->ints : number ? number->item : NULL;
        count[i] = attribute ? attribute->n_ints : number ? number->count : 0;
        if (!omitted && !attribute && (!number || !onnx_number_is_known(number)))
            return false;
    }
    if (!list[0] || count[1] != count[0] || (list[2] && count[2] != count[0]) ||
        (list[3] && count[3] != count[0]))
        return false;
    for (uint32_t d = 0; d < input->rank; d++)
        cuts[d] = (struct cut){0, 1, input->dimension[d]};
    for (size_t i = 0; i < count[0]; i++) {
        int64_t axis = count_axis(list[2] ? list[2][i] : (int64_t)i, input->rank);
        int64_t step = list[3] ? list[3][i] : 1;
        if (axis < 0 || !step || step == INT64_MIN)
            return false;
        cuts[axis] = make_cut(list[0][i], list[1][i], step, input->dimension[axis]);
    }
    return true;
}

struct onnx_number *onnx_fold_slice(const struct onnx_fold *fold)
{
    const struct onnx_number *input = onnx_fold_input(fold, 0);
    struct cut cuts[ONNX_MOST_DIMENSIONS] = {{0}};
    int64_t dimension[ONNX_MOST_DIMENSIONS];
    if (!input || !find_cuts(fold, input, cuts))
        return NULL;
    for (uint32_t d = 0; d < input->rank; d++)
        dimension[d] = cuts[d].count;
    struct onnx_number *result =
        onnx_number_create(fold->model, input->element, input->rank, dimension);
    for (uint32_t i = 0; result && i < result->count; i++) {
        int64_t left = i, place = 0, stride = 1;
        for (uint32_t d = input->rank; d-- > 0;) {
            place += (cuts[d].start + left % cuts[d].count * cuts[d].step) * stride;
            left /= cuts[d].count;
            stride *= input->dimension[d];
        }
        result->item[i] = input->item[place];
    }
    return result;
}

/* Joins lists. */
struct onnx_number *onnx_fold_concat(const struct onnx_fold *fold)
{
    const struct onnx_number *first = onnx_fold_input(fold, 0);
    int64_t count = 0, done = 0;
    for (size_t i = 0; i < fold->node->n_input; i++) {
        const struct onnx_number *input = onnx_fold_input(fold, i);
        if (!input || input->rank != 1)
            return NULL;
        count += input->count;
    }
    if (!first)
        return NULL;
    struct onnx_number *result = onnx_number_create(fold->model, first->element, 1, &count);
    for (size_t i = 0; result && i < fold->node->n_input; i++) {
        const struct onnx_number *input = onnx_fold_input(fold, i);
        memcpy(result->item + done, input->item, input->count * sizeof *input->item);
        done += input->count;
    }
    return result;
}

struct onnx_number *onnx_fold_reshape(const struct onnx_fold *fold)
{
    const struct onnx_number *input = onnx_fold_input(fold, 0), *shape = onnx_fold_input(fold, 1);
    int64_t dimension[ONNX_MOST_DIMENSIONS], product = 1;
    int64_t open = -1;
    if (!input || !shape || shape->count > ONNX_MOST_DIMENSIONS || !onnx_number_is_known(shape))
        return NULL;
    for (uint32_t i = 0; i < shape->count; i++) {
        dimension[i] = shape->item[i];
        if (dimension[i] == 0 && i < input->rank)
            dimension[i] = input->dimension[i];
        if (dimension[i] == -1)
            open = i;
        else if (dimension[i] < 0 || __builtin_mul_overflow(product, dimension[i], &product))
            return NULL;
    }
    if (open >= 0 && product)
        dimension[open] = input->count / product;
    return copy_items(fold, input, shape->count, dimension);
}

/* Transposes a table; a list stays as it is. */
struct onnx_number *onnx_fold_transpose(const struct onnx_fold *fold)
{
    const struct onnx_number *input = onnx_fold_input(fold, 0);
    const Onnx__AttributeProto *order = onnx_node_attribute(fold->node, "perm");
    bool stays = order && order->n_ints == 2 && order->ints[0] == 0;
    if (!input || input->rank > 2)
        return NULL;
    if (input->rank < 2 || stays)
        return onnx_fold_identity(fold);
    const int64_t turned[] = {input->dimension[1], input->dimension[0]};
    struct onnx_number *result = onnx_number_create(fold->model, input->element, 2, turned);
    for (uint32_t i = 0; result && i < result->count; i++) {
        uint32_t rows = (uint32_t)turned[1], columns = (uint32_t)turned[0];
        result->item[i] = input->item[i % rows * columns + i / rows];
    }
    return result;
}

struct onnx_number *onnx_fold_squeeze(const struct onnx_fold *fold)
{
    const struct onnx_number *input = onnx_fold_input(fold, 0);
    bool drop[ONNX_MOST_DIMENSIONS] = {false};
    int64_t dimension[ONNX_MOST_DIMENSIONS];
    const int64_t *axes;
    uint32_t rank = 0;
    size_t count;
    if (!input || !onnx_fold_axes(fold, 1, &axes, &count))
        return NULL;
    for (size_t i = 0; i < count; i++) {
        int64_t axis = count_axis(axes[i], input->rank);
        if (axis < 0)
            return NULL;
        drop[axis] = true;
    }
    for (uint32_t d = 0; d < input->rank; d++)
        if (axes ? !drop[d] : input->dimension[d] != 1)
            dimension[rank++] = input->dimension[d];
    return copy_items(fold, input, rank, dimension);
}

struct onnx_number *onnx_fold_unsqueeze(const struct onnx_fold *fold)
{
    const struct onnx_number *input = onnx_fold_input(fold, 0);
    bool added[ONNX_MOST_DIMENSIONS] = {false};
    int64_t dimension[ONNX_MOST_DIMENSIONS];
    const int64_t *axes;
    uint32_t taken = 0;
    size_t count;
    if (!input || !onnx_fold_axes(fold, 1, &axes, &count) ||
        count > ONNX_MOST_DIMENSIONS - input->rank)
        return NULL;
    uint32_t rank = input->rank + (uint32_t)count;
    for (size_t i = 0; i < count; i++) {
        int64_t axis = count_axis(axes[i], rank);
        if (axis < 0 || added[axis])
            return NULL;
        added[axis] = true;
    }
    for (uint32_t d = 0; d < rank; d++)
        dimension[d] = added[d] ? 1 : input->dimension[taken++];
    return copy_items(fold, input, rank, dimension);
}
