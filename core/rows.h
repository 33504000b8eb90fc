#ifndef MEMPLAN_CORE_ROWS_H
#define MEMPLAN_CORE_ROWS_H

#include <assert.h>
#include <stdint.h>

#include "core/known_names.h"

/* Constant tables of rows. The header of a table declares what it offers, its source defines that
   by the macros below:

       uint32_t policy_count(void);
       const struct policy *policy_at(uint32_t index);        index < policy_count()
       const struct policy *policy_find(const char *name);    by member `name`; NULL if none has it

   ROWS_DEFINE(policy, struct policy, policies) defines the first two, where policies is an array of
   rows; ROWS_DEFINE_POINTERS does so for an array of pointers to rows. ROWS_DEFINE_FIND(policy,
   struct policy) defines the third, for any count and at. ROWS_DEFINE_NAME(policy) defines
   policy_name, which rows_find takes, for this source only. Behind one of these two
   ROWS_DEFINE_REFUSE(policy, "policy", "memplan list policies") defines

       enum status policy_refuse(const char *name, size_t length, struct error *error);

   which does what known_names_refuse does, with the word for a row and the command that lists the
   rows. */

#define ROWS_DEFINE(prefix, type, array) ROWS_DEFINE_BY(prefix, type, array, &(array)[index])
#define ROWS_DEFINE_POINTERS(prefix, type, array)                                                  \
    ROWS_DEFINE_BY(prefix, type, array, (array)[index])

#define ROWS_DEFINE_BY(prefix, type, array, row)                                                   \
    uint32_t prefix##_count(void)                                                                  \
    {                                                                                              \
        return sizeof(array) / sizeof *(array);                                                    \
    }                                                                                              \
    const type *prefix##_at(uint32_t index)                                                        \
    {                                                                                              \
        assert(index < prefix##_count());                                                          \
        return row;                                                                                \
    }                                                                                              \
    uint32_t prefix##_count(void)

#define ROWS_DEFINE_NAME(prefix)                                                                   \
    static const char *prefix##_name(uint32_t index)                                               \
    {                                                                                              \
        return prefix##_at(index)->name;                                                           \
    }                                                                                              \
    static const char *prefix##_name(uint32_t index)

#define ROWS_DEFINE_FIND(prefix, type)                                                             \
    ROWS_DEFINE_NAME(prefix);                                                                      \
    const type *prefix##_find(const char *name)                                                    \
    {                                                                                              \
        uint32_t index = rows_find(name, prefix##_count(), prefix##_name);                         \
        return index < prefix##_count() ? prefix##_at(index) : NULL;                               \
    }                                                                                              \
    const type *prefix##_find(const char *name)

#define ROWS_DEFINE_REFUSE(prefix, kind, lister)                                                   \
    enum status prefix##_refuse(const char *name, size_t length, struct error *error)              \
    {                                                                                              \
        return rows_refuse(                                                                        \
            &(struct rows_kind){kind, lister, NULL, prefix##_count(), prefix##_name}, name,        \
            length, error);                                                                        \
    }                                                                                              \
    enum status prefix##_refuse(const char *name, size_t length, struct error *error)

typedef const char *rows_name(uint32_t index);

/* The first of count rows that has the name, else count. */
uint32_t rows_find(const char *name, uint32_t count, rows_name *name_at);

/* known_names_refuse for rows. */
struct rows_kind {
    const char *kind, *lister, *also; /* as in struct known_names */
    uint32_t count;
    rows_name *name_at;
};
enum status rows_refuse(const struct rows_kind *rows, const char *name, size_t length,
                        struct error *error);

#endif
