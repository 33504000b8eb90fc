#include "datasets/json/parse.h"

#include <ctype.h>
#include <float.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "core/file.h"
#include "core/memory.h"
#include "core/utf8.h"
#include "datasets/json/build.h"

enum { MOST_SHOWN = 40 }; /* most characters of the text that a message shows */

/* An array or object that is not closed. */
struct holder {
    unsigned line;
    bool is_object;
    const struct holder *around;
};

struct parser {
    const struct text *text;
    const char *bytes, *file; /* bytes: [length], nothing stands behind them */
    size_t length;
    /* The token that was read last: its kind is the byte that it begins with, '0' for numbers, or
       END; its bytes are [begin, at), and it begins on this line. */
    size_t begin, at, forgotten; /* forgotten: what json_forget counts from */
    unsigned line;
    char kind;
    bool is_real, has_escapes; /* of a number; of a text */
    bool is_complete;          /* the outermost value was read */
    bool is_skipping;          /* nothing is added to the tree */
    bool is_putting_off;       /* what the next value holds is put off */
    const struct holder *open;
    unsigned depth;
    struct json_tree *tree;
    char *decoded; /* the latest text that has escapes */
    size_t decoded_capacity;
    struct error *error;
    enum status status;
};

enum { END = '\0' };

/* Sets the error and returns false, which ends parsing. */
static bool fail(struct parser *parser, unsigned line, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static bool fail(struct parser *parser, unsigned line, const char *format, ...)
{
    char message[sizeof parser->error->text];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    parser->status =
        error_set_at(parser->error, STATUS_BAD_INPUT, parser->file, line, "%s", message);
    return false;
}

static bool is_punctuation(char byte)
{
    return byte && strchr(",:[]{}", byte);
}

/* Shows the latest token up to where it went wrong; words and numbers to their end. */
static bool fail_at_token(struct parser *parser, const char *expected)
{
    char shown[4 * MOST_SHOWN + 1] = "";
    const char *bytes = parser->bytes;
    size_t begin = parser->begin, end = parser->at > begin ? parser->at : begin + 1, used = 0;
    while (end < parser->length && !is_punctuation(bytes[end - 1]) &&
           isalnum((unsigned char)bytes[end]))
        end++;
    for (size_t i = begin; i < end && i < begin + MOST_SHOWN; i++) {
        unsigned char byte = (unsigned char)bytes[i];
        used += (size_t)sprintf(shown + used, isprint(byte) ? "%c" : "\\x%02x", byte);
    }
    return fail(parser, parser->line, "found '%s%s', expected %s", shown,
                end - begin > MOST_SHOWN ? "..." : "",
                parser->is_complete ? "the end of the file" : expected);
}

/* The text ended too early. */
static bool fail_at_end(struct parser *parser)
{
    const struct holder *open = parser->open;
    if (!open)
        return fail(parser, parser->line,
                    "found the end of the file, expected an array or an object");
    return fail(parser, parser->line,
                "found the end of the file, expected '%c' for the '%c' of line %u",
                open->is_object ? '}' : ']', open->is_object ? '{' : '[', open->line);
}

/* Tokens. The end of the text is like a blank. */

static char peek(const struct parser *parser)
{
    return parser->at < parser->length ? parser->bytes[parser->at] : ' ';
}

static bool skip_digits(struct parser *parser)
{
    size_t from = parser->at;
    while (isdigit((unsigned char)peek(parser)))
        parser->at++;
    return parser->at > from || fail_at_token(parser, "a digit");
}

static bool read_number(struct parser *parser)
{
    parser->kind = '0';
    parser->is_real = false;
    parser->at += peek(parser) == '-';
    if (peek(parser) == '0')
        parser->at++;
    else if (!skip_digits(parser))
        return false;
    if (peek(parser) == '.') {
        parser->is_real = true;
        parser->at++;
        if (!skip_digits(parser))
            return false;
    }
    if (peek(parser) != 'e' && peek(parser) != 'E')
        return true;
    parser->is_real = true;
    parser->at++;
    parser->at += peek(parser) == '+' || peek(parser) == '-';
    return skip_digits(parser);
}

static bool read_text(struct parser *parser)
{
    parser->has_escapes = false;
    parser->at++;
    while (peek(parser) != '"') {
        if (parser->at == parser->length)
            return parser->is_complete ? fail_at_token(parser, "") : fail_at_end(parser);
        if ((unsigned char)peek(parser) < ' ')
            return fail_at_token(parser,
                                 "a text that ends on its line, without control characters");
        if (parser->bytes[parser->at++] != '\\')
            continue;
        parser->has_escapes = true;
        if (peek(parser) != 'u' && (!strchr("\"\\/bfnrt", peek(parser)) || !peek(parser)))
            return fail_at_token(parser, "one of \"\\/bfnrtu after '\\'");
        int digits = parser->bytes[parser->at++] == 'u' ? 4 : 0;
        for (; digits; digits--, parser->at++)
            if (!isxdigit((unsigned char)peek(parser)))
                return fail_at_token(parser, "four hexadecimal digits after '\\u'");
    }
    parser->at++;
    return true;
}

static bool read_token(struct parser *parser)
{
    for (; parser->at < parser->length && isspace((unsigned char)peek(parser)); parser->at++) {
        parser->line += peek(parser) == '\n';
        if (peek(parser) == '\v' || peek(parser) == '\f')
            return fail(parser, parser->line,
                        "found a form feed or vertical tab, expected JSON, where they are no "
                        "blanks");
    }
    parser->begin = parser->at;
    parser->tree->next_line = parser->line;
    if (parser->at == parser->length) {
        parser->kind = END;
        return true;
    }
    parser->kind = peek(parser);
    if (parser->kind == '-' || isdigit((unsigned char)parser->kind))
        return read_number(parser);
    if (parser->kind == '"')
        return read_text(parser);
    if (parser->kind == 't' || parser->kind == 'f' || parser->kind == 'n') {
        const char *word = parser->kind == 't' ? "true" : parser->kind == 'f' ? "false" : "null";
        for (; *word; word++, parser->at++)
            if (peek(parser) != *word)
                return fail_at_token(parser, "true, false or null");
        return true;
    }
    parser->at++;
    if (is_punctuation(parser->kind))
        return true;
    return fail_at_token(parser, parser->kind == '/' ? "JSON, which has no comments" : "JSON");
}

/* Texts. */

static uint32_t read_hexadecimal(const char *digits)
{
    char copy[5] = "";
    memcpy(copy, digits, 4);
    return (uint32_t)strtoul(copy, NULL, 16);
}

/* Decodes the escapes of a text, which is shorter then. */
static bool decode(struct parser *parser, const char *from, const char *end, size_t *length)
{
    static const char escapes[] = "bfnrt", meant[] = "\b\f\n\r\t";
    static const unsigned char heads[] = {0, 0, 0xc0, 0xe0, 0xf0};
    parser->status = memory_reserve(&parser->decoded, &parser->decoded_capacity,
                                    (size_t)(end - from), 1, parser->error);
    if (parser->status)
        return false;
    char *to = parser->decoded;
    while (from < end) {
        if (*from != '\\') {
            *to++ = *from++;
            continue;
        }
        const char *found = strchr(escapes, from[1]);
        if (from[1] != 'u') {
            *to++ = found ? meant[found - escapes] : from[1];
            from += 2;
            continue;
        }
        uint32_t point = read_hexadecimal(from + 2), second = 0;
        from += 6;
        if (point >= 0xd800 && point < 0xdc00) {
            if (end - from >= 6 && from[0] == '\\' && from[1] == 'u')
                second = read_hexadecimal(from + 2);
            if (second < 0xdc00 || second >= 0xe000)
                return fail(parser, parser->line,
                            "found one half of a surrogate pair in a text, expected both");
            point = 0x10000 + ((point - 0xd800) << 10) + (second - 0xdc00);
            from += 6;
        }
        /* As UTF-8; the second half of a pair alone gives bytes that are none. */
        unsigned bytes = point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
        for (unsigned i = bytes; i-- > 1; point >>= 6)
            to[i] = (char)(0x80 | (point & 0x3f));
        to[0] = (char)(heads[bytes] | point);
        to += bytes;
    }
    *length = (size_t)(to - parser->decoded);
    return true;
}

/* The bytes of the latest token, a text or a key. */
static bool take_bytes(struct parser *parser, const char **bytes, size_t *length)
{
    *bytes = parser->bytes + parser->begin + 1;
    *length = parser->at - parser->begin - 2;
    if (parser->has_escapes) {
        if (!decode(parser, *bytes, *bytes + *length, length))
            return false;
        *bytes = parser->decoded;
    }
    if (memchr(*bytes, '\0', *length))
        return fail(parser, parser->line, "found \\u0000 in a text, expected any other character");
    return utf8_is_valid(*bytes, *length) ||
           fail(parser, parser->line, "found a text that is not UTF-8, expected UTF-8");
}

/* Values. */

static bool take_key(struct parser *parser)
{
    const char *bytes;
    size_t length;
    if (parser->kind == END)
        return fail_at_end(parser);
    if (parser->kind != '"')
        return fail_at_token(parser, "a key in quotes");
    if (!take_bytes(parser, &bytes, &length))
        return false;
    if (!parser->is_skipping)
        json_build_key_bytes(parser->tree, bytes, length);
    if (!read_token(parser))
        return false;
    if (parser->kind == END)
        return fail_at_end(parser);
    return parser->kind == ':' ? read_token(parser) : fail_at_token(parser, "':'");
}

static bool take_number(struct parser *parser)
{
    const char *digits = parser->bytes + parser->begin;
    size_t length = parser->at - parser->begin;
    int shown = length < MOST_SHOWN ? (int)length : MOST_SHOWN;
    bool negative = *digits == '-';
    uint64_t number;
    if (parser->at == parser->length)
        return fail_at_end(parser);
    if (parser->is_real) {
        double real = strtod(digits, NULL);
        if (!isfinite(real))
            return fail(parser, parser->line, "found %.*s, expected a number up to %g", shown,
                        digits, DBL_MAX);
        if (!parser->is_skipping)
            json_build_real(parser->tree, NULL, real);
        return true;
    }
    if (!text_parse_u64(digits + negative, length - negative, &number) ||
        (negative && number > (uint64_t)INT64_MAX + 1))
        return fail(parser, parser->line, "found %.*s, expected an integer from -2^63 to 2^64 - 1",
                    shown, digits);
    if (parser->is_skipping)
        return true;
    if (negative)
        json_build_integer(parser->tree, NULL, (int64_t)(0 - number));
    else
        json_build_count(parser->tree, NULL, number);
    return true;
}

/* Checks that the object that is closed has no key twice. */
static bool check_keys(struct parser *parser, const struct json_value *object)
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
            return fail(parser, value->line,
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

static bool take_value(struct parser *parser);

/* The value that the latest token begins, without adding it to the tree. */
static bool skip_value(struct parser *parser)
{
    bool was_skipping = parser->is_skipping;
    parser->is_skipping = true;
    bool good = take_value(parser);
    parser->is_skipping = was_skipping;
    return good;
}

/* A value of an array or object, behind its key. */
static bool take_held(struct parser *parser, bool is_put_off)
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
    if (!is_put_off && key && key <= tree->skipped_keys && parser->kind != END) {
        tree->next_key = 0;
        return skip_value(parser);
    }
    parser->is_putting_off =
        key > tree->skipped_keys && key - tree->skipped_keys <= tree->put_off_keys;
    return take_value(parser);
}

/* An array or object, from its first bracket to its last one. */
static bool take_holder(struct parser *parser)
{
    struct json_tree *tree = parser->tree;
    struct holder holder = {parser->line, parser->kind == '{', parser->open};
    char close = holder.is_object ? '}' : ']';
    bool is_putting_off = parser->is_putting_off;
    parser->is_putting_off = false;
    if (parser->depth++ == JSON_PARSE_MOST_DEPTH)
        return fail(parser, parser->line,
                    "found more than 2048 arrays and objects in each other, expected at most 2048");
    parser->open = &holder;
    if (!parser->is_skipping)
        json_build_open(tree, NULL, holder.is_object ? JSON_OBJECT : JSON_ARRAY);
    uint32_t index = tree->open;
    if (tree->failed || !read_token(parser))
        return false;
    for (bool more = parser->kind != close; more;) {
        if ((holder.is_object && !take_key(parser)) || !take_held(parser, is_putting_off) ||
            !read_token(parser))
            return false;
        more = parser->kind == ',';
        if (parser->kind == END)
            return fail_at_end(parser);
        if (!more && parser->kind != close)
            return fail_at_token(parser, holder.is_object ? "',' or '}'" : "',' or ']'");
        if (more && !read_token(parser))
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
static bool take_value(struct parser *parser)
{
    char kind = parser->kind;
    const char *bytes = NULL;
    size_t length = 0;
    bool good = true;
    if (kind == END)
        return fail_at_end(parser);
    bool is_holder = kind == '{' || kind == '[';
    if (is_punctuation(kind) && !is_holder)
        return fail_at_token(parser, "a value");
    if (kind == '"' && !take_bytes(parser, &bytes, &length))
        return false;
    if (!is_holder && !parser->depth)
        return fail(parser, parser->line, "found %s, expected an array or an object around all",
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
    struct parser parser = {.text = text,
                            .bytes = text->bytes ? text->bytes : "",
                            .length = text->length,
                            .file = file,
                            .line = 1,
                            .tree = tree,
                            .error = error};
    if (key)
        json_build_key_bytes(tree, key, strlen(key));
    if (read_token(&parser) && take_value(&parser)) {
        parser.is_complete = true;
        if (read_token(&parser) && parser.kind != END)
            fail_at_token(&parser, "");
    }
    memory_free(parser.decoded);
    tree->next_line = 0;
    return parser.status;
}

enum status json_parse_put_off(const struct text *text, const char *file, bool is_next,
                               struct json_value *at, struct json_tree *tree, struct error *error)
{
    struct parser parser = {.text = text,
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
    bool good = read_token(&parser);
    if (is_next && good && parser.kind != ']')
        good = read_token(&parser);
    if (good && !(is_next && parser.kind == ']') && take_value(&parser) && is_next)
        read_token(&parser);
    at->text = is_next ? parser.begin : parser.at;
    at->line = parser.line;
    memory_free(parser.decoded);
    tree->next_line = 0;
    return parser.status;
}
