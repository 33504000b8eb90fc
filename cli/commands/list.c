/* The command list: names of instances, suites, planners, policies and whatever else can be asked
 * for. */
#include <stdio.h>
#include <string.h>

#include "cli/arguments/command.h"
#include "cli/output/json.h"
#include "datasets/generate/generate.h"
#include "datasets/instance.h"
#include "datasets/suite.h"
#include "dma/modes/modes.h"
#include "harness/files/hardware_file.h"
#include "harness/planners/planners.h"
#include "planning/inplace/inplace.h"
#include "planning/inplace/rules.h"
#include "planning/policies/policy.h"
#include "plots/figures/plots.h"
#include "results/store/reconstructions.h"
#include "results/tables/tables.h"

/* A kind of thing that can be listed: how many, and each as the fields of an object, whose "name"
   and "title" are what the plain list shows. */
struct kind {
    const char *name;
    uint32_t (*count)(void);
    void (*describe)(struct json_tree *facts, uint32_t index);
};

static void add_title(struct json_tree *facts, const char *name, const char *title)
{
    json_build_text(facts, "name", name);
    json_build_text(facts, "title", title);
}

static void add_flags(struct json_tree *facts, unsigned flags)
{
    json_build_open(facts, "flags", JSON_ARRAY);
    for (uint32_t i = 0; i < PLANNER_FLAGS; i++)
        if (flags & planner_flag_at(i)->flag)
            json_build_text(facts, NULL, planner_flag_at(i)->name);
    json_build_close(facts);
}

static void add_planner_options(struct json_tree *facts, const struct planner *planner)
{
    json_build_open(facts, "options", JSON_ARRAY);
    for (const struct planner_option *row = planner->options; row && row->name; row++) {
        json_build_open(facts, NULL, JSON_OBJECT);
        add_title(facts, row->name, row->title);
        json_build_integer(facts, "default", (int64_t)row->initial);
        json_build_integer(facts, "least", (int64_t)row->least);
        json_build_integer(facts, "most", (int64_t)row->most);
        json_build_close(facts);
    }
    json_build_close(facts);
}

static void describe_row(struct json_tree *facts, const struct planner *planner)
{
    json_build_text(facts, "name", planner->name);
    json_build_text(facts, "family", planner->family);
    json_build_text(facts, "title", planner->title);
    json_build_text(facts, "source", planner->source);
    add_flags(facts, planner->flags);
    add_planner_options(facts, planner);
}

static void describe_planner(struct json_tree *facts, uint32_t index)
{
    describe_row(facts, planners_at(index));
}

static void describe_policy(struct json_tree *facts, uint32_t index)
{
    const struct policy *policy = policy_at(index);
    add_title(facts, policy->name, policy->title);
    json_build_text(facts, "source", policy->source);
    json_build_open(facts, "flags", JSON_ARRAY);
    if (policy->flags & POLICY_UNSAFE)
        json_build_text(facts, NULL, "unsafe");
    json_build_close(facts);
}

static void describe_inplace(struct json_tree *facts, uint32_t index)
{
    const struct inplace_rules *rules = inplace_at(index);
    add_title(facts, rules->name, rules->title);
    json_build_text(facts, "source", rules->source);
}

static void describe_instance(struct json_tree *facts, uint32_t index)
{
    const struct instance_row row = instance_at(index);
    json_build_text(facts, "name", row.name);
    json_build_text(facts, "kind", instance_kind_name(row.kind));
    json_build_text(facts, "title", row.title);
    json_build_boolean(facts, "reconstruction", row.is_reconstruction);
    json_build_boolean(facts, "control_flow", row.has_control_flow);
}

static void describe_suite(struct json_tree *facts, uint32_t index)
{
    const struct suite *suite = suite_at(index);
    add_title(facts, suite->name, suite->title);
    json_build_open(facts, "instances", JSON_ARRAY);
    for (uint32_t i = 0; i < suite_instances(suite); i++)
        json_build_text(facts, NULL, suite_instance(suite, i));
    json_build_close(facts);
}

static void add_generator_option(struct json_tree *facts, const struct generate_option *option)
{
    json_build_open(facts, NULL, JSON_OBJECT);
    json_build_text(facts, "name", option->name);
    if (option->choices)
        json_build_text(facts, "choices", option->choices);
    else {
        json_build_integer(facts, "default", (int64_t)option->initial);
        json_build_integer(facts, "least", (int64_t)option->least);
        json_build_integer(facts, "most", (int64_t)option->most);
    }
    json_build_text(facts, "help", option->help);
    json_build_close(facts);
}

static void describe_generator(struct json_tree *facts, uint32_t index)
{
    const struct generate_kind *kind = generate_at(index);
    add_title(facts, kind->name, kind->title);
    json_build_text(facts, "kind",
                    instance_kind_name(kind->graph ? INSTANCE_GRAPH : INSTANCE_PROBLEM));
    json_build_open(facts, "options", JSON_ARRAY);
    for (uint32_t i = 0; i < kind->options; i++)
        add_generator_option(facts, &kind->option[i]);
    json_build_close(facts);
}

static void describe_table(struct json_tree *facts, uint32_t index)
{
    add_title(facts, tables_at(index)->name, tables_at(index)->title);
}

static void describe_plot(struct json_tree *facts, uint32_t index)
{
    add_title(facts, plots_at(index)->name, plots_at(index)->title);
    json_build_text(facts, "data", plots_at(index)->data);
}

static uint32_t count_tables(void)
{
    return tables_count();
}

static uint32_t count_plots(void)
{
    return plots_count();
}

static void describe_mode(struct json_tree *facts, uint32_t index)
{
    add_title(facts, transfer_modes_at(index)->name, transfer_modes_at(index)->title);
}

static void describe_hardware(struct json_tree *facts, uint32_t index)
{
    add_title(facts, hardware_file_at(index)->name, hardware_file_at(index)->title);
}

static const struct kind kinds[] = {
    {"planners", planners_count, describe_planner},
    {"policies", policy_count, describe_policy},
    {"inplace", inplace_count, describe_inplace},
    {"instances", instance_count, describe_instance},
    {"suites", suite_count, describe_suite},
    {"generators", generate_count, describe_generator},
    {"modes", transfer_modes_count, describe_mode},
    {"hardware", hardware_file_count, describe_hardware},
    {"tables", count_tables, describe_table},
    {"plots", count_plots, describe_plot},
};

enum { KINDS = sizeof kinds / sizeof *kinds };

/* What a row has besides name and title: family, flags and source of a planner or a policy. */
static void print_details(const struct json_tree *facts, const struct json_value *object)
{
    const struct json_value *flags = json_tree_find(facts, object, "flags");
    const char *family = json_get_text(facts, object, "family"), *before = "[";
    if (!flags)
        return;
    printf("  %-26s   ", "");
    if (family && *family) {
        printf("%s%s", before, family);
        before = ", ";
    }
    for (const struct json_value *flag = json_tree_first(flags); flag;
         flag = json_tree_next(flags, flag)) {
        printf("%s%s", before, json_tree_text(facts, flag));
        before = ", ";
    }
    printf("%s%s\n", *before == ',' ? "] " : "", json_get_text(facts, object, "source"));
}

/* An array with an object for each of a kind, also for the planners that the user brought along. */
static void add_kind(const struct kind *kind, const struct registry *registry,
                     struct json_tree *facts)
{
    json_build_open(facts, kind->name, JSON_ARRAY);
    for (uint32_t i = 0; i < kind->count(); i++) {
        json_build_open(facts, NULL, JSON_OBJECT);
        kind->describe(facts, i);
        json_build_close(facts);
    }
    for (uint32_t i = 0; kind->describe == describe_planner && i < registry->planners; i++) {
        json_build_open(facts, NULL, JSON_OBJECT);
        describe_row(facts, registry->planner[i]);
        json_build_close(facts);
    }
    json_build_close(facts);
}

static void print_kind(const struct json_tree *facts, const struct json_value *array,
                       bool with_details)
{
    for (const struct json_value *object = json_tree_first(array); object;
         object = json_tree_next(array, object)) {
        printf("  %-26s %s%s\n", json_get_text(facts, object, "name"),
               json_get_text(facts, object, "title"),
               json_tree_is(json_tree_find(facts, object, "reconstruction"), JSON_TRUE)
                   ? RECONSTRUCTIONS_LABEL
                   : "");
        if (with_details)
            print_details(facts, object);
    }
}

static enum status print_all(const struct json_tree *facts, struct error *error)
{
    const struct json_value *root = json_tree_root(facts);
    TRY(json_build_check(facts, error));
    for (size_t i = 0; i < KINDS; i++) {
        printf("%s%s\n", i ? "\n" : "", kinds[i].name);
        print_kind(facts, json_tree_find(facts, root, kinds[i].name), false);
    }
    return STATUS_OK;
}

static enum status list_all(const struct arguments *arguments, struct error *error)
{
    struct json_tree facts = {0};
    json_open_facts(&facts, "list");
    for (size_t i = 0; i < KINDS; i++)
        add_kind(&kinds[i], arguments->registry, &facts);
    json_build_close(&facts);
    enum status status = arguments->json ? json_print(&facts, error) : print_all(&facts, error);
    json_tree_free(&facts);
    return status;
}

static enum status list_kind(const struct arguments *arguments, const struct kind *kind,
                             struct error *error)
{
    struct json_tree facts = {0};
    json_open_facts(&facts, "list");
    add_kind(kind, arguments->registry, &facts);
    json_build_close(&facts);
    enum status status =
        arguments->json ? json_print(&facts, error) : json_build_check(&facts, error);
    if (!status && !arguments->json)
        print_kind(&facts, json_tree_find(&facts, json_tree_root(&facts), kind->name), true);
    json_tree_free(&facts);
    return status;
}

static enum status run_list(const struct arguments *arguments, struct error *error)
{
    if (!arguments->operands)
        return list_all(arguments, error);
    for (size_t i = 0; i < KINDS; i++)
        if (strcmp(kinds[i].name, arguments->operand[0]) == 0)
            return list_kind(arguments, &kinds[i], error);
    return error_set(error, STATUS_USAGE,
                     "cannot list '%s', expected planners, policies, inplace, instances, suites, "
                     "generators, modes, hardware, tables or plots",
                     arguments->operand[0]);
}

const struct command command_list = {
    .name = "list",
    .summary = "what there is: planners, policies, in-place rules, instances, suites, generators, "
               "modes and hardware of weight transfers, tables, plots",
    .operands =
        "[planners|policies|inplace|instances|suites|generators|modes|hardware|tables|plots]",
    .most = 1,
    .options = OPTIONS(OPTION_JSON, OPTION_PLUGIN, OPTION_EXTERNAL),
    .examples = "memplan list planners\nmemplan list instances --json",
    .run = run_list,
};
