#ifndef MEMPLAN_PLOTS_FIGURES_BUILDERS_H
#define MEMPLAN_PLOTS_FIGURES_BUILDERS_H

#include "plots/figures/plots.h"

/* The build functions of the rows in plots.c, and what a row tells them. */

/* One panel of a layout; NULL: what the request asks for, else any. */
struct layout_panel {
    const char *instance, *policy, *planner;
    const char *heading;
};
enum { LAYOUT_MOST_PANELS = 3 };
struct layout_detail {
    unsigned panels;
    struct layout_panel panel[LAYOUT_MOST_PANELS];
};
enum status plot_build_layout(const struct plot_recipe *recipe, const struct plot_request *request,
                              struct text *script, struct error *error);

/* A model of Wang et al. 2025, Figure 5. */
struct bars_detail {
    const char *instance, *published;
};
enum status plot_build_bars(const struct plot_recipe *recipe, const struct plot_request *request,
                            struct text *script, struct error *error);

enum status plot_build_anytime(const struct plot_recipe *recipe, const struct plot_request *request,
                               struct text *script, struct error *error);
enum status plot_build_front(const struct plot_recipe *recipe, const struct plot_request *request,
                             struct text *script, struct error *error);
enum status plot_build_gaps(const struct plot_recipe *recipe, const struct plot_request *request,
                            struct text *script, struct error *error);
enum status plot_build_policies(const struct plot_recipe *recipe,
                                const struct plot_request *request, struct text *script,
                                struct error *error);
enum status plot_build_peaks(const struct plot_recipe *recipe, const struct plot_request *request,
                             struct text *script, struct error *error);

#endif
