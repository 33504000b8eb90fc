/* The command standings: plans what is missing of the collection, and writes the page that says how
   planners stand on it, by tracks and classes. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cli/arguments/chosen.h"
#include "cli/arguments/command.h"
#include "cli/commands/bench.h"
#include "cli/results/standings_changes.h"
#include "cli/results/standings_entries.h"
#include "cli/results/standings_memories.h"
#include "core/file.h"
#include "core/gzip.h"
#include "core/memory.h"
#include "core/text.h"
#include "datasets/collection.h"
#include "plots/figures/plots.h"
#include "plots/report/page.h"
#include "plots/report/report.h"
#include "results/compare/statistics.h"
#include "results/store/rows_file.h"
#include "results/store/runs.h"
#include "results/table/escape.h"
#include "results/tables/tables.h"
#include "results/views/planners/contest.h"

/* Planners that take longer than this, in the median, stand among those that search. */
static const uint64_t quick_ns = 10000000;

/* The limits of a plan by which standings are made, each with tables of its own. */
static const uint64_t class_ns[] = {1000000000, 10000000000, 60000000000};

/* How the entries of a track are planned where the user does not say: NULL for what bench takes. */
struct track {
    const char *name, *title, *policies, *orders;
    bool by_kinds; /* quick planners, searches and proofs stand apart */
};
static const struct track tracks[] = {
    {"problems", "Problems and graphs without branches", NULL, NULL, true},
    {"control-flow", "Branches and loops", "flat,recursive,path,select", NULL, false},
    {"orders", "Orders of operators", NULL,
     "stored,reverse_post,xla_default,inductor,glow,beam,exact_order", false},
    {"streams", "Several streams", "streams", NULL, false},
    {"sizes", "Sizes that are known only when a network runs", NULL, NULL, false},
};
enum { TRACKS = sizeof tracks / sizeof *tracks };

/* Which planners a table has: those that end within quick_ns, that search, that prove, or all. */
enum kind { KIND_QUICK, KIND_SEARCH, KIND_EXACT, KINDS, KIND_ALL = KINDS };
static const char *const kind_names[] = {"quick", "search", "exact", "all"};
static const char *const kind_titles[] = {"median below 10 ms", "anytime", "that prove optima",
                                          "all planners"};

/* What the page is made of. That of the last version has no report: its standings are only noted
   in its lines. */
struct standings_page {
    const struct arguments *arguments;
    struct store *store;
    struct report *report;
    const char *folder;
    struct names instances; /* all entries, those of the track orders in every order */
    struct result_set set;  /* their rows with the limit of this class */
    struct run_list runs;   /* of the store */
    struct standing_lines lines;
};

static void free_page(struct standings_page *page)
{
    query_free(&page->set);
    runs_free(&page->runs);
    store_close(page->store);
    names_free(&page->instances);
    standing_lines_free(&page->lines);
    report_free(page->report);
}

static bool is_in(const struct track *track, const struct collection_entry *entry)
{
    return strcmp(entry->track, track->name) == 0;
}

/* Plans the entries of a track; those of a row that is stored already are left out. */
static enum status plan_track(const struct arguments *arguments, const struct track *track,
                              struct error *error)
{
    struct arguments own = *arguments;
    SCOPED(memory_release) const char **operand = NULL;
    TRY(memory_create(&operand, collection_count(), sizeof *operand, error));
    own.operands = 0;
    for (uint32_t i = 0; i < collection_count(); i++)
        if (is_in(track, collection_at(i)))
            operand[own.operands++] = collection_at(i)->name;
    own.operand = operand;
    own.policies = track->policies;
    own.orders = track->orders;
    if (arguments->mine)
        own.planners = arguments->mine;
    else if (track->orders)
        own.planners = "best"; /* it plans all orders */
    /* A planner says nothing of orders, but the one that places all of them. */
    if (!own.operands || (track->orders && arguments->mine))
        return STATUS_OK;
    return bench_run_missing(&own, arguments->mine, true, own.time_limit_ns, error);
}

/* Adds the entries of a track, in each of its orders. */
static enum status add_names(const struct track *track, struct names *names, struct error *error)
{
    for (uint32_t i = 0; i < collection_count(); i++) {
        const char *name = collection_at(i)->name, *order = track->orders;
        if (!is_in(track, collection_at(i)))
            continue;
        TRY(names_add(names, name, error));
        for (size_t length; order; order = order[length] ? order + length + 1 : NULL) {
            SCOPED(text_free) struct text ordered = {0};
            length = strcspn(order, ",");
            text_append(&ordered, "%s@%.*s", name, (int)length, order);
            TRY(text_check(&ordered, error));
            TRY(names_add(names, ordered.bytes, error));
        }
    }
    return STATUS_OK;
}

static enum kind find_kind(const struct standings_page *page, const char *planner,
                           uint64_t median_ns)
{
    const struct planner *found =
        registry_find(page->arguments->registry, planner, strcspn(planner, "?"));
    if (found && !found->content && found->flags & PLANNER_EXACT)
        return KIND_EXACT;
    return median_ns < quick_ns ? KIND_QUICK : KIND_SEARCH;
}

/* Whether it is ours, which the page says of each planner. */
static const char *name_origin(const struct standings_page *page, const char *planner)
{
    const struct planner *found =
        registry_find(page->arguments->registry, planner, strcspn(planner, "?"));
    if (!found || found->content)
        return "brought";
    return strncmp(found->source, "ours", strlen("ours")) == 0 ? "ours" : "published";
}

static const struct collection_entry *find_entry(const struct contest *contest, uint32_t line)
{
    const struct result_row *row = &contest->set.row[contest->grid.first[line]];
    const struct collection_entry *found = collection_find(row->digest, row->instance);
    /* Where orders compete, a row stands for all of a graph. */
    for (uint32_t i = 0; i < collection_count() && !found; i++)
        found = strcmp(collection_at(i)->name, row->instance) == 0 ? collection_at(i) : NULL;
    return found;
}

/* The parts of a track: its classes and halves, by the words of an entry. */
static const char *const parts[] = {"easy", "medium", "hard", "open", "open half", "held back"};
enum { PARTS = sizeof parts / sizeof *parts, CLASSES = 4 };

static bool is_of_part(const struct collection_entry *entry, unsigned part)
{
    return part < CLASSES ? strcmp(entry->rank, parts[part]) == 0
                          : strncmp(entry->half, parts[part], strlen(entry->half)) == 0;
}

/* Marks the lines of the entries of a part. */
static void take_part(const struct contest *contest, unsigned part, bool *taken)
{
    for (uint32_t i = 0; i < contest->grid.lines; i++) {
        const struct collection_entry *entry = find_entry(contest, i);
        taken[i] = entry && is_of_part(entry, part);
    }
}

/* Lets the numbers of a planner lead to the rows that they are from, by the suites of the page. */
static enum status link_standing(const struct track *track, const char *name, struct table *table,
                                 struct error *error)
{
    enum { FIRST_NUMBER = 3, FIRST_PART = 9, MET = 5 };
    for (uint32_t column = FIRST_NUMBER; column < table_columns(table); column++) {
        SCOPED(text_free) struct text address = {0}, suite = {0};
        bool is_part = column >= FIRST_PART && column < FIRST_PART + PARTS;
        text_append(&suite, "%s%s%s", track->name, is_part ? " " : "",
                    is_part ? parts[column - FIRST_PART] : "");
        TRY(text_check(&suite, error));
        text_append(&address, "%s?%s=", table->links, track->orders ? "order" : "planner");
        escape_url(&address, name);
        text_append(&address, "&suite=");
        escape_url(&address, suite.bytes);
        text_append(&address, column == MET && !track->orders ? "&text=gap%%3D0" : "");
        TRY(text_check(&address, error));
        table_link(table, table_rows(table) - 1, column, address.bytes);
    }
    return STATUS_OK;
}

/* The mean of peak / bound on the common lines, and its interval. */
static enum status find_interval(const struct contest *contest, uint32_t planner,
                                 struct statistics_interval *interval, struct error *error)
{
    SCOPED(memory_release) double *value = NULL;
    const struct grid *grid = &contest->grid;
    uint32_t count = 0;
    double ratio;
    TRY(memory_create(&value, grid->lines, sizeof *value, error));
    for (uint32_t i = 0; i < grid->lines; i++)
        if (contest->standings.common.is_common[i] && grid_ratio(grid, i, planner, &ratio) &&
            ratio > 0)
            value[count++] = log(ratio);
    *interval = (struct statistics_interval){0, 0, 0};
    if (count)
        *interval = statistics_mean_of_many(value, count, 1);
    return STATUS_OK;
}

static enum status add_standing(const struct standings_page *page, const struct track *track,
                                const struct contest *contest, uint32_t place, bool *taken,
                                struct table *table, struct error *error)
{
    const struct standing *standing = &contest->standings.standing[place];
    const char *name = contest_name(contest, place);
    const bool is_ranked = standing->rank > 0;
    struct statistics_interval interval;
    TRY(find_interval(contest, standing->planner, &interval, error));
    table_add(table, cell_known(is_ranked, standing->rank), cell_text(name),
              cell_text(name_origin(page, name)), cell_number(standing->plans),
              cell_known(is_ranked, standing->wins), cell_number(standing->met),
              cell_known_real(standing->mean_ratio > 0, standing->mean_ratio, 4),
              cell_known_real(is_ranked, exp(interval.lower), 4),
              cell_known_real(is_ranked, exp(interval.upper), 4));
    for (unsigned part = 0; part < PARTS; part++) {
        struct standing_part judged;
        take_part(contest, part, taken);
        standings_judge_part(&contest->grid, &contest->standings, standing->planner, taken,
                             &judged);
        table_add(table, cell_known_real(is_ranked && judged.lines, judged.mean_ratio, 4));
    }
    table_add(table, cell_real((double)standing->median_ns / 1e6, 3),
              cell_number(standing->without), cell_number(standing->refused));
    if (page->arguments->mine && strcmp(name, page->arguments->mine) == 0)
        table_mark(table, table_rows(table) - 1, 1);
    return link_standing(track, name, table, error);
}

static enum status add_figure(const struct standings_page *page, const char *plot,
                              const struct track *track, const char *kind,
                              const struct result_choice *choice, struct error *error)
{
    const struct plot_request request = {.store = page->store, .choice = choice};
    SCOPED(text_free) struct text script = {0}, name = {0}, title = {0};
    struct error reason = ERROR_NONE;
    if (!page->report)
        return STATUS_OK;
    enum status status = plot_script(plot, &request, &script, &reason);
    if (status == STATUS_NO)
        return STATUS_OK;
    TRY(status);
    text_append(&name, "%s-%s-%s", plot, track->name, kind);
    text_append(&title, "%s: %s", plots_find(plot)->title, track->title);
    TRY(text_check(&name, error));
    TRY(text_check(&title, error));
    return report_add_figure(page->report, name.bytes, title.bytes, script.bytes, error);
}

static enum status add_table(struct standings_page *page, const struct track *track,
                             const struct contest *contest, enum kind kind, struct error *error)
{
    SCOPED(table_free) struct table table = {.links = "index.html#results"};
    SCOPED(text_free) struct text title = {0}, name = {0};
    SCOPED(memory_release) bool *taken = NULL;
    const struct common_lines *common = &contest->standings.common;
    text_append(&name, "%s-%s", track->name, kind_names[kind]);
    TRY(text_check(&name, error));
    TRY(standing_lines_note(&page->lines, name.bytes, contest, error));
    if (!page->report)
        return STATUS_OK;
    name.length = 0;
    TRY(memory_create(&taken, contest->grid.lines, sizeof *taken, error));
    text_append(&title, "%s: %s", track->title,
                track->orders ? "orders instead of planners" : kind_titles[kind]);
    text_append(&name, "standings-%s-%s", track->name, kind_names[kind]);
    TRY(text_check(&title, error));
    TRY(text_check(&name, error));
    table_set_title(&table, title.bytes);
    table_add_columns(&table,
                      track->orders ? "rank: | order | origin" : "rank: | planner | origin");
    table_add_columns(&table,
                      "plans: | wins: | at the bound: | mean: | from: | to: | easy: | medium: | "
                      "hard: | open: | open half: | held back: | median time (ms): | no plan: | "
                      "unsafe:");
    for (uint32_t i = 0; i < contest->standings.count; i++)
        TRY(add_standing(page, track, contest, i, taken, &table, error));
    table_add_note(
        &table,
        "%.3g s for each plan. mean, and from and to, its 95%% interval: geometric, of peak / best "
        "known lower bound, over the %u of %u rows where each of the %u ranked planners has a safe "
        "plan; easy to open, and the halves: over those of these rows.",
        (double)page->arguments->time_limit_ns / 1e9, common->common, contest->grid.lines,
        common->ranked);
    return report_add_table(page->report, name.bytes, &table, error);
}

/* Adds the table of one kind of planners, with its figures. */
static enum status add_kind(struct standings_page *page, const struct track *track,
                            const struct result_choice *all, const struct contest *whole,
                            enum kind kind, struct error *error)
{
    SCOPED(names_free) struct names planners = {0};
    SCOPED(contest_free) struct contest contest = {0};
    struct result_choice choice = *all;
    const struct standings *standings = &whole->standings;
    for (uint32_t i = 0; i < standings->count; i++)
        if (find_kind(page, contest_name(whole, i), standings->standing[i].median_ns) == kind)
            TRY(names_add(&planners, contest_name(whole, i), error));
    if (!planners.count)
        return STATUS_OK;
    choice.planners = &planners;
    TRY(contest_open(page->store, &choice, &contest, error));
    TRY(add_table(page, track, &contest, kind, error));
    TRY(add_figure(page, "profile", track, kind_names[kind], &choice, error));
    return add_figure(page, "cactus", track, kind_names[kind], &choice, error);
}

static enum status add_track(struct standings_page *page, const struct track *track,
                             struct error *error)
{
    SCOPED(names_free) struct names instances = {0};
    SCOPED(contest_free) struct contest contest = {0};
    TRY(add_names(track, &instances, error));
    const struct result_choice choice = {.instances = &instances,
                                         .mine = page->arguments->mine,
                                         .time_limit_ns = page->arguments->time_limit_ns,
                                         .by_orders = track->orders != NULL};
    struct error reason = ERROR_NONE;
    enum status status = contest_open(page->store, &choice, &contest, &reason);
    if (status == STATUS_NO || (!status && !contest.standings.count))
        return !page->report ? STATUS_OK
                             : report_add_absent(page->report, track->name,
                                                 "nothing was planned of this track", error);
    TRY(status);
    if (page->report)
        TRY(report_add_section(page->report, track->title, "", error));
    if (!track->by_kinds) {
        TRY(add_table(page, track, &contest, KIND_ALL, error));
        TRY(add_figure(page, "profile", track, "all", &choice, error));
        return add_figure(page, "cactus", track, "all", &choice, error);
    }
    for (int kind = 0; kind < KINDS; kind++)
        TRY(add_kind(page, track, &choice, &contest, (enum kind)kind, error));
    return STATUS_OK;
}

static const char introduction[] =
    "<p>How planners stand on <strong>" COLLECTION_VERSION "</strong>, the collection of memplan. "
    "Classes say how hard an entry was when it was chosen: easy, a quick rule reaches the optimum; "
    "medium, proved within a minute; hard, the optimum is known, but not proved within a minute; "
    "open. Of what is made by seeds, a part has seeds that nobody may tune on: the columns "
    "<em>open half</em> and <em>held back</em>.</p>\n"
    "<p>Planners whose origin is <em>ours</em> are this project's own. They were tuned on "
    "minimalloc/A to F, on the suites and on generators with seeds below 9000, all of them in the "
    "open half; others run as their sources say. A name leads to its rows below, and a number to "
    "those that it is from, each with its verdict, the command that repeats it and writes its "
    "plan, and its layout "
    "where it was kept.</p>\n";

/* The runs that the rows are from: with which command, on what machine, and why their times cannot
   be trusted. */
static enum status append_runs(const struct standings_page *page, struct text *html,
                               struct error *error)
{
    SCOPED(table_free) struct table table = {0};
    table_set_title(&table, "Where the rows come from");
    table_add_columns(&table, "run | begun (UTC) | command | commit | processor | cores: | load: | "
                              "why its times cannot be trusted");
    for (uint32_t i = 0; i < page->runs.count; i++) {
        const struct run_row *run = &page->runs.run[i].run;
        uint32_t row = 0;
        while (row < page->set.count && strcmp(page->set.row[row].run, run->label) != 0)
            row++;
        if (row == page->set.count)
            continue;
        table_add(&table, cell_text(run->label), cell_any_text(run->started),
                  cell_any_text(run->command), cell_any_text(run->source_commit),
                  cell_any_text(run->cpu), cell_known(run->cores > 0, run->cores),
                  cell_known_real(*run->cpu, (double)run->load_start_thousandths / 1e3, 1),
                  cell_any_text(run->noise));
    }
    table_add_note(&table, "What is not known of a run, as of rows that were imported, is missing. "
                           "load: processes that ran or waited in the minute before.");
    return report_page_table(html, &table, error);
}

static enum status write_overview(const struct standings_page *page, struct error *error)
{
    SCOPED(text_free) struct text html = {0};
    const struct arguments *arguments = page->arguments;
    double seconds = (double)arguments->time_limit_ns / 1e9;
    text_append(
        &html,
        "%s<p>The class of %.3g s: only rows of plans that had this limit stand here. Made by "
        "<code>memplan standings --time-limit %.3g</code>.",
        introduction, seconds, seconds);
    if (arguments->mine) {
        text_append(&html, " Highlighted: <code>");
        escape_html(&html, arguments->mine);
        text_append(&html, "</code>.");
    }
    text_append(&html, "</p>\n");
    TRY(append_runs(page, &html, error));
    return report_add_part(page->report, "about", "Standings", html.bytes, error);
}

/* Names each track and each of its parts as a suite, by which the page's results can be chosen. */
static enum status add_suites(const struct standings_page *page, struct error *error)
{
    SCOPED(memory_release) const char **instance = NULL;
    struct report_suite suite[TRACKS * (PARTS + 1)];
    SCOPED(names_free) struct names names = {0};
    uint32_t used = 0, suites = 0;
    TRY(memory_create(&instance, (size_t)page->instances.count * TRACKS * (PARTS + 1),
                      sizeof *instance, error));
    for (int i = 0; i < TRACKS; i++)
        for (unsigned part = 0; part <= PARTS; part++) {
            SCOPED(text_free) struct text name = {0};
            text_append(&name, "%s%s%s", tracks[i].name, part < PARTS ? " " : "",
                        part < PARTS ? parts[part] : "");
            TRY(text_check(&name, error));
            TRY(names_add(&names, name.bytes, error));
            suite[suites] = (struct report_suite){.instance = instance + used};
            for (uint32_t k = 0; k < page->set.count; k++) {
                const struct result_row *row = &page->set.row[k];
                const struct collection_entry *entry = collection_find(row->digest, row->instance);
                bool is_new = !k || strcmp(row->instance, row[-1].instance) != 0;
                if (!is_new || !entry || !is_in(&tracks[i], entry) ||
                    (part < PARTS && !is_of_part(entry, part)))
                    continue;
                instance[used++] = row->instance;
                suite[suites].instances++;
            }
            suites++;
        }
    for (uint32_t i = 0; i < suites; i++)
        suite[i].name = names_get(&names, i);
    return report_add_suites(page->report, page->folder, suite, suites, error);
}

static enum status add_tracks(struct standings_page *page, struct error *error)
{
    for (int i = 0; i < TRACKS; i++)
        TRY(add_track(page, &tracks[i], error));
    return STATUS_OK;
}

/* Writes all rows of the class beside the page, those too that newer ones have replaced. */
static enum status write_rows(const struct standings_page *page, struct error *error)
{
    const struct result_choice choice = {.instances = &page->instances,
                                         .time_limit_ns = page->arguments->time_limit_ns};
    SCOPED(text_free) struct text path = {0}, csv = {0};
    SCOPED(table_free) struct table table = {0};
    TRY(tables_build("rows", page->store, &choice, &table, error));
    TRY(table_write(&table, "csv", &csv, error));
    text_append(&path, "%s/rows.csv.gz", page->folder);
    TRY(text_check(&path, error));
    return gzip_write_file(path.bytes, &csv, error);
}

static enum status write_page(struct standings_page *page, const struct standings_page *base,
                              struct error *error)
{
    SCOPED(best_list_free) struct best_list known = {0};
    TRY(best_list_read(NULL, &known, error));
    TRY(write_overview(page, error));
    TRY(add_tracks(page, error));
    TRY(memories_track_add(page->arguments, page->store, page->report, error));
    if (page->arguments->operands)
        TRY(changes_add(
            page->report,
            &(struct standings_version){page->arguments->operand[0], &base->set, &base->lines},
            &(struct standings_version){page->arguments->database, &page->set, &page->lines},
            error));
    const struct entries entries = {page->store,  &page->set,
                                    page->folder, page->arguments->time_limit_ns,
                                    &page->runs,  page->arguments->pages ? &known : NULL};
    TRY(entries_add(page->report, &entries, error));
    TRY(report_add_results(page->report, page->store, page->folder, &page->set, true, error));
    TRY(add_suites(page, error));
    TRY(report_add_facts(page->report, page->store, error));
    TRY(report_finish(page->report, error));
    return write_rows(page, error);
}

/* Opens a store in memory with the rows of a CSV file. */
static enum status import_rows(const char *path, struct store **store, struct error *error)
{
    struct merge_transferred done;
    TRY(store_open(":memory:", STORE_WRITE, store, error));
    TRY(store_begin(*store, error));
    return store_end(*store, rows_file_import(*store, path, &done, error), error);
}

/* Reads the rows of the class from a database or a CSV file; it is wrong where there are none. */
static enum status read_rows(struct standings_page *page, const char *path, struct error *error)
{
    const struct arguments *arguments = page->arguments;
    bool is_rows = file_name_has_extension(path, ".csv") || file_name_has_extension(path, ".gz");
    struct result_choice choice = {.instances = &page->instances,
                                   .time_limit_ns = arguments->time_limit_ns};
    for (int i = 0; i < TRACKS; i++)
        TRY(add_names(&tracks[i], &page->instances, error));
    TRY(is_rows ? import_rows(path, &page->store, error)
                : store_open(path, STORE_READ, &page->store, error));
    TRY(runs_list(page->store, &page->runs, error));
    TRY(store_keep_rows(page->store, error));
    TRY(query_newest(page->store, &(struct result_filter){.choice = &choice}, &page->set, error));
    if (page->set.count)
        return STATUS_OK;
    choice.time_limit_ns = 0;
    query_free(&page->set);
    TRY(query_newest(page->store, &(struct result_filter){.choice = &choice}, &page->set, error));
    return error_set_at(error, STATUS_BAD_INPUT, path, 0,
                        "found %u rows of the collection, expected some with a limit of %.3g s",
                        page->set.count, (double)arguments->time_limit_ns / 1e9);
}

static enum status run_standings(const struct arguments *arguments, struct error *error)
{
    SCOPED(free_page)
    struct standings_page page = {.arguments = arguments,
                                  .folder = arguments->output ? arguments->output : "standings"};
    SCOPED(free_page) struct standings_page base = {.arguments = arguments};
    SCOPED(text_free) struct text title = {0};
    struct arguments own = *arguments;
    double seconds = (double)arguments->time_limit_ns / 1e9;
    bool is_class = false;
    for (size_t i = 0; i < sizeof class_ns / sizeof *class_ns; i++)
        is_class |= class_ns[i] == arguments->time_limit_ns;
    if (!is_class)
        return error_set(error, STATUS_USAGE,
                         "found a limit of %g s, expected that of a class: 1, 10 or 60", seconds);
    own.run = arguments->run ? arguments->run : "standings";
    own.resume = true;
    if (arguments->operands) {
        TRY(read_rows(&base, arguments->operand[0], error));
        TRY(add_tracks(&base, error));
    }
    for (int i = 0; i < TRACKS && !arguments->dry_run; i++)
        TRY(plan_track(&own, &tracks[i], error));
    if (!arguments->dry_run)
        TRY(memories_track_plan(&own, error));
    TRY(read_rows(&page, arguments->database, error));
    text_append(&title, "Standings on " COLLECTION_VERSION ", %.3g s for each plan", seconds);
    TRY(text_check(&title, error));
    TRY(report_create(page.folder, title.bytes, &page.report, error));
    TRY(write_page(&page, &base, error));
    unsigned failed = report_figures_failed(page.report);
    fprintf(stderr, "%s/index.html is the page, every table and figure stands beside it\n",
            page.folder);
    return failed ? error_set(error, STATUS_NO, "%u figures could not be drawn", failed)
                  : STATUS_OK;
}

const struct command command_standings = {
    .name = "standings",
    .summary = "plan the collection, and write the page of who stands where",
    .operands = "[BASE]",
    .most = 1,
    .time_limit_ns = UINT64_C(1000000000),
    .options = OPTIONS(OPTION_ONLY, OPTION_PLANNERS, OPTION_JOBS, OPTION_THREADS, OPTION_TIME_LIMIT,
                       OPTION_MEMORY_LIMIT, OPTION_DRY_RUN, OPTION_DB, OPTION_RUN, OPTION_OUTPUT,
                       OPTION_PAGES, OPTION_PLUGIN, OPTION_EXTERNAL),
    .help = HELP({OPTION_TIME_LIMIT, "class: time limit of each plan, 1 (the default), 10 or 60 s"},
                 {OPTION_DRY_RUN, "plan nothing, write the page of what the database has"},
                 {OPTION_RUN, "label of the run (default standings)"}),
    .description =
        "Plans every entry of the collection (memplan list collection) by the planners, leaves out "
        "what the database has already, so that a stopped run goes on, and writes a page into a "
        "folder (default standings): tables by track and by kind of planner, profiles, and every "
        "row with its command and layout. With --only NAME only that planner runs, and its line "
        "stands among those that the database has; memplan runs import brings the rows of the "
        "standings that come along. A page is of one class: rows with another limit, or with none "
        "that is known, are planned again and left out. With BASE, the rows.csv.gz of another page "
        "or "
        "a database, it says what changed since then.",
    .examples = "memplan standings --dry-run --db one-second.db -o standings\n"
                "memplan standings standings/rows.csv.gz --dry-run --db one-second.db -o now\n"
                "memplan standings --only mine --external 'mine=./mine {in} {out}' -t 10",
    .run = run_standings,
};
