#ifndef MEMPLAN_DATASETS_ZOO_RANDWIRE_H
#define MEMPLAN_DATASETS_ZOO_RANDWIRE_H

#include <stdbool.h>
#include <stdint.h>

#include "core/text.h"

/* A randomly wired network, drawn from its seed. */
struct randwire {
    uint64_t seed;
    uint32_t cells; /* 3: the whole network; 1: one cell alone; 0: nothing is drawn */
    bool fused;     /* a node's sum, ReLU and convolutions are one operator after the sum */
};

/* Writes its text, as the network of that name, made of the blocks of texts/randwire.txt. */
void randwire_write(const struct randwire *drawn, const char *name, struct text *text);

#endif
