/* The rules by which a log goes on. Each refuses with the condition that does not hold. */
#include "proofs/checker/rules.h"

#include <stdlib.h>
#include <string.h>

#include "proofs/checker/facts.h"

/* v I J UP DOWN: a choice. */
static void add_choice(const struct numbers *line)
{
    const struct choice choice = {(uint32_t)line->number[0],
                                  (uint32_t)line->number[1],
                                  line->number[2],
                                  line->number[3],
                                  {false, false}};
    check_expect(check_problem_forbids(check_facts.problem, choice.first, choice.second,
                                       1 - choice.down, choice.up - 1),
                 "the two buffers may lie closer");
    /* Else both could hold, and that is taken for a contradiction. */
    check_expect(choice.up + choice.down >= 1, "both literals may be true");
    check_facts.choice = check_grow(check_facts.choice, check_facts.choices, sizeof choice);
    check_facts.held = check_grow(check_facts.held, check_facts.choices, sizeof *check_facts.held);
    check_facts.choice[check_facts.choices++] = choice;
}

/* q MEMBER ..: a clique. */
static void add_clique(const struct numbers *line)
{
    size_t first = check_facts.members;
    for (size_t i = 0; i < line->count; i += 3) {
        const struct member member = {(uint32_t)line->number[i], line->number[i + 1],
                                      line->number[i + 2]};
        check_expect(check_facts_uses(line->number[i]), "the proof does not use the buffer");
        check_expect(member.begin < member.end, "a member has no bytes");
        for (size_t m = first; m < check_facts.members; m++) {
            const struct member *other = &check_facts.member[m];
            check_expect(check_problem_forbids(check_facts.problem, other->buffer, member.buffer,
                                               other->begin - member.end + 1,
                                               other->end - member.begin - 1),
                         "two members may overlap");
        }
        check_facts.member = check_grow(check_facts.member, check_facts.members, sizeof member);
        check_facts.member[check_facts.members++] = member;
    }
    check_facts.clique =
        check_grow(check_facts.clique, check_facts.cliques, sizeof *check_facts.clique);
    check_facts.clique[check_facts.cliques++] = (struct clique){first, check_facts.members};
}

/* c LITERAL ..: begins the proof that one of them holds, with their opposites. */
static void begin_clause(const struct numbers *line)
{
    check_facts.clause =
        check_grow(check_facts.clause, check_facts.clauses, sizeof *check_facts.clause);
    int64_t *copy = check_create(line->count, sizeof *copy);
    check_facts.clause[check_facts.clauses++] = (struct clause){copy, line->count};
    check_facts.proves = true;
    for (size_t i = 0; i < line->count; i++) {
        copy[i] = line->number[i];
        check_facts_add(-line->number[i]);
    }
}

/* d CLAUSE ..: these are not used any more. */
static void forget_clauses(const struct numbers *line)
{
    for (size_t i = 0; i < line->count; i++) {
        free(check_facts.clause[line->number[i] - 1].literal);
        check_facts.clause[line->number[i] - 1].literal = NULL;
    }
}

/* E HELD: a literal that holds passes the bounds of one buffer on to the other. */
static void pass_on(const struct numbers *line)
{
    struct difference edge = check_facts_difference(line->number[0]);
    check_facts_bound(edge.to, check_facts.place[edge.from].low + edge.distance, INT64_MAX);
    check_facts_bound(edge.from, INT64_MIN, check_facts.place[edge.to].high - edge.distance);
}

/* O LITERAL: there is no room for it, so that its opposite holds. */
static void exclude(const struct numbers *line)
{
    struct difference edge = check_facts_difference(line->number[0]);
    check_expect(check_facts.place[edge.from].low + edge.distance > check_facts.place[edge.to].high,
                 "there is room for the literal");
    check_facts_add(-line->number[0]);
}

/* C CLAUSE: all of its literals but one are excluded, so that this one holds; or all are. */
static void use_clause(const struct numbers *line)
{
    const struct clause *clause = &check_facts.clause[line->number[0] - 1];
    int64_t last = 0;
    check_expect(clause->literal, "the clause was forgotten");
    for (size_t i = 0; i < clause->literals; i++) {
        if (check_facts_holds(-clause->literal[i]))
            continue;
        check_expect(!last, "several literals of the clause may hold");
        last = clause->literal[i];
    }
    if (last)
        check_facts_add(last);
    check_facts.absurd |= !last;
}

/* P HELD LITERAL: the literal that holds says at least as much of the two buffers as the other. */
static void weaken(const struct numbers *line)
{
    struct difference edge = check_facts_difference(line->number[0]);
    struct difference weaker = check_facts_difference(line->number[1]);
    check_expect(edge.from == weaker.from && edge.to == weaker.to &&
                     edge.distance >= weaker.distance,
                 "the literal does not imply the other");
    check_facts_add(line->number[1]);
}

/* T LITERAL: some plan has of each two buffers that are alike the first one lower. */
static void order_twins(const struct numbers *line)
{
    struct difference edge = check_facts_difference(line->number[0]);
    check_expect(edge.from < edge.to, "the first of the two buffers is not the lower one");
    check_expect(check_facts_difference(-line->number[0]).distance >= 1,
                 "the opposite of the literal leaves both at one offset");
    check_expect(check_problem_alike(check_facts.problem, edge.from, edge.to),
                 "the two buffers are not alike");
    check_facts_add(line->number[0]);
}

/* Whether a member lies between two addresses in all plans that are left. */
static bool lies_in(const struct member *member, int64_t begin, int64_t end)
{
    const struct place *place = &check_facts.place[member->buffer];
    return place->low + member->begin >= begin && place->high + member->end <= end;
}

/* The member of a clique whose buffer this is, the first one if there are several; NULL where there
   is none. */
static const struct member *find_member(int64_t number, uint32_t buffer)
{
    const struct clique *clique = &check_facts.clique[number - 1];
    for (size_t m = clique->first; m < clique->end; m++)
        if (check_facts.member[m].buffer == buffer)
            return &check_facts.member[m];
    return NULL;
}

/* Whether the bytes of a member begin at a multiple of the number in all plans. */
static bool begins_at(const struct member *member, int64_t multiple)
{
    int64_t offset = check_facts.problem->buffer[member->buffer].fixed;
    if (offset == BUFFER_FREE)
        offset = check_facts.place[member->buffer].step;
    return offset % multiple == 0 && member->begin % multiple == 0;
}

/* Refuses unless the members of the clique that lie between two addresses, together with the two
   given ones where there are such, hold more bytes than there are. Those count that begin at
   multiples of `rounding`, with their bytes rounded up to it: but for the uppermost one, the next
   one begins there or above. */
static void expect_overfull(const struct numbers *line, const struct member *first,
                            const struct member *second, int64_t rounding)
{
    const struct clique *clique = &check_facts.clique[line->number[0] - 1];
    int64_t begin = line->number[1], end = line->number[2], most_added = 0;
    uint64_t bytes = 0, room = end > begin ? (uint64_t)(end - begin) : 0;
    for (size_t m = clique->first; m < clique->end && bytes <= room; m++) {
        const struct member *member = &check_facts.member[m];
        if ((member != first && member != second && !lies_in(member, begin, end)) ||
            !begins_at(member, rounding))
            continue;
        int64_t added = -check_round_down(-member->end, rounding) - member->end;
        bytes += (uint64_t)(member->end - member->begin);
        bytes += (uint64_t)(added < most_added ? added : most_added);
        most_added = added > most_added ? added : most_added;
    }
    check_expect(bytes > room, "the members between the two addresses fit");
}

/* K CLIQUE BEGIN END: the members that lie between the two addresses hold more bytes than fit
   there. R CLIQUE BEGIN END ROUNDING: their rounded bytes do. */
static void overload(const struct numbers *line)
{
    bool rounds = check_facts.letter == 'R';
    check_expect(!rounds || (line->number[1] >= 0 && line->number[3] >= 1),
                 "the address is below 0, or what is rounded to below 1");
    expect_overfull(line, NULL, NULL, rounds ? line->number[3] : 1);
    check_facts.absurd = true;
}

/* D CLIQUE BEGIN END LITERAL: from below to. Were it the other way round, both would lie between
   the two addresses; together with the other members there they hold more bytes than that. */
static void find_edge(const struct numbers *line)
{
    struct difference opposite = check_facts_difference(-line->number[3]);
    const struct member *lower = find_member(line->number[0], opposite.from);
    const struct member *upper = find_member(line->number[0], opposite.to);
    check_expect(lower && upper, "the literal is about no two members");
    check_expect(opposite.distance >= lower->end - upper->begin,
                 "the opposite of the literal does not say that the bytes lie apart");
    check_expect(lies_in(lower, line->number[1], INT64_MAX) &&
                     lies_in(upper, INT64_MIN, line->number[2]),
                 "the two members may lie beyond the addresses");
    expect_overfull(line, lower, upper, 1);
    check_facts_add(line->number[3]);
}

/* H CLIQUE BEGIN HELD ..: members from the address on lie below one that they all name, which
   therefore lies above their sum. G CLIQUE END HELD ..: the same downwards. */
static void chain(const struct numbers *line)
{
    bool down = check_facts.letter == 'G';
    int64_t address = line->number[1], sum = address;
    const struct member *moved = NULL, *last = NULL;
    for (size_t i = 2; i < line->count; i++) {
        struct difference edge = check_facts_difference(line->number[i]);
        const struct member *lower = find_member(line->number[0], edge.from);
        const struct member *upper = find_member(line->number[0], edge.to);
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
static bool is_apart(int64_t clique, const struct member *member, uint32_t buffer)
{
    const struct member *same = find_member(clique, member->buffer);
    return same && member->buffer != buffer && same->begin <= member->begin &&
           same->end >= member->end;
}

/* W CLIQUE BEGIN END OTHER BUFFER OFFSET: a buffer of the other clique lies between two addresses,
   apart from those members of the clique there that are in the other one, too. So each of its bytes
   is one of the other members there, or free; and below the offset, they can be so few that it lies
   at the offset or above. M CLIQUE BEGIN END OTHER BUFFER OFFSET: the same downwards. */
static void hand_over(const struct numbers *line)
{
    bool down = check_facts.letter == 'M';
    int64_t begin = line->number[1], end = line->number[2], offset = line->number[5];
    uint32_t taker = (uint32_t)line->number[4];
    const struct clique *clique = &check_facts.clique[line->number[0] - 1];
    const struct member *taken = find_member(line->number[3], taker);
    check_expect(taken, "the buffer is not in the other clique");
    check_expect(offset <= check_facts.capacity && offset >= -check_facts.capacity,
                 "the offset is none");
    check_expect(lies_in(taken, begin, end), "the buffer may lie beyond the addresses");
    /* The nearest one to the offset of those that are to be excluded. */
    int64_t step = check_facts.place[taker].step;
    int64_t last = down ? -check_round_down(-offset - 1, step) : check_round_down(offset - 1, step);
    check_expect(last >= begin - taken->begin && last <= end - taken->end,
                 "the offset is beyond the addresses");
    /* How many bytes there are too many, should no more than what is counted cover each other. */
    int64_t excess = taken->end - taken->begin - (end - begin);
    for (size_t m = clique->first; m < clique->end && excess <= 0; m++) {
        const struct member *member = &check_facts.member[m];
        const struct place *place = &check_facts.place[member->buffer];
        int64_t bytes = member->end - member->begin;
        if (!lies_in(member, begin, end))
            continue;
        int64_t covered = down ? place->high + member->end - (last + taken->begin)
                               : last + taken->end - (place->low + member->begin);
        if (covered < 0 || is_apart(line->number[3], member, taker))
            covered = 0;
        excess += bytes - (covered < bytes ? covered : bytes);
    }
    check_expect(excess > 0, "the members between the two addresses can take its bytes over");
    check_facts_bound(taker, down ? INT64_MIN : offset, down ? offset : INT64_MAX);
}

static const struct rule rules[] = {
    {'v', "bbnn", 0, false, add_choice}, {'q', "", 'm', false, add_clique},
    {'c', "", 'l', false, begin_clause}, {'d', "", 'c', false, forget_clauses},
    {'E', "h", 0, true, pass_on},        {'O', "l", 0, true, exclude},
    {'C', "c", 0, true, use_clause},     {'P', "hl", 0, true, weaken},
    {'T', "l", 0, true, order_twins},    {'K', "qnn", 0, true, overload},
    {'R', "qnnn", 0, true, overload},    {'D', "qnnl", 0, true, find_edge},
    {'H', "qnh", 'h', true, chain},      {'G', "qnh", 'h', true, chain},
    {'W', "qnnqbn", 0, true, hand_over}, {'M', "qnnqbn", 0, true, hand_over},
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
    return !check_facts.proves || !check_facts.absurd;
}

/* Refuses where there is not what a number names. */
static void check_number(char kind, int64_t number)
{
    size_t index = (size_t)(number < 0 && kind != 'q' && kind != 'c' ? -number : number) - 1;
    if (kind == 'b')
        check_expect(check_facts_uses(number), "the proof does not use the buffer");
    if (kind == 'l' || kind == 'h')
        check_expect(index < check_facts.choices, "there is no such choice");
    if (kind == 'h')
        check_expect(check_facts_holds(number), "a literal does not hold");
    if (kind == 'q')
        check_expect(index < check_facts.cliques, "there is no such clique");
    if (kind == 'c')
        check_expect(index < check_facts.clauses - check_facts.proves, "no such clause was proved");
}

void check_rules_apply(const struct rule *rule, const struct numbers *line)
{
    size_t fixed = strlen(rule->kinds);
    check_facts.letter = rule->letter;
    check_expect(check_facts.proves || !rule->is_step, "no clause is being proved");
    for (size_t i = 0; i < line->count; i++)
        check_number(i < fixed ? rule->kinds[i] : rule->more, line->number[i]);
    rule->apply(line);
}

size_t check_rules_end(void)
{
    check_facts_end_clause();
    if (!check_facts.refuted)
        REFUSED("no empty clause was proved");
    return check_facts.clauses;
}
