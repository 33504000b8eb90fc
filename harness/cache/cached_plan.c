#include "harness/cache/cached_plan.h"

#include <assert.h>
#include <stddef.h>
#include <string.h>

#include "core/memory.h"
#include "datasets/json/build.h"
#include "datasets/json/fields.h"
#include "datasets/json/write.h"
#include "harness/job/begin.h"

#define FORMAT "memplan-cached-plan/1"

static const struct {
    const char *name;
    size_t offset; /* where the number is in struct measures */
} measures[] = {
#define MEASURE(name, key) {key, offsetof(struct measures, name)},
#include "planning/plan/measures.def"
#undef MEASURE
};
enum { MEASURES = sizeof measures / sizeof *measures };

static const char known_keys[] = "format status stop_reason "
#define MEASURE(name, key) key " "
#include "planning/plan/measures.def"
#undef MEASURE
                                 "wall_ns offsets block_offsets block_bytes storage_ids extents "
                                 "search";

/* Adds an array of numbers; PROBLEM_FREE becomes null. */
static void add_numbers(const char *key, const uint64_t *number, uint32_t count,
                        struct json_tree *tree)
{
    json_build_open(tree, key, JSON_ARRAY);
    for (uint32_t i = 0; i < count; i++)
        if (number[i] == PROBLEM_FREE)
            json_build_null(tree, NULL);
        else
            json_build_count(tree, NULL, number[i]);
    json_build_close(tree);
}

enum status cached_plan_write(const struct outcome *outcome, struct text *text, struct error *error)
{
    SCOPED(json_tree_free) struct json_tree tree = {0};
    const struct outcome_places places = outcome_places(outcome);
    const uint32_t *ids = *places.storage_id;
    const struct extents *extents = *places.extents;
    const struct search_record *search = outcome->search;
    assert(outcome_found(outcome));
    json_build_open(&tree, NULL, JSON_OBJECT);
    json_build_text(&tree, "format", FORMAT);
    json_build_text(&tree, "status", plan_status_name(outcome->status));
    json_build_text(&tree, "stop_reason", outcome->stop_reason);
    for (int i = 0; i < MEASURES; i++) {
        uint64_t value;
        memcpy(&value, (const char *)&outcome->measures + measures[i].offset, sizeof value);
        json_build_count(&tree, measures[i].name, value);
    }
    add_numbers("wall_ns", outcome->wall_ns, outcome->samples, &tree);
    add_numbers("offsets", places.offset, places.items, &tree);
    if (outcome->placement) {
        add_numbers("block_offsets", places.block_offset, places.operators, &tree);
        add_numbers("block_bytes", places.block_bytes, places.operators, &tree);
    }
    if (ids)
        json_build_open(&tree, "storage_ids", JSON_ARRAY);
    for (uint32_t i = 0; ids && i < places.items; i++)
        if (ids[i] == STORAGE_IDS_NONE)
            json_build_null(&tree, NULL);
        else
            json_build_count(&tree, NULL, ids[i]);
    if (ids)
        json_build_close(&tree);
    json_build_open(&tree, "extents", JSON_ARRAY);
    for (uint32_t i = 0; extents && i < extents->items; i++)
        for (uint32_t e = 0; e < extents->of[i].count; e++) {
            const struct extent *extent = &extents->extent[extents->of[i].first + e];
            add_numbers(NULL, (uint64_t[]){i, extent->offset, extent->bytes}, 3, &tree);
        }
    json_build_close(&tree);
    if (search) {
        json_build_open(&tree, "search", JSON_OBJECT);
        json_build_count(&tree, "time_to_best_ns", search->time_to_best_ns);
        add_numbers("counters", search->counter, SEARCH_COUNTERS, &tree);
        json_build_open(&tree, "points", JSON_ARRAY);
        for (uint32_t i = 0; i < search->points; i++) {
            const struct search_point *point = &search->point[i];
            add_numbers(NULL, (uint64_t[]){point->time_ns, point->peak_bytes, point->bound_bytes},
                        3, &tree);
        }
        json_build_close(&tree);
        json_build_close(&tree);
    }
    json_build_close(&tree);
    TRY(json_build_check(&tree, error));
    json_write(&tree, text);
    return text_check(text, error);
}

/* The text that is being read into an outcome. */
struct reader {
    struct json_reader json;
    const struct job *job;
};

static enum status refuse(const struct reader *reader, const struct json_value *value,
                          const char *what)
{
    return json_document_fail(&reader->json, value, "found no %s of this job", what);
}

static bool take_number(const struct json_value *value, uint64_t *number)
{
    if (!json_tree_is(value, JSON_INTEGER) || value->negative)
        return false;
    *number = value->integer;
    return true;
}

/* Reads an array of exactly `count` numbers, where null stands for PROBLEM_FREE. */
static enum status read_numbers(const struct reader *reader, const struct json_value *array,
                                const char *what, uint32_t count, uint64_t *number)
{
    if (!json_tree_is(array, JSON_ARRAY) || json_tree_count(array) != count)
        return refuse(reader, array, what);
    const struct json_value *value = json_tree_first(array);
    for (uint32_t i = 0; i < count; i++) {
        if (json_tree_is(value, JSON_NULL))
            number[i] = PROBLEM_FREE;
        else if (!take_number(value, &number[i]))
            return refuse(reader, value, what);
        value = json_tree_next(array, value);
    }
    return STATUS_OK;
}

static const struct json_value *get_field(const struct reader *reader, const char *key)
{
    return json_tree_find(&reader->json.document->tree, reader->json.document->root, key);
}

static enum status read_array(const struct reader *reader, const char *key, uint32_t count,
                              uint64_t *number)
{
    return read_numbers(reader, get_field(reader, key), key, count, number);
}

/* Reads storage ids; does nothing where the planner gave none. */
static enum status read_storage_ids(const struct reader *reader, uint32_t items, uint32_t **ids)
{
    const struct json_value *array = get_field(reader, "storage_ids");
    uint64_t id;
    if (!array)
        return STATUS_OK;
    if (!json_tree_is(array, JSON_ARRAY) || json_tree_count(array) != items)
        return refuse(reader, array, "storage_ids");
    const struct json_value *value = json_tree_first(array);
    for (uint32_t i = 0; i < items; i++) {
        if (json_tree_is(value, JSON_NULL))
            id = STORAGE_IDS_NONE;
        else if (!take_number(value, &id) || id >= items)
            return refuse(reader, value, "storage_ids");
        TRY(storage_ids_set(ids, items, i, (uint32_t)id, reader->json.error));
        value = json_tree_next(array, value);
    }
    return STATUS_OK;
}

static enum status read_extents(const struct reader *reader, uint32_t items,
                                struct extents **extents)
{
    const struct json_value *array = get_field(reader, "extents");
    uint64_t row[3], least_item = 0;
    if (!json_tree_is(array, JSON_ARRAY))
        return refuse(reader, array, "extents");
    for (const struct json_value *value = json_tree_first(array); value;
         value = json_tree_next(array, value)) {
        TRY(read_numbers(reader, value, "extents", 3, row));
        if (row[0] >= items || row[0] < least_item)
            return refuse(reader, value, "extents");
        least_item = row[0];
        TRY(extents_add(extents, items, (uint32_t)row[0], (struct extent){row[1], row[2]},
                        reader->json.error));
    }
    return STATUS_OK;
}

static enum status read_search(const struct reader *reader, struct outcome *outcome)
{
    const struct json_tree *tree = &reader->json.document->tree;
    const struct json_value *search = get_field(reader, "search");
    if (!search)
        return STATUS_OK;
    const struct json_value *points = json_tree_find(tree, search, "points");
    TRY(search_record_create(&outcome->search, reader->json.error));
    if (!json_tree_is(points, JSON_ARRAY) ||
        !take_number(json_tree_find(tree, search, "time_to_best_ns"),
                     &outcome->search->time_to_best_ns))
        return refuse(reader, search, "search");
    TRY(read_numbers(reader, json_tree_find(tree, search, "counters"), "search", SEARCH_COUNTERS,
                     outcome->search->counter));
    uint64_t row[3];
    for (const struct json_value *value = json_tree_first(points); value;
         value = json_tree_next(points, value)) {
        TRY(read_numbers(reader, value, "search", 3, row));
        TRY(memory_reserve(&outcome->search->point, &outcome->search->capacity,
                           (size_t)outcome->search->points + 1, sizeof *outcome->search->point,
                           reader->json.error));
        outcome->search->point[outcome->search->points++] =
            (struct search_point){row[0], row[1], row[2]};
    }
    return STATUS_OK;
}

static enum status read_places(const struct reader *reader, struct outcome *outcome)
{
    TRY(job_begin(reader->job, outcome, reader->json.error));
    struct outcome_places places = outcome_places(outcome);
    *places.status = outcome->status;
    for (int i = 0; i < MEASURES; i++) {
        const struct json_value *value = get_field(reader, measures[i].name);
        uint64_t number;
        if (!take_number(value, &number))
            return refuse(reader, value, measures[i].name);
        memcpy((char *)places.measures + measures[i].offset, &number, sizeof number);
    }
    TRY(read_array(reader, "offsets", places.items, places.offset));
    if (outcome->placement) {
        TRY(read_array(reader, "block_offsets", places.operators, places.block_offset));
        TRY(read_array(reader, "block_bytes", places.operators, places.block_bytes));
    }
    TRY(read_storage_ids(reader, places.items, places.storage_id));
    return read_extents(reader, places.items, places.extents);
}

static enum status read_outcome(const struct reader *reader, struct outcome *outcome)
{
    const struct json_value *root = reader->json.document->root;
    const char *name, *reason;
    TRY(json_document_expect_format(&reader->json, FORMAT));
    TRY(json_fields_check(&reader->json, root, "a plan", known_keys));
    TRY(json_fields_text(&reader->json, root, "status", &name));
    TRY(json_fields_text(&reader->json, root, "stop_reason", &reason));
    snprintf(outcome->stop_reason, sizeof outcome->stop_reason, "%s", reason);
    outcome->status = PLAN_OPTIMAL;
    while (outcome->status < PLAN_STATUSES && strcmp(plan_status_name(outcome->status), name) != 0)
        outcome->status++;
    if (!outcome_found(outcome))
        return refuse(reader, get_field(reader, "status"), "status");
    const struct json_value *times = get_field(reader, "wall_ns");
    size_t samples = json_tree_count(times);
    if (!samples || samples > OUTCOME_MOST_SAMPLES)
        return refuse(reader, times, "wall_ns");
    outcome->samples = (uint32_t)samples;
    TRY(read_numbers(reader, times, "wall_ns", outcome->samples, outcome->wall_ns));
    TRY(read_search(reader, outcome));
    return read_places(reader, outcome);
}

enum status cached_plan_read(const struct text *text, const char *path, const struct job *job,
                             struct outcome *outcome, struct error *error)
{
    SCOPED(json_document_release) struct json_document *document = NULL;
    memset(outcome, 0, sizeof *outcome);
    TRY(json_document_read(text, path, &document, error));
    const struct reader reader = {{document, error}, job};
    enum status status = read_outcome(&reader, outcome);
    if (status)
        outcome_clear(outcome);
    return status;
}
