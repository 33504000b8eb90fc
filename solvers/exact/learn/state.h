#ifndef MEMPLAN_SOLVERS_EXACT_LEARN_STATE_H
#define MEMPLAN_SOLVERS_EXACT_LEARN_STATE_H

#include "solvers/exact/learn/learn.h"

/* A variable is an interval that the distance of two buffers must not lie in; its two literals say
   on which side it lies: to's offset is at least from's plus the distance. Literals l and l ^ 1 are
   each other's opposite.

   A bound is a least value of an offset or of its negative: bound 2 b is the least offset of b,
   bound 2 b + 1 the negative of its greatest one. So each rule is written once and holds in both
   directions. Values only rise; where the two of a buffer sum up to more than 0 it has no place.

   An atom is what has been found: a literal that holds, or a bound that is at least a value. */
struct exact_literal {
    uint32_t from, to; /* buffers */
    int64_t distance;
};

struct exact_atom {
    uint32_t item; /* a literal, or 2 * variables + a bound */
    int64_t value; /* of a bound */
};

enum exact_reason {
    EXACT_BY_START,    /* a bound of an empty plan */
    EXACT_BY_DECISION, /* a literal */
    EXACT_BY_CLAUSE,   /* source: the clause; the literal is one of its first two */
    EXACT_BY_LITERAL,  /* source: the literal that passed a bound on */
    EXACT_BY_BOUNDS,   /* the opposite literal had no room; value: its lower bound */
    EXACT_BY_ATOMS,    /* source: where they begin */
};

struct exact_event {
    struct exact_atom atom;
    enum exact_reason reason;
    uint32_t source, count; /* count of atoms */
    uint32_t previous;      /* the event of the same bound before, or EXACT_NONE */
};

struct exact_clause {
    uint32_t begin;    /* into clause_literal */
    uint32_t literals; /* one of them holds */
    uint32_t levels;   /* decisions involved when it was found: the fewer the better */
    uint64_t limit;    /* the greatest capacity for which that is known */
};

/* What a conflict teaches beside the clause in learned. */
struct exact_lesson {
    uint32_t levels;   /* to keep; the clause says what holds then */
    uint32_t involved; /* how many levels its literals are from */
    uint64_t limit;    /* the greatest capacity for which that is known */
};

struct exact_watch {
    uint32_t clause, next; /* next watch of the same literal, or EXACT_NONE */
};

struct exact_learn_job {
    int64_t release, deadline, width;
    uint32_t member; /* of the section */
};

struct exact_learn {
    const struct exact_model *model;
    unsigned rules;
    uint64_t capacity;
    uint32_t variables;
    struct exact_literal *literal; /* [2 * variables] */
    uint64_t *first;               /* [buffers + 1] into variable */
    uint32_t *variable;            /* those of pairs with the buffer */
    uint64_t *pairs;               /* [sections] into below */
    uint32_t *below; /* literals; member i below j of section s: pairs[s] + i * members + j */

    int8_t *truth;      /* [2 * variables] 1 holds, -1 its opposite does, 0 open */
    int8_t *phase;      /* [variables] the literal that held last, 0 or 1; -1: none yet */
    double *activity;   /* [variables] */
    uint32_t *event_of; /* [variables] */
    int64_t *value;     /* [2 * buffers] of bounds */
    uint32_t *latest;   /* [2 * buffers] event */
    double increment;

    struct exact_event *event;
    uint32_t *level_begin;   /* [variables + 1] event of each decision */
    struct exact_atom *atom; /* reasons; the last ones are the conflict */
    size_t event_capacity, atom_capacity;
    uint32_t events, levels, atoms, handled;
    uint32_t conflict; /* where its atoms begin */
    uint64_t conflict_limit;

    uint32_t *dirty; /* [sections] to be looked at */
    bool *is_dirty;
    uint32_t dirty_count;
    struct exact_learn_job *job; /* [members of a section] scratch */

    struct exact_clause *clause;
    uint32_t *clause_literal;
    struct exact_watch *watch; /* [2 * clauses] */
    uint32_t *watched;         /* [2 * variables] first watch of the literal */
    size_t clause_capacity, clause_literal_capacity, watch_capacity;
    uint32_t clauses;
    uint32_t clause_literals;

    bool *seen;        /* [variables] scratch of the analysis */
    int64_t *needed;   /* [2 * buffers] */
    uint32_t *learned; /* [variables + 1] */
    uint32_t learneds;
    struct error *error;
    enum status status; /* of allocations on the way */
    uint64_t counter[SEARCH_COUNTERS];
};

#define EXACT_NO_NEED INT64_MIN
#define EXACT_LEARN_MOST (UINT64_C(1) << 60) /* units of all offsets and sizes */

static inline uint32_t exact_bound_item(const struct exact_learn *learn, uint32_t bound)
{
    return 2 * learn->variables + bound;
}

static inline uint64_t exact_window(const struct exact_model *model, uint64_t member)
{
    return model->whole ? 0 : model->window[member];
}

static inline uint64_t exact_width(const struct exact_model *model, uint64_t member)
{
    return model->whole ? model->size[model->member[member]] : model->width[member];
}

static inline bool exact_is_literal(const struct exact_learn *learn, uint32_t item)
{
    return item < 2 * learn->variables;
}

/* solvers/exact/learn/trail.c: what is known, in the order in which it was found. False: there is a
   conflict, whose atoms are the last ones. */
void exact_learn_add_atom(struct exact_learn *learn, uint32_t item, int64_t value);
bool exact_learn_assert(struct exact_learn *learn, uint32_t literal, enum exact_reason reason,
                        uint32_t source, uint32_t count, int64_t value);
bool exact_learn_raise(struct exact_learn *learn, uint32_t bound, int64_t value,
                       enum exact_reason reason, uint32_t source, uint32_t count);
bool exact_learn_start(struct exact_learn *learn); /* forgets all and sets the bounds anew */
bool exact_learn_propagate(struct exact_learn *learn);
void exact_learn_undo(struct exact_learn *learn, uint32_t levels);
/* The least value that is rounded up to one not below the given one. */
int64_t exact_learn_unrounded(const struct exact_learn *learn, uint32_t bound, int64_t value);

/* solvers/exact/learn/disjunctive.c: what a section says. */
bool exact_learn_refresh_section(struct exact_learn *learn, uint32_t section);

/* solvers/exact/learn/clauses.c */
bool exact_learn_visit_clauses(struct exact_learn *learn, uint32_t literal);
/* The literals in learned, whose first holds from here on; the second is of the latest level. */
uint32_t exact_learn_add_clause(struct exact_learn *learn, const struct exact_lesson *lesson);
/* Before a start: drops many of very many clauses and watches those that the capacity allows.
   False where one of them has no literal that could hold. */
bool exact_learn_watch_clauses(struct exact_learn *learn);

/* solvers/exact/learn/explain.c: turns the conflict into a clause in learned, latest literals
   first. False: there is no decision to blame, and no plan up to lesson->limit. */
bool exact_learn_explain(struct exact_learn *learn, struct exact_lesson *lesson);

/* solvers/exact/learn/literals.c: the literals of the model. */
enum status exact_learn_list_literals(struct exact_learn *learn, struct error *error);

#endif
