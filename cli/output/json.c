#include "cli/output/json.h"

#include <stdio.h>
#include <string.h>

#include "cli/output/print.h"
#include "core/text.h"
#include "core/utf8.h"
#include "datasets/json/write.h"

static const char format_key[] = "format";

void json_open_facts(struct json_tree *facts, const char *name)
{
    char format[64];
    snprintf(format, sizeof format, "memplan-%s/1", name);
    json_build_open(facts, NULL, JSON_OBJECT);
    json_build_text(facts, format_key, format);
}

static enum status close_all(struct json_tree *facts, struct error *error)
{
    while (facts->open && !facts->failed)
        json_build_close(facts);
    return json_build_check(facts, error);
}

enum status json_print(struct json_tree *facts, struct error *error)
{
    SCOPED(text_free) struct text text = {0};
    TRY(close_all(facts, error));
    json_write(facts, &text);
    TRY(text_check(&text, error));
    if (!utf8_is_valid(text.bytes, text.length))
        return error_set(error, STATUS_BAD_INPUT,
                         "found a name that is not UTF-8, expected only such in JSON");
    if (puts(text.bytes) == EOF)
        return error_set(error, STATUS_INTERNAL, "cannot write to standard output");
    return STATUS_OK;
}

enum status json_print_lines(struct json_tree *facts, struct error *error)
{
    const struct json_value *root = json_tree_root(facts);
    TRY(close_all(facts, error));
    for (const struct json_value *value = json_tree_first(root); value;
         value = json_tree_next(root, value)) {
        const char *key = json_tree_key(facts, value);
        if (strcmp(key, format_key) == 0)
            continue;
        if (json_tree_is(value, JSON_TEXT))
            print_lines("%-17s %s\n", key, json_tree_text(facts, value));
        else if (json_tree_is(value, JSON_INTEGER))
            print_lines("%-17s %lld\n", key, (long long)value->integer);
        else if (json_tree_is(value, JSON_REAL))
            print_lines("%-17s %.2f\n", key, value->real);
        else if (json_tree_is(value, JSON_TRUE))
            print_lines("%-17s yes\n", key);
        else if (json_tree_is(value, JSON_NULL))
            print_lines("%-17s -\n", key);
    }
    return STATUS_OK;
}

const char *json_get_text(const struct json_tree *facts, const struct json_value *object,
                          const char *key)
{
    return json_tree_text(facts, json_tree_find(facts, object, key));
}

long long json_get_integer(const struct json_tree *facts, const struct json_value *object,
                           const char *key)
{
    const struct json_value *value = json_tree_find(facts, object, key);
    return json_tree_is(value, JSON_INTEGER) ? (long long)value->integer : 0;
}

double json_get_real(const struct json_tree *facts, const struct json_value *object,
                     const char *key)
{
    return json_tree_number(json_tree_find(facts, object, key));
}
