#include "results/views/arithmetic.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/compare.h"
#include "results/published/published.h"

enum { MOST_OPERANDS = 8, MOST_VALUES = 64 };

static const double millionths = 1e6;

/* Operands, each with its place and its name, or with the end of names. */
struct operands {
    const char *source, *unit; /* unit of the figure that is computed */
    unsigned count;
    struct published_value place[MOST_OPERANDS], name[MOST_OPERANDS];
};

static void copy_text(struct published_value *value, const char *text, size_t length)
{
    length = length < sizeof value->text ? length : sizeof value->text - 1;
    memcpy(value->text, text, length);
    value->text[length] = '\0';
}

static bool split_operands(const struct arithmetic *arithmetic, struct operands *operands)
{
    static const char between[] = " & ", after_place[] = " | ";
    *operands = (struct operands){.source = arithmetic->source, .unit = arithmetic->unit};
    for (const char *at = arithmetic->operands; at;) {
        const char *next = strstr(at, between), *bar = strstr(at, after_place);
        size_t length = next ? (size_t)(next - at) : strlen(at);
        unsigned i = operands->count++;
        if (i == MOST_OPERANDS)
            return false;
        copy_text(&operands->place[i], arithmetic->place, strlen(arithmetic->place));
        if (bar && bar < at + length) {
            const char *name = bar + strlen(after_place);
            copy_text(&operands->place[i], at, (size_t)(bar - at));
            length -= (size_t)(name - at);
            at = name;
        }
        copy_text(&operands->name[i], at, length);
        at = next ? next + strlen(between) : NULL;
    }
    return true;
}

/* Reads a printed figure in the units of measures. */
static bool read_printed(const struct operands *operands, const char *place, const char *name,
                         bool same_unit, double *value)
{
    const char *const keys[] = {place, name};
    struct published_value printed, unit = {""};
    if (!published_find(operands->source, keys, 2, "printed", &printed))
        return false;
    published_find(operands->source, keys, 2, "unit", &unit);
    *value = strtod(printed.text + (*printed.text == '~'), NULL) * published_unit(unit.text);
    return !same_unit || strcmp(unit.text, operands->unit) == 0;
}

/* Computes one value; x[count]. NAN where the operation is unknown or divides by 0. */
static double apply(const char *operation, const double *x, unsigned count)
{
    double sum = 0;
    for (unsigned i = 0; i < count; i++)
        sum += x[i];
    if (strcmp(operation, "sum") == 0)
        return sum;
    if (strcmp(operation, "mean") == 0)
        return sum / count;
    if (strcmp(operation, "value") == 0)
        return x[0];
    if (strcmp(operation, "change") == 0)
        return count == 2 ? fabs(x[1] - x[0]) : NAN;
    if (strcmp(operation, "overlap") == 0)
        return count == 4 ? x[0] <= x[3] && x[2] <= x[1] : NAN;
    if (count != 2 || x[0] == 0 || x[1] == 0)
        return NAN;
    if (strcmp(operation, "ratio") == 0)
        return millionths * x[0] / x[1];
    if (strcmp(operation, "saving") == 0)
        return millionths * (x[0] - x[1]) / x[0];
    return strcmp(operation, "gain") == 0 ? millionths * (x[1] - x[0]) / x[0] : NAN;
}

/* Computes the value of the operands whose names have this stem before them. */
static bool compute_one(const char *operation, const struct operands *operands, const char *stem,
                        double *value)
{
    double x[MOST_OPERANDS];
    bool same_unit = strcmp(operation, "change") == 0;
    for (unsigned i = 0; i < operands->count; i++) {
        char name[2 * sizeof operands->name[i].text];
        snprintf(name, sizeof name, "%s%s", stem, operands->name[i].text);
        if (!read_printed(operands, operands->place[i].text, name, same_unit, &x[i]))
            return false;
    }
    *value = apply(operation, x, operands->count);
    return isfinite(*value);
}

static int compare_values(const void *left, const void *right)
{
    return compare_reals(*(const double *)left, *(const double *)right);
}

/* The values of all stems, value[MOST_VALUES] in ascending order; returns how many. */
static unsigned list_values(const char *operation, const struct operands *operands, double *value)
{
    struct published_value place, name;
    unsigned count = 0;
    const char *end = operands->name[0].text;
    for (unsigned row = 0; published_cell(operands->source, row, "place", &place); row++) {
        if (strcmp(place.text, operands->place[0].text) != 0 ||
            !published_cell(operands->source, row, "figure", &name))
            continue;
        size_t length = strlen(name.text), tail = strlen(end);
        if (length < tail || strcmp(name.text + length - tail, end) != 0)
            continue;
        name.text[length - tail] = '\0';
        if (count < MOST_VALUES && compute_one(operation, operands, name.text, &value[count]))
            count++;
    }
    qsort(value, count, sizeof *value, compare_values);
    return count;
}

/* What is wanted of all values, which are in ascending order. */
static double choose(const char *wanted, size_t length, const double *value, unsigned count)
{
    double sum = 0;
    for (unsigned i = 0; i < count; i++)
        sum += value[i];
    if (strncmp(wanted, "mean", length) == 0)
        return sum / count;
    if (strncmp(wanted, "median", length) == 0)
        return (value[(count - 1) / 2] + value[count / 2]) / 2;
    return value[strncmp(wanted, "greatest", length) == 0 ? count - 1 : 0];
}

bool arithmetic_compute(const struct arithmetic *arithmetic, int64_t *computed)
{
    struct operands operands;
    double value, values[MOST_VALUES];
    const char *operation = arithmetic->operation, *blank = strchr(operation, ' ');
    if (!split_operands(arithmetic, &operands))
        return false;
    if (blank) {
        unsigned count = list_values(blank + 1, &operands, values);
        if (!count)
            return false;
        value = choose(operation, (size_t)(blank - operation), values, count);
    } else if (!compute_one(operation, &operands, "", &value)) {
        return false;
    }
    *computed = llround(value);
    return true;
}
