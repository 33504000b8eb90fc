#ifndef MEMPLAN_SOLVERS_EXACT_MODEL_MODEL_H
#define MEMPLAN_SOLVERS_EXACT_MODEL_MODEL_H

#include "core/checked.h"
#include "planning/problem/conflicts.h"
#include "planning/problem/sections.h"

/* A problem as the search wants it: all bytes in units, sections and conflicts as flat lists both
   ways, and what is known of pairs. Buffers of different sections do not conflict, those of one
   section all do. */

/* What a conflicting buffer c is to buffer b. */
enum exact_relation {
    EXACT_OUTSIDE, /* it has sections that b has not, or may not be moved along with b */
    EXACT_INSIDE,  /* its sections are some of b's */
    EXACT_SAME,    /* its sections are b's */
};

struct exact_model {
    uint32_t buffers, sections;
    uint64_t unit_bytes; /* sizes, windows and fixed offsets are multiples; offsets can be */
    bool whole;          /* no buffer uses less than its size anywhere */
    bool orderable;      /* of two that conflict, one lies above the other in all their sections */
    bool has_fixed;

    uint64_t *size, *alignment; /* [buffers] units; alignment 1 for any unit */
    uint64_t *lowest,
        *highest;             /* [buffers] offsets; equal for a fixed one, 0 and UINT64_MAX else */
    uint64_t *duration;       /* [buffers] steps */
    uint32_t *before, *after; /* [buffers] the equal one before and after it, or EXACT_NONE */
    struct conflicts *conflicts; /* of b: entries first[b] .. first[b + 1] - 1 */
    uint8_t *relation;           /* [entries] enum exact_relation */
    uint64_t *above; /* [entries] how far the other lies above b if it does; NULL: size */
    uint64_t *below; /* [entries] how far b above the other; NULL: the other's size */

    uint64_t *first_section;  /* [buffers + 1] into section */
    uint32_t *section;        /* ascending for each buffer */
    uint64_t *first;          /* [sections + 1] into member */
    uint32_t *member;         /* buffers */
    uint64_t *window, *width; /* [members] the bytes used; NULL where whole */
    uint64_t *load;           /* [sections] sum of the members' bytes */
};

#define EXACT_NONE UINT32_MAX /* no buffer, section, clause, ... */

/* O(sections' members + conflicts), times the logarithm of a buffer's conflicts with windows. */
enum status exact_model_create(const struct problem *problem, struct exact_model **model,
                               struct error *error);
void exact_model_free(struct exact_model *model); /* NULL is fine */

/* Which conflict entry of the buffer the other one is; they conflict. O(log conflicts). */
uint64_t exact_model_entry(const struct exact_model *model, uint32_t buffer, uint32_t other);

/* Conflict entry i of b: how far the other lies above b if it does, and b above the other. */
static inline uint64_t exact_above(const struct exact_model *model, uint32_t b, uint64_t i)
{
    return model->above ? model->above[i] : model->size[b];
}

static inline uint64_t exact_below(const struct exact_model *model, uint64_t i)
{
    return model->below ? model->below[i] : model->size[model->conflicts->other[i]];
}

/* The bytes that the buffer of a section's member uses there, from its offset on. */
static inline uint64_t exact_member_lower(const struct exact_model *model, uint64_t member)
{
    return model->whole ? 0 : model->window[member];
}

static inline uint64_t exact_member_width(const struct exact_model *model, uint64_t member)
{
    return model->whole ? model->size[model->member[member]] : model->width[member];
}

/* The offset rounded up to b's alignment, at most to 2^63 - 1, which is above any plan. */
static inline uint64_t exact_align(const struct exact_model *model, uint32_t b, uint64_t offset)
{
    uint64_t aligned = align_up(offset, model->alignment[b]);
    return aligned - offset <= INT64_MAX - offset ? aligned : INT64_MAX;
}

#endif
