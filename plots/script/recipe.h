#ifndef MEMPLAN_PLOTS_SCRIPT_RECIPE_H
#define MEMPLAN_PLOTS_SCRIPT_RECIPE_H

#include "core/text.h"
#include "results/store/choice.h"
#include "results/store/store.h"

/* What to draw. */
struct plot_request {
    struct store *store;
    const struct result_choice *choice; /* NULL for all there is */
    bool is_dark;                       /* light figures on a dark ground */
};

/* A plot, see plots/figures/plots.def: the script that build appends contains its data and draws
   itself with "gnuplot NAME.gp > NAME.svg". */
struct plot_recipe {
    const char *name;
    const char *title;
    const char *data; /* the kind of results that it needs, for lists and errors */

    /* Appends the script. STATUS_NO where the store has no results for it. */
    enum status (*build)(const struct plot_recipe *recipe, const struct plot_request *request,
                         struct text *script, struct error *error);
    const void *detail; /* private to the file that defines the recipe */

    enum table_subject subject; /* that the user may name */
    const char *example;        /* the plot's name and options; NULL for its name alone */
};

/* How many lines or rows a figure shows: as many as were asked for, else at most `usual`. */
uint32_t plot_recipe_shown(const struct plot_request *request, uint32_t available, uint32_t usual);

/* Fails with STATUS_NO, since there are no results for the plot. */
enum status plot_recipe_fail_empty(const struct plot_recipe *recipe, struct error *error);

#endif
