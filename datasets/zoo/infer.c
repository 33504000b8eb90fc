#include "datasets/zoo/infer.h"

#include <assert.h>
#include <inttypes.h>

/* The least number of values after which the rises repeat; 0 for none. */
static uint32_t find_period(const uint64_t *value, uint32_t count)
{
    for (uint32_t i = 1; i < count; i++)
        if (value[i] < value[i - 1])
            return 0;
    for (uint32_t r = 1; r < count && r <= INFER_MOST_PERIOD; r++) {
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

enum status infer_expression(const char *parameter, uint64_t first, const uint64_t *value,
                             uint32_t count, struct text *text, bool *found, struct error *error)
{
    SCOPED(text_free) struct text sum = {0};
    uint32_t period = find_period(value, count), rises = 0;
    uint64_t too_much = 0;
    *found = count == 1 || period;
    for (uint32_t j = 1; j <= period && *found; j++) {
        uint64_t rise = value[j] - value[j - 1];
        if (!rise)
            continue;
        *found = ++rises <= INFER_MOST_RISES;
        too_much += append_rise(parameter, first + j, period, rise, &sum);
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
