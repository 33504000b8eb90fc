/* A plan in JSON, with the facts about the run that found it. */

#include <string.h>

#include "core/memory.h"
#include "datasets/json/fields.h"
#include "datasets/memplan_json/plan.h"
#include "planning/memories/address.h"

struct reader {
    struct json_reader json;
    struct plan_document *plan;
};

static enum status check_end(const struct reader *reader, const struct json_value *value,
                             uint64_t offset, uint64_t bytes)
{
    if (bytes <= INT64_MAX && offset <= INT64_MAX - bytes)
        return STATUS_OK;
    return json_document_fail(&reader->json, value,
                              "found %llu bytes at %llu, expected an end of at most 2^63 - 1",
                              (unsigned long long)bytes, (unsigned long long)offset);
}

/* Reads the extents of the buffer that was added last, each written as [offset, bytes]. */
static enum status read_extents(struct reader *reader, const struct json_value *object,
                                uint64_t offset)
{
    const struct json_value *array;
    struct plan_document *plan = reader->plan;
    uint32_t first = plan->extents;
    TRY(json_fields_optional_array(&reader->json, object, "extents", &array));
    JSON_EACH(pair, array) {
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
        TRY(plan_document_add_extent(plan, (uint64_t)number[0], (uint64_t)number[1],
                                     reader->json.error));
    }
    if (plan->extents == first || plan->extent[first].offset == offset)
        return STATUS_OK;
    return json_document_fail(
        &reader->json, array, "found a first extent at %llu, expected it at the offset %llu",
        (unsigned long long)plan->extent[first].offset, (unsigned long long)offset);
}

/* Reads an offset, with its memory where the plan has several, which it then names. */
static enum status read_offset(const struct reader *reader, const struct json_value *object,
                               uint64_t *offset)
{
    const struct names *memories = &reader->plan->memory_names;
    const char *name = NULL;
    TRY(json_fields_optional_text(&reader->json, object, "memory", &name));
    TRY(json_fields_unsigned(&reader->json, object, "offset",
                             name ? (int64_t)MEMORY_OFFSET_END - 1 : INT64_MAX, offset));
    if (!name && !memories->count)
        return STATUS_OK;
    uint32_t m = name ? names_find(memories, name) : NAMES_NONE;
    if (m == NAMES_NONE)
        return json_document_fail(&reader->json, object, "found %s%s%s, expected one of the plan's",
                                  name ? "memory '" : "no memory", name ? name : "",
                                  name ? "'" : "");
    *offset = memory_address(m, *offset);
    return STATUS_OK;
}

static enum status read_memories(struct reader *reader, const struct json_value *root)
{
    struct plan_document *plan = reader->plan;
    const struct json_value *array;
    TRY(json_fields_optional_array(&reader->json, root, "memories", &array));
    if (json_tree_count(array) > MEMORY_MOST)
        return json_document_fail(&reader->json, array, "found %zu memories, expected at most %d",
                                  json_tree_count(array), MEMORY_MOST);
    TRY(memory_create(&plan->memory_peak, json_tree_count(array), sizeof(uint64_t),
                      reader->json.error));
    JSON_EACH(object, array) {
        const char *name;
        TRY(json_fields_check(&reader->json, object, "a memory", "name peak"));
        TRY(json_fields_name(&reader->json, object, &name));
        TRY(json_fields_unsigned(&reader->json, object, "peak", INT64_MAX,
                                 &plan->memory_peak[plan->memory_names.count]));
        TRY(names_add(&plan->memory_names, name, reader->json.error));
    }
    return STATUS_OK;
}

static enum status read_buffer(struct reader *reader, const struct json_value *object)
{
    const struct json_value *tensors;
    const char *name;
    uint64_t size, lower, upper, offset;
    int64_t storage_id = -1, alignment = 1;
    uint8_t device;
    TRY(json_fields_check(
        &reader->json, object, "a buffer",
        "name size lower upper memory offset alignment extents storage_id device tensors"));
    TRY(json_fields_text(&reader->json, object, "name", &name));
    TRY(json_fields_unsigned(&reader->json, object, "size", INT64_MAX, &size));
    TRY(json_fields_unsigned(&reader->json, object, "lower", UINT32_MAX, &lower));
    TRY(json_fields_unsigned(&reader->json, object, "upper", UINT32_MAX, &upper));
    TRY(read_offset(reader, object, &offset));
    if (lower > upper || !size)
        return json_document_fail(&reader->json, object,
                                  "found buffer '%s' of %llu bytes in [%llu, %llu), expected at "
                                  "least 1 byte and lower <= upper",
                                  name, (unsigned long long)size, (unsigned long long)lower,
                                  (unsigned long long)upper);
    TRY(json_fields_optional_integer(&reader->json, object, "alignment", json_at_least(1),
                                     &alignment));
    TRY(json_fields_optional_integer(&reader->json, object, "storage_id",
                                     json_between(0, STORAGE_IDS_NONE - 1), &storage_id));
    TRY(json_fields_device(&reader->json, object, &device));
    const struct plan_document_buffer buffer = {.size_bytes = size,
                                                .offset_bytes = offset,
                                                .alignment_bytes = (uint64_t)alignment,
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
    TRY(json_fields_array(&reader->json, object, "tensors", &tensors));
    JSON_EACH(value, tensors) {
        TRY(json_fields_value_text(&reader->json, value, "name of a tensor", &name));
        TRY(plan_document_add_tensor(reader->plan, name, reader->json.error));
    }
    return STATUS_OK;
}

/* Checks that storage ids number the objects without gaps, so that every object has a buffer; and
   the storages, which follow from the buffers. */
static enum status check_storages(struct reader *reader, const struct json_value *buffers)
{
    struct plan_document *plan = reader->plan;
    const struct json_value *array;
    for (uint32_t b = 0; b < plan->buffers; b++) {
        uint32_t id = plan->buffer[b].storage_id;
        if (id != STORAGE_IDS_NONE && id >= plan->buffers)
            return json_document_fail(&reader->json, json_tree_at(buffers, b),
                                      "found storage_id %u, expected one below %u, the number of "
                                      "buffers",
                                      id, plan->buffers);
    }
    TRY(plan_document_find_storages(plan, reader->json.error));
    TRY(json_fields_optional_array(&reader->json, reader->json.document->root, "storages", &array));
    JSON_EACH(object, array) {
        uint64_t id, offset, bytes;
        uint8_t device;
        TRY(json_fields_check(&reader->json, object, "a storage", "id offset bytes device"));
        TRY(json_fields_unsigned(&reader->json, object, "id", INT64_MAX, &id));
        TRY(json_fields_unsigned(&reader->json, object, "offset", INT64_MAX, &offset));
        TRY(json_fields_unsigned(&reader->json, object, "bytes", INT64_MAX, &bytes));
        TRY(json_fields_device(&reader->json, object, &device));
        if (id >= plan->storages || !bytes || plan->storage[id].offset_bytes != offset ||
            plan->storage[id].size_bytes != bytes || plan->storage[id].device != device)
            return json_document_fail(
                &reader->json, object,
                "found storage %llu of %llu bytes at %llu, expected what its buffers take",
                (unsigned long long)id, (unsigned long long)bytes, (unsigned long long)offset);
    }
    return STATUS_OK;
}

static enum status read_plan(struct reader *reader)
{
    const struct json_value *root = reader->json.document->root, *buffers;
    struct plan_document_texts texts;
    const char *status_name;
    int status = 0;
    TRY(json_document_expect_format(&reader->json, PLAN_JSON_FORMAT));
    TRY(json_fields_check(&reader->json, root, "a plan",
                          "format instance digest policy planner options seed status peak "
                          "lower_bound naive nodes wall_ns memories storages buffers"));
    TRY(json_fields_text(&reader->json, root, "instance", &texts.instance));
    TRY(json_fields_text(&reader->json, root, "digest", &texts.digest));
    TRY(json_fields_text(&reader->json, root, "policy", &texts.policy));
    TRY(json_fields_text(&reader->json, root, "planner", &texts.planner));
    TRY(json_fields_text(&reader->json, root, "options", &texts.options));
    TRY(plan_document_create(&texts, &reader->plan, reader->json.error));

    struct plan_document *plan = reader->plan;
    const struct {
        const char *key;
        uint64_t *number;
    } numbers[] = {{"seed", &plan->seed},
                   {"peak", &plan->measures.peak_bytes},
                   {"lower_bound", &plan->measures.lower_bound_bytes},
                   {"naive", &plan->measures.naive_bytes},
                   {"nodes", &plan->measures.nodes},
                   {"wall_ns", &plan->wall_ns}};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        TRY(json_fields_unsigned(&reader->json, root, numbers[i].key, INT64_MAX,
                                 numbers[i].number));
    TRY(json_fields_text(&reader->json, root, "status", &status_name));
    while (status < PLAN_STATUSES &&
           strcmp(plan_status_name((enum plan_status)status), status_name) != 0)
        status++;
    if (status == PLAN_STATUSES)
        return json_document_fail(&reader->json, json_fields_get(&reader->json, root, "status"),
                                  "found status '%s', expected one like '%s' or '%s'", status_name,
                                  plan_status_name(PLAN_OPTIMAL), plan_status_name(PLAN_FEASIBLE));
    plan->status = (enum plan_status)status;
    TRY(read_memories(reader, root));
    TRY(json_fields_array(&reader->json, root, "buffers", &buffers));
    JSON_EACH(value, buffers)
        TRY(read_buffer(reader, value));
    return check_storages(reader, buffers);
}

enum status plan_json_read(const struct text *text, const char *file,
                           struct plan_document **created, struct error *error)
{
    SCOPED(json_document_release) struct json_document *document = NULL;
    TRY(json_document_read(text, file, &document, error));
    struct reader reader = {.json = {document, error}};
    enum status status = read_plan(&reader);
    if (status)
        plan_document_free(reader.plan);
    else
        *created = reader.plan;
    return status;
}
