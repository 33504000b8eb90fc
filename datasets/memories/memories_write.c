/* A problem with several memories as memplan-memories/1. */

#include <inttypes.h>

#include "datasets/json/text.h"
#include "datasets/memories/memory_file.h"

void memory_file_write_cost(uint64_t cost, struct text *text)
{
    uint64_t parts = cost % MEMORY_COST_PARTS;
    int digits = 3;
    text_append(text, "%" PRIu64, cost / MEMORY_COST_PARTS);
    if (!parts)
        return;
    for (; parts % 10 == 0; digits--)
        parts /= 10;
    text_append(text, ".%0*" PRIu64, digits, parts);
}

static void write_memory(const struct memory_problem *problem, uint32_t m, struct text *text)
{
    const struct memory *memory = &problem->memory[m];
    bool any = false;
    json_text_after(text, "    {\"name\": ", names_get(&problem->names, m));
    if (memory->capacity_bytes != UINT64_MAX)
        text_append(text, ", \"capacity\": %" PRIu64, memory->capacity_bytes);
    if (memory->alignment != 1)
        text_append(text, ", \"alignment\": %" PRIu64, memory->alignment);
    if (memory->chunk_bytes)
        text_append(text, ", \"chunk\": %" PRIu64, memory->chunk_bytes);
    for (uint32_t r = 0; r < problem->reserved_ranges; r++)
        if (problem->reserved[r].memory == m) {
            text_append(text, "%s[%" PRIu64 ", %" PRIu64 "]", any ? ", " : ", \"reserved\": [",
                        problem->reserved[r].lower, problem->reserved[r].upper);
            any = true;
        }
    text_append(text, any ? "]" : "");
    if (memory->read_cost) {
        text_append(text, ", \"read_ns_per_byte\": ");
        memory_file_write_cost(memory->read_cost, text);
    }
    if (memory->write_cost) {
        text_append(text, ", \"write_ns_per_byte\": ");
        memory_file_write_cost(memory->write_cost, text);
    }
    text_append(text, "}");
}

static void write_buffer(const struct memory_problem *problem, uint32_t b, struct text *text)
{
    const struct problem *plain = problem->problem;
    uint32_t allowed = 0;
    json_text_after(text, "    {\"name\": ", names_get(&plain->names, b));
    text_append(text, ", \"size\": %" PRIu64, plain->size[b]);
    if (problem_alignment(plain, b) != 1)
        text_append(text, ", \"alignment\": %" PRIu64, problem_alignment(plain, b));
    for (uint32_t s = plain->first[b]; s < plain->first[b + 1]; s++)
        text_append(text, "%s[%" PRIu32 ", %" PRIu32 "]",
                    s > plain->first[b] ? ", " : ", \"segments\": [", plain->lower[s],
                    plain->upper[s]);
    text_append(text, "]");
    for (uint32_t m = 0; m < problem->memories; m++)
        allowed += memory_problem_allows(problem, b, m);
    for (uint32_t m = 0, written = 0; m < problem->memories && allowed < problem->memories; m++)
        if (memory_problem_allows(problem, b, m)) {
            json_text_after(text, written++ ? ", " : ", \"memories\": [",
                            names_get(&problem->names, m));
            text_append(text, written == allowed ? "]" : "");
        }
    if (problem->read_bytes[b] != plain->size[b])
        text_append(text, ", \"read_bytes\": %" PRIu64, problem->read_bytes[b]);
    if (problem->write_bytes[b] != plain->size[b])
        text_append(text, ", \"write_bytes\": %" PRIu64, problem->write_bytes[b]);
    text_append(text, "}");
}

static void write_pair(const struct memory_problem *problem, uint32_t a, uint32_t b,
                       struct text *text)
{
    json_text_after(text, "    [", names_get(&problem->problem->names, a));
    json_text_after(text, ", ", names_get(&problem->problem->names, b));
}

static void write_pairs(const struct memory_problem *problem, const char *key,
                        const struct problem_pair *pair, uint32_t count, struct text *text)
{
    if (!count)
        return;
    text_append(text, ",\n  \"%s\": [\n", key);
    for (uint32_t i = 0; i < count; i++) {
        write_pair(problem, pair[i].first, pair[i].second, text);
        text_append(text, i + 1 < count ? "],\n" : "]\n  ]");
    }
}

static void write_pins(const struct memory_problem *problem, struct text *text)
{
    if (!problem->pins)
        return;
    text_append(text, ",\n  \"pins\": [\n");
    for (uint32_t p = 0; p < problem->pins; p++) {
        const struct memory_pin *pin = &problem->pin[p];
        json_text_after(text,
                        "    {\"buffer\": ", names_get(&problem->problem->names, pin->buffer));
        json_text_after(text, ", \"memory\": ", names_get(&problem->names, pin->memory));
        text_append(text, ", \"offset\": %" PRIu64 "%s}%s", pin->offset,
                    pin->exclusive ? ", \"exclusive\": true" : "",
                    p + 1 < problem->pins ? ",\n" : "\n  ]");
    }
}

enum status memory_file_write(const struct memory_problem *problem, struct text *text,
                              struct error *error)
{
    const char *name = names_get(&problem->problem->name, 0);
    size_t start = text->length;
    text_append(text, "{\n  \"format\": \"%s\",\n", MEMORIES_JSON_FORMAT);
    json_text_after(text, "  \"name\": ", name);
    text_append(text, ",\n  \"memories\": [\n");
    for (uint32_t m = 0; m < problem->memories; m++) {
        write_memory(problem, m, text);
        text_append(text, m + 1 < problem->memories ? ",\n" : "\n  ],\n  \"buffers\": [\n");
    }
    for (uint32_t b = 0; b < problem->problem->buffers; b++) {
        write_buffer(problem, b, text);
        text_append(text, b + 1 < problem->problem->buffers ? ",\n" : "\n  ]");
    }
    if (problem->penalties)
        text_append(text, ",\n  \"penalties\": [\n");
    for (uint32_t p = 0; p < problem->penalties; p++) {
        write_pair(problem, problem->penalty[p].first, problem->penalty[p].second, text);
        text_append(text, ", ");
        memory_file_write_cost(problem->penalty[p].cost, text);
        text_append(text, p + 1 < problem->penalties ? "],\n" : "]\n  ]");
    }
    write_pairs(problem, "separations", problem->separation, problem->separations, text);
    write_pairs(problem, "colocations", problem->colocation, problem->colocations, text);
    write_pairs(problem, "exclusions", problem->exclusion, problem->exclusions, text);
    write_pins(problem, text);
    text_append(text, "\n}\n");
    return json_text_check(text, start, "problem", name, error);
}
