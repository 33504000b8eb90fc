#ifndef MEMPLAN_RESULTS_TABLES_REPRODUCED_OWN_FORM_H
#define MEMPLAN_RESULTS_TABLES_REPRODUCED_OWN_FORM_H

#include "results/store/measures.h"
#include "results/table/table.h"

/* A place of a source whose figures are called "ROW: COLUMN", a table say, as the source prints it:
   its rows and columns in its order. Below a printed row stands what was measured, and below that
   what follows from other printed figures, if there is any, each with its verdicts at its end. */

struct own_form {
    const char *source, *place; /* as in results/published/ */
    const char *heading;        /* of the rows: "network" */
    const char *caption;
};

/* Fills a zeroed table, which the caller frees, also after an error. set has the measures of the
   source's topic. STATUS_INTERNAL where no figure stands there. */
enum status own_form_make(const struct own_form *form, const struct measure_set *set,
                          struct table *table, struct error *error);

#endif
