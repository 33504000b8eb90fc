#include "results/views/recipe.h"

#include <string.h>

static enum status read_source(struct table_making *making, struct store *store)
{
    const struct table_recipe *recipe = making->recipe;
    struct contest *contest = &making->contest;
    struct result_filter filter = recipe->filter;
    filter.choice = &making->choice;
    if (recipe->subject == TABLE_OF_INSTANCE) {
        if (!making->choice.subject)
            return error_set(making->error, STATUS_NO,
                             "no instance, expected one: memplan table %s NAME", recipe->name);
        making->choice.instances = making->choice.subject;
    }
    switch (recipe->source) {
    case TABLE_OF_CONTEST:
        return contest_open(store, &making->choice, contest, making->error);
    case TABLE_OF_ROWS:
        return query_newest(store, &filter, &contest->set, making->error);
    case TABLE_OF_MEASURES:
        TRY(measures_read(store, &making->choice, recipe->topic, &making->measures, making->error));
        making->picker.used = making->measures.count > 0;
        return making->picker.used ? STATUS_OK
                                   : error_set(making->error, STATUS_NO,
                                               "no results for this table, expected those of "
                                               "memplan reproduce %s",
                                               recipe->wanted ? recipe->wanted : recipe->topic);
    case TABLE_OF_ITS_OWN:
        break;
    }
    return STATUS_OK;
}

enum status table_recipe_make(const struct table_recipe *recipe, struct store *store,
                              const struct result_choice *choice, struct table *table,
                              struct error *error)
{
    struct table_making making = {.recipe = recipe, .table = table, .store = store, .error = error};
    enum status status;
    if (choice)
        making.choice = *choice;
    making.picker.set = &making.contest.set;
    TRY_OR_DONE(status, read_source(&making, store));
    if (recipe->caption)
        table_set_title(table, recipe->caption);
    if (recipe->columns)
        table_add_columns(table, recipe->columns);
    TRY_OR_DONE(status, recipe->fill(&making));
    TRY_OR_DONE(status, table_check(table, error));
    if (!making.picker.used)
        status =
            error_set(error, STATUS_NO, "no results for this table, expected %s", recipe->wanted);
done:
    measures_free(&making.measures);
    contest_free(&making.contest);
    return status;
}

struct cell making_measure(const struct table_making *making, const char *instance,
                           const char *variant, const char *name)
{
    int64_t value = 0;
    bool found = measures_find(&making->measures, instance, variant, name, &value);
    return cell_known(found, (uint64_t)value);
}

struct cell making_scaled(const struct table_making *making, const char *instance,
                          const char *variant, const char *name, double unit, unsigned decimals)
{
    int64_t value = 0;
    bool found = measures_find(&making->measures, instance, variant, name, &value);
    return cell_known_real(found, (double)value / unit, decimals);
}

struct cell making_part(const struct table_making *making, const char *instance,
                        const char *variant, const char *part, enum measure_word word)
{
    int64_t value = 0;
    const struct measure_key key = {part, word, NULL};
    bool found = measures_find_part(&making->measures, instance, variant, &key, &value);
    return cell_known(found, (uint64_t)value);
}

bool making_starts_instance(const struct table_making *making, uint32_t index)
{
    const struct measure *measure = &making->measures.measure[index];
    return !index || strcmp(measure->instance, measure[-1].instance) != 0;
}
