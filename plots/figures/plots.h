#ifndef MEMPLAN_PLOTS_FIGURES_PLOTS_H
#define MEMPLAN_PLOTS_FIGURES_PLOTS_H

#include "plots/script/recipe.h"

#define PLOT(name, function, ...) enum status plot_draw_##function(struct plot_drawing *drawing);
#include "plots/figures/plots.def"
#undef PLOT

unsigned plots_count(void);
const struct plot_recipe *plots_at(unsigned index);
const struct plot_recipe *plots_find(const char *name); /* NULL for none */
/* STATUS_USAGE for a name that is not that of a plot, with those that may be meant. */
enum status plots_refuse(const char *name, size_t length, struct error *error);

/* Appends the script of the plot with that name; STATUS_USAGE for an unknown name. */
enum status plot_script(const char *name, const struct plot_request *request, struct text *script,
                        struct error *error);

#endif
