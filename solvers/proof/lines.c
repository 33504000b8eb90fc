#include "solvers/proof/lines.h"

#include <assert.h>
#include <inttypes.h>
#include <string.h>

/* The rules whose lines have any number of numbers. */
static const char COUNTED[] = "qcdHG";

/* Seven bits to a byte, the lowest first, each but the last with its highest bit set; numbers below
   0 are odd. */
static void append_packed(struct text *text, int64_t number)
{
    char byte[10];
    size_t bytes = 0;
    uint64_t left = number < 0 ? 2 * (uint64_t)(-(number + 1)) + 1 : 2 * (uint64_t)number;
    for (; left > 127; left >>= 7)
        byte[bytes++] = (char)((left & 127) | 128);
    byte[bytes++] = (char)left;
    assert(bytes <= sizeof byte);
    text_append_bytes(text, byte, bytes);
}

void proof_lines_begin(const struct proof_lines *lines, char letter, size_t count)
{
    assert(letter && !memchr("\n :", letter, 3));
    text_append_bytes(lines->text, &letter, 1);
    if (lines->is_binary && strchr(COUNTED, letter))
        append_packed(lines->text, (int64_t)count);
}

void proof_lines_number(const struct proof_lines *lines, int64_t number)
{
    char digits[24];
    if (lines->is_binary) {
        append_packed(lines->text, number);
        return;
    }
    int length = snprintf(digits, sizeof digits, " %" PRId64, number);
    assert(length > 1 && length < (int)sizeof digits);
    text_append_bytes(lines->text, digits, (size_t)length);
}

void proof_lines_member(const struct proof_lines *lines, uint32_t buffer, uint64_t lower,
                        uint64_t upper, uint64_t size)
{
    assert(lower < upper && upper <= size);
    proof_lines_number(lines, buffer);
    if (lines->is_binary) {
        append_packed(lines->text, (int64_t)lower);
        append_packed(lines->text, (int64_t)upper);
    } else if (lower || upper != size) {
        text_append(lines->text, ":%" PRIu64 ":%" PRIu64, lower, upper);
    }
}

void proof_lines_end(const struct proof_lines *lines)
{
    if (!lines->is_binary)
        text_append_bytes(lines->text, "\n", 1);
}

void proof_lines_finish(const struct proof_lines *lines)
{
    text_append_bytes(lines->text, lines->is_binary ? "e" : "end\n", lines->is_binary ? 1 : 4);
}
