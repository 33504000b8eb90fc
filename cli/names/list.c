/* The command list: names of instances, suites, planners, policies and all other things that have
   names. */
#include <string.h>

#include "cli/names/kinds.h"
#include "cli/output/json.h"
#include "cli/output/print.h"
#include "results/store/reconstructions.h"
#include "results/table/escape.h"

/* Prints what a row has besides its name and title: family, flags and source of a planner or a
   policy. */
static void print_details(const struct json_tree *facts, const struct json_value *object)
{
    const struct json_value *flags = json_tree_find(facts, object, "flags");
    const char *family = json_get_text(facts, object, "family"), *before = "[";
    SCOPED(text_free) struct text words = {0};
    if (!flags)
        return;
    if (family && *family) {
        text_append(&words, "%s%s", before, family);
        before = ", ";
    }
    for (const struct json_value *flag = json_tree_first(flags); flag;
         flag = json_tree_next(flags, flag)) {
        text_append(&words, "%s%s", before, json_tree_text(facts, flag));
        before = ", ";
    }
    text_append(&words, "%s%s", *before == ',' ? "] " : "", json_get_text(facts, object, "source"));
    print_lines("  %-26s   %s\n", "", words.bytes ? words.bytes : "");
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
            kind->describe(&(struct kind_item){arguments, i}, facts);
        json_build_close(facts);
    }
    json_build_close(facts);
}

static void print_kind(const struct json_tree *facts, const struct json_value *array,
                       bool with_details)
{
    for (const struct json_value *object = json_tree_first(array); object;
         object = json_tree_next(array, object)) {
        print_lines("  %-26s %s%s\n", json_get_text(facts, object, "name"),
                    json_get_text(facts, object, "title"),
                    json_tree_is(json_tree_find(facts, object, "reconstruction"), JSON_TRUE)
                        ? RECONSTRUCTIONS_LABEL
                        : "");
        if (with_details)
            print_details(facts, object);
    }
}

/* Prints memplan and each planner as an entry of BibTeX: what it does is the title, where its rule
   comes from the publication. */
static enum status print_bibliography(const struct arguments *arguments, struct error *error)
{
    SCOPED(text_free) struct text text = {0};
    text_append(&text,
                "@misc{memplan,\n  title = {{memplan}: static memory planning of "
                "neural-network graphs},\n  note = {Version %s}\n}\n",
                arguments->known->version);
    for (uint32_t i = 0; i < registry_count(arguments->registry); i++) {
        const struct planner *planner = registry_at(arguments->registry, i);
        text_append(&text, "\n@misc{memplan:%s,\n  title = {{", planner->name);
        escape_tex(&text, planner->name);
        text_append(&text, "}: ");
        escape_tex(&text, planner->title);
        text_append(&text, "},\n  howpublished = {");
        escape_tex(&text, planner->source);
        text_append(&text, "},\n  note = {Planner of {memplan} %s}\n}\n",
                    arguments->known->version);
    }
    return print_text(&text, NULL, error);
}

static enum status run_list(const struct arguments *arguments, struct error *error)
{
    const char *name = arguments->operands ? arguments->operand[0] : NULL;
    const struct kind *only = name ? kind_find(name) : NULL;
    SCOPED(json_tree_free) struct json_tree facts = {0};
    if (name && !only)
        return kind_refuse(name, strlen(name), error);
    if (arguments->bibtex && (!only || strcmp(only->name, "planners") != 0))
        return error_set(error, STATUS_USAGE, "found -f bibtex, expected it with planners");
    if (arguments->bibtex)
        return print_bibliography(arguments, error);
    json_open_facts(&facts, "list");
    for (uint32_t i = 0; i < kind_count(); i++)
        if (!only || only == kind_at(i))
            add_kind(kind_at(i), arguments, &facts);
    json_build_close(&facts);
    if (arguments->json)
        return json_print(&facts, error);
    TRY(json_build_check(&facts, error));
    const struct json_value *root = json_tree_root(&facts);
    for (uint32_t i = 0; i < kind_count() && !only; i++) {
        print_lines("%s%s\n", i ? "\n" : "", kind_at(i)->name);
        print_kind(&facts, json_tree_find(&facts, root, kind_at(i)->name), false);
    }
    if (only)
        print_kind(&facts, json_tree_find(&facts, root, name), true);
    return STATUS_OK;
}

const struct command command_list = {
    .name = "list",
    .summary = "what there is by name: planners, instances, tables and others",
    .operands = "[KIND]",
    .kind = "kinds",
    .most = 1,
    .options = OPTIONS(OPTION_LIST_FORMAT, OPTION_PLUGIN, OPTION_EXTERNAL, OPTION_EXTERNAL_ORDER),
    .description = "memplan list kinds names the kinds; without one, all are listed.",
    .examples =
        "memplan list kinds\nmemplan list planners\nmemplan list instances -f json\nmemplan "
        "list options",
    .run = run_list,
};
