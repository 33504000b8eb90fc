#ifndef MEMPLAN_PLANNING_PROBLEM_FIXED_OFFSETS_H
#define MEMPLAN_PLANNING_PROBLEM_FIXED_OFFSETS_H

/* What a reader of problems makes of the offsets that a file gives its buffers. */
enum fixed_offsets {
    FIXED_OFFSETS_KEPT,    /* the buffers lie there */
    FIXED_OFFSETS_IGNORED, /* the buffers are free to move */
    FIXED_OFFSETS_AUDITED, /* the buffers lie there even where their alignments, which are left out,
                              do not allow it */
};

#endif
