#ifndef MEMPLAN_DATASETS_JSON_TOKEN_H
#define MEMPLAN_DATASETS_JSON_TOKEN_H

#include "core/text.h"
#include "datasets/json/tree.h"

/* The tokens of JSON, one after the other. */

enum { JSON_TOKEN_END = '\0', JSON_TOKEN_MOST_SHOWN = 40 /* characters in a message */ };

/* An array or object that is not closed. */
struct json_holder {
    unsigned line;
    bool is_object;
    const struct json_holder *around;
};

struct json_parser {
    const struct text *text;
    const char *bytes, *file; /* bytes: [length], nothing stands behind them */
    size_t length;
    /* The token that was read last: its kind is the byte that it begins with, '0' for numbers, or
       JSON_TOKEN_END; its bytes are [begin, at), and it begins on this line. */
    size_t begin, at, forgotten; /* forgotten: what json_forget counts from */
    unsigned line;
    char kind;
    bool is_real, has_escapes; /* of a number; of a text */
    bool is_complete;          /* the outermost value was read */
    bool is_skipping;          /* nothing is added to the tree */
    bool is_putting_off;       /* what the next value holds is put off */
    const struct json_holder *open;
    unsigned depth;
    struct json_tree *tree;
    char *decoded; /* the latest text that has escapes */
    size_t decoded_capacity;
    struct error *error;
    enum status status;
};

/* Reads the next token. This and all that follow return false where they set the error, which ends
   parsing. */
bool json_token_read(struct json_parser *parser);

/* The bytes of the latest token, a text or a key, without escapes. */
bool json_token_bytes(struct json_parser *parser, const char **bytes, size_t *length);

bool json_token_is_punctuation(char byte);

/* Return false. The second one shows the latest token up to where it went wrong, words and numbers
   to their end; the third says that the text ended too early. */
bool json_token_fail(struct json_parser *parser, unsigned line, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
bool json_token_fail_at(struct json_parser *parser, const char *expected);
bool json_token_fail_at_end(struct json_parser *parser);

#endif
