#ifndef MEMPLAN_PLANNING_INPLACE_RULES_H
#define MEMPLAN_PLANNING_INPLACE_RULES_H

#include <stddef.h>
#include <stdint.h>

#include "core/error.h"

struct inplace_pass;

struct inplace_rules {
    const char *name;
    const char *title;  /* one line */
    const char *source; /* where the rules come from */
    /* Private, planning/inplace/pass.h. */
    void (*merge)(struct inplace_pass *pass);      /* of plain operators; NULL: nothing is merged */
    void (*merge_loop)(struct inplace_pass *pass); /* of loops; NULL: no border is crossed */
    /* Called before each operator by rules that cross borders; NULL for others. Uses in branches
       that exclude the operator's own branch are no longer pending afterwards. */
    void (*enter)(struct inplace_pass *pass, uint32_t o);
};

/* The sets of rules, "none" first. */
uint32_t inplace_count(void);
const struct inplace_rules *inplace_at(uint32_t index);
const struct inplace_rules *inplace_find(const char *name); /* NULL if there is none */
/* Returns STATUS_USAGE for a name that no rules have; the error suggests similar names. */
enum status inplace_refuse(const char *name, size_t length, struct error *error);

#endif
