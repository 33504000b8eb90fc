#ifndef MEMPLAN_DATASETS_NETWORK_SCRIPT_H
#define MEMPLAN_DATASETS_NETWORK_SCRIPT_H

#include "datasets/network/layer.h"

/* Adds all layers that the text says for the network of that name; returns what the last one gives.
   O(lines run). */
uint32_t script_run(struct network *network, const struct text *text, const char *name);

#endif
