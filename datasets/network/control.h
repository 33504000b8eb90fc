#ifndef MEMPLAN_DATASETS_NETWORK_CONTROL_H
#define MEMPLAN_DATASETS_NETWORK_CONTROL_H

#include "datasets/network/sequence.h"

/* Branches and loops. Layers added between open and close run inside.

       network_open_branches(network, "choose", "If", condition);
       network_open_region(network, "run", 0.5);
       x = network_conv(...);
       network_close_region(network, &x, 1);
       network_open_region(network, "skip", 0.5);
       network_close_region(network, &input, 1);
       network_close_branches(network, "choose", &x, 1); */

void network_open_branches(struct network *network, const char *name, const char *type,
                           uint32_t condition);
void network_open_region(struct network *network, const char *name, double probability);
void network_close_region(struct network *network, const uint32_t *yields, uint32_t count);
/* Fills output[count]: as large as what the first region yields. */
void network_close_branches(struct network *network, const char *name, uint32_t *output,
                            uint32_t count);

enum { NETWORK_MOST_CARRIED = 12 };

/* Before network_open_loop the values that go in, after it the arguments of the body, after
   network_close_loop the results. */
struct network_loop {
    const char *name;
    uint32_t turns;
    uint32_t value[NETWORK_MOST_CARRIED], values;
    uint32_t result[NETWORK_MOST_CARRIED]; /* private */
    uint32_t op;                           /* private */
};

/* Opens a loop of so many turns and its body. */
void network_open_loop(struct network *network, struct network_loop *loop);
/* next[values]: what the next turn starts with. each: [batch, features] that every turn gives,
   which leave as [batch, turns, features], returned; NETWORK_NOTHING for none. */
#define NETWORK_NOTHING UINT32_MAX
uint32_t network_close_loop(struct network *network, struct network_loop *loop,
                            const uint32_t *next, uint32_t each);

#endif
