#ifndef MEMPLAN_CLI_PICTURE_H
#define MEMPLAN_CLI_PICTURE_H

#include "harness/job.h"
#include "results/store.h"

/* Draws a plot of the store into path by its extension: .svg, .pdf, .png, or .gp for the script. */
enum status picture_draw(const char *plot, struct store *store, const char *instance,
                         const char *policy, const char *planner, const char *path,
                         struct error *error);

/* Draws the layout of one outcome. */
enum status picture_draw_layout(const struct job *job, const struct outcome *outcome,
                                const char *path, struct error *error);

#endif
