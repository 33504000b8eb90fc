#ifndef MEMPLAN_HARNESS_BROUGHT_BROUGHT_H
#define MEMPLAN_HARNESS_BROUGHT_BROUGHT_H

#include "harness/brought/plugin.h"
#include "harness/brought/program.h"

/* What a user brings along: the planners and orders of a shared object with tables of
   include/memplan/plugin.h, which are called in this process, or a planner or an order that is a
   program of its own. */
struct brought {
    void *handle; /* of a shared object, and its path as the user gave it */
    char *path;
    struct program program;
    char content[DIGEST_TEXT_BYTES]; /* of the shared object */
    struct planner *planner;         /* [planners] */
    struct order_row *order;         /* [orders] */
    struct plugin_row *row;          /* [planners + orders] of a shared object */
    uint32_t planners, orders;
};

/* Loads a shared object; a path without a slash is one in the current folder. Fails with
   STATUS_BAD_INPUT and the path where it is none, has no table or one of another version, or where
   a row of a table lacks something. */
enum status brought_load(const char *path, struct brought **created, struct error *error);

/* Makes a planner or an order of "name=command"; fails as program_create does. */
enum status brought_make_planner(const char *definition, struct brought **created,
                                 struct error *error);
enum status brought_make_order(const char *definition, struct brought **created,
                               struct error *error);

void brought_free(struct brought *brought); /* NULL is fine; ends its planners and orders */
SCOPED_POINTER(struct brought, brought_release, brought_free);

#endif
