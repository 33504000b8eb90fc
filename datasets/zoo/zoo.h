#ifndef MEMPLAN_DATASETS_ZOO_ZOO_H
#define MEMPLAN_DATASETS_ZOO_ZOO_H

#include <stdbool.h>
#include <stdint.h>

#include "datasets/network/conv.h"
#include "datasets/network/elementwise.h"
#include "datasets/network/shape.h"

/* Published networks, built by code: one file for each family with one row for each
   network in its table. A new family is its file and a row in datasets/zoo_families.def. */

/* What can be changed beside batch, dtype and fuse. */
enum {
    ZOO_IMAGE = 1,    /* size of the image */
    ZOO_SEQUENCE = 2, /* length of the sequence */
    ZOO_TRAINING = 4, /* backward operators */
};

struct zoo_network {
    const char *name;  /* zoo/NAME */
    const char *title; /* one line */
    bool has_control_flow;
    unsigned options; /* ZOO_... */
    /* Adds all layers and returns the output; variant tells the networks of a family apart. */
    uint32_t (*build)(struct network *network, const void *variant);
    const void *variant;
};

struct zoo_family {
    const struct zoo_network *network;
    uint32_t networks;
};

/* The definition of a family, at the end of its file. */
#define ZOO_DEFINE(family, rows)                                                                   \
    const struct zoo_family zoo_##family = {rows, sizeof(rows) / sizeof *(rows)}

/* name is the graph's name; the caller frees the graph. */
enum status zoo_build(const struct zoo_network *zoo, const char *name,
                      const struct network_options *options, struct graph **graph,
                      struct error *error);

/* Reads "batch=32&training=1", what follows the ? of an instance's name. Fails with STATUS_USAGE
   where the network has no such option, with a list of those it has. */
enum status zoo_read_options(const struct zoo_network *zoo, const char *text,
                             struct network_options *options, struct error *error);

#endif
