#include "cli/results/best_accept.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/arguments/select.h"
#include "cli/results/best_filter.h"
#include "core/file_name.h"
#include "core/text.h"
#include "harness/best_update.h"
#include "harness/kept_plans.h"
#include "results/store/query.h"
#include "results/store/store.h"

static const char default_list[] = "results/best_known.csv";

static enum status load(void *context, const char *path, struct instance **instance,
                        struct error *error)
{
    return select_instance(context, path, instance, error);
}

/* Opens the list. That of the sources must exist: no new one is made by mistake where the program
   is called from another folder. */
static enum status open_list(const struct arguments *arguments, struct best_update *update,
                             struct error *error)
{
    const char *path = arguments->best_known ? arguments->best_known : default_list;
    if (!arguments->best_known && access(path, F_OK) != 0)
        return error_set(error, STATUS_USAGE,
                         "no %s here, expected the top of the sources or --best-known FILE.csv",
                         path);
    TRY(best_update_open(path, update, error));
    update->load = load;
    update->load_context = (void *)arguments;
    return STATUS_OK;
}

static enum status take_findings(const struct best_findings *findings,
                                 const struct best_filter *filter, const char *folder,
                                 struct best_update *update, struct error *error)
{
    for (uint32_t i = 0; i < findings->count; i++) {
        const struct best_found *found = &findings->found[i];
        const struct result_row *row = best_found_row(found);
        if (best_filter_wants(filter, row->instance, row->digest, row->policy))
            TRY(best_update_take(update, found, folder, error));
    }
    return STATUS_OK;
}

static enum status take_rows(const struct arguments *arguments, const struct result_set *set,
                             const char *database, struct best_update *update, struct error *error)
{
    struct best_findings findings = {0};
    struct best_filter filter = {0};
    struct text folder = {0};
    enum status status;
    kept_plans_append_folder(&folder, database);
    TRY_OR_DONE(status, text_check(&folder, error));
    TRY_OR_DONE(status, best_filter_create(arguments, &filter, error));
    TRY_OR_DONE(status, best_findings_create(set, &update->list, &findings, error));
    status = take_findings(&findings, &filter, folder.bytes, update, error);
done:
    best_findings_free(&findings);
    best_filter_free(&filter);
    text_free(&folder);
    return status;
}

/* Takes the database that --accept names, or a run of the database that --db names. */
static enum status take_database(const struct arguments *arguments, struct best_update *update,
                                 struct error *error)
{
    bool is_database = access(arguments->accept, F_OK) == 0;
    const char *database = is_database ? arguments->accept : arguments->database;
    const struct result_choice choice = {.run = is_database ? arguments->run : arguments->accept};
    const struct result_filter rows = {.choice = &choice, .each = true};
    struct result_set set = {0};
    struct store *store;
    if (access(database, F_OK) != 0)
        return error_set(error, STATUS_USAGE,
                         "found no '%s', expected a database, a plan or a run of %s",
                         arguments->accept, database);
    TRY(store_open(database, STORE_READ, &store, error));
    enum status status = query_newest(store, &rows, &set, error);
    store_close(store);
    if (!status && !set.count)
        status = error_set(error, STATUS_USAGE, "no results of '%s' in %s, memplan runs lists them",
                           choice.run ? choice.run : "any run", database);
    if (!status)
        status = take_rows(arguments, &set, database, update, error);
    query_free(&set);
    return status;
}

static enum status take_file(const struct arguments *arguments, struct best_update *update,
                             struct error *error)
{
    struct instance *instance;
    if (arguments->operands != 1)
        return error_set(error, STATUS_USAGE, "%u instances, expected the one that '%s' is of",
                         arguments->operands, arguments->accept);
    TRY(select_instance(arguments, arguments->operand[0], &instance, error));
    enum status status =
        best_update_take_file(update, arguments->accept, instance, arguments->planners, error);
    instance_free(instance);
    return status;
}

static enum status end_update(const struct best_update *update, struct error *error)
{
    if (update->peaks || update->bounds)
        TRY(best_update_write(update, error));
    if (update->lines.length)
        fputs(update->lines.bytes, stdout);
    printf("%u peaks and %u bounds taken into %s, %u refused\n", update->peaks, update->bounds,
           update->path, update->refused);
    return update->refused ? error_set(error, STATUS_NO, "%u refused", update->refused) : STATUS_OK;
}

enum status best_accept(const struct arguments *arguments, struct error *error)
{
    const char *accept = arguments->accept;
    bool is_plan =
        file_name_has_extension(accept, ".json") || file_name_has_extension(accept, ".json.gz");
    struct best_update update = {0};
    if (!is_plan && arguments->planners)
        return error_set(error, STATUS_USAGE, "--planner, but '%s' is no plan", accept);
    enum status status = open_list(arguments, &update, error);
    if (!status)
        status = is_plan ? take_file(arguments, &update, error)
                         : take_database(arguments, &update, error);
    if (!status)
        status = end_update(&update, error);
    best_update_close(&update);
    return status;
}
