
#include "cli/memories/memories.h"
#include "core/memory.h"
#include "plots/render.h"
#include "plots/script/memories.h"

/* Those of each memory, one memory after another. */
static void list_rectangles(const struct memory_problem *problem, const struct memory_plan *plan,
                            struct memory_rectangle *rectangle, struct memory_panel *panel,
                            struct memory_figure *figure)
{
    const struct problem *plain = problem->problem;
    size_t count = 0;
    for (uint32_t m = 0; m < problem->memories; m++) {
        panel[m] = (struct memory_panel){.name = names_get(&problem->names, m),
                                         .peak_bytes = plan->peak[m],
                                         .capacity_bytes = problem->memory[m].capacity_bytes,
                                         .first = count};
        for (uint32_t b = 0; b < plain->buffers; b++)
            for (uint32_t s = plain->first[b]; s < plain->first[b + 1] && plan->memory[b] == m;
                 s++) {
                rectangle[count++] =
                    (struct memory_rectangle){names_get(&plain->names, b), plain->lower[s],
                                              plain->upper[s], plan->offset[b], plain->size[b]};
                figure->steps = plain->upper[s] > figure->steps ? plain->upper[s] : figure->steps;
            }
        panel[m].rectangles = count - panel[m].first;
    }
}

enum status memories_draw(const struct memories_finding *finding, const char *path,
                          struct error *error)
{
    const struct memory_problem *problem = finding->problem;
    const struct problem *plain = problem->problem;
    SCOPED(memory_release) struct memory_rectangle *rectangle = NULL;
    SCOPED(memory_release) struct memory_panel *panel = NULL;
    SCOPED(text_free) struct text subtitle = {0};
    SCOPED(text_free) struct text script = {0};
    TRY(memory_create(&rectangle, plain->first[plain->buffers], sizeof *rectangle, error));
    TRY(memory_create(&panel, problem->memories, sizeof *panel, error));
    text_append(&subtitle, "%s, planner %s, %s ", names_get(&plain->name, 0),
                finding->planner->name, finding->costs_time ? "time in ns" : "cost");
    memory_file_write_cost(finding->plan->cost, &subtitle);
    text_append(&subtitle, ", at least ");
    memory_file_write_cost(finding->plan->cost_bound, &subtitle);
    TRY(text_check(&subtitle, error));
    struct memory_figure figure = {
        .subtitle = subtitle.bytes, .rectangle = rectangle, .panel = panel, .steps = 1};
    figure.panels = problem->memories;
    list_rectangles(problem, finding->plan, rectangle, panel, &figure);
    memory_figure_write(&figure, &script);
    TRY(text_check(&script, error));
    return plot_render(script.bytes, path, error);
}
