#ifndef MEMPLAN_CLI_REPRODUCE_PAGE_H
#define MEMPLAN_CLI_REPRODUCE_PAGE_H

#include "results/store/store.h"

/* The report of reproductions: an abstract, a row for each source with its verdicts, and each
   source as its page in docs/ tells it, with its tables and figures where the page has the comment
   <!-- show NAME -->, and all its figures with their verdicts, folded, at its end. */

struct page_request {
    const char *folder;
    struct store *store;
    const bool *wanted;       /* [reproduction_count()] */
    const char *const *named; /* what the user asked for by name, NULL at the end */
};

/* Writes the folder, and the tables of named reproductions that are no sources to stdout, unless
   they are long. */
enum status page_write(const struct page_request *request, unsigned *figures_failed,
                       struct error *error);

#endif
