#ifndef MEMPLAN_CLI_STANDINGS_PAGE_H
#define MEMPLAN_CLI_STANDINGS_PAGE_H

#include "cli/standings/version.h"

/* Writes the page of a version into its folder and its report, with its rows beside it. Where base
   is not NULL, the page also says what changed since. */
enum status standings_page_write(struct standings_version *version,
                                 const struct standings_version *base, struct error *error);

#endif
