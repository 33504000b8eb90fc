#ifndef MEMPLAN_SOLVERS_PROOF_PROOF_H
#define MEMPLAN_SOLVERS_PROOF_PROOF_H

#include "core/text.h"
#include "planning/problem/problem.h"

/* A log that shows that no plan of a problem fits a capacity, in the format memplan-proof/1 of
   docs/proofs.md, which memplan-check checks. */
struct proof {
    struct text text;       /* empty where there is no proof */
    struct text formula;    /* of PROOF_VERIPB, in the format OPB: has no solution */
    bool fits;              /* some plan does fit the capacity */
    const char *why_not;    /* then the reason */
    uint64_t learned, kept; /* clauses before and after trimming */
};

/* A log as text or binary, or, for small problems, a proof in the format VeriPB 3.0. */
enum proof_form { PROOF_TEXT, PROOF_BINARY, PROOF_VERIPB };

struct proof_request {
    uint64_t capacity_bytes;
    uint64_t deadline_ns; /* UINT64_MAX: none */
    enum proof_form form;
};

/* Looks for a proof until the deadline: in one line where the load, maybe
   of rounded sizes, is above the capacity, else by
   the search that learns (solvers/exact/learn), which is asked for the parts of the problem one
   after the other. STATUS_OK also where there is none. The caller frees the proof, also after an
   error. */
enum status proof_create(const struct problem *problem, const struct proof_request *request,
                         struct proof *proof, struct error *error);
void proof_free(struct proof *proof);

/* Appends a pseudo-Boolean formula (OPB, docs/proofs.md) that has a solution where some plan of a
   problem of one clock and of fixed sizes fits the capacity. *why_not says why it is not written,
   if it is not, and is NULL otherwise. O(pairs of buffers * offsets). */
enum status proof_write_formula(const struct problem *problem, uint64_t capacity_bytes,
                                struct text *text, const char **why_not, struct error *error);

#endif
