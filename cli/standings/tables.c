#include "cli/standings/tables.h"

#include <math.h>
#include <string.h>

#include "cli/standings/tracks.h"
#include "core/memory.h"
#include "harness/catalogue/orders.h"
#include "plots/figures/plots.h"
#include "results/compare/statistics.h"
#include "results/table/escape.h"

/* Planners that take longer than this, in the median, stand among those that search. */
static const uint64_t quick_ns = 10000000;

/* Which planners a table has: those that end within quick_ns, that search, that prove, or all. */
enum kind { KIND_QUICK, KIND_SEARCH, KIND_EXACT, KINDS, KIND_ALL = KINDS };
static const char *const kind_names[] = {"quick", "search", "exact", "all"};
static const char *const kind_titles[] = {"median below 10 ms", "anytime", "that prove optima",
                                          "all planners"};

static enum kind find_kind(const struct standings_version *version, const char *planner,
                           uint64_t median_ns)
{
    const struct planner *found =
        registry_find(version->arguments->registry, planner, strcspn(planner, "?"));
    if (found && !found->content && found->flags & PLANNER_EXACT)
        return KIND_EXACT;
    return median_ns < quick_ns ? KIND_QUICK : KIND_SEARCH;
}

/* Whether it is ours, which the page says of each planner and order. */
static const char *name_origin(const struct standings_version *version,
                               const struct standings_track *track, const char *name)
{
    const struct order_row *order = track->orders ? orders_find(name) : NULL;
    const struct planner *planner =
        track->orders ? NULL
                      : registry_find(version->arguments->registry, name, strcspn(name, "?"));
    const char *source = order                          ? order->source
                         : planner && !planner->content ? planner->source
                                                        : NULL;
    if (!source)
        return "brought";
    return strncmp(source, "ours", strlen("ours")) == 0 ? "ours" : "published";
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

/* Marks the lines of the entries of a part. */
static void take_part(const struct contest *contest, unsigned part, bool *taken)
{
    for (uint32_t i = 0; i < contest->grid.lines; i++) {
        const struct collection_entry *entry = find_entry(contest, i);
        taken[i] = entry && standings_part_has(part, entry);
    }
}

/* Lets the numbers of a planner lead to the rows that they are from, by the suites of the page. */
static enum status link_standing(const struct standings_track *track, const char *name,
                                 struct table *table, struct error *error)
{
    enum { FIRST_NUMBER = 3, FIRST_PART = 9, MET = 5 };
    for (uint32_t column = FIRST_NUMBER; column < table_columns(table); column++) {
        SCOPED(text_free) struct text address = {0}, suite = {0};
        bool is_part = column >= FIRST_PART && column < FIRST_PART + STANDINGS_PARTS;
        text_append(&suite, "%s%s%s", track->name, is_part ? " " : "",
                    is_part ? standings_parts[column - FIRST_PART] : "");
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
        *interval = statistics_mean(value, count, 1);
    return STATUS_OK;
}

static enum status add_standing(const struct standings_version *version,
                                const struct standings_track *track, const struct contest *contest,
                                uint32_t place, bool *taken, struct table *table,
                                struct error *error)
{
    const struct standing *standing = &contest->standings.standing[place];
    const char *name = contest_name(contest, place);
    const bool is_ranked = standing->rank > 0;
    struct statistics_interval interval;
    TRY(find_interval(contest, standing->planner, &interval, error));
    table_add(table, cell_known(is_ranked, standing->rank), cell_text(name),
              cell_text(name_origin(version, track, name)), cell_number(standing->plans),
              cell_known(is_ranked, standing->wins), cell_number(standing->met),
              cell_known_real(standing->mean_ratio > 0, standing->mean_ratio, 4),
              /* no peak is below a lower bound */
              cell_known_real(is_ranked, fmax(1, exp(interval.lower)), 4),
              cell_known_real(is_ranked, exp(interval.upper), 4));
    for (unsigned part = 0; part < STANDINGS_PARTS; part++) {
        struct standing_part judged;
        take_part(contest, part, taken);
        standings_judge_part(&contest->grid, &contest->standings, standing->planner, taken,
                             &judged);
        table_add(table, cell_known_real(is_ranked && judged.lines, judged.mean_ratio, 4));
    }
    table_add(table, cell_real((double)standing->median_ns / 1e6, 3),
              cell_number(standing->without), cell_number(standing->refused));
    if (version->arguments->mine && strcmp(name, version->arguments->mine) == 0)
        table_mark(table, table_rows(table) - 1, 1);
    return link_standing(track, name, table, error);
}

static enum status add_figure(const struct standings_version *version, const char *plot,
                              const struct standings_track *track, const char *kind,
                              const struct result_choice *choice, struct error *error)
{
    const struct plot_request request = {.store = version->store, .choice = choice};
    SCOPED(text_free) struct text script = {0}, name = {0}, title = {0};
    struct error reason = ERROR_NONE;
    if (!version->report)
        return STATUS_OK;
    enum status status = plot_script(plot, &request, &script, &reason);
    if (status == STATUS_NO)
        return STATUS_OK;
    TRY(status);
    text_append(&name, "%s-%s-%s", plot, track->name, kind);
    text_append(&title, "%s: %s", plots_find(plot)->title, track->title);
    TRY(text_check(&name, error));
    TRY(text_check(&title, error));
    return report_add_figure(version->report, name.bytes, title.bytes, script.bytes, error);
}

static enum status add_table(struct standings_version *version, const struct standings_track *track,
                             const struct contest *contest, enum kind kind, struct error *error)
{
    SCOPED(table_free) struct table table = {.links = "#results"};
    SCOPED(text_free) struct text title = {0}, name = {0};
    SCOPED(memory_release) bool *taken = NULL;
    const struct common_lines *common = &contest->standings.common;
    text_append(&name, "%s-%s", track->name, kind_names[kind]);
    TRY(text_check(&name, error));
    TRY(standings_lines_note(&version->lines, name.bytes, contest, error));
    if (!version->report)
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
        TRY(add_standing(version, track, contest, i, taken, &table, error));
    table_add_note(
        &table,
        "%.3g s for each plan. mean, and from and to, its 95%% interval: geometric, of peak / best "
        "known lower bound, over the %u of %u rows where each of the %u ranked planners has a safe "
        "plan; easy to open, and the halves: over those of these rows.",
        (double)version->arguments->time_limit_ns / 1e9, common->common, contest->grid.lines,
        common->ranked);
    return report_add_table(version->report, name.bytes, &table, error);
}

/* Adds the table of one kind of planners, with its figures. */
static enum status add_kind(struct standings_version *version, const struct standings_track *track,
                            const struct result_choice *all, const struct contest *whole,
                            enum kind kind, struct error *error)
{
    SCOPED(names_free) struct names planners = {0};
    SCOPED(contest_free) struct contest contest = {0};
    struct result_choice choice = *all;
    const struct standings *standings = &whole->standings;
    for (uint32_t i = 0; i < standings->count; i++)
        if (find_kind(version, contest_name(whole, i), standings->standing[i].median_ns) == kind)
            TRY(names_add(&planners, contest_name(whole, i), error));
    if (!planners.count)
        return STATUS_OK;
    choice.planners = &planners;
    TRY(contest_open(version->store, &choice, &contest, error));
    TRY(add_table(version, track, &contest, kind, error));
    TRY(add_figure(version, "profile", track, kind_names[kind], &choice, error));
    return add_figure(version, "cactus", track, kind_names[kind], &choice, error);
}

static enum status add_track(struct standings_version *version, const struct standings_track *track,
                             struct error *error)
{
    SCOPED(names_free) struct names instances = {0};
    SCOPED(contest_free) struct contest contest = {0};
    TRY(standings_track_names(track, &instances, error));
    const struct result_choice choice = {.instances = &instances,
                                         .mine = version->arguments->mine,
                                         .time_limit_ns = version->arguments->time_limit_ns,
                                         .by_orders = track->orders != NULL};
    struct error reason = ERROR_NONE;
    enum status status = contest_open(version->store, &choice, &contest, &reason);
    if (status == STATUS_NO || (!status && !contest.standings.count))
        return !version->report ? STATUS_OK
                                : report_add_absent(version->report, track->name,
                                                    "nothing was planned of this track", error);
    TRY(status);
    if (version->report)
        TRY(report_add_section(version->report, track->title, "", error));
    if (!track->by_kinds) {
        TRY(add_table(version, track, &contest, KIND_ALL, error));
        TRY(add_figure(version, "profile", track, "all", &choice, error));
        return add_figure(version, "cactus", track, "all", &choice, error);
    }
    for (int kind = 0; kind < KINDS; kind++)
        TRY(add_kind(version, track, &choice, &contest, (enum kind)kind, error));
    return STATUS_OK;
}

enum status standings_tables_add(struct standings_version *version, struct error *error)
{
    for (int i = 0; i < STANDINGS_TRACKS; i++)
        TRY(add_track(version, &standings_tracks[i], error));
    return STATUS_OK;
}
