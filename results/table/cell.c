#include "results/table/cell.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>

struct cell cell_words(const char *format, ...)
{
    struct cell cell = {.kind = CELL_WORDS};
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(cell.words, sizeof cell.words, format, arguments);
    va_end(arguments);
    assert(length >= 0 && (size_t)length < sizeof cell.words);
    (void)length;
    return cell;
}
