#include "harness/moves/plan_json.h"

#include <inttypes.h>
#include <string.h>

#include "datasets/json/fields.h"
#include "datasets/json/text.h"

static void write_stay(const struct move_problem *problem, const struct move_stay *stay,
                       struct text *text)
{
    if (move_is_weights(problem, stay->item))
        text_append(text, "    {\"weights\": %" PRIu32, problem->item[stay->item].op);
    else
        json_text_after(text, "    {\"tensor\": ", move_item_name(problem, stay->item));
    if (!move_is_off_chip(problem, stay->memory)) {
        json_text_after(text, ", \"memory\": ", move_memory_name(problem, stay->memory));
        text_append(text, ", \"offset\": %" PRIu64, stay->offset);
    }
    if (stay->source != MEMORY_NONE)
        text_append(text, ", \"from\": %" PRIu32, stay->source);
    text_append(text, ", \"steps\": [%" PRIu32 ", %" PRIu32 ", %" PRIu32 "]}", stay->lower,
                stay->ready, stay->upper);
}

enum status move_plan_write(const struct move_problem *problem, const struct move_plan *plan,
                            struct text *text, struct error *error)
{
    const char *name = graph_name(problem->graph);
    size_t start = text->length;
    text_append(text, "{\n  \"format\": \"%s\",\n", MOVES_JSON_FORMAT);
    json_text_after(text, "  \"instance\": ", name);
    text_append(text,
                ",\n  \"total_ps\": %" PRIu64 ",\n  \"bound_ps\": %" PRIu64 ",\n  \"stays\": [",
                plan->time, plan->time_bound);
    for (uint32_t s = 0; s < plan->count; s++) {
        text_append(text, s ? ",\n" : "\n");
        write_stay(problem, &plan->stay[s], text);
    }
    text_append(text, "\n  ]\n}\n");
    return json_text_check(text, start, "graph", name, error);
}

bool move_plan_is_likely(const struct text *text)
{
    return text->bytes && strstr(text->bytes, MOVES_JSON_FORMAT);
}

struct stay_reader {
    struct json_reader json;
    const struct move_problem *problem;
    const struct move_plan *plan;
};

static enum status read_item(const struct stay_reader *reader, const struct json_value *value,
                             uint32_t *item)
{
    const struct move_problem *problem = reader->problem;
    const char *tensor;
    int64_t op = -1;
    TRY(json_fields_optional_text(&reader->json, value, "tensor", &tensor));
    TRY(json_fields_optional_integer(&reader->json, value, "weights", json_at_least(0), &op));
    for (*item = 0; *item < problem->items; ++*item)
        if (move_is_weights(problem, *item)
                ? !tensor && problem->item[*item].op == op
                : tensor && op < 0 && strcmp(tensor, move_item_name(problem, *item)) == 0)
            return STATUS_OK;
    return json_document_fail(&reader->json, value,
                              "found a stay of nothing that has to be in memory, expected a "
                              "\"tensor\" of the graph, or the number of an operator with "
                              "\"weights\"");
}

static enum status read_memory(const struct stay_reader *reader, const struct json_value *value,
                               struct move_stay *stay)
{
    const struct names *names = &reader->problem->chip->names;
    const char *name;
    TRY(json_fields_optional_text(&reader->json, value, "memory", &name));
    stay->memory = reader->problem->memories - 1;
    if (!name)
        return STATUS_OK;
    stay->memory = names_find(names, name);
    if (stay->memory == NAMES_NONE)
        return json_document_fail(&reader->json, value,
                                  "found memory '%s', expected one of the chip", name);
    return json_fields_unsigned(&reader->json, value, "offset", INT64_MAX, &stay->offset);
}

static enum status read_steps(const struct stay_reader *reader, const struct json_value *value,
                              struct move_stay *stay)
{
    uint32_t *const steps[] = {&stay->lower, &stay->ready, &stay->upper};
    const struct json_value *list;
    unsigned count = 0;
    TRY(json_fields_array(&reader->json, value, "steps", &list));
    JSON_EACH(number, list) {
        int64_t step;
        TRY(json_fields_value_integer(&reader->json, number, "a step",
                                      json_between(0, reader->problem->steps), &step));
        if (count < 3)
            *steps[count] = (uint32_t)step;
        count++;
    }
    return count == 3 ? STATUS_OK
                      : json_document_fail(&reader->json, list,
                                           "found %u steps, expected the first one, the one that "
                                           "waits, and the end",
                                           count);
}

static enum status read_stay(const struct stay_reader *reader, const struct json_value *value,
                             struct move_stay *stay)
{
    int64_t from = -1;
    *stay = (struct move_stay){.source = MEMORY_NONE};
    TRY(json_fields_check(&reader->json, value, "a stay",
                          "tensor weights memory offset from steps"));
    TRY(read_item(reader, value, &stay->item));
    TRY(read_memory(reader, value, stay));
    TRY(json_fields_optional_integer(&reader->json, value, "from",
                                     json_between(0, (int64_t)reader->plan->count - 1), &from));
    if (from >= 0)
        stay->source = (uint32_t)from;
    return read_steps(reader, value, stay);
}

enum status move_plan_read(const struct move_problem *problem, const struct text *text,
                           const char *path, struct move_plan *plan, struct error *error)
{
    SCOPED(json_document_release) struct json_document *document = NULL;
    const struct json_value *list;
    TRY(json_document_read(text, path, &document, error));
    const struct stay_reader reader = {{document, error}, problem, plan};
    TRY(json_document_expect_format(&reader.json, MOVES_JSON_FORMAT));
    TRY(json_fields_array(&reader.json, document->root, "stays", &list));
    JSON_EACH(value, list) {
        struct move_stay stay;
        TRY(read_stay(&reader, value, &stay));
        TRY(move_plan_add(plan, &stay, error));
    }
    return STATUS_OK;
}
