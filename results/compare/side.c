#include "results/compare/side.h"

#include <unistd.h>

static enum status load_rows(struct store *store, const struct result_filter *filter,
                             enum side_kind kind, struct side *side, struct error *error)
{
    side->kind = kind;
    return query_newest(store, filter, &side->set, error);
}

static enum status fail_unknown(struct store *store, const char *name, struct error *error)
{
    struct result_facts facts = {0};
    TRY(query_facts(store, &facts, error));
    error_set(error, STATUS_USAGE, "no run, planner or database '%s', there are the runs: %s", name,
              facts.runs);
    query_facts_free(&facts);
    return STATUS_USAGE;
}

static enum status load_named(struct store *store, const char *name, const char *run,
                              struct side *side, struct error *error)
{
    const struct result_filter of_run = {.run = name, .each = true},
                               of_planner = {.run = run, .planner = name, .each = true};
    TRY(load_rows(store, &of_run, SIDE_RUN, side, error));
    if (!side->set.count)
        TRY(load_rows(store, &of_planner, SIDE_PLANNER, side, error));
    return side->set.count ? STATUS_OK : fail_unknown(store, name, error);
}

enum status side_load(const char *path, const char *name, const char *run, struct side *side,
                      struct error *error)
{
    const struct result_filter of_any = {.run = run, .each = true};
    bool is_database = access(name, F_OK) == 0;
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
