#ifndef MEMPLAN_DATASETS_EXECUTORCH_EXECUTORCH_H
#define MEMPLAN_DATASETS_EXECUTORCH_EXECUTORCH_H

#include "core/text.h"
#include "datasets/carried/carried.h"

/* Programs of ExecuTorch (.pte), see docs/formats.md: the tensors that one method plans in one
   memory, as a problem, with the offsets that the program carries. */

/* Whether these are the first bytes of such a program, or of one in a bundle. */
bool executorch_is_program(const struct text *text);

/* Of the methods and memories that the choice leaves open, that with the greatest arena is read.
   Fails with STATUS_BAD_INPUT, the file and the byte offset. The caller clears *carried, also after
   an error. */
enum status executorch_read(const struct text *text, const char *file,
                            const struct carried_choice *choice, struct carried *carried,
                            struct error *error);

/* Appends a copy of the program in which the tensors of that problem have other places: offset[] of
   its buffers, in their order, and a memory for a peak of `peak_bytes`. The copy was read back and
   is the same problem with these places. STATUS_BAD_INPUT where it would not be, since tensors that
   are read unwritten are told apart by their places alone, and for a program in a bundle. */
enum status executorch_write(const struct text *text, const char *file,
                             const struct carried_choice *choice, const uint64_t *offset,
                             uint64_t peak_bytes, struct text *written, struct error *error);

#endif
