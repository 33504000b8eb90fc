#include "solvers/proof/formula.h"

#include <assert.h>
#include <inttypes.h>

static int64_t find_step(const struct formula *formula, uint32_t buffer)
{
    return (int64_t)formula->learn->model->alignment[buffer];
}

/* The number of the least offset that is not below the given one, from 0. */
static int64_t find_place(const struct formula *formula, uint32_t buffer, int64_t offset)
{
    int64_t above = offset - formula->least[buffer], step = find_step(formula, buffer);
    assert(step >= 1);
    return above <= 0 ? 0 : (above + step - 1) / step;
}

int64_t formula_at_least(const struct formula *formula, uint32_t buffer, int64_t offset)
{
    int64_t place = find_place(formula, buffer, offset);
    assert(buffer < formula->learn->model->buffers);
    if (!place)
        return FORMULA_TRUE;
    return place > formula->offsets[buffer] ? FORMULA_FALSE
                                            : (int64_t)formula->variable[buffer] + place;
}

int64_t formula_literal(const struct formula *formula, uint32_t literal)
{
    int64_t variable = (int64_t)formula->choices + literal / 2 + 1;
    assert(literal < 2 * formula->learn->variables);
    return literal & 1 ? -variable : variable;
}

static void count_buffers(struct formula *formula, const char **why_not)
{
    const struct exact_model *model = formula->learn->model;
    for (uint32_t b = 0; b < model->buffers; b++) {
        int64_t highest = formula->capacity - (int64_t)model->size[b];
        bool is_fixed = model->highest[b] != UINT64_MAX;
        formula->least[b] = (int64_t)model->lowest[b];
        if (highest < formula->least[b]) {
            *why_not = "a buffer alone does not fit, so that there is nothing to expand";
            return;
        }
        formula->offsets[b] = is_fixed ? 0 : (highest - formula->least[b]) / find_step(formula, b);
        formula->variable[b] = formula->variables;
        formula->chain[b] = formula->constraints;
        formula->variables += (uint64_t)formula->offsets[b];
        formula->constraints += formula->offsets[b] > 1 ? (uint64_t)formula->offsets[b] - 1 : 0;
        if (formula->constraints > FORMULA_MOST_CONSTRAINTS)
            *why_not = "the pseudo-Boolean formula would be too large";
    }
}

enum status formula_create(const struct exact_learn *learn, int64_t capacity,
                           struct scratch *scratch, struct formula *formula, const char **why_not,
                           struct error *error)
{
    uint32_t buffers = learn->model->buffers, literals = 2 * learn->variables;
    *formula = (struct formula){.learn = learn, .capacity = capacity};
    assert(capacity >= 0 && !*why_not);
    TRY(scratch_take_all(scratch, buffers, error, &formula->least, &formula->offsets,
                         &formula->variable, &formula->chain));
    TRY(scratch_take_all(scratch, literals, error, &formula->excludes, &formula->skipped));
    count_buffers(formula, why_not);
    assert(*why_not || formula->variables >= formula->constraints);
    formula->choices = formula->variables;
    formula->variables += learn->variables;
    for (uint32_t l = 0; l < literals && !*why_not; l++) {
        const struct exact_literal *edge = &learn->literal[l];
        assert(edge->from != edge->to && edge->to < buffers);
        int64_t *skipped = &formula->skipped[l], step = find_step(formula, edge->from);
        while (*skipped <= formula->offsets[edge->from] &&
               formula_at_least(formula, edge->to,
                                formula->least[edge->from] + *skipped * step + edge->distance) ==
                   FORMULA_TRUE)
            ++*skipped;
        formula->excludes[l] = formula->constraints + 1;
        formula->constraints += (uint64_t)(formula->offsets[edge->from] + 1 - *skipped);
        if (formula->constraints > FORMULA_MOST_CONSTRAINTS)
            *why_not = "the pseudo-Boolean formula would be too large";
    }
    return STATUS_OK;
}

void formula_write_clause(const int64_t *literal, size_t count, struct text *text)
{
    for (size_t i = 0; i < count; i++) {
        assert(literal[i] != FORMULA_TRUE && literal[i]);
        if (literal[i] != FORMULA_FALSE)
            text_append(text, literal[i] < 0 ? "1 ~x%" PRId64 " " : "1 x%" PRId64 " ",
                        literal[i] < 0 ? -literal[i] : literal[i]);
    }
    text_append(text, ">= 1");
}

/* Says what the variables mean, in bytes. */
static void write_comments(const struct formula *formula, const uint32_t *buffer, struct text *text)
{
    const struct exact_learn *learn = formula->learn;
    int64_t unit = (int64_t)learn->model->unit_bytes;
    text_append(text,
                "* #variable= %" PRIu64 " #constraint= %" PRIu64 "\n* capacity %" PRId64
                " in units of %" PRId64 "\n",
                formula->variables, formula->constraints, formula->capacity * unit, unit);
    for (uint32_t b = 0; b < learn->model->buffers; b++) {
        text_append(text, "* buffer %" PRIu32 " at %" PRId64, buffer[b], formula->least[b] * unit);
        if (formula->offsets[b])
            text_append(text, ", x%" PRIu64 " to x%" PRIu64 ": one step of %" PRId64 " each above",
                        formula->variable[b] + 1,
                        formula->variable[b] + (uint64_t)formula->offsets[b],
                        find_step(formula, b) * unit);
        text_append(text, "\n");
    }
    for (uint32_t v = 0; v < learn->variables; v++) {
        const struct exact_literal *literal = &learn->literal[2 * (size_t)v];
        text_append(text,
                    "* x%" PRIu64 ": buffer %" PRIu32 " at least %" PRId64 " above buffer %" PRIu32
                    ", else at least %" PRId64 " below\n",
                    formula->choices + v + 1, buffer[literal->to], literal[0].distance * unit,
                    buffer[literal->from], literal[1].distance * unit);
    }
}

void formula_write(const struct formula *formula, const uint32_t *buffer, struct text *text)
{
    const struct exact_learn *learn = formula->learn;
    write_comments(formula, buffer, text);
    for (uint32_t b = 0; b < learn->model->buffers; b++)
        for (int64_t k = 1; k < formula->offsets[b]; k++) {
            int64_t at_least = (int64_t)formula->variable[b] + k;
            formula_write_clause((int64_t[]){at_least, -(at_least + 1)}, 2, text);
            text_append(text, " ;\n");
        }
    for (uint32_t l = 0; l < 2 * learn->variables; l++) {
        const struct exact_literal *edge = &learn->literal[l];
        assert(formula->skipped[l] >= 0 && formula->excludes[l]);
        for (int64_t k = formula->skipped[l]; k <= formula->offsets[edge->from]; k++) {
            int64_t offset = formula->least[edge->from] + k * find_step(formula, edge->from);
            const int64_t clause[] = {-formula_literal(formula, l),
                                      -formula_at_least(formula, edge->from, offset),
                                      formula_at_least(formula, edge->to, offset + edge->distance)};
            formula_write_clause(clause, 3, text);
            text_append(text, " ;\n");
        }
    }
}

struct formula_cover formula_find_cover(const struct formula *formula, uint64_t member,
                                        int64_t address)
{
    const struct exact_model *model = formula->learn->model;
    int64_t lower = (int64_t)exact_member_lower(model, member);
    int64_t upper = lower + (int64_t)exact_member_width(model, member);
    struct formula_cover cover = {
        .buffer = model->member[member], .from = address - upper + 1, .to = address - lower + 1};
    assert(lower < upper && address >= 0);
    cover.at_from = formula_at_least(formula, cover.buffer, cover.from);
    cover.at_to = formula_at_least(formula, cover.buffer, cover.to);
    cover.can = cover.at_from != cover.at_to;
    return cover;
}

static void put(const struct formula *formula, bool adds, uint64_t constraint, struct text *text)
{
    assert(constraint >= 1 && constraint <= formula->constraints);
    (void)formula;
    text_append(text, adds ? " %" PRIu64 " +" : " %" PRIu64, constraint);
}

void formula_put_literal(int64_t literal, struct text *text)
{
    assert(literal);
    if (literal == FORMULA_TRUE || literal == FORMULA_FALSE)
        return;
    text_append(text, literal < 0 ? " ~x%" PRId64 " +" : " x%" PRId64 " +",
                literal < 0 ? -literal : literal);
}

void formula_put_chain(const struct formula *formula, uint32_t buffer, int64_t at_from,
                       int64_t at_to, struct text *text)
{
    uint64_t variable = formula->variable[buffer];
    if (at_from == FORMULA_TRUE || at_to == FORMULA_FALSE) {
        formula_put_literal(at_from, text);
        formula_put_literal(-at_to, text);
        return;
    }
    assert(at_from > 0 && at_from <= at_to);
    for (int64_t at = at_from; at < at_to; at++)
        put(formula, true, formula->chain[buffer] + (uint64_t)at - variable, text);
}

void formula_put_exclusion(const struct formula *formula, bool adds, uint32_t literal,
                           const struct formula_cover *lower, const struct formula_cover *upper,
                           struct text *text)
{
    const struct exact_literal *edge = &formula->learn->literal[literal];
    int64_t place = find_place(formula, edge->from, lower->from);
    int64_t offset = formula->least[edge->from] + place * find_step(formula, edge->from);
    int64_t target = formula_at_least(formula, edge->to, offset + edge->distance);
    assert(edge->from == lower->buffer && edge->to == upper->buffer);
    assert(place >= formula->skipped[literal] && place <= formula->offsets[edge->from]);
    put(formula, adds, formula->excludes[literal] + (uint64_t)(place - formula->skipped[literal]),
        text);
    if (target == FORMULA_FALSE)
        formula_put_literal(upper->at_to, text);
    else
        formula_put_chain(formula, edge->to, upper->at_to, target, text);
}
