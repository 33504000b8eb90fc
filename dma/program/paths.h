#ifndef MEMPLAN_DMA_PROGRAM_PATHS_H
#define MEMPLAN_DMA_PROGRAM_PATHS_H

#include "core/text.h"
#include "dma/program/regions.h"

/* The paths through a graph. A path takes one branch of each If that it reaches, the same one in
   every turn of a loop. */
struct transfer_paths {
    const struct transfer_regions *regions;
    uint64_t *of_region; /* [graph->regions] number of paths through it */
    uint64_t count; /* number of paths through the whole graph; UINT64_MAX for that many or more */
};

/* Leaves *paths fit for transfer_paths_clear, also after an error. O(graph). */
enum status transfer_paths_create(struct transfer_paths *paths,
                                  const struct transfer_regions *regions, struct error *error);
void transfer_paths_clear(struct transfer_paths *paths);

struct transfer_path {
    uint32_t *chosen; /* [operators] for an If, the region of the graph that it takes */
    double probability;
    struct text name; /* "if1=then if2=else", "" where there is no choice */
};

/* Fills in path number 0 .. count - 1. The path is zero-initialised the first time and may then be
   filled again; transfer_path_clear frees it, also after an error. O(graph). */
enum status transfer_paths_get(const struct transfer_paths *paths, uint64_t number,
                               struct transfer_path *path, struct error *error);
/* Fills in the path that takes the likeliest branch of every If. */
enum status transfer_paths_likeliest(const struct transfer_regions *regions,
                                     struct transfer_path *path, struct error *error);
void transfer_path_clear(struct transfer_path *path);

/* The most probable branch of an If, as a region of the graph; the first of equals. */
uint32_t transfer_paths_likeliest_branch(const struct transfer_regions *regions, uint32_t owner);

/* How many turns a loop makes on a path: its trip count, or one where that is unknown. */
uint64_t transfer_paths_turns(const struct graph_operator *loop);

/* A function that is called with each transfer region of a path, in the order in which they run. */
struct transfer_visitor {
    enum status (*visit)(void *context, uint32_t region, struct error *error);
    void *context;
    uint64_t most_visits;
};

/* Follows the path that takes the branches in chosen[operators]. STATUS_LIMIT after most_visits
   regions. */
enum status transfer_paths_follow(const struct transfer_regions *regions, const uint32_t *chosen,
                                  const struct transfer_visitor *visitor, struct error *error);

#endif
