#include "datasets/json/build.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "core/memory.h"

static struct json_value *get_open(const struct json_tree *tree)
{
    return tree->open ? &tree->value[tree->open - 1] : NULL;
}

static bool reserve(struct json_tree *tree, size_t text_bytes)
{
    struct error ignored;
    bool fits = tree->values < UINT32_MAX - 1 && tree->keys.count < JSON_MOST_KEYS;
    tree->failed = tree->failed || !fits ||
                   memory_reserve(&tree->value, &tree->value_capacity, tree->values + 1,
                                  sizeof *tree->value, &ignored) ||
                   memory_reserve(&tree->text, &tree->text_capacity, tree->text_used + text_bytes,
                                  1, &ignored);
    return !tree->failed;
}

/* Copies a text behind those of the tree. It belongs to the tree once text_used is moved behind
   it. */
static void copy_text(struct json_tree *tree, const char *bytes, size_t length)
{
    assert(!memchr(bytes, '\0', length));
    memcpy(tree->text + tree->text_used, bytes, length);
    tree->text[tree->text_used + length] = '\0';
}

void json_build_key_bytes(struct json_tree *tree, const char *bytes, size_t length)
{
    struct error ignored;
    if (!reserve(tree, length + 1))
        return;
    copy_text(tree, bytes, length);
    const char *key = tree->text + tree->text_used;
    uint32_t index = names_find(&tree->keys, key);
    if (index == NAMES_NONE) {
        tree->failed = names_add(&tree->keys, key, &ignored) != STATUS_OK;
        index = tree->keys.count - 1;
    }
    tree->next_key = index + 1;
}

/* Adds an empty value to the end of the tree; NULL if there is no memory for it. */
static struct json_value *add_value(struct json_tree *tree, const char *key, enum json_kind kind,
                                    size_t text_bytes)
{
    if (key)
        json_build_key_bytes(tree, key, strlen(key));
    if (!reserve(tree, text_bytes))
        return NULL;
    struct json_value *holder = get_open(tree), *value = &tree->value[tree->values++];
    assert(holder ? (holder->kind == JSON_OBJECT) == (tree->next_key != 0) : tree->values == 1);
    if (holder)
        holder->count++;
    *value = (struct json_value){.line = tree->next_line,
                                 .key = tree->next_key & JSON_MOST_KEYS,
                                 .kind = (unsigned)kind & 7};
    tree->next_key = 0;
    return value;
}

void json_build_open(struct json_tree *tree, const char *key, enum json_kind kind)
{
    assert(kind == JSON_ARRAY || kind == JSON_OBJECT);
    struct json_value *value = add_value(tree, key, kind, 0);
    if (!value)
        return;
    value->values = tree->open;
    tree->open = (uint32_t)tree->values;
}

void json_build_close(struct json_tree *tree)
{
    struct json_value *closed = get_open(tree);
    if (tree->failed)
        return;
    assert(closed);
    uint32_t holder = closed->values;
    closed->values = (uint32_t)tree->values - (tree->open - 1);
    tree->open = holder;
}

void json_build_null(struct json_tree *tree, const char *key)
{
    add_value(tree, key, JSON_NULL, 0);
}

void json_build_put_off(struct json_tree *tree, size_t at)
{
    struct json_value *value = add_value(tree, NULL, JSON_NULL, 0);
    if (!value)
        return;
    value->text = at;
    value->put_off = true;
}

void json_build_boolean(struct json_tree *tree, const char *key, bool boolean)
{
    add_value(tree, key, boolean ? JSON_TRUE : JSON_FALSE, 0);
}

void json_build_count(struct json_tree *tree, const char *key, uint64_t count)
{
    struct json_value *value = add_value(tree, key, JSON_INTEGER, 0);
    if (value)
        value->integer = count;
}

void json_build_integer(struct json_tree *tree, const char *key, int64_t integer)
{
    struct json_value *value = add_value(tree, key, JSON_INTEGER, 0);
    if (!value)
        return;
    value->integer = (uint64_t)integer;
    value->negative = integer < 0;
}

void json_build_real(struct json_tree *tree, const char *key, double real)
{
    assert(isfinite(real));
    struct json_value *value = add_value(tree, key, JSON_REAL, 0);
    if (value)
        value->real = real;
}

void json_build_text(struct json_tree *tree, const char *key, const char *text)
{
    json_build_text_bytes(tree, key, text, strlen(text));
}

void json_build_text_bytes(struct json_tree *tree, const char *key, const char *bytes,
                           size_t length)
{
    struct json_value *value = add_value(tree, key, JSON_TEXT, length + 1);
    if (!value)
        return;
    copy_text(tree, bytes, length);
    value->text = tree->text_used;
    tree->text_used += length + 1;
}

enum status json_build_check(const struct json_tree *tree, struct error *error)
{
    assert(tree->failed || !tree->open);
    return tree->failed ? error_no_memory(error) : STATUS_OK;
}
