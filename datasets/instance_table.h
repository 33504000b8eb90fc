#ifndef MEMPLAN_DATASETS_INSTANCE_TABLE_H
#define MEMPLAN_DATASETS_INSTANCE_TABLE_H

#include "datasets/instance.h"
#include "datasets/network_builder.h"

/* A built-in instance: a network of the zoo, or a file under builtin/ that is compiled in. */
struct instance_source {
    struct instance_row row;
    enum status (*build)(const char *name, const struct network_options *options,
                         struct graph **graph, struct error *error); /* NULL: a file */
};

const struct instance_source *instance_source_find(const char *name); /* NULL if there is none */

/* Names of built-in instances that look like `name`, with blanks and commas between, or "". */
void instance_source_suggest(const char *name, char *names, size_t bytes);

#endif
