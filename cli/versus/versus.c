/* The command versus: plans what is missing of one planner, order or run and of all others, and
   says how it stands against them. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/arguments/select.h"
#include "cli/commands/bench.h"
#include "cli/output/picture.h"
#include "cli/output/print.h"
#include "cli/versus/answer.h"
#include "cli/versus/subject.h"
#include "core/file.h"
#include "core/memory.h"
#include "results/store/store.h"
#include "results/table/wrap.h"
#include "results/tables/tables.h"

/* Writes the tables whole, and the figures in which mine stands out; `drawn` gets the names of
   those. Some need another planner with a plan that counts. */
static enum status write_tables_and_figures(const struct versus *versus, const char *folder,
                                            struct text *drawn, struct error *error)
{
    static const char *const tables[] = {"versus", "versus-instances", "leaderboard"};
    static const char *const formats[] = {"csv", "md", "tex"};
    static const char *const plots[] = {"scatter", "profile", "quality", "gaps"};
    struct result_choice choice = versus->chosen.choice;
    const struct plot_request request = {.store = versus->store, .choice = &choice};
    TRY(file_create_folder(folder, error));
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
        for (size_t k = 0; k < sizeof formats / sizeof *formats; k++) {
            SCOPED(text_free) struct text path = {0}, text = {0};
            text_append(&path, "%s/%s.%s", folder, tables[i], formats[k]);
            TRY(text_check(&path, error));
            TRY(versus_append_table(versus, tables[i], 0, formats[k], &text, error));
            TRY(text_write_file(path.bytes, &text, error));
        }
    for (size_t i = 0; i < sizeof plots / sizeof *plots; i++) {
        SCOPED(text_free) struct text path = {0};
        text_append(&path, "%s/%s.svg", folder, plots[i]);
        TRY(text_check(&path, error));
        remove(path.bytes);
        enum status status = picture_draw(plots[i], &request, path.bytes, error);
        if (status && (status != STATUS_NO || versus->duels.count))
            return status;
        text_append(drawn, "%s%s", drawn->length && !status ? ", " : "", status ? "" : plots[i]);
    }
    return STATUS_OK;
}

/* Draws the plan of mine where it is worst, beside the plan of one that is lowest there. Nothing
   where one of the two layouts was not stored. */
static enum status draw_worst(const struct versus *versus, const char *folder, bool *drawn,
                              struct error *error)
{
    SCOPED(table_free) struct table table = {0};
    SCOPED(text_free) struct text path = {0}, mine = {0}, least = {0};
    struct error why = ERROR_NONE;
    TRY(tables_build("versus-instances", versus->store, &versus->chosen.choice, &table, error));
    *drawn = table_rows(&table) > 0;
    if (!*drawn)
        return STATUS_OK;
    uint32_t worst = table_rows(&table) - 1;
    const char *instance = table_raw(&table, worst, 0), *policy = table_raw(&table, worst, 1);
    const char *const owners[] = {versus->mine, table_raw(&table, worst, 5)};
    struct text *const names[] = {&mine, &least};
    struct plot_panel panel[PLOT_MOST_PANELS] = {{0}};
    text_append(&path, "%s/worst.svg", folder);
    TRY(text_check(&path, error));
    for (int side = 0; side < 2; side++) {
        bool suffixed = versus->by_orders && strcmp(owners[side], RESULT_STORED) != 0;
        text_append(names[side], "%.*s%s%s", (int)strcspn(instance, " "), instance,
                    suffixed ? "@" : "", suffixed ? owners[side] : "");
        TRY(text_check(names[side], error));
        panel[side] = (struct plot_panel){names[side]->bytes, policy,
                                          versus->by_orders ? NULL : owners[side], owners[side]};
    }
    const struct plot_request request = {.store = versus->store, .panel = panel};
    enum status status = picture_draw("layout", &request, path.bytes, &why);
    *drawn = status == STATUS_OK;
    if (status == STATUS_OK || status == STATUS_NO)
        return STATUS_OK;
    *error = why;
    return status;
}

/* Writes whole tables, figures in which mine stands out and the layouts of the worst row into a
   folder, which is made, and appends a sentence that says which to `told`. */
static enum status versus_write_files(const struct versus *versus, const char *folder,
                                      struct text *told, struct error *error)
{
    SCOPED(text_free) struct text plots = {0};
    bool drawn;
    TRY(write_tables_and_figures(versus, folder, &plots, error));
    TRY(draw_worst(versus, folder, &drawn, error));
    text_append(told,
                "%s/ has all rows of versus, versus-instances and leaderboard (.csv, .md, .tex), "
                "and the figures %s (.svg)%s",
                folder, plots.bytes ? plots.bytes : "",
                drawn ? ", and the two layouts of the worst row (worst.svg)" : "");
    return text_check(told, error);
}

/* A time limit that the user did not set. */
#define NOT_LIMITED UINT64_MAX

static void clear_versus(struct versus *versus)
{
    duels_free(&versus->duels);
    contest_free(&versus->contest);
    chosen_clear(&versus->chosen);
    store_close(versus->store);
    planner_free(versus->planner);
    memory_free(versus->operand);
    query_free(&versus->run);
    text_free(&versus->planners);
    text_free(&versus->orders);
    text_free(&versus->instances);
}

static void append_name(struct text *list, const char *name)
{
    text_append(list, "%s%s", list->length ? "," : "", name);
}

/* Makes a list of mine and its opponents: those that were named, else all. */
static enum status list_planners(struct versus *versus, struct error *error)
{
    SCOPED(planner_list_clear) struct planner_list others = {0};
    struct arguments *arguments = &versus->arguments;
    TRY(select_planners(arguments->registry, arguments->planners, &others, error));
    append_name(&versus->planners, versus->mine);
    for (uint32_t i = 0; i < others.count; i++)
        if (strcmp(others.planner[i]->name, versus->mine) != 0)
            append_name(&versus->planners, others.planner[i]->name);
    arguments->planners = versus->planners.bytes;
    return text_check(&versus->planners, error);
}

/* Does the same for orders, all of which are planned by the same planners. */
static enum status list_orders(struct versus *versus, struct error *error)
{
    struct arguments *arguments = &versus->arguments;
    append_name(&versus->orders, versus->mine);
    if (arguments->orders)
        append_name(&versus->orders, arguments->orders);
    for (uint32_t i = 0; !arguments->orders && i < registry_order_count(arguments->registry); i++)
        if (strcmp(registry_order_at(arguments->registry, i)->name, versus->mine) != 0)
            append_name(&versus->orders, registry_order_at(arguments->registry, i)->name);
    arguments->orders = versus->orders.bytes;
    arguments->planners = arguments->planners ? arguments->planners : "best";
    return text_check(&versus->orders, error);
}

/* Reads the rows of a run of that label, else those of a planner that was brought along before. */
static enum status read_rows(struct versus *versus, const char *name, struct error *error)
{
    const char *database = versus->arguments.database;
    const struct result_filter of_run = {.choice = &(struct result_choice){.run = name}};
    const struct result_filter of_planner = {.planner = name};
    SCOPED(store_release) struct store *store = NULL;
    if (access(database, F_OK) == 0) {
        TRY(store_open(database, STORE_READ, &store, error));
        TRY(query_newest(store, &of_run, &versus->run, error));
        versus->run_label = versus->run.count ? name : NULL;
        if (versus->run.count)
            return STATUS_OK;
        query_free(&versus->run);
        TRY(query_newest(store, &of_planner, &versus->run, error));
        if (versus->run.count)
            return STATUS_OK;
    }
    struct error reason = ERROR_NONE;
    enum status status =
        select_planner(versus->arguments.registry, name, &versus->planner, &reason);
    return error_set(error, status, "neither an order nor a run of %s, and %s", database,
                     reason.text);
}

/* Finds the planner of stored rows, and their instances, unless the user chose some. */
static enum status read_run(struct versus *versus, const char *label, struct error *error)
{
    struct arguments *arguments = &versus->arguments;
    const struct result_set *run = &versus->run;
    TRY(read_rows(versus, label, error));
    TRY(memory_create(&versus->operand, run->count, sizeof *versus->operand, error));
    uint32_t instances = 0;
    for (uint32_t i = 0; i < run->count; i++) {
        if (strcmp(run->row[i].planner, run->row[0].planner) != 0)
            return error_set(error, STATUS_USAGE,
                             "run '%s' has several planners, %s and %s among them, expected one "
                             "of them: memplan versus %s",
                             label, run->row[0].planner, run->row[i].planner, run->row[0].planner);
        const char *path = *run->row[i].path ? run->row[i].path : run->row[i].instance;
        if (!instances || strcmp(versus->operand[instances - 1], path) != 0)
            versus->operand[instances++] = path;
    }
    versus->mine = run->row[0].planner;
    if (arguments->operands || arguments->suites)
        return STATUS_OK;
    arguments->operand = versus->operand;
    arguments->operands = instances;
    return STATUS_OK;
}

/* Finds out what mine is. */
static enum status find_mine(struct versus *versus, const char *name, struct error *error)
{
    const struct registry *registry = versus->arguments.registry;
    size_t length = strcspn(name, "?");
    struct error order_error = ERROR_NONE;
    if (registry_find(registry, name, length)) {
        TRY(select_planner(registry, name, &versus->planner, error));
        versus->mine = versus->planner->name;
        return list_planners(versus, error);
    }
    struct order_row *order = NULL;
    enum status status = registry_configure_order(registry, name, &order, &order_error);
    if (status == STATUS_BAD_INPUT) { /* a file with an order, which cannot be read */
        *error = order_error;
        return status;
    }
    if (!status) {
        order_free(order);
        versus->mine = name;
        versus->by_orders = true;
        return list_orders(versus, error);
    }
    TRY(read_run(versus, name, error));
    if (registry_find(registry, versus->mine, strcspn(versus->mine, "?")))
        return list_planners(versus, error);
    append_name(&versus->planners, versus->mine);
    return text_check(&versus->planners, error);
}

/* Opens the contest of what was planned, and finds mine in it. */
static enum status open_contest(struct versus *versus, struct error *error)
{
    struct arguments *arguments = &versus->arguments;
    struct result_choice *choice = &versus->chosen.choice;
    for (uint32_t i = 0; i < arguments->operands; i++)
        append_name(&versus->instances, arguments->operand[i]);
    TRY(text_check(&versus->instances, error));
    arguments->instances = versus->instances.bytes;
    arguments->run = NULL;
    TRY(store_open(arguments->database, STORE_READ, &versus->store, error));
    TRY(chosen_find(arguments, versus->store, &versus->chosen, error));
    choice->by_orders = versus->by_orders;
    choice->mine = versus->mine;
    choice->mine_run = versus->run_label;
    TRY(contest_open(versus->store, choice, &versus->contest, error));
    uint32_t mine = names_find(&versus->contest.grid.planners, versus->mine);
    const struct standings *standings = &versus->contest.standings;
    while (versus->place < standings->count && standings->standing[versus->place].planner != mine)
        versus->place++;
    if (versus->place == standings->count)
        return error_set(error, STATUS_NO, "%s has no plan that counts on any of these instances%s",
                         versus->mine,
                         versus->by_orders ? ", or there is no graph among them" : "");
    return duels_create(&versus->contest, mine, NULL, &versus->duels, error);
}

/* Whether a planner or order is a program: starting one may take longer than others need. */
static bool is_program(const struct versus *versus, const char *name, size_t length)
{
    const struct arguments *arguments = &versus->arguments;
    const struct argument_list *programs =
        versus->by_orders ? &arguments->external_order : &arguments->external;
    for (uint32_t i = 0; i < programs->count; i++)
        if (strcspn(programs->value[i], "=") == length &&
            strncmp(programs->value[i], name, length) == 0)
            return true;
    return false;
}

/* Programs come first, as they are what was brought. The same planners plan all orders, so an order
   that is a program has its longer limit alone. */
static enum status plan_missing(struct versus *versus, struct error *error)
{
    static const uint64_t limit_ns[] = {UINT64_C(10000000000), UINT64_C(200000000)};
    struct arguments *arguments = &versus->arguments;
    const char **list = versus->by_orders ? &arguments->orders : &arguments->planners;
    const char *all = *list;
    SCOPED(text_free) struct text programs = {0}, others = {0};
    const struct text *const part[] = {&programs, &others};
    const uint64_t given_ns = arguments->time_limit_ns;
    bool is_given = given_ns != NOT_LIMITED;
    for (size_t length; *all; all += length + (all[length] != '\0')) {
        length = strcspn(all, ",");
        struct text *to = is_program(versus, all, strcspn(all, "?,")) ? &programs : &others;
        text_append(to, "%s%.*s", to->length ? "," : "", (int)length, all);
    }
    TRY(text_check(&programs, error));
    TRY(text_check(&others, error));
    all = *list;
    for (int i = 0; i < 2; i++) {
        *list = part[i]->bytes;
        if (!is_given)
            arguments->time_limit_ns = limit_ns[versus->by_orders ? 1 : i];
        if (part[i]->length)
            TRY(bench_run_missing(arguments, versus->mine, false, is_given ? given_ns : limit_ns[i],
                                  error));
    }
    *list = all;
    return STATUS_OK;
}

static enum status print_answer(const struct versus *versus, struct error *error)
{
    const struct arguments *arguments = &versus->arguments;
    const char *folder = arguments->output ? arguments->output : "versus";
    SCOPED(text_free) struct text text = {0}, told = {0}, note = {0};
    TRY(versus_append_answer(versus, print_choose_format(arguments->format, NULL), &text, error));
    TRY(print_text(&text, NULL, error));
    TRY(versus_write_files(versus, folder, &told, error));
    wrap_append(&note, "", told.bytes, print_width());
    TRY(text_check(&note, error));
    fflush(stdout);
    fputs(note.bytes, stderr);
    return STATUS_OK;
}

static enum status run_versus(const struct arguments *arguments, struct error *error)
{
    SCOPED(clear_versus) struct versus versus = {.arguments = *arguments};
    struct arguments *own = &versus.arguments;
    own->operand++;
    own->operands--;
    if (arguments->format && !table_formats_find(arguments->format))
        return table_formats_refuse(arguments->format, strlen(arguments->format), error);
    TRY(find_mine(&versus, arguments->operand[0], error));
    if (!own->operands && !own->suites)
        own->suites = "quick";
    if (versus.planners.length == 0 || own->planners)
        TRY(plan_missing(&versus, error));
    own->planners = versus.by_orders ? own->planners : NULL;
    TRY(open_contest(&versus, error));
    return print_answer(&versus, error);
}

const struct command command_versus = {
    .name = "versus",
    .summary = "hold a planner, order or run against others, planned if missing",
    .operands = "MINE [INSTANCE...]",
    .kind = "planners",
    .least = 1,
    .most = UINT32_MAX,
    .time_limit_ns = NOT_LIMITED,
    .options =
        OPTIONS(OPTION_SUITE, OPTION_PLANNERS, OPTION_POLICIES, OPTION_ORDERS, OPTION_JOBS,
                OPTION_TIME_LIMIT, OPTION_MEMORY_LIMIT, OPTION_DB, OPTION_RUN, OPTION_TOP,
                OPTION_FORMAT, OPTION_OUTPUT, OPTION_IGNORE_OFFSETS, OPTION_DIALECT, OPTION_BIND,
                OPTION_ASSUME_DIM, OPTION_PLUGIN, OPTION_EXTERNAL, OPTION_EXTERNAL_ORDER),
    .help =
        HELP({OPTION_TIME_LIMIT, "time limit of each plan and order (default 0.2, of programs 10)"},
             {OPTION_TOP, "opponents in the table (default 10)"}),
    .description =
        "Without instances those of the suite quick, and 0.2 s for each plan and order, 10 s for "
        "those of a program; the answers of "
        "others that the database has are taken as they are, so a second call is quick and a "
        "stopped one goes on. --planners or --orders name the opponents that are planned; what the "
        "database has of others counts, too. Orders are planned by the planner best, or those of "
        "--planners; their own time counts. A run is one of a "
        "single planner, whose rows of that run count. A planner that is not brought along "
        "again stands by its stored rows. The whole tables and the figures are "
        "written into a folder (default versus).",
    .examples = "memplan versus area_best_fit\n"
                "memplan versus mine --external 'mine=python3 planner.py {in} {out}'\n"
                "memplan versus inductor zoo/resnet50 wired/darts_cifar -o inductor",
    .run = run_versus,
};
