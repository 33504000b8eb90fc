#ifndef MEMPLAN_PLOTS_RENDER_H
#define MEMPLAN_PLOTS_RENDER_H

#include "core/text.h"

/* Draws a gnuplot script into path; the extension (.svg, .pdf, .png) chooses the terminal. Runs
   gnuplot without a shell, writes beside path and renames, so that path holds a whole picture or
   what it held before. STATUS_USAGE for another extension or where gnuplot is not installed,
   STATUS_BAD_INPUT where path cannot be written, STATUS_INTERNAL with gnuplot's message where
   gnuplot fails. */
enum status plot_render(const char *script, const char *path, struct error *error);

#endif
