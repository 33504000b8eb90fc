#include "solvers/proof/proof.h"

#include <assert.h>

#include "core/clock.h"
#include "core/memory.h"
#include "core/scratch.h"
#include "planning/problem/bounds.h"
#include "planning/problem/timeline.h"
#include "planning/problem/unit.h"
#include "solvers/common/components.h"
#include "solvers/exact/learn/learn.h"
#include "solvers/proof/expand.h"
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
    uint32_t *twin; /* [buffers] see exact_learn_options */
};

struct refutation {
    const struct problem *problem; /* the whole */
    const struct proof_request *request;
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
    memory_free(part->twin);
    part->learn = NULL;
    part->model = NULL;
    part->offset = NULL;
    part->twin = NULL;
}

static void release_refutation(struct refutation *refutation)
{
    for (uint32_t c = 0; refutation->part && c < refutation->components.count; c++)
        release_part(&refutation->part[c]);
    memory_free(refutation->part);
    components_clear(&refutation->components);
}

/* Whether two buffers are alike as docs/proofs.md says. A buffer that is live at a conflict step is
   in a pair. O(segments). */
static bool are_alike(const struct problem *problem, uint32_t a, uint32_t b)
{
    uint32_t s = problem->first[a], t = problem->first[b], count = problem->first[a + 1] - s;
    assert(a != b);
    if (problem->size[a] != problem->size[b] || problem->first[b + 1] - t != count ||
        problem_alignment(problem, a) != problem_alignment(problem, b) ||
        problem_fixed_offset(problem, a) != PROBLEM_FREE ||
        problem_fixed_offset(problem, b) != PROBLEM_FREE)
        return false;
    for (; count; count--, s++, t++)
        if (problem->lower[s] != problem->lower[t] || problem->upper[s] != problem->upper[t] ||
            problem->upper[s] > problem->line_end ||
            problem_window_lower(problem, s) != problem_window_lower(problem, t) ||
            problem_window_upper(problem, s) != problem_window_upper(problem, t))
            return false;
    return true;
}

/* The last buffer of a part that comes before b and is like it; the buffers of the part are
   `buffer` in the problem. */
static uint32_t find_twin(const struct problem *problem, const uint32_t *buffer, uint32_t b)
{
    for (uint32_t a = b; a-- > 0;) {
        assert(buffer[a] < buffer[b]);
        if (are_alike(problem, buffer[a], buffer[b]))
            return a;
    }
    return EXACT_NONE;
}

static enum status create_part(void *context, uint32_t component, const struct problem *problem,
                               struct error *error)
{
    struct refutation *refutation = context;
    assert(component < refutation->components.count && problem->buffers > 0);
    struct part *part = &refutation->part[component];
    assert(!part->learn && !part->model);
    uint64_t pairs, entries = 0;
    assert(problem->buffers ==
           refutation->components.first[component + 1] - refutation->components.first[component]);
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
    TRY(memory_create_all(problem->buffers, error, &part->offset, &part->twin));
    for (uint32_t b = 0; b < problem->buffers; b++)
        part->twin[b] = find_twin(refutation->problem, part->buffer, b);
    /* Twins are not expanded, as VeriPB has rules of its own for what is true of some plan only,
       and neither is the handover. */
    bool expands = refutation->request->form == PROOF_VERIPB;
    const struct exact_learn_options options = {
        expands ? EXACT_LEARN_RULES_ALL : EXACT_LEARN_RULES_ALL | EXACT_LEARN_RULE_HANDOVER,
        expands ? NULL : part->twin};
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
    for (uint32_t round = 0; open && clock_left_ns(refutation->request->deadline_ns);) {
        open = 0;
        for (uint32_t c = 0; c < refutation->components.count; c++) {
            struct part *part = &refutation->part[c];
            struct exact_answer answer = {.offset = part->offset};
            assert(round <= EXACT_LAST_ROUND);
            if (!part->learn)
                continue;
            const struct exact_round question = {.capacity = refutation->request->capacity_bytes /
                                                             part->model->unit_bytes,
                                                 .number = round,
                                                 .deadline_ns = refutation->request->deadline_ns,
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

static enum status write_log(const struct refutation *refutation, const struct part *refused,
                             struct proof *proof, struct error *error)
{
    const struct proof_head head = {refutation->request->capacity_bytes, refused->model->unit_bytes,
                                    refused->buffer, refused->model->buffers};
    const struct proof_lines lines = {&proof->text, refutation->request->form == PROOF_BINARY};
    assert(refused->learn && !proof->text.length);
    proof_write_head(refutation->problem, &head, &lines);
    return proof_write_search(refused->learn, refused->buffer, &lines, &proof->kept, error);
}

static enum status write_veripb(const struct part *refused, struct proof *proof,
                                struct error *error)
{
    SCOPED(scratch_free) struct scratch scratch = {0};
    struct formula formula;
    assert(refused->learn && !proof->text.length && !proof->formula.length);
    if (!refused->log.clauses)
        proof->why_not = "a fixed buffer does not fit, so that there is nothing to expand";
    else
        TRY(formula_create(refused->learn, (int64_t)refused->learn->capacity, &scratch, &formula,
                           &proof->why_not, error));
    if (proof->why_not)
        return STATUS_OK;
    formula_write(&formula, refused->buffer, &proof->formula);
    TRY(text_check(&proof->formula, error));
    return proof_expand(&formula, &proof->text, &proof->kept, error);
}

static enum status search(struct refutation *refutation, struct proof *proof, struct error *error)
{
    const struct problem *problem = refutation->problem;
    struct part *refused = NULL;
    TRY(components_create(problem, refutation->request->capacity_bytes, &refutation->components,
                          error));
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
    proof->learned = refused->log.clauses;
    return refutation->request->form == PROOF_VERIPB ? write_veripb(refused, proof, error)
                                                     : write_log(refutation, refused, proof, error);
}

enum status proof_create(const struct problem *problem, const struct proof_request *request,
                         struct proof *proof, struct error *error)
{
    *proof = (struct proof){.learned = 1, .kept = 1};
    uint64_t load_bytes, bound_bytes, capacity_bytes = request->capacity_bytes;
    struct rounded_load rounded;
    uint32_t step;
    if (problem->clocks || problem->sizes) {
        proof->why_not = problem->clocks ? "no proofs are written of several streams"
                                         : "no proofs are written of sizes with parameters";
        return STATUS_OK;
    }
    TRY(problem_load(problem, &load_bytes, &step, error));
    TRY(bound_peak_unrounded(problem, &bound_bytes, error));
    assert(bound_bytes >= load_bytes);
    TRY(bound_rounded_load(problem, &rounded, error));
    bool is_rounded = rounded.bytes > capacity_bytes;
    if ((bound_bytes > capacity_bytes || is_rounded) && request->form != PROOF_VERIPB) {
        const struct proof_head head = {capacity_bytes, problem_unit_bytes(problem), NULL, 0};
        const struct proof_lines lines = {&proof->text, request->form == PROOF_BINARY};
        proof_write_head(problem, &head, &lines);
        if (load_bytes > capacity_bytes)
            proof_write_load(problem, 1, step, capacity_bytes, &lines);
        else if (bound_bytes > capacity_bytes)
            proof_write_absurd(&lines);
        else
            proof_write_load(problem, rounded.rounding, rounded.step, capacity_bytes, &lines);
        return text_check(&proof->text, error);
    }
    SCOPED(release_refutation)
    struct refutation refutation = {.problem = problem, .request = request};
    return search(&refutation, proof, error);
}

enum status proof_write_formula(const struct problem *problem, uint64_t capacity_bytes,
                                struct text *text, const char **why_not, struct error *error)
{
    SCOPED(scratch_free) struct scratch scratch = {0};
    SCOPED(exact_model_release) struct exact_model *model = NULL;
    SCOPED(exact_learn_release) struct exact_learn *learn = NULL;
    const struct exact_learn_options options = {EXACT_LEARN_RULES_ALL, NULL};
    uint64_t pairs;
    uint32_t *buffer;
    struct formula formula;
    *why_not = NULL;
    TRY(timeline_count_pairs(problem, &pairs, error));
    if (pairs > FORMULA_MOST_CONSTRAINTS || !exact_learn_can(problem)) {
        *why_not = "the pseudo-Boolean formula would be too large";
        return STATUS_OK;
    }
    TRY(exact_model_create(problem, &model, error));
    TRY(exact_learn_create(model, &options, &learn, error));
    TRY(formula_create(learn, (int64_t)(capacity_bytes / model->unit_bytes), &scratch, &formula,
                       why_not, error));
    TRY(scratch_take(&scratch, &buffer, problem->buffers, sizeof *buffer, error));
    for (uint32_t b = 0; b < problem->buffers; b++)
        buffer[b] = b;
    if (!*why_not)
        formula_write(&formula, buffer, text);
    return text_check(text, error);
}

void proof_free(struct proof *proof)
{
    text_free(&proof->text);
    text_free(&proof->formula);
}
