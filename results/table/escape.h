#ifndef MEMPLAN_RESULTS_TABLE_ESCAPE_H
#define MEMPLAN_RESULTS_TABLE_ESCAPE_H

#include "core/text.h"

/* Makes any text safe for a language. The result is valid UTF-8 on one line: an invalid byte
   becomes U+FFFD, a control character a blank. */

void escape_html(struct text *text, const char *raw); /* content and quoted attributes */
void escape_markdown(struct text *text, const char *raw);
void escape_tex(struct text *text, const char *raw);
void escape_plain(struct text *text, const char *raw); /* without markup */

/* Puts the text into quotes where that is needed (RFC 4180). */
void escape_csv(struct text *text, const char *raw);

/* A value in the address of a link: all but letters, digits, '-', '.', '_' and '~' as %XX. */
void escape_url(struct text *text, const char *raw);

/* A JSON string with its quotes. Control characters are kept, escaped. */
void escape_json(struct text *text, const char *raw);

/* Copies the next character, made valid as above, with a zero behind it, and moves *cursor behind
   it. Returns its length in bytes; 0 at the end of the text. */
size_t escape_next(const char **cursor, char character[5]);

/* How many characters a text has. */
size_t escape_width(const char *raw);

#endif
