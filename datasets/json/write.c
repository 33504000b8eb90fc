#include "datasets/json/write.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "datasets/json/text.h"

/* Recurses as deep as values are nested. */
static void write_value(const struct json_tree *tree, const struct json_value *value, int level,
                        struct text *text)
{
    const char *key = json_tree_key(tree, value), *exponent;
    const char *brackets = value->kind == JSON_OBJECT ? "{}" : "[]";
    const struct json_value *first = json_tree_first(value);
    char digits[40];
    if (key) {
        json_text_string(text, key);
        text_append(text, ": ");
    }
    switch ((enum json_kind)value->kind) {
    case JSON_NULL:
        text_append(text, "null");
        break;
    case JSON_FALSE:
        text_append(text, "false");
        break;
    case JSON_TRUE:
        text_append(text, "true");
        break;
    case JSON_INTEGER:
        if (value->negative)
            text_append(text, "%" PRId64, (int64_t)value->integer);
        else
            text_append(text, "%" PRIu64, value->integer);
        break;
    case JSON_REAL:
        /* A real is written with a point or an exponent, so that it is read as a real again, and
           its exponent without the leading zeros of printf. */
        snprintf(digits, sizeof digits, "%.15g", value->real);
        exponent = strchr(digits, 'e');
        if (exponent)
            text_append(text, "%.*se%d", (int)(exponent - digits), digits, atoi(exponent + 1));
        else
            text_append(text, "%s%s", digits, strchr(digits, '.') ? "" : ".0");
        break;
    case JSON_TEXT:
        json_text_string(text, json_tree_text(tree, value));
        break;
    case JSON_ARRAY:
    case JSON_OBJECT:
        text_append(text, "%c", brackets[0]);
        JSON_EACH(held, value) {
            text_append(text, "%s\n%*s", held == first ? "" : ",", 2 * (level + 1), "");
            write_value(tree, held, level + 1, text);
        }
        if (first)
            text_append(text, "\n%*s", 2 * level, "");
        text_append(text, "%c", brackets[1]);
    }
}

void json_write(const struct json_tree *tree, struct text *text)
{
    assert(tree->values && !tree->open && !tree->failed);
    write_value(tree, json_tree_root(tree), 0, text);
}
