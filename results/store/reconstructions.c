#include "results/store/reconstructions.h"

#include "results/store/query.h"
#include "results/store/sqlite.h"

/* The first schema version that has the column reconstruction. */
enum { RECONSTRUCTIONS_SINCE = 6 };

enum status reconstructions_read(struct store *store, struct names *names, struct error *error)
{
    const struct sqlite_question question = {.take = sqlite_take_name, .context = names};
    bool found;
    if (store->version >= RECONSTRUCTIONS_SINCE)
        TRY(sqlite_ask(store, "SELECT DISTINCT instance FROM result WHERE reconstruction = 1",
                       &question, error));
    TRY(sqlite_has_table(store, "measure", &found, error));
    return found ? sqlite_ask(store,
                              "SELECT DISTINCT instance FROM measure"
                              " WHERE name = '" RECONSTRUCTIONS_MEASURE "'",
                              &question, error)
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
