#ifndef MEMPLAN_DATASETS_HLO_HLO_H
#define MEMPLAN_DATASETS_HLO_HLO_H

#include "core/text.h"
#include "datasets/carried/carried.h"

/* What XLA assigned to buffers, from its dump of a compiled module (NAME.hlo.pb, HloProto in
   xla/service/hlo.proto at 84d7260817c4): the buffers of one allocation that the heap simulator
   laid out, with their offsets; see docs/formats.md. */

/* Whether the bytes are a message of that kind; there is no magic number. */
bool hlo_is_module(const struct text *text);

/* choice->memory is the index of an allocation; of those that it leaves open, the largest one with
   a trace is read. Fails with STATUS_BAD_INPUT, the file and the byte offset. The caller clears
   *carried, also after an error. */
enum status hlo_read(const struct text *text, const char *file, const struct carried_choice *choice,
                     struct carried *carried, struct error *error);

#endif
