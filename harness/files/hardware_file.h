#ifndef MEMPLAN_HARNESS_FILES_HARDWARE_FILE_H
#define MEMPLAN_HARNESS_FILES_HARDWARE_FILE_H

#include "core/text.h"
#include "dma/timing/hardware.h"

/* Hardware profiles by name, see hardware_json.h. The struct is zeroed before and cleared by the
   caller, also after an error. */

/* Loads the built-in profile of that name, or else the file. STATUS_USAGE where the name has no
   ".json" and is not that of a built-in profile. */
enum status hardware_file_load(const char *name, struct hardware *hardware, struct error *error);

/* Reads the same file as text, and gives its name for messages, which is borrowed. A name that
   begins with a brace is the text itself. */
enum status hardware_file_text(const char *name, struct text *text, const char **file,
                               struct error *error);

struct hardware_profile {
    const char *name, *title;
    const char *file; /* text of the file, compiled into the program */
};
uint32_t hardware_file_count(void);
const struct hardware_profile *hardware_file_at(uint32_t index);

#endif
