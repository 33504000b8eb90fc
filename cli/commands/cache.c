/* The command cache: which plans are kept, whether their files are whole, and removing them. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "cli/arguments/command.h"
#include "cli/output/cache.h"
#include "cli/output/json.h"
#include "datasets/json/parse.h"

/* What is known of one file. */
struct kept {
    const struct cache_entry *entry;
    const char *path;
    bool good;
    struct error fault;           /* what is wrong with it, if it is not good */
    struct json_tree environment; /* the environment of its plan, if it is good */
};

static enum status read_environment(struct kept *kept, struct error *error)
{
    struct text bytes;
    struct archive archive = {0};
    TRY(text_read_file(kept->path, &bytes, error));
    enum status status = archive_read(&bytes, kept->path, &archive, error);
    text_free(&bytes);
    if (!status)
        status = json_parse(archive_find(&archive, "environment"), kept->path, NULL,
                            &kept->environment, error);
    archive_free(&archive);
    return status;
}

static void read_kept(struct kept *kept)
{
    kept->good = !plan_cache_verify(kept->path, kept->entry, &kept->fault) &&
                 !read_environment(kept, &kept->fault);
}

static const char *get_text(const struct kept *kept, const char *key)
{
    const struct json_tree *tree = &kept->environment;
    const char *text = json_tree_text(tree, json_tree_find(tree, json_tree_root(tree), key));
    return text ? text : "-";
}

static const char *name_state(const struct kept *kept)
{
    return kept->entry->damaged ? "set aside" : kept->good ? "good" : "damaged";
}

static void print_kept(const struct kept *kept)
{
    const struct cache_digests *digests = &kept->entry->digests;
    printf("%6" PRIu64 "  %-9s  %10" PRIu64 "  %.12s  %.12s  %.12s  %-10s %s\n",
           kept->entry->sequence, name_state(kept), kept->entry->bytes,
           digests->of[CACHE_ENVIRONMENT], digests->of[CACHE_STRUCTURE], digests->of[CACHE_WEIGHTS],
           get_text(kept, "policy"), get_text(kept, "planner"));
}

static void add_kept(const struct kept *kept, struct json_tree *facts)
{
    const struct cache_digests *digests = &kept->entry->digests;
    json_build_open(facts, NULL, JSON_OBJECT);
    json_build_text(facts, "file", kept->path);
    json_build_text(facts, "state", name_state(kept));
    json_build_count(facts, "sequence", kept->entry->sequence);
    json_build_count(facts, "bytes", kept->entry->bytes);
    json_build_text(facts, "environment", digests->of[CACHE_ENVIRONMENT]);
    json_build_text(facts, "structure", digests->of[CACHE_STRUCTURE]);
    json_build_text(facts, "weights", digests->of[CACHE_WEIGHTS]);
    json_build_text(facts, "policy", get_text(kept, "policy"));
    json_build_text(facts, "planner", get_text(kept, "planner"));
    json_build_close(facts);
}

/* Walks over the files of the cache. What there is to show goes to `facts`, or to standard output
   where that is NULL. */
struct walk {
    const struct cache_folder *folder;
    struct json_tree *facts;
    uint64_t bytes;
    uint32_t damaged;
};

static enum status list_entry(struct walk *walk, const struct cache_entry *entry,
                              struct error *error)
{
    struct text path = {0};
    struct kept kept = {.entry = entry, .fault = ERROR_NONE};
    enum status status = cache_folder_path(walk->folder, entry->file, &path, error);
    if (!status) {
        kept.path = path.bytes;
        read_kept(&kept);
        if (walk->facts)
            add_kept(&kept, walk->facts);
        else
            print_kept(&kept);
        walk->bytes += entry->bytes;
    }
    json_tree_free(&kept.environment);
    text_free(&path);
    return status;
}

static enum status verify_entry(struct walk *walk, const struct cache_entry *entry,
                                struct error *error)
{
    struct text path = {0};
    struct error fault = ERROR_NONE;
    TRY(cache_folder_path(walk->folder, entry->file, &path, error));
    bool good = !plan_cache_verify(path.bytes, entry, &fault);
    if (entry->damaged)
        printf("set aside  %s\n", path.bytes);
    else
        printf("%-9s  %s%s%s\n", good ? "good" : "damaged", path.bytes, good ? "" : ": ",
               fault.text);
    walk->damaged += entry->damaged || !good;
    text_free(&path);
    return STATUS_OK;
}

static enum status walk_entries(struct walk *walk,
                                enum status (*visit)(struct walk *walk,
                                                     const struct cache_entry *entry,
                                                     struct error *error),
                                uint32_t *count, struct error *error)
{
    struct cache_entries entries;
    enum status status = STATUS_OK;
    TRY(cache_folder_list(walk->folder, &entries, error));
    for (uint32_t i = 0; i < entries.count && !status; i++)
        status = visit(walk, &entries.entry[i], error);
    *count = entries.count;
    cache_entries_free(&entries);
    return status;
}

static enum status list_plans(const struct arguments *arguments, const struct plan_cache *cache,
                              struct error *error)
{
    struct walk walk = {.folder = &cache->folder};
    uint32_t count;
    (void)arguments;
    printf("%6s  %-9s  %10s  %-12s  %-12s  %-12s  %-10s %s\n", "", "state", "bytes", "environment",
           "structure", "weights", "policy", "planner");
    TRY(walk_entries(&walk, list_entry, &count, error));
    printf("%u file%s, %" PRIu64 " of at most %" PRIu64 " bytes, in %s\n", count,
           count == 1 ? "" : "s", walk.bytes, cache->folder.most_bytes, cache->folder.path);
    return STATUS_OK;
}

static enum status list_json(const struct plan_cache *cache, struct error *error)
{
    struct json_tree facts = {0};
    struct walk walk = {.folder = &cache->folder, .facts = &facts};
    uint32_t count;
    json_open_facts(&facts, "cache-list");
    json_build_text(&facts, "folder", cache->folder.path);
    json_build_count(&facts, "most_bytes", cache->folder.most_bytes);
    json_build_open(&facts, "files", JSON_ARRAY);
    enum status status = walk_entries(&walk, list_entry, &count, error);
    json_build_close(&facts);
    json_build_count(&facts, "bytes", walk.bytes);
    json_build_close(&facts);
    if (!status)
        status = json_print(&facts, error);
    json_tree_free(&facts);
    return status;
}

static enum status list_files(const struct arguments *arguments, const struct plan_cache *cache,
                              struct error *error)
{
    return arguments->json ? list_json(cache, error) : list_plans(arguments, cache, error);
}

static enum status verify_files(const struct arguments *arguments, const struct plan_cache *cache,
                                struct error *error)
{
    struct walk walk = {.folder = &cache->folder};
    uint32_t count;
    (void)arguments;
    TRY(walk_entries(&walk, verify_entry, &count, error));
    if (walk.damaged)
        return error_set(error, STATUS_NO, "%u of %u files are damaged", walk.damaged, count);
    printf("%u file%s, all good\n", count, count == 1 ? "" : "s");
    return STATUS_OK;
}

static enum status clear_files(const struct arguments *arguments, const struct plan_cache *cache,
                               struct error *error)
{
    uint32_t removed;
    (void)arguments;
    TRY(cache_folder_clear(&cache->folder, &removed, error));
    printf("%u file%s removed\n", removed, removed == 1 ? "" : "s");
    return STATUS_OK;
}

static const struct action {
    const char *name;
    enum status (*run)(const struct arguments *arguments, const struct plan_cache *cache,
                       struct error *error);
} actions[] = {{"list", list_files}, {"verify", verify_files}, {"clear", clear_files}};

static enum status run_action(const struct arguments *arguments, const struct action *action,
                              struct error *error)
{
    struct plan_cache *cache;
    TRY(cache_open(&cache, error));
    if (!cache)
        return error_set(error, STATUS_NO,
                         "there is no plan cache: MEMPLAN_CACHE_DISABLE is 1, or neither "
                         "XDG_CACHE_HOME nor HOME names a folder that can be written");
    enum status status = action->run(arguments, cache, error);
    plan_cache_close(cache);
    return status;
}

static enum status run_cache(const struct arguments *arguments, struct error *error)
{
    const char *name = arguments->operands ? arguments->operand[0] : "list";
    for (size_t i = 0; i < sizeof actions / sizeof *actions; i++)
        if (strcmp(actions[i].name, name) == 0)
            return run_action(arguments, &actions[i], error);
    return error_set(error, STATUS_USAGE, "found '%s', expected list, verify or clear", name);
}

const struct command command_cache = {
    .name = "cache",
    .summary = "the plans that are kept: list them, verify their files, remove them",
    .operands = "[list | verify | clear]",
    .most = 1,
    .options = OPTIONS(OPTION_JSON),
    .description =
        "plan, and bench with --cache, keep each plan and take it from there the next time. It is "
        "known by three digests: of the environment (program, solver, hardware, options), of the "
        "graph's structure, and of its weights; where only the weights are others, they are "
        "replaced. Exit code 1 when verify finds a damaged file.\n\n"
        "MEMPLAN_CACHE_DISABLE=1 keeps and takes nothing. MEMPLAN_CACHE_MAX_BYTES is what all "
        "files may take (default 256MiB); the oldest go first. The folder is "
        "$XDG_CACHE_HOME/memplan, else ~/.cache/memplan.",
    .examples = "memplan cache\nmemplan cache verify\nmemplan cache clear",
    .run = run_cache,
};
