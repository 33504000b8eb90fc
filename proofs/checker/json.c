#include "proofs/checker/json.h"

#include <string.h>

#include "proofs/checker/input.h"

bool check_json_refuse(struct json *json, size_t at, const char *expected)
{
    json->at = at;
    return UNREADABLE(json->fault, "found '%.20s', expected %s", json->text + at, expected);
}

char check_json_first(struct json *json)
{
    json->at += strspn(json->text + json->at, " \t\r\n");
    return json->text[json->at];
}

bool check_json_take(struct json *json, char wanted, const char *expected)
{
    if (check_json_first(json) != wanted)
        return check_json_refuse(json, json->at, expected);
    json->at++;
    json->opened = wanted == '[' || wanted == '{';
    return true;
}

bool check_json_text(struct json *json, char **text, size_t *length)
{
    NEED(check_json_take(json, '"', "a text"));
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
    const char *at = json->text + json->at;
    NEED(check_input_number(&at, number, json->fault));
    json->at = (size_t)(at - json->text);
    return (*at && strchr(" \t\r\n,]}", *at)) ||
           check_json_refuse(json, json->at, "the end of a whole number");
}

bool check_json_next(struct json *json, char closing, bool *more)
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

/* Goes behind a value by counting its brackets. */
static bool skip_value(struct json *json)
{
    char *text;
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
    char *found;
    size_t length;
    bool more = true;
    memset(at, 0, (size_t)keys * sizeof *at);
    NEED(check_json_take(json, '{', "an object"));
    for (;;) {
        NEED(check_json_next(json, '}', &more));
        if (!more)
            return true;
        NEED(check_json_text(json, &found, &length) && check_json_take(json, ':', "':'"));
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
