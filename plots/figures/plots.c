#include "plots/figures/plots.h"

#include <string.h>

#include "core/rows.h"
#include "results/views/fronts.h"
#include "results/views/memories.h"
#include "results/views/sizes.h"

static const struct plot_recipe recipes[] = {
#define PLOT(id, function, ...) {.name = id, .draw = plot_draw_##function, __VA_ARGS__},
#include "plots/figures/plots.def"
#undef PLOT
};

ROWS_DEFINE(plots, struct plot_recipe, recipes);
ROWS_DEFINE_FIND(plots, struct plot_recipe);
ROWS_DEFINE_REFUSE(plots, "plot", "memplan list plots");

enum status plot_script(const char *name, const struct plot_request *request, struct text *script,
                        struct error *error)
{
    const struct plot_recipe *recipe = plots_find(name);
    if (!recipe)
        return plots_refuse(name, strlen(name), error);
    if (request->is_dark)
        text_append(script, "theme = 'dark'\n");
    TRY(plot_recipe_draw(recipe, request, script, error));
    return text_check(script, error);
}
