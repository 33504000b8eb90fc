#ifndef MEMPLAN_CORE_PROCESS_DESCRIPTORS_H
#define MEMPLAN_CORE_PROCESS_DESCRIPTORS_H

/* Closes all file descriptors of this process but the three standard ones and these two (each may
   be -1): what a copy of a process must not write to by accident. */
void descriptors_close_others(int kept, int also_kept);

#endif
