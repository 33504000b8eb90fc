#ifndef MEMPLAN_HARNESS_PROOFS_KEPT_PROOFS_H
#define MEMPLAN_HARNESS_PROOFS_KEPT_PROOFS_H

#include "core/names.h"
#include "harness/job/job.h"

/* Proofs of what many jobs claim: of each claim a problem (.json) and a binary log (.mpb) in a
   folder, both checked by memplan-check and, where that is installed, by memplan-check-verified.
   The two programs are looked for beside this one, then in PATH. */

enum { KEPT_PROOFS_CHECKERS = 2 };

struct kept_proofs {
    char *folder;                        /* owned */
    char *checker[KEPT_PROOFS_CHECKERS]; /* programs, owned */
    struct names claim;                  /* claims so far, by the names of their files */
    struct proof_facts *facts;           /* [claim.count] */
    size_t capacity;
};

/* Makes the folder, whose path is that of the database with ".proofs" appended. The proofs have to
   be closed even after an error. */
enum status kept_proofs_open(const char *database, struct kept_proofs *kept, struct error *error);
void kept_proofs_close(struct kept_proofs *kept);

/* Fills outcome->proof: searches for a log of what the outcome claims within the job's time limit,
   and checks it. `context` is a struct kept_proofs. Fails only where files cannot be written. */
enum status kept_proofs_add(void *context, const struct job *job, struct outcome *outcome,
                            struct error *error);

#endif
