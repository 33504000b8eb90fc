/* A problem in schema v1 of dsa-solver (tonibohnlein/dsa-solver @ a8d1257,
   schemas/dsa-problem-v1.schema.json). What is there for provenance only is not looked at. */

#include <string.h>

#include "core/memory.h"
#include "datasets/memories/parts.h"
#include "planning/problem/segments.h"

static enum status read_id(const struct memory_reader *reader, const struct json_value *object,
                           const char *key, uint32_t *id)
{
    uint64_t number;
    TRY(json_fields_unsigned(&reader->json, object, key, UINT32_MAX, &number));
    *id = (uint32_t)number;
    return STATUS_OK;
}

uint32_t memory_parts_find_id(const uint32_t *ids, uint32_t count, uint32_t id)
{
    if (id < count && ids[id] == id)
        return id;
    uint32_t i = 0;
    while (i < count && ids[i] != id)
        i++;
    return i;
}

static enum status read_buffer_id(const struct memory_reader *reader,
                                  const struct json_value *object, const char *key,
                                  uint32_t *buffer)
{
    uint32_t id, buffers = reader->file->problem->problem->buffers;
    TRY(read_id(reader, object, key, &id));
    *buffer = memory_parts_find_id(reader->file->dsa.buffer_id, buffers, id);
    if (*buffer == buffers)
        return json_document_fail(&reader->json, json_fields_get(&reader->json, object, key),
                                  "found buffer %u, expected an id of the problem", id);
    return STATUS_OK;
}

static enum status find_memory(const struct memory_reader *reader, const struct json_value *value,
                               uint32_t *memory)
{
    int64_t id;
    uint32_t memories = reader->file->problem->memories;
    TRY(json_fields_value_integer(&reader->json, value, "pool", json_between(0, UINT32_MAX), &id));
    *memory = memory_parts_find_id(reader->file->dsa.memory_id, memories, (uint32_t)id);
    if (*memory == memories)
        return json_document_fail(&reader->json, value,
                                  "found pool %u, expected an id of the problem", (unsigned)id);
    return STATUS_OK;
}

/* The name of an object, or a word and its id where it has none. */
static enum status read_name(const struct memory_reader *reader, const struct json_value *object,
                             const char *word, uint32_t id, struct text *name)
{
    const char *given;
    TRY(json_fields_text(&reader->json, object, "name", &given));
    name->length = 0;
    if (*given)
        text_append(name, "%s", given);
    else
        text_append(name, "%s%u", word, id);
    return text_check(name, reader->json.error);
}

static enum status read_intervals(const struct memory_reader *reader, struct problem *plain,
                                  const struct json_value *object, uint64_t size)
{
    const struct json_reader *json = &reader->json;
    const struct json_value *intervals;
    SCOPED(memory_release) struct problem_segment *segment = NULL;
    uint32_t count = 0;
    TRY(json_fields_array(json, object, "live_intervals", &intervals));
    TRY(memory_create(&segment, json_tree_count(intervals), sizeof *segment, json->error));
    JSON_EACH(value, intervals) {
        int64_t lower, upper;
        TRY(json_fields_check(json, value, "an interval", "lower upper"));
        TRY(json_fields_integer(json, value, "lower", json_between(0, UINT32_MAX - 2), &lower));
        TRY(json_fields_integer(json, value, "upper", json_between(0, UINT32_MAX - 1), &upper));
        if (lower >= upper)
            return json_document_fail(json, value,
                                      "found an interval from %lld to %lld, expected lower < upper",
                                      (long long)lower, (long long)upper);
        segment[count++] = (struct problem_segment){(uint32_t)lower, (uint32_t)upper, 0, size};
    }
    if (!count)
        return json_document_fail(json, intervals, "found no intervals, expected at least one");
    return segments_add(plain, segment, count, json->error);
}

static enum status read_buffers(struct memory_reader *reader, const char *name,
                                struct problem **created)
{
    const struct json_reader *json = &reader->json;
    const struct json_value *list = reader->list[MEMORY_LIST_BUFFERS];
    SCOPED(problem_release) struct problem *plain = NULL;
    SCOPED(text_free) struct text text = {0};
    uint32_t *ids, b = 0;
    TRY(problem_create(&plain, name, json->error));
    TRY(memory_create(&reader->file->dsa.buffer_id, json_tree_count(list), sizeof *ids,
                      json->error));
    ids = reader->file->dsa.buffer_id;
    if (!json_tree_count(list))
        return json_document_fail(json, list, "found no buffers, expected at least one");
    JSON_EACH(value, list) {
        int64_t size, alignment;
        TRY(json_fields_check(json, value, "a buffer",
                              "id name size alignment live_intervals allowed_pools"));
        TRY(read_id(reader, value, "id", &ids[b]));
        TRY(read_name(reader, value, "buffer", ids[b], &text));
        TRY(json_fields_integer(json, value, "size", json_at_least(1), &size));
        TRY(json_fields_integer(json, value, "alignment", json_at_least(1), &alignment));
        if (memory_parts_find_id(ids, b, ids[b]) < b ||
            names_find(&plain->names, text.bytes) != NAMES_NONE)
            return json_document_fail(json, value,
                                      "found buffer %u, '%s', again, expected each id and each "
                                      "name once",
                                      ids[b], text.bytes);
        const struct problem_buffer buffer = {.name = text.bytes,
                                              .size = (uint64_t)size,
                                              .alignment = (uint64_t)alignment,
                                              .fixed_offset = PROBLEM_FREE,
                                              .hint = -1};
        TRY(json_document_place(json, value, problem_add_buffer(plain, &buffer, json->error)));
        TRY(json_document_place(json, value, read_intervals(reader, plain, value, buffer.size)));
        b++;
    }
    TRY(json_document_place(json, list, problem_finish(plain, json->error)));
    HAND_OVER(plain, created);
}

static enum status read_pool(struct memory_reader *reader, const struct json_value *value,
                             uint32_t m)
{
    struct memory_problem *problem = reader->file->problem;
    const struct json_reader *json = &reader->json;
    const struct json_value *ranges;
    SCOPED(text_free) struct text name = {0};
    uint32_t *ids = reader->file->dsa.memory_id;
    TRY(json_fields_check(json, value, "a pool", "id name capacity reserved_ranges bank_geometry"));
    TRY(read_id(reader, value, "id", &ids[m]));
    TRY(read_name(reader, value, "pool", ids[m], &name));
    if (memory_parts_find_id(ids, m, ids[m]) < m ||
        names_find(&problem->names, name.bytes) != NAMES_NONE)
        return json_document_fail(json, value,
                                  "found pool %u, '%s', again, expected each id and each name once",
                                  ids[m], name.bytes);
    TRY(names_add(&problem->names, name.bytes, json->error));
    if (!json_tree_is(json_fields_get(json, value, "capacity"), JSON_NULL))
        TRY(json_fields_unsigned(json, value, "capacity", INT64_MAX,
                                 &problem->memory[m].capacity_bytes));
    TRY(json_fields_array(json, value, "reserved_ranges", &ranges));
    JSON_EACH(range, ranges) {
        struct memory_range *reserved = &problem->reserved[problem->reserved_ranges++];
        reserved->memory = m;
        TRY(json_fields_unsigned(json, range, "begin", INT64_MAX, &reserved->lower));
        TRY(json_fields_unsigned(json, range, "end", INT64_MAX, &reserved->upper));
    }
    return STATUS_OK;
}

static enum status read_pools(struct memory_reader *reader)
{
    struct memory_problem *problem = reader->file->problem;
    const struct json_value *list = reader->list[MEMORY_LIST_MEMORIES];
    size_t ranges = 0;
    uint32_t m = 0, b = 0;
    TRY(memory_create(&reader->file->dsa.memory_id, problem->memories, sizeof(uint32_t),
                      reader->json.error));
    JSON_EACH(value, list)
        ranges += json_tree_count(json_fields_get(&reader->json, value, "reserved_ranges"));
    TRY(memory_create(&problem->reserved, ranges, sizeof *problem->reserved, reader->json.error));
    JSON_EACH(value, list)
        TRY(read_pool(reader, value, m++));
    memset(problem->allowed, 0, (size_t)problem->problem->buffers * problem->memories);
    JSON_EACH(value, reader->list[MEMORY_LIST_BUFFERS]) {
        const struct json_value *pools;
        TRY(json_fields_array(&reader->json, value, "allowed_pools", &pools));
        JSON_EACH(pool, pools) {
            TRY(find_memory(reader, pool, &m));
            problem->allowed[(size_t)b * problem->memories + m] = true;
        }
        b++;
    }
    return STATUS_OK;
}

static enum status read_pairs(struct memory_reader *reader, const struct json_value *constraints,
                              enum memory_list list, const char *key, uint32_t *count,
                              struct problem_pair **pair)
{
    TRY(json_fields_array(&reader->json, constraints, key, &reader->list[list]));
    TRY(memory_create(pair, json_tree_count(reader->list[list]), sizeof **pair,
                      reader->json.error));
    JSON_EACH(value, reader->list[list]) {
        TRY(json_fields_check(&reader->json, value, "a pair", "first second reasons"));
        TRY(read_buffer_id(reader, value, "first", &(*pair)[*count].first));
        TRY(read_buffer_id(reader, value, "second", &(*pair)[*count].second));
        (*count)++;
    }
    return STATUS_OK;
}

static enum status read_pins(struct memory_reader *reader, const struct json_value *constraints)
{
    struct memory_problem *problem = reader->file->problem;
    const struct json_reader *json = &reader->json;
    const struct json_value **list = &reader->list[MEMORY_LIST_PINS];
    TRY(json_fields_array(json, constraints, "pinned_allocations", list));
    TRY(memory_create(&problem->pin, json_tree_count(*list), sizeof *problem->pin, json->error));
    JSON_EACH(value, *list) {
        struct memory_pin *pin = &problem->pin[problem->pins++];
        TRY(json_fields_check(json, value, "a pinned allocation",
                              "buffer pool offset exclusive_for_all_time"));
        TRY(read_buffer_id(reader, value, "buffer", &pin->buffer));
        TRY(find_memory(reader, json_fields_get(json, value, "pool"), &pin->memory));
        TRY(json_fields_unsigned(json, value, "offset", INT64_MAX, &pin->offset));
        pin->exclusive =
            json_tree_is(json_fields_get(json, value, "exclusive_for_all_time"), JSON_TRUE);
    }
    return STATUS_OK;
}

static enum status read_penalties(struct memory_reader *reader, const struct json_value *problem)
{
    struct memory_problem *read = reader->file->problem;
    const struct json_reader *json = &reader->json;
    const struct json_value *model = json_fields_get(json, problem, "cost_model");
    if (!model)
        return STATUS_OK;
    TRY(json_fields_check(json, model, "a cost model", "reuse_penalties"));
    const struct json_value **list = &reader->list[MEMORY_LIST_PENALTIES];
    TRY(json_fields_array(json, model, "reuse_penalties", list));
    TRY(memory_create(&read->penalty, json_tree_count(*list), sizeof *read->penalty, json->error));
    JSON_EACH(value, *list) {
        struct memory_penalty *penalty = &read->penalty[read->penalties++];
        TRY(json_fields_check(json, value, "a penalty", "first second cost reason"));
        TRY(read_buffer_id(reader, value, "first", &penalty->first));
        TRY(read_buffer_id(reader, value, "second", &penalty->second));
        TRY(memory_parts_cost(reader, json_fields_get(json, value, "cost"), "cost",
                              &penalty->cost));
    }
    return STATUS_OK;
}

enum status memory_parts_read_dsa(struct memory_reader *reader)
{
    const struct json_reader *json = &reader->json;
    const struct json_value *root = json->document->root, *constraints;
    const char *profile, *name;
    int64_t version;
    struct problem *plain = NULL;
    TRY(json_fields_check(json, root, "a problem of dsa-solver",
                          "schema_version profile instance relaxed_from relaxed_features metadata "
                          "problem"));
    TRY(json_fields_integer(json, root, "schema_version", json_between(1, 1), &version));
    TRY(json_fields_text(json, root, "profile", &profile));
    TRY(json_fields_text(json, root, "instance", &name));
    const struct json_value *problem = json_fields_get(json, root, "problem");
    TRY(json_fields_check(json, problem ? problem : root, "a problem",
                          "pools buffers constraints cost_model pypto_structure objective"));
    TRY(json_fields_array(json, problem, "pools", &reader->list[MEMORY_LIST_MEMORIES]));
    TRY(json_fields_array(json, problem, "buffers", &reader->list[MEMORY_LIST_BUFFERS]));
    if (!json_tree_count(reader->list[MEMORY_LIST_MEMORIES]))
        return json_document_fail(json, reader->list[MEMORY_LIST_MEMORIES],
                                  "found no pools, expected at least one");
    reader->file->dsa.profile = memory_copy_text(profile);
    if (!reader->file->dsa.profile)
        return error_no_memory(json->error);
    TRY(read_buffers(reader, name, &plain));
    size_t memories = json_tree_count(reader->list[MEMORY_LIST_MEMORIES]);
    TRY(memory_problem_create(&reader->file->problem, plain, (uint32_t)memories, json->error));
    struct memory_problem *read = reader->file->problem;
    TRY(read_pools(reader));
    constraints = json_fields_get(json, problem, "constraints");
    TRY(json_fields_check(json, constraints ? constraints : problem, "constraints",
                          "colocations separations temporal_exclusions pinned_allocations"));
    TRY(read_pairs(reader, constraints, MEMORY_LIST_COLOCATIONS, "colocations", &read->colocations,
                   &read->colocation));
    TRY(read_pairs(reader, constraints, MEMORY_LIST_SEPARATIONS, "separations", &read->separations,
                   &read->separation));
    TRY(read_pairs(reader, constraints, MEMORY_LIST_EXCLUSIONS, "temporal_exclusions",
                   &read->exclusions, &read->exclusion));
    TRY(read_pins(reader, constraints));
    TRY(read_penalties(reader, problem));
    return memory_parts_fingerprint(json->document, reader->file->dsa.fingerprint, json->error);
}
