#ifndef MEMPLAN_CLI_STANDINGS_TRACKS_H
#define MEMPLAN_CLI_STANDINGS_TRACKS_H

#include "cli/arguments/arguments.h"
#include "core/names.h"
#include "datasets/collection.h"

/* The tracks of the collection, and how the entries of each are planned. */

/* A track, with the settings that the user does not choose: policies and orders are NULL where
   those that bench takes by default are meant. */
struct standings_track {
    const char *name, *title, *policies, *orders;
    bool by_kinds; /* quick planners, searches and proofs stand apart */
};
enum { STANDINGS_TRACKS = 5 };
extern const struct standings_track standings_tracks[STANDINGS_TRACKS];

bool standings_track_has(const struct standings_track *track, const struct collection_entry *entry);

/* Adds the names of the track's entries, in each of its orders. */
enum status standings_track_names(const struct standings_track *track, struct names *names,
                                  struct error *error);

/* Plans the entries of a track; jobs whose row is stored already are left out. */
enum status standings_track_plan(const struct arguments *arguments,
                                 const struct standings_track *track, struct error *error);

/* The parts of a track, named by words that describe an entry: its class, and the half of the
   collection that it is in. */
enum { STANDINGS_PARTS = 6 };
extern const char *const standings_parts[STANDINGS_PARTS];
bool standings_part_has(unsigned part, const struct collection_entry *entry);

#endif
