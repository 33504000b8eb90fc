#include <stdio.h>

#include "cli/arguments/select.h"
#include "cli/commands/info_policies.h"
#include "cli/output/json.h"
#include "dma/program/regions.h"
#include "planning/lowering/level.h"
#include "planning/problem/sections.h"

/* Facts are collected as one JSON object; the plain form prints its rows. */

/* Sections hold a member for each buffer and step at most; where that could take gigabytes they are
   left out. */
static enum status add_sections(const struct problem *problem, json_t *facts, struct error *error)
{
    static const uint64_t most_members = 250000000;
    struct sections *sections;
    uint64_t members = 0;
    for (uint32_t s = 0; s < problem->segments && members <= most_members; s++)
        members += problem->upper[s] - problem->lower[s];
    if (members > most_members)
        return STATUS_OK;
    TRY(sections_create(problem, &sections, error));
    json_object_set_new(facts, "sections", json_integer((json_int_t)sections->count));
    sections_free(sections);
    return STATUS_OK;
}

static enum status add_problem_facts(const struct problem *problem, json_t *facts,
                                     struct error *error)
{
    uint64_t load_bytes;
    uint32_t step;
    TRY(problem_load(problem, &load_bytes, &step, error));
    json_t *added =
        json_pack("{sI sI sI sI sI}", "buffers", (json_int_t)problem->buffers, "steps",
                  (json_int_t)problem_line_steps(problem), "load", (json_int_t)load_bytes,
                  "load_step", (json_int_t)step, "naive", (json_int_t)problem_naive_bytes(problem));
    json_object_update(facts, added);
    json_decref(added);
    if (problem->line_end != PROBLEM_NO_LINE_END)
        json_object_set_new(facts, "conflict_steps",
                            json_integer((json_int_t)(problem_steps(problem) - problem->line_end)));
    return add_sections(problem, facts, error);
}

static uint64_t sum_flops(const struct graph *graph)
{
    uint64_t sum = 0;
    for (uint32_t o = 0; o < graph->operators; o++)
        sum += graph->op[o].flops > 0 ? (uint64_t)graph->op[o].flops : 0;
    return sum;
}

static enum status add_transfer_facts(const struct graph *graph, json_t *facts, struct error *error)
{
    struct transfer_regions *regions;
    TRY(transfer_regions_create(graph, &regions, error));
    json_t *added = json_pack("{sI sI sI sI}", "weight_bytes", (json_int_t)regions->total_bytes,
                              "transfer_regions", (json_int_t)regions->weighted_regions,
                              "alloc0_bytes", (json_int_t)regions->alloc_bytes[0], "alloc1_bytes",
                              (json_int_t)regions->alloc_bytes[1]);
    transfer_regions_free(regions);
    json_object_update(facts, added);
    json_decref(added);
    return STATUS_OK;
}

static enum status add_level_facts(const struct graph *graph, json_t *facts, struct error *error)
{
    struct liveness *liveness;
    struct level *level = NULL;
    TRY(liveness_create(graph, &liveness, error));
    enum status status = level_create_flat(graph, liveness, 1, &level, error);
    if (!status)
        status = add_problem_facts(level->problem, facts, error);
    level_free(level);
    liveness_free(liveness);
    return status;
}

static enum status add_graph_facts(const struct graph *graph, json_t *facts, struct error *error)
{
    json_t *added = json_pack("{sI sI sI sI}", "operators", (json_int_t)graph->operators, "tensors",
                              (json_int_t)graph->tensors, "regions", (json_int_t)graph->regions - 1,
                              "flops", (json_int_t)sum_flops(graph));
    json_object_update(facts, added);
    json_decref(added);
    TRY(add_level_facts(graph, facts, error));
    return add_transfer_facts(graph, facts, error);
}

static enum status collect_facts(const struct instance *instance, json_t *facts,
                                 struct error *error)
{
    if (instance->problem)
        return add_problem_facts(instance->problem, facts, error);
    return add_graph_facts(instance->graph, facts, error);
}

enum status command_info(const struct arguments *arguments, struct error *error)
{
    struct instance *instance;
    TRY(select_instance(arguments, arguments->operand[0], &instance, error));
    json_t *facts = json_pack("{ss ss ss}", "name", instance->name, "kind",
                              instance->graph ? "graph" : "problem", "digest", instance->digest);
    if (facts && instance->graph && instance->graph->note)
        json_object_set_new(facts, "note", json_string(instance->graph->note));
    enum status status = facts ? collect_facts(instance, facts, error) : error_no_memory(error);
    if (!status && arguments->every_policy)
        status = info_policies_collect(arguments, instance, facts, error);
    instance_free(instance);
    if (!status && arguments->json)
        return json_print(facts, error);
    if (!status)
        json_print_facts(facts);
    if (!status && arguments->every_policy)
        info_policies_print(json_object_get(facts, "policies"));
    json_decref(facts);
    return status;
}
