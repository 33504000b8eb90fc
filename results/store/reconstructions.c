#include "results/store/reconstructions.h"

#include "core/memory.h"
#include "results/store/sqlite.h"

/* The schema version that has the column reconstruction. */
enum { RECONSTRUCTIONS_SINCE = 6 };

static enum status has_measures(struct store *store, int *found, struct error *error)
{
    sqlite3_stmt *statement = NULL;
    enum status status = sqlite_prepare(store, "SELECT 1 FROM sqlite_master WHERE name = 'measure'",
                                        &statement, error);
    if (!status)
        status = sqlite_step(store, statement, found, error);
    sqlite3_finalize(statement);
    return status;
}

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
    TRY(has_measures(store, &found, error));
    return found ? add_names(store,
                             "SELECT DISTINCT instance FROM measure"
                             " WHERE name = '" RECONSTRUCTIONS_MEASURE "'",
                             names, error)
                 : STATUS_OK;
}

const char *reconstructions_label(const struct names *names, const char *instance)
{
    return names_find(names, instance) == NAMES_NONE ? "" : RECONSTRUCTIONS_LABEL;
}
