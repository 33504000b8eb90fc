#include "proofs/checker/problem_read.h"

#include <stdlib.h>
#include <string.h>

#include "proofs/checker/json.h"

static const int64_t MOST_STEP = UINT32_MAX - 1;

/* Grows an array that has as many items as there are buffers, and one more. */
static bool grow_per_buffer(void **items, size_t room, size_t bytes, struct fault *fault)
{
    void *grown = realloc(*items, (room + 1) * bytes);
    if (!grown)
        return check_fault_memory(fault);
    *items = grown;
    return true;
}

bool check_problem_begin_buffer(struct problem *problem, const char *name, size_t length,
                                struct fault *fault)
{
    uint32_t b = problem->buffers;
    if (b == UINT32_MAX - 1)
        return check_fault_unreadable(fault, "found more than 2^32 - 2 buffers");
    if (b == problem->buffer_room || !problem->size) {
        size_t room = problem->buffer_room ? 2 * problem->buffer_room : 64;
        FAULT_TRY(grow_per_buffer((void **)&problem->size, room, sizeof(int64_t), fault));
        FAULT_TRY(grow_per_buffer((void **)&problem->alignment, room, sizeof(int64_t), fault));
        FAULT_TRY(grow_per_buffer((void **)&problem->fixed, room, sizeof(int64_t), fault));
        FAULT_TRY(grow_per_buffer((void **)&problem->first, room, sizeof(uint32_t), fault));
        FAULT_TRY(grow_per_buffer((void **)&problem->name, room, sizeof(struct name), fault));
        problem->buffer_room = room;
    }
    char *text = malloc(length + 1);
    if (!text)
        return check_fault_memory(fault);
    memcpy(text, name, length);
    text[length] = 0;
    problem->name[b] = (struct name){text, b};
    problem->size[b] = 0;
    problem->alignment[b] = 1;
    problem->fixed[b] = PROBLEM_FREE;
    problem->first[b] = problem->first[b + 1] = problem->segments;
    problem->buffers++;
    return true;
}

bool check_problem_check_buffer(const struct problem *problem, struct fault *fault)
{
    uint32_t b = problem->buffers - 1;
    if (problem->size[b] < 1 || problem->alignment[b] < 1)
        return check_fault_unreadable(fault, "expected a size and an alignment of at least 1");
    if (problem->fixed[b] < PROBLEM_FREE)
        return check_fault_unreadable(fault, "expected an offset of at least 0");
    return true;
}

bool check_problem_add_segment(struct problem *problem, const struct segment *segment,
                               struct fault *fault)
{
    uint32_t b = problem->buffers - 1;
    struct segment *last =
        problem->first[b] < problem->segments ? &problem->segment[problem->segments - 1] : NULL;
    if (segment->lower < 0 || segment->lower >= segment->upper || segment->upper > MOST_STEP ||
        (last && segment->lower < last->upper))
        return check_fault_unreadable(fault, "expected segments that ascend and do not overlap");
    if (segment->begin < 0 || segment->begin >= segment->end || segment->end > problem->size[b])
        return check_fault_unreadable(fault, "expected a window inside the buffer");
    if (last && last->upper == segment->lower && last->begin == segment->begin &&
        last->end == segment->end) {
        last->upper = segment->upper;
        return true;
    }
    if (problem->segments == UINT32_MAX - 1)
        return check_fault_unreadable(fault, "found more than 2^32 - 2 segments");
    FAULT_TRY(check_fault_grow((void **)&problem->segment, &problem->segment_room,
                               problem->segments, sizeof *segment, fault));
    problem->segment[problem->segments++] = *segment;
    problem->first[b + 1] = problem->segments;
    return true;
}

static int compare_names(const void *left, const void *right)
{
    const struct name *a = left, *b = right;
    int order = strcmp(a->text, b->text);
    return order ? order : (a->buffer > b->buffer) - (a->buffer < b->buffer);
}

/* Pairs of a .json file are of names, which can be found once these are in order. */
static bool sort_names(struct problem *problem, struct fault *fault)
{
    if (!problem->buffers)
        return check_fault_unreadable(fault, "found no buffer, expected at least one");
    qsort(problem->name, problem->buffers, sizeof *problem->name, compare_names);
    for (uint32_t b = 1; b < problem->buffers; b++)
        if (strcmp(problem->name[b - 1].text, problem->name[b].text) == 0)
            return check_fault_unreadable(fault, "found two buffers '%.60s'",
                                          problem->name[b].text);
    return true;
}

static bool read_segment(const struct json *json, uint32_t value, struct problem *problem,
                         struct fault *fault)
{
    int64_t number[4] = {0, 0, 0, problem->size[problem->buffers - 1]};
    int count = 0;
    for (uint32_t i = value + 1; i < json->value[value].after; i = json->value[i].after, count++)
        if (count < 4)
            FAULT_TRY(check_json_number(json, i, &number[count], fault));
    if (json->value[value].kind == JSON_ARRAY && (count == 2 || count == 4)) {
        const struct segment segment = {number[0], number[1], number[2], number[3]};
        if (check_problem_add_segment(problem, &segment, fault))
            return true;
    } else {
        check_fault_unreadable(fault, "expected [lower, upper] or four numbers");
    }
    check_json_place(json, value, fault);
    return false;
}

static bool read_buffer(const struct json *json, uint32_t object, struct problem *problem,
                        struct fault *fault)
{
    uint32_t name = check_json_find(json, object, "name"),
             segments = check_json_find(json, object, "segments");
    if (!name || json->value[name].kind != JSON_STRING)
        return check_fault_unreadable(fault, "expected a buffer with a name");
    if (check_json_find(json, object, "clock"))
        return check_fault_unreadable(fault,
                                      "found a clock: proofs are about segments and conflicts");
    const struct json_value *text = &json->value[name];
    FAULT_TRY(check_problem_begin_buffer(problem, json->text + text->begin, text->end - text->begin,
                                         fault));
    uint32_t b = problem->buffers - 1;
    uint32_t size = check_json_find(json, object, "size");
    uint32_t alignment = check_json_find(json, object, "alignment");
    uint32_t offset = check_json_find(json, object, "offset");
    if (size)
        FAULT_TRY(check_json_number(json, size, &problem->size[b], fault));
    if (alignment)
        FAULT_TRY(check_json_number(json, alignment, &problem->alignment[b], fault));
    if (offset)
        FAULT_TRY(check_json_number(json, offset, &problem->fixed[b], fault));
    if (offset && problem->fixed[b] < 0)
        return check_fault_unreadable(fault, "expected an offset of at least 0");
    FAULT_TRY(check_problem_check_buffer(problem, fault));
    if (!segments)
        return true;
    if (json->value[segments].kind != JSON_ARRAY)
        return check_fault_unreadable(fault, "expected a list of segments");
    for (uint32_t i = segments + 1; i < json->value[segments].after; i = json->value[i].after)
        FAULT_TRY(read_segment(json, i, problem, fault));
    return true;
}

/* One of a pair: a name, or a position from 0. */
static bool read_partner(struct json *json, uint32_t value, const struct problem *problem,
                         uint32_t *buffer, struct fault *fault)
{
    const struct json_value *text = &json->value[value];
    int64_t position = problem->buffers;
    if (text->kind == JSON_STRING) {
        char *end = json->text + text->end, kept = *end;
        *end = 0;
        position = check_problem_find(problem, json->text + text->begin);
        *end = kept;
    } else {
        FAULT_TRY(check_json_number(json, value, &position, fault));
    }
    *buffer = (uint32_t)position;
    if (position >= 0 && position < problem->buffers)
        return true;
    check_json_place(json, value, fault);
    return check_fault_unreadable(fault, "expected the name or position of a buffer");
}

static int compare_pairs(const void *left, const void *right)
{
    const struct pair *a = left, *b = right;
    if (a->first != b->first)
        return a->first < b->first ? -1 : 1;
    return (a->second > b->second) - (a->second < b->second);
}

static bool read_pairs(struct json *json, uint32_t array, struct problem *problem,
                       struct fault *fault)
{
    for (uint32_t i = array + 1; i < json->value[array].after; i = json->value[i].after) {
        uint32_t end = json->value[i].after, second = i + 1 < end ? json->value[i + 1].after : end;
        struct pair pair;
        if (json->value[i].kind != JSON_ARRAY || second >= end ||
            json->value[second].after != end) {
            check_json_place(json, i, fault);
            return check_fault_unreadable(fault, "expected a pair of buffers");
        }
        FAULT_TRY(read_partner(json, i + 1, problem, &pair.first, fault));
        FAULT_TRY(read_partner(json, second, problem, &pair.second, fault));
        if (pair.first > pair.second)
            pair = (struct pair){pair.second, pair.first};
        FAULT_TRY(check_fault_grow((void **)&problem->pair, &problem->pair_room, problem->pairs,
                                   sizeof pair, fault));
        problem->pair[problem->pairs++] = pair;
    }
    if (problem->pairs)
        qsort(problem->pair, problem->pairs, sizeof *problem->pair, compare_pairs);
    return true;
}

static bool read_document(struct json *json, struct problem *problem, struct fault *fault)
{
    uint32_t format = check_json_find(json, 0, "format"),
             buffers = check_json_find(json, 0, "buffers");
    uint32_t conflicts = check_json_find(json, 0, "conflicts");
    if (!format || !check_json_is(json, format, "memplan-problem/1"))
        return check_fault_unreadable(fault, "expected \"format\": \"memplan-problem/1\"");
    if (check_json_find(json, 0, "parameters"))
        return check_fault_unreadable(fault,
                                      "found parameters: proofs are about sizes that are numbers");
    if (!buffers || json->value[buffers].kind != JSON_ARRAY)
        return check_fault_unreadable(fault, "expected a list of buffers");
    for (uint32_t i = buffers + 1; i < json->value[buffers].after; i = json->value[i].after)
        if (!read_buffer(json, i, problem, fault)) {
            /* A number that is wrong has its own line. */
            if (!fault->line)
                check_json_place(json, i, fault);
            return false;
        }
    FAULT_TRY(sort_names(problem, fault));
    return !conflicts || read_pairs(json, conflicts, problem, fault);
}

bool check_problem_read_json(const char *path, struct problem *problem, struct fault *fault)
{
    struct json json;
    bool fine = check_json_read(path, &json, fault) && read_document(&json, problem, fault);
    check_json_free(&json);
    return fine;
}

bool check_problem_read(const char *path, struct problem *problem, struct fault *fault)
{
    size_t length = strlen(path);
    *problem = (struct problem){0};
    if (length > 5 && strcmp(path + length - 5, ".json") == 0)
        return check_problem_read_json(path, problem, fault);
    return check_problem_read_csv(path, problem, fault) && sort_names(problem, fault);
}
