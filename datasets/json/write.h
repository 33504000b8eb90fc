#ifndef MEMPLAN_DATASETS_JSON_WRITE_H
#define MEMPLAN_DATASETS_JSON_WRITE_H

#include "core/text.h"
#include "datasets/json/tree.h"

/* Appends all of a tree that is closed: a value on each line, two blanks before it for each level,
   reals with 15 digits. No line end after it. */
void json_write(const struct json_tree *tree, struct text *text);

#endif
