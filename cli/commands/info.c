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
static enum status add_sections(const struct problem *problem, struct json_tree *facts,
                                struct error *error)
{
    static const uint64_t most_members = 250000000;
    struct sections *sections;
    uint64_t members = 0;
    for (uint32_t s = 0; s < problem->segments && members <= most_members; s++)
        members += problem->upper[s] - problem->lower[s];
    if (members > most_members)
        return STATUS_OK;
    TRY(sections_create(problem, &sections, error));
    json_build_count(facts, "sections", sections->count);
    sections_free(sections);
    return STATUS_OK;
}

static enum status add_problem_facts(const struct problem *problem, struct json_tree *facts,
                                     struct error *error)
{
    uint64_t load_bytes;
    uint32_t step;
    TRY(problem_load(problem, &load_bytes, &step, error));
    json_build_count(facts, "buffers", problem->buffers);
    json_build_count(facts, "steps", problem_line_steps(problem));
    json_build_count(facts, "load", load_bytes);
    json_build_count(facts, "load_step", step);
    json_build_count(facts, "naive", problem_naive_bytes(problem));
    if (problem->line_end != PROBLEM_NO_LINE_END)
        json_build_count(facts, "conflict_steps", problem_steps(problem) - problem->line_end);
    return add_sections(problem, facts, error);
}

static uint64_t sum_flops(const struct graph *graph)
{
    uint64_t sum = 0;
    for (uint32_t o = 0; o < graph->operators; o++)
        sum += graph->op[o].flops > 0 ? (uint64_t)graph->op[o].flops : 0;
    return sum;
}

static enum status add_transfer_facts(const struct graph *graph, struct json_tree *facts,
                                      struct error *error)
{
    struct transfer_regions *regions;
    TRY(transfer_regions_create(graph, &regions, error));
    json_build_count(facts, "weight_bytes", regions->total_bytes);
    json_build_count(facts, "transfer_regions", regions->weighted_regions);
    json_build_count(facts, "alloc0_bytes", regions->alloc_bytes[0]);
    json_build_count(facts, "alloc1_bytes", regions->alloc_bytes[1]);
    transfer_regions_free(regions);
    return STATUS_OK;
}

static enum status add_level_facts(const struct graph *graph, struct json_tree *facts,
                                   struct error *error)
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

static enum status add_graph_facts(const struct graph *graph, struct json_tree *facts,
                                   struct error *error)
{
    json_build_count(facts, "operators", graph->operators);
    json_build_count(facts, "tensors", graph->tensors);
    json_build_count(facts, "regions", graph->regions - 1);
    json_build_count(facts, "flops", sum_flops(graph));
    TRY(add_level_facts(graph, facts, error));
    return add_transfer_facts(graph, facts, error);
}

static enum status add_facts(const struct arguments *arguments, const struct instance *instance,
                             struct json_tree *facts, struct error *error)
{
    json_build_text(facts, "name", instance->name);
    json_build_text(facts, "kind", instance->graph ? "graph" : "problem");
    json_build_text(facts, "digest", instance->digest);
    if (instance->graph && instance->graph->note)
        json_build_text(facts, "note", instance->graph->note);
    if (instance->problem)
        TRY(add_problem_facts(instance->problem, facts, error));
    else
        TRY(add_graph_facts(instance->graph, facts, error));
    return arguments->every_policy ? info_policies_add(arguments, instance, facts, error)
                                   : STATUS_OK;
}

static enum status print_facts(const struct arguments *arguments, const struct json_tree *facts,
                               struct error *error)
{
    if (arguments->json)
        return json_print(facts, error);
    TRY(json_print_lines(facts, error));
    if (arguments->every_policy)
        info_policies_print(facts);
    return STATUS_OK;
}

enum status command_info(const struct arguments *arguments, struct error *error)
{
    struct instance *instance;
    struct json_tree facts = {0};
    TRY(select_instance(arguments, arguments->operand[0], &instance, error));
    json_build_open(&facts, NULL, JSON_OBJECT);
    enum status status = add_facts(arguments, instance, &facts, error);
    if (!status) {
        json_build_close(&facts);
        status = print_facts(arguments, &facts, error);
    }
    json_tree_free(&facts);
    instance_free(instance);
    return status;
}
