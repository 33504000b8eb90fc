#include "datasets/json/tree.h"

#include <assert.h>
#include <string.h>

#include "core/memory.h"

void json_tree_free(struct json_tree *tree)
{
    memory_free_all(tree->value, tree->text, tree->owner);
    names_free(&tree->keys);
    *tree = (struct json_tree){0};
}

const struct json_value *json_tree_root(const struct json_tree *tree)
{
    return tree->values ? tree->value : NULL;
}

bool json_tree_is(const struct json_value *value, enum json_kind kind)
{
    return value && value->kind == kind;
}

size_t json_tree_count(const struct json_value *array)
{
    return json_tree_is(array, JSON_ARRAY) ? array->count : 0;
}

const struct json_value *json_tree_first(const struct json_value *holder)
{
    return holder && holder->kind >= JSON_ARRAY && holder->count ? holder + 1 : NULL;
}

const struct json_value *json_tree_next(const struct json_value *holder,
                                        const struct json_value *value)
{
    const struct json_value *next = value + (value->kind >= JSON_ARRAY ? value->values : 1);
    assert(value > holder && next <= holder + holder->values);
    return next < holder + holder->values ? next : NULL;
}

const struct json_value *json_tree_at(const struct json_value *array, size_t index)
{
    const struct json_value *value = json_tree_first(array);
    for (; value && index; index--)
        value = json_tree_next(array, value);
    return value;
}

const struct json_value *json_tree_find(const struct json_tree *tree,
                                        const struct json_value *object, const char *key)
{
    if (!json_tree_is(object, JSON_OBJECT))
        return NULL;
    JSON_EACH(value, object)
        if (strcmp(names_get(&tree->keys, value->key - 1), key) == 0)
            return value;
    return NULL;
}

const char *json_tree_text(const struct json_tree *tree, const struct json_value *value)
{
    return json_tree_is(value, JSON_TEXT) ? tree->text + value->text : NULL;
}

const char *json_tree_key(const struct json_tree *tree, const struct json_value *value)
{
    return value && value->key ? names_get(&tree->keys, value->key - 1) : NULL;
}

double json_tree_number(const struct json_value *value)
{
    if (json_tree_is(value, JSON_REAL))
        return value->real;
    if (!json_tree_is(value, JSON_INTEGER))
        return 0;
    return value->negative ? (double)(int64_t)value->integer : (double)value->integer;
}
