#ifndef MEMPLAN_PLANNING_ORDER_ORDER_H
#define MEMPLAN_PLANNING_ORDER_ORDER_H

#include "planning/order/order_view.h"
#include "planning/plan/planner.h"

/* The one interface of everything that puts the operators of a region into an order: a row of the
   table of orders. */

enum order_flag {
    ORDER_EXACT = 1,      /* may say optimal: no order has a lower load */
    ORDER_RANDOMISED = 2, /* another seed may give another order */
    ORDER_SEARCHES = 4,   /* tries many orders; stops at the time limit */
    ORDER_CLASS =
        8, /* proves its order for views of one class only, of any size; takes all views */
};

/* Rows of names for the flags, for lists. */
struct order_flag_row {
    enum order_flag flag;
    const char *name, *title;
};
enum { ORDER_FLAGS = 4 };
const struct order_flag_row *order_flag_at(uint32_t index);

struct order_task {
    const struct order_view *view; /* of at least one operator */
    uint64_t time_limit_ns;        /* UINT64_MAX: none */
    uint64_t memory_limit_bytes;   /* that a search may take for its states; UINT64_MAX: none */
    uint64_t seed;
    struct scratch *scratch; /* for memory of this order alone, see order_ask */
};

/* What an order says of itself. */
struct order_report {
    enum plan_status status; /* optimal or feasible, with a permutation; else timeout, memout or
                                unsupported, and none */
    uint64_t load_bytes;     /* of the permutation */
    uint64_t bound_bytes;    /* no order has a lower load; 0 where nothing is proved */
    uint64_t states;         /* that were expanded; 0 where the order does not search */
    char said[256];          /* what its program wrote to standard error last, on one line */
};

struct order_row {
    const char *name;                     /* id: lower case, digits and underscores */
    const char *title;                    /* one line */
    const char *source;                   /* paper or file that the rule comes from */
    unsigned flags;                       /* of order_flag */
    const void *rule;                     /* what rows of one file differ in; private to order */
    const struct planner_option *options; /* ends in a row without a name; NULL for none */
    const uint64_t *option_values;        /* [options]; NULL for the initial ones */

    /* Fills permutation[operators] with the operators in the order in which they run, and the whole
       report. Ties end at the stored order. STATUS_OK whenever the report says how it ended. */
    enum status (*order)(const struct order_row *row, const struct order_task *task,
                         uint32_t *permutation, struct order_report *report, struct error *error);
};

/* Calls row->order with a new scratch, which it frees. */
enum status order_ask(const struct order_row *row, const struct order_task *task,
                      uint32_t *permutation, struct order_report *report, struct error *error);

/* The value of the row's index-th option. */
uint64_t order_option_value(const struct order_row *row, uint32_t index);

/* A copy of the row with settings "name=value&name=value" and the name "row?settings"; with
   settings NULL only a copy. With STATUS_USAGE the error lists the settings that there are. The
   caller frees it with order_free. */
enum status order_configure(const struct order_row *row, const char *settings,
                            struct order_row **configured, struct error *error);
void order_free(struct order_row *configured); /* NULL is fine */
SCOPED_POINTER(struct order_row, order_release, order_free);

/* Ends an order that proves nothing: the report of a permutation, feasible, with its load. */
enum status order_report_feasible(const struct order_view *view, const uint32_t *permutation,
                                  struct order_report *report, struct error *error);

#endif
