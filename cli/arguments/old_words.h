#ifndef MEMPLAN_CLI_ARGUMENTS_OLD_WORDS_H
#define MEMPLAN_CLI_ARGUMENTS_OLD_WORDS_H

#include "cli/arguments/command.h"

/* Commands and options of the last release that have new names. The old ones still do what they
   did, for one release, and say on standard error what they are called now. */

struct old_option {
    const char *command; /* the only one that had it; NULL: all that accept the new one */
    const char *name;
    const char *value_name; /* NULL where it took no value */
    enum option_id now;
    const char *value; /* of the new one, or what stands before the value of the old one */
};

enum { OLD_OPTIONS_MOST = 64 };
uint32_t old_options_count(void); /* at most OLD_OPTIONS_MOST */
const struct old_option *old_options_at(uint32_t index);
bool old_option_is_of(const struct old_option *old, const struct command *command);

/* A command that became a part of another one: `now` with `word` as its first argument. */
struct old_command {
    const char *name, *now, *word;
};
const struct old_command *old_command_find(const char *name); /* NULL for none */

#endif
