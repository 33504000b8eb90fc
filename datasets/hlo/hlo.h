#ifndef MEMPLAN_DATASETS_HLO_HLO_H
#define MEMPLAN_DATASETS_HLO_HLO_H

#include "core/text.h"
#include "datasets/carried/carried.h"
#include "planning/graph/graph.h"

/* Dumps of XLA (NAME.hlo.pb: HloProto in xla/service/hlo.proto at 84d7260817c4, also inside an
   HloSnapshot, or a bare HloModuleProto); see docs/formats.md. All fail with STATUS_BAD_INPUT, the
   file and the byte offset. */

/* Whether the bytes are a message of that kind; there is no magic number. */
bool hlo_is_module(const struct text *text);

/* What XLA assigned to buffers: those of one allocation that the heap simulator laid out, with
   their offsets. choice->memory is the index of an allocation; of those that it leaves open, the
   largest one with a trace is read, and where there is none, carried->problem stays NULL. The
   caller clears *carried, also after an error. */
enum status hlo_read(const struct text *text, const char *file, const struct carried_choice *choice,
                     struct carried *carried, struct error *error);

/* The instructions of the entry computation as a graph that the caller frees. What is in another
   space of memory than `memory` (0: the default one) is outside of the arena. */
enum status hlo_read_graph(const struct text *text, const char *file, uint64_t memory,
                           struct graph **graph, struct error *error);

#endif
