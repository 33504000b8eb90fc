/* The command cache: which plans are kept, whether they are whole, and removing them. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "cli/arguments/command.h"
#include "cli/output/cache.h"
#include "cli/output/json.h"
#include "cli/output/print.h"
#include "core/plural.h"
#include "datasets/json/parse.h"

/* A walk over the entries of the cache. What there is to list goes to `facts`, or to `table` where
   that is NULL. */
struct walk {
    const char *path;
    struct json_tree *facts;
    struct table *table;
    uint64_t bytes;
    uint32_t count, damaged;
};

/* Reads the environment of the plan; false where the entry is damaged. */
static bool read_environment(const char *path, const struct cache_entry *entry,
                             struct json_tree *environment, struct error *fault)
{
    SCOPED(archive_free) struct archive archive = {0};
    return !plan_cache_verify(path, entry, fault) &&
           !archive_read(&entry->archive, path, &archive, fault) &&
           !json_parse(archive_find(&archive, "environment"), path, NULL, environment, fault);
}

static const char *get_text(const struct json_tree *tree, const char *key)
{
    const char *text =
        tree ? json_tree_text(tree, json_tree_find(tree, json_tree_root(tree), key)) : NULL;
    return text ? text : "-";
}

static const char *name_state(const struct cache_entry *entry, bool good)
{
    return entry->set_aside ? "set aside" : good ? "good" : "damaged";
}

static enum status list_entry(const struct cache_entry *entry, void *context, struct error *error)
{
    struct walk *walk = context;
    SCOPED(json_tree_free) struct json_tree environment = {0};
    bool good = read_environment(walk->path, entry, &environment, error);
    const char *state = name_state(entry, good);
    const char *policy = get_text(good ? &environment : NULL, "policy");
    const char *planner = get_text(good ? &environment : NULL, "planner");
    const char(*digest)[DIGEST_TEXT_BYTES] = entry->digests.of;
    if (walk->facts) {
        json_build_open(walk->facts, NULL, JSON_OBJECT);
        json_build_text(walk->facts, "state", state);
        json_build_count(walk->facts, "sequence", entry->sequence);
        json_build_count(walk->facts, "bytes", entry->bytes);
        json_build_text(walk->facts, "environment", digest[CACHE_ENVIRONMENT]);
        json_build_text(walk->facts, "structure", digest[CACHE_STRUCTURE]);
        json_build_text(walk->facts, "weights", digest[CACHE_WEIGHTS]);
        json_build_text(walk->facts, "policy", policy);
        json_build_text(walk->facts, "planner", planner);
        json_build_close(walk->facts);
    } else {
        table_add(walk->table, cell_number(entry->sequence), cell_text(state),
                  cell_number(entry->bytes), cell_words("%.8s", digest[CACHE_ENVIRONMENT]),
                  cell_words("%.8s", digest[CACHE_STRUCTURE]),
                  cell_words("%.8s", digest[CACHE_WEIGHTS]), cell_text(policy), cell_text(planner));
    }
    walk->bytes += entry->bytes;
    walk->count++;
    return STATUS_OK;
}

static enum status verify_entry(const struct cache_entry *entry, void *context, struct error *error)
{
    struct walk *walk = context;
    bool good = !plan_cache_verify(walk->path, entry, error);
    walk->count++;
    if (good && !entry->set_aside)
        return STATUS_OK;
    print_lines("%-9s  plan %" PRIu64 "%s%s\n", name_state(entry, good), entry->sequence,
                entry->set_aside ? "" : ": ", entry->set_aside ? "" : error->text);
    walk->damaged++;
    return STATUS_OK;
}

static enum status list_in_table(struct cache_file *file, struct error *error)
{
    SCOPED(table_free) struct table table = {0};
    struct walk walk = {.path = cache_file_path(file), .table = &table};
    table_set_title(&table, "Plans that are kept");
    table_add_columns(&table, "plan: | state | bytes: | environment ~1 | structure ~1 | "
                              "weights ~1 | policy | planner");
    TRY(cache_file_walk(file, list_entry, &walk, error));
    table_add_note(&table, "%u plan%s, %" PRIu64 " of at most %" PRIu64 " bytes, in %s", walk.count,
                   plural_ending(walk.count), walk.bytes, cache_file_most_bytes(file), walk.path);
    return print_table(&table, NULL, NULL, error);
}

static enum status list_entries(const struct arguments *arguments, struct cache_file *file,
                                struct error *error)
{
    SCOPED(json_tree_free) struct json_tree facts = {0};
    struct walk walk = {.path = cache_file_path(file), .facts = &facts};
    if (!arguments->json)
        return list_in_table(file, error);
    json_open_facts(&facts, "cache-list");
    json_build_text(&facts, "file", walk.path);
    json_build_count(&facts, "most_bytes", cache_file_most_bytes(file));
    json_build_open(&facts, "plans", JSON_ARRAY);
    TRY(cache_file_walk(file, list_entry, &walk, error));
    json_build_close(&facts);
    json_build_count(&facts, "bytes", walk.bytes);
    return json_print(&facts, error);
}

static enum status verify_entries(const struct arguments *arguments, struct cache_file *file,
                                  struct error *error)
{
    struct walk walk = {.path = cache_file_path(file)};
    (void)arguments;
    TRY(cache_file_walk(file, verify_entry, &walk, error));
    if (walk.damaged)
        return error_set(error, STATUS_NO, "damaged: %u of %u plans", walk.damaged, walk.count);
    printf("%u plan%s, all good\n", walk.count, plural_ending(walk.count));
    return STATUS_OK;
}

static enum status clear_entries(const struct arguments *arguments, struct cache_file *file,
                                 struct error *error)
{
    uint32_t removed;
    (void)arguments;
    TRY(cache_file_clear(file, &removed, error));
    printf("%u plan%s removed\n", removed, plural_ending(removed));
    return STATUS_OK;
}

static const struct action {
    const char *name;
    enum status (*run)(const struct arguments *arguments, struct cache_file *file,
                       struct error *error);
} actions[] = {{"list", list_entries}, {"verify", verify_entries}, {"clear", clear_entries}};

static enum status run_cache(const struct arguments *arguments, struct error *error)
{
    const char *name = arguments->operands ? arguments->operand[0] : "list";
    SCOPED(plan_cache_release) struct plan_cache *cache = NULL;
    for (size_t i = 0; i < sizeof actions / sizeof *actions; i++) {
        if (strcmp(actions[i].name, name) != 0)
            continue;
        TRY(cache_open(&cache, error));
        if (cache)
            return actions[i].run(arguments, cache->file, error);
        return error_set(error, STATUS_NO,
                         "there is no plan cache: MEMPLAN_CACHE_DISABLE is 1, or neither "
                         "XDG_CACHE_HOME nor HOME names a folder that can be written");
    }
    return error_set(error, STATUS_USAGE, "found '%s', expected list, verify or clear", name);
}

const struct command command_cache = {
    .name = "cache",
    .summary = "the plans that are kept: list them, verify them, remove them",
    .operands = "[list | verify | clear]",
    .most = 1,
    .options = OPTIONS(OPTION_FACTS),
    .description =
        "plan, and bench with --cache, keep each plan and take it from there the next time. It is "
        "known by three digests: of the environment (program, solver, hardware, options), of the "
        "graph's structure, and of its weights; where only the weights are others, they are "
        "replaced. A plan that a search did not prove is where the next one starts. Exit code 1 "
        "when verify finds a damaged plan.\n\n"
        "MEMPLAN_CACHE_DISABLE=1 keeps and takes nothing. MEMPLAN_CACHE_MAX_BYTES is what all "
        "plans may take (default 256MiB); the oldest go first. They are in plans.db in the folder "
        "$XDG_CACHE_HOME/memplan, else ~/.cache/memplan.",
    .examples = "memplan cache\nmemplan cache verify\nmemplan cache clear",
    .run = run_cache,
};
