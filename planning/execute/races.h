#ifndef MEMPLAN_PLANNING_EXECUTE_RACES_H
#define MEMPLAN_PLANNING_EXECUTE_RACES_H

#include "planning/execute/arena.h"
#include "planning/execute/paths.h"

/* Whether operators on several streams could access the same bytes in another order than that in
   which the path ran them. Whether two accesses race does not depend on how the streams are
   interleaved, so one run in the order of the list is enough: every event has a vector clock, every
   cell remembers when it was last written and when each stream last read it, and each access has to
   come after the last write, each write also after all reads (FastTrack, Flanagan and Freund, PLDI
   2009). The clocks are computed during the run, event by event, and share no code with other
   modules. */
struct execute_races {
    const struct graph *graph; /* NULL: one stream, and nothing to do */
    uint32_t streams;
    uint32_t *tick;  /* [streams] events so far; not set back between paths, so that the accesses of
                        earlier paths come before all others */
    uint32_t *row;   /* [streams * streams] what the next event of a stream knows at least */
    uint32_t *now;   /* [streams] what the current event knows */
    uint32_t stream; /* of the current event, which is the tick[stream]-th of that stream */
    uint32_t *entered; /* [operators * streams] what the operators in its regions know at least */
    uint32_t *ended;   /* [operators * streams] what is known when it has been left */
    uint32_t *write_stream, *write_tick; /* [cells] the event that wrote it last */
    uint32_t *read_tick;                 /* [cells * streams] the event that read it last */
};

/* They live as long as the scratch. */
enum status execute_races_create(struct execute_races *races, const struct graph *graph,
                                 uint32_t cells, struct scratch *scratch, struct error *error);

/* To be called when a path starts and when it has ended: all earlier events have ended, and the
   next accesses are on no stream. */
void execute_races_restart(struct execute_races *races);
/* To be called when the event starts, and when it has ended. O(streams * (inputs + what it waits
   for)). */
void execute_races_begin(struct execute_races *races, const struct execute_event *event);
void execute_races_end(struct execute_races *races, const struct execute_event *event);

/* Notes that the current event reads, or writes, the cell. False where this is a race: another
   event, which the path ran earlier, accesses the cell, one of the two writes, and nothing makes
   the earlier one end before the current one starts. */
bool execute_races_read(struct execute_races *races, uint32_t cell);
bool execute_races_write(struct execute_races *races, uint32_t cell);

#endif
