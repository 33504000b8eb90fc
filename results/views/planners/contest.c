#include "results/views/planners/contest.h"

#include <assert.h>

#include "results/store/order_rows.h"

enum status contest_open(struct store *store, const struct result_choice *choice,
                         struct contest *contest, struct error *error)
{
    const struct result_filter filter = {.choice = choice};
    *contest = (struct contest){0};
    TRY(query_newest(store, &filter, &contest->set, error));
    enum status status =
        choice && choice->by_orders ? order_rows_compete(&contest->set, error) : STATUS_OK;
    if (!status)
        status = grid_create(&contest->set, &contest->grid, error);
    if (!status)
        status = standings_create(&contest->grid, &contest->standings, error);
    if (status)
        contest_free(contest);
    return status;
}

void contest_free(struct contest *contest)
{
    standings_free(&contest->standings);
    grid_free(&contest->grid);
    query_free(&contest->set);
}

const char *contest_name(const struct contest *contest, uint32_t place)
{
    assert(place < contest->standings.count);
    return names_get(&contest->grid.planners, contest->standings.standing[place].planner);
}
