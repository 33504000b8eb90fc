#ifndef MEMPLAN_RESULTS_TABLES_REPRODUCED_QUANTISED_H
#define MEMPLAN_RESULTS_TABLES_REPRODUCED_QUANTISED_H

#include "results/published/published.h"

/* The networks of Xu 2019 as its tables call them, each with the network of the zoo that it most
   likely is. */
struct quantised_network {
    const char *published, *instance;
};
enum { QUANTISED_NETWORKS = 12 };
extern const struct quantised_network quantised_networks[QUANTISED_NETWORKS];

#define QUANTISED_SOURCE "xu2019"

/* The figure that the thesis prints for a network, for example in "Table 6.3" for "Resnet18" its
   "ratio", as a number above 0; 0 where there is none. */
double quantised_number(const char *table, const char *network, const char *what);

#endif
