#ifndef MEMPLAN_DATASETS_INSTANCE_TABLE_H
#define MEMPLAN_DATASETS_INSTANCE_TABLE_H

#include "datasets/instance.h"
#include "datasets/zoo/zoo.h"

/* A built-in instance: a network of the zoo, or a file under builtin/ that is compiled in. */
struct instance_source {
    struct instance_row row;
    const struct zoo_network *zoo; /* NULL: a file */
};

/* Whose name is the first `length` characters of name; false if there is none. */
bool instance_source_find(const char *name, size_t length, struct instance_source *source);

/* Names of built-in instances that look like `name`, with blanks and commas between, or "". */
void instance_source_suggest(const char *name, char *names, size_t bytes);

#endif
