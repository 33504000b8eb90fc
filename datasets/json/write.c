#include "datasets/json/write.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "datasets/json/text.h"

/* With a point or an exponent, so that it is read as a real again; exponents without the zeros of
   printf. */
static void write_real(double real, struct text *text)
{
    char digits[40];
    snprintf(digits, sizeof digits, "%.15g", real);
    const char *exponent = strchr(digits, 'e');
    if (exponent)
        text_append(text, "%.*se%d", (int)(exponent - digits), digits, atoi(exponent + 1));
    else
        text_append(text, "%s%s", digits, strchr(digits, '.') ? "" : ".0");
}

static void write_scalar(const struct json_tree *tree, const struct json_value *value,
                         struct text *text)
{
    switch ((enum json_kind)value->kind) {
    case JSON_INTEGER:
        if (value->negative)
            text_append(text, "%" PRId64, (int64_t)value->integer);
        else
            text_append(text, "%" PRIu64, value->integer);
        break;
    case JSON_REAL:
        write_real(value->real, text);
        break;
    case JSON_TEXT:
        json_text_string(text, json_tree_text(tree, value));
        break;
    default:
        text_append(text, json_tree_is(value, JSON_NULL)   ? "null"
                          : json_tree_is(value, JSON_TRUE) ? "true"
                                                           : "false");
    }
}

static void write_value(const struct json_tree *tree, const struct json_value *value, int level,
                        struct text *text);

static void write_holder(const struct json_tree *tree, const struct json_value *holder, int level,
                         struct text *text)
{
    const char *brackets = json_tree_is(holder, JSON_OBJECT) ? "{}" : "[]";
    const struct json_value *first = json_tree_first(holder);
    text_append(text, "%c", brackets[0]);
    for (const struct json_value *value = first; value; value = json_tree_next(holder, value)) {
        text_append(text, "%s\n%*s", value == first ? "" : ",", 2 * (level + 1), "");
        write_value(tree, value, level + 1, text);
    }
    if (first)
        text_append(text, "\n%*s", 2 * level, "");
    text_append(text, "%c", brackets[1]);
}

/* Recurses as deep as values are nested. */
static void write_value(const struct json_tree *tree, const struct json_value *value, int level,
                        struct text *text)
{
    const char *key = json_tree_key(tree, value);
    if (key) {
        json_text_string(text, key);
        text_append(text, ": ");
    }
    if (json_tree_is(value, JSON_ARRAY) || json_tree_is(value, JSON_OBJECT))
        write_holder(tree, value, level, text);
    else
        write_scalar(tree, value, text);
}

void json_write(const struct json_tree *tree, struct text *text)
{
    assert(tree->values && !tree->open && !tree->failed);
    write_value(tree, json_tree_root(tree), 0, text);
}
