#ifndef MEMPLAN_SOLVERS_EXACT_LEARN_STATE_H
#define MEMPLAN_SOLVERS_EXACT_LEARN_STATE_H

#include <assert.h>

#include "core/scratch.h"
#include "planning/plan/search_record.h"
#include "solvers/exact/model/model.h"

/* Which rules are used, each a switch. */
enum exact_learn_rule {
    EXACT_LEARN_RULE_OVERLOAD = 1 << 0, /* jobs whose bytes do not fit between their releases and
                                           deadlines */
    EXACT_LEARN_RULE_EDGES = 1 << 1,    /* a job comes after others that have no room for it before
                                           their last deadline */
    EXACT_LEARN_RULE_CHAINS = 1 << 2,   /* a job begins after those decided to lie below it */
    EXACT_LEARN_RULE_KEEP = 1 << 3,     /* clauses outlive a restart */
    EXACT_LEARN_RULES_ALL = 15,
    /* What begins at a border of two sections has the bytes of what ends there, or free ones. */
    EXACT_LEARN_RULE_HANDOVER = 1 << 4,
};

/* A variable is an interval that the distance of two buffers must not lie in; its two literals say
   on which side it lies: to's offset is at least from's plus the distance. Literals l and l ^ 1 are
   each other's opposite.

   A bound is the least value of an offset or of its negative: bound 2 b is the least offset of b,
   bound 2 b + 1 the negative of its greatest offset. So each rule is written once and holds in both
   directions. Values only rise; where the two bounds of a buffer add up to more than 0 it has no
   place.

   An atom is what has been found: a literal that holds, or a bound that is at least a value. */
struct exact_literal {
    uint32_t from, to; /* buffers */
    int64_t distance;
};

struct exact_atom {
    uint32_t item; /* a literal, or 2 * variables + a bound */
    int64_t value; /* of a bound */
};

/* Why an atom holds. */
enum exact_reason_kind {
    EXACT_BY_START,    /* a bound of an empty plan */
    EXACT_BY_DECISION, /* a literal that the search decided */
    EXACT_BY_TWINS,    /* of two buffers that are alike the first lies below the other */
    EXACT_BY_CLAUSE,   /* source: the clause; the literal is one of its first two */
    EXACT_BY_LITERAL,  /* source: the literal that passed a bound on */
    EXACT_BY_BOUNDS,   /* the opposite literal had no room; the atom's value: the least offset of
                          its `from` */
    EXACT_BY_ATOMS,    /* source: the first of these atoms, count: how many there are */
};

struct exact_reason {
    enum exact_reason_kind kind;
    uint32_t source, count;
};

/* An atom that was found, in the order of the trail. */
struct exact_event {
    struct exact_atom atom;
    struct exact_reason reason;
    uint32_t previous; /* the last event before of the same bound, or EXACT_NONE */
};

struct exact_clause {
    uint32_t begin;    /* into clause_literal */
    uint32_t literals; /* one of them holds */
    uint32_t levels;   /* decision levels involved when it was found: the fewer the better */
    uint64_t limit;    /* the greatest capacity for which the clause is known */
    uint32_t number;   /* in the log, where there is one */
};

struct exact_watch {
    uint32_t clause, next; /* next watch of the same literal, or EXACT_NONE */
};

/* The bytes that a section sees of one of its members, as a job of one machine whose time is the
   address: it begins at the release or later and ends by the deadline. */
struct exact_learn_job {
    int64_t release, deadline, width;
    uint32_t member; /* of the section */
    bool is_shared;  /* with the other section of which bytes are taken over */
};

struct exact_learn {
    const struct exact_model *model;
    const uint32_t *twin; /* [buffers] see exact_learn_options; NULL: none */
    unsigned rules;       /* of exact_learn_rule */
    uint64_t deadline_ns;
    uint64_t capacity;
    uint32_t variables;
    struct exact_literal *literal; /* [2 * variables] */
    uint64_t *first;               /* [buffers + 1] into variable */
    uint32_t *variable;            /* those of pairs with the buffer */
    uint64_t *pairs;               /* [sections + 1] into below */
    uint32_t *below; /* literals; member i below j of section s: pairs[s] + i * members + j */

    int8_t *truth;      /* [2 * variables] 1: it holds, -1: its opposite holds, 0: open */
    int8_t *phase;      /* [variables] the literal that held last, 0 or 1; -1: none yet */
    double *activity;   /* [variables] */
    uint32_t *event_of; /* [variables] the event of its literal, where truth is not 0 */
    int64_t *value;     /* [2 * buffers] of bounds */
    uint32_t *latest;   /* [2 * buffers] event that raised the bound last, or EXACT_NONE */
    double increment;

    struct exact_event *event;
    uint32_t *level_begin;   /* [variables + 1] event of each decision */
    struct exact_atom *atom; /* reasons; the last ones are the conflict */
    size_t event_capacity, atom_capacity;
    uint32_t events, levels, atoms; /* levels: decisions */
    uint32_t handled;               /* events whose consequences have been drawn */
    uint32_t conflict;              /* where its atoms begin */
    uint64_t conflict_limit;        /* the greatest capacity for which they are a conflict */

    uint32_t *dirty; /* [dirty_count] sections to be looked at; each at most once */
    bool *is_dirty;  /* [sections] */
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
    int64_t *needed;   /* [2 * buffers] value of the bound that the conflict needs */
    uint32_t *learned; /* [learned_count] the literals of the clause found last; at most
                          variables + 1 */
    uint32_t learned_count;
    struct exact_log *log; /* NULL where none is kept; the caller's */
    struct error *error;
    enum status status; /* of allocations on the way */
    uint64_t counter[SEARCH_COUNTERS];
    struct scratch memory; /* of all arrays that do not grow */
};

#define EXACT_NO_NEED INT64_MIN
#define EXACT_LEARN_MOST                                                                           \
    (UINT64_C(1) << 60) /* units that all offsets and sizes together may have */

/* Lists the variables, literals and rows of the search's model, and takes all arrays from its
   memory. O(sum of squared sections + forbidden intervals). What is missing after an error
   is NULL. */
enum status exact_learn_fill(struct exact_learn *learn, struct error *error);

/* The item of a bound. */
static inline uint32_t exact_bound_item(const struct exact_learn *learn, uint32_t bound)
{
    assert(bound < 2 * learn->model->buffers);
    return 2 * learn->variables + bound;
}

static inline bool exact_is_literal(const struct exact_learn *learn, uint32_t item)
{
    assert(item < 2 * (learn->variables + learn->model->buffers));
    return item < 2 * learn->variables;
}

#endif
