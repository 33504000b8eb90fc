#include "plots/report/winners.h"

#include "plots/report/page.h"
#include "results/store/choice.h"
#include "results/table/escape.h"
#include "results/tables/tables.h"
#include "results/views/standings.h"

enum { MOST_ROWS = 10, MOST_NAMED = 3 };

/* Names those that share the first rank, which are at the front of the standings. */
static void append_sentence(struct text *html, const struct grid *grid,
                            const struct standings *standings)
{
    const struct standing *best = standings->standing;
    uint32_t first = 0;
    while (first < standings->count && best[first].rank == 1)
        first++;
    if (!first) {
        text_append(html, "<p>No planner has enough safe plans to be ranked.</p>\n");
        return;
    }
    text_append(html, "<p>");
    for (uint32_t i = 0; i < first && i < MOST_NAMED; i++) {
        text_append(html, "%s<strong>", i ? ", " : "");
        escape_html(html, names_get(&grid->planners, best[i].planner));
        text_append(html, "</strong>");
    }
    if (first > MOST_NAMED)
        text_append(html, " and %u more", first - MOST_NAMED);
    text_append(html,
                " %s: %u of %u times nobody has a lower peak, and on average it is %.4f times the "
                "best known lower bound. That is over the instances and policies for which each of "
                "the %u ranked planners has a safe plan.</p>\n",
                first == 1 ? "comes first" : "come first together", best->wins,
                standings->common.common, best->mean_ratio, standings->common.ranked);
}

static enum status append_table(struct store *store, struct text *html, struct error *error)
{
    const struct result_choice choice = {.top = MOST_ROWS};
    struct table table = {0};
    enum status status = tables_build("leaderboard", store, &choice, &table, error);
    if (!status)
        status = report_page_table(html, &table, error);
    table_free(&table);
    return status;
}

enum status winners_append(struct store *store, const struct result_set *set, struct text *html,
                           struct error *error)
{
    struct grid grid = {0};
    struct standings standings = {0};
    enum status status;
    TRY_OR_DONE(status, grid_create(set, &grid, error));
    TRY_OR_DONE(status, standings_create(&grid, &standings, error));
    text_append(html, "<h3>What won</h3>\n");
    append_sentence(html, &grid, &standings);
    if (standings.count)
        status = append_table(store, html, error);
done:
    standings_free(&standings);
    grid_free(&grid);
    return status;
}
