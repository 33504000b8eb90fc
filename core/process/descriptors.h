#ifndef MEMPLAN_CORE_PROCESS_DESCRIPTORS_H
#define MEMPLAN_CORE_PROCESS_DESCRIPTORS_H

/* Closes all file descriptors of this process but the three standard ones and the two given (each
   may be -1), so that a copy of a process cannot write to them by accident. */
void descriptors_close_others(int kept, int also_kept);

#endif
