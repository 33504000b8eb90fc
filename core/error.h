#ifndef MEMPLAN_CORE_ERROR_H
#define MEMPLAN_CORE_ERROR_H

#include <stdbool.h>
#include <stddef.h>

/* What a call ended with. The first six are also the exit codes of the program. */
enum status {
    STATUS_OK = 0,
    STATUS_NO = 1,        /* the answer is no: invalid plan, does not fit, worse than before */
    STATUS_USAGE = 2,     /* the caller asked for something that does not exist */
    STATUS_BAD_INPUT = 3, /* a file or a value in it is wrong */
    STATUS_LIMIT = 4,     /* a limit was reached without an answer */
    STATUS_INTERNAL = 5,  /* a fault of this program, or no memory */
};

/* Filled by the call that fails, never by one that succeeds. file is "" and line 0 where the
   fault has no place in a file. */
struct error {
    enum status status;
    unsigned line;
    char file[512];
    char text[1024];
};

#define ERROR_NONE ((struct error){.status = STATUS_OK})

/* Fills *error with a printf-style text and returns status. Names from files may be in the text:
   what is not printable in it is escaped (utf8_make_printable), in the name of a file too. */
enum status error_set(struct error *error, enum status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Does what error_set does, with a place: a file (copied, cut to fit) and a line counted from 1. */
enum status error_set_at(struct error *error, enum status status, const char *file, unsigned line,
                         const char *format, ...) __attribute__((format(printf, 5, 6)));

/* Fills *error with the byte of the file at which something is found, counted from 0, and returns
   STATUS_BAD_INPUT. */
enum status error_set_byte(struct error *error, const char *file, size_t at, const char *format,
                           ...) __attribute__((format(printf, 4, 5)));

/* Names the file that an error is about where it names none. */
void error_name_file(struct error *error, const char *file);

/* The first fills *error with the text that all failed allocations have, and returns
   STATUS_INTERNAL; the second says whether an error is one of these. */
enum status error_no_memory(struct error *error);
bool error_is_no_memory(const struct error *error);

/* Returns at once with the status of a call that failed. */
#define TRY(call)                                                                                  \
    do {                                                                                           \
        enum status try_status = (call);                                                           \
        if (try_status != STATUS_OK)                                                               \
            return try_status;                                                                     \
    } while (0)

/* The same for functions that own something: they set status and leave through their one exit. */
#define TRY_OR_DONE(status, call)                                                                  \
    do {                                                                                           \
        (status) = (call);                                                                         \
        if ((status) != STATUS_OK)                                                                 \
            goto done;                                                                             \
    } while (0)

/* One variable that gives back what it holds where its block is left, whatever the way out:

       SCOPED(text_free) struct text text = {0};

   The function gets the address of the variable, which is set where it is declared, since its block
   may be left before anything else sets it. For a pointer that is the function which SCOPED_POINTER
   makes of one that frees what it is given; of variables that hold each other, the one declared
   last goes first. */
#define SCOPED(release) __attribute__((cleanup(release)))
#define SCOPED_POINTER(type, release, free)                                                        \
    static inline void release(type **held)                                                        \
    {                                                                                              \
        free(*held);                                                                               \
    }                                                                                              \
    static inline void release(type **held)

/* Returns STATUS_OK and what a scoped variable holds, which is the caller's from now on. */
#define HAND_OVER(held, created)                                                                   \
    do {                                                                                           \
        *(created) = (held);                                                                       \
        (held) = NULL;                                                                             \
        return STATUS_OK;                                                                          \
    } while (0)

#endif
