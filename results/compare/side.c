#include "results/compare/side.h"

#include <string.h>
#include <unistd.h>

#include "core/file.h"
#include "core/memory.h"
#include "results/store/order_rows.h"
#include "results/store/runs.h"

/* The newest run of the commit whose hash begins with the prefix; NULL for none. The runs are
   sorted, the newest first. */
static enum status find_commit(const struct run_list *runs, const char *prefix,
                               const struct run_row **found, struct error *error)
{
    *found = NULL;
    for (uint32_t i = 0; i < runs->count; i++) {
        const struct run_row *run = &runs->run[i].run;
        if (strncmp(run->source_commit, prefix, strlen(prefix)) != 0)
            continue;
        *found = *found ? *found : run;
        const char *other = (*found)->source_commit;
        size_t length = strcspn(other, "-");
        if (length != strcspn(run->source_commit, "-") ||
            strncmp(other, run->source_commit, length) != 0)
            return error_set(error, STATUS_USAGE, "several commits begin with '%s': %s and %s",
                             prefix, other, run->source_commit);
    }
    return STATUS_OK;
}

/* Loads the rows of graphs in that order. */
static enum status load_order(struct store *store, const char *name, const char *run,
                              struct side *side, struct error *error)
{
    const struct result_filter of_any = {.choice = &(struct result_choice){.run = run},
                                         .each = true};
    struct result_set *set = &side->set;
    uint32_t kept = 0;
    side->kind = SIDE_ORDER;
    TRY(query_newest(store, &of_any, set, error));
    for (uint32_t i = 0; i < set->count; i++) {
        const struct result_row *row = &set->row[i];
        const char *order = order_rows_is_stored(row) ? RESULT_STORED : row->order_name;
        if (strcmp(order, name) != 0 || strcmp(row->policy, RESULT_PROBLEM) == 0)
            continue;
        set->row[kept] = set->row[i];
        set->id[kept] = set->id[i];
        set->bound_bytes[kept] = set->bound_bytes[i];
        set->spread[kept++] = set->spread[i];
    }
    set->count = kept;
    enum status status = order_rows_join(set, error);
    if (status || !kept)
        query_free(set);
    return status;
}

/* Loads the rows of a run, and the command that made it. */
static enum status load_run(struct store *store, const char *label, struct side *side,
                            struct error *error)
{
    SCOPED(runs_free) struct run_list runs = {0};
    const struct result_filter filter = {.choice = &(struct result_choice){.run = label},
                                         .each = true};
    side->kind = SIDE_RUN;
    TRY(query_newest(store, &filter, &side->set, error));
    if (!side->set.count)
        return STATUS_OK;
    TRY(runs_list(store, &runs, error));
    uint32_t i = 0;
    while (i < runs.count && strcmp(runs.run[i].run.label, label) != 0)
        i++;
    side->command = memory_copy_text(i < runs.count ? runs.run[i].run.command : "");
    return side->command ? STATUS_OK : error_no_memory(error);
}

/* Loads the rows of the run of that label, else of that planner, else of that commit. */
static enum status load_named(struct store *store, const char *name, const char *run,
                              struct side *side, struct error *error)
{
    SCOPED(runs_free) struct run_list runs = {0};
    SCOPED(facts_free) struct result_facts facts = {0};
    TRY(load_run(store, name, side, error));
    if (side->set.count)
        return STATUS_OK;

    const struct result_choice choice = {.run = run};
    const struct result_filter of_planner = {.choice = &choice, .planner = name, .each = true};
    side->kind = SIDE_PLANNER;
    TRY(query_newest(store, &of_planner, &side->set, error));
    if (side->set.count)
        return STATUS_OK;

    TRY(load_order(store, name, run, side, error));
    if (side->set.count)
        return STATUS_OK;

    size_t length = strlen(name);
    if (length >= SIDE_LEAST_COMMIT && strspn(name, "0123456789abcdef") == length) {
        const struct run_row *found;
        TRY(runs_list(store, &runs, error));
        TRY(find_commit(&runs, name, &found, error));
        if (found)
            TRY(load_run(store, found->label, side, error));
    }
    if (side->set.count)
        return STATUS_OK;
    TRY(facts_read(store, &facts, error));
    return error_set(error, STATUS_USAGE,
                     "no run, planner, commit or database '%s', there are the runs: %s", name,
                     facts.runs);
}

enum status side_load(const char *path, const char *name, const char *run, struct side *side,
                      struct error *error)
{
    const struct result_filter of_any = {.choice = &(struct result_choice){.run = run},
                                         .each = true};
    bool is_database = access(name, F_OK) == 0 || file_name_has_extension(name, ".db");
    SCOPED(store_release) struct store *store = NULL;
    *side = (struct side){.kind = SIDE_DATABASE};
    TRY(store_open(is_database ? name : path, STORE_READ, &store, error));
    return is_database ? query_newest(store, &of_any, &side->set, error)
                       : load_named(store, name, run, side, error);
}

void side_free(struct side *side)
{
    query_free(&side->set);
    memory_free(side->command);
    side->command = NULL;
}
