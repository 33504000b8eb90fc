#ifndef MEMPLAN_CORE_TEXT_H
#define MEMPLAN_CORE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "core/error.h"

/* Growing text, always ending in a zero once something was written. Zero-initialise it. The first
   failed allocation is kept in `failed`; later writes do nothing, so callers check once. */
struct text {
    char *bytes;
    size_t length, capacity;
    bool failed;
    bool is_mapped; /* the bytes lie in a mapped file (file_map) and are not written */
};

/* Append a printf-style text, and bytes as they are; O(length) amortised. text_check fails with
   STATUS_INTERNAL once an allocation failed. */
void text_append(struct text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
void text_append_bytes(struct text *text, const char *bytes, size_t length);
enum status text_check(const struct text *text, struct error *error);
void text_free(struct text *text);

/* Reads a whole file; fails with STATUS_BAD_INPUT and the path when it cannot be read, is a folder
   or is larger than 2 GiB. */
enum status text_read_file(const char *path, struct text *text, struct error *error);

/* Replaces what path holds, see core/file.h. */
enum status text_write_file(const char *path, const struct text *text, struct error *error);

/* A line of a text without its line end ("\n" or "\r\n"), numbered from 1. */
struct text_line {
    const char *start;
    size_t length;
    unsigned number;
};

/* Moves to the next line; the first call needs line->number == 0. False at the end. */
bool text_next_line(const struct text *text, struct text_line *line);

/* Reads all of [start, start + length) as a decimal number; false when it is none or too large. */
bool text_parse_u64(const char *start, size_t length, uint64_t *value);
bool text_parse_i64(const char *start, size_t length, int64_t *value);

/* Like text_parse_u64 for what people type: a unit may follow, B, kB, MB, GB (powers of 1000, also
   without the B) or KiB, MiB, GiB. */
bool text_parse_bytes(const char *input, uint64_t *bytes);

/* True if an item of the list NAME=VALUE&NAME=VALUE before the given one, which starts
   in the list, has the same name. O(length of the list). */
bool text_repeats_name(const char *list, const char *item, char separator);

/* Characters to insert, delete, replace or swap with their neighbour (the distance of optimal
   string alignment, after Damerau and Levenshtein). Both are shorter than TEXT_MOST_COMPARED.
   O(product of the lengths). */
enum { TEXT_MOST_COMPARED = 64 };
unsigned text_distance(const char *left, const char *right);

#endif
