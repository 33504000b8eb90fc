#include "cli/output/json.h"

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

void json_print_facts(json_t *facts)
{
    const char *key;
    json_t *value;
    json_object_foreach(facts, key, value)
    {
        if (json_is_string(value))
            printf("%-17s %s\n", key, json_string_value(value));
        else if (json_is_integer(value))
            printf("%-17s %lld\n", key, (long long)json_integer_value(value));
        else if (json_is_real(value))
            printf("%-17s %.2f\n", key, json_real_value(value));
        else if (json_is_null(value))
            printf("%-17s -\n", key);
    }
}
