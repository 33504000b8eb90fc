/* A problem in JSON: buffers with their segments or clocks, fixed offsets and conflicts that time
   does not say. */

#include <assert.h>

#include "core/memory.h"
#include "datasets/json/fields.h"
#include "datasets/memplan_json/problem.h"
#include "planning/problem/clocks_resolve.h"
#include "planning/problem/explicit_conflicts.h"
#include "planning/problem/segments.h"

struct reader {
    struct json_reader json;
    struct problem *problem;
    enum fixed_offsets offsets;
    const struct json_value *conflicts; /* or NULL */
    uint32_t *clock;                    /* room for one */
    size_t clock_capacity;
};

static enum status read_segments(struct reader *reader, const struct json_value *object,
                                 uint64_t size)
{
    struct segment_joiner joiner = {0};
    const struct json_value *array;
    if (reader->conflicts)
        TRY(json_fields_optional_array(&reader->json, object, "segments", &array));
    else
        TRY(json_fields_array(&reader->json, object, "segments", &array));
    if (!json_tree_count(array) && !reader->conflicts)
        return json_document_fail(&reader->json, array,
                                  "found no segments, expected at least one in a problem without "
                                  "\"conflicts\"");
    JSON_EACH(segment, array) {
        int64_t number[4] = {0, 0, 0, (int64_t)size};
        size_t count = json_tree_count(segment), i = 0;
        if (count != 2 && count != 4)
            return json_document_fail(
                &reader->json, segment,
                "found %s as a segment, expected [lower, upper] or [lower, upper, window_lower, "
                "window_upper]",
                json_tree_is(segment, JSON_ARRAY) ? "another length" : json_fields_kind(segment));
        JSON_EACH(value, segment) {
            TRY(json_fields_value_integer(
                &reader->json, value, i < 2 ? "step of a segment" : "byte of a segment's window",
                json_between(0, i < 2 ? UINT32_MAX : INT64_MAX), &number[i]));
            i++;
        }
        const struct problem_segment read = {(uint32_t)number[0], (uint32_t)number[1],
                                             (uint64_t)number[2], (uint64_t)number[3]};
        TRY(json_document_place(&reader->json, segment,
                                segments_join(&joiner, reader->problem, read, reader->json.error)));
    }
    return json_document_place(&reader->json, array,
                               segments_end(&joiner, reader->problem, reader->json.error));
}

static enum status read_moments(struct reader *reader, const struct json_value *array,
                                uint32_t *moment)
{
    JSON_EACH(value, array) {
        int64_t number;
        TRY(json_fields_value_integer(&reader->json, value, "component of a clock",
                                      json_between(0, UINT32_MAX), &number));
        *moment++ = (uint32_t)number;
    }
    return STATUS_OK;
}

/* "parameters": {"sequence": [1, 2048]}. */
static enum status read_parameters(struct reader *reader, const struct json_value *object)
{
    const struct json_reader *json = &reader->json;
    struct problem *problem = reader->problem;
    if (!json_tree_is(object, JSON_OBJECT) || !json_tree_first(object))
        return json_document_fail(json, object,
                                  "found %s as \"parameters\", expected an object with at least "
                                  "one, such as {\"batch\": [1, 64]}",
                                  json_tree_is(object, JSON_OBJECT) ? "an empty object"
                                                                    : json_fields_kind(object));
    TRY(sizes_create(&problem->sizes, json->error));
    JSON_EACH(range, object) {
        const char *name = json_tree_key(&json->document->tree, range);
        int64_t least, greatest;
        if (json_tree_count(range) != 2)
            return json_document_fail(
                json, range, "found %s as a range, expected [least, greatest]",
                json_tree_is(range, JSON_ARRAY) ? "another length" : json_fields_kind(range));
        TRY(json_fields_value_integer(json, json_tree_at(range, 0), "least value of a parameter",
                                      json_at_least(0), &least));
        TRY(json_fields_value_integer(json, json_tree_at(range, 1), "greatest value of a parameter",
                                      json_at_least(0), &greatest));
        TRY(json_document_place(json, range,
                                sizes_add_parameter(problem->sizes, name, (uint64_t)least,
                                                    (uint64_t)greatest, json->error)));
    }
    return STATUS_OK;
}

/* The size of a buffer, at the greatest point where the problem has parameters. */
static enum status read_size(struct reader *reader, const struct json_value *object, uint64_t *size)
{
    const struct json_reader *json = &reader->json;
    struct symbolic_sizes *sizes = reader->problem->sizes;
    const struct json_value *value = json_fields_get(json, object, "size");
    const char *text = json_tree_text(&json->document->tree, value);
    int64_t number;
    if (!sizes || !text) {
        TRY(json_fields_integer(json, object, "size", json_at_least(1), &number));
        *size = (uint64_t)number;
        return sizes ? sizes_add_number(sizes, *size, json->error) : STATUS_OK;
    }
    TRY(json_document_place(json, value, sizes_add(sizes, text, json->error)));
    bool is_size = sizes_value(sizes, sizes->count - 1, sizes->greatest, size);
    assert(is_size);
    (void)is_size;
    return STATUS_OK;
}

/* The first buffer says whether the problem has clocks; all others have to be like it. */
static enum status read_lifetime(struct reader *reader, const struct json_value *object,
                                 uint64_t size)
{
    const struct json_value *clock = json_fields_get(&reader->json, object, "clock");
    bool expected =
        reader->problem->buffers == 1 ? clock != NULL : problem_streams(reader->problem) > 0;
    if (!expected && !clock)
        return read_segments(reader, object, size);
    if (!expected || !clock)
        return json_document_fail(&reader->json, clock ? clock : object,
                                  "found %s clock, expected %s", clock ? "a" : "no",
                                  clock ? "segments as before" : "one as before");
    if (json_fields_get(&reader->json, object, "segments"))
        return json_document_fail(&reader->json, object,
                                  "found a clock and segments, expected one of both");
    if (reader->conflicts)
        return json_document_fail(
            &reader->json, clock,
            "found a clock in a problem with \"conflicts\", expected one of both");
    const struct json_value *start = json_tree_at(clock, 0), *end = json_tree_at(clock, 1);
    size_t streams = json_tree_count(start);
    if (json_tree_count(clock) != 2 || json_tree_count(end) != streams)
        return json_document_fail(
            &reader->json, clock,
            "found %s as a clock, expected [[start, ..], [end, ..]], both as long",
            json_tree_is(clock, JSON_ARRAY) ? "other lengths" : json_fields_kind(clock));
    TRY(memory_reserve(&reader->clock, &reader->clock_capacity, 2 * streams, sizeof(uint32_t),
                       reader->json.error));
    TRY(read_moments(reader, start, reader->clock));
    TRY(read_moments(reader, end, reader->clock + streams));
    struct clock read = {(uint32_t)streams, reader->clock, reader->clock + streams};
    return json_document_place(&reader->json, clock,
                               problem_add_clock(reader->problem, read, reader->json.error));
}

static enum status read_buffer(struct reader *reader, const struct json_value *object)
{
    struct problem_buffer buffer = {.hint = -1, .fixed_offset = PROBLEM_FREE};
    int64_t alignment = 1, offset = -1;
    TRY(json_fields_check(&reader->json, object, "a buffer",
                          "name size alignment offset hint segments clock"));
    TRY(json_fields_name(&reader->json, object, &buffer.name));
    if (names_find(&reader->problem->names, buffer.name) != NAMES_NONE)
        return json_document_fail(&reader->json, json_fields_get(&reader->json, object, "name"),
                                  "found buffer '%s' again, expected each name once", buffer.name);
    TRY(read_size(reader, object, &buffer.size));
    TRY(json_fields_optional_integer(&reader->json, object, "alignment", json_at_least(1),
                                     &alignment));
    TRY(json_fields_optional_integer(&reader->json, object, "hint", json_at_least(0),
                                     &buffer.hint));
    TRY(json_fields_optional_integer(&reader->json, object, "offset", json_at_least(0), &offset));
    if (offset >= 0 && reader->offsets != FIXED_OFFSETS_IGNORED)
        buffer.fixed_offset = (uint64_t)offset;
    buffer.alignment = reader->offsets == FIXED_OFFSETS_AUDITED ? 1 : (uint64_t)alignment;
    TRY(json_document_place(&reader->json, object,
                            problem_add_buffer(reader->problem, &buffer, reader->json.error)));
    return read_lifetime(reader, object, buffer.size);
}

/* Finds a buffer of a pair by its name or its position. */
static enum status read_member(struct reader *reader, const struct json_value *value,
                               uint32_t *buffer)
{
    const char *name = json_tree_text(&reader->json.document->tree, value);
    int64_t position;
    if (!name) {
        TRY(json_fields_value_integer(
            &reader->json, value, "buffer of a conflict (a name or a position)",
            json_between(0, (int64_t)reader->problem->buffers - 1), &position));
        *buffer = (uint32_t)position;
        return STATUS_OK;
    }
    *buffer = names_find(&reader->problem->names, name);
    if (*buffer == NAMES_NONE)
        return json_document_fail(&reader->json, value,
                                  "found buffer '%s' in a conflict, expected one of the problem",
                                  name);
    return STATUS_OK;
}

static enum status read_conflicts(struct reader *reader)
{
    size_t pairs = json_tree_count(reader->conflicts);
    SCOPED(memory_release) struct problem_pair *pair = NULL;
    if (!reader->conflicts)
        return STATUS_OK;
    TRY(memory_create(&pair, pairs, sizeof *pair, reader->json.error));
    struct problem_pair *next = pair;
    JSON_EACH(value, reader->conflicts) {
        if (json_tree_count(value) != 2)
            return json_document_fail(
                &reader->json, value, "found %s as a conflict, expected a pair of buffers",
                json_tree_is(value, JSON_ARRAY) ? "another length" : json_fields_kind(value));
        TRY(read_member(reader, json_tree_at(value, 0), &next->first));
        TRY(read_member(reader, json_tree_at(value, 1), &next->second));
        if (next->first == next->second)
            return json_document_fail(
                &reader->json, value,
                "found a conflict of buffer '%s' with itself, expected another",
                names_get(&reader->problem->names, next->first));
        next++;
    }
    return json_document_place(
        &reader->json, reader->conflicts,
        problem_conflicts_add(&reader->problem, pair, pairs, reader->json.error));
}

static void free_reader(struct reader *reader)
{
    problem_free(reader->problem);
    memory_free(reader->clock);
}

enum status problem_json_read_document(const struct json_document *document,
                                       enum fixed_offsets offsets, struct problem **problem,
                                       struct error *error)
{
    SCOPED(free_reader)
    struct reader reader = {.json = {document, error}, .offsets = offsets};
    const struct json_reader *json = &reader.json;
    const struct json_value *root = document->root, *buffers;
    const char *name;
    TRY(json_document_expect_format(json, PROBLEM_JSON_FORMAT));
    TRY(json_fields_check(json, root, "a problem",
                          "format name note parameters buffers conflicts"));
    TRY(json_fields_text(json, root, "name", &name));
    TRY(json_fields_array(json, root, "buffers", &buffers));
    if (!json_tree_count(buffers))
        return json_document_fail(json, buffers, "found no buffers, expected at least one");
    TRY(json_fields_optional_array(json, root, "conflicts", &reader.conflicts));
    TRY(problem_create(&reader.problem, name, error));
    TRY(json_fields_note(json, root, &reader.problem->note));
    const struct json_value *parameters = json_fields_get(json, root, "parameters");
    if (parameters)
        TRY(read_parameters(&reader, parameters));
    JSON_EACH(value, buffers)
        TRY(read_buffer(&reader, value));
    TRY(read_conflicts(&reader));
    TRY(json_document_place(json, buffers, problem_clocks_resolve(&reader.problem, error)));
    uint32_t fault = problem_find_fault(reader.problem);
    if (fault < reader.problem->buffers)
        buffers = json_tree_at(buffers, fault);
    TRY(json_document_place(json, buffers, problem_finish(reader.problem, error)));
    HAND_OVER(reader.problem, problem);
}

enum status problem_json_read(const struct text *text, const char *file, enum fixed_offsets offsets,
                              struct problem **problem, struct error *error)
{
    SCOPED(json_document_release) struct json_document *document = NULL;
    TRY(json_document_read(text, file, &document, error));
    return problem_json_read_document(document, offsets, problem, error);
}
