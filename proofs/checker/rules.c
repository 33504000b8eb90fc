/* The rules. Each refuses with the condition that does not hold. */
#include "proofs/checker/rules.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "proofs/checker/input.h"

static bool expect(const struct facts *facts, bool condition, const char *text)
{
    return condition || REFUSED(facts->fault, "rule %c: %s", facts->letter, text);
}

static bool is_used(const struct facts *facts, int64_t buffer)
{
    return buffer >= 0 && buffer < facts->problem->buffers && facts->place[buffer].is_used;
}

/* v I J UP DOWN: a choice. */
static bool add_choice(struct facts *facts, const struct numbers *line)
{
    const struct choice choice = {(uint32_t)line->number[0], (uint32_t)line->number[1],
                                  line->number[2], line->number[3]};
    NEED(expect(facts,
                check_problem_forbids(facts->problem, choice.first, choice.second, 1 - choice.down,
                                      choice.up - 1),
                "the two buffers may lie closer"));
    /* Else both could hold, and that is taken for a contradiction. */
    NEED(expect(facts, choice.up + choice.down >= 1, "both literals may be true"));
    NEED(check_grow((void **)&facts->choice, &facts->choice_room, facts->choices, sizeof choice,
                    facts->fault));
    NEED(check_grow((void **)&facts->holds, &facts->holds_room, facts->choices, 1, facts->fault));
    NEED(check_grow((void **)&facts->held, &facts->held_room, facts->choices, sizeof *facts->held,
                    facts->fault));
    facts->holds[facts->choices] = 0;
    facts->choice[facts->choices++] = choice;
    return true;
}

/* q MEMBER ..: a clique. */
static bool add_clique(struct facts *facts, const struct numbers *line)
{
    size_t first = facts->members;
    NEED(check_grow((void **)&facts->clique, &facts->clique_room, facts->cliques + 1,
                    sizeof *facts->clique, facts->fault));
    for (size_t i = 0; i < line->count; i += 3) {
        NEED(expect(facts, is_used(facts, line->number[i]), "the proof does not use the buffer"));
        const struct member member = {(uint32_t)line->number[i], line->number[i + 1],
                                      line->number[i + 2]};
        NEED(expect(facts, member.begin < member.end, "a member has no bytes"));
        for (size_t m = first; m < facts->members; m++) {
            const struct member *other = &facts->member[m];
            NEED(expect(facts,
                        check_problem_forbids(facts->problem, other->buffer, member.buffer,
                                              other->begin - member.end + 1,
                                              other->end - member.begin - 1),
                        "two members may overlap"));
        }
        NEED(check_grow((void **)&facts->member, &facts->member_room, facts->members, sizeof member,
                        facts->fault));
        facts->member[facts->members++] = member;
    }
    facts->clique[facts->cliques] = first;
    facts->clique[++facts->cliques] = facts->members;
    return true;
}

/* c LITERAL ..: begins the proof that one of them holds, with their opposites. */
static bool begin_clause(struct facts *facts, const struct numbers *line)
{
    assert(!facts->proves && !facts->held_count);
    NEED(check_grow((void **)&facts->clause, &facts->clause_room, facts->clauses,
                    sizeof *facts->clause, facts->fault));
    int64_t *copy = check_create(line->count, sizeof *copy, facts->fault);
    NEED(copy);
    if (line->count)
        memcpy(copy, line->number, line->count * sizeof *copy);
    facts->clause[facts->clauses++] = (struct clause){copy, line->count};
    facts->proves = true;
    for (size_t i = 0; i < line->count; i++)
        check_facts_hold(facts, -line->number[i]);
    return true;
}

/* d CLAUSE ..: these are not used any more. */
static bool forget_clauses(struct facts *facts, const struct numbers *line)
{
    for (size_t i = 0; i < line->count; i++) {
        free(facts->clause[line->number[i] - 1].literal);
        facts->clause[line->number[i] - 1].literal = NULL;
    }
    return true;
}

/* E LITERAL: a literal that holds passes the bounds of one buffer on to the other. */
static bool pass_on(struct facts *facts, const struct numbers *line)
{
    struct difference edge = check_facts_difference(facts, line->number[0]);
    NEED(expect(facts, check_facts_holds(facts, line->number[0]), "the literal does not hold"));
    check_facts_raise(facts, edge.to, facts->place[edge.from].low + edge.distance);
    check_facts_lower(facts, edge.from, facts->place[edge.to].high - edge.distance);
    return true;
}

/* O LITERAL: there is no room for it, so that its opposite holds. */
static bool exclude(struct facts *facts, const struct numbers *line)
{
    struct difference edge = check_facts_difference(facts, line->number[0]);
    NEED(expect(facts, facts->place[edge.from].low + edge.distance > facts->place[edge.to].high,
                "there is room for the literal"));
    check_facts_hold(facts, -line->number[0]);
    return true;
}

/* C CLAUSE: all of its literals but one are excluded, so that this one holds; or all are. */
static bool use_clause(struct facts *facts, const struct numbers *line)
{
    const struct clause *clause = &facts->clause[line->number[0] - 1];
    int64_t last = 0;
    NEED(expect(facts, clause->literal, "the clause was forgotten"));
    for (size_t i = 0; i < clause->literals; i++) {
        if (check_facts_holds(facts, -clause->literal[i]))
            continue;
        NEED(expect(facts, !last, "several literals of the clause may hold"));
        last = clause->literal[i];
    }
    if (last)
        check_facts_hold(facts, last);
    else
        facts->absurd = true;
    return true;
}

/* P LITERAL OTHER: the literal that holds says at least as much of the two buffers as the other. */
static bool weaken(struct facts *facts, const struct numbers *line)
{
    struct difference edge = check_facts_difference(facts, line->number[0]);
    struct difference weaker = check_facts_difference(facts, line->number[1]);
    NEED(expect(facts, check_facts_holds(facts, line->number[0]), "the literal does not hold"));
    NEED(expect(
        facts, edge.from == weaker.from && edge.to == weaker.to && edge.distance >= weaker.distance,
        "the literal does not imply the other"));
    check_facts_hold(facts, line->number[1]);
    return true;
}

/* T LITERAL: some plan has of each two buffers that are alike the first one lower. */
static bool order_twins(struct facts *facts, const struct numbers *line)
{
    struct difference edge = check_facts_difference(facts, line->number[0]);
    NEED(expect(facts, edge.from < edge.to, "the first of the two buffers is not the lower one"));
    NEED(expect(facts, check_facts_difference(facts, -line->number[0]).distance >= 1,
                "the opposite of the literal leaves both at one offset"));
    NEED(expect(facts, check_problem_alike(facts->problem, edge.from, edge.to),
                "the two buffers are not alike"));
    check_facts_hold(facts, line->number[0]);
    return true;
}

static int64_t find_begin(const struct facts *facts, const struct member *member)
{
    return facts->place[member->buffer].low + member->begin;
}

static int64_t find_end(const struct facts *facts, const struct member *member)
{
    return facts->place[member->buffer].high + member->end;
}

/* Whether the members of the clique that lie between two addresses, together with the two given
   ones where there are such, hold more bytes than there are. */
static bool is_overfull(const struct facts *facts, const struct numbers *line,
                        const struct member *first, const struct member *second)
{
    int64_t begin = line->number[1], end = line->number[2];
    uint64_t bytes = 0, room = end > begin ? (uint64_t)(end - begin) : 0;
    for (size_t m = facts->clique[line->number[0] - 1];
         m < facts->clique[line->number[0]] && bytes <= room; m++) {
        const struct member *member = &facts->member[m];
        if (member == first || member == second ||
            (find_begin(facts, member) >= begin && find_end(facts, member) <= end))
            bytes += (uint64_t)(member->end - member->begin);
    }
    return bytes > room;
}

/* K CLIQUE BEGIN END: the members that lie between the two addresses hold more bytes than fit
 * there.
 */
static bool overload(struct facts *facts, const struct numbers *line)
{
    NEED(expect(facts, is_overfull(facts, line, NULL, NULL),
                "the members between the two addresses fit"));
    facts->absurd = true;
    return true;
}

/* D CLIQUE BEGIN END LITERAL: from below to. Were it the other way round, both would lie between
   the two addresses; together with the other members there they hold more bytes than that. */
static bool find_edge(struct facts *facts, const struct numbers *line)
{
    struct difference opposite = check_facts_difference(facts, -line->number[3]);
    const struct member *lower = check_facts_member(facts, line->number[0], opposite.from);
    const struct member *upper = check_facts_member(facts, line->number[0], opposite.to);
    NEED(expect(facts, lower && upper, "the literal is about no two members"));
    NEED(expect(facts, opposite.distance >= lower->end - upper->begin,
                "the opposite of the literal does not say that the bytes lie apart"));
    NEED(expect(facts,
                find_begin(facts, lower) >= line->number[1] &&
                    find_end(facts, upper) <= line->number[2],
                "the two members may lie beyond the addresses"));
    NEED(expect(facts, is_overfull(facts, line, lower, upper),
                "the members between the two addresses fit"));
    check_facts_hold(facts, line->number[3]);
    return true;
}

/* H CLIQUE BEGIN LITERAL ..: members from the address on lie below one that they all name, which
   therefore lies above their sum. G CLIQUE END LITERAL ..: the same downwards. */
static bool chain(struct facts *facts, const struct numbers *line)
{
    bool down = facts->letter == 'G';
    int64_t address = line->number[1], sum = address;
    const struct member *moved = NULL, *last = NULL;
    for (size_t i = 2; i < line->count; i++) {
        struct difference edge = check_facts_difference(facts, line->number[i]);
        const struct member *lower = check_facts_member(facts, line->number[0], edge.from);
        const struct member *upper = check_facts_member(facts, line->number[0], edge.to);
        const struct member *passed = down ? upper : lower, *mover = down ? lower : upper;
        NEED(expect(facts, check_facts_holds(facts, line->number[i]), "a literal does not hold"));
        NEED(expect(facts, lower && upper, "a literal is about no two members"));
        NEED(expect(facts, !moved || moved == mover, "the literals move several members"));
        NEED(expect(facts, !last || last < passed, "the members do not ascend"));
        NEED(expect(facts, edge.distance >= lower->end - upper->begin,
                    "a literal does not say that the bytes lie apart"));
        NEED(expect(
            facts, down ? find_end(facts, passed) <= address : find_begin(facts, passed) >= address,
            "a member may lie beyond the address"));
        moved = mover;
        last = passed;
        sum += down ? passed->begin - passed->end : passed->end - passed->begin;
        NEED(expect(facts, sum <= INPUT_MOST && sum >= -INPUT_MOST, "too many bytes"));
    }
    assert(moved);
    if (down)
        check_facts_lower(facts, moved->buffer, sum - moved->end);
    else
        check_facts_raise(facts, moved->buffer, sum - moved->begin);
    return true;
}

static const struct rule rules[] = {
    {'v', "bbnn", 0, false, add_choice}, {'q', "", 'm', false, add_clique},
    {'c', "", 'l', false, begin_clause}, {'d', "", 'c', false, forget_clauses},
    {'E', "l", 0, true, pass_on},        {'O', "l", 0, true, exclude},
    {'C', "c", 0, true, use_clause},     {'P', "ll", 0, true, weaken},
    {'T', "l", 0, true, order_twins},    {'K', "qnn", 0, true, overload},
    {'D', "qnnl", 0, true, find_edge},   {'H', "qnl", 'l', true, chain},
    {'G', "qnl", 'l', true, chain},
};

const struct rule *check_rules_find(char letter)
{
    for (size_t r = 0; r < sizeof rules / sizeof *rules; r++)
        if (rules[r].letter == letter)
            return &rules[r];
    return NULL;
}

/* Whether there is what a number names. */
static bool check_number(const struct facts *facts, char kind, int64_t number)
{
    size_t index = (size_t)(number < 0 && kind == 'l' ? -number : number) - 1;
    switch (kind) {
    case 'b':
        return expect(facts, is_used(facts, number), "the proof does not use the buffer");
    case 'l':
        return expect(facts, index < facts->choices, "there is no such choice");
    case 'q':
        return expect(facts, index < facts->cliques, "there is no such clique");
    case 'c':
        return expect(facts, index < facts->clauses - facts->proves, "no such clause was proved");
    default:
        return true;
    }
}

bool check_rules_apply(const struct rule *rule, struct facts *facts, const struct numbers *numbers)
{
    size_t fixed = strlen(rule->kinds);
    assert(numbers->count >= fixed && (numbers->count == fixed || rule->more));
    facts->letter = rule->letter;
    NEED(expect(facts, facts->proves || !rule->is_step, "no clause is being proved"));
    for (size_t i = 0; i < numbers->count; i++)
        NEED(check_number(facts, i < fixed ? rule->kinds[i] : rule->more, numbers->number[i]));
    return rule->apply(facts, numbers);
}
