/* What a log has shown so far, and the rules by which it goes on. Each refuses with the condition
   that does not hold. */
#include "proofs/checker/rules.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* The offset of one buffer less that of another is at least `up`, or at most -`down`: literal v
   says the first of choice v, literal -v the second. */
struct choice {
    uint32_t first, second;
    int64_t up, down;
    bool holds[2]; /* in the proof that is going on: the literal; its opposite */
};

/* A literal as a difference: to's offset is at least from's plus the distance. */
struct difference {
    uint32_t from, to;
    int64_t distance;
};

struct member {
    uint32_t buffer;
    int64_t begin, end; /* of its bytes: they and those of other members never overlap */
};

struct clique {
    size_t first, end; /* of its members */
};

struct clause {
    int64_t *literal; /* NULL once it is forgotten */
    size_t literals;
};

/* Where a buffer can lie in the plans that fit the capacity and for which the clause that is being
   proved is false. */
struct place {
    int64_t step;      /* what divides the offset: its alignment or the unit */
    int64_t low, high; /* least and greatest offset */
    bool is_used;      /* whether the proof is about it; of others nothing is known */
    bool is_touched;   /* whether it has other values than at the beginning */
};

static struct {
    const struct problem *problem;
    int64_t capacity;
    char letter;         /* of the rule that is being applied */
    struct place *place; /* [buffers] */
    uint32_t *touched;   /* [touched_count] buffers */
    struct choice *choice;
    size_t *held;          /* [held_count] choices of which a literal holds */
    struct member *member; /* of all cliques */
    struct clique *clique;
    struct clause *clause; /* [clauses] the last one is being proved where `proves` */
    size_t touched_count, choices, held_count, members, cliques, clauses;
    bool proves, refuted; /* refuted: a clause without literals was proved */
    bool absurd;          /* there is no such plan */
    bool absurd_at_first; /* no plan at all fits the capacity */
} facts;

static void expect(bool condition, const char *text)
{
    if (!condition)
        REFUSED("rule %c: %s", facts.letter, text);
}

static int64_t round_down(int64_t value, int64_t step)
{
    int64_t rest = value % step;
    return rest < 0 ? value - rest - step : value - rest;
}

/* Sets what is known of a used buffer before anything is assumed. */
static void set_first(uint32_t b)
{
    struct place *place = &facts.place[b];
    int64_t fixed = facts.problem->buffer[b].fixed;
    int64_t highest = facts.capacity - facts.problem->buffer[b].size;
    bool is_fixed = fixed != BUFFER_FREE;
    place->low = is_fixed ? fixed : 0;
    place->high = is_fixed && fixed <= highest ? fixed : round_down(highest, place->step);
    place->is_touched = false;
}

static bool is_of_unit(const struct problem *problem, const struct buffer *buffer, int64_t unit)
{
    bool fine = buffer->size % unit == 0 &&
                (buffer->fixed == BUFFER_FREE || buffer->fixed % unit == 0) &&
                (buffer->alignment % unit == 0 || unit % buffer->alignment == 0);
    for (size_t s = buffer->first; fine && s < buffer->end; s++)
        fine = problem->segment[s].begin % unit == 0 && problem->segment[s].end % unit == 0;
    return fine;
}

void check_rules_begin(const struct problem *problem, const bool *used, int64_t capacity,
                       int64_t unit)
{
    facts.problem = problem;
    facts.capacity = capacity;
    facts.place = check_create(problem->buffers, sizeof *facts.place);
    facts.touched = check_create(problem->buffers, sizeof *facts.touched);
    if (unit < 1 || capacity < 0)
        UNREADABLE("found a unit below 1, or a capacity below 0");
    for (uint32_t b = 0; b < problem->buffers; b++) {
        const struct buffer *buffer = &problem->buffer[b];
        struct place *place = &facts.place[b];
        place->is_used = used[b];
        if (!used[b])
            continue;
        if (!is_of_unit(problem, buffer, unit))
            REFUSED("buffer %" PRIu32 " is not in units of %" PRId64, b, unit);
        place->step = buffer->alignment > unit ? buffer->alignment : unit;
        if (buffer->fixed != BUFFER_FREE)
            place->step = 1; /* it stays where it is, whatever the alignment */
        set_first(b);
        facts.absurd_at_first |= place->low > place->high;
    }
    facts.absurd = facts.absurd_at_first;
}

void check_rules_free(void)
{
    for (size_t c = 0; c < facts.clauses; c++)
        free(facts.clause[c].literal);
    free(facts.clause);
    free(facts.clique);
    free(facts.member);
    free(facts.choice);
    free(facts.held);
    free(facts.place);
    free(facts.touched);
    memset(&facts, 0, sizeof facts);
}

/* Raises the least offset, lowers the greatest one, where what is given says more. */
static void bound(uint32_t b, int64_t low, int64_t high)
{
    struct place *place = &facts.place[b];
    /* Not rounded where nothing is left anyway, so that nothing overflows. */
    if (low > place->low)
        place->low = low > place->high ? low : -round_down(-low, place->step);
    if (high < place->high)
        place->high = high < place->low ? high : round_down(high, place->step);
    facts.absurd |= place->low > place->high;
    if (!place->is_touched)
        facts.touched[facts.touched_count++] = b;
    place->is_touched = true;
}

static struct choice *get_choice(int64_t literal)
{
    return &facts.choice[(literal < 0 ? -literal : literal) - 1];
}

static struct difference get_difference(int64_t literal)
{
    const struct choice *choice = get_choice(literal);
    return literal > 0 ? (struct difference){choice->first, choice->second, choice->up}
                       : (struct difference){choice->second, choice->first, choice->down};
}

static bool holds(int64_t literal)
{
    return get_choice(literal)->holds[literal < 0];
}

/* From now on the literal holds; with its opposite, that is absurd. */
static void hold(int64_t literal)
{
    struct choice *choice = get_choice(literal);
    if (!choice->holds[0] && !choice->holds[1])
        facts.held[facts.held_count++] = (size_t)(choice - facts.choice);
    choice->holds[literal < 0] = true;
    facts.absurd |= choice->holds[0] && choice->holds[1];
}

/* The proof of the last clause is over, and what it assumed is forgotten. O(what was touched). */
static void end_clause(void)
{
    if (!facts.proves)
        return;
    if (!facts.absurd)
        REFUSED("the proof of clause %zu ended before this line without a contradiction",
                facts.clauses);
    facts.refuted |= !facts.clause[facts.clauses - 1].literals;
    while (facts.held_count) {
        struct choice *choice = &facts.choice[facts.held[--facts.held_count]];
        choice->holds[0] = choice->holds[1] = false;
    }
    while (facts.touched_count)
        set_first(facts.touched[--facts.touched_count]);
    facts.absurd = facts.absurd_at_first;
    facts.proves = false;
}

static bool is_used(int64_t buffer)
{
    return buffer >= 0 && buffer < facts.problem->buffers && facts.place[buffer].is_used;
}

/* v I J UP DOWN: a choice. */
static void add_choice(const struct numbers *line)
{
    const struct choice choice = {(uint32_t)line->number[0],
                                  (uint32_t)line->number[1],
                                  line->number[2],
                                  line->number[3],
                                  {false, false}};
    expect(check_problem_forbids(facts.problem, choice.first, choice.second, 1 - choice.down,
                                 choice.up - 1),
           "the two buffers may lie closer");
    /* Else both could hold, and that is taken for a contradiction. */
    expect(choice.up + choice.down >= 1, "both literals may be true");
    facts.choice = check_grow(facts.choice, facts.choices, sizeof choice);
    facts.held = check_grow(facts.held, facts.choices, sizeof *facts.held);
    facts.choice[facts.choices++] = choice;
}

/* q MEMBER ..: a clique. */
static void add_clique(const struct numbers *line)
{
    size_t first = facts.members;
    for (size_t i = 0; i < line->count; i += 3) {
        const struct member member = {(uint32_t)line->number[i], line->number[i + 1],
                                      line->number[i + 2]};
        expect(is_used(line->number[i]), "the proof does not use the buffer");
        expect(member.begin < member.end, "a member has no bytes");
        for (size_t m = first; m < facts.members; m++) {
            const struct member *other = &facts.member[m];
            expect(check_problem_forbids(facts.problem, other->buffer, member.buffer,
                                         other->begin - member.end + 1,
                                         other->end - member.begin - 1),
                   "two members may overlap");
        }
        facts.member = check_grow(facts.member, facts.members, sizeof member);
        facts.member[facts.members++] = member;
    }
    facts.clique = check_grow(facts.clique, facts.cliques, sizeof *facts.clique);
    facts.clique[facts.cliques++] = (struct clique){first, facts.members};
}

/* c LITERAL ..: begins the proof that one of them holds, with their opposites. */
static void begin_clause(const struct numbers *line)
{
    facts.clause = check_grow(facts.clause, facts.clauses, sizeof *facts.clause);
    int64_t *copy = check_create(line->count, sizeof *copy);
    facts.clause[facts.clauses++] = (struct clause){copy, line->count};
    facts.proves = true;
    for (size_t i = 0; i < line->count; i++) {
        copy[i] = line->number[i];
        hold(-line->number[i]);
    }
}

/* d CLAUSE ..: these are not used any more. */
static void forget_clauses(const struct numbers *line)
{
    for (size_t i = 0; i < line->count; i++) {
        free(facts.clause[line->number[i] - 1].literal);
        facts.clause[line->number[i] - 1].literal = NULL;
    }
}

/* E HELD: a literal that holds passes the bounds of one buffer on to the other. */
static void pass_on(const struct numbers *line)
{
    struct difference edge = get_difference(line->number[0]);
    bound(edge.to, facts.place[edge.from].low + edge.distance, INT64_MAX);
    bound(edge.from, INT64_MIN, facts.place[edge.to].high - edge.distance);
}

/* O LITERAL: there is no room for it, so that its opposite holds. */
static void exclude(const struct numbers *line)
{
    struct difference edge = get_difference(line->number[0]);
    expect(facts.place[edge.from].low + edge.distance > facts.place[edge.to].high,
           "there is room for the literal");
    hold(-line->number[0]);
}

/* C CLAUSE: all of its literals but one are excluded, so that this one holds; or all are. */
static void use_clause(const struct numbers *line)
{
    const struct clause *clause = &facts.clause[line->number[0] - 1];
    int64_t last = 0;
    expect(clause->literal, "the clause was forgotten");
    for (size_t i = 0; i < clause->literals; i++) {
        if (holds(-clause->literal[i]))
            continue;
        expect(!last, "several literals of the clause may hold");
        last = clause->literal[i];
    }
    if (last)
        hold(last);
    facts.absurd |= !last;
}

/* P HELD LITERAL: the literal that holds says at least as much of the two buffers as the other. */
static void weaken(const struct numbers *line)
{
    struct difference edge = get_difference(line->number[0]);
    struct difference weaker = get_difference(line->number[1]);
    expect(edge.from == weaker.from && edge.to == weaker.to && edge.distance >= weaker.distance,
           "the literal does not imply the other");
    hold(line->number[1]);
}

/* T LITERAL: some plan has of each two buffers that are alike the first one lower. */
static void order_twins(const struct numbers *line)
{
    struct difference edge = get_difference(line->number[0]);
    expect(edge.from < edge.to, "the first of the two buffers is not the lower one");
    expect(get_difference(-line->number[0]).distance >= 1,
           "the opposite of the literal leaves both at one offset");
    expect(check_problem_alike(facts.problem, edge.from, edge.to), "the two buffers are not alike");
    hold(line->number[0]);
}

/* Whether a member lies between two addresses in all plans that are left. */
static bool lies_in(const struct member *member, int64_t begin, int64_t end)
{
    const struct place *place = &facts.place[member->buffer];
    return place->low + member->begin >= begin && place->high + member->end <= end;
}

/* The member of a clique whose buffer this is, the first one if there are several; NULL where there
   is none. */
static const struct member *find_member(int64_t number, uint32_t buffer)
{
    const struct clique *clique = &facts.clique[number - 1];
    for (size_t m = clique->first; m < clique->end; m++)
        if (facts.member[m].buffer == buffer)
            return &facts.member[m];
    return NULL;
}

/* Refuses unless the members of the clique that lie between two addresses, together with the two
   given ones where there are such, hold more bytes than there are. */
static void expect_overfull(const struct numbers *line, const struct member *first,
                            const struct member *second)
{
    const struct clique *clique = &facts.clique[line->number[0] - 1];
    int64_t begin = line->number[1], end = line->number[2];
    uint64_t bytes = 0, room = end > begin ? (uint64_t)(end - begin) : 0;
    for (size_t m = clique->first; m < clique->end && bytes <= room; m++) {
        const struct member *member = &facts.member[m];
        if (member == first || member == second || lies_in(member, begin, end))
            bytes += (uint64_t)(member->end - member->begin);
    }
    expect(bytes > room, "the members between the two addresses fit");
}

/* K CLIQUE BEGIN END: the members that lie between the two addresses hold more bytes than fit
   there. */
static void overload(const struct numbers *line)
{
    expect_overfull(line, NULL, NULL);
    facts.absurd = true;
}

/* D CLIQUE BEGIN END LITERAL: from below to. Were it the other way round, both would lie between
   the two addresses; together with the other members there they hold more bytes than that. */
static void find_edge(const struct numbers *line)
{
    struct difference opposite = get_difference(-line->number[3]);
    const struct member *lower = find_member(line->number[0], opposite.from);
    const struct member *upper = find_member(line->number[0], opposite.to);
    expect(lower && upper, "the literal is about no two members");
    expect(opposite.distance >= lower->end - upper->begin,
           "the opposite of the literal does not say that the bytes lie apart");
    expect(lies_in(lower, line->number[1], INT64_MAX) && lies_in(upper, INT64_MIN, line->number[2]),
           "the two members may lie beyond the addresses");
    expect_overfull(line, lower, upper);
    hold(line->number[3]);
}

/* H CLIQUE BEGIN HELD ..: members from the address on lie below one that they all name, which
   therefore lies above their sum. G CLIQUE END HELD ..: the same downwards. */
static void chain(const struct numbers *line)
{
    bool down = facts.letter == 'G';
    int64_t address = line->number[1], sum = address;
    const struct member *moved = NULL, *last = NULL;
    for (size_t i = 2; i < line->count; i++) {
        struct difference edge = get_difference(line->number[i]);
        const struct member *lower = find_member(line->number[0], edge.from);
        const struct member *upper = find_member(line->number[0], edge.to);
        expect(lower && upper, "a literal is about no two members");
        const struct member *passed = down ? upper : lower, *mover = down ? lower : upper;
        expect(!moved || moved == mover, "the literals move several members");
        expect(!last || last < passed, "the members do not ascend");
        expect(edge.distance >= lower->end - upper->begin,
               "a literal does not say that the bytes lie apart");
        expect(lies_in(passed, down ? INT64_MIN : address, down ? address : INT64_MAX),
               "a member may lie beyond the address");
        moved = mover;
        last = passed;
        sum += down ? passed->begin - passed->end : passed->end - passed->begin;
        expect(sum <= INPUT_MOST && sum >= -INPUT_MOST, "too many bytes");
    }
    bound(moved->buffer, down ? INT64_MIN : sum - moved->begin,
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
    bool down = facts.letter == 'M';
    int64_t begin = line->number[1], end = line->number[2], offset = line->number[5];
    uint32_t taker = (uint32_t)line->number[4];
    const struct clique *clique = &facts.clique[line->number[0] - 1];
    const struct member *taken = find_member(line->number[3], taker);
    expect(taken, "the buffer is not in the other clique");
    expect(offset <= facts.capacity && offset >= -facts.capacity, "the offset is none");
    expect(lies_in(taken, begin, end), "the buffer may lie beyond the addresses");
    /* The nearest one to the offset of those that are to be excluded. */
    int64_t step = facts.place[taker].step;
    int64_t last = down ? -round_down(-offset - 1, step) : round_down(offset - 1, step);
    expect(last >= begin - taken->begin && last <= end - taken->end,
           "the offset is beyond the addresses");
    /* How many bytes there are too many, should no more than what is counted cover each other. */
    int64_t excess = taken->end - taken->begin - (end - begin);
    for (size_t m = clique->first; m < clique->end && excess <= 0; m++) {
        const struct member *member = &facts.member[m];
        const struct place *place = &facts.place[member->buffer];
        int64_t bytes = member->end - member->begin;
        if (!lies_in(member, begin, end))
            continue;
        int64_t covered = down ? place->high + member->end - (last + taken->begin)
                               : last + taken->end - (place->low + member->begin);
        if (covered < 0 || is_apart(line->number[3], member, taker))
            covered = 0;
        excess += bytes - (covered < bytes ? covered : bytes);
    }
    expect(excess > 0, "the members between the two addresses can take its bytes over");
    bound(taker, down ? INT64_MIN : offset, down ? offset : INT64_MAX);
}

static const struct rule rules[] = {
    {'v', "bbnn", 0, false, add_choice}, {'q', "", 'm', false, add_clique},
    {'c', "", 'l', false, begin_clause}, {'d', "", 'c', false, forget_clauses},
    {'E', "h", 0, true, pass_on},        {'O', "l", 0, true, exclude},
    {'C', "c", 0, true, use_clause},     {'P', "hl", 0, true, weaken},
    {'T', "l", 0, true, order_twins},    {'K', "qnn", 0, true, overload},
    {'D', "qnnl", 0, true, find_edge},   {'H', "qnh", 'h', true, chain},
    {'G', "qnh", 'h', true, chain},      {'W', "qnnqbn", 0, true, hand_over},
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
        end_clause();
    return !facts.proves || !facts.absurd;
}

/* Refuses where there is not what a number names. */
static void check_number(char kind, int64_t number)
{
    size_t index = (size_t)(number < 0 && kind != 'q' && kind != 'c' ? -number : number) - 1;
    if (kind == 'b')
        expect(is_used(number), "the proof does not use the buffer");
    if (kind == 'l' || kind == 'h')
        expect(index < facts.choices, "there is no such choice");
    if (kind == 'h')
        expect(holds(number), "a literal does not hold");
    if (kind == 'q')
        expect(index < facts.cliques, "there is no such clique");
    if (kind == 'c')
        expect(index < facts.clauses - facts.proves, "no such clause was proved");
}

void check_rules_apply(const struct rule *rule, const struct numbers *line)
{
    size_t fixed = strlen(rule->kinds);
    facts.letter = rule->letter;
    expect(facts.proves || !rule->is_step, "no clause is being proved");
    for (size_t i = 0; i < line->count; i++)
        check_number(i < fixed ? rule->kinds[i] : rule->more, line->number[i]);
    rule->apply(line);
}

size_t check_rules_end(void)
{
    end_clause();
    if (!facts.refuted)
        REFUSED("no empty clause was proved");
    return facts.clauses;
}
