/* The rules by which a log goes on. Each refuses with the condition that does not hold. */
#include "proofs/checker/rules.h"

#include <stdlib.h>
#include <string.h>

#include "proofs/checker/facts.h"

static struct facts *const facts = &check_facts;

/* What a number of the line names. */
static struct difference get_literal(size_t i)
{
    return *check_facts_get(facts->number[i]);
}

static const struct clique *get_clique(size_t i)
{
    return &facts->clique[facts->number[i] - 1];
}

static struct clause *get_clause(size_t i)
{
    return &facts->clause[facts->number[i] - 1];
}

/* v I J UP DOWN: a choice. */
static void add_choice(void)
{
    const int64_t *number = facts->number;
    const struct difference up = {(uint32_t)number[0], (uint32_t)number[1], number[2], 0};
    const struct difference down = {up.to, up.from, number[3], 0};
    check_expect(
        check_problem_forbids(facts->problem, up.from, up.to, 1 - down.distance, up.distance - 1),
        "the two buffers may lie closer");
    /* Else both could hold, and that is taken for a contradiction. */
    check_expect(up.distance + down.distance >= 1, "both literals may be true");
    CHECK_APPEND(facts->literal, facts->literals, up);
    CHECK_APPEND(facts->literal, facts->literals, down);
}

/* q MEMBER ..: a clique. */
static void add_clique(void)
{
    CHECK_APPEND(facts->clique, facts->cliques, (struct clique){NULL, facts->count / 3});
    struct clique *clique = &facts->clique[facts->cliques - 1];
    clique->member = check_create(clique->members, sizeof *clique->member);
    for (size_t i = 0; i < clique->members; i++) {
        const int64_t *number = &facts->number[3 * i];
        struct member *other = clique->member, *added = &clique->member[i];
        *added = (struct member){(uint32_t)number[0], number[1], number[2]};
        check_expect(added->begin < added->end, "a member has no bytes");
        for (; other < added; other++)
            check_expect(check_problem_forbids(facts->problem, other->buffer, added->buffer,
                                               other->begin - added->end + 1,
                                               other->end - added->begin - 1),
                         "two members may overlap");
    }
}

/* c LITERAL ..: begins the proof that one of them holds, with their opposites. */
static void begin_clause(void)
{
    CHECK_APPEND(facts->clause, facts->clauses, (struct clause){NULL, facts->count});
    struct clause *clause = &facts->clause[facts->clauses - 1];
    clause->literal = check_create(facts->count, sizeof *facts->number);
    facts->proves = true;
    for (size_t i = 0; i < facts->count; i++) {
        clause->literal[i] = facts->number[i];
        check_facts_add(-facts->number[i]);
    }
}

/* d CLAUSE ..: these are not used any more. */
static void forget_clauses(void)
{
    for (size_t i = 0; i < facts->count; i++) {
        free(get_clause(i)->literal);
        get_clause(i)->literal = NULL;
    }
}

/* E HELD: a literal that holds passes the bounds of one buffer on to the other. */
static void pass_on(void)
{
    struct difference edge = get_literal(0);
    check_facts_bound(edge.to, facts->place[edge.from].low + edge.distance, INT64_MAX);
    check_facts_bound(edge.from, INT64_MIN, facts->place[edge.to].high - edge.distance);
}

/* O LITERAL: there is no room for it, so that its opposite holds. */
static void exclude(void)
{
    struct difference edge = get_literal(0);
    check_expect(facts->place[edge.from].low + edge.distance > facts->place[edge.to].high,
                 "there is room for the literal");
    check_facts_add(-facts->number[0]);
}

/* C CLAUSE: all of its literals but one are excluded, so that this one holds; or all are. */
static void use_clause(void)
{
    const struct clause *clause = get_clause(0);
    int64_t last = 0;
    check_expect(clause->literal, "the clause was forgotten");
    for (size_t i = 0; i < clause->literals; i++) {
        if (check_facts_get(-clause->literal[i])->holds)
            continue;
        check_expect(!last, "several literals of the clause may hold");
        last = clause->literal[i];
    }
    if (last)
        check_facts_add(last);
    facts->absurd |= !last;
}

/* P HELD LITERAL: the literal that holds says at least as much of the two buffers as the other. */
static void weaken(void)
{
    struct difference edge = get_literal(0), weaker = get_literal(1);
    check_expect(edge.from == weaker.from && edge.to == weaker.to &&
                     edge.distance >= weaker.distance,
                 "the literal does not imply the other");
    check_facts_add(facts->number[1]);
}

/* T LITERAL: some plan has of each two buffers that are alike the first one lower. */
static void order_twins(void)
{
    struct difference edge = get_literal(0);
    check_expect(edge.from < edge.to, "the first of the two buffers is not the lower one");
    check_expect(check_facts_get(-facts->number[0])->distance >= 1,
                 "the opposite of the literal leaves both at one offset");
    check_expect(check_problem_alike(facts->problem, edge.from, edge.to),
                 "the two buffers are not alike");
    check_facts_add(facts->number[0]);
}

/* Whether a member lies between two addresses in all plans that are left. */
static bool lies_in(const struct member *member, int64_t begin, int64_t end)
{
    const struct place *place = &facts->place[member->buffer];
    return place->low + member->begin >= begin && place->high + member->end <= end;
}

/* Whether the bytes of a member begin at a multiple of the number in all plans. */
static bool begins_at(const struct member *member, int64_t multiple)
{
    int64_t fixed = facts->problem->buffer[member->buffer].fixed;
    int64_t divided = fixed == BUFFER_FREE ? facts->place[member->buffer].step : fixed;
    return divided % multiple == 0 && member->begin % multiple == 0;
}

/* The member of a clique whose buffer this is, the first one if there are several; NULL where there
   is none. */
static const struct member *find_member(const struct clique *clique, uint32_t buffer)
{
    for (size_t m = 0; m < clique->members; m++)
        if (clique->member[m].buffer == buffer)
            return &clique->member[m];
    return NULL;
}

/* Refuses unless the members of the clique that lie between two addresses, together with the two
   given ones where there are such, hold more bytes than there are. Those count that begin at
   multiples of `rounding`, with their bytes rounded up to it: but for the uppermost one, the next
   one begins there or above. */
static void expect_overfull(const struct member *first, const struct member *second,
                            int64_t rounding)
{
    const struct clique *clique = get_clique(0);
    int64_t begin = facts->number[1], end = facts->number[2], most_added = 0;
    uint64_t bytes = 0, room = end > begin ? (uint64_t)(end - begin) : 0;
    for (size_t m = 0; m < clique->members && bytes <= room; m++) {
        const struct member *member = &clique->member[m];
        bool is_inside = member == first || member == second || lies_in(member, begin, end);
        if (!is_inside || !begins_at(member, rounding))
            continue;
        int64_t added = -check_round_down(-member->end, rounding) - member->end;
        bytes += (uint64_t)(member->end - member->begin);
        bytes += (uint64_t)(added < most_added ? added : most_added);
        most_added = added > most_added ? added : most_added;
    }
    check_expect(bytes > room, "the members between the two addresses fit");
}

/* K CLIQUE BEGIN END: the members that lie between the two addresses hold more bytes than fit
   there. */
static void overload(void)
{
    expect_overfull(NULL, NULL, 1);
    facts->absurd = true;
}

/* R CLIQUE BEGIN END ROUNDING: the same of their rounded bytes. */
static void overload_rounded(void)
{
    check_expect(facts->number[1] >= 0 && facts->number[3] >= 1,
                 "the address is below 0, or what is rounded to below 1");
    expect_overfull(NULL, NULL, facts->number[3]);
    facts->absurd = true;
}

/* D CLIQUE BEGIN END LITERAL: from below to. Were it the other way round, both would lie between
   the two addresses; together with the other members there they hold more bytes than that. */
static void find_edge(void)
{
    struct difference opposite = *check_facts_get(-facts->number[3]);
    const struct member *lower = find_member(get_clique(0), opposite.from);
    const struct member *upper = find_member(get_clique(0), opposite.to);
    check_expect(lower && upper, "the literal is about no two members");
    check_expect(opposite.distance >= lower->end - upper->begin,
                 "the opposite of the literal does not say that the bytes lie apart");
    check_expect(lies_in(lower, facts->number[1], INT64_MAX) &&
                     lies_in(upper, INT64_MIN, facts->number[2]),
                 "the two members may lie beyond the addresses");
    expect_overfull(lower, upper, 1);
    check_facts_add(facts->number[3]);
}

/* H CLIQUE BEGIN HELD ..: members from the address on lie below one that they all name, which
   therefore lies above their sum. G CLIQUE END HELD ..: the same downwards. */
static void chain(void)
{
    bool down = facts->letter == 'G';
    int64_t address = facts->number[1], sum = address;
    const struct member *moved = NULL, *last = NULL;
    for (size_t i = 2; i < facts->count; i++) {
        struct difference edge = get_literal(i);
        const struct member *lower = find_member(get_clique(0), edge.from);
        const struct member *upper = find_member(get_clique(0), edge.to);
        check_expect(lower && upper, "a literal is about no two members");
        const struct member *passed = down ? upper : lower, *mover = down ? lower : upper;
        check_expect(!moved || moved == mover, "the literals move several members");
        check_expect(!last || last < passed, "the members do not ascend");
        check_expect(edge.distance >= lower->end - upper->begin,
                     "a literal does not say that the bytes lie apart");
        check_expect(lies_in(passed, down ? INT64_MIN : address, down ? address : INT64_MAX),
                     "a member may lie beyond the address");
        moved = mover;
        last = passed;
        sum += down ? passed->begin - passed->end : passed->end - passed->begin;
        check_expect(sum <= INPUT_MOST && sum >= -INPUT_MOST, "too many bytes");
    }
    check_facts_bound(moved->buffer, down ? INT64_MIN : sum - moved->begin,
                      down ? sum - moved->end : INT64_MAX);
}

/* Whether the bytes of a member are never a buffer's, since they are in a clique with it. */
static bool is_apart(const struct clique *clique, const struct member *member, uint32_t buffer)
{
    const struct member *same = find_member(clique, member->buffer);
    return same && member->buffer != buffer && same->begin <= member->begin &&
           same->end >= member->end;
}

/* W CLIQUE BEGIN END OTHER BUFFER OFFSET: a buffer of the other clique lies between two addresses,
   apart from those members of the clique there that are in the other one, too. So each of its bytes
   is one of the other members there, or free; and below the offset, they can be so few that it lies
   at the offset or above. M CLIQUE BEGIN END OTHER BUFFER OFFSET: the same downwards. */
static void hand_over(void)
{
    bool down = facts->letter == 'M';
    int64_t begin = facts->number[1], end = facts->number[2], offset = facts->number[5];
    uint32_t taker = (uint32_t)facts->number[4];
    const struct clique *clique = get_clique(0), *other = get_clique(3);
    const struct member *taken = find_member(other, taker);
    check_expect(taken, "the buffer is not in the other clique");
    check_expect(offset <= facts->capacity && offset >= -facts->capacity, "the offset is none");
    check_expect(lies_in(taken, begin, end), "the buffer may lie beyond the addresses");
    /* The nearest one to the offset of those that are to be excluded. */
    int64_t step = facts->place[taker].step;
    int64_t last = down ? -check_round_down(-offset - 1, step) : check_round_down(offset - 1, step);
    check_expect(last >= begin - taken->begin && last <= end - taken->end,
                 "the offset is beyond the addresses");
    /* How many bytes there are too many, should no more than what is counted cover each other. */
    int64_t excess = taken->end - taken->begin - (end - begin);
    for (size_t m = 0; m < clique->members && excess <= 0; m++) {
        const struct member *member = &clique->member[m];
        const struct place *place = &facts->place[member->buffer];
        int64_t bytes = member->end - member->begin;
        if (!lies_in(member, begin, end))
            continue;
        int64_t covered = down ? place->high + member->end - (last + taken->begin)
                               : last + taken->end - (place->low + member->begin);
        if (covered < 0 || is_apart(other, member, taker))
            covered = 0;
        excess += bytes - (covered < bytes ? covered : bytes);
    }
    check_expect(excess > 0, "the members between the two addresses can take its bytes over");
    check_facts_bound(taker, down ? INT64_MIN : offset, down ? offset : INT64_MAX);
}

static const struct rule rules[] = {
    {'v', "bbnn", 0, false, add_choice},
    {'q', "", 'm', false, add_clique},
    {'c', "", 'l', false, begin_clause},
    {'d', "", 'c', false, forget_clauses},
    {'E', "h", 0, true, pass_on},
    {'O', "l", 0, true, exclude},
    {'C', "c", 0, true, use_clause},
    {'P', "hl", 0, true, weaken},
    {'T', "l", 0, true, order_twins},
    {'K', "qnn", 0, true, overload},
    {'R', "qnnn", 0, true, overload_rounded},
    {'D', "qnnl", 0, true, find_edge},
    {'H', "qnh", 'h', true, chain},
    {'G', "qnh", 'h', true, chain},
    {'W', "qnnqbn", 0, true, hand_over},
    {'M', "qnnqbn", 0, true, hand_over},
};

const struct rule *check_rules_find(char letter)
{
    for (size_t r = 0; r < sizeof rules / sizeof *rules; r++)
        if (rules[r].letter == letter)
            return &rules[r];
    return NULL;
}

bool check_rules_prepare(const struct rule *rule)
{
    if (!rule->is_step)
        check_facts_end_clause();
    return !facts->proves || !facts->absurd;
}

/* Refuses where there is not what a number names. */
static void check_number(char kind, int64_t number)
{
    size_t index = (size_t)(number < 0 && kind == 'l' ? -number : number) - 1;
    if (kind == 'b')
        check_expect(number >= 0 && number < facts->problem->buffers &&
                         facts->place[number].is_used,
                     "the proof does not use the buffer");
    if (kind == 'l')
        check_expect(index < facts->literals / 2, "there is no such choice");
    if (kind == 'q')
        check_expect(index < facts->cliques, "there is no such clique");
    if (kind == 'c')
        check_expect(index < facts->clauses - facts->proves, "no such clause was proved");
}

void check_rules_apply(const struct rule *rule, const int64_t *number, size_t count)
{
    size_t fixed = strlen(rule->kinds);
    facts->letter = rule->letter;
    facts->number = number;
    facts->count = count;
    check_expect(facts->proves || !rule->is_step, "no clause is being proved");
    for (size_t i = 0; i < count; i++) {
        char kind = i < fixed ? rule->kinds[i] : rule->more == 'm' ? "bnn"[i % 3] : rule->more;
        check_number(kind == 'h' ? 'l' : kind, number[i]);
        check_expect(kind != 'h' || check_facts_get(number[i])->holds, "a literal does not hold");
    }
    rule->apply();
}

size_t check_rules_end(void)
{
    check_facts_end_clause();
    if (!facts->refuted)
        REFUSED("no empty clause was proved");
    return facts->clauses;
}
