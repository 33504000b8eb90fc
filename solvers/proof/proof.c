#include "solvers/proof/proof.h"

#include <assert.h>

#include "core/clock.h"
#include "core/memory.h"
#include "planning/problem/bounds.h"
#include "planning/problem/timeline.h"
#include "planning/problem/unit.h"
#include "solvers/common/components.h"
#include "solvers/exact/learn/learn.h"
#include "solvers/proof/write.h"

enum {
    MOST_PAIRS = 1 << 23,   /* of overlapping segments */
    MOST_ENTRIES = 1 << 22, /* of the lists of pairs in sections */
};

/* A part of the problem, its buffers `buffer`; it has no learn once a plan of it was found, or
   where it is too large. */
struct part {
    const uint32_t *buffer;
    struct exact_model *model;
    struct exact_learn *learn;
    struct exact_log log;
    uint64_t *offset;
};

struct refutation {
    uint64_t capacity_bytes, deadline_ns;
    struct components components;
    struct part *part; /* [components.count] */
    bool too_large;    /* some part is */
};

static void release_part(struct part *part)
{
    exact_learn_free(part->learn);
    exact_model_free(part->model);
    exact_log_free(&part->log);
    memory_free(part->offset);
    part->learn = NULL;
    part->model = NULL;
    part->offset = NULL;
}

static void release_refutation(struct refutation *refutation)
{
    for (uint32_t c = 0; refutation->part && c < refutation->components.count; c++)
        release_part(&refutation->part[c]);
    memory_free(refutation->part);
    components_clear(&refutation->components);
}

static enum status create_part(void *context, uint32_t component, const struct problem *problem,
                               struct error *error)
{
    struct refutation *refutation = context;
    assert(component < refutation->components.count && problem->buffers > 0);
    struct part *part = &refutation->part[component];
    assert(!part->learn && !part->model);
    uint64_t pairs, entries = 0;
    part->buffer = refutation->components.kept + refutation->components.first[component];
    TRY(timeline_count_pairs(problem, &pairs, error));
    if (pairs <= MOST_PAIRS && exact_learn_can(problem)) {
        TRY(exact_model_create(problem, &part->model, error));
        for (uint32_t s = 0; s < part->model->sections && entries <= MOST_ENTRIES; s++) {
            uint64_t members = part->model->first[s + 1] - part->model->first[s];
            entries += members * members;
        }
    }
    if (!part->model || entries > MOST_ENTRIES) {
        refutation->too_large = true;
        return STATUS_OK;
    }
    const struct exact_learn_options options = {.rules = EXACT_LEARN_RULES_ALL};
    TRY(memory_create(&part->offset, problem->buffers, sizeof *part->offset, error));
    TRY(exact_learn_create(part->model, &options, &part->learn, error));
    exact_learn_keep_log(part->learn, &part->log);
    return STATUS_OK;
}

/* Asks for all parts, round after round, each with twice the effort of the one before, until one is
   refused. *refused stays NULL where none is before the deadline, or all fit. */
static enum status refuse_part(struct refutation *refutation, struct part **refused,
                               struct error *error)
{
    uint32_t open = 1;
    for (uint32_t round = 0; open && clock_left_ns(refutation->deadline_ns);) {
        open = 0;
        for (uint32_t c = 0; c < refutation->components.count; c++) {
            struct part *part = &refutation->part[c];
            struct exact_answer answer = {.offset = part->offset};
            if (!part->learn)
                continue;
            const struct exact_round question = {.capacity = refutation->capacity_bytes /
                                                             part->model->unit_bytes,
                                                 .number = round,
                                                 .deadline_ns = refutation->deadline_ns,
                                                 .pause_ns = UINT64_MAX};
            TRY(exact_learn_run(part->learn, &question, &answer, error));
            if (answer.outcome == EXACT_REFUTED) {
                *refused = part;
                return STATUS_OK;
            }
            if (answer.outcome == EXACT_FOUND)
                release_part(part);
            open += answer.outcome == EXACT_STOPPED;
        }
        round += round < EXACT_LAST_ROUND;
    }
    return STATUS_OK;
}

static bool all_fit(const struct refutation *refutation)
{
    bool fit = true;
    for (uint32_t c = 0; c < refutation->components.count; c++)
        fit = fit && !refutation->part[c].learn;
    return fit;
}

static enum status search(const struct problem *problem, struct refutation *refutation,
                          struct proof *proof, struct error *error)
{
    struct part *refused = NULL;
    TRY(components_create(problem, refutation->capacity_bytes, &refutation->components, error));
    TRY(memory_create(&refutation->part, refutation->components.count, sizeof *refutation->part,
                      error));
    for (uint32_t c = 0; c < refutation->components.count; c++)
        TRY(components_solve(&refutation->components, c, create_part, refutation, error));
    TRY(refuse_part(refutation, &refused, error));
    assert(!refused || refused->learn);
    if (!refused) {
        proof->fits = !refutation->too_large && all_fit(refutation);
        proof->why_not = refutation->too_large ? "a part of the problem is too large to be searched"
                         : proof->fits         ? "each part of the problem fits"
                                               : "the time limit came first";
        return STATUS_OK;
    }
    const struct proof_head head = {refutation->capacity_bytes, refused->model->unit_bytes,
                                    refused->buffer, refused->model->buffers};
    proof_write_head(problem, &head, &proof->text);
    proof->learned = refused->log.clauses;
    return proof_write_search(refused->learn, refused->buffer, &proof->text, &proof->kept, error);
}

enum status proof_create(const struct problem *problem, uint64_t capacity_bytes,
                         uint64_t deadline_ns, struct proof *proof, struct error *error)
{
    *proof = (struct proof){.learned = 1, .kept = 1};
    uint64_t load_bytes, bound_bytes;
    uint32_t step;
    if (problem->clocks || problem->sizes) {
        proof->why_not = problem->clocks ? "no proofs are written of several streams"
                                         : "no proofs are written of sizes with parameters";
        return STATUS_OK;
    }
    TRY(problem_load(problem, &load_bytes, &step, error));
    TRY(bound_peak(problem, &bound_bytes, error));
    if (bound_bytes > capacity_bytes) {
        const struct proof_head head = {capacity_bytes, problem_unit_bytes(problem), NULL, 0};
        proof_write_head(problem, &head, &proof->text);
        proof_write_load(problem, load_bytes > capacity_bytes, step, capacity_bytes, &proof->text);
        return text_check(&proof->text, error);
    }
    SCOPED(release_refutation)
    struct refutation refutation = {.capacity_bytes = capacity_bytes, .deadline_ns = deadline_ns};
    return search(problem, &refutation, proof, error);
}

void proof_free(struct proof *proof)
{
    text_free(&proof->text);
}
