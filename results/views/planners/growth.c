#include "results/views/planners/growth.h"

#include <math.h>

bool growth_point(const struct grid *grid, uint32_t line, uint32_t planner,
                  struct growth_point *point)
{
    const struct result_row *row = grid_at(grid, line, planner);
    if (!row || query_worth(row) == RESULT_NO_PLAN || *row->stop_reason || row->buffers < 2 ||
        !row->wall_ns)
        return false;
    *point = (struct growth_point){row->buffers, {row->wall_ns, row->planner_bytes}};
    return true;
}

double growth_value(const struct growth *growth, double buffers)
{
    return growth->factor * pow(buffers, growth->exponent);
}

/* Sums over the logarithms of buffers x and values y. */
struct sums {
    double n, x, y, xx, xy, yy;
};

static void solve(const struct sums *sums, struct growth *growth)
{
    double xx = sums->xx - sums->x * sums->x / sums->n;
    double xy = sums->xy - sums->x * sums->y / sums->n;
    double yy = sums->yy - sums->y * sums->y / sums->n;
    growth->exponent = xy / xx;
    growth->factor = exp((sums->y - growth->exponent * sums->x) / sums->n);
    double rest = fmax(0, yy - growth->exponent * xy);
    growth->deviation = sums->n > 2 ? sqrt(rest / (sums->n - 2) / xx) : 0;
    growth->explained = yy > 0 ? 1 - rest / yy : 1;
}

void growth_fit(const struct grid *grid, uint32_t planner, enum growth_quantity quantity,
                struct growth *growth)
{
    struct sums sums = {0};
    *growth = (struct growth){.planner = planner, .least_buffers = UINT64_MAX};
    for (uint32_t i = 0; i < grid->lines; i++) {
        struct growth_point point;
        if (!growth_point(grid, i, planner, &point) || !point.value[quantity])
            continue;
        growth->rows++;
        if (point.buffers < growth->least_buffers)
            growth->least_buffers = point.buffers;
        if (point.buffers > growth->most_buffers)
            growth->most_buffers = point.buffers;
        double x = log((double)point.buffers);
        double y = log((double)point.value[quantity]);
        sums.n++;
        sums.x += x;
        sums.y += y;
        sums.xx += x * x;
        sums.xy += x * y;
        sums.yy += y * y;
    }
    growth->is_fitted = growth->rows >= GROWTH_LEAST_ROWS &&
                        growth->most_buffers / GROWTH_LEAST_RANGE >= growth->least_buffers;
    if (growth->is_fitted)
        solve(&sums, growth);
}
