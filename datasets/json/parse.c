#include "datasets/json/parse.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/file.h"
#include "core/memory.h"
#include "datasets/json/build.h"
#include "datasets/json/token.h"

static bool take_key(struct json_parser *parser)
{
    const char *bytes;
    size_t length;
    if (parser->kind == JSON_TOKEN_END)
        return json_token_fail_at_end(parser);
    if (parser->kind != '"')
        return json_token_fail_at(parser, "a key in quotes");
    if (!json_token_bytes(parser, &bytes, &length))
        return false;
    if (!parser->is_skipping)
        json_build_key_bytes(parser->tree, bytes, length);
    if (!json_token_read(parser))
        return false;
    if (parser->kind == JSON_TOKEN_END)
        return json_token_fail_at_end(parser);
    return parser->kind == ':' ? json_token_read(parser) : json_token_fail_at(parser, "':'");
}

static bool take_number(struct json_parser *parser)
{
    const char *digits = parser->bytes + parser->begin;
    size_t length = parser->at - parser->begin;
    int shown = length < JSON_TOKEN_MOST_SHOWN ? (int)length : JSON_TOKEN_MOST_SHOWN;
    bool negative = *digits == '-';
    uint64_t number;
    if (parser->at == parser->length)
        return json_token_fail_at_end(parser);
    if (parser->is_real) {
        double real = strtod(digits, NULL);
        if (!isfinite(real))
            return json_token_fail(parser, parser->line, "found %.*s, expected a number up to %g",
                                   shown, digits, DBL_MAX);
        if (!parser->is_skipping)
            json_build_real(parser->tree, NULL, real);
        return true;
    }
    if (!text_parse_u64(digits + negative, length - negative, &number) ||
        (negative && number > (uint64_t)INT64_MAX + 1))
        return json_token_fail(parser, parser->line,
                               "found %.*s, expected an integer from -2^63 to 2^64 - 1", shown,
                               digits);
    if (parser->is_skipping)
        return true;
    if (negative)
        json_build_integer(parser->tree, NULL, (int64_t)(0 - number));
    else
        json_build_count(parser->tree, NULL, number);
    return true;
}

/* Checks that the object that is closed has no key twice. */
static bool check_keys(struct json_parser *parser, const struct json_value *object)
{
    struct json_tree *tree = parser->tree;
    size_t needed = tree->keys.count;
    if (needed > tree->owners) {
        parser->status = memory_reserve(&tree->owner, &tree->owner_capacity, needed,
                                        sizeof *tree->owner, parser->error);
        if (parser->status)
            return false;
        memset(&tree->owner[tree->owners], 0, (needed - tree->owners) * sizeof *tree->owner);
        tree->owners = needed;
    }
    if (++tree->objects == 0) {
        memset(tree->owner, 0, tree->owners * sizeof *tree->owner);
        tree->objects = 1;
    }
    JSON_EACH(value, object) {
        if (tree->owner[value->key - 1] == tree->objects)
            return json_token_fail(parser, value->line,
                                   "found key \"%s\" again in an object, expected each once",
                                   json_tree_key(tree, value));
        tree->owner[value->key - 1] = tree->objects;
    }
    return true;
}

void json_forget(const struct text *text, size_t *from, size_t at)
{
    enum { MOST_KEPT = 1 << 20 };
    if (!text->is_mapped || at - *from < MOST_KEPT)
        return;
    file_forget(text->bytes, text->length);
    *from = at;
}

static bool take_value(struct json_parser *parser);

/* The value that the latest token begins, without adding it to the tree. */
static bool skip_value(struct json_parser *parser)
{
    bool was_skipping = parser->is_skipping;
    parser->is_skipping = true;
    bool good = take_value(parser);
    parser->is_skipping = was_skipping;
    return good;
}

/* A value of an array or object, behind its key. */
static bool take_held(struct json_parser *parser, bool is_put_off)
{
    struct json_tree *tree = parser->tree;
    uint32_t key = tree->next_key;
    if (parser->is_skipping)
        return take_value(parser);
    if (is_put_off && (parser->kind == '{' || parser->kind == '[')) {
        json_build_put_off(tree, parser->begin);
        bool good = skip_value(parser);
        json_forget(parser->text, &parser->forgotten, parser->at);
        return good;
    }
    if (!is_put_off && key && key <= tree->skipped_keys && parser->kind != JSON_TOKEN_END) {
        tree->next_key = 0;
        return skip_value(parser);
    }
    parser->is_putting_off =
        key > tree->skipped_keys && key - tree->skipped_keys <= tree->put_off_keys;
    return take_value(parser);
}

/* An array or object, from its first bracket to its last one. */
static bool take_holder(struct json_parser *parser)
{
    struct json_tree *tree = parser->tree;
    struct json_holder holder = {parser->line, parser->kind == '{', parser->open};
    char close = holder.is_object ? '}' : ']';
    bool is_putting_off = parser->is_putting_off;
    parser->is_putting_off = false;
    if (parser->depth++ == JSON_PARSE_MOST_DEPTH)
        return json_token_fail(
            parser, parser->line,
            "found more than 2048 arrays and objects in each other, expected at most 2048");
    parser->open = &holder;
    if (!parser->is_skipping)
        json_build_open(tree, NULL, holder.is_object ? JSON_OBJECT : JSON_ARRAY);
    uint32_t index = tree->open;
    if (tree->failed || !json_token_read(parser))
        return false;
    for (bool more = parser->kind != close; more;) {
        if ((holder.is_object && !take_key(parser)) || !take_held(parser, is_putting_off) ||
            !json_token_read(parser))
            return false;
        more = parser->kind == ',';
        if (parser->kind == JSON_TOKEN_END)
            return json_token_fail_at_end(parser);
        if (!more && parser->kind != close)
            return json_token_fail_at(parser, holder.is_object ? "',' or '}'" : "',' or ']'");
        if (more && !json_token_read(parser))
            return false;
    }
    parser->depth--;
    parser->open = holder.around;
    if (parser->is_skipping)
        return true;
    json_build_close(tree);
    return !holder.is_object || tree->failed || check_keys(parser, &tree->value[index - 1]);
}

/* The value that the latest token begins. */
static bool take_value(struct json_parser *parser)
{
    char kind = parser->kind;
    const char *bytes = NULL;
    size_t length = 0;
    bool good = true;
    if (kind == JSON_TOKEN_END)
        return json_token_fail_at_end(parser);
    bool is_holder = kind == '{' || kind == '[';
    if (json_token_is_punctuation(kind) && !is_holder)
        return json_token_fail_at(parser, "a value");
    if (kind == '"' && !json_token_bytes(parser, &bytes, &length))
        return false;
    if (!is_holder && !parser->depth)
        return json_token_fail(parser, parser->line,
                               "found %s, expected an array or an object around all",
                               kind == '"'   ? "a text"
                               : kind == '0' ? "a number"
                               : kind == 't' ? "true"
                               : kind == 'f' ? "false"
                                             : "null");
    if (is_holder)
        good = take_holder(parser);
    else if (kind == '0')
        good = take_number(parser);
    else if (parser->is_skipping)
        good = true;
    else if (kind == '"')
        json_build_text_bytes(parser->tree, NULL, bytes, length);
    else if (kind == 'n')
        json_build_null(parser->tree, NULL);
    else
        json_build_boolean(parser->tree, NULL, kind == 't');
    if (parser->tree->failed && !parser->status)
        parser->status = error_no_memory(parser->error);
    return good && !parser->status;
}

enum status json_parse(const struct text *text, const char *file, const char *key,
                       struct json_tree *tree, struct error *error)
{
    struct json_parser parser = {.text = text,
                                 .bytes = text->bytes ? text->bytes : "",
                                 .length = text->length,
                                 .file = file,
                                 .line = 1,
                                 .tree = tree,
                                 .error = error};
    if (key)
        json_build_key_bytes(tree, key, strlen(key));
    if (json_token_read(&parser) && take_value(&parser)) {
        parser.is_complete = true;
        if (json_token_read(&parser) && parser.kind != JSON_TOKEN_END)
            json_token_fail_at(&parser, "");
    }
    memory_free(parser.decoded);
    tree->next_line = 0;
    return parser.status;
}

enum status json_parse_put_off(const struct text *text, const char *file, bool is_next,
                               struct json_value *at, struct json_tree *tree, struct error *error)
{
    struct json_parser parser = {.text = text,
                                 .bytes = text->bytes,
                                 .length = text->length,
                                 .at = at->text,
                                 .forgotten = at->text,
                                 .file = file,
                                 .line = at->line,
                                 .depth = is_next,
                                 .tree = tree,
                                 .error = error};
    /* The next value stands behind the '[' of the array or the ',' before it. */
    bool good = json_token_read(&parser);
    if (is_next && good && parser.kind != ']')
        good = json_token_read(&parser);
    if (good && !(is_next && parser.kind == ']') && take_value(&parser) && is_next)
        json_token_read(&parser);
    at->text = is_next ? parser.begin : parser.at;
    at->line = parser.line;
    memory_free(parser.decoded);
    tree->next_line = 0;
    return parser.status;
}
