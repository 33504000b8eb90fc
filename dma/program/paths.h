#ifndef MEMPLAN_DMA_PROGRAM_PATHS_H
#define MEMPLAN_DMA_PROGRAM_PATHS_H

#include "core/text.h"
#include "dma/program/regions.h"

/* The paths through a graph: one branch for each If that is reached, the same in every turn of a
   loop. */
struct transfer_paths {
    const struct transfer_regions *regions;
    uint64_t *of_region; /* [graph->regions] */
    uint64_t count;      /* UINT64_MAX for that many or more */
};

/* Leaves *paths fit for transfer_paths_clear. O(graph). */
enum status transfer_paths_create(struct transfer_paths *paths,
                                  const struct transfer_regions *regions, struct error *error);
void transfer_paths_clear(struct transfer_paths *paths);

struct transfer_path {
    uint32_t *chosen; /* [operators] region that an If takes */
    double probability;
    struct text name; /* "if1=then if2=else", "" where there is no choice */
};

/* Path number of 0 .. count - 1. Zero-initialise the path the first time; freed with
   transfer_path_clear. O(graph). */
enum status transfer_paths_get(const struct transfer_paths *paths, uint64_t number,
                               struct transfer_path *path, struct error *error);
/* That which takes the likeliest branch everywhere, of equals the first. */
uint32_t transfer_paths_likeliest_branch(const struct transfer_regions *regions, uint32_t owner);
enum status transfer_paths_likeliest(const struct transfer_regions *regions,
                                     struct transfer_path *path, struct error *error);
void transfer_path_clear(struct transfer_path *path);

/* Calls visit with each transfer region of a path in the order in which they run. A loop of an
   unknown number of turns makes one. STATUS_LIMIT after most_visits. */
typedef enum status transfer_paths_visit(void *context, uint32_t region, struct error *error);
enum status transfer_paths_follow(const struct transfer_regions *regions, const uint32_t *chosen,
                                  uint64_t most_visits, transfer_paths_visit *visit, void *context,
                                  struct error *error);

#endif
