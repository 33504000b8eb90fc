#include "solvers/proof/proof.h"

#include <string.h>

#include "datasets/instance.h"
#include "support/fail_each.h"
#include "support/must.h"
#include "support/testing.h"

/* Which proof is written, and that nothing leaks where memory runs out. What the proofs say is
   looked at by tests/oracles/proofs.py and tests/cli/proof.sh. */

/* Its load is 12288 bytes, and no plan is that low, so that proofs need a search. */
static const char HARD[] = "generate:gap?buffers=12&capacity=12&seed=1";
static const uint64_t REFUSED_BYTES = 12288, LEAST_BYTES = 13312;

static struct instance *load_hard(void)
{
    struct instance *instance;
    must(instance_load(HARD, NULL, &instance, &error));
    return instance;
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
    SCOPED(instance_release) struct instance *instance = load_hard();
    for (enum proof_form form = PROOF_TEXT; form <= PROOF_VERIPB; form++) {
        SCOPED(proof_free) struct proof proof = {0};
        must(prove(instance->problem, REFUSED_BYTES, form, &proof, &error));
        CU_ASSERT_PTR_NULL_FATAL(proof.why_not);
        CU_ASSERT_FATAL(proof.text.length > 100);
        CU_ASSERT_EQUAL(strncmp(proof.text.bytes, begins[form], strlen(begins[form])), 0);
        CU_ASSERT_EQUAL(proof.formula.length > 0, form == PROOF_VERIPB);
        CU_ASSERT(proof.kept > 0 && proof.kept <= proof.learned);
    }
}

static void what_fits_has_none(void)
{
    SCOPED(instance_release) struct instance *instance = load_hard();
    for (enum proof_form form = PROOF_TEXT; form <= PROOF_VERIPB; form++) {
        SCOPED(proof_free) struct proof proof = {0};
        must(prove(instance->problem, LEAST_BYTES, form, &proof, &error));
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
    SCOPED(instance_release) struct instance *instance = load_hard();
    for (enum proof_form form = PROOF_TEXT; form <= PROOF_VERIPB; form++) {
        fail_each(run, &(struct work){instance->problem, REFUSED_BYTES, form});
        fail_each(run, &(struct work){instance->problem, REFUSED_BYTES / 2, form});
    }
}

static const struct test_case cases[] = {
    {"each form", each_form}, {"what fits has none", what_fits_has_none}, {"no memory", no_memory}};

TESTING_MAIN("solvers/proof/proof", cases)
