#include "datasets/ranges/infer.h"

#include <inttypes.h>

#include "core/memory.h"

/* The least number of values, up to `most`, after which the rises repeat; 0 for none. */
static uint32_t find_period(const uint64_t *value, uint32_t count, uint32_t most)
{
    for (uint32_t i = 1; i < count; i++)
        if (value[i] < value[i - 1])
            return 0;
    for (uint32_t r = 1; r < count && r <= most && r <= INFER_MOST_PERIOD; r++) {
        uint32_t i = r;
        while (i + 1 < count && value[i + 1] - value[i] == value[i + 1 - r] - value[i - r])
            i++;
        if (i + 1 >= count)
            return r;
    }
    return 0;
}

/* Appends rise * floor((parameter + shift) / period), and returns what that is too much by. The
   quotient grows by one wherever the parameter is `at` more than a multiple of the period. */
static uint64_t append_rise(const char *parameter, uint64_t at, uint64_t period, uint64_t rise,
                            struct text *text)
{
    uint64_t shift = (period - at % period) % period;
    text_append(text, text->length ? " + " : "");
    if (rise > 1)
        text_append(text, "%" PRIu64 "*", rise);
    if (period == 1)
        text_append(text, "%s", parameter);
    else if (shift == period - 1)
        text_append(text, "ceil(%s / %" PRIu64 ")", parameter, period);
    else if (shift)
        text_append(text, "floor((%s + %" PRIu64 ") / %" PRIu64 ")", parameter, shift, period);
    else
        text_append(text, "floor(%s / %" PRIu64 ")", parameter, period);
    /* At the value before `at`: all rises so far are those of earlier periods. */
    return rise * ((at - 1 + shift) / period);
}

/* The values, their first number and the name of the parameter. */
struct row {
    const char *parameter;
    uint64_t first;
    const uint64_t *value; /* [count] */
    uint32_t count;
};

static enum status infer_sum(const struct row *row, uint32_t most_period, struct text *text,
                             bool *found, struct error *error)
{
    SCOPED(text_free) struct text sum = {0};
    const uint64_t *value = row->value;
    uint32_t period = find_period(value, row->count, most_period), rises = 0;
    uint64_t too_much = 0;
    *found = row->count == 1 || period;
    for (uint32_t j = 1; j <= period && *found; j++) {
        uint64_t rise = value[j] - value[j - 1];
        if (!rise)
            continue;
        *found = ++rises <= INFER_MOST_RISES;
        too_much += append_rise(row->parameter, row->first + j, period, rise, &sum);
    }
    TRY(text_check(&sum, error));
    if (!*found)
        return STATUS_OK;
    if (!sum.length)
        text_append(text, "%" PRIu64, value[0]);
    else if (value[0] > too_much)
        text_append(text, "%s + %" PRIu64, sum.bytes, value[0] - too_much);
    else if (value[0] < too_much)
        text_append(text, "%s - %" PRIu64, sum.bytes, too_much - value[0]);
    else
        text_append(text, "%s", sum.bytes);
    return text_check(text, error);
}

/* The square root of a square; false for other numbers. */
static bool find_root(uint64_t square, uint64_t *root)
{
    uint64_t low = 0, high = UINT32_MAX;
    while (low < high) {
        uint64_t middle = low + (high - low + 1) / 2;
        if (middle * middle <= square)
            low = middle;
        else
            high = middle - 1;
    }
    *root = low;
    return low * low == square;
}

/* The area of a square image cut into patches is a square, and one element more may stand before
   the patches. */
static enum status infer_square(const struct row *row, struct text *text, bool *found,
                                struct error *error)
{
    SCOPED(memory_release) uint64_t *root = NULL;
    SCOPED(text_free) struct text side = {0};
    TRY(memory_create(&root, row->count, sizeof *root, error));
    *found = false;
    for (uint64_t more = 0; more < 2 && !*found; more++) {
        *found = true;
        for (uint32_t i = 0; i < row->count && *found; i++)
            *found = row->value[i] > more && find_root(row->value[i] - more, &root[i]);
        if (!*found)
            continue;
        const struct row roots = {row->parameter, row->first, root, row->count};
        TRY(infer_sum(&roots, row->count / 2, &side, found, error));
        if (*found)
            text_append(text, "(%s)*(%s)%s", side.bytes, side.bytes, more ? " + 1" : "");
    }
    return text_check(text, error);
}

/* A period that no second one confirms is the last resort: it is right, but says little. */
enum status infer_expression(const char *parameter, uint64_t first, const uint64_t *value,
                             uint32_t count, struct text *text, bool *found, struct error *error)
{
    const struct row row = {parameter, first, value, count};
    TRY(infer_sum(&row, count / 2, text, found, error));
    if (!*found)
        TRY(infer_square(&row, text, found, error));
    return *found ? STATUS_OK : infer_sum(&row, count, text, found, error);
}
