#include "plots/comparisons/curve.h"

#include <stdlib.h>

static bool take_number(const char **text, uint64_t *number)
{
    char *end;
    if (**text < '0' || **text > '9')
        return false;
    *number = strtoull(*text, &end, 10);
    *text = end;
    return true;
}

static bool take_colon(const char **text)
{
    bool found = **text == ':';
    *text += found;
    return found;
}

bool curve_next(const char **text, struct curve_point *point)
{
    *text += **text == ' ';
    if (!take_number(text, &point->time_ns) || !take_colon(text) ||
        !take_number(text, &point->bound_bytes) || !take_colon(text))
        return false;
    if (!take_number(text, &point->peak_bytes))
        point->peak_bytes = UINT64_MAX;
    return true;
}
