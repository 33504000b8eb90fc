#ifndef MEMPLAN_SOLVERS_MIP_MODEL_MODEL_H
#define MEMPLAN_SOLVERS_MIP_MODEL_MODEL_H

#include "core/names.h"
#include "planning/plan/plan.h"
#include "planning/problem/sections.h"
#include "solvers/mip/model/pairs.h"
#include "solvers/mip/model/switches.h"

/* An integer program whose optimum is the least peak of a problem's plans, in no solver's own form,
   so that all solvers and file formats get the same program. Which columns and rows it has, its
   formulation says (formulation.h). Column 0 is the peak. A row says: sum of value * column >=
   bound, or = bound. All bytes are divided by scale. */

struct mip_formulation;

struct mip_model {
    const struct problem *problem;
    const struct mip_formulation *formulation; /* NULL of a program that is none of a problem */
    unsigned switches;
    uint64_t scale;        /* bytes */
    uint64_t bound, upper; /* of the peak, scaled bytes */
    uint32_t columns, rows;
    uint32_t first_offset;    /* column of the offset of buffer 0, or MIP_NO_COLUMN */
    uint32_t first_pair;      /* column of the binary of pair 0, or MIP_NO_COLUMN */
    bool complete;            /* as the setup says */
    uint32_t *first_position; /* [buffers + 1] column of the first position of each buffer; NULL in
                                 a program without positions */
    uint64_t *position;       /* [first_position[buffers] - first_position[0]] units, ascending for
                                 each buffer */
    struct sections *sections;
    struct mip_pairs pairs;
    bool *integer; /* [columns] */
    double *column_lower, *column_upper;
    double *branch_weight; /* [columns] how much branching on it settles; 0: nothing */
    uint64_t *row_first;   /* [rows + 1] */
    double *row_bound;     /* [rows] */
    bool *row_equal;       /* [rows] */
    uint32_t *row_column;  /* [row_first[rows]] */
    double *row_value;
    uint32_t own_rows;   /* the rows that the formulation built; later ones were separated */
    struct names *names; /* [columns] where files want them, else NULL */
    char refusal[128];   /* why the formulation cannot model the problem, or "" */
    bool is_infeasible;  /* there is no plan up to upper: directions and bounds say so */
    uint64_t entries;    /* of all rows, also where they are too many to be kept */
    struct error error;  /* of the first allocation that failed; nothing is added then */
    size_t column_capacity[4], row_capacity[3], entry_capacity[2], position_capacity;
};

#define MIP_NO_COLUMN UINT32_MAX

/* A model with more row entries than this is refused, since it is too large for any solver here. */
#define MIP_MOST_ENTRIES 4000000u

/* Made by mip_model_create (build.h). */
void mip_model_free(struct mip_model *model); /* NULL is fine */
SCOPED_POINTER(struct mip_model, mip_model_release, mip_model_free);

/* Narrows bounds of columns, [columns] each, by what they say of boxes and directions. False where
   they leave no plan. Failed allocations are kept in model->error. */
bool mip_model_narrow(struct mip_model *model, double *lower, double *upper);

/* For formulations. Failed allocations are kept in model->error, which mip_model_check asks for. */

/* Adds an integer or a continuous column, which is returned; a failed model has no more columns
   than before. The name is a printf-style text. */
uint32_t mip_add_column(struct mip_model *model, double lower, double upper, bool integer);
void __attribute__((format(printf, 2, 3)))
mip_name_column(struct mip_model *model, const char *format, ...);
/* Adds an entry to the row that the next mip_close_row or mip_close_equation ends. */
void mip_add_entry(struct mip_model *model, uint32_t column, double value);
/* Adds up the entries of the open row that are of the same column. O(entries^2). */
void mip_merge_entries(struct mip_model *model);
void mip_close_row(struct mip_model *model, double bound);
void mip_close_equation(struct mip_model *model, double bound);
enum status mip_model_check(const struct mip_model *model, struct error *error);
void __attribute__((format(printf, 2, 3)))
mip_refuse(struct mip_model *model, const char *format, ...);

/* What stands for a buffer in the names of columns: its name if that has at most 40 characters, all
   letters, digits, '_' or '.', and no buffer before has the same name. Else other characters become
   '_' and the buffer's position in the problem is appended, as in name~17. So all names differ, and
   every reader of LP and MPS files takes them (CBC's allows 100 characters). */
enum { MIP_LABEL_BYTES = 41 };
/* A name of the column from labels of the pair's buffers: WHAT_A~~B, and WHAT_A~~B~~1 and so on for
   further windows of the two. */
void mip_name_pair_column(struct mip_model *model, const char *what, uint32_t pair);
const char *mip_label(const struct mip_model *model, uint32_t buffer, char label[MIP_LABEL_BYTES]);

/* The offset of the buffer is a multiple of this number of units. */
uint64_t mip_model_factor(const struct mip_model *model, uint32_t buffer);

/* Whether the values keep all bounds and rows of the model, without tolerance: those of a start are
   whole numbers held exactly. */
bool mip_model_holds(const struct mip_model *model, const double *values);
/* Whether the values break row r by more than the tolerance. */
bool mip_row_is_violated(const struct mip_model *model, uint32_t row, const double *values,
                         double tolerance);

#endif
