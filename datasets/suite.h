#ifndef MEMPLAN_DATASETS_SUITE_H
#define MEMPLAN_DATASETS_SUITE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/error.h"

/* Named sets of instances. A suite is a rule over the table of built-in instances
   (instance_table.h), so that an instance added there joins the suites to which it belongs, and a
   list of further names. */
enum suite_control_flow { SUITE_ANY, SUITE_WITH_CONTROL_FLOW, SUITE_WITHOUT_CONTROL_FLOW };

struct suite {
    const char *name;
    const char *title; /* one line */
    /* Blank-separated names of folders, such as "paper patent"; NULL for any, "" for none. */
    const char *folders;
    enum suite_control_flow control_flow;
    const char *const *names; /* as instance_load takes them, NULL at the end; or NULL */
    bool with_other_lists;    /* includes what other suites list, except built-in instances */
    bool is_apart;            /* too large to be part of a suite of everything */
    bool is_collection;       /* has the entries of the collection, and no others */
    bool has_memories;        /* its names are those of memory_instance.h, not of instance_load */
};

uint32_t suite_count(void);
const struct suite *suite_at(uint32_t index);
const struct suite *suite_find(const char *name); /* NULL if there is none */
/* Finds a suite by a name in a list; STATUS_USAGE for an unknown name, with those that may be
   meant. */
enum status suite_select(const char *name, size_t length, const struct suite **suite,
                         struct error *error);

/* The number of a suite's instances, and the name of each, those of the table first; NULL behind
   the last. O(instances). */
uint32_t suite_instances(const struct suite *suite);
const char *suite_instance(const struct suite *suite, uint32_t index);

#endif
