#include "datasets/json/token.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "core/utf8.h"

bool json_token_fail(struct json_parser *parser, unsigned line, const char *format, ...)
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

bool json_token_is_punctuation(char byte)
{
    return byte && strchr(",:[]{}", byte);
}

bool json_token_fail_at(struct json_parser *parser, const char *expected)
{
    char shown[4 * JSON_TOKEN_MOST_SHOWN + 1] = "";
    const char *bytes = parser->bytes;
    size_t begin = parser->begin, end = parser->at > begin ? parser->at : begin + 1, used = 0;
    while (end < parser->length && !json_token_is_punctuation(bytes[end - 1]) &&
           isalnum((unsigned char)bytes[end]))
        end++;
    for (size_t i = begin; i < end && i < begin + JSON_TOKEN_MOST_SHOWN; i++) {
        unsigned char byte = (unsigned char)bytes[i];
        used += (size_t)sprintf(shown + used, isprint(byte) ? "%c" : "\\x%02x", byte);
    }
    return json_token_fail(parser, parser->line, "found '%s%s', expected %s", shown,
                           end - begin > JSON_TOKEN_MOST_SHOWN ? "..." : "",
                           parser->is_complete ? "the end of the file" : expected);
}

bool json_token_fail_at_end(struct json_parser *parser)
{
    const struct json_holder *open = parser->open;
    if (!open)
        return json_token_fail(parser, parser->line,
                               "found the end of the file, expected an array or an object");
    return json_token_fail(parser, parser->line,
                           "found the end of the file, expected '%c' for the '%c' of line %u",
                           open->is_object ? '}' : ']', open->is_object ? '{' : '[', open->line);
}

/* The end of the text is like a blank. */
static char peek(const struct json_parser *parser)
{
    return parser->at < parser->length ? parser->bytes[parser->at] : ' ';
}

static bool skip_digits(struct json_parser *parser)
{
    size_t from = parser->at;
    while (isdigit((unsigned char)peek(parser)))
        parser->at++;
    return parser->at > from || json_token_fail_at(parser, "a digit");
}

static bool read_number(struct json_parser *parser)
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

static bool read_text(struct json_parser *parser)
{
    parser->has_escapes = false;
    parser->at++;
    while (peek(parser) != '"') {
        if (parser->at == parser->length)
            return parser->is_complete ? json_token_fail_at(parser, "")
                                       : json_token_fail_at_end(parser);
        if ((unsigned char)peek(parser) < ' ')
            return json_token_fail_at(parser,
                                      "a text that ends on its line, without control characters");
        if (parser->bytes[parser->at++] != '\\')
            continue;
        parser->has_escapes = true;
        if (peek(parser) != 'u' && (!strchr("\"\\/bfnrt", peek(parser)) || !peek(parser)))
            return json_token_fail_at(parser, "one of \"\\/bfnrtu after '\\'");
        int digits = parser->bytes[parser->at++] == 'u' ? 4 : 0;
        for (; digits; digits--, parser->at++)
            if (!isxdigit((unsigned char)peek(parser)))
                return json_token_fail_at(parser, "four hexadecimal digits after '\\u'");
    }
    parser->at++;
    return true;
}

bool json_token_read(struct json_parser *parser)
{
    for (; parser->at < parser->length && isspace((unsigned char)peek(parser)); parser->at++) {
        parser->line += peek(parser) == '\n';
        if (peek(parser) == '\v' || peek(parser) == '\f')
            return json_token_fail(
                parser, parser->line,
                "found a form feed or vertical tab, expected JSON, where they are no "
                "blanks");
    }
    parser->begin = parser->at;
    parser->tree->next_line = parser->line;
    if (parser->at == parser->length) {
        parser->kind = JSON_TOKEN_END;
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
                return json_token_fail_at(parser, "true, false or null");
        return true;
    }
    parser->at++;
    if (json_token_is_punctuation(parser->kind))
        return true;
    return json_token_fail_at(parser, parser->kind == '/' ? "JSON, which has no comments" : "JSON");
}

static uint32_t read_hexadecimal(const char *digits)
{
    char copy[5] = "";
    memcpy(copy, digits, 4);
    return (uint32_t)strtoul(copy, NULL, 16);
}

/* Decodes the escapes of a text, which is shorter then. */
static bool decode(struct json_parser *parser, const char *from, const char *end, size_t *length)
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
                return json_token_fail(
                    parser, parser->line,
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

bool json_token_bytes(struct json_parser *parser, const char **bytes, size_t *length)
{
    *bytes = parser->bytes + parser->begin + 1;
    *length = parser->at - parser->begin - 2;
    if (parser->has_escapes) {
        if (!decode(parser, *bytes, *bytes + *length, length))
            return false;
        *bytes = parser->decoded;
    }
    if (memchr(*bytes, '\0', *length))
        return json_token_fail(parser, parser->line,
                               "found \\u0000 in a text, expected any other character");
    return utf8_is_valid(*bytes, *length) ||
           json_token_fail(parser, parser->line, "found a text that is not UTF-8, expected UTF-8");
}
