#ifndef MEMPLAN_DATASETS_MEMORY_INSTANCE_H
#define MEMPLAN_DATASETS_MEMORY_INSTANCE_H

#include "core/digest.h"
#include "datasets/memories/memory_file.h"

/* Problems with several memories by name, which are no instances of instance.h: a file, a built-in
   one (memories/NAME, of builtin/memories/), or one made of an instance by a rule (derived.h). */

struct memory_instance {
    char *name; /* of a file without its extension */
    /* Digest of the content, which does not depend on name and layout. */
    char digest[DIGEST_TEXT_BYTES];
    struct memory_file file;
};

/* Whether it names such a problem; a file that cannot be read is none. */
bool memory_instance_is(const char *name_or_path);

/* Fails with STATUS_USAGE where there is no such problem, and with STATUS_BAD_INPUT, file and line
   where a file is wrong. Leaves *instance fit for memory_instance_clear. */
enum status memory_instance_load(const char *name_or_path, struct memory_instance *instance,
                                 struct error *error);
void memory_instance_clear(struct memory_instance *instance);

#endif
