#ifndef MEMPLAN_HEURISTICS_EXCLUSIVE_EXCLUSION_H
#define MEMPLAN_HEURISTICS_EXCLUSIVE_EXCLUSION_H

#include "planning/plan/planner.h"
#include "planning/problem/conflicts.h"

/* Which buffers must not share memory by the rules of the Chinese patent document "memory
   management method, device and system" (published 2022), paragraphs 70 to 79. An operator's memory
   holds its outputs. Two operators exclude each other where

   - one reads what the other writes (an edge of the graph joins them);
   - they are on parallel branches: neither needs, directly or through others, what the other
     writes, so that they might run at the same time (the document speaks of branches that part at
     an operator; here they may also begin apart, and an operator behind the join of two of them is
     still parallel to a third);
   - one of them is an output of the network, which nothing reads, and runs before the other.

   Whatever nothing reads has no path to what runs later, so the third rule follows from the second
   as read here. An input of the graph counts as an operator that reads nothing.

   In the document there are no other kinds of exclusion, which is wrong: with a -> b -> c -> d and
   a -> d, a and c exclude each other by none of them (a path leads from a to c), and yet a is
   needed when c is written. Hence buffers whose lifetimes meet exclude each other too, unless asked
   otherwise. A buffer that several operators write in place, one after another, is excluded where
   any of them is. Where the problem comes from no graph, or from one with control flow, of which
   the document does not speak, lifetimes alone decide. */
struct exclusion {
    const struct problem *problem;
    const struct level *level;   /* NULL where only lifetimes exclude */
    struct conflicts *lifetimes; /* NULL where only the rules exclude */
    uint32_t *node; /* [tensors] the operator or input that writes it; GRAPH_NONE for none */
    uint32_t nodes, words;
    uint64_t *before; /* [nodes][words] bit a of row b: a path leads from a to b */
};

enum { EXCLUSION_MOST_NODES = 16384 };

/* Whether the rules apply but the graph has more than EXCLUSION_MOST_NODES operators and inputs. */
bool exclusion_is_too_large(const struct planner_task *task);

/* Prepares the rules where they apply. Lifetimes exclude too where `lifetimes` says so or the rules
   do not apply. O(nodes / 64 * edges) time and nodes^2 / 8 bytes, besides those of
   conflicts_create. The caller frees exclusion->lifetimes, the rest is in the task's scratch. */
enum status exclusion_create(const struct planner_task *task, bool lifetimes,
                             struct exclusion *exclusion, struct error *error);

/* Fills others[buffers] with the buffers that exclude this one and returns their number. O(that
   number) where only lifetimes exclude; else O(buffers + edges). */
uint32_t exclusion_list(const struct exclusion *exclusion, uint32_t buffer, uint32_t *others);

#endif
