#include "proofs/checker/log.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "proofs/checker/bounds.h"
#include "proofs/checker/input.h"

/* The offset of one buffer less that of another is at least `up`, or at most -`down`: literal v
   says the first of choice v, literal -v the second. */
struct choice {
    uint32_t first, second;
    int64_t up, down;
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

struct clause {
    int64_t *literal; /* NULL once it is forgotten */
    size_t literals;
};

struct checker {
    const struct problem *problem;
    struct bounds bounds;
    struct fault *fault;
    struct input *input;
    char **word; /* [words] of the line */
    size_t words, word_room;

    struct choice *choice;
    uint8_t *holds; /* [choices] 1: the literal holds, 2: its opposite does */
    uint32_t *held; /* [held_count] choices of which that is known */
    size_t choices, choice_room, holds_room, held_room, held_count;
    struct member *member;
    size_t *clique; /* [cliques + 1] into member */
    size_t members, member_room, cliques, clique_room;
    struct clause *clause; /* the last one is being proved where `proves` */
    size_t clauses, clause_room;
    bool proves, refuted;
};

/* Every line is words with one blank between them. */
static bool split_line(struct checker *checker, char *line)
{
    checker->words = 0;
    for (char *at = line; at;) {
        FAULT_TRY(check_fault_grow((void **)&checker->word, &checker->word_room, checker->words,
                                   sizeof *checker->word, checker->fault));
        checker->word[checker->words++] = at;
        at = strchr(at, ' ');
        if (at)
            *at++ = 0;
        if (!*checker->word[checker->words - 1])
            return check_fault_unreadable(checker->fault, "found an empty word");
    }
    return true;
}

static bool read_line(struct checker *checker, const char *expected)
{
    char *line;
    FAULT_TRY(check_input_line(checker->input, true, &line, checker->fault));
    if (!line) {
        checker->fault->line++;
        return check_fault_unreadable(checker->fault, "found the end of the file, expected %s",
                                      expected);
    }
    return split_line(checker, line);
}

static bool read_number(struct checker *checker, size_t word, int64_t *number)
{
    const char *text = checker->word[word];
    return check_input_number(text, text + strlen(text), number, checker->fault);
}

static bool expect_words(struct checker *checker, size_t least, size_t most)
{
    if (checker->words >= least + 1 && checker->words <= most)
        return true;
    return check_fault_unreadable(checker->fault, "rule %s: found %zu numbers", checker->word[0],
                                  checker->words - 1);
}

static bool read_index(struct checker *checker, size_t word, const char *what, size_t first,
                       size_t end, size_t *index)
{
    int64_t number;
    FAULT_TRY(read_number(checker, word, &number));
    if (number < (int64_t)first || number >= (int64_t)end)
        return check_fault_refused(checker->fault, "rule %s: there is no %s %" PRId64,
                                   checker->word[0], what, number);
    *index = (size_t)number;
    return true;
}

static bool read_literal(struct checker *checker, size_t word, int64_t *literal)
{
    FAULT_TRY(read_number(checker, word, literal));
    int64_t choice = *literal < 0 ? -*literal : *literal;
    if (choice >= 1 && choice <= (int64_t)checker->choices)
        return true;
    return check_fault_refused(checker->fault, "rule %s: there is no choice %" PRId64,
                               checker->word[0], choice);
}

static struct difference get_difference(const struct checker *checker, int64_t literal)
{
    const struct choice *choice = &checker->choice[(literal < 0 ? -literal : literal) - 1];
    return literal > 0 ? (struct difference){choice->first, choice->second, choice->up}
                       : (struct difference){choice->second, choice->first, choice->down};
}

static bool holds(const struct checker *checker, int64_t literal)
{
    return literal > 0 ? checker->holds[literal - 1] & 1 : checker->holds[-literal - 1] & 2;
}

static void hold(struct checker *checker, int64_t literal)
{
    size_t choice = (size_t)(literal < 0 ? -literal : literal) - 1;
    if (!checker->holds[choice])
        checker->held[checker->held_count++] = (uint32_t)choice;
    checker->holds[choice] |= literal > 0 ? 1 : 2;
    if (checker->holds[choice] == 3)
        checker->bounds.absurd = true;
}

static bool expect(struct checker *checker, bool condition, const char *text)
{
    return condition || check_fault_refused(checker->fault, "rule %s: %s", checker->word[0], text);
}

static bool read_buffer(struct checker *checker, size_t word, size_t *buffer)
{
    FAULT_TRY(read_index(checker, word, "buffer", 0, checker->problem->buffers, buffer));
    return expect(checker, checker->bounds.is_used[*buffer], "the proof does not use the buffer");
}

/* v I J UP DOWN: a choice. */
static bool add_choice(struct checker *checker)
{
    size_t first = 0, second = 0;
    int64_t up, down;
    FAULT_TRY(expect_words(checker, 4, 5));
    FAULT_TRY(read_buffer(checker, 1, &first));
    FAULT_TRY(read_buffer(checker, 2, &second));
    FAULT_TRY(read_number(checker, 3, &up));
    FAULT_TRY(read_number(checker, 4, &down));
    FAULT_TRY(expect(checker,
                     check_problem_forbids(checker->problem, (uint32_t)first, (uint32_t)second,
                                           1 - down, up - 1),
                     "the two buffers may lie closer"));
    /* Else both could hold, and that is taken for a contradiction. */
    FAULT_TRY(expect(checker, up + down >= 1, "both literals may be true"));
    if (checker->choices == UINT32_MAX - 1)
        return check_fault_unreadable(checker->fault, "found more than 2^32 - 2 choices");
    FAULT_TRY(check_fault_grow((void **)&checker->choice, &checker->choice_room, checker->choices,
                               sizeof *checker->choice, checker->fault));
    FAULT_TRY(check_fault_grow((void **)&checker->holds, &checker->holds_room, checker->choices, 1,
                               checker->fault));
    FAULT_TRY(check_fault_grow((void **)&checker->held, &checker->held_room, checker->choices,
                               sizeof *checker->held, checker->fault));
    checker->holds[checker->choices] = 0;
    checker->choice[checker->choices++] =
        (struct choice){(uint32_t)first, (uint32_t)second, up, down};
    return true;
}

/* A member of a clique: a buffer, or BUFFER:BEGIN:END where only these bytes of it count. */
static bool read_member(struct checker *checker, char *word, struct member *member)
{
    char *begin = strchr(word, ':'), *end = begin ? strchr(begin + 1, ':') : NULL;
    int64_t buffer;
    if (begin && !end)
        return check_fault_unreadable(checker->fault, "found '%.40s', expected BUFFER:BEGIN:END",
                                      word);
    FAULT_TRY(
        check_input_number(word, begin ? begin : word + strlen(word), &buffer, checker->fault));
    FAULT_TRY(
        expect(checker,
               buffer >= 0 && buffer < checker->problem->buffers && checker->bounds.is_used[buffer],
               "the proof does not use the buffer"));
    *member = (struct member){(uint32_t)buffer, 0, checker->problem->size[buffer]};
    if (!begin)
        return true;
    FAULT_TRY(check_input_number(begin + 1, end, &member->begin, checker->fault));
    FAULT_TRY(check_input_number(end + 1, end + strlen(end), &member->end, checker->fault));
    return expect(checker, member->begin < member->end, "a member has no bytes");
}

/* q MEMBER ..: a clique. */
static bool add_clique(struct checker *checker)
{
    FAULT_TRY(check_fault_grow((void **)&checker->clique, &checker->clique_room,
                               checker->cliques + 1, sizeof *checker->clique, checker->fault));
    size_t first = checker->members;
    for (size_t i = 1; i < checker->words; i++) {
        struct member member;
        FAULT_TRY(read_member(checker, checker->word[i], &member));
        for (size_t m = first; m < checker->members; m++) {
            const struct member *other = &checker->member[m];
            FAULT_TRY(expect(checker,
                             check_problem_forbids(checker->problem, other->buffer, member.buffer,
                                                   other->begin - member.end + 1,
                                                   other->end - member.begin - 1),
                             "two members may overlap"));
        }
        FAULT_TRY(check_fault_grow((void **)&checker->member, &checker->member_room,
                                   checker->members, sizeof member, checker->fault));
        checker->member[checker->members++] = member;
    }
    checker->clique[checker->cliques] = first;
    checker->clique[++checker->cliques] = checker->members;
    return true;
}

/* c LITERAL ..: begins the proof that one of them holds, with their opposites. */
static bool begin_clause(struct checker *checker)
{
    struct clause clause = {.literals = checker->words - 1};
    FAULT_TRY(check_fault_grow((void **)&checker->clause, &checker->clause_room, checker->clauses,
                               sizeof clause, checker->fault));
    clause.literal = malloc((clause.literals + 1) * sizeof *clause.literal);
    if (!clause.literal)
        return check_fault_memory(checker->fault);
    checker->clause[checker->clauses++] = clause;
    checker->proves = true;
    for (size_t i = 0; i < clause.literals; i++) {
        FAULT_TRY(read_literal(checker, i + 1, &clause.literal[i]));
        hold(checker, -clause.literal[i]);
    }
    return true;
}

/* The proof of the last clause is over. */
static bool end_clause(struct checker *checker)
{
    if (!checker->proves)
        return true;
    if (!checker->bounds.absurd)
        return check_fault_refused(checker->fault,
                                   "the proof of clause %zu ended before this line without a "
                                   "contradiction",
                                   checker->clauses);
    checker->refuted = checker->refuted || !checker->clause[checker->clauses - 1].literals;
    while (checker->held_count)
        checker->holds[checker->held[--checker->held_count]] = 0;
    check_bounds_restart(&checker->bounds);
    checker->proves = false;
    return true;
}

/* d CLAUSE ..: these are not used any more. */
static bool forget_clauses(struct checker *checker)
{
    for (size_t i = 1; i < checker->words; i++) {
        size_t index = 0;
        FAULT_TRY(read_index(checker, i, "clause", 1, checker->clauses + 1, &index));
        free(checker->clause[index - 1].literal);
        checker->clause[index - 1].literal = NULL;
    }
    return true;
}

/* E LITERAL: what holds passes bounds on. */
static bool pass_on(struct checker *checker)
{
    int64_t literal;
    FAULT_TRY(expect_words(checker, 1, 2));
    FAULT_TRY(read_literal(checker, 1, &literal));
    FAULT_TRY(expect(checker, holds(checker, literal), "the literal does not hold"));
    struct difference edge = get_difference(checker, literal);
    struct bounds *bounds = &checker->bounds;
    check_bounds_raise(bounds, edge.to, bounds->low[edge.from] + edge.distance);
    check_bounds_lower(bounds, edge.from, bounds->high[edge.to] - edge.distance);
    return true;
}

/* O LITERAL: there is no room for it, so that its opposite holds. */
static bool exclude(struct checker *checker)
{
    int64_t literal;
    FAULT_TRY(expect_words(checker, 1, 2));
    FAULT_TRY(read_literal(checker, 1, &literal));
    struct difference edge = get_difference(checker, literal);
    FAULT_TRY(expect(checker,
                     checker->bounds.low[edge.from] + edge.distance > checker->bounds.high[edge.to],
                     "there is room for the literal"));
    hold(checker, -literal);
    return true;
}

/* C CLAUSE: all of its literals but one are excluded, so that this one holds; or all are. */
static bool use_clause(struct checker *checker)
{
    size_t index = 0, left = 0;
    int64_t last = 0;
    FAULT_TRY(expect_words(checker, 1, 2));
    FAULT_TRY(read_index(checker, 1, "proved clause", 1, checker->clauses, &index));
    const struct clause *clause = &checker->clause[index - 1];
    FAULT_TRY(expect(checker, clause->literal, "the clause was forgotten"));
    for (size_t i = 0; i < clause->literals; i++)
        if (!holds(checker, -clause->literal[i])) {
            last = clause->literal[i];
            left++;
        }
    FAULT_TRY(expect(checker, left <= 1, "several literals of the clause may hold"));
    if (left)
        hold(checker, last);
    else
        checker->bounds.absurd = true;
    return true;
}

/* P LITERAL OTHER: what holds says more than the other one, of the same buffers. */
static bool weaken(struct checker *checker)
{
    int64_t literal, other;
    FAULT_TRY(expect_words(checker, 2, 3));
    FAULT_TRY(read_literal(checker, 1, &literal));
    FAULT_TRY(read_literal(checker, 2, &other));
    FAULT_TRY(expect(checker, holds(checker, literal), "the literal does not hold"));
    struct difference edge = get_difference(checker, literal);
    struct difference weaker = get_difference(checker, other);
    FAULT_TRY(
        expect(checker,
               edge.from == weaker.from && edge.to == weaker.to && edge.distance >= weaker.distance,
               "the literal does not imply the other"));
    hold(checker, other);
    return true;
}

/* The member of the clique whose buffer this is, the first one if there are several. */
static const struct member *find_member(const struct checker *checker, size_t clique,
                                        uint32_t buffer)
{
    for (size_t m = checker->clique[clique - 1]; m < checker->clique[clique]; m++)
        if (checker->member[m].buffer == buffer)
            return &checker->member[m];
    return NULL;
}

static int64_t find_begin(const struct checker *checker, const struct member *member)
{
    return checker->bounds.low[member->buffer] + member->begin;
}

static int64_t find_end(const struct checker *checker, const struct member *member)
{
    return checker->bounds.high[member->buffer] + member->end;
}

/* Whether the members of the clique that lie between two addresses, together with the two given
   ones where there are such, hold more bytes than there are. */
static bool is_overfull(const struct checker *checker, size_t clique, int64_t begin, int64_t end,
                        const struct member *first, const struct member *second)
{
    uint64_t bytes = 0, room = end > begin ? (uint64_t)(end - begin) : 0;
    for (size_t m = checker->clique[clique - 1]; m < checker->clique[clique] && bytes <= room;
         m++) {
        const struct member *member = &checker->member[m];
        if (member == first || member == second ||
            (find_begin(checker, member) >= begin && find_end(checker, member) <= end))
            bytes += (uint64_t)(member->end - member->begin);
    }
    return bytes > room;
}

/* K CLIQUE BEGIN END: the members that lie between the two addresses hold more than that. */
static bool overload(struct checker *checker)
{
    size_t clique = 0;
    int64_t begin, end;
    FAULT_TRY(expect_words(checker, 3, 4));
    FAULT_TRY(read_index(checker, 1, "clique", 1, checker->cliques + 1, &clique));
    FAULT_TRY(read_number(checker, 2, &begin));
    FAULT_TRY(read_number(checker, 3, &end));
    FAULT_TRY(expect(checker, is_overfull(checker, clique, begin, end, NULL, NULL),
                     "the members between the two addresses fit"));
    checker->bounds.absurd = true;
    return true;
}

/* D CLIQUE BEGIN END LITERAL: from below to. Were it the other way round, both would lie between
   the two addresses, and hold more than that with the members which do. */
static bool find_edge(struct checker *checker)
{
    size_t clique = 0;
    int64_t begin, end, literal;
    FAULT_TRY(expect_words(checker, 4, 5));
    FAULT_TRY(read_index(checker, 1, "clique", 1, checker->cliques + 1, &clique));
    FAULT_TRY(read_number(checker, 2, &begin));
    FAULT_TRY(read_number(checker, 3, &end));
    FAULT_TRY(read_literal(checker, 4, &literal));
    struct difference opposite = get_difference(checker, -literal);
    const struct member *lower = find_member(checker, clique, opposite.from);
    const struct member *upper = find_member(checker, clique, opposite.to);
    FAULT_TRY(expect(checker, lower && upper, "the literal is about no two members"));
    FAULT_TRY(expect(checker, opposite.distance >= lower->end - upper->begin,
                     "the opposite of the literal does not say that the bytes lie apart"));
    FAULT_TRY(expect(checker,
                     find_begin(checker, lower) >= begin && find_end(checker, upper) <= end,
                     "the two members may lie beyond the addresses"));
    FAULT_TRY(expect(checker, is_overfull(checker, clique, begin, end, lower, upper),
                     "the members between the two addresses fit"));
    hold(checker, literal);
    return true;
}

/* H CLIQUE BEGIN LITERAL ..: members from the address on lie below one that they all name, which
   therefore lies above their sum. G CLIQUE END LITERAL ..: the same downwards. */
static bool chain(struct checker *checker, bool down)
{
    size_t clique = 0;
    int64_t address, sum;
    const struct member *moved = NULL, *last = NULL;
    FAULT_TRY(expect_words(checker, 3, SIZE_MAX));
    FAULT_TRY(read_index(checker, 1, "clique", 1, checker->cliques + 1, &clique));
    FAULT_TRY(read_number(checker, 2, &address));
    sum = address;
    for (size_t i = 3; i < checker->words; i++) {
        int64_t literal;
        FAULT_TRY(read_literal(checker, i, &literal));
        FAULT_TRY(expect(checker, holds(checker, literal), "a literal does not hold"));
        struct difference edge = get_difference(checker, literal);
        const struct member *lower = find_member(checker, clique, edge.from);
        const struct member *upper = find_member(checker, clique, edge.to);
        FAULT_TRY(expect(checker, lower && upper, "a literal is about no two members"));
        const struct member *passed = down ? upper : lower, *mover = down ? lower : upper;
        FAULT_TRY(expect(checker, !moved || moved == mover, "the literals move several members"));
        FAULT_TRY(expect(checker, !last || last < passed, "the members do not ascend"));
        FAULT_TRY(expect(checker, edge.distance >= lower->end - upper->begin,
                         "a literal does not say that the bytes lie apart"));
        FAULT_TRY(expect(checker,
                         down ? find_end(checker, passed) <= address
                              : find_begin(checker, passed) >= address,
                         "a member may lie beyond the address"));
        moved = mover;
        last = passed;
        sum += down ? passed->begin - passed->end : passed->end - passed->begin;
        FAULT_TRY(expect(checker, sum <= INPUT_MOST && sum >= -INPUT_MOST, "too many bytes"));
    }
    if (down)
        check_bounds_lower(&checker->bounds, moved->buffer, sum - moved->end);
    else
        check_bounds_raise(&checker->bounds, moved->buffer, sum - moved->begin);
    return true;
}

static bool check_line(struct checker *checker)
{
    const char *rule = checker->word[0];
    bool known = strlen(rule) == 1 && strchr("vqcdEOCPKDHG", *rule);
    if (!known)
        return check_fault_unreadable(checker->fault, "found the rule '%.20s'", rule);
    if (strchr("vqcd", *rule)) {
        FAULT_TRY(end_clause(checker));
        return *rule == 'v'   ? add_choice(checker)
               : *rule == 'q' ? add_clique(checker)
               : *rule == 'c' ? begin_clause(checker)
                              : forget_clauses(checker);
    }
    /* Of what is absurd everything follows. */
    if (checker->bounds.absurd && checker->proves)
        return true;
    FAULT_TRY(expect(checker, checker->proves, "no clause is being proved"));
    switch (*rule) {
    case 'E':
        return pass_on(checker);
    case 'O':
        return exclude(checker);
    case 'C':
        return use_clause(checker);
    case 'P':
        return weaken(checker);
    case 'K':
        return overload(checker);
    case 'D':
        return find_edge(checker);
    default:
        return chain(checker, *rule == 'G');
    }
}

/* A line of the head: a word and another one, or a number. */
static bool read_head(struct checker *checker, const char *name, int64_t *number)
{
    FAULT_TRY(read_line(checker, name));
    if (checker->words != 2 || strcmp(checker->word[0], name) != 0)
        return check_fault_unreadable(checker->fault, "found '%.20s', expected '%s' and a value",
                                      checker->word[0], name);
    return !number || read_number(checker, 1, number);
}

/* use all, or use BUFFER ..: the buffers that the proof is about. */
static bool read_used(struct checker *checker, bool *is_used)
{
    uint32_t buffers = checker->problem->buffers;
    FAULT_TRY(read_line(checker, "'use'"));
    if (strcmp(checker->word[0], "use") != 0)
        return check_fault_unreadable(checker->fault, "found '%.20s', expected 'use'",
                                      checker->word[0]);
    bool all = checker->words == 2 && strcmp(checker->word[1], "all") == 0;
    for (uint32_t b = 0; all && b < buffers; b++)
        is_used[b] = true;
    for (size_t i = 1; !all && i < checker->words; i++) {
        size_t buffer = 0;
        FAULT_TRY(read_index(checker, i, "buffer", 0, buffers, &buffer));
        is_used[buffer] = true;
    }
    return true;
}

static bool check_head(struct checker *checker, struct refutation *refutation)
{
    FAULT_TRY(read_head(checker, "memplan-proof", NULL));
    if (strcmp(checker->word[1], "1") != 0)
        return check_fault_unreadable(checker->fault, "found version '%.20s', expected 1",
                                      checker->word[1]);
    char expected[20];
    uint64_t fingerprint = check_problem_fingerprint(checker->problem);
    for (int i = 0; i < 16; i++)
        expected[i] = "0123456789abcdef"[fingerprint >> (60 - 4 * i) & 15];
    expected[16] = 0;
    FAULT_TRY(read_head(checker, "problem", NULL));
    if (strcmp(checker->word[1], expected) != 0)
        return check_fault_unreadable(checker->fault,
                                      "found a log of another problem, '%.20s', expected %s",
                                      checker->word[1], expected);
    FAULT_TRY(read_head(checker, "capacity", &refutation->capacity));
    if (refutation->capacity < 0)
        return check_fault_unreadable(checker->fault, "found a capacity below 0");
    FAULT_TRY(read_head(checker, "unit", &refutation->unit));
    bool *is_used = calloc(checker->problem->buffers, sizeof *is_used);
    if (!is_used)
        return check_fault_memory(checker->fault);
    if (read_used(checker, is_used))
        return check_bounds_create(&checker->bounds, checker->problem, refutation->capacity,
                                   refutation->unit, is_used, checker->fault);
    free(is_used);
    return false;
}

static bool check_lines(struct checker *checker, struct refutation *refutation)
{
    char *line;
    FAULT_TRY(check_head(checker, refutation));
    do {
        FAULT_TRY(read_line(checker, "'end'"));
        if (strcmp(checker->word[0], "end") != 0)
            FAULT_TRY(check_line(checker));
    } while (strcmp(checker->word[0], "end") != 0);
    FAULT_TRY(expect_words(checker, 0, 1));
    FAULT_TRY(end_clause(checker));
    if (!checker->refuted)
        return check_fault_refused(checker->fault, "no empty clause was proved");
    refutation->lines = checker->fault->line;
    refutation->clauses = checker->clauses;
    FAULT_TRY(check_input_line(checker->input, true, &line, checker->fault));
    return !line || check_fault_unreadable(checker->fault, "found a line behind 'end'");
}

bool check_log(const char *path, const struct problem *problem, struct refutation *refutation,
               struct fault *fault)
{
    struct checker checker = {.problem = problem, .fault = fault};
    bool fine = check_input_open(path, &checker.input, fault) && check_lines(&checker, refutation);
    check_input_close(checker.input);
    check_bounds_free(&checker.bounds);
    for (size_t c = 0; c < checker.clauses; c++)
        free(checker.clause[c].literal);
    free(checker.clause);
    free(checker.clique);
    free(checker.member);
    free(checker.choice);
    free(checker.holds);
    free(checker.held);
    free(checker.word);
    return fine;
}
