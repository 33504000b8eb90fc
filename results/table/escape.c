#include "results/table/escape.h"

#include <ctype.h>
#include <stdint.h>
#include <string.h>

#include "core/utf8.h"

struct replacement {
    char character;
    const char *text;
};

size_t escape_next(const char **cursor, char character[5])
{
    static const char replacement[] = "\xef\xbf\xbd";
    uint32_t point = 0;
    if (!**cursor)
        return 0;
    if (**cursor >= ' ' && **cursor < 0x7f) { /* as most are */
        character[0] = *(*cursor)++;
        character[1] = '\0';
        return 1;
    }
    size_t length = utf8_read(*cursor, strnlen(*cursor, 4), &point);
    if (point == 0xfffe || point == 0xffff)
        length = 0; /* XML takes no noncharacters */
    const char *source = *cursor;
    *cursor += length ? length : 1;
    if (!length) {
        source = replacement;
        length = sizeof replacement - 1;
    } else if (point < 0x20 || (point >= 0x7f && point < 0xa0)) {
        source = " ";
        length = 1;
    }
    memcpy(character, source, length);
    character[length] = '\0';
    return length;
}

/* The number of bytes at the beginning that need no escape: printable ASCII without special
   characters. */
static size_t measure_plain(const char *raw, const bool special[128])
{
    size_t length = 0;
    while (raw[length] >= ' ' && raw[length] < 0x7f && !special[(unsigned char)raw[length]])
        length++;
    return length;
}

size_t escape_width(const char *raw)
{
    static const bool nothing_special[128] = {false};
    char character[5];
    size_t width = 0;
    do {
        size_t plain = measure_plain(raw, nothing_special);
        width += plain;
        raw += plain;
    } while (escape_next(&raw, character) && ++width);
    return width;
}

static const char *find_replacement(const struct replacement *replacements, const char *character)
{
    for (; replacements->text; replacements++)
        if (character[0] == replacements->character && !character[1])
            return replacements->text;
    return character;
}

static void replace_characters(struct text *text, const char *raw,
                               const struct replacement *replacements)
{
    bool special[128] = {false};
    char character[5];
    for (const struct replacement *row = replacements; row->text; row++)
        special[(unsigned char)row->character] = true;
    while (*raw) {
        size_t plain = measure_plain(raw, special);
        text_append_bytes(text, raw, plain);
        raw += plain;
        if (!escape_next(&raw, character))
            return;
        const char *replaced = find_replacement(replacements, character);
        text_append_bytes(text, replaced, strlen(replaced));
    }
}

void escape_html(struct text *text, const char *raw)
{
    static const struct replacement replacements[] = {
        {'&', "&amp;"}, {'<', "&lt;"}, {'>', "&gt;"}, {'"', "&quot;"}, {'\'', "&#39;"}, {0, NULL}};
    replace_characters(text, raw, replacements);
}

void escape_tex(struct text *text, const char *raw)
{
    static const struct replacement replacements[] = {{'\\', "\\textbackslash{}"},
                                                      {'{', "\\{"},
                                                      {'}', "\\}"},
                                                      {'$', "\\$"},
                                                      {'&', "\\&"},
                                                      {'#', "\\#"},
                                                      {'%', "\\%"},
                                                      {'_', "\\_"},
                                                      {'^', "\\textasciicircum{}"},
                                                      {'~', "\\textasciitilde{}"},
                                                      {'<', "\\textless{}"},
                                                      {'>', "\\textgreater{}"},
                                                      {'|', "\\textbar{}"},
                                                      {'"', "''"},
                                                      {0, NULL}};
    replace_characters(text, raw, replacements);
}

/* Whether an underscore is inside a word, where Markdown gives it no meaning; names have many of
   them. */
static bool is_inside_word(const char *raw, const char *at)
{
    return at > raw && isalnum((unsigned char)at[-1]) && isalnum((unsigned char)at[1]);
}

void escape_markdown(struct text *text, const char *raw)
{
    bool special[128] = {false};
    const char *cursor = raw;
    char character[5];
    for (const char *at = "\\`*[]<>|&~_"; *at; at++)
        special[(unsigned char)*at] = true;
    while (*cursor) {
        size_t plain = measure_plain(cursor, special);
        text_append_bytes(text, cursor, plain);
        cursor += plain;
        const char *at = cursor;
        size_t length = escape_next(&cursor, character);
        bool marks = length == 1 && special[(unsigned char)character[0]] &&
                     !(character[0] == '_' && is_inside_word(raw, at));
        text_append_bytes(text, "\\", marks);
        text_append_bytes(text, character, length);
    }
}

void escape_plain(struct text *text, const char *raw)
{
    static const struct replacement none[] = {{0, NULL}};
    replace_characters(text, raw, none);
}

void escape_csv(struct text *text, const char *raw)
{
    static const struct replacement replacements[] = {{'"', "\"\""}, {0, NULL}};
    static const bool special[128] = {[','] = true, ['"'] = true};
    size_t plain = measure_plain(raw, special);
    bool quoted = *raw == ' ';
    if (!raw[plain] && !quoted) {
        text_append_bytes(text, raw, plain);
        return;
    }
    quoted |= strpbrk(raw + plain, ",\"\r\n") != NULL;
    text_append_bytes(text, "\"", quoted);
    replace_characters(text, raw, replacements);
    text_append_bytes(text, "\"", quoted);
}

void escape_json(struct text *text, const char *raw)
{
    static const bool special[128] = {['"'] = true, ['\\'] = true};
    char character[5];
    text_append_bytes(text, "\"", 1);
    for (const char *at = raw; *at;) {
        unsigned char byte = (unsigned char)*at;
        size_t plain = measure_plain(at, special);
        if (plain) {
            text_append_bytes(text, at, plain);
            at += plain;
        } else if (byte == '"' || byte == '\\') {
            text_append(text, "\\%c", *at++);
        } else if (byte < ' ') {
            text_append(text, "\\u%04x", byte);
            at++;
        } else {
            size_t length = escape_next(&at, character);
            text_append_bytes(text, character, length);
        }
    }
    text_append_bytes(text, "\"", 1);
}

void escape_url(struct text *text, const char *raw)
{
    for (; *raw; raw++) {
        bool is_plain = isalnum((unsigned char)*raw) || strchr("-._~", *raw);
        text_append(text, is_plain ? "%c" : "%%%02X", (unsigned char)*raw);
    }
}
