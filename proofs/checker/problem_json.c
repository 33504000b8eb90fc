/* memplan-problem/1 and memplan-plan/1, as docs/formats.md has them. */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "proofs/checker/fault.h"
#include "proofs/checker/input.h"
#include "proofs/checker/problem_read.h"

/* A JSON text and a place in it, from which its values are read one after the other. What is not
   asked for is passed over, and only its brackets and quotes are looked at. */
struct json {
    char *text;  /* ends in a 0 */
    size_t at;   /* also the place of what was refused */
    bool opened; /* the place is right behind an opening bracket */
    struct fault *fault;
};

/* Says in the fault what is found at a place and what was expected. */
static bool check_json_refuse(struct json *json, size_t at, const char *expected)
{
    json->at = at;
    return UNREADABLE(json->fault, "found '%.20s', expected %s", json->text + at, expected);
}

/* The first byte of the next value. */
static char check_json_first(struct json *json)
{
    json->at += strspn(json->text + json->at, " \t\r\n");
    return json->text[json->at];
}

/* Goes behind this bracket, quote or colon. */
static bool check_json_take(struct json *json, char wanted, const char *expected)
{
    if (check_json_first(json) != wanted)
        return check_json_refuse(json, json->at, expected);
    json->at++;
    json->opened = wanted == '[' || wanted == '{';
    return true;
}

/* Reads a text, with its escapes as they stand there. */
static bool check_json_text(struct json *json, char **text, size_t *length)
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

static bool check_json_number(struct json *json, int64_t *number)
{
    check_json_first(json);
    const char *at = json->text + json->at;
    NEED(check_input_number(&at, number, json->fault));
    json->at = (size_t)(at - json->text);
    return (*at && strchr(" \t\r\n,]}", *at)) ||
           check_json_refuse(json, json->at, "the end of a whole number");
}

/* Goes to the next item of an array or object that ends in this bracket: *more says whether there
   is one, and where there is none the place is behind the bracket. */
static bool check_json_next(struct json *json, char closing, bool *more)
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

/* Notes where the values of these keys stand in the object at the place, 0 where there is none, and
   goes behind the object. A fault where one of them is there twice. */
static bool check_json_object(struct json *json, int keys, const char *const *key, size_t *at)
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

/* Calls `read` for each item of an array. */
static bool read_array(struct json *json, size_t at, struct problem *problem,
                       bool (*read)(struct json *json, struct problem *problem))
{
    bool more = true;
    json->at = at;
    NEED(check_json_take(json, '[', "a list"));
    for (;;) {
        NEED(check_json_next(json, ']', &more));
        if (!more)
            return true;
        NEED(read(json, problem));
    }
}

static bool read_segment(struct json *json, struct problem *problem)
{
    int64_t number[4] = {0, 0, 0, problem->buffer[problem->buffers - 1].size};
    size_t begin = json->at;
    int count = 0;
    bool more = true;
    NEED(check_json_take(json, '[', "a list") && check_json_next(json, ']', &more));
    for (; more && count < 4; count++)
        NEED(check_json_number(json, &number[count]) && check_json_next(json, ']', &more));
    if (more || count % 2 || !count)
        return check_json_refuse(json, begin, "[lower, upper] or four numbers");
    const struct segment segment = {number[0], number[1], number[2], number[3]};
    return check_problem_add_segment(problem, &segment, json->fault);
}

static bool read_buffer(struct json *json, struct problem *problem)
{
    enum { NAME, SEGMENTS, CLOCK, SIZE, ALIGNMENT, OFFSET, KEYS };
    static const char *const keys[] = {"name", "segments", "clock", "size", "alignment", "offset"};
    int64_t number[KEYS] = {[ALIGNMENT] = 1, [OFFSET] = BUFFER_FREE};
    size_t at[KEYS], begin = json->at, length;
    char *name;
    NEED(check_json_object(json, KEYS, keys, at));
    size_t behind = json->at;
    if (!at[NAME] || at[CLOCK])
        return check_json_refuse(json, begin, "a buffer with a name, and without a clock");
    for (int k = SIZE; k < KEYS; k++) {
        json->at = at[k];
        NEED(!at[k] || check_json_number(json, &number[k]));
        if (at[k] && number[k] < 0)
            return check_json_refuse(json, begin, "no numbers below 0");
    }
    json->at = at[NAME];
    NEED(check_json_text(json, &name, &length));
    const struct buffer buffer = {
        .size = number[SIZE], .alignment = number[ALIGNMENT], .fixed = number[OFFSET]};
    NEED(check_problem_add_buffer(problem, name, length, &buffer, json->fault));
    NEED(!at[SEGMENTS] || read_array(json, at[SEGMENTS], problem, read_segment));
    json->at = behind;
    return true;
}

/* One of a pair: a name, or a position from 0. */
static bool read_partner(struct json *json, const struct problem *problem, uint32_t *buffer)
{
    int64_t position;
    char *name;
    size_t length, begin = json->at;
    if (check_json_first(json) == '"') {
        NEED(check_json_text(json, &name, &length));
        name[length] = 0; /* in the place of the quote, which is not read again */
        position = check_problem_find(problem, name);
    } else {
        NEED(check_json_number(json, &position));
    }
    *buffer = (uint32_t)position;
    return (position >= 0 && position < problem->buffers) ||
           check_json_refuse(json, begin, "the name or position of a buffer");
}

static bool read_pair(struct json *json, struct problem *problem)
{
    uint32_t buffer[2];
    size_t begin = json->at;
    int count = 0;
    bool more = true;
    NEED(check_json_take(json, '[', "a list") && check_json_next(json, ']', &more));
    for (; more && count < 2; count++)
        NEED(read_partner(json, problem, &buffer[count]) && check_json_next(json, ']', &more));
    if (more || count < 2)
        return check_json_refuse(json, begin, "a pair of buffers");
    NEED(check_grow((void **)&problem->pair, &problem->pair_room, problem->pairs,
                    sizeof *problem->pair, json->fault));
    if (check_problem_overlaps(problem, buffer[0], buffer[1]))
        return true;
    problem->pair[problem->pairs++] = check_problem_pair(buffer[0], buffer[1]);
    problem->buffer[buffer[0]].paired = problem->buffer[buffer[1]].paired = true;
    return true;
}

static bool read_document(struct json *json, bool is_plan, struct problem *problem)
{
    enum { FORMAT, BUFFERS, CONFLICTS, PARAMETERS, KEYS };
    static const char *const keys[] = {"format", "buffers", "conflicts", "parameters"};
    const char *format = is_plan ? "\"memplan-plan/1\"" : "\"memplan-problem/1\"";
    size_t at[KEYS];
    NEED(check_json_object(json, KEYS, keys, at));
    if (check_json_first(json))
        return check_json_refuse(json, json->at, "the end of the file");
    json->at = at[FORMAT];
    check_json_first(json);
    if (!at[FORMAT] || strncmp(json->text + json->at, format, strlen(format)) != 0)
        return check_json_refuse(json, json->at,
                                 is_plan ? "\"format\": \"memplan-plan/1\""
                                         : "\"format\": \"memplan-problem/1\"");
    if (at[PARAMETERS] || !at[BUFFERS])
        return check_json_refuse(json, at[PARAMETERS], "buffers, and no parameters");
    NEED(read_array(json, at[BUFFERS], problem, read_buffer));
    NEED(check_problem_sort(problem, json->fault));
    if (at[CONFLICTS])
        NEED(read_array(json, at[CONFLICTS], problem, read_pair));
    if (problem->pairs)
        qsort(problem->pair, problem->pairs, sizeof *problem->pair, check_problem_compare_pairs);
    return true;
}

bool check_problem_read_json(const char *path, bool is_plan, struct problem *problem,
                             struct fault *fault)
{
    struct input input = {0};
    struct json json = {.fault = fault};
    assert(!problem->buffers);
    bool fine = check_input_open(path, &input, fault) && check_input_text(&input, EOF, fault);
    json.text = input.text;
    if (fine && !read_document(&json, is_plan, problem)) {
        fine = false;
        for (size_t i = 0; i < json.at; i++)
            fault->line += json.text[i] == '\n';
    }
    check_input_close(&input);
    return fine;
}
