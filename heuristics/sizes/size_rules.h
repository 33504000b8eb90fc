#ifndef MEMPLAN_HEURISTICS_SIZES_SIZE_RULES_H
#define MEMPLAN_HEURISTICS_SIZES_SIZE_RULES_H

#include "planning/family/family.h"

/* What others do about sizes that depend on parameters, to compare plans for all sizes with:
   allocators that run with the network, and compilers that decide for other sizes than those that
   come. A buffer with holes is kept from its first step to its last, and the calls of one step come
   in the order of heuristics/sizes/calls.h. */
struct size_rule_task {
    const struct family *family;
    const uint64_t *size; /* [buffers] the sizes that came */
    const uint64_t *hint; /* [buffers] sizes at the example for which a compiler lays out pools */
};

/* Fills offset[buffers] and the bytes that are held at most. STATUS_BAD_INPUT where these are above
   2^63 - 1. */
typedef enum status size_rule(const struct size_rule_task *task, uint64_t *offset,
                              uint64_t *peak_bytes, struct error *error);

/* Allocators: the smallest free block that is large enough, whose front is used, and free
   neighbours are joined. best_fit: the lowest of equal blocks. ggml: the highest of them, sizes in
   units of 32 bytes. bfc: that of TensorFlow, in units of 256 bytes, in regions that double; a
   block is split only where it has twice the bytes or 128 MiB more. O(buffers * blocks). */
size_rule size_rules_best_fit, size_rules_ggml, size_rules_bfc;

/* Objects of their own, each for one buffer at a time. relax: for the greatest sizes, an object may
   be 16 times too large or grow by 16. relax_symbolic: only buffers whose sizes are the same
   expression share one. O(buffers * objects). */
size_rule size_rules_relax, size_rules_relax_symbolic;

/* A tree of pools made for the hint and computed again for the sizes that came. O(buffers^2). */
size_rule size_rules_inductor;

#endif
