#include "cli/names/kinds.h"

#include "cli/reproduce/reproduction.h"
#include "core/rows.h"
#include "datasets/collection.h"
#include "datasets/generate/generate.h"
#include "datasets/instance.h"
#include "datasets/memories/derived.h"
#include "datasets/perturb/perturb.h"
#include "datasets/suite.h"
#include "dma/modes/modes.h"
#include "dma/moves/planners.h"
#include "harness/files/hardware_file.h"
#include "harness/memories/memory_planners.h"
#include "planning/inplace/rules.h"
#include "planning/policies/policy.h"
#include "plots/figures/plots.h"
#include "results/table/table.h"
#include "results/tables/tables.h"

/* Defines the two functions of a kind that has `rows` things; `at` is the row of the thing with an
   index. Both expressions may use the arguments. */
#define KIND_OF_ROWS(kind, rows, at, title)                                                        \
    static uint32_t count_##kind(const struct arguments *arguments)                                \
    {                                                                                              \
        (void)arguments;                                                                           \
        return rows;                                                                               \
    }                                                                                              \
    static struct kind_row get_##kind(const struct arguments *arguments, uint32_t index)           \
    {                                                                                              \
        (void)arguments;                                                                           \
        return (struct kind_row){(at).name, (at).title};                                           \
    }
#define KIND_OF_TABLE(kind, prefix) KIND_OF_ROWS(kind, prefix##_count(), *prefix##_at(index), title)

KIND_OF_TABLE(kinds, kind)
KIND_OF_TABLE(policies, policy)
KIND_OF_TABLE(inplace, inplace)
KIND_OF_TABLE(suites, suite)
KIND_OF_TABLE(collection, collection)
KIND_OF_TABLE(generators, generate)
KIND_OF_TABLE(modes, transfer_modes)
KIND_OF_TABLE(hardware, hardware_file)
KIND_OF_TABLE(tables, tables)
KIND_OF_TABLE(plots, plots)
KIND_OF_TABLE(formats, table_formats)
KIND_OF_TABLE(reproductions, reproduction)
KIND_OF_ROWS(instances, instance_count(), instance_at(index), title)
KIND_OF_ROWS(perturbations, perturb_count(), perturb_at(index)->kind, title)
KIND_OF_ROWS(memory_rules, memory_rule_count(), memory_rule_at(index)->kind, title)
KIND_OF_ROWS(planners, registry_count(arguments->registry),
             *registry_at(arguments->registry, index), title)
KIND_OF_ROWS(memory_planners, memory_planner_count(), *memory_planner_at(index), title)
KIND_OF_ROWS(move_planners, move_planner_count(), *move_planner_at(index), title)
KIND_OF_ROWS(orders, registry_order_count(arguments->registry),
             *registry_order_at(arguments->registry, index), title)
KIND_OF_ROWS(options, OPTION_END, *option_rows_at((enum option_id)index), help)
KIND_OF_ROWS(commands, arguments->known->count, *arguments->known->command[index], summary)

/* Adds an array of texts, of which the last is followed by NULL. */
static void add_texts(struct json_tree *facts, const char *key, const char *const *texts)
{
    json_build_open(facts, key, JSON_ARRAY);
    for (; texts && *texts; texts++)
        json_build_text(facts, NULL, *texts);
    json_build_close(facts);
}

static void add_range(struct json_tree *facts, uint64_t initial, uint64_t least, uint64_t most)
{
    json_build_integer(facts, "default", (int64_t)initial);
    json_build_integer(facts, "least", (int64_t)least);
    json_build_integer(facts, "most", (int64_t)most);
}

/* words: what the values of the first option are called, or NULL. */
static void add_options(const struct planner_option *first, const char *const *words,
                        struct json_tree *facts)
{
    json_build_open(facts, "options", JSON_ARRAY);
    for (const struct planner_option *row = first; row && row->name; row++) {
        json_build_open(facts, NULL, JSON_OBJECT);
        json_build_text(facts, "name", row->name);
        json_build_text(facts, "title", row->title);
        add_range(facts, row->initial, row->least, row->most);
        if (words && row == first)
            add_texts(facts, "words", words);
        json_build_close(facts);
    }
    json_build_close(facts);
}

static void describe_planner(const struct kind_item *item, struct json_tree *facts)
{
    const struct planner *planner = registry_at(item->arguments->registry, item->index);
    json_build_text(facts, "family", planner->family);
    json_build_text(facts, "source", planner->source);
    json_build_open(facts, "flags", JSON_ARRAY);
    for (uint32_t i = 0; i < PLANNER_FLAGS; i++)
        if (planner->flags & planner_flag_at(i)->flag)
            json_build_text(facts, NULL, planner_flag_at(i)->name);
    json_build_close(facts);
    add_options(planner->options, planner->words, facts);
}

static void describe_order(const struct kind_item *item, struct json_tree *facts)
{
    const struct order_row *order = registry_order_at(item->arguments->registry, item->index);
    json_build_text(facts, "source", order->source);
    json_build_open(facts, "flags", JSON_ARRAY);
    for (uint32_t i = 0; i < ORDER_FLAGS; i++)
        if (order->flags & order_flag_at(i)->flag)
            json_build_text(facts, NULL, order_flag_at(i)->name);
    json_build_close(facts);
    add_options(order->options, NULL, facts);
}

static void describe_policy(const struct kind_item *item, struct json_tree *facts)
{
    json_build_text(facts, "source", policy_at(item->index)->source);
    bool is_unsafe = policy_at(item->index)->flags & POLICY_UNSAFE;
    add_texts(facts, "flags", (const char *const[]){is_unsafe ? "unsafe" : NULL, NULL});
}

static void describe_inplace(const struct kind_item *item, struct json_tree *facts)
{
    json_build_text(facts, "source", inplace_at(item->index)->source);
}

static void describe_instance(const struct kind_item *item, struct json_tree *facts)
{
    const struct instance_row row = instance_at(item->index);
    json_build_text(facts, "kind", instance_kind_name(row.kind));
    json_build_boolean(facts, "reconstruction", row.is_reconstruction);
    json_build_boolean(facts, "control_flow", row.has_control_flow);
}

static void describe_suite(const struct kind_item *item, struct json_tree *facts)
{
    const char *name;
    json_build_open(facts, "instances", JSON_ARRAY);
    for (uint32_t i = 0; (name = suite_instance(suite_at(item->index), i)) != NULL; i++)
        json_build_text(facts, NULL, name);
    json_build_close(facts);
}

static void describe_collection(const struct kind_item *item, struct json_tree *facts)
{
    const struct collection_entry *entry = collection_at(item->index);
    json_build_text(facts, "class", entry->rank);
    json_build_text(facts, "track", entry->track);
    json_build_text(facts, "source", entry->source);
    json_build_text(facts, "half", entry->half);
    json_build_text(facts, "licence", entry->licence);
    json_build_text(facts, "digest", entry->digest);
    json_build_text(facts, "version", COLLECTION_VERSION);
}

static void add_generator_options(const struct generate_kind *kind, struct json_tree *facts)
{
    json_build_open(facts, "options", JSON_ARRAY);
    for (uint32_t i = 0; i < kind->options; i++) {
        const struct generate_option *option = &kind->option[i];
        json_build_open(facts, NULL, JSON_OBJECT);
        json_build_text(facts, "name", option->name);
        if (option->choices)
            json_build_text(facts, "choices", option->choices);
        else
            add_range(facts, option->initial, option->least, option->most);
        json_build_text(facts, "help", option->help);
        json_build_close(facts);
    }
    json_build_close(facts);
}

static void describe_generator(const struct kind_item *item, struct json_tree *facts)
{
    const struct generate_kind *kind = generate_at(item->index);
    json_build_text(facts, "kind",
                    instance_kind_name(kind->graph ? INSTANCE_GRAPH : INSTANCE_PROBLEM));
    add_generator_options(kind, facts);
}

static void describe_perturbation(const struct kind_item *item, struct json_tree *facts)
{
    const struct perturb_rule *rule = perturb_at(item->index);
    json_build_integer(facts, "problems", rule->takes_two ? 2 : 1);
    add_generator_options(&rule->kind, facts);
}

static void describe_memory_rule(const struct kind_item *item, struct json_tree *facts)
{
    add_generator_options(&memory_rule_at(item->index)->kind, facts);
}

static void describe_plot(const struct kind_item *item, struct json_tree *facts)
{
    json_build_text(facts, "data", plots_at(item->index)->data);
}

static void describe_reproduction(const struct kind_item *item, struct json_tree *facts)
{
    const struct reproduction *reproduction = reproduction_at(item->index);
    json_build_text(facts, "suite", reproduction->suite ? reproduction->suite : "");
    add_texts(facts, "tables", reproduction->tables);
    add_texts(facts, "plots", reproduction->plots);
}

static void describe_option(const struct kind_item *item, struct json_tree *facts)
{
    const struct option_row *row = option_rows_at((enum option_id)item->index);
    const char letter[] = {row->letter, '\0'};
    json_build_text(facts, "letter", letter);
    json_build_text(facts, "value", row->value ? row->value : "");
    if (row->is_number) {
        json_build_count(facts, "least", row->least);
        if (row->most < UINT64_MAX)
            json_build_count(facts, "most", row->most);
    }
    json_build_open(facts, "commands", JSON_ARRAY);
    for (uint32_t i = 0; i < item->arguments->known->count; i++)
        if (command_accepts(item->arguments->known->command[i], (enum option_id)item->index))
            json_build_text(facts, NULL, item->arguments->known->command[i]->name);
    json_build_close(facts);
}

static void describe_command(const struct kind_item *item, struct json_tree *facts)
{
    const struct command *command = item->arguments->known->command[item->index];
    json_build_text(facts, "operands", command->operands);
    json_build_open(facts, "options", JSON_ARRAY);
    for (const enum option_id *id = command->options; *id != OPTION_END; id++)
        json_build_text(facts, NULL, option_rows_at(*id)->name);
    json_build_close(facts);
}

static const struct kind kinds[] = {
    {"kinds", "what this command can list", count_kinds, get_kinds, NULL},
    {"planners", "what gives each buffer its address", count_planners, get_planners,
     describe_planner},
    {"memory-planners", "what plans problems with several memories", count_memory_planners,
     get_memory_planners, NULL},
    {"move-planners", "what moves tensors and weights between memories", count_move_planners,
     get_move_planners, NULL},
    {"orders", "what puts the operators of a graph into another order", count_orders, get_orders,
     describe_order},
    {"policies", "how branches, loops and streams become lifetimes", count_policies, get_policies,
     describe_policy},
    {"inplace", "rules which outputs may be written over an input", count_inplace, get_inplace,
     describe_inplace},
    {"instances", "problems and graphs that come along", count_instances, get_instances,
     describe_instance},
    {"suites", "instances that belong together, for bench", count_suites, get_suites,
     describe_suite},
    {"collection", "entries of memplan-lib, which standings are made from", count_collection,
     get_collection, describe_collection},
    {"generators", "rules that make instances: generate:NAME", count_generators, get_generators,
     describe_generator},
    {"perturbations", "rules that change an instance: perturbed:NAME:INSTANCE", count_perturbations,
     get_perturbations, describe_perturbation},
    {"memory-rules", "rules that give an instance several memories: memories:NAME:INSTANCE",
     count_memory_rules, get_memory_rules, describe_memory_rule},
    {"modes", "how weights are transferred beside computing", count_modes, get_modes, NULL},
    {"hardware", "how fast a chip transfers weights and computes", count_hardware, get_hardware,
     NULL},
    {"tables", "of stored results", count_tables, get_tables, NULL},
    {"plots", "figures of stored results, or of an instance", count_plots, get_plots,
     describe_plot},
    {"formats", "in which tables are written", count_formats, get_formats, NULL},
    {"reproductions", "sources whose tables and figures can be made", count_reproductions,
     get_reproductions, describe_reproduction},
    {"options", "of all commands together", count_options, get_options, describe_option},
    {"commands", "of the program", count_commands, get_commands, describe_command},
};

ROWS_DEFINE(kind, struct kind, kinds);
ROWS_DEFINE_FIND(kind, struct kind);
ROWS_DEFINE_REFUSE(kind, "list of", NULL);
