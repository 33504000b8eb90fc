#ifndef MEMPLAN_CLI_OUTPUT_PICTURE_H
#define MEMPLAN_CLI_OUTPUT_PICTURE_H

#include "harness/job/job.h"
#include "plots/figures/plots.h"

/* Whether the name of a file is that of a picture that people look at. */
bool picture_has_name(const char *path);

/* Draws a plot into path by its extension: .svg, .pdf, .png, .gp for the script, or
   .dat for its data. */
enum status picture_draw(const char *plot, const struct plot_request *request, const char *path,
                         struct error *error);

/* Draws the layout of one outcome. */
enum status picture_draw_layout(const struct job *job, const struct outcome *outcome,
                                const char *path, struct error *error);

#endif
