#ifndef MEMPLAN_PLOTS_SCRIPT_RECIPE_H
#define MEMPLAN_PLOTS_SCRIPT_RECIPE_H

#include "core/text.h"
#include "results/store/store.h"
#include "results/views/recipe.h"

/* One of several layouts that stand side by side in a figure: the newest plan of this instance,
   policy and planner, of which NULL stands for any. */
struct plot_panel {
    const char *instance, *policy, *planner;
    const char *heading; /* or NULL */
};
enum { PLOT_MOST_PANELS = 3 };

/* What to draw. */
struct plot_request {
    struct store *store;
    const struct result_choice *choice; /* NULL for all there is */
    bool is_dark;                       /* light figures on a dark ground */
    const struct plot_panel *panel;     /* [PLOT_MOST_PANELS] for those of the recipe, or NULL */
};

/* A plot that is being drawn, and the data that its recipe asks for, which has been read. */
struct plot_drawing {
    const struct plot_recipe *recipe;
    const struct plot_request *request;
    struct contest contest; /* the newest rows in contest.set; the rest for TABLE_OF_CONTEST only */
    struct measure_set measures;
    uint32_t most; /* lines that the figure can show; 0: any number */
    /* Of plot_shown: lines that the figure shows, lines that there are, and mine among those shown,
       from 1; 0 where there is none. */
    uint32_t shown, available, mine;
    struct text *script;
    struct error *error;
};

/* A plot, a row of plots/figures/plots.def: the script that draw appends contains its data and
   draws itself with "gnuplot NAME.gp > NAME.svg". */
struct plot_recipe {
    const char *name;
    /* Appends the script. STATUS_NO where there are no results for it, see plot_fail_empty. */
    enum status (*draw)(struct plot_drawing *drawing);
    const char *title;
    const char *data; /* the kind of results that it needs, for lists and errors */
    enum table_source source;
    const char *topic;           /* of the measures */
    struct result_filter filter; /* of the rows; its choice is that of the request */

    const char *model;                         /* (bars) of Wang et al. 2025, Figure 5 */
    struct plot_panel panel[PLOT_MOST_PANELS]; /* (layout) the first, and others with an instance */

    enum table_subject subject; /* that the user may name */
    const char *example;        /* the plot's name and options; NULL for its name alone */
};

enum status plot_recipe_draw(const struct plot_recipe *recipe, const struct plot_request *request,
                             struct text *script, struct error *error);

/* Appends the settings that all plots share, with the size in pixels and a subtitle, which says how
   many of how many lines plot_shown chose where these are not all. */
void plot_begin(struct plot_drawing *drawing, unsigned width, unsigned height, const char *subtitle,
                ...) __attribute__((format(printf, 4, 5)));

/* Appends an array with the names of the first planners of the standings. */
void plot_name_planners(struct plot_drawing *drawing, uint32_t shown);

/* How many lines or rows a figure shows: as many as were asked for, else at most `usual`. */
uint32_t plot_shown(struct plot_drawing *drawing, uint32_t available, uint32_t usual);

/* Does the same for lines that have names: item is [available], each of `bytes`, the best first. If
   mine is among them, it is moved to the last place that is shown unless it is shown anyway. */
struct plot_lines {
    void *item;
    size_t bytes;
    const char *(*name)(const void *context, const void *item);
    const void *context;
};
uint32_t plot_shown_lines(struct plot_drawing *drawing, const struct plot_lines *lines,
                          uint32_t available, uint32_t usual);

/* Does the same for the planners of the standings. */
uint32_t plot_shown_planners(struct plot_drawing *drawing, uint32_t available, uint32_t usual);

/* Fails with STATUS_NO, since there are no results for the plot. */
enum status plot_fail_empty(const struct plot_drawing *drawing);

#endif
