#ifndef MEMPLAN_SOLVERS_PROOF_WRITE_H
#define MEMPLAN_SOLVERS_PROOF_WRITE_H

#include <stdbool.h>

#include "core/text.h"
#include "solvers/exact/learn/log.h"

/* The lines of a log behind its head, as text or in the binary form of docs/proofs.md. Nothing is
   lost silently: text_check tells of a failed allocation. */
struct proof_lines {
    struct text *text;
    bool is_binary;
};

/* The head, for a proof that uses only these buffers, or all where the list is NULL. The
   fingerprint is that of docs/proofs.md. O(segments). */
struct proof_head {
    uint64_t capacity_bytes, unit_bytes;
    const uint32_t *buffer; /* [buffers] */
    uint32_t buffers;
};
void proof_write_head(const struct problem *problem, const struct proof_head *head,
                      const struct proof_lines *lines);

/* The end of a log that needs no search: what is live at the step takes more bytes than the
   capacity, with `rounding` above 1 once sizes are rounded up to it, see bound_rounded_load.
   O(segments). */
void proof_write_load(const struct problem *problem, uint64_t rounding, uint32_t step,
                      uint64_t capacity_bytes, const struct proof_lines *lines);

/* The same where a buffer is too large or ends too high. */
void proof_write_absurd(const struct proof_lines *lines);

/* The search that learns has refused the capacity for a part of the problem, whose buffer i is
   buffer[i] of the whole. Writes the choices, the cliques and, of the clauses in its log, those
   that the last one rests on, up to the end of the log. *kept: how many clauses these are.
   O(log). */
enum status proof_write_search(const struct exact_learn *learn, const uint32_t *buffer,
                               const struct proof_lines *lines, uint64_t *kept,
                               struct error *error);

#endif
