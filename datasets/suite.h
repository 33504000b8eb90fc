#ifndef MEMPLAN_DATASETS_SUITE_H
#define MEMPLAN_DATASETS_SUITE_H

#include <stdbool.h>
#include <stdint.h>

/* Named sets of instances: each is a rule over the table of instance.h, so that an instance added
   there joins the suites it belongs to, or a list of names. */
enum suite_control_flow { SUITE_ANY, SUITE_WITH_CONTROL_FLOW, SUITE_WITHOUT_CONTROL_FLOW };

struct suite {
    const char *name;
    const char *title;   /* one line */
    const char *folders; /* blank-separated, e.g. "paper patent"; NULL for any */
    enum suite_control_flow control_flow;
    const char *const *list; /* names, to NULL; or NULL: the rule */
};

uint32_t suite_count(void);
const struct suite *suite_at(uint32_t index);
const struct suite *suite_find(const char *name); /* NULL if there is none */

/* Its instances in the order of the table or list: how many, and the name of one. O(instances). */
uint32_t suite_instances(const struct suite *suite);
const char *suite_instance(const struct suite *suite, uint32_t index);

#endif
