#ifndef MEMPLAN_PROOFS_CHECKER_FAULT_H
#define MEMPLAN_PROOFS_CHECKER_FAULT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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

/* Fill the fault and return false. */
bool check_fault_unreadable(struct fault *fault, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
bool check_fault_refused(struct fault *fault, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
bool check_fault_memory(struct fault *fault);

/* Makes room for one more item behind `count` items of `bytes` bytes each; *room is how many there
   is room for. The caller frees *items. */
bool check_fault_grow(void **items, size_t *room, size_t count, size_t bytes, struct fault *fault);

#define FAULT_TRY(call)                                                                            \
    do {                                                                                           \
        if (!(call))                                                                               \
            return false;                                                                          \
    } while (0)

#endif
