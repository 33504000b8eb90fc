/* A plan in JSON, with the facts about the run that found it. */

#include <string.h>

#include "datasets/json/fields.h"
#include "datasets/memplan_json/plan.h"

struct reader {
    const struct json_document *document;
    struct plan_document *plan;
    struct error *error;
};

#define KEYS                                                                                       \
    "format instance digest policy planner options seed status peak lower_bound naive nodes "      \
    "wall_ns buffers"

static enum status read_integer(struct reader *reader, const struct json_value *object,
                                const char *key, int64_t most, uint64_t *number)
{
    int64_t found;
    TRY(json_fields_integer(reader->document, object, key, 0, most, &found, reader->error));
    *number = (uint64_t)found;
    return STATUS_OK;
}

static enum status read_numbers(struct reader *reader)
{
    const struct json_value *root = reader->document->root;
    struct plan_document *plan = reader->plan;
    TRY(read_integer(reader, root, "seed", INT64_MAX, &plan->seed));
    TRY(read_integer(reader, root, "peak", INT64_MAX, &plan->measures.peak_bytes));
    TRY(read_integer(reader, root, "lower_bound", INT64_MAX, &plan->measures.lower_bound_bytes));
    TRY(read_integer(reader, root, "naive", INT64_MAX, &plan->measures.naive_bytes));
    TRY(read_integer(reader, root, "nodes", INT64_MAX, &plan->measures.nodes));
    return read_integer(reader, root, "wall_ns", INT64_MAX, &plan->wall_ns);
}

static enum status read_status(struct reader *reader)
{
    const struct json_value *root = reader->document->root;
    const char *name;
    TRY(json_fields_text(reader->document, root, "status", &name, reader->error));
    for (int status = 0; status < PLAN_STATUSES; status++)
        if (strcmp(plan_status_name((enum plan_status)status), name) == 0) {
            reader->plan->status = (enum plan_status)status;
            return STATUS_OK;
        }
    return json_document_fail(reader->document, json_fields_get(reader->document, root, "status"),
                              reader->error, "found status '%s', expected one like '%s' or '%s'",
                              name, plan_status_name(PLAN_OPTIMAL),
                              plan_status_name(PLAN_FEASIBLE));
}

static enum status create_plan(struct reader *reader)
{
    const struct json_value *root = reader->document->root;
    struct plan_document_texts texts;
    TRY(json_fields_text(reader->document, root, "instance", &texts.instance, reader->error));
    TRY(json_fields_text(reader->document, root, "digest", &texts.digest, reader->error));
    TRY(json_fields_text(reader->document, root, "policy", &texts.policy, reader->error));
    TRY(json_fields_text(reader->document, root, "planner", &texts.planner, reader->error));
    TRY(json_fields_text(reader->document, root, "options", &texts.options, reader->error));
    return plan_document_create(&texts, &reader->plan, reader->error);
}

static enum status read_tensors(struct reader *reader, const struct json_value *object)
{
    const struct json_value *array;
    const char *name;
    TRY(json_fields_array(reader->document, object, "tensors", &array, reader->error));
    for (const struct json_value *value = json_tree_first(array); value;
         value = json_tree_next(array, value)) {
        TRY(json_fields_value_text(reader->document, value, "name of a tensor", &name,
                                   reader->error));
        TRY(plan_document_add_tensor(reader->plan, name, reader->error));
    }
    return STATUS_OK;
}

static enum status check_end(const struct reader *reader, const struct json_value *value,
                             uint64_t offset, uint64_t bytes)
{
    if (bytes <= INT64_MAX && offset <= INT64_MAX - bytes)
        return STATUS_OK;
    return json_document_fail(reader->document, value, reader->error,
                              "found %llu bytes at %llu, expected an end of at most 2^63 - 1",
                              (unsigned long long)bytes, (unsigned long long)offset);
}

/* [offset, bytes] */
static enum status read_extent(struct reader *reader, const struct json_value *pair)
{
    int64_t number[2];
    if (!json_tree_is(pair, JSON_ARRAY) || json_tree_count(pair) != 2)
        return json_document_fail(reader->document, pair, reader->error,
                                  "found %s as an extent, expected [offset, bytes]",
                                  json_fields_kind(pair));
    for (size_t i = 0; i < 2; i++)
        TRY(json_fields_value_integer(reader->document, json_tree_at(pair, i),
                                      i ? "bytes of an extent" : "offset of an extent", i != 0,
                                      INT64_MAX, &number[i], reader->error));
    TRY(check_end(reader, pair, (uint64_t)number[0], (uint64_t)number[1]));
    return plan_document_add_extent(reader->plan, (uint64_t)number[0], (uint64_t)number[1],
                                    reader->error);
}

static enum status read_extents(struct reader *reader, const struct json_value *object,
                                uint64_t offset)
{
    const struct json_value *array;
    uint32_t first = reader->plan->extents;
    TRY(json_fields_optional_array(reader->document, object, "extents", &array, reader->error));
    for (const struct json_value *value = json_tree_first(array); value;
         value = json_tree_next(array, value))
        TRY(read_extent(reader, value));
    if (reader->plan->extents == first || reader->plan->extent[first].offset == offset)
        return STATUS_OK;
    return json_document_fail(reader->document, array, reader->error,
                              "found a first extent at %llu, expected it at the offset %llu",
                              (unsigned long long)reader->plan->extent[first].offset,
                              (unsigned long long)offset);
}

static enum status read_buffer(struct reader *reader, const struct json_value *object)
{
    const char *name;
    uint64_t size, lower, upper, offset;
    TRY(json_fields_check(reader->document, object, "a buffer",
                          "name size lower upper offset extents tensors", reader->error));
    TRY(json_fields_text(reader->document, object, "name", &name, reader->error));
    TRY(read_integer(reader, object, "size", INT64_MAX, &size));
    TRY(read_integer(reader, object, "lower", UINT32_MAX, &lower));
    TRY(read_integer(reader, object, "upper", UINT32_MAX, &upper));
    TRY(read_integer(reader, object, "offset", INT64_MAX, &offset));
    if (lower > upper || !size)
        return json_document_fail(reader->document, object, reader->error,
                                  "found buffer '%s' of %llu bytes in [%llu, %llu), expected at "
                                  "least 1 byte and lower <= upper",
                                  name, (unsigned long long)size, (unsigned long long)lower,
                                  (unsigned long long)upper);
    TRY(plan_document_add_buffer(reader->plan, name, size, (uint32_t)lower, (uint32_t)upper, offset,
                                 reader->error));
    uint32_t extents = reader->plan->extents;
    TRY(read_extents(reader, object, offset));
    if (reader->plan->extents == extents)
        TRY(check_end(reader, object, offset, size));
    return read_tensors(reader, object);
}

static enum status read_plan(struct reader *reader)
{
    const struct json_value *root = reader->document->root, *buffers;
    TRY(json_document_expect_format(reader->document, PLAN_JSON_FORMAT, reader->error));
    TRY(json_fields_check(reader->document, root, "a plan", KEYS, reader->error));
    TRY(create_plan(reader));
    TRY(read_numbers(reader));
    TRY(read_status(reader));
    TRY(json_fields_array(reader->document, root, "buffers", &buffers, reader->error));
    for (const struct json_value *value = json_tree_first(buffers); value;
         value = json_tree_next(buffers, value))
        TRY(read_buffer(reader, value));
    return STATUS_OK;
}

enum status plan_json_read(const struct text *text, const char *file,
                           struct plan_document **created, struct error *error)
{
    struct json_document *document;
    TRY(json_document_read(text, file, &document, error));
    struct reader reader = {.document = document, .error = error};
    enum status status = read_plan(&reader);
    json_document_free(document);
    if (status) {
        plan_document_free(reader.plan);
        return status;
    }
    *created = reader.plan;
    return STATUS_OK;
}
