#ifndef MEMPLAN_TESTS_FUZZ_FUZZING_H
#define MEMPLAN_TESTS_FUZZ_FUZZING_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "core/text.h"

/* What the fuzz targets share. An input is either refused with a message, or what was read is
   written, and read and written again as the same bytes. */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static inline struct text fuzzing_text(const uint8_t *data, size_t size)
{
    struct text text = {0};
    text_append_bytes(&text, (const char *)data, size);
    return text;
}

static inline void fuzzing_require(int holds)
{
    if (!holds)
        abort();
}

static inline void fuzzing_check_refusal(enum status status, const struct error *error)
{
    fuzzing_require(status == STATUS_BAD_INPUT && error->status == status);
    fuzzing_require(error->text[0] && strcmp(error->file, "input") == 0);
}

static inline void fuzzing_require_same(const struct text *first, const struct text *second)
{
    fuzzing_require(first->length == second->length &&
                    memcmp(first->bytes, second->bytes, first->length) == 0);
}

#endif
