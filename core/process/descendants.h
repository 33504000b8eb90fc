#ifndef MEMPLAN_CORE_PROCESS_DESCENDANTS_H
#define MEMPLAN_CORE_PROCESS_DESCENDANTS_H

/* For a process that watches over what it has started (on Linux; elsewhere these do nothing). A
   descendant that loses its parent becomes a child of this process, so that it is found even where
   it has left the process group. All of this is safe after fork and in a signal handler. */

/* From now on this process adopts its descendants that lose their parents. */
void descendants_adopt(void);

/* Kills and reaps all descendants. Only processes that go on starting others without end can be
   left over. */
void descendants_kill(void);

/* The same, but asks them first by SIGTERM and gives them a second: some clean up after themselves.
   One system call where there are none. */
void descendants_end(void);

#endif
