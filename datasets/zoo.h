#ifndef MEMPLAN_DATASETS_ZOO_H
#define MEMPLAN_DATASETS_ZOO_H

#include "datasets/instance.h"
#include "datasets/network_builder.h"

/* Published networks, built by code: one file for each family, zoo_FAMILY.c, with one row for each
   network in its table. A new family is its file and a row in zoo_families.def. */

/* What can be changed beside batch, dtype and fuse. */
enum {
    ZOO_IMAGE = 1,    /* size of the image */
    ZOO_SEQUENCE = 2, /* length of the sequence */
    ZOO_TRAINING = 4, /* backward operators */
};

struct zoo_network {
    struct instance_row row;
    unsigned options; /* ZOO_... */
    /* Adds all layers and returns the output; variant tells the networks of a family apart. */
    uint32_t (*build)(struct network *network, const void *variant);
    const void *variant;
};

struct zoo_family {
    const struct zoo_network *network;
    uint32_t networks;
};

#define ZOO_FAMILY(family) extern const struct zoo_family zoo_##family;
#include "datasets/zoo_families.def"
#undef ZOO_FAMILY

/* The definition of a family, at the end of its file. */
#define ZOO_DEFINE(family, rows)                                                                   \
    const struct zoo_family zoo_##family = {rows, sizeof(rows) / sizeof *(rows)}

#define ZOO_ROW(name, title, has_control_flow)                                                     \
    {                                                                                              \
        "zoo/" name, INSTANCE_GRAPH, title, false, has_control_flow                                \
    }

uint32_t zoo_count(void);
const struct zoo_network *zoo_at(uint32_t index);

/* name is the graph's name; the caller frees the graph. */
enum status zoo_build(const struct zoo_network *zoo, const char *name,
                      const struct network_options *options, struct graph **graph,
                      struct error *error);

/* Reads "batch=32&training=1", what follows the ? of an instance's name. Fails with STATUS_USAGE
   where the network has no such option, with a list of those it has. */
enum status zoo_read_options(const struct zoo_network *zoo, const char *text,
                             struct network_options *options, struct error *error);

#endif
