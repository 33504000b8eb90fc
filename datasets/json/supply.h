#ifndef MEMPLAN_DATASETS_JSON_SUPPLY_H
#define MEMPLAN_DATASETS_JSON_SUPPLY_H

#include <stddef.h>
#include <yajl/yajl_common.h>

#include "core/error.h"

/* Memory for one parser of yajl, which does not look whether it got what it asked for: all that it
   can ask for is taken before it starts. What is never written costs address space only. */
struct supply {
    unsigned char *bytes; /* [capacity] */
    size_t used, capacity;
    size_t last; /* where the block begins that was handed out last */
};

/* Takes enough memory for parsing a text of so many bytes. The caller frees it with supply_free. */
enum status supply_create(struct supply *supply, size_t text_length, struct error *error);
void supply_free(struct supply *supply); /* one that was zeroed and never created is fine */

/* yajl's memory functions for this supply; yajl keeps a pointer to it. */
yajl_alloc_funcs supply_functions(struct supply *supply);

#endif
