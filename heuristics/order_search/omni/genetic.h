#ifndef MEMPLAN_HEURISTICS_ORDER_SEARCH_OMNI_GENETIC_H
#define MEMPLAN_HEURISTICS_ORDER_SEARCH_OMNI_GENETIC_H

#include "heuristics/order_search/order_search.h"

/* OmniMalloc's genetic search (Peddinghaus, 2025, src/python/omnimalloc/allocators/genetic.py, on
   DEAP's eaSimple): a population of orders, the first six by OmniMalloc's rules
   (heuristics/order_search/omni/orders.h without the input order), the others random. For each
   generation as many members are drawn again, each the one with the lowest peak of a few random
   ones; each two neighbours are crossed with a probability; each is mutated with a probability;
   those that changed are evaluated. The best order ever seen is the result.

   Ordered crossover: two random positions bound a slice. A child takes the slice of one parent,
   and the other buffers in the sequence of the other parent, read and written around the end, both
   from behind the slice. Mutation: each position is exchanged with a random other one with a
   probability.

   Departures: probabilities are whole percents; populations that would take more than 2^28
   positions are unsupported. */
extern const struct order_search_rule omni_genetic_rule;
extern const struct planner_option omni_genetic_options[];

#endif
