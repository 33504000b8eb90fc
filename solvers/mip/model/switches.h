#ifndef MEMPLAN_SOLVERS_MIP_MODEL_SWITCHES_H
#define MEMPLAN_SOLVERS_MIP_MODEL_SWITCHES_H

/* What may strengthen a program. Each is an option of the planners (solvers/mip/mip.c) and changes
   the optimum of no problem. */
enum mip_switch {
    MIP_CLIQUES = 1,     /* clique rows */
    MIP_MIRROR = 2,      /* of a plan and its mirror image only one is kept */
    MIP_TWINS = 4,       /* of equal buffers the first lies lowest */
    MIP_UPPER = 8,       /* no plan above the start is looked for */
    MIP_DIRECTIONS = 16, /* bounds on offsets settle pairs, and settled pairs narrow the bounds */
    MIP_SCALE = 32,      /* bytes are counted in the largest unit */
    MIP_TIGHT = 64,      /* each pair has the least M of its own */
    MIP_START = 128,     /* the solver gets the start */
    MIP_BRANCH = 256,    /* GLPK branches where that settles most */
    MIP_LOAD = 512,      /* the peak is at least what is proved before */
    MIP_ASCEND = 1024,   /* plans are searched for from the bound upwards */
    MIP_LINES = 2048,    /* what lies on the line of each section settles pairs and bounds */
    MIP_NODES = 4096,    /* GLPK's nodes are narrowed as the root is */
    MIP_DIVE = 8192, /* GLPK gets plans that are made buffer by buffer, each narrowing the next */
};
enum { MIP_SWITCHES = 14, MIP_ALL = (1 << MIP_SWITCHES) - 1 };

#endif
