#ifndef MEMPLAN_PROOFS_CHECKER_FAULT_H
#define MEMPLAN_PROOFS_CHECKER_FAULT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What is shown where a log is accepted. */
struct check_answer {
    int64_t capacity; /* no plan has a peak of this or less */
    int64_t unit;     /* of the offsets of some plan of least peak */
    int64_t peak;     /* of the plan, which is valid, and none has a lower one; -1 without a plan */
    uint64_t lines, clauses;
};

/* Why something is not accepted. The checker shares no header with the rest of the project, so that
   a mistake there cannot be one here; see docs/proofs.md. */
enum fault_kind {
    FAULT_NONE,
    FAULT_REFUSED,    /* it can be read, but a condition of a rule does not hold */
    FAULT_UNREADABLE, /* it is not what docs/proofs.md and docs/formats.md describe */
    FAULT_INTERNAL,   /* no memory */
};

struct fault {
    enum fault_kind kind;
    const char *file; /* where; NULL for no place */
    uint64_t line;    /* from 1; 0 for none */
    char text[200];
};

/* Fills the fault and returns false. */
bool check_fault(struct fault *fault, enum fault_kind kind, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
#define UNREADABLE(fault, ...) check_fault(fault, FAULT_UNREADABLE, __VA_ARGS__)
#define REFUSED(fault, ...) check_fault(fault, FAULT_REFUSED, __VA_ARGS__)

/* Makes room for one more item behind `count` items of `bytes` bytes each; *room is how many there
   is room for. The caller frees *items. */
bool check_grow(void **items, size_t *room, size_t count, size_t bytes, struct fault *fault);

/* NULL and a fault where there is no memory; items are zero. */
void *check_create(size_t count, size_t bytes, struct fault *fault);

#define NEED(call)                                                                                 \
    do {                                                                                           \
        if (!(call))                                                                               \
            return false;                                                                          \
    } while (0)

#endif
