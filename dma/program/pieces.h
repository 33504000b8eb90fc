#ifndef MEMPLAN_DMA_PROGRAM_PIECES_H
#define MEMPLAN_DMA_PROGRAM_PIECES_H

#include "planning/graph/graph.h"

/* Weights in pieces. An operator whose weights have more bytes than a piece becomes several, one
   for each piece, which run one after another: each computes its share, as a convolution or a dense
   layer can do channel by channel, with its share of the weights, so that it need not wait for the
   rest.

       conv: 30 bytes, 9 ns        conv[1/3]: 10 bytes, 3 ns    conv[2/3] ...    conv[3/3]

   All pieces read what the operator reads; the first one makes its outputs, the others read them
   too, since they add to them. So tensors live as long as before. Outputs are not written over
   inputs, which the later pieces still read. Operators with regions stay whole. */

/* A new graph, which the caller frees. piece_bytes is at least 1. STATUS_LIMIT where an operator
   would have more than PIECES_MOST. O(size of the new graph). */
enum { PIECES_MOST = 4096 };
enum status transfer_pieces(const struct graph *graph, uint64_t piece_bytes, struct graph **pieces,
                            struct error *error);

#endif
