#ifndef MEMPLAN_HARNESS_FILES_GRAPH_MEMORIES_H
#define MEMPLAN_HARNESS_FILES_GRAPH_MEMORIES_H

#include "datasets/memories/memory_file.h"
#include "harness/job/job.h"
#include "planning/policies/whole_graph.h"

/* A graph with the memories of a hardware profile: the problem that a policy makes of it, with the
   traffic of its operators, and the placement that a plan of this problem is. */
struct graph_memories {
    const struct job *job;
    struct outcome outcome;    /* its placement has addresses (planning/memories/address.h) */
    struct policy_level level; /* its problem is that of the file below */
    struct memory_file file;
    /* What is proved of the problem is proved of the graph under its policy. Else the problem may
       have conflicts that the graph has not. */
    bool is_exact;
};

/* The memories are those of the built-in profile or the file of this name. STATUS_USAGE for a
   policy that makes no problem of the whole graph, or one that is not right for it. The struct is
   zeroed before and cleared by the caller, also after an error. */
enum status graph_memories_create(const struct job *job, const char *hardware,
                                  struct graph_memories *made, struct error *error);
/* Fills the placement of the outcome, and what is measured of it, with a plan of the problem. */
enum status graph_memories_take(struct graph_memories *made, const struct memory_plan *plan,
                                struct error *error);
/* Takes back the bounds that a plan claims where the problem is not exact, since they are not
   proved for the graph. */
void graph_memories_take_back(struct memory_plan *plan);
void graph_memories_clear(struct graph_memories *made);

/* Reads only the memories, into a problem without buffers. */
enum status graph_memories_read(const char *hardware, struct memory_file *file,
                                struct error *error);

/* The greatest end of a tensor in each of the memories. peak[memories] is filled in. */
enum status graph_memories_find_peaks(const struct graph *graph, const struct placement *placement,
                                      uint32_t memories, uint64_t *peak, struct error *error);

#endif
