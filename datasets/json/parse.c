#include "datasets/json/parse.h"

#include <assert.h>
#include <ctype.h>
#include <float.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <yajl/yajl_parse.h>

#include "core/memory.h"
#include "core/utf8.h"
#include "datasets/json/build.h"
#include "datasets/json/supply.h"

enum { MOST_SHOWN = 40 }; /* most characters of the text that a message shows */

struct parser {
    const char *bytes, *file; /* bytes: [length] the text */
    size_t length;
    yajl_handle yajl;
    bool at_end;   /* yajl has been given the whole text */
    size_t passed; /* number of bytes up to the end of the latest key, value, '}' or ']' */
    unsigned line; /* line of that position, from 1 */
    unsigned depth;
    struct json_tree *tree;
    /* [owners] for each key, 1 + index of the object with it that was closed last; 0: none */
    uint32_t *owner;
    size_t owners, owner_capacity;
    struct error *error;
    enum status status;
};

/* Sets the error and returns what makes yajl stop. */
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

static bool continue_parsing(struct parser *parser)
{
    if (parser->tree->failed)
        parser->status = error_no_memory(parser->error);
    return !parser->status;
}

static size_t find_position(const struct parser *parser)
{
    return parser->at_end ? parser->length : yajl_get_bytes_consumed(parser->yajl);
}

/* Counts the lines up to a position. yajl accepts two more characters as blanks than JSON has,
   which are refused here. */
static bool pass_to(struct parser *parser, size_t position)
{
    bool good = true;
    assert(position <= parser->length);
    for (; parser->passed < position; parser->passed++) {
        char byte = parser->bytes[parser->passed];
        parser->line += byte == '\n';
        good = good && byte != '\v' && byte != '\f';
    }
    return good ||
           fail(parser, parser->line,
                "found a form feed or vertical tab, expected JSON, where they are no blanks");
}

/* Moves behind a token that yajl read; its last `known` bytes hold no line ends. */
static bool pass_token(struct parser *parser, size_t known)
{
    size_t position = find_position(parser);
    bool good = pass_to(parser, position - known);
    parser->passed = position;
    parser->tree->next_line = parser->line;
    return good;
}

/* Checks that the outermost value is an array or an object. */
static bool check_inside(struct parser *parser, const char *found)
{
    return parser->depth ||
           fail(parser, parser->line, "found %s, expected an array or an object around all", found);
}

static int take_null(void *context)
{
    struct parser *parser = context;
    if (!pass_token(parser, 0) || !check_inside(parser, "null"))
        return false;
    json_build_null(parser->tree, NULL);
    return continue_parsing(parser);
}

static int take_boolean(void *context, int boolean)
{
    struct parser *parser = context;
    if (!pass_token(parser, 0) || !check_inside(parser, boolean ? "true" : "false"))
        return false;
    json_build_boolean(parser->tree, NULL, boolean);
    return continue_parsing(parser);
}

static bool take_integer(struct parser *parser, const char *digits, size_t length)
{
    bool negative = *digits == '-';
    uint64_t number;
    if (!text_parse_u64(digits + negative, length - negative, &number) ||
        (negative && number > (uint64_t)INT64_MAX + 1))
        return fail(parser, parser->line, "found %.*s, expected an integer from -2^63 to 2^64 - 1",
                    length < MOST_SHOWN ? (int)length : MOST_SHOWN, digits);
    if (negative)
        json_build_integer(parser->tree, NULL, (int64_t)(0 - number));
    else
        json_build_count(parser->tree, NULL, number);
    return continue_parsing(parser);
}

/* What follows the digits ends them for strtod as it did for yajl. */
static bool take_real(struct parser *parser, const char *digits, size_t length)
{
    double number = strtod(digits, NULL);
    if (!isfinite(number))
        return fail(parser, parser->line, "found %.*s, expected a number up to %g",
                    length < MOST_SHOWN ? (int)length : MOST_SHOWN, digits, DBL_MAX);
    json_build_real(parser->tree, NULL, number);
    return continue_parsing(parser);
}

static int take_number(void *context, const char *digits, size_t length)
{
    struct parser *parser = context;
    bool is_real = false;
    if (!pass_token(parser, parser->at_end ? 0 : length) || !check_inside(parser, "a number"))
        return false;
    for (size_t i = 0; i < length; i++)
        is_real = is_real || digits[i] == '.' || digits[i] == 'e' || digits[i] == 'E';
    return is_real ? take_real(parser, digits, length) : take_integer(parser, digits, length);
}

/* Whether the four hexadecimal digits of a "\u" escape are half of a surrogate pair: a 'd' and then
   one of the characters in `second`. */
static bool is_half(const char *digits, const char *second)
{
    return (digits[0] == 'd' || digits[0] == 'D') && strchr(second, digits[1]);
}

/* Whether a "\u" escape is half of a surrogate pair without the other half. yajl takes "\ud8.." for
   a first half whatever follows, and turns a second half without a first into bytes that are not
   UTF-8. The string is otherwise correct. */
static bool has_single_half(const char *string, size_t length)
{
    for (size_t i = 0; i + 5 < length; i++) {
        if (string[i] != '\\' || string[++i] != 'u' || !is_half(&string[i + 1], "89abAB"))
            continue;
        i += 5;
        if (i + 5 >= length || string[i] != '\\' || string[i + 1] != 'u' ||
            !is_half(&string[i + 2], "cdefCDEF"))
            return true;
        i += 5;
    }
    return false;
}

/* Checks a text or a key. One with escapes was decoded, so its bytes are not part of the parsed
   text. */
static bool check_string(struct parser *parser, const char *bytes, size_t length)
{
    bool decoded = (uintptr_t)bytes - (uintptr_t)parser->bytes >= parser->length;
    size_t from = parser->passed;
    if (!pass_token(parser, decoded ? 0 : length + 2))
        return false;
    if (decoded && has_single_half(&parser->bytes[from], parser->passed - from))
        return fail(parser, parser->line,
                    "found one half of a surrogate pair in a text, expected both");
    if (memchr(bytes, '\0', length))
        return fail(parser, parser->line, "found \\u0000 in a text, expected any other character");
    return utf8_is_valid(bytes, length) ||
           fail(parser, parser->line, "found a text that is not UTF-8, expected UTF-8");
}

static int take_text(void *context, const unsigned char *bytes, size_t length)
{
    struct parser *parser = context;
    const char *text = (const char *)bytes;
    if (!check_string(parser, text, length) || !check_inside(parser, "a text"))
        return false;
    json_build_text_bytes(parser->tree, NULL, text, length);
    return continue_parsing(parser);
}

static int take_key(void *context, const unsigned char *bytes, size_t length)
{
    struct parser *parser = context;
    const char *key = (const char *)bytes;
    if (!check_string(parser, key, length))
        return false;
    json_build_key_bytes(parser->tree, key, length);
    return continue_parsing(parser);
}

static bool open_value(struct parser *parser, enum json_kind kind)
{
    if (!pass_token(parser, 0))
        return false;
    if (parser->depth++ == JSON_PARSE_MOST_DEPTH)
        return fail(parser, parser->line,
                    "found more than 2048 arrays and objects in each other, expected at most 2048");
    json_build_open(parser->tree, NULL, kind);
    return continue_parsing(parser);
}

static bool close_value(struct parser *parser)
{
    if (!pass_token(parser, 0))
        return false;
    parser->depth--;
    json_build_close(parser->tree);
    return true;
}

static int open_object(void *context)
{
    return open_value(context, JSON_OBJECT);
}

static int open_array(void *context)
{
    return open_value(context, JSON_ARRAY);
}

static int close_array(void *context)
{
    return close_value(context);
}

static bool reserve_owners(struct parser *parser)
{
    size_t needed = parser->tree->keys.count;
    if (needed <= parser->owners)
        return true;
    parser->status = memory_reserve(&parser->owner, &parser->owner_capacity, needed,
                                    sizeof *parser->owner, parser->error);
    if (parser->status)
        return false;
    memset(&parser->owner[parser->owners], 0, (needed - parser->owners) * sizeof *parser->owner);
    parser->owners = needed;
    return true;
}

static int close_object(void *context)
{
    struct parser *parser = context;
    uint32_t open = parser->tree->open;
    if (!reserve_owners(parser) || !close_value(parser))
        return false;
    const struct json_value *object = &parser->tree->value[open - 1];
    for (const struct json_value *value = json_tree_first(object); value;
         value = json_tree_next(object, value)) {
        if (parser->owner[value->key - 1] == open)
            return fail(parser, value->line,
                        "found key \"%s\" again in an object, expected each once",
                        json_tree_key(parser->tree, value));
        parser->owner[value->key - 1] = open;
    }
    return true;
}

static const yajl_callbacks callbacks = {.yajl_null = take_null,
                                         .yajl_boolean = take_boolean,
                                         .yajl_number = take_number,
                                         .yajl_string = take_text,
                                         .yajl_start_map = open_object,
                                         .yajl_map_key = take_key,
                                         .yajl_end_map = close_object,
                                         .yajl_start_array = open_array,
                                         .yajl_end_array = close_array};

/* What would have been allowed where yajl stopped, found by a part of its message. */
static const char *find_expected(const char *message)
{
    static const struct {
        const char *part, *expected;
    } rows[] = {
        {"after array element", "',' or ']'"},
        {"after key and value", "',' or '}'"},
        {"separated by a colon", "':'"},
        {"invalid object key", "a key in quotes"},
        {"unallowed token", "a value"},
        {"trailing garbage", "the end of the file"},
        {"invalid char in json", "JSON"},
        {"invalid string in json", "true, false or null"},
        {"invalid character inside", "a text that ends on its line, without control characters"},
        {"before a character", "one of \"\\/bfnrtu after '\\'"},
        {"non-hex", "four hexadecimal digits after '\\u'"},
        {"malformed number", "a digit"},
        {"comment", "JSON, which has no comments"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (strstr(message, rows[i].part))
            return rows[i].expected;
    return "JSON";
}

static void fail_at_end(struct parser *parser)
{
    const struct json_tree *tree = parser->tree;
    const struct json_value *open = parser->depth ? &tree->value[tree->open - 1] : NULL;
    bool is_object = json_tree_is(open, JSON_OBJECT);
    if (!pass_to(parser, parser->length))
        return;
    if (open)
        fail(parser, parser->line,
             "found the end of the file, expected '%c' for the '%c' of line %u",
             is_object ? '}' : ']', is_object ? '{' : '[', open->line);
    else
        fail(parser, parser->line, "found the end of the file, expected an array or an object");
}

static size_t skip_blanks(const struct parser *parser, size_t from)
{
    while (from < parser->length && isspace((unsigned char)parser->bytes[from]))
        from++;
    return from;
}

static bool is_punctuation(char byte)
{
    return byte && strchr(",:[]{}", byte);
}

/* What yajl stopped at. Between this and what it passed last are blanks, and a ',' or ':' at most.
   Words and numbers are taken to their end, which it did not look for. */
static size_t find_token(const struct parser *parser, size_t *begin)
{
    size_t from = skip_blanks(parser, parser->passed), to = find_position(parser);
    if (from < parser->length && is_punctuation(parser->bytes[from])) {
        size_t next = skip_blanks(parser, from + 1);
        from = next < to ? next : from;
    }
    to = to > from ? to : from + 1;
    while (to < parser->length && !is_punctuation(parser->bytes[to - 1]) &&
           isalnum((unsigned char)parser->bytes[to]))
        to++;
    *begin = from;
    return (to < parser->length ? to : parser->length) - from;
}

static void fail_at_token(struct parser *parser, const char *message)
{
    char shown[4 * MOST_SHOWN + 1] = "";
    size_t begin, length = find_token(parser, &begin), used = 0;
    for (size_t i = begin; i < begin + length && i < begin + MOST_SHOWN; i++) {
        unsigned char byte = (unsigned char)parser->bytes[i];
        used += (size_t)sprintf(shown + used, isprint(byte) ? "%c" : "\\x%02x", byte);
    }
    if (pass_to(parser, begin))
        fail(parser, parser->line, "found '%s%s', expected %s", shown,
             length > MOST_SHOWN ? "..." : "", find_expected(message));
}

static void fail_syntax(struct parser *parser)
{
    unsigned char *message = yajl_get_error(parser->yajl, false, NULL, 0);
    if (strstr((const char *)message, "premature EOF"))
        fail_at_end(parser);
    else
        fail_at_token(parser, (const char *)message);
    yajl_free_error(parser->yajl, message);
}

static void run_yajl(struct parser *parser)
{
    yajl_status status =
        yajl_parse(parser->yajl, (const unsigned char *)parser->bytes, parser->length);
    if (status == yajl_status_ok) {
        parser->at_end = true;
        status = yajl_complete_parse(parser->yajl);
    }
    if (status == yajl_status_error)
        fail_syntax(parser);
    else if (!parser->status && skip_blanks(parser, parser->passed) < parser->length)
        fail_at_token(parser, "trailing garbage"); /* yajl overlooks a string that does not end */
    else if (!parser->status)
        pass_to(parser, parser->length);
}

static enum status run_parser(struct parser *parser)
{
    struct supply supply;
    TRY(supply_create(&supply, parser->length, parser->error));
    yajl_alloc_funcs functions = supply_functions(&supply);
    parser->yajl = yajl_alloc(&callbacks, &functions, parser);
    yajl_config(parser->yajl, yajl_dont_validate_strings, true); /* utf8_is_valid is stricter */
    run_yajl(parser);
    yajl_free(parser->yajl);
    supply_free(&supply);
    memory_free(parser->owner);
    return parser->status;
}

enum status json_parse(const struct text *text, const char *file, const char *key,
                       struct json_tree *tree, struct error *error)
{
    struct parser parser = {.bytes = text->bytes ? text->bytes : "",
                            .length = text->length,
                            .file = file,
                            .line = 1,
                            .tree = tree,
                            .error = error};
    if (key)
        json_build_key_bytes(tree, key, strlen(key));
    TRY(run_parser(&parser));
    tree->next_line = 0;
    return STATUS_OK;
}
