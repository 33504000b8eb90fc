#include "proofs/checker/json.h"

#include <assert.h>
#include <string.h>

#include "proofs/checker/input.h"

bool check_json_open(const char *path, struct json *json, struct fault *fault)
{
    struct input input = {0};
    size_t length = 0;
    int byte = 1;
    assert(!json->text);
    json->fault = fault;
    bool fine = check_input_open(path, &input, fault);
    while (fine && byte > 0) {
        fine = check_input_byte(&input, &byte, fault) &&
               check_grow((void **)&json->text, &json->room, length, 1, fault);
        if (fine)
            json->text[length++] = (char)(byte > 0 ? byte : 0);
    }
    check_input_close(&input);
    return fine && (byte < 0 || UNREADABLE(fault, "found a byte 0, expected text"));
}

bool check_json_place(struct json *json, size_t at)
{
    json->fault->line = 1;
    for (size_t i = 0; i < at; i++)
        json->fault->line += json->text[i] == '\n';
    return false;
}

bool check_json_refuse(struct json *json, size_t at, const char *expected)
{
    check_json_place(json, at);
    return UNREADABLE(json->fault, "found '%.20s', expected %s", json->text + at, expected);
}

char check_json_first(struct json *json)
{
    json->at += strspn(json->text + json->at, " \t\r\n");
    return json->text[json->at];
}

static bool expect(struct json *json, char wanted, const char *expected)
{
    if (check_json_first(json) != wanted)
        return check_json_refuse(json, json->at, expected);
    json->at++;
    json->opened = wanted == '[' || wanted == '{';
    return true;
}

bool check_json_text(struct json *json, const char **text, size_t *length)
{
    NEED(expect(json, '"', "a text"));
    *text = json->text + json->at;
    for (; json->text[json->at] != '"'; json->at++) {
        json->at += json->text[json->at] == '\\' && json->text[json->at + 1];
        if ((unsigned char)json->text[json->at] < ' ')
            return check_json_refuse(json, json->at, "the end of a text");
    }
    *length = (size_t)(json->text + json->at++ - *text);
    return true;
}

bool check_json_number(struct json *json, int64_t *number)
{
    check_json_first(json);
    const char *begin = json->text + json->at;
    size_t length = strcspn(begin, " \t\r\n,:]}[{\"");
    json->at += length;
    return check_input_number(begin, begin + length, number, json->fault) ||
           check_json_place(json, json->at);
}

static bool find_next(struct json *json, char closing, bool *more)
{
    bool opened = json->opened;
    char found = check_json_first(json);
    *more = found != closing;
    json->opened = false;
    if (*more && !opened && found != ',')
        return check_json_refuse(json, json->at, closing == ']' ? "',' or ']'" : "',' or '}'");
    json->at += !*more || !opened;
    return true;
}

bool check_json_next(struct json *json, bool *more)
{
    return find_next(json, ']', more);
}

bool check_json_array(struct json *json)
{
    return expect(json, '[', "a list");
}

/* Goes behind a value by counting its brackets. */
static bool skip_value(struct json *json)
{
    const char *text;
    size_t length, depth = 0;
    do {
        char found = check_json_first(json);
        depth += found == '{' || found == '[';
        if (found == '"') {
            NEED(check_json_text(json, &text, &length));
            continue;
        }
        if (!found || (!depth && strchr(",:]}", found)))
            return check_json_refuse(json, json->at, "a value");
        depth -= found == '}' || found == ']';
        length = strcspn(json->text + json->at, " \t\r\n,:]}[{\"");
        json->at += length ? length : 1;
    } while (depth);
    return true;
}

bool check_json_object(struct json *json, int keys, const char *const *key, size_t *at)
{
    const char *found;
    size_t length;
    bool more = true;
    memset(at, 0, (size_t)keys * sizeof *at);
    NEED(expect(json, '{', "an object"));
    for (;;) {
        NEED(find_next(json, '}', &more));
        if (!more)
            return true;
        NEED(check_json_text(json, &found, &length) && expect(json, ':', "':'"));
        for (int k = 0; k < keys; k++) {
            if (strlen(key[k]) != length || memcmp(key[k], found, length) != 0)
                continue;
            if (at[k])
                return check_json_refuse(json, json->at, "each key once");
            at[k] = json->at;
        }
        NEED(skip_value(json));
    }
}
