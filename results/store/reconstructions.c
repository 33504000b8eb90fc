#include "results/store/reconstructions.h"

#include "core/memory.h"
#include "results/store/query.h"
#include "results/store/sqlite.h"

/* The first schema version that has the column reconstruction. */
enum { RECONSTRUCTIONS_SINCE = 6 };

static enum status add_names(struct store *store, const char *sql, struct names *names,
                             struct error *error)
{
    sqlite3_stmt *statement = NULL;
    int found = 1;
    enum status status = sqlite_prepare(store, sql, &statement, error);
    while (!status) {
        char *name = NULL;
        status = sqlite_step(store, statement, &found, error);
        if (status || !found)
            break;
        status = sqlite_text(statement, 0, &name, error);
        if (!status)
            status = names_add(names, name, error);
        memory_free(name);
    }
    sqlite3_finalize(statement);
    return status;
}

enum status reconstructions_read(struct store *store, struct names *names, struct error *error)
{
    int found;
    if (store->version >= RECONSTRUCTIONS_SINCE)
        TRY(add_names(store, "SELECT DISTINCT instance FROM result WHERE reconstruction = 1", names,
                      error));
    TRY(sqlite_has_table(store, "measure", &found, error));
    return found ? add_names(store,
                             "SELECT DISTINCT instance FROM measure"
                             " WHERE name = '" RECONSTRUCTIONS_MEASURE "'",
                             names, error)
                 : STATUS_OK;
}

enum status reconstructions_list(const struct result_set *set, struct names *names,
                                 struct error *error)
{
    for (uint32_t i = 0; i < set->count; i++)
        if (set->row[i].reconstruction && names_find(names, set->row[i].instance) == NAMES_NONE)
            TRY(names_add(names, set->row[i].instance, error));
    return STATUS_OK;
}

const char *reconstructions_label(const struct names *names, const char *instance)
{
    return names_find(names, instance) == NAMES_NONE ? "" : RECONSTRUCTIONS_LABEL;
}
