/* Clauses of the log follow by unit propagation: what E, O and C say are units of the formula. The
   other rules get a constraint of their own before, that is, K, D, H and G one that members which
   lie between two addresses cannot all do so (docs/proofs.md). */
#include "solvers/proof/expand.h"

#include <assert.h>
#include <inttypes.h>

#include "core/memory.h"

struct expansion {
    const struct formula *formula;
    const struct exact_learn *learn;
    const struct exact_model *model;
    const struct exact_log *log;
    struct proof_trim trim;
    struct text *text;
    uint64_t constraints; /* so far */
    uint64_t *most_one;   /* [sections * addresses] see add_most_one */
    int64_t addresses;

    /* What is known while a clause is proved. */
    int64_t *low, *high; /* [buffers] */
    int8_t *truth;       /* [literals] 1: it holds */
    bool *is_inside;     /* [members of a section] */
    int64_t *literal;    /* [literals] of the constraint that is being written */
    size_t literals, literal_room;
    struct scratch memory;
    struct error *error;
};

static uint64_t end_constraint(struct expansion *expansion)
{
    assert(expansion->constraints >= expansion->formula->constraints);
    text_append(expansion->text, " ;\n");
    return ++expansion->constraints;
}

/* Begins a clause, adds literals to it, and writes it as one that follows by unit propagation. */
static enum status add_literal(struct expansion *expansion, int64_t literal)
{
    assert(literal);
    TRY(memory_reserve(&expansion->literal, &expansion->literal_room, expansion->literals + 1,
                       sizeof *expansion->literal, expansion->error));
    expansion->literal[expansion->literals++] = literal;
    return STATUS_OK;
}

static void end_clause(struct expansion *expansion)
{
    bool holds = false;
    for (size_t i = 0; i < expansion->literals; i++)
        holds = holds || expansion->literal[i] == FORMULA_TRUE;
    if (!holds) {
        text_append(expansion->text, "rup ");
        formula_write_clause(expansion->literal, expansion->literals, expansion->text);
        end_constraint(expansion);
    }
    expansion->literals = 0;
}

/* Derives that of the members of a section that can cover the address at most one does: the misses
   add up to their number less 1. From two members on, one is added to those before: with n of them
   n - 1 times what was known and that the new one and each of them are not both there, divided by
   n. *count: of the members that can. The constraint is 0 where there are fewer than two. */
static uint64_t add_most_one(struct expansion *expansion, uint32_t section, int64_t address,
                             uint64_t *count)
{
    const struct exact_model *model = expansion->model;
    uint64_t first = model->first[section], members = model->first[section + 1] - first;
    uint64_t *known =
        &expansion
             ->most_one[(uint64_t)section * (uint64_t)expansion->addresses + (uint64_t)address];
    uint64_t sum = 0;
    bool is_known = *known;
    *count = 0;
    assert(address >= 0 && address < expansion->addresses);
    for (uint64_t j = 0; j < members; j++) {
        struct formula_cover upper = formula_find_cover(expansion->formula, first + j, address);
        if (!upper.can)
            continue;
        if (is_known || !(*count)++) {
            *count += is_known;
            continue;
        }
        text_append(expansion->text, "pol");
        if (sum)
            text_append(expansion->text, " %" PRIu64 " %" PRIu64 " *", sum, *count - 2);
        bool adds = sum;
        for (uint64_t i = 0; i < j; i++) {
            struct formula_cover lower = formula_find_cover(expansion->formula, first + i, address);
            if (!lower.can)
                continue;
            uint32_t below =
                expansion->learn->below[expansion->learn->pairs[section] + i * members + j];
            formula_put_exclusion(expansion->formula, adds, below, &lower, &upper, expansion->text);
            formula_put_exclusion(expansion->formula, true, below ^ 1, &upper, &lower,
                                  expansion->text);
            adds = true;
        }
        if (sum)
            text_append(expansion->text, " %" PRIu64 " d", *count - 1);
        sum = end_constraint(expansion);
    }
    *known = is_known ? *known : sum;
    return *known;
}

/* Derives that the members which are inside cannot all lie between the two addresses, for they have
   more bytes: the sum of what add_most_one says of each address, without the other members. */
static void add_overload(struct expansion *expansion, uint32_t section, int64_t begin, int64_t end)
{
    const struct exact_model *model = expansion->model;
    uint64_t first = model->first[section], count;
    bool adds = false;
    assert(section < model->sections && begin <= end);
    begin = begin > 0 ? begin : 0;
    end = end < expansion->addresses ? end : expansion->addresses;
    for (int64_t address = begin; address < end; address++)
        adds = add_most_one(expansion, section, address, &count) || adds;
    /* One member alone has no place between them, which unit propagation sees. */
    if (!adds)
        return;
    text_append(expansion->text, "pol");
    adds = false;
    for (int64_t address = begin; address < end; address++) {
        uint64_t most_one = add_most_one(expansion, section, address, &count);
        if (most_one)
            text_append(expansion->text, adds ? " %" PRIu64 " +" : " %" PRIu64, most_one);
        adds = adds || most_one;
    }
    for (int64_t address = begin; address < end; address++) {
        uint64_t most_one = add_most_one(expansion, section, address, &count);
        for (uint64_t m = first; m < model->first[section + 1]; m++) {
            struct formula_cover cover = formula_find_cover(expansion->formula, m, address);
            if (!cover.can)
                continue;
            if (most_one && !expansion->is_inside[m - first]) {
                formula_put_chain(expansion->formula, cover.buffer, cover.at_from, cover.at_to,
                                  expansion->text);
            } else if (!most_one && expansion->is_inside[m - first]) {
                formula_put_literal(-cover.at_from, expansion->text);
                formula_put_literal(cover.at_to, expansion->text);
            }
        }
    }
    end_constraint(expansion);
}

/* Begins a clause with the literals that say that a member lies beyond an address. */
static enum status add_beyond(struct expansion *expansion, uint64_t member, int64_t begin,
                              int64_t end)
{
    const struct exact_model *model = expansion->model;
    int64_t lower = (int64_t)exact_member_lower(model, member);
    int64_t upper = lower + (int64_t)exact_member_width(model, member);
    assert(begin != INT64_MIN || end != INT64_MAX);
    if (begin != INT64_MIN)
        TRY(add_literal(expansion, -formula_at_least(expansion->formula, model->member[member],
                                                     begin - lower)));
    if (end != INT64_MAX)
        TRY(add_literal(expansion, formula_at_least(expansion->formula, model->member[member],
                                                    end - upper + 1)));
    return STATUS_OK;
}

static uint64_t find_member(const struct expansion *expansion, uint32_t section, uint32_t buffer)
{
    uint64_t member = expansion->model->first[section];
    while (expansion->model->member[member] != buffer)
        member++;
    assert(member < expansion->model->first[section + 1]);
    return member;
}

static void raise_low(struct expansion *expansion, uint32_t buffer, int64_t value)
{
    int64_t least = expansion->formula->least[buffer];
    int64_t step = (int64_t)expansion->model->alignment[buffer];
    assert(buffer < expansion->model->buffers && step >= 1);
    if (expansion->formula->offsets[buffer] && value > least)
        value = least + (value - least + step - 1) / step * step;
    if (value > expansion->low[buffer])
        expansion->low[buffer] = value;
}

static void lower_high(struct expansion *expansion, uint32_t buffer, int64_t value)
{
    int64_t least = expansion->formula->least[buffer];
    int64_t step = (int64_t)expansion->model->alignment[buffer];
    assert(buffer < expansion->model->buffers && step >= 1);
    if (expansion->formula->offsets[buffer] && value > least)
        value = least + (value - least) / step * step;
    if (value < expansion->high[buffer])
        expansion->high[buffer] = value;
}

/* Marks the members that lie between two addresses. */
static void mark_inside(struct expansion *expansion, uint32_t section, int64_t begin, int64_t end)
{
    const struct exact_model *model = expansion->model;
    uint64_t first = model->first[section];
    for (uint64_t m = first; m < model->first[section + 1]; m++) {
        int64_t from = (int64_t)exact_member_lower(model, m);
        int64_t to = from + (int64_t)exact_member_width(model, m);
        uint32_t b = model->member[m];
        expansion->is_inside[m - first] =
            expansion->low[b] + from >= begin && expansion->high[b] + to <= end;
    }
}

/* K, and D with the literal whose opposite would bring two members between the addresses. */
static enum status expand_overload(struct expansion *expansion, const struct proof_step *step)
{
    const struct exact_model *model = expansion->model;
    uint32_t section = (uint32_t)step->number[0];
    uint64_t first = model->first[section];
    int64_t begin = step->number[1], end = step->number[2];
    assert(step->has_section && section < model->sections);
    mark_inside(expansion, section, begin, end);
    if (step->rule == EXACT_STEP_EDGE) {
        const struct exact_literal *opposite = &expansion->learn->literal[step->number[3] ^ 1];
        uint64_t from = find_member(expansion, section, opposite->from);
        uint64_t to = find_member(expansion, section, opposite->to);
        TRY(add_literal(expansion, formula_literal(expansion->formula, (uint32_t)step->number[3])));
        if (!expansion->is_inside[from - first])
            TRY(add_beyond(expansion, from, begin, INT64_MAX));
        if (!expansion->is_inside[to - first])
            TRY(add_beyond(expansion, to, INT64_MIN, end));
        for (uint64_t m = first; m < model->first[section + 1]; m++)
            if (expansion->is_inside[m - first])
                TRY(add_beyond(expansion, m, begin, end));
        expansion->is_inside[from - first] = expansion->is_inside[to - first] = true;
        expansion->truth[step->number[3]] = 1;
    } else {
        for (uint64_t m = first; m < model->first[section + 1]; m++)
            if (expansion->is_inside[m - first])
                TRY(add_beyond(expansion, m, begin, end));
    }
    add_overload(expansion, section, begin, end);
    end_clause(expansion);
    return STATUS_OK;
}

/* H, and G upside down: the members that the literals pass do not fit into one byte less than they
   have, which is what there would be if the moved one did not lie beyond them. */
static enum status expand_chain(struct expansion *expansion, const struct proof_step *step)
{
    const struct exact_model *model = expansion->model;
    bool down = step->rule == EXACT_STEP_HANG;
    uint32_t section = (uint32_t)step->number[0];
    uint64_t first = model->first[section], moved = first;
    int64_t address = step->number[1], sum = 0;
    assert(step->has_section && step->literals > 0);
    for (uint64_t m = first; m < model->first[section + 1]; m++)
        expansion->is_inside[m - first] = false;
    for (size_t i = 0; i < step->literals; i++) {
        uint32_t literal = (uint32_t)step->number[step->literal_at + i];
        const struct exact_literal *edge = &expansion->learn->literal[literal];
        uint64_t passed = find_member(expansion, section, down ? edge->to : edge->from);
        moved = find_member(expansion, section, down ? edge->from : edge->to);
        expansion->is_inside[passed - first] = true;
        sum += (int64_t)exact_member_width(model, passed);
        TRY(add_literal(expansion, -formula_literal(expansion->formula, literal)));
        TRY(add_beyond(expansion, passed, down ? INT64_MIN : address, down ? address : INT64_MAX));
    }
    int64_t begin = down ? address - sum : address, end = begin + sum;
    int64_t window = (int64_t)exact_member_lower(model, moved);
    if (down)
        window += (int64_t)exact_member_width(model, moved);
    uint32_t buffer = model->member[moved];
    add_overload(expansion, section, down ? begin + 1 : begin, down ? end : end - 1);
    TRY(add_literal(expansion,
                    down ? -formula_at_least(expansion->formula, buffer, begin - window + 1)
                         : formula_at_least(expansion->formula, buffer, end - window)));
    end_clause(expansion);
    if (down)
        lower_high(expansion, buffer, begin - window);
    else
        raise_low(expansion, buffer, end - window);
    return STATUS_OK;
}

static void use_clause(struct expansion *expansion, size_t clause)
{
    size_t end, at = expansion->log->clause[clause] + 1;
    size_t steps = proof_step_first(expansion->log, clause, &end);
    assert(expansion->trim.clause[clause] && steps <= end);
    for (; at < steps; at++)
        if (!expansion->truth[expansion->log->number[at] ^ 1])
            expansion->truth[expansion->log->number[at]] = 1;
}

static enum status expand_step(struct expansion *expansion, const struct proof_step *step)
{
    const struct exact_literal *edge = &expansion->learn->literal[step->number[0]];
    switch (step->rule) {
    case EXACT_STEP_PASS:
        raise_low(expansion, edge->to, expansion->low[edge->from] + edge->distance);
        lower_high(expansion, edge->from, expansion->high[edge->to] - edge->distance);
        break;
    case EXACT_STEP_EXCLUDE:
        expansion->truth[step->number[0] ^ 1] = 1;
        break;
    case EXACT_STEP_CLAUSE:
        use_clause(expansion, (size_t)step->number[0]);
        break;
    case EXACT_STEP_WEAKEN:
        TRY(add_literal(expansion,
                        -formula_literal(expansion->formula, (uint32_t)step->number[0])));
        TRY(add_literal(expansion, formula_literal(expansion->formula, (uint32_t)step->number[1])));
        end_clause(expansion);
        expansion->truth[step->number[1]] = 1;
        break;
    case EXACT_STEP_CHAIN:
    case EXACT_STEP_HANG:
        return expand_chain(expansion, step);
    default:
        assert(step->rule == EXACT_STEP_OVERLOAD || step->rule == EXACT_STEP_EDGE);
        return expand_overload(expansion, step);
    }
    return STATUS_OK;
}

static enum status expand_clause(struct expansion *expansion, size_t clause)
{
    const struct formula *formula = expansion->formula;
    const struct exact_log *log = expansion->log;
    size_t end, at = proof_step_first(log, clause, &end), first = log->clause[clause] + 1;
    assert(at <= end && !expansion->literals);
    for (uint32_t b = 0; b < expansion->model->buffers; b++) {
        expansion->low[b] = formula->least[b];
        expansion->high[b] =
            formula->least[b] + formula->offsets[b] * (int64_t)expansion->model->alignment[b];
    }
    for (uint32_t l = 0; l < 2 * expansion->learn->variables; l++)
        expansion->truth[l] = 0;
    for (size_t i = first; i < at; i++)
        expansion->truth[log->number[i] ^ 1] = 1;
    for (size_t steps = at; steps < end;) {
        struct proof_step step = proof_step_read(log, &steps);
        TRY(expand_step(expansion, &step));
    }
    assert(!expansion->literals); /* each step has ended its clause */
    for (size_t i = first; i < at; i++)
        TRY(add_literal(expansion, formula_literal(formula, (uint32_t)log->number[i])));
    end_clause(expansion);
    return text_check(expansion->text, expansion->error);
}

static enum status expand(struct expansion *expansion, uint64_t *kept, struct error *error)
{
    struct scratch *scratch = &expansion->memory;
    const struct exact_model *model = expansion->model;
    TRY(proof_trim_create(expansion->learn, scratch, &expansion->trim, error));
    TRY(scratch_take(scratch, &expansion->most_one,
                     (size_t)model->sections * (size_t)expansion->addresses, sizeof(uint64_t),
                     error));
    TRY(scratch_take_all(scratch, model->buffers, error, &expansion->low, &expansion->high,
                         &expansion->is_inside));
    TRY(scratch_take(scratch, &expansion->truth, 2 * (size_t)expansion->learn->variables,
                     sizeof(int8_t), error));
    text_append(expansion->text, "pseudo-Boolean proof version 3.0\nf %" PRIu64 " ;\n",
                expansion->constraints);
    for (size_t c = 0; c < expansion->log->clauses; c++)
        if (expansion->trim.clause[c])
            TRY(expand_clause(expansion, c));
    text_append(expansion->text,
                "output NONE;\nconclusion UNSAT : %" PRIu64 ";\nend pseudo-Boolean proof;\n",
                expansion->constraints);
    assert(expansion->constraints > expansion->formula->constraints);
    *kept = expansion->trim.kept;
    return text_check(expansion->text, error);
}

enum status proof_expand(const struct formula *formula, struct text *text, uint64_t *kept,
                         struct error *error)
{
    struct expansion expansion = {.formula = formula,
                                  .learn = formula->learn,
                                  .model = formula->learn->model,
                                  .log = formula->learn->log,
                                  .text = text,
                                  .constraints = formula->constraints,
                                  .addresses = formula->capacity,
                                  .error = error};
    assert(expansion.log && !expansion.learn->twin);
    enum status status = expand(&expansion, kept, error);
    memory_free(expansion.literal);
    scratch_free(&expansion.memory);
    return status;
}
