#ifndef MEMPLAN_DMA_PROGRAM_BORDERS_H
#define MEMPLAN_DMA_PROGRAM_BORDERS_H

#include "dma/program/regions.h"

/* Borders: which transfer region may run directly after which.

       {a if} { then: b } { else: c } {d}        branch {a if}-b, {a if}-c      join b-{d}, c-{d}
       {a loop} { body: b } {d}                  turn {a loop}-b, b-b          leave b-{d}

   A loop that may make no turn has a border from the region before it to the one behind it, too. */
enum transfer_border_kind {
    TRANSFER_NEXT,   /* from a region to the one region that always follows it */
    TRANSFER_BRANCH, /* into an If */
    TRANSFER_JOIN,   /* out of an If */
    TRANSFER_TURN,   /* into a loop, or from the end of its body back to the beginning */
    TRANSFER_LEAVE   /* out of a loop */
};

struct transfer_border {
    uint32_t from, to;
    enum transfer_border_kind kind;
};

struct transfer_borders {
    struct transfer_border *border; /* sorted by to */
    uint32_t *into;                 /* [regions + 1] into border */
    uint32_t *out_of;               /* [regions + 1] into leaving */
    uint32_t *leaving;              /* borders sorted by from */
};

/* The regions are needed only during the call. O(regions). */
enum status transfer_borders_create(const struct transfer_regions *regions,
                                    struct transfer_borders **borders, struct error *error);
void transfer_borders_free(struct transfer_borders *borders); /* NULL is fine */
SCOPED_POINTER(struct transfer_borders, transfer_borders_release, transfer_borders_free);

#endif
