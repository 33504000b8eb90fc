#ifndef MEMPLAN_RESULTS_VIEWS_QUANTISED_H
#define MEMPLAN_RESULTS_VIEWS_QUANTISED_H

/* The networks of Xu 2019, as Tables 6.3 and 6.4 and as Table 6.2 call them, and those of the zoo
   that they most likely are. */
struct quantised_network {
    const char *published, *compiled, *instance;
};
enum { QUANTISED_NETWORKS = 12 };
extern const struct quantised_network quantised_networks[QUANTISED_NETWORKS];

#endif
