#ifndef MEMPLAN_PROOFS_CHECKER_INPUT_H
#define MEMPLAN_PROOFS_CHECKER_INPUT_H

#include <setjmp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <zlib.h>

/* Why a file is not accepted, as the exit code of the program. The checker shares no header with
   the rest of the project, so that a mistake there cannot be one here; see docs/proofs.md. */
enum fault_kind {
    FAULT_NONE,
    FAULT_REFUSED,        /* it can be read, but a condition of a rule does not hold */
    FAULT_UNREADABLE = 3, /* it is not what docs/proofs.md and docs/formats.md describe */
    FAULT_INTERNAL = 5,   /* no memory */
};

struct fault {
    enum fault_kind kind;
    const char *file; /* where; NULL for no place */
    uint64_t line;    /* from 1; 0 for none */
    char text[200];
    jmp_buf end; /* where the check goes on after a fault */
};

/* The fault of the check that is under way; there is one check at a time. */
extern struct fault check_fault;

/* Ends the check with a fault at the file and line that are being read: it does not return, so that
   nothing is looked at behind a condition that fails. */
void check_fail(enum fault_kind kind, const char *format, ...)
    __attribute__((noreturn, format(printf, 2, 3)));
#define UNREADABLE(...) check_fail(FAULT_UNREADABLE, __VA_ARGS__)
#define REFUSED(...) check_fail(FAULT_REFUSED, __VA_ARGS__)

/* What an accepted log proves. */
struct check_answer {
    int64_t capacity; /* no plan has a peak of this or less */
    int64_t unit;     /* of the offsets of some plan of least peak */
    int64_t peak;     /* of the plan, which is valid, and none has a lower one; -1 without a plan */
    uint64_t lines, clauses;
};

/* The array, perhaps at another place, with room for one more item behind `count` items of `bytes`
   bytes each. It has to be called for every item, from count 0 on, since it grows the array only at
   some of the counts. The caller frees it, also after a fault. */
void *check_grow(void *items, size_t count, size_t bytes);
/* Appends an item to an array that grows in this way. */
#define CHECK_APPEND(items, count, ...)                                                            \
    ((items) = check_grow(items, count, sizeof *(items)), (items)[(count)++] = (__VA_ARGS__))
/* Allocates items that are zero; the caller frees them. */
void *check_create(size_t count, size_t bytes);

/* The absolute value of every number is below this, so that the sum of two numbers fits 64 bits. */
#define INPUT_MOST (INT64_C(1) << 62)

/* A file that is read from beginning to end, and unpacked on the way if gzip has compressed it. The
   caller zeroes it before opening it, and closes it also after a fault. */
struct input {
    gzFile file;
    char *text; /* what was read last; ends in a 0 */
    size_t length;
    bool ended; /* the file ends behind the text */
};

void check_input_open(const char *path, struct input *input);
void check_input_close(struct input *input);

/* The next byte, -1 at the end of the file. */
int check_input_byte(struct input *input);

/* Reads the text before the next byte `end`, or the rest of the file, and counts a line. A byte 0
   is a fault. */
void check_input_text(struct input *input, int end);

/* Reads the number at *text, which is digits or a minus and digits, and moves *text behind it. */
int64_t check_input_number(const char **text);

/* Moves *text behind its first byte if that is the wanted one. Returns whether it was. */
bool check_input_take(const char **text, char wanted);

#endif
