#include "solvers/proof/proof.h"

#include <string.h>

#include "planning/problem/bounds.h"
#include "support/fail_each.h"
#include "support/must.h"
#include "support/random_problem.h"
#include "support/testing.h"

/* Which proof is written, and that nothing leaks where memory runs out. What the proofs say is
   looked at by tests/oracles/proofs.py and tests/cli/proof.sh. */

static const struct random_problem kind = {
    .most_buffers = 7, .steps = 6, .most_size = 8, .filled = true};

/* A problem whose least peak is above every bound, so that proofs need a search. */
static struct problem *make_hard(uint64_t *peak_bytes)
{
    for (uint64_t seed = 1;; seed++) {
        struct random_state random = random_seed(seed);
        struct problem *problem = random_problem_create(&kind, &random);
        uint64_t bound_bytes;
        must(bound_peak(problem, &bound_bytes, &error));
        *peak_bytes = every_order_peak(problem);
        if (*peak_bytes > bound_bytes)
            return problem;
        problem_free(problem);
    }
}

static enum status prove(const struct problem *problem, uint64_t capacity_bytes,
                         enum proof_form form, struct proof *proof, struct error *reason)
{
    const struct proof_request request = {capacity_bytes, UINT64_MAX, form};
    return proof_create(problem, &request, proof, reason);
}

static void each_form(void)
{
    static const char *const begins[] = {[PROOF_TEXT] = "memplan-proof 1\n",
                                         [PROOF_BINARY] = "memplan-proof 1b\n",
                                         [PROOF_VERIPB] = "pseudo-Boolean proof version 3.0\n"};
    uint64_t peak_bytes;
    SCOPED(problem_release) struct problem *problem = make_hard(&peak_bytes);
    for (enum proof_form form = PROOF_TEXT; form <= PROOF_VERIPB; form++) {
        SCOPED(proof_free) struct proof proof = {0};
        must(prove(problem, peak_bytes - 1, form, &proof, &error));
        CU_ASSERT_PTR_NULL_FATAL(proof.why_not);
        CU_ASSERT_FATAL(proof.text.length > 100);
        CU_ASSERT_EQUAL(strncmp(proof.text.bytes, begins[form], strlen(begins[form])), 0);
        CU_ASSERT_EQUAL(proof.formula.length > 0, form == PROOF_VERIPB);
        CU_ASSERT(proof.kept > 0 && proof.kept <= proof.learned);
    }
}

static void what_fits_has_none(void)
{
    uint64_t peak_bytes;
    SCOPED(problem_release) struct problem *problem = make_hard(&peak_bytes);
    for (enum proof_form form = PROOF_TEXT; form <= PROOF_VERIPB; form++) {
        SCOPED(proof_free) struct proof proof = {0};
        must(prove(problem, peak_bytes, form, &proof, &error));
        CU_ASSERT_PTR_NOT_NULL(proof.why_not);
        CU_ASSERT(proof.fits && !proof.text.length && !proof.formula.length);
    }
}

/* A problem, a capacity and a form. */
struct work {
    const struct problem *problem;
    uint64_t capacity_bytes;
    enum proof_form form;
};

static enum status run(const void *input, struct error *reason)
{
    const struct work *work = input;
    SCOPED(proof_free) struct proof proof = {0};
    return prove(work->problem, work->capacity_bytes, work->form, &proof, reason);
}

static void no_memory(void)
{
    uint64_t peak_bytes;
    SCOPED(problem_release) struct problem *problem = make_hard(&peak_bytes);
    for (enum proof_form form = PROOF_TEXT; form <= PROOF_VERIPB; form++) {
        fail_each(run, &(struct work){problem, peak_bytes - 1, form});
        fail_each(run, &(struct work){problem, peak_bytes / 4, form});
    }
}

static const struct test_case cases[] = {
    {"each form", each_form}, {"what fits has none", what_fits_has_none}, {"no memory", no_memory}};

TESTING_MAIN("solvers/proof/proof", cases)
