/* Plans with several memories: memplan-memories-plan/1, and reading it and solutions of
   dsa-solver. */

#include <inttypes.h>
#include <string.h>

#include "datasets/json/text.h"
#include "datasets/memories/parts.h"

enum status memory_file_write_plan(const struct memory_problem *problem,
                                   const struct memory_plan *plan, struct text *text,
                                   struct error *error)
{
    const char *name = names_get(&problem->problem->name, 0);
    size_t start = text->length;
    text_append(text, "{\n  \"format\": \"%s\",\n", MEMORIES_PLAN_FORMAT);
    json_text_after(text, "  \"instance\": ", name);
    text_append(text, ",\n  \"status\": \"%s\",\n  \"cost\": ", plan_status_name(plan->status));
    memory_file_write_cost(plan->cost, text);
    text_append(text, ",\n  \"cost_bound\": ");
    memory_file_write_cost(plan->cost_bound, text);
    text_append(text, ",\n  \"buffers\": [");
    for (uint32_t b = 0; b < plan->buffers; b++) {
        text_append(text, b ? ",\n" : "\n");
        json_text_after(text, "    {\"name\": ", names_get(&problem->problem->names, b));
        json_text_after(text, ", \"memory\": ", names_get(&problem->names, plan->memory[b]));
        text_append(text, ", \"offset\": %" PRIu64 ", \"size\": %" PRIu64 "}", plan->offset[b],
                    problem->problem->size[b]);
    }
    text_append(text, "\n  ]\n}\n");
    return json_text_check(text, start, "problem", name, error);
}

struct plan_reader {
    struct json_reader json;
    const struct memory_file *file;
    struct memory_plan *plan;
};

/* Puts a buffer where the file says, once. */
static enum status place_buffer(struct plan_reader *reader, const struct json_value *value,
                                uint32_t b, uint32_t m)
{
    const struct memory_problem *problem = reader->file->problem;
    if (reader->plan->memory[b] != MEMORY_NONE)
        return json_document_fail(&reader->json, value,
                                  "found buffer '%s' again, expected each buffer once",
                                  names_get(&problem->problem->names, b));
    reader->plan->memory[b] = m;
    return json_fields_unsigned(&reader->json, value, "offset", INT64_MAX,
                                &reader->plan->offset[b]);
}

static enum status read_named(struct plan_reader *reader, const struct json_value *value)
{
    const struct memory_problem *problem = reader->file->problem;
    const struct json_reader *json = &reader->json;
    const char *name, *memory;
    TRY(json_fields_check(json, value, "a buffer", "name memory offset size"));
    TRY(json_fields_text(json, value, "name", &name));
    TRY(json_fields_text(json, value, "memory", &memory));
    uint32_t b = names_find(&problem->problem->names, name);
    uint32_t m = names_find(&problem->names, memory);
    if (b == NAMES_NONE || m == NAMES_NONE)
        return json_document_fail(json, value, "found %s '%s', expected one of the problem",
                                  b == NAMES_NONE ? "buffer" : "memory",
                                  b == NAMES_NONE ? name : memory);
    return place_buffer(reader, value, b, m);
}

static enum status read_placement(struct plan_reader *reader, const struct json_value *value)
{
    const struct memory_file *file = reader->file;
    const struct json_reader *json = &reader->json;
    uint64_t buffer, pool;
    TRY(json_fields_check(json, value, "a placement", "buffer pool offset"));
    TRY(json_fields_unsigned(json, value, "buffer", UINT32_MAX, &buffer));
    TRY(json_fields_unsigned(json, value, "pool", UINT32_MAX, &pool));
    uint32_t b = memory_parts_find_id(file->dsa.buffer_id, reader->plan->buffers, (uint32_t)buffer);
    uint32_t m = memory_parts_find_id(file->dsa.memory_id, reader->plan->memories, (uint32_t)pool);
    if (b == reader->plan->buffers || m == reader->plan->memories)
        return json_document_fail(json, value,
                                  "found buffer %" PRIu64 " in pool %" PRIu64
                                  ", expected ids of the problem",
                                  buffer, pool);
    return place_buffer(reader, value, b, m);
}

/* A solution is only for the problem that it names. */
static enum status check_origin(const struct plan_reader *reader)
{
    const struct memory_file *file = reader->file;
    const struct json_reader *json = &reader->json;
    const struct json_value *root = json->document->root;
    if (!file->dsa.profile)
        return json_document_fail(json, root,
                                  "found a solution of dsa-solver, expected a plan with \"format\" "
                                  "\"%s\", since the problem is none of dsa-solver's",
                                  MEMORIES_PLAN_FORMAT);
    const struct {
        const char *key, *expected;
    } texts[] = {{"profile", file->dsa.profile},
                 {"instance", names_get(&file->problem->problem->name, 0)},
                 {"problem_fingerprint", file->dsa.fingerprint}};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        const char *found;
        TRY(json_fields_text(json, root, texts[i].key, &found));
        if (strcmp(found, texts[i].expected) != 0)
            return json_document_fail(json, json_fields_get(json, root, texts[i].key),
                                      "found %s '%s', expected '%s', which the problem has",
                                      texts[i].key, found, texts[i].expected);
    }
    return STATUS_OK;
}

enum status memory_file_read_plan(const struct memory_file *file, const struct text *text,
                                  const char *path, struct memory_plan **read, struct error *error)
{
    SCOPED(json_document_release) struct json_document *document = NULL;
    SCOPED(memory_plan_release) struct memory_plan *plan = NULL;
    const struct json_value *list;
    TRY(json_document_read(text, path, &document, error));
    TRY(memory_plan_create(file->problem, &plan, error));
    struct plan_reader reader = {{document, error}, file, plan};
    bool is_solution = json_tree_find(&document->tree, document->root, "schema_version");
    if (is_solution)
        TRY(check_origin(&reader));
    else
        TRY(json_document_expect_format(&reader.json, MEMORIES_PLAN_FORMAT));
    TRY(json_fields_array(&reader.json, document->root, is_solution ? "placements" : "buffers",
                          &list));
    JSON_EACH(value, list)
        TRY(is_solution ? read_placement(&reader, value) : read_named(&reader, value));
    for (uint32_t b = 0; b < plan->buffers; b++)
        if (plan->memory[b] == MEMORY_NONE)
            return json_document_fail(&reader.json, list,
                                      "found no place of buffer '%s', expected one",
                                      names_get(&file->problem->problem->names, b));
    plan->status = PLAN_FEASIBLE;
    HAND_OVER(plan, read);
}
