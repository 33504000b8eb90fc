#ifndef MEMPLAN_SOLVERS_EXACT_LEARN_LOOK_H
#define MEMPLAN_SOLVERS_EXACT_LEARN_LOOK_H

#include "solvers/exact/learn/trail.h"

/* The members of a section are jobs of one machine: a job's release is the lowest address at which
   it can begin, its deadline the highest at which it can end. With the arena turned upside down a
   release becomes a deadline, so each rule is written once and used in both directions. */

struct exact_look {
    struct exact_learn *learn;
    uint32_t section;
    uint64_t begin; /* of the section's members */
    uint32_t members;
    const uint32_t *below;       /* [members * members] literals */
    uint32_t direction;          /* 1: from the top */
    struct exact_learn_job *job; /* [members] */
};

static inline uint32_t exact_look_bound(const struct exact_look *look, uint32_t member,
                                        uint32_t direction)
{
    assert(member < look->members && direction < 2);
    return 2 * look->learn->model->member[look->begin + member] + direction;
}

/* What has to be added to the value of the bound to get the release of the job. */
static inline int64_t exact_look_shift(const struct exact_look *look, uint32_t member,
                                       uint32_t direction)
{
    const struct exact_model *model = look->learn->model;
    uint64_t at = look->begin + member;
    int64_t window = (int64_t)exact_member_lower(model, at);
    return direction ? -window - (int64_t)exact_member_width(model, at) : window;
}

static inline int64_t exact_look_release(const struct exact_look *look, uint32_t member,
                                         uint32_t direction)
{
    return look->learn->value[exact_look_bound(look, member, direction)] +
           exact_look_shift(look, member, direction);
}

static inline void exact_look_add_release(const struct exact_look *look, uint32_t member,
                                          int64_t release)
{
    uint32_t bound = exact_look_bound(look, member, look->direction);
    exact_learn_add_atom(look->learn, exact_bound_item(look->learn, bound),
                         release - exact_look_shift(look, member, look->direction));
}

/* A reason that consists of all atoms from this one on. */
static inline struct exact_reason exact_look_reason(const struct exact_learn *learn, uint32_t atoms)
{
    assert(atoms < learn->atoms || learn->status);
    return (struct exact_reason){EXACT_BY_ATOMS, atoms, learn->atoms - atoms};
}

#endif
