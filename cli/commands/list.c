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
#include "planning/policies/policy.h"
#include "plots/figures/plots.h"
#include "results/tables/tables.h"

/* A kind of thing that can be listed: how many, and each as a JSON object whose "name" and "title"
   are what the plain list shows. */
struct kind {
    const char *name;
    uint32_t (*count)(void);
    json_t *(*describe)(uint32_t index);
};

static json_t *list_flags(unsigned flags)
{
    json_t *names = json_array();
    for (uint32_t i = 0; i < PLANNER_FLAGS; i++)
        if (flags & planner_flag_at(i)->flag)
            json_array_append_new(names, json_string(planner_flag_at(i)->name));
    return names;
}

static json_t *list_planner_options(const struct planner *planner)
{
    json_t *options = json_array();
    for (const struct planner_option *row = planner->options; row && row->name; row++)
        json_array_append_new(options,
                              json_pack("{ss ss sI sI sI}", "name", row->name, "title", row->title,
                                        "default", (json_int_t)row->initial, "least",
                                        (json_int_t)row->least, "most", (json_int_t)row->most));
    return options;
}

static json_t *describe_row(const struct planner *planner)
{
    return json_pack("{ss ss ss ss so so}", "name", planner->name, "family", planner->family,
                     "title", planner->title, "source", planner->source, "flags",
                     list_flags(planner->flags), "options", list_planner_options(planner));
}

static json_t *describe_planner(uint32_t index)
{
    return describe_row(planners_at(index));
}

static json_t *list_policy_flags(unsigned flags)
{
    json_t *names = json_array();
    if (flags & POLICY_UNSAFE)
        json_array_append_new(names, json_string("unsafe"));
    return names;
}

static json_t *describe_policy(uint32_t index)
{
    const struct policy *policy = policy_at(index);
    return json_pack("{ss ss ss so}", "name", policy->name, "title", policy->title, "source",
                     policy->source, "flags", list_policy_flags(policy->flags));
}

static json_t *describe_inplace(uint32_t index)
{
    const struct inplace_rules *rules = inplace_at(index);
    return json_pack("{ss ss ss}", "name", rules->name, "title", rules->title, "source",
                     rules->source);
}

static json_t *describe_instance(uint32_t index)
{
    struct instance_row row = instance_at(index);
    return json_pack("{ss ss ss sb sb}", "name", row.name, "kind", instance_kind_name(row.kind),
                     "title", row.title, "reconstruction", row.is_reconstruction, "control_flow",
                     row.has_control_flow);
}

static json_t *describe_suite(uint32_t index)
{
    const struct suite *suite = suite_at(index);
    json_t *names = json_array();
    for (uint32_t i = 0; i < suite_instances(suite); i++)
        json_array_append_new(names, json_string(suite_instance(suite, i)));
    return json_pack("{ss ss so}", "name", suite->name, "title", suite->title, "instances", names);
}

static json_t *describe_option(const struct generate_option *option)
{
    if (option->choices)
        return json_pack("{ss ss ss}", "name", option->name, "choices", option->choices, "help",
                         option->help);
    return json_pack("{ss sI sI sI ss}", "name", option->name, "default",
                     (json_int_t)option->initial, "least", (json_int_t)option->least, "most",
                     (json_int_t)option->most, "help", option->help);
}

static json_t *describe_generator(uint32_t index)
{
    const struct generate_kind *kind = generate_at(index);
    json_t *options = json_array();
    for (uint32_t i = 0; i < kind->options; i++)
        json_array_append_new(options, describe_option(&kind->option[i]));
    return json_pack("{ss ss ss so}", "name", kind->name, "title", kind->title, "kind",
                     instance_kind_name(kind->graph ? INSTANCE_GRAPH : INSTANCE_PROBLEM), "options",
                     options);
}

static json_t *describe_table(uint32_t index)
{
    const struct table_recipe *table = tables_at(index);
    return json_pack("{ss ss}", "name", table->name, "title", table->title);
}

static json_t *describe_plot(uint32_t index)
{
    const struct plot_recipe *plot = plots_at(index);
    return json_pack("{ss ss ss}", "name", plot->name, "title", plot->title, "data", plot->data);
}

static uint32_t count_tables(void)
{
    return tables_count();
}

static uint32_t count_plots(void)
{
    return plots_count();
}

static json_t *describe_mode(uint32_t index)
{
    const struct transfer_mode *mode = transfer_modes_at(index);
    return json_pack("{ss ss}", "name", mode->name, "title", mode->title);
}

static json_t *describe_hardware(uint32_t index)
{
    const struct hardware_profile *profile = hardware_file_at(index);
    return json_pack("{ss ss}", "name", profile->name, "title", profile->title);
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

static const char *get_text(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    return text ? text : "";
}

/* What a row has besides name and title: family, flags and source of a planner or a policy. */
static void print_details(const json_t *object)
{
    size_t index;
    const json_t *flag;
    const char *family = get_text(object, "family"), *before = "[";
    if (!json_object_get(object, "flags"))
        return;
    printf("  %-26s   ", "");
    if (*family) {
        printf("%s%s", before, family);
        before = ", ";
    }
    json_array_foreach(json_object_get(object, "flags"), index, flag)
    {
        printf("%s%s", before, json_string_value(flag));
        before = ", ";
    }
    printf("%s%s\n", *before == ',' ? "] " : "", get_text(object, "source"));
}

/* With the planners that the user brought along. */
static json_t *make_array(const struct kind *kind, const struct registry *registry)
{
    json_t *array = json_array();
    for (uint32_t i = 0; i < kind->count(); i++)
        json_array_append_new(array, kind->describe(i));
    for (uint32_t i = 0; kind->describe == describe_planner && i < registry->planners; i++)
        json_array_append_new(array, describe_row(registry->planner[i]));
    return array;
}

static void print_kind(const struct kind *kind, const struct registry *registry, bool with_details)
{
    json_t *array = make_array(kind, registry);
    size_t index;
    const json_t *object;
    json_array_foreach(array, index, object)
    {
        printf("  %-26s %s\n", get_text(object, "name"), get_text(object, "title"));
        if (with_details)
            print_details(object);
    }
    json_decref(array);
}

static enum status list_all(const struct arguments *arguments, struct error *error)
{
    json_t *all = json_object();
    for (size_t i = 0; i < KINDS; i++) {
        if (arguments->json) {
            json_object_set_new(all, kinds[i].name, make_array(&kinds[i], arguments->registry));
            continue;
        }
        printf("%s%s\n", i ? "\n" : "", kinds[i].name);
        print_kind(&kinds[i], arguments->registry, false);
    }
    if (arguments->json)
        return json_print(all, error);
    json_decref(all);
    return STATUS_OK;
}

enum status command_list(const struct arguments *arguments, struct error *error)
{
    if (!arguments->operands)
        return list_all(arguments, error);
    for (size_t i = 0; i < KINDS; i++) {
        if (strcmp(kinds[i].name, arguments->operand[0]) != 0)
            continue;
        if (arguments->json)
            return json_print(make_array(&kinds[i], arguments->registry), error);
        print_kind(&kinds[i], arguments->registry, true);
        return STATUS_OK;
    }
    return error_set(error, STATUS_USAGE,
                     "cannot list '%s', expected planners, policies, inplace, instances, suites, "
                     "generators, modes, hardware, tables or plots",
                     arguments->operand[0]);
}
