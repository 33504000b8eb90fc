#ifndef MEMPLAN_HEURISTICS_ORDER_SEARCH_VELA_ORDER_H
#define MEMPLAN_HEURISTICS_ORDER_SEARCH_VELA_ORDER_H

#include "heuristics/order_search/order_search.h"

/* Fills search->order with the movable buffers as Vela starts: by urgency, the greatest sum of live
   sizes in any step of the buffer's life, highest first; then longest from first to last step;
   then first step, earliest first; then largest; then by position. Sizes are those of the
   evaluator. *load_bytes is the greatest urgency: no placing of whole buffers has a lower peak.
   O(segments log segments + pairs). */
enum status vela_order_fill(struct order_search *search, uint64_t *load_bytes, struct error *error);

#endif
