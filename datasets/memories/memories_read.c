/* A problem with several memories as memplan-memories/1. */

#include <string.h>

#include "core/memory.h"
#include "datasets/memories/parts.h"
#include "planning/memories/address.h"
#include "planning/problem/segments.h"

static enum status read_segments(const struct memory_reader *reader, struct problem *plain,
                                 const struct json_value *object, uint64_t size)
{
    const struct json_reader *json = &reader->json;
    struct segment_joiner joiner = {0};
    const struct json_value *array;
    TRY(json_fields_array(json, object, "segments", &array));
    if (!json_tree_count(array))
        return json_document_fail(json, array, "found no segments, expected at least one");
    JSON_EACH(value, array) {
        int64_t lower, upper;
        if (json_tree_count(value) != 2)
            return json_document_fail(json, value, "found %s as a segment, expected two steps",
                                      json_tree_is(value, JSON_ARRAY) ? "another length"
                                                                      : json_fields_kind(value));
        TRY(json_fields_value_integer(json, json_tree_at(value, 0), "step",
                                      json_between(0, UINT32_MAX - 2), &lower));
        TRY(json_fields_value_integer(json, json_tree_at(value, 1), "step",
                                      json_between(0, UINT32_MAX - 1), &upper));
        const struct problem_segment segment = {(uint32_t)lower, (uint32_t)upper, 0, size};
        TRY(json_document_place(json, value,
                                segments_join(&joiner, plain, segment, reader->json.error)));
    }
    return json_document_place(json, array, segments_end(&joiner, plain, reader->json.error));
}

static enum status read_buffer(const struct memory_reader *reader, struct problem *plain,
                               const struct json_value *object)
{
    const struct json_reader *json = &reader->json;
    struct problem_buffer buffer = {.alignment = 1, .fixed_offset = PROBLEM_FREE, .hint = -1};
    int64_t size;
    TRY(json_fields_check(json, object, "a buffer",
                          "name size alignment segments memories read_bytes write_bytes"));
    TRY(json_fields_name(json, object, &buffer.name));
    if (names_find(&plain->names, buffer.name) != NAMES_NONE)
        return json_document_fail(json, json_fields_get(json, object, "name"),
                                  "found buffer '%s' again, expected each name once", buffer.name);
    TRY(json_fields_integer(json, object, "size", json_at_least(1), &size));
    TRY(json_fields_optional_unsigned(json, object, "alignment", 1, &buffer.alignment));
    buffer.size = (uint64_t)size;
    TRY(json_document_place(json, object, problem_add_buffer(plain, &buffer, json->error)));
    return read_segments(reader, plain, object, buffer.size);
}

static enum status read_buffers(const struct memory_reader *reader, const char *name,
                                struct problem **created)
{
    const struct json_value *list = reader->list[MEMORY_LIST_BUFFERS];
    SCOPED(problem_release) struct problem *plain = NULL;
    if (!json_tree_count(list))
        return json_document_fail(&reader->json, list, "found no buffers, expected at least one");
    TRY(problem_create(&plain, name, reader->json.error));
    JSON_EACH(value, list)
        TRY(read_buffer(reader, plain, value));
    TRY(json_document_place(&reader->json, list, problem_finish(plain, reader->json.error)));
    HAND_OVER(plain, created);
}

static enum status read_reserved(struct memory_reader *reader, const struct json_value *object,
                                 uint32_t m)
{
    struct memory_problem *problem = reader->file->problem;
    const struct json_value *ranges;
    TRY(json_fields_optional_array(&reader->json, object, "reserved", &ranges));
    JSON_EACH(value, ranges) {
        int64_t border[2];
        if (json_tree_count(value) != 2)
            return json_document_fail(&reader->json, value,
                                      "found %s as a reserved range, expected two offsets",
                                      json_fields_kind(value));
        for (size_t i = 0; i < 2; i++)
            TRY(json_fields_value_integer(&reader->json, json_tree_at(value, i),
                                          "offset of a reserved range", json_at_least(0),
                                          &border[i]));
        problem->reserved[problem->reserved_ranges++] =
            (struct memory_range){m, (uint64_t)border[0], (uint64_t)border[1]};
    }
    return STATUS_OK;
}

static enum status read_memory(struct memory_reader *reader, const struct json_value *object,
                               uint32_t m)
{
    struct memory_problem *problem = reader->file->problem;
    struct memory *memory = &problem->memory[m];
    const struct json_reader *json = &reader->json;
    const struct {
        const char *key;
        uint64_t *cost;
    } costs[] = {{"read_ns_per_byte", &memory->read_cost},
                 {"write_ns_per_byte", &memory->write_cost}};
    const char *name;
    int64_t alignment = 1;
    TRY(json_fields_check(json, object, "a memory",
                          "name capacity alignment reserved chunk read_ns_per_byte "
                          "write_ns_per_byte"));
    TRY(json_fields_name(json, object, &name));
    if (names_find(&problem->names, name) != NAMES_NONE)
        return json_document_fail(json, json_fields_get(json, object, "name"),
                                  "found memory '%s' again, expected each name once", name);
    TRY(names_add(&problem->names, name, json->error));
    TRY(json_fields_optional_unsigned(json, object, "capacity", 0, &memory->capacity_bytes));
    TRY(json_fields_optional_integer(json, object, "alignment", json_between(1, UINT32_MAX),
                                     &alignment));
    TRY(json_fields_optional_unsigned(json, object, "chunk", 1, &memory->chunk_bytes));
    memory->alignment = (uint64_t)alignment;
    for (size_t i = 0; i < sizeof costs / sizeof *costs; i++) {
        const struct json_value *value = json_fields_get(json, object, costs[i].key);
        if (value)
            TRY(memory_parts_cost(reader, value, costs[i].key, costs[i].cost));
    }
    return read_reserved(reader, object, m);
}

enum status memory_parts_read_list(struct memory_reader *reader, const struct json_value *object,
                                   struct problem *plain)
{
    SCOPED(problem_release) struct problem *owned = plain;
    const struct json_value *list;
    size_t ranges = 0;
    uint32_t m = 0;
    TRY(json_fields_array(&reader->json, object, "memories", &list));
    reader->list[MEMORY_LIST_MEMORIES] = list;
    if (!json_tree_count(list) || json_tree_count(list) > MEMORY_MOST)
        return json_document_fail(&reader->json, list, "found %zu memories, expected 1 to %d",
                                  json_tree_count(list), MEMORY_MOST);
    owned = NULL;
    TRY(memory_problem_create(&reader->file->problem, plain, (uint32_t)json_tree_count(list),
                              reader->json.error));
    struct memory_problem *problem = reader->file->problem;
    JSON_EACH(value, list)
        ranges += json_tree_count(json_fields_get(&reader->json, value, "reserved"));
    TRY(memory_create(&problem->reserved, ranges, sizeof *problem->reserved, reader->json.error));
    JSON_EACH(value, list)
        TRY(read_memory(reader, value, m++));
    return STATUS_OK;
}

static enum status find_memory(const struct memory_reader *reader, const struct json_value *value,
                               uint32_t *memory)
{
    const char *name;
    TRY(json_fields_value_text(&reader->json, value, "name of a memory", &name));
    *memory = names_find(&reader->file->problem->names, name);
    if (*memory == NAMES_NONE)
        return json_document_fail(&reader->json, value,
                                  "found memory '%s', expected one of the problem", name);
    return STATUS_OK;
}

/* Reads what a buffer says of memories and of its traffic. */
static enum status read_uses(const struct memory_reader *reader, const struct json_value *object,
                             uint32_t b)
{
    struct memory_problem *problem = reader->file->problem;
    const struct json_reader *json = &reader->json;
    const struct json_value *names;
    TRY(json_fields_optional_array(json, object, "memories", &names));
    if (names)
        memset(&problem->allowed[(size_t)b * problem->memories], 0, problem->memories);
    JSON_EACH(value, names) {
        uint32_t m;
        TRY(find_memory(reader, value, &m));
        problem->allowed[(size_t)b * problem->memories + m] = true;
    }
    TRY(json_fields_optional_unsigned(json, object, "read_bytes", 0, &problem->read_bytes[b]));
    return json_fields_optional_unsigned(json, object, "write_bytes", 0, &problem->write_bytes[b]);
}

/* Finds a buffer by its name or its position. */
static enum status find_buffer(const struct memory_reader *reader, const struct json_value *value,
                               uint32_t *buffer)
{
    const struct problem *plain = reader->file->problem->problem;
    const char *name = json_tree_text(&reader->json.document->tree, value);
    int64_t position;
    if (!name) {
        TRY(json_fields_value_integer(&reader->json, value, "buffer (a name or a position)",
                                      json_between(0, (int64_t)plain->buffers - 1), &position));
        *buffer = (uint32_t)position;
        return STATUS_OK;
    }
    *buffer = names_find(&plain->names, name);
    if (*buffer == NAMES_NONE)
        return json_document_fail(&reader->json, value,
                                  "found buffer '%s', expected one of the problem", name);
    return STATUS_OK;
}

static enum status read_pair(const struct memory_reader *reader, const struct json_value *value,
                             const char *what, size_t length, struct problem_pair *pair)
{
    if (json_tree_count(value) != length)
        return json_document_fail(&reader->json, value, "found %s as a %s, expected two buffers%s",
                                  json_tree_is(value, JSON_ARRAY) ? "another length"
                                                                  : json_fields_kind(value),
                                  what, length > 2 ? " and a cost" : "");
    TRY(find_buffer(reader, json_tree_at(value, 0), &pair->first));
    return find_buffer(reader, json_tree_at(value, 1), &pair->second);
}

static enum status read_pairs(struct memory_reader *reader)
{
    struct memory_problem *problem = reader->file->problem;
    const struct {
        enum memory_list list;
        const char *what;
        uint32_t *count;
        struct problem_pair **pair;
    } lists[] = {
        {MEMORY_LIST_SEPARATIONS, "separation", &problem->separations, &problem->separation},
        {MEMORY_LIST_COLOCATIONS, "colocation", &problem->colocations, &problem->colocation},
        {MEMORY_LIST_EXCLUSIONS, "exclusion", &problem->exclusions, &problem->exclusion},
    };
    for (size_t l = 0; l < sizeof lists / sizeof *lists; l++) {
        const struct json_value *list = reader->list[lists[l].list];
        TRY(memory_create(lists[l].pair, json_tree_count(list), sizeof **lists[l].pair,
                          reader->json.error));
        JSON_EACH(value, list)
            TRY(read_pair(reader, value, lists[l].what, 2, &(*lists[l].pair)[(*lists[l].count)++]));
    }
    const struct json_value *penalties = reader->list[MEMORY_LIST_PENALTIES];
    TRY(memory_create(&problem->penalty, json_tree_count(penalties), sizeof *problem->penalty,
                      reader->json.error));
    JSON_EACH(value, penalties) {
        struct problem_pair pair;
        uint64_t cost;
        TRY(read_pair(reader, value, "penalty", 3, &pair));
        TRY(memory_parts_cost(reader, json_tree_at(value, 2), "cost of a penalty", &cost));
        problem->penalty[problem->penalties++] =
            (struct memory_penalty){pair.first, pair.second, cost};
    }
    return STATUS_OK;
}

static enum status read_pins(struct memory_reader *reader)
{
    struct memory_problem *problem = reader->file->problem;
    const struct json_reader *json = &reader->json;
    const struct json_value *list = reader->list[MEMORY_LIST_PINS];
    TRY(memory_create(&problem->pin, json_tree_count(list), sizeof *problem->pin, json->error));
    JSON_EACH(value, list) {
        struct memory_pin *pin = &problem->pin[problem->pins++];
        TRY(json_fields_check(json, value, "a pin", "buffer memory offset exclusive"));
        TRY(find_buffer(reader, json_fields_get(json, value, "buffer"), &pin->buffer));
        TRY(find_memory(reader, json_fields_get(json, value, "memory"), &pin->memory));
        TRY(json_fields_unsigned(json, value, "offset", INT64_MAX, &pin->offset));
        const struct json_value *exclusive = json_fields_get(json, value, "exclusive");
        pin->exclusive = json_tree_is(exclusive, JSON_TRUE);
        if (exclusive && !pin->exclusive && !json_tree_is(exclusive, JSON_FALSE))
            return json_document_fail(json, exclusive,
                                      "found %s as exclusive, expected true or false",
                                      json_fields_kind(exclusive));
    }
    return STATUS_OK;
}

enum status memory_parts_read_memories(struct memory_reader *reader)
{
    const struct json_reader *json = &reader->json;
    const struct json_value *root = json->document->root;
    static const struct {
        enum memory_list list;
        const char *key;
    } lists[] = {{MEMORY_LIST_PENALTIES, "penalties"},
                 {MEMORY_LIST_SEPARATIONS, "separations"},
                 {MEMORY_LIST_COLOCATIONS, "colocations"},
                 {MEMORY_LIST_EXCLUSIONS, "exclusions"},
                 {MEMORY_LIST_PINS, "pins"}};
    struct problem *plain = NULL;
    const char *name;
    uint32_t b = 0;
    TRY(json_fields_check(json, root, "a problem with several memories",
                          "format name memories buffers penalties separations colocations "
                          "exclusions pins"));
    TRY(json_fields_text(json, root, "name", &name));
    TRY(json_fields_array(json, root, "buffers", &reader->list[MEMORY_LIST_BUFFERS]));
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        TRY(json_fields_optional_array(json, root, lists[i].key, &reader->list[lists[i].list]));
    TRY(read_buffers(reader, name, &plain));
    TRY(memory_parts_read_list(reader, root, plain));
    JSON_EACH(value, reader->list[MEMORY_LIST_BUFFERS])
        TRY(read_uses(reader, value, b++));
    TRY(read_pairs(reader));
    return read_pins(reader);
}
