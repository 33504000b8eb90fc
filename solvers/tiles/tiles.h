#ifndef MEMPLAN_SOLVERS_TILES_TILES_H
#define MEMPLAN_SOLVERS_TILES_TILES_H

#include "core/scratch.h"
#include "planning/problem/problem.h"

/* A tile is a rectangle of bytes and steps: a buffer, or what was joined from smaller tiles:

       bytes  +-------+-----------+
              |   a   |           |    a and b have the same steps, and c, as large as both,
              +-------+     c     |    begins where they end. Joined, they are a tile that lives
              |   b   |           |    as long as all three.
              +-------+-----------+
                steps    border

   Where buffers fill all bytes, what ends at a step and what begins there with the same sum of
   sizes hardly ever has it by chance, so it most likely takes the same place. Joining again and
   again leaves a problem of few tiles, and each plan of it is one of all buffers. A part of a tile
   may also be a *filler*, bytes that stay free: where buffers were cut from a rectangle and a few
   are missing, these are mostly fillers. */

enum { TILES_MOST_PARTS = 24 }; /* that a tile joins on either side of the border */

enum { TILES_ENDING, TILES_BEGINNING };

/* Tiles that may be joined: those that end at a border, which have the same first step, and those
   that begin there, which have the same last step. Both have the same sum of sizes. In a pinwheel
   (pairs.c) the endings are D and A and the beginnings C, B and M, in this order. */
struct tile_pair {
    double doubt; /* the less, the surer it is that they take the same place; INFINITY for none */
    uint32_t endings, beginnings;
    uint32_t part[2 * TILES_MOST_PARTS + 2]; /* the endings first; TILES_NONE for a filler */
    struct filler {
        uint64_t size;
        uint32_t border[2]; /* as those of a tile */
    } filler[2];            /* among the endings and among the beginnings */
};

struct tile {
    uint64_t size;             /* bytes */
    uint32_t border[2];        /* the borders where it ends and where it begins */
    uint32_t next[2], back[2]; /* in the list of the tiles that end or begin there, if it is left */
    uint32_t endings, beginnings; /* how many parts were joined; 0 for a buffer */
    size_t first;                 /* into part */
    double doubt;                 /* with which they were joined */
    bool is_left;                 /* it is part of no other tile */
    bool is_filler;               /* never left: free bytes, taken while a tile holds them */
};

#define TILES_NONE UINT32_MAX

/* The tiles of a problem: tile b is buffer b, joined ones follow. Borders are the steps at which
   buffers begin or end. */
struct tiles {
    const struct problem *problem;
    struct tile *tile; /* [count] */
    uint32_t count, left;
    uint32_t borders;
    uint32_t *step;       /* [borders] */
    uint64_t *free_bytes; /* [borders] below the greatest load, from this border to the next, that
                             no tile holds */
    uint32_t *latest[2];  /* [borders] the tile that ends or begins there and was the last to come;
                             TILES_NONE for none */
    uint32_t *part;       /* [parts] of all joined tiles */
    size_t parts, tile_room, part_room;
    struct scratch memory;
};

/* Whether all buffers are whole at any offset and have one segment, without conflict steps. */
bool tiles_can(const struct problem *problem);

/* The buffers of a problem that can be, which must outlive *tiles. Leaves *tiles, all zeroes
   before, fit for tiles_free where it fails. O(buffers log buffers). */
enum status tiles_create(struct tiles *tiles, const struct problem *problem, struct error *error);
void tiles_free(struct tiles *tiles);

/* Makes a tile of the pair, whose parts are left no more: the last of the tiles. O(parts). */
enum status tiles_join(struct tiles *tiles, const struct tile_pair *pair, struct error *error);

/* Takes a joined tile apart, so that its parts are left instead; puts it together again; and, of
   the last of the tiles, takes it apart for ever. O(parts). */
void tiles_split(struct tiles *tiles, uint32_t tile);
void tiles_put_together(struct tiles *tiles, uint32_t tile);
void tiles_drop_last(struct tiles *tiles);

/* Whether its bytes are free all the time. O(borders from its beginning to its end). */
bool tiles_have_room(const struct tiles *tiles, const struct filler *filler);

/* A problem of the tiles that are left, and which they are: listed[tiles->left]. O(tiles). */
enum status tiles_copy_left(const struct tiles *tiles, uint32_t *listed, struct problem **problem,
                            struct error *error);

/* Fills offset[buffers] for all buffers of a tile that lies at an offset. O(tiles below it). */
void tiles_lay_out(const struct tiles *tiles, uint32_t tile, uint64_t at, uint64_t *offset);

#endif
