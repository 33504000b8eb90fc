#ifndef MEMPLAN_SOLVERS_MIP_MODEL_FORMULATION_H
#define MEMPLAN_SOLVERS_MIP_MODEL_FORMULATION_H

#include "solvers/mip/model/model.h"

/* One way to write the least peak as an integer program: its columns, its rows, and how a plan is
   read off. Solvers, files, switches and measures are shared by all. */
struct mip_formulation {
    const char *name;
    const char *legend; /* what the names of its columns mean, for those who read its files */
    unsigned standard;  /* of mip_switch: those that are on by default */

    /* Adds columns, of which 0 is the peak, and rows; or refuses the problem with mip_refuse. The
       model has its sections, pairs, boxes and directions. */
    void (*build)(struct mip_model *model);
    /* Makes the plan that the values stand for; false where they stand for none. The caller
       verifies it. */
    bool (*to_plan)(const struct mip_model *model, const double *values, struct plan *plan);
    /* Finds the values of a plan, which is mirrored or changed where the model asks for that. The
       caller checks that they keep all rows. */
    void (*from_plan)(const struct mip_model *model, const struct plan *plan, double *values);
    /* Adds rows that the values break and every plan keeps, where the formulation leaves rows out
       at first; NULL where it has all. Where all integer columns are whole and nothing is added,
       the values stand for a plan whose peak is column 0. */
    void (*separate)(struct mip_model *model, const double *values);
};

/* The legend of programs with an offset for each buffer and a binary for each pair. */
#define MIP_LEGEND_OF_PAIRS "offset_A, and below_A~~B where A lies below B"

/* The formulations of solvers/mip/formulations/formulations.def, for files and for the race. */
uint32_t mip_formulation_count(void);
const struct mip_formulation *mip_formulation_at(uint32_t index);
const struct mip_formulation *mip_formulation_find(const char *name); /* NULL if none has it */
enum status mip_formulation_refuse(const char *name, size_t length, struct error *error);

#endif
