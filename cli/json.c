#include "cli/json.h"

#include <stdio.h>

enum status json_print(json_t *value, struct error *error)
{
    if (!value)
        return error_set(error, STATUS_INTERNAL,
                         "cannot make JSON: no memory, or text is no UTF-8");
    int failed = json_dumpf(value, stdout, JSON_INDENT(2) | JSON_REAL_PRECISION(15));
    putchar('\n');
    json_decref(value);
    return failed ? error_set(error, STATUS_INTERNAL, "cannot write to standard output")
                  : STATUS_OK;
}
