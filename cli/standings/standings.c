/* The command standings: plans what is missing of the collection, and writes the page that says how
   planners stand on it, by tracks and classes. */
#include <stdio.h>

#include "cli/arguments/command.h"
#include "cli/standings/memories.h"
#include "cli/standings/page.h"
#include "cli/standings/tables.h"
#include "cli/standings/tracks.h"
#include "core/plural.h"
#include "core/text.h"

/* The limits of a plan by which standings are made, each with tables of its own. */
static const uint64_t class_ns[] = {1000000000, 10000000000, 60000000000};

static bool is_class(uint64_t limit_ns)
{
    size_t i = 0;
    while (i < sizeof class_ns / sizeof *class_ns && class_ns[i] != limit_ns)
        i++;
    return i < sizeof class_ns / sizeof *class_ns;
}

static enum status plan_missing(const struct arguments *arguments, struct error *error)
{
    struct arguments own = *arguments;
    own.run = arguments->run ? arguments->run : "standings";
    own.resume = true;
    for (int i = 0; i < STANDINGS_TRACKS; i++)
        TRY(standings_track_plan(&own, &standings_tracks[i], error));
    return standings_memories_plan(&own, error);
}

static enum status run_standings(const struct arguments *arguments, struct error *error)
{
    SCOPED(standings_version_free) struct standings_version base = {.arguments = arguments};
    SCOPED(standings_version_free)
    struct standings_version now = {.arguments = arguments,
                                    .folder = arguments->output ? arguments->output : "standings"};
    SCOPED(text_free) struct text title = {0};
    double seconds = (double)arguments->time_limit_ns / 1e9;
    if (!is_class(arguments->time_limit_ns))
        return error_set(error, STATUS_USAGE,
                         "found a limit of %g s, expected that of a class: 1, 10 or 60", seconds);
    if (arguments->operands) {
        TRY(standings_version_read(&base, arguments->operand[0], error));
        TRY(standings_tables_add(&base, error));
    }
    if (!arguments->dry_run)
        TRY(plan_missing(arguments, error));
    TRY(standings_version_read(&now, arguments->database, error));
    text_append(&title, "Standings on " COLLECTION_VERSION ", %.3g s for each plan", seconds);
    TRY(text_check(&title, error));
    TRY(report_create(now.folder, title.bytes, &now.report, error));
    TRY(standings_page_write(&now, arguments->operands ? &base : NULL, error));
    fprintf(stderr, "%s/index.html is the page, every table and figure stands beside it\n",
            now.folder);
    unsigned failed = report_figures_failed(now.report);
    return failed ? error_set(error, STATUS_NO, "%u figure%s could not be drawn", failed,
                              plural_ending(failed))
                  : STATUS_OK;
}

const struct command command_standings = {
    .name = "standings",
    .summary = "plan the collection, and write the page that ranks planners",
    .operands = "[BASE]",
    .most = 1,
    .time_limit_ns = UINT64_C(1000000000),
    .options = OPTIONS(OPTION_MINE, OPTION_PLANNERS, OPTION_JOBS, OPTION_THREADS, OPTION_TIME_LIMIT,
                       OPTION_MEMORY_LIMIT, OPTION_DRY_RUN, OPTION_DB, OPTION_RUN, OPTION_OUTPUT,
                       OPTION_PAGES, OPTION_PLUGIN, OPTION_EXTERNAL),
    .help = HELP({OPTION_MINE,
                  "run this planner alone, and let it stand out among those that the database has"},
                 {OPTION_TIME_LIMIT, "class: time limit of each plan, 1 (the default), 10 or 60 s"},
                 {OPTION_DRY_RUN, "plan nothing, write the page of what the database has"},
                 {OPTION_RUN, "label of the run (default standings)"}),
    .description =
        "Plans every entry of the collection (memplan list collection) by the planners, leaves out "
        "what the database has already, so that a stopped run goes on, and writes a page into a "
        "folder (default standings): tables by track and by kind of planner, profiles, and every "
        "row with its command and layout. With --mine NAME only that planner runs, and its line "
        "stands among those that the database has; memplan runs import brings the rows of the "
        "standings that come along. A page is of one class: rows with another limit, or with none "
        "that is known, are planned again and left out. With BASE, the rows.csv.gz of another page "
        "or "
        "a database, it says what changed since then.",
    .examples = "memplan standings --dry-run --db one-second.db -o standings\n"
                "memplan standings standings/rows.csv.gz --dry-run --db one-second.db -o now\n"
                "memplan standings --mine mine --external 'mine=./mine {in} {out}' -t 10",
    .run = run_standings,
};
