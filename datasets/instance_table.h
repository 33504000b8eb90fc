#ifndef MEMPLAN_DATASETS_INSTANCE_TABLE_H
#define MEMPLAN_DATASETS_INSTANCE_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/text.h"
#include "datasets/zoo/zoo.h"

/* The built-in instances: files of builtin/ that are compiled in, then the networks of the zoo. */
enum instance_kind { INSTANCE_GRAPH, INSTANCE_PROBLEM };

struct instance_row {
    const char *name;
    enum instance_kind kind;
    const char *title; /* one line */
    /* The source did not publish all of it: what is missing, the layers of a graph or its sizes,
       was made to match what is printed. */
    bool is_reconstruction;
    bool has_control_flow;
};

uint32_t instance_count(void);
struct instance_row instance_at(uint32_t index);         /* index < instance_count() */
const char *instance_kind_name(enum instance_kind kind); /* "graph", "problem" */

/* Where a built-in instance comes from. */
struct instance_source {
    struct instance_row row;
    const struct zoo_network *zoo; /* NULL: a file */
};

/* Finds the built-in instance whose name is the first `length` characters; false where there is
   none. */
bool instance_source_find(const char *name, size_t length, struct instance_source *source);

/* Appends the names of built-in instances that look like `name`, with commas between. */
void instance_source_suggest(const char *name, struct text *names);

#endif
