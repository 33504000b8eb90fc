/* A plan in JSON, with the facts about the run that found it. */

#include <string.h>

#include "datasets/json/fields.h"
#include "datasets/memplan_json/plan.h"

struct reader {
    struct json_reader json;
    struct plan_document *plan;
};

#define KEYS                                                                                       \
    "format instance digest policy planner options seed status peak lower_bound naive nodes "      \
    "wall_ns storages buffers"

static enum status read_numbers(struct reader *reader)
{
    const struct json_value *root = reader->json.document->root;
    struct plan_document *plan = reader->plan;
    TRY(json_fields_unsigned(&reader->json, root, "seed", INT64_MAX, &plan->seed));
    TRY(json_fields_unsigned(&reader->json, root, "peak", INT64_MAX, &plan->measures.peak_bytes));
    TRY(json_fields_unsigned(&reader->json, root, "lower_bound", INT64_MAX,
                             &plan->measures.lower_bound_bytes));
    TRY(json_fields_unsigned(&reader->json, root, "naive", INT64_MAX, &plan->measures.naive_bytes));
    TRY(json_fields_unsigned(&reader->json, root, "nodes", INT64_MAX, &plan->measures.nodes));
    return json_fields_unsigned(&reader->json, root, "wall_ns", INT64_MAX, &plan->wall_ns);
}

static enum status read_status(struct reader *reader)
{
    const struct json_value *root = reader->json.document->root;
    const char *name;
    TRY(json_fields_text(&reader->json, root, "status", &name));
    for (int status = 0; status < PLAN_STATUSES; status++)
        if (strcmp(plan_status_name((enum plan_status)status), name) == 0) {
            reader->plan->status = (enum plan_status)status;
            return STATUS_OK;
        }
    return json_document_fail(&reader->json, json_fields_get(&reader->json, root, "status"),
                              "found status '%s', expected one like '%s' or '%s'", name,
                              plan_status_name(PLAN_OPTIMAL), plan_status_name(PLAN_FEASIBLE));
}

static enum status create_plan(struct reader *reader)
{
    const struct json_value *root = reader->json.document->root;
    struct plan_document_texts texts;
    TRY(json_fields_text(&reader->json, root, "instance", &texts.instance));
    TRY(json_fields_text(&reader->json, root, "digest", &texts.digest));
    TRY(json_fields_text(&reader->json, root, "policy", &texts.policy));
    TRY(json_fields_text(&reader->json, root, "planner", &texts.planner));
    TRY(json_fields_text(&reader->json, root, "options", &texts.options));
    return plan_document_create(&texts, &reader->plan, reader->json.error);
}

static enum status read_tensors(struct reader *reader, const struct json_value *object)
{
    const struct json_value *array;
    const char *name;
    TRY(json_fields_array(&reader->json, object, "tensors", &array));
    JSON_EACH(value, array) {
        TRY(json_fields_value_text(&reader->json, value, "name of a tensor", &name));
        TRY(plan_document_add_tensor(reader->plan, name, reader->json.error));
    }
    return STATUS_OK;
}

static enum status check_end(const struct reader *reader, const struct json_value *value,
                             uint64_t offset, uint64_t bytes)
{
    if (bytes <= INT64_MAX && offset <= INT64_MAX - bytes)
        return STATUS_OK;
    return json_document_fail(&reader->json, value,
                              "found %llu bytes at %llu, expected an end of at most 2^63 - 1",
                              (unsigned long long)bytes, (unsigned long long)offset);
}

/* Reads an extent, which is written as [offset, bytes]. */
static enum status read_extent(struct reader *reader, const struct json_value *pair)
{
    int64_t number[2];
    if (!json_tree_is(pair, JSON_ARRAY) || json_tree_count(pair) != 2)
        return json_document_fail(&reader->json, pair,
                                  "found %s as an extent, expected [offset, bytes]",
                                  json_fields_kind(pair));
    for (size_t i = 0; i < 2; i++)
        TRY(json_fields_value_integer(&reader->json, json_tree_at(pair, i),
                                      i ? "bytes of an extent" : "offset of an extent",
                                      json_at_least(i != 0), &number[i]));
    TRY(check_end(reader, pair, (uint64_t)number[0], (uint64_t)number[1]));
    return plan_document_add_extent(reader->plan, (uint64_t)number[0], (uint64_t)number[1],
                                    reader->json.error);
}

static enum status read_extents(struct reader *reader, const struct json_value *object,
                                uint64_t offset)
{
    const struct json_value *array;
    uint32_t first = reader->plan->extents;
    TRY(json_fields_optional_array(&reader->json, object, "extents", &array));
    JSON_EACH(value, array)
        TRY(read_extent(reader, value));
    if (reader->plan->extents == first || reader->plan->extent[first].offset == offset)
        return STATUS_OK;
    return json_document_fail(
        &reader->json, array, "found a first extent at %llu, expected it at the offset %llu",
        (unsigned long long)reader->plan->extent[first].offset, (unsigned long long)offset);
}

static enum status read_buffer(struct reader *reader, const struct json_value *object)
{
    const char *name;
    uint64_t size, lower, upper, offset;
    int64_t storage_id = -1;
    uint8_t device;
    TRY(json_fields_check(&reader->json, object, "a buffer",
                          "name size lower upper offset extents storage_id device tensors"));
    TRY(json_fields_text(&reader->json, object, "name", &name));
    TRY(json_fields_unsigned(&reader->json, object, "size", INT64_MAX, &size));
    TRY(json_fields_unsigned(&reader->json, object, "lower", UINT32_MAX, &lower));
    TRY(json_fields_unsigned(&reader->json, object, "upper", UINT32_MAX, &upper));
    TRY(json_fields_unsigned(&reader->json, object, "offset", INT64_MAX, &offset));
    if (lower > upper || !size)
        return json_document_fail(&reader->json, object,
                                  "found buffer '%s' of %llu bytes in [%llu, %llu), expected at "
                                  "least 1 byte and lower <= upper",
                                  name, (unsigned long long)size, (unsigned long long)lower,
                                  (unsigned long long)upper);
    TRY(json_fields_optional_integer(&reader->json, object, "storage_id",
                                     json_between(0, STORAGE_IDS_NONE - 1), &storage_id));
    TRY(json_fields_device(&reader->json, object, &device));
    const struct plan_document_buffer buffer = {.size_bytes = size,
                                                .offset_bytes = offset,
                                                .device = device,
                                                .storage_id = storage_id < 0 ? STORAGE_IDS_NONE
                                                                             : (uint32_t)storage_id,
                                                .lower = (uint32_t)lower,
                                                .upper = (uint32_t)upper};
    TRY(plan_document_add_buffer(reader->plan, name, buffer, reader->json.error));
    uint32_t extents = reader->plan->extents;
    TRY(read_extents(reader, object, offset));
    if (reader->plan->extents == extents)
        TRY(check_end(reader, object, offset, size));
    return read_tensors(reader, object);
}

/* Checks that storage ids number the objects without gaps, so that every object has a buffer. */
static enum status check_storage_ids(const struct reader *reader, const struct json_value *buffers)
{
    const struct plan_document *plan = reader->plan;
    for (uint32_t b = 0; b < plan->buffers; b++) {
        uint32_t id = plan->buffer[b].storage_id;
        if (id != STORAGE_IDS_NONE && id >= plan->buffers)
            return json_document_fail(&reader->json, json_tree_at(buffers, b),
                                      "found storage_id %u, expected one below %u, the number of "
                                      "buffers",
                                      id, plan->buffers);
    }
    return STATUS_OK;
}

static enum status check_storage(struct reader *reader, const struct json_value *object)
{
    const struct plan_document *plan = reader->plan;
    uint64_t id, offset, bytes;
    uint8_t device;
    TRY(json_fields_check(&reader->json, object, "a storage", "id offset bytes device"));
    TRY(json_fields_unsigned(&reader->json, object, "id", INT64_MAX, &id));
    TRY(json_fields_unsigned(&reader->json, object, "offset", INT64_MAX, &offset));
    TRY(json_fields_unsigned(&reader->json, object, "bytes", INT64_MAX, &bytes));
    TRY(json_fields_device(&reader->json, object, &device));
    if (id < plan->storages && bytes && plan->storage[id].offset_bytes == offset &&
        plan->storage[id].size_bytes == bytes && plan->storage[id].device == device)
        return STATUS_OK;
    return json_document_fail(&reader->json, object,
                              "found storage %llu of %llu bytes at %llu, expected what its buffers "
                              "take",
                              (unsigned long long)id, (unsigned long long)bytes,
                              (unsigned long long)offset);
}

/* Checks the storages, which follow from the buffers. */
static enum status read_storages(struct reader *reader, const struct json_value *buffers)
{
    const struct json_value *array;
    TRY(check_storage_ids(reader, buffers));
    TRY(plan_document_find_storages(reader->plan, reader->json.error));
    TRY(json_fields_optional_array(&reader->json, reader->json.document->root, "storages", &array));
    JSON_EACH(value, array)
        TRY(check_storage(reader, value));
    return STATUS_OK;
}

static enum status read_plan(struct reader *reader)
{
    const struct json_value *root = reader->json.document->root, *buffers;
    TRY(json_document_expect_format(&reader->json, PLAN_JSON_FORMAT));
    TRY(json_fields_check(&reader->json, root, "a plan", KEYS));
    TRY(create_plan(reader));
    TRY(read_numbers(reader));
    TRY(read_status(reader));
    TRY(json_fields_array(&reader->json, root, "buffers", &buffers));
    JSON_EACH(value, buffers)
        TRY(read_buffer(reader, value));
    return read_storages(reader, buffers);
}

enum status plan_json_read(const struct text *text, const char *file,
                           struct plan_document **created, struct error *error)
{
    struct json_document *document;
    TRY(json_document_read(text, file, &document, error));
    struct reader reader = {.json = {document, error}};
    enum status status = read_plan(&reader);
    json_document_free(document);
    if (status) {
        plan_document_free(reader.plan);
        return status;
    }
    *created = reader.plan;
    return STATUS_OK;
}
