#ifndef MEMPLAN_SOLVERS_EXACT_MODEL_MODEL_H
#define MEMPLAN_SOLVERS_EXACT_MODEL_MODEL_H

#include <assert.h>

#include "core/checked.h"
#include "core/scratch.h"
#include "planning/problem/conflicts.h"
#include "planning/problem/sections.h"

/* A problem in the form that the searches use: all bytes in units, sections and conflicts as flat
   lists in both directions, and facts about pairs of buffers. Two buffers conflict exactly where
   they are members of one section. */

/* How the sections of a buffer c compare to those of a buffer b that it conflicts with. */
enum exact_relation {
    EXACT_OUTSIDE, /* c has sections that b has not, or may not be moved along with b */
    EXACT_INSIDE,  /* c's sections are some of b's */
    EXACT_SAME,    /* c's sections are those of b */
};

struct exact_model {
    uint32_t buffers, sections;
    uint64_t unit_bytes; /* sizes, windows, fixed offsets and all offsets of some best plan are
                            multiples of it */
    bool whole;          /* no buffer uses less than its size anywhere */
    bool orderable;      /* of two buffers that conflict, one lies above the other in all their
                            sections */
    bool has_fixed;

    uint64_t *size, *alignment;  /* [buffers] units; alignment 1 for any unit */
    uint64_t *lowest, *highest;  /* [buffers] the least and the greatest offset: equal for a fixed
                                    buffer, else 0 and UINT64_MAX */
    uint64_t *duration;          /* [buffers] steps */
    uint32_t *before, *after;    /* [buffers] its neighbours in the chain of equal buffers, or
                                    EXACT_NONE */
    struct conflicts *conflicts; /* of b: entries first[b] .. first[b + 1] - 1 */
    uint8_t *relation;           /* [entries] enum exact_relation */
    uint64_t *above; /* [entries] the least distance of the offsets where the other lies above b;
                        NULL: b's size */
    uint64_t *below; /* [entries] the same where b lies above the other; NULL: the other's size */

    uint64_t *first_section;   /* [buffers + 1] into section */
    uint32_t *section;         /* ascending for each buffer */
    uint64_t *first;           /* [sections + 1] into member */
    uint32_t *member;          /* buffers */
    uint64_t *window, *width;  /* [members] the bytes used; NULL where whole */
    uint64_t *load;            /* [sections] sum of the members' bytes */
    struct exact_model *along; /* see exact_model_add_along, or NULL */
    uint64_t capacity;         /* units; of a model that is along another */
    struct scratch memory;     /* of all arrays but first, member and load */
};

#define EXACT_NONE UINT32_MAX /* no buffer, section, clause, ... */

/* O(sections' members + conflicts), times the logarithm of a buffer's conflicts with windows. */
enum status exact_model_create(const struct problem *problem, struct exact_model **model,
                               struct error *error);
void exact_model_free(struct exact_model *model); /* NULL is fine */
SCOPED_POINTER(struct exact_model, exact_model_release, exact_model_free);

/* Adds a model of the same buffers with the sizes of another problem, which is else the same, whole
   and without fixed offsets, behind those that are along the model already. The race then searches
   plans for all of them at once: of each two buffers that conflict the same one lies below in all
   these plans, and each keeps its capacity. It shares most lists with the model, which owns it, and
   of whose relations and chains of equal buffers those are left that hold for all sizes. O(members
   of sections + conflicts). */
enum status exact_model_add_along(struct exact_model *model, const struct problem *problem,
                                  uint64_t capacity_bytes, struct error *error);

/* The conflict entry of the buffer that names the other one, with which it conflicts. O(log
   conflicts). */
uint64_t exact_model_entry(const struct exact_model *model, uint32_t buffer, uint32_t other);

/* The least distance between the offsets of b and of the other buffer of its conflict entry i:
   exact_above where the other lies above b, exact_below where b lies above the other. */
static inline uint64_t exact_above(const struct exact_model *model, uint32_t b, uint64_t i)
{
    assert(b < model->buffers);
    return model->above ? model->above[i] : model->size[b];
}

static inline uint64_t exact_below(const struct exact_model *model, uint64_t i)
{
    return model->below ? model->below[i] : model->size[model->conflicts->other[i]];
}

/* The bytes that the buffer of a section's member uses there, from its offset on. */
static inline uint64_t exact_member_lower(const struct exact_model *model, uint64_t member)
{
    assert(member < model->first[model->sections]);
    return model->whole ? 0 : model->window[member];
}

static inline uint64_t exact_member_width(const struct exact_model *model, uint64_t member)
{
    assert(member < model->first[model->sections]);
    return model->whole ? model->size[model->member[member]] : model->width[member];
}

/* The offset rounded up to b's alignment, at most to 2^63 - 1, which is above any plan. */
static inline uint64_t exact_align(const struct exact_model *model, uint32_t b, uint64_t offset)
{
    assert(b < model->buffers && model->alignment[b] > 0);
    uint64_t aligned = align_up(offset, model->alignment[b]);
    return aligned - offset <= INT64_MAX - offset ? aligned : INT64_MAX;
}

#endif
