#ifndef MEMPLAN_DATASETS_ZOO_ZOO_H
#define MEMPLAN_DATASETS_ZOO_ZOO_H

#include "datasets/network/network.h"

/* Published networks. Each is a text in texts/ (one file for each family) and a row of
   networks.def. */

/* What can be changed beside batch, dtype, fuse and streams. */
enum {
    ZOO_IMAGE = 1,    /* size of the image */
    ZOO_SEQUENCE = 2, /* length of the sequence */
    ZOO_TRAINING = 4, /* backward operators */
};

/* A randomly wired network, drawn from its seed. */
struct randwire {
    uint64_t seed;
    uint32_t cells; /* 3: the whole network; 1: one cell alone; 0: nothing is drawn */
    bool fused;     /* a node's sum, ReLU and convolutions are one operator after the sum */
};

struct zoo_network {
    const char *name;  /* zoo/NAME, or wired/NAME */
    const char *file;  /* of its text, without folder and extension */
    unsigned options;  /* ZOO_... */
    const char *title; /* one line */
    bool has_control_flow;
    struct randwire drawn;
};

/* All networks of the zoo. */
uint32_t zoo_count(void);
const struct zoo_network *zoo_at(uint32_t index); /* index < zoo_count() */

/* name is the graph's name; the caller frees the graph. */
enum status zoo_build(const struct zoo_network *zoo, const char *name,
                      const struct network_options *options, struct graph **graph,
                      struct error *error);

/* Reads "batch=32&training=1", what follows the ? of an instance's name. Fails with STATUS_USAGE
   where the network has no such option, with a list of those it has. */
enum status zoo_read_options(const struct zoo_network *zoo, const char *text,
                             struct network_options *options, struct error *error);

#endif
