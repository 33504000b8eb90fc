#include "planning/sizes/sizes.h"

#include <assert.h>
#include <inttypes.h>
#include <string.h>

#include "core/checked.h"
#include "core/memory.h"

enum status sizes_create(struct symbolic_sizes **created, struct error *error)
{
    SCOPED(sizes_release) struct symbolic_sizes *sizes = NULL;
    TRY(memory_create(&sizes, 1, sizeof *sizes, error));
    TRY(memory_reserve(&sizes->first, &sizes->first_capacity, 1, sizeof *sizes->first, error));
    sizes->first[0] = 0;
    HAND_OVER(sizes, created);
}

void sizes_free(struct symbolic_sizes *sizes)
{
    if (!sizes)
        return;
    names_free(&sizes->parameter);
    memory_free_all(sizes->least, sizes->greatest, sizes->first, sizes->step, sizes);
}

enum status sizes_create_like(const struct symbolic_sizes *source, struct symbolic_sizes **created,
                              struct error *error)
{
    SCOPED(sizes_release) struct symbolic_sizes *sizes = NULL;
    TRY(sizes_create(&sizes, error));
    for (uint32_t p = 0; p < source->parameter.count; p++)
        TRY(sizes_add_parameter(sizes, names_get(&source->parameter, p), source->least[p],
                                source->greatest[p], error));
    HAND_OVER(sizes, created);
}

static bool is_identifier(const char *name)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_";
    static const char others[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789";
    enum { MOST = 64 };
    size_t length = strlen(name);
    return length && length <= MOST && strchr(letters, *name) && strspn(name, others) == length;
}

enum status sizes_add_parameter(struct symbolic_sizes *sizes, const char *name, uint64_t least,
                                uint64_t greatest, struct error *error)
{
    uint32_t p = sizes->parameter.count;
    assert(!sizes->count);
    if (!is_identifier(name))
        return error_set(error, STATUS_BAD_INPUT,
                         "found '%s' as a parameter, expected a name of up to 64 letters, digits "
                         "and underscores that begins with no digit",
                         name);
    if (names_find(&sizes->parameter, name) != NAMES_NONE)
        return error_set(error, STATUS_BAD_INPUT, "found parameter '%s' again, expected each once",
                         name);
    if (least > greatest || greatest > INT64_MAX)
        return error_set(error, STATUS_BAD_INPUT,
                         "found %" PRIu64 " to %" PRIu64 " as the range of parameter '%s', "
                         "expected the least value first, and none above 2^63 - 1",
                         least, greatest, name);
    TRY(memory_reserve(&sizes->least, &sizes->range_capacity, p + 1, sizeof *sizes->least, error));
    TRY(memory_reserve(&sizes->greatest, &sizes->greatest_capacity, p + 1, sizeof *sizes->greatest,
                       error));
    TRY(names_add(&sizes->parameter, name, error));
    sizes->least[p] = least;
    sizes->greatest[p] = greatest;
    return STATUS_OK;
}

/* Makes the steps up to `end` the next expression, unless its values do not fit. */
static enum status close_expression(struct symbolic_sizes *sizes, size_t end, struct error *error)
{
    assert(end > sizes->first[sizes->count]);
    SCOPED(text_free) struct text text = {0};
    SCOPED(text_free) struct text where = {0};
    uint64_t value, most;
    TRY(memory_reserve(&sizes->first, &sizes->first_capacity, (size_t)sizes->count + 2,
                       sizeof *sizes->first, error));
    sizes->first[++sizes->count] = end;
    uint32_t index = sizes->count - 1;
    bool is_positive = sizes_value(sizes, index, sizes->least, &value) && value;
    if (is_positive && sizes_value(sizes, index, sizes->greatest, &most)) {
        assert(most >= value);
        return STATUS_OK;
    }
    sizes_write(sizes, index, false, &text);
    sizes_write_point(sizes, is_positive ? sizes->greatest : sizes->least, &where);
    TRY(text_check(&text, error));
    TRY(text_check(&where, error));
    sizes->count--;
    return error_set(error, STATUS_BAD_INPUT,
                     "size '%s' is below 1 or above 2^63 - 1 at %s, expected neither", text.bytes,
                     where.bytes ? where.bytes : "every point");
}

enum status sizes_add(struct symbolic_sizes *sizes, const char *text, struct error *error)
{
    size_t end = sizes->first[sizes->count];
    TRY(sizes_parse(&sizes->parameter, text, &sizes->step, &sizes->step_capacity, &end, error));
    return close_expression(sizes, end, error);
}

enum status sizes_add_number(struct symbolic_sizes *sizes, uint64_t number, struct error *error)
{
    size_t begin = sizes->first[sizes->count];
    TRY(memory_reserve(&sizes->step, &sizes->step_capacity, begin + 1, sizeof *sizes->step, error));
    sizes->step[begin] = (struct size_step){SIZES_NUMBER, number};
    return close_expression(sizes, begin + 1, error);
}

/* Computes what a step makes of the upper two numbers on the stack, or of the uppermost one and the
   step's own. */
static bool combine(struct size_step step, uint64_t a, uint64_t b, uint64_t *result)
{
    assert(step.kind < SIZES_CEIL || step.number > 0);
    switch (step.kind) {
    case SIZES_ADD:
        return checked_add(a, b, result);
    case SIZES_SUBTRACT:
        *result = a - b;
        return a >= b;
    case SIZES_MULTIPLY:
        return checked_multiply(a, b, result);
    case SIZES_MAX:
        *result = a > b ? a : b;
        return true;
    case SIZES_CEIL:
        *result = a / step.number + (a % step.number != 0);
        return true;
    case SIZES_FLOOR:
        *result = a / step.number;
        return true;
    default:
        assert(step.kind == SIZES_ALIGN);
        return checked_align(a, step.number, result);
    }
}

bool sizes_are_same(const struct symbolic_sizes *sizes, uint32_t a, uint32_t b)
{
    size_t steps = sizes->first[a + 1] - sizes->first[a];
    bool same = steps == sizes->first[b + 1] - sizes->first[b];
    assert(a < sizes->count && b < sizes->count);
    for (size_t s = 0; same && s < steps; s++) {
        const struct size_step *one = &sizes->step[sizes->first[a] + s];
        const struct size_step *other = &sizes->step[sizes->first[b] + s];
        same = one->kind == other->kind && one->number == other->number;
    }
    return same;
}

bool sizes_value(const struct symbolic_sizes *sizes, uint32_t index, const uint64_t *point,
                 uint64_t *value)
{
    uint64_t stack[SIZES_MOST_DEPTH + 1];
    uint32_t depth = 0;
    assert(index < sizes->count);
    for (size_t s = sizes->first[index]; s < sizes->first[index + 1]; s++) {
        struct size_step step = sizes->step[s];
        if (step.kind == SIZES_NUMBER || step.kind == SIZES_PARAMETER) {
            assert(depth < SIZES_MOST_DEPTH);
            stack[depth++] = step.kind == SIZES_NUMBER ? step.number : point[step.number];
            continue;
        }
        uint64_t right = step.kind < SIZES_CEIL ? stack[--depth] : 0;
        assert(depth > 0);
        if (!combine(step, stack[depth - 1], right, &stack[depth - 1]))
            return false;
    }
    assert(depth == 1);
    *value = stack[0];
    return stack[0] <= INT64_MAX;
}

/* A divisor of the step's result, where a and b divide the numbers that it works on. */
static uint64_t combine_divisors(struct size_step step, uint64_t a, uint64_t b)
{
    uint64_t product;
    switch (step.kind) {
    case SIZES_MULTIPLY:
        return checked_multiply(a, b, &product) ? product : a;
    case SIZES_CEIL:
    case SIZES_FLOOR:
        return a % step.number ? 1 : a / step.number;
    case SIZES_ALIGN:
        return a % step.number ? step.number : a;
    default:
        return greatest_common_divisor(a, b);
    }
}

uint64_t sizes_divisor(const struct symbolic_sizes *sizes, uint32_t index)
{
    uint64_t stack[SIZES_MOST_DEPTH + 1];
    uint32_t depth = 0;
    assert(index < sizes->count);
    for (size_t s = sizes->first[index]; s < sizes->first[index + 1]; s++) {
        struct size_step step = sizes->step[s];
        if (step.kind == SIZES_NUMBER || step.kind == SIZES_PARAMETER) {
            stack[depth++] = step.kind == SIZES_NUMBER ? step.number : 1;
            continue;
        }
        uint64_t right = step.kind < SIZES_CEIL ? stack[--depth] : 0;
        assert(depth > 0);
        stack[depth - 1] = combine_divisors(step, stack[depth - 1], right);
    }
    assert(depth == 1);
    assert(stack[0] > 0); /* no size is 0, so 0 divides none */
    return stack[0];
}

uint64_t sizes_points(const struct symbolic_sizes *sizes)
{
    uint64_t points = 1;
    for (uint32_t p = 0; p < sizes->parameter.count; p++) {
        assert(sizes->least[p] <= sizes->greatest[p]);
        if (!checked_multiply(points, sizes->greatest[p] - sizes->least[p] + 1, &points))
            return UINT64_MAX;
    }
    return points;
}

bool sizes_in_box(const struct symbolic_sizes *sizes, const uint64_t *point)
{
    for (uint32_t p = 0; p < sizes->parameter.count; p++)
        if (point[p] < sizes->least[p] || point[p] > sizes->greatest[p])
            return false;
    return true;
}
