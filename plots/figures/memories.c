/* The plot memories: cost against capacity, a line for each set of problems whose names are equal
   but for their first number, such as memories:two?percent=30:... */

#include <ctype.h>
#include <string.h>

#include "plots/script/recipe.h"
#include "plots/script/script.h"
#include "results/views/fronts.h"

enum { MOST_LINES = 8, MOST_POINTS = 64, NAME_BYTES = 160 };

/* A problem: bytes of all memories with a capacity, the least cost of any planner, the greatest
   bound. */
struct point {
    double bytes, cost, bound;
};

struct line {
    char name[NAME_BYTES];           /* with # in the place of the number */
    struct point point[MOST_POINTS]; /* by rising capacity */
    uint32_t points;
};

static void name_line(const char *instance, char name[NAME_BYTES])
{
    size_t before = strcspn(instance, "0123456789");
    const char *behind = instance + before;
    while (isdigit((unsigned char)*behind))
        behind++;
    snprintf(name, NAME_BYTES, "%.*s%s%s", (int)before, instance, instance[before] ? "#" : "",
             behind);
}

/* False where no planner has a plan. */
static bool find_point(const struct measure_set *set, const char *instance, struct point *point)
{
    struct measure_parts parts;
    const char *variant = "";
    bool found = false;
    *point = (struct point){0, 0, 0};
    for (uint32_t i = 0; i < set->count; i++) {
        const struct measure *measure = &set->measure[i];
        double value = (double)measure->value / 1e3;
        if (strcmp(measure->instance, instance) != 0)
            continue;
        if (strcmp(measure->name, "cost") == 0 && (!found || value < point->cost)) {
            point->cost = value;
            found = true;
        }
        if (strcmp(measure->name, "cost_bound") == 0 && value > point->bound)
            point->bound = value;
        if (!measure_key_read(measure, MEASURE_CAPACITY_OF_MEMORY, &parts))
            continue;
        if (strcmp(variant, measure->variant) != 0) /* each planner has all of them */
            point->bytes = 0;
        variant = measure->variant;
        point->bytes += (double)measure->value;
    }
    return found && point->bytes > 0;
}

static void add_point(struct line *line, const struct point *point)
{
    uint32_t at = line->points;
    if (at == MOST_POINTS)
        return;
    for (; at && line->point[at - 1].bytes > point->bytes; at--)
        line->point[at] = line->point[at - 1];
    line->point[at] = *point;
    line->points++;
}

static uint32_t find_lines(const struct measure_set *set, struct line *line)
{
    uint32_t lines = 0;
    for (const char *instance = NULL; (instance = fronts_next(set, instance));) {
        struct point point;
        char name[NAME_BYTES];
        uint32_t at = 0;
        name_line(instance, name);
        while (at < lines && strcmp(line[at].name, name) != 0)
            at++;
        if (at == MOST_LINES || !find_point(set, instance, &point))
            continue;
        if (at == lines)
            memcpy(line[lines++].name, name, sizeof name);
        add_point(&line[at], &point);
    }
    return lines;
}

/* In relation to the greatest capacity, and to the greatest cost, of the line. */
static void add_line(const struct line *line, struct text *script)
{
    double bytes = line->point[line->points - 1].bytes, cost = 0;
    for (uint32_t p = 0; p < line->points; p++)
        cost = line->point[p].cost > cost ? line->point[p].cost : cost;
    for (uint32_t p = 0; p < line->points; p++)
        text_append(script, "%.6g %.6g %.6g\n", line->point[p].bytes / bytes,
                    cost > 0 ? line->point[p].cost / cost : 0,
                    cost > 0 ? line->point[p].bound / cost : 0);
    text_append(script, "\n\n");
}

enum status plot_draw_memories(struct plot_drawing *drawing)
{
    struct text *script = drawing->script;
    struct line line[MOST_LINES];
    memset(line, 0, sizeof line);
    uint32_t lines = find_lines(&drawing->measures, line);
    if (!lines)
        return plot_fail_empty(drawing);
    plot_begin(drawing, 800, 560, "solid: the cheapest plan, dotted: no plan costs less");
    text_append(script, "count = %u\n", lines);
    script_begin_array(script, "shown", lines);
    for (uint32_t i = 0; i < lines; i++)
        script_set_element(script, "shown", i, line[i].name);
    script_begin_data(script, "costs");
    for (uint32_t i = 0; i < lines; i++)
        add_line(&line[i], script);
    script_end_data(script);
    script_add_template(script, "capacity");
    return STATUS_OK;
}
