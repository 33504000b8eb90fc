/* The command list: names of instances, suites, planners, policies and whatever else can be asked
   for. */
#include <stdio.h>
#include <string.h>

#include "cli/names/kinds.h"
#include "cli/output/json.h"
#include "results/store/reconstructions.h"

/* Prints what a row has besides its name and title: family, flags and source of a planner or a
   policy. */
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

/* Adds an array with an object for each thing of a kind. */
static void add_kind(const struct kind *kind, const struct arguments *arguments,
                     struct json_tree *facts)
{
    json_build_open(facts, kind->name, JSON_ARRAY);
    for (uint32_t i = 0; i < kind->count(arguments); i++) {
        const struct kind_row row = kind->row(arguments, i);
        json_build_open(facts, NULL, JSON_OBJECT);
        json_build_text(facts, "name", row.name);
        json_build_text(facts, "title", row.title);
        if (kind->describe)
            kind->describe(arguments, i, facts);
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
    for (uint32_t i = 0; i < kind_count(); i++) {
        printf("%s%s\n", i ? "\n" : "", kind_at(i)->name);
        print_kind(facts, json_tree_find(facts, root, kind_at(i)->name), false);
    }
    return STATUS_OK;
}

static enum status list_all(const struct arguments *arguments, struct error *error)
{
    SCOPED(json_tree_free) struct json_tree facts = {0};
    json_open_facts(&facts, "list");
    for (uint32_t i = 0; i < kind_count(); i++)
        add_kind(kind_at(i), arguments, &facts);
    json_build_close(&facts);
    return arguments->json ? json_print(&facts, error) : print_all(&facts, error);
}

static enum status list_kind(const struct arguments *arguments, const struct kind *kind,
                             struct error *error)
{
    struct json_tree facts = {0};
    json_open_facts(&facts, "list");
    add_kind(kind, arguments, &facts);
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
    const char *name = arguments->operand[0];
    const struct kind *kind = kind_find(name);
    return kind ? list_kind(arguments, kind, error) : kind_refuse(name, strlen(name), error);
}

const struct command command_list = {
    .name = "list",
    .summary = "what there is by name: planners, instances, tables and others",
    .operands = "[KIND]",
    .kind = "kinds",
    .most = 1,
    .options = OPTIONS(OPTION_JSON, OPTION_PLUGIN, OPTION_EXTERNAL, OPTION_EXTERNAL_ORDER),
    .description = "memplan list kinds names the kinds; without one, all are listed.",
    .examples = "memplan list kinds\nmemplan list planners\nmemplan list instances --json\nmemplan "
                "list options",
    .run = run_list,
};
