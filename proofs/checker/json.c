#include "proofs/checker/json.h"

#include <stdlib.h>
#include <string.h>

#include "proofs/checker/input.h"

enum { MOST_DEPTH = 16 };

struct parser {
    struct json *json;
    size_t at;
    struct fault *fault;
};

static bool refuse(struct parser *parser, const char *expected)
{
    parser->fault->line = 1;
    for (size_t i = 0; i < parser->at; i++)
        parser->fault->line += parser->json->text[i] == '\n';
    return check_fault_unreadable(parser->fault, "found '%.20s', expected %s",
                                  parser->json->text + parser->at, expected);
}

static char skip_blanks(struct parser *parser)
{
    parser->at += strspn(parser->json->text + parser->at, " \t\r\n");
    return parser->json->text[parser->at];
}

static bool add_value(struct parser *parser, enum json_kind kind, uint32_t *index)
{
    struct json *json = parser->json;
    if (json->values >= UINT32_MAX)
        return refuse(parser, "fewer values");
    FAULT_TRY(check_fault_grow((void **)&json->value, &json->room, json->values,
                               sizeof *json->value, parser->fault));
    *index = (uint32_t)json->values++;
    json->value[*index] = (struct json_value){kind, 0, parser->at, 0};
    return true;
}

static void close_value(struct parser *parser, uint32_t index)
{
    parser->json->value[index].end = parser->at;
    parser->json->value[index].after = (uint32_t)parser->json->values;
}

static bool parse_string(struct parser *parser, bool *is_string)
{
    const char *text = parser->json->text;
    uint32_t index = 0;
    *is_string = skip_blanks(parser) == '"';
    if (!*is_string)
        return true;
    parser->at++;
    FAULT_TRY(add_value(parser, JSON_STRING, &index));
    while (text[parser->at] != '"') {
        parser->at += text[parser->at] == '\\' && text[parser->at + 1];
        if ((unsigned char)text[parser->at] < ' ')
            return refuse(parser, "the end of a text");
        parser->at++;
    }
    close_value(parser, index);
    parser->at++;
    return true;
}

/* A number, true, false or null; what it is, is looked at where it is used. */
static bool parse_word(struct parser *parser)
{
    uint32_t index = 0;
    size_t length = strcspn(parser->json->text + parser->at, " \t\r\n,:]}[{\"");
    if (!length)
        return refuse(parser, "a value");
    FAULT_TRY(add_value(parser, JSON_OTHER, &index));
    parser->at += length;
    close_value(parser, index);
    return true;
}

static bool parse_value(struct parser *parser, int depth)
{
    uint32_t index = 0;
    bool is_string;
    FAULT_TRY(parse_string(parser, &is_string));
    char opened = parser->json->text[parser->at];
    if (is_string)
        return true;
    if (opened != '{' && opened != '[')
        return parse_word(parser);
    if (depth == MOST_DEPTH)
        return refuse(parser, "at most 16 values inside each other");
    FAULT_TRY(add_value(parser, opened == '{' ? JSON_OBJECT : JSON_ARRAY, &index));
    char closing = opened == '{' ? '}' : ']';
    parser->at++;
    if (skip_blanks(parser) == closing) {
        parser->at++;
        close_value(parser, index);
        return true;
    }
    for (;;) {
        if (opened == '{') {
            FAULT_TRY(parse_string(parser, &is_string));
            if (!is_string)
                return refuse(parser, "a key");
            if (skip_blanks(parser) != ':')
                return refuse(parser, "':'");
            parser->at++;
        }
        FAULT_TRY(parse_value(parser, depth + 1));
        char next = skip_blanks(parser);
        if (next != ',' && next != closing)
            return refuse(parser, opened == '{' ? "',' or '}'" : "',' or ']'");
        parser->at++;
        if (next == closing)
            break;
    }
    close_value(parser, index);
    return true;
}

bool check_json_read(const char *path, struct json *json, struct fault *fault)
{
    struct parser parser = {.json = json, .fault = fault};
    *json = (struct json){0};
    FAULT_TRY(check_input_text(path, &json->text, &json->length, fault));
    FAULT_TRY(parse_value(&parser, 0));
    skip_blanks(&parser);
    return parser.at == json->length || refuse(&parser, "the end of the file");
}

void check_json_free(struct json *json)
{
    free(json->text);
    free(json->value);
}

bool check_json_is(const struct json *json, uint32_t string, const char *text)
{
    const struct json_value *value = &json->value[string];
    size_t length = strlen(text);
    return value->kind == JSON_STRING && value->end - value->begin == length &&
           memcmp(json->text + value->begin, text, length) == 0;
}

uint32_t check_json_find(const struct json *json, uint32_t object, const char *key)
{
    if (json->value[object].kind != JSON_OBJECT)
        return 0;
    for (uint32_t i = object + 1; i < json->value[object].after; i = json->value[i + 1].after)
        if (check_json_is(json, i, key))
            return i + 1;
    return 0;
}

void check_json_place(const struct json *json, uint32_t value, struct fault *fault)
{
    fault->line = 1;
    for (size_t i = 0; i < json->value[value].begin; i++)
        fault->line += json->text[i] == '\n';
}

bool check_json_number(const struct json *json, uint32_t value, int64_t *number,
                       struct fault *fault)
{
    const struct json_value *at = &json->value[value];
    bool is_word = at->kind == JSON_OTHER;
    if (is_word && check_input_number(json->text + at->begin, json->text + at->end, number, fault))
        return true;
    check_json_place(json, value, fault);
    return is_word ? false : check_fault_unreadable(fault, "expected a whole number");
}
