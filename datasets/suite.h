#ifndef MEMPLAN_DATASETS_SUITE_H
#define MEMPLAN_DATASETS_SUITE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/error.h"

/* Named sets of instances: a rule over the table of instance.h, so that an instance added there
   joins the suites it belongs to, and names listed after those. */
enum suite_control_flow { SUITE_ANY, SUITE_WITH_CONTROL_FLOW, SUITE_WITHOUT_CONTROL_FLOW };

struct suite {
    const char *name;
    const char *title;   /* one line */
    const char *folders; /* blank-separated, e.g. "paper patent"; NULL for any, "" for none */
    enum suite_control_flow control_flow;
    const char *const *names; /* as instance_load takes them, NULL at the end; or NULL */
    bool with_other_lists; /* takes in what other suites list, where that is no built-in instance */
    bool is_apart;         /* too large for a suite of everything */
};

uint32_t suite_count(void);
const struct suite *suite_at(uint32_t index);
const struct suite *suite_find(const char *name); /* NULL if there is none */
/* One of a list: STATUS_USAGE for a name that is none, with those it may stand for. */
enum status suite_select(const char *name, size_t length, const struct suite **suite,
                         struct error *error);

/* Its instances, those of the table first: how many, and the name of one, NULL after the last.
   O(instances). */
uint32_t suite_instances(const struct suite *suite);
const char *suite_instance(const struct suite *suite, uint32_t index);

#endif
