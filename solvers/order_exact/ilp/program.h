#ifndef MEMPLAN_SOLVERS_ORDER_EXACT_ILP_PROGRAM_H
#define MEMPLAN_SOLVERS_ORDER_EXACT_ILP_PROGRAM_H

#include "planning/order/order_view.h"
#include "solvers/mip/model/model.h"

/* Orders as an integer program, after Steiner et al. 2022 (OLLA), whose variables say, for each
   step, which operators have run and which tensors are live. One operator runs in each step. A row
   says: sum of value * column >= bound. */

struct order_program {
    const struct order_view *view;
    struct mip_model *model;
    struct error *error;
};

/* Makes the program whose column 0 is the least load, which is at most most_bytes. Entries are
   O(operators^2 * uses). The program is zero-initialised except for view and error, and is freed
   with order_program_free, also after an error. */
enum status order_program_fill(struct order_program *program, uint64_t most_bytes);
void order_program_free(struct order_program *program);

/* The column that is 1 where operator v runs in this step or before. */
uint32_t order_program_ran(const struct order_program *program, uint32_t v, uint32_t step);
/* The column that is 1 where tensor t is live in this step. */
uint32_t order_program_live(const struct order_program *program, uint32_t t, uint32_t step);
/* Bytes that operator v takes beside its outputs while it runs. */
uint64_t order_program_extra(const struct order_program *program, uint32_t v);

/* These add to a program as mip_add_column and mip_add_entry do: `count` columns with values from 0
   to `most`, of which the first is returned; an entry for ran(v, step - 1), or none in step 0,
   before which nothing ran. */
uint32_t order_program_add_columns(struct order_program *program, uint32_t count, double most,
                                   bool integer);
void order_program_add_ran_before(struct order_program *program, uint32_t v, uint32_t step,
                                  double value);

#endif
