#ifndef MEMPLAN_SOLVERS_PROOF_LINES_H
#define MEMPLAN_SOLVERS_PROOF_LINES_H

#include <stdbool.h>

#include "core/text.h"

/* The lines of a log behind its head, as text or in the binary form of docs/proofs.md. Nothing is
   lost silently: text_check tells of a failed allocation. */
struct proof_lines {
    struct text *text;
    bool is_binary;
};

/* Begins a line: the letter of its rule, and how many numbers (of a clique, members) follow. */
void proof_lines_begin(const struct proof_lines *lines, char letter, size_t count);
void proof_lines_number(const struct proof_lines *lines, int64_t number);
/* A member of a clique: a buffer of this size, of whose bytes those from lower to before upper
   count. */
void proof_lines_member(const struct proof_lines *lines, uint32_t buffer, uint64_t lower,
                        uint64_t upper, uint64_t size);
void proof_lines_end(const struct proof_lines *lines);

/* The last line. */
void proof_lines_finish(const struct proof_lines *lines);

#endif
