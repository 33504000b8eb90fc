#include "results/compare/side.h"

#include <string.h>
#include <unistd.h>

#include "core/file_name.h"
#include "results/store/runs.h"

static enum status load_rows(struct store *store, const struct result_filter *filter,
                             enum side_kind kind, struct side *side, struct error *error)
{
    side->kind = kind;
    return query_newest(store, filter, &side->set, error);
}

static enum status fail_unknown(struct store *store, const char *name, struct error *error)
{
    struct result_facts facts = {0};
    TRY(facts_read(store, &facts, error));
    error_set(error, STATUS_USAGE,
              "no run, planner, commit or database '%s', there are the runs: %s", name, facts.runs);
    facts_free(&facts);
    return STATUS_USAGE;
}

static bool is_commit(const char *name)
{
    size_t length = strlen(name);
    return length >= SIDE_LEAST_COMMIT && strspn(name, "0123456789abcdef") == length;
}

static bool is_same_commit(const char *left, const char *right)
{
    size_t length = strcspn(left, "-");
    return length == strcspn(right, "-") && strncmp(left, right, length) == 0;
}

/* The newest run of the commit whose hash begins with the prefix; NULL for none. The runs are
   sorted from the newest on. */
static enum status find_commit(const struct run_list *runs, const char *prefix,
                               const struct run_row **found, struct error *error)
{
    *found = NULL;
    for (uint32_t i = 0; i < runs->count; i++) {
        const struct run_row *run = &runs->run[i].run;
        if (strncmp(run->source_commit, prefix, strlen(prefix)) != 0)
            continue;
        if (*found && !is_same_commit((*found)->source_commit, run->source_commit))
            return error_set(error, STATUS_USAGE, "several commits begin with '%s': %s and %s",
                             prefix, (*found)->source_commit, run->source_commit);
        *found = *found ? *found : run;
    }
    return STATUS_OK;
}

static enum status load_commit(struct store *store, const char *name, struct side *side,
                               struct error *error)
{
    struct run_list runs = {0};
    const struct run_row *run;
    if (!is_commit(name))
        return STATUS_OK;
    TRY(runs_list(store, &runs, error));
    enum status status = find_commit(&runs, name, &run, error);
    if (!status && run) {
        const struct result_filter filter = {.choice = &(struct result_choice){.run = run->label},
                                             .each = true};
        status = load_rows(store, &filter, SIDE_RUN, side, error);
    }
    runs_free(&runs);
    return status;
}

static enum status load_named(struct store *store, const char *name, const char *run,
                              struct side *side, struct error *error)
{
    const struct result_filter of_run = {.choice = &(struct result_choice){.run = name},
                                         .each = true},
                               of_planner = {.choice = &(struct result_choice){.run = run},
                                             .planner = name,
                                             .each = true};
    TRY(load_rows(store, &of_run, SIDE_RUN, side, error));
    if (!side->set.count)
        TRY(load_rows(store, &of_planner, SIDE_PLANNER, side, error));
    if (!side->set.count)
        TRY(load_commit(store, name, side, error));
    return side->set.count ? STATUS_OK : fail_unknown(store, name, error);
}

enum status side_load(const char *path, const char *name, const char *run, struct side *side,
                      struct error *error)
{
    const struct result_filter of_any = {.choice = &(struct result_choice){.run = run},
                                         .each = true};
    bool is_database = access(name, F_OK) == 0 || file_name_has_extension(name, ".db");
    struct store *store;
    *side = (struct side){0};
    TRY(store_open(is_database ? name : path, STORE_READ, &store, error));
    enum status status = is_database ? load_rows(store, &of_any, SIDE_DATABASE, side, error)
                                     : load_named(store, name, run, side, error);
    store_close(store);
    return status;
}

void side_free(struct side *side)
{
    query_free(&side->set);
}
