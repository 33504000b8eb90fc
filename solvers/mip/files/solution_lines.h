#ifndef MEMPLAN_SOLVERS_MIP_FILES_SOLUTION_LINES_H
#define MEMPLAN_SOLVERS_MIP_FILES_SOLUTION_LINES_H

#include "core/text.h"
#include "solvers/mip/model/program.h"

/* A solution file as its lines are read, see solvers/mip/files/solution.h. */
struct mip_solution {
    const char *file;
    struct mip_program program;
    double *value;     /* [columns] */
    unsigned *line_of; /* [columns] where its value is; 0 for none yet */
    double objective;
    bool has_objective;
};

/* Fills value, line_of and objective. All numbers are finite. */
enum status mip_solution_read_lines(struct mip_solution *solution, const struct text *text,
                                    struct error *error);

#endif
