#ifndef MEMPLAN_DATASETS_ZOO_H
#define MEMPLAN_DATASETS_ZOO_H

#include "datasets/network_builder.h"

/* Published networks on an image of 224 x 224 x 3, one file each, and a row in instance_table.c.
   name is the graph's name; the caller frees the graph. */

enum status zoo_resnet50(const char *name, const struct network_options *options,
                         struct graph **graph, struct error *error);
enum status zoo_mobilenet_v1(const char *name, const struct network_options *options,
                             struct graph **graph, struct error *error);
enum status zoo_mobilenet_v2(const char *name, const struct network_options *options,
                             struct graph **graph, struct error *error);

#endif
