#include "proofs/checker/log.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "proofs/checker/input.h"
#include "proofs/checker/rules.h"

/* The lines of a log, and what they say. */
struct reader {
    struct facts facts;
    struct fault *fault;
    struct input input;
    bool is_binary;
    char **word; /* [words] of a line of text */
    size_t words, word_room;
    struct numbers numbers;
};

/* Cuts the next line into its words, which have one blank between them. */
static bool read_line(struct reader *reader, const char *expected)
{
    char *line;
    reader->words = 0;
    NEED(check_input_line(&reader->input, true, &line, reader->fault));
    if (!line)
        return UNREADABLE(reader->fault, "found the end of the file, expected %s", expected);
    for (char *at = line; at;) {
        NEED(check_grow((void **)&reader->word, &reader->word_room, reader->words,
                        sizeof *reader->word, reader->fault));
        reader->word[reader->words++] = at;
        at = strchr(at, ' ');
        if (at)
            *at++ = 0;
        if (!*reader->word[reader->words - 1])
            return UNREADABLE(reader->fault, "found an empty word");
    }
    return true;
}

static bool read_word(struct reader *reader, size_t word, int64_t *number)
{
    const char *text = reader->word[word];
    return check_input_number(text, text + strlen(text), number, reader->fault);
}

static bool read_byte(struct reader *reader, int *byte)
{
    NEED(check_input_byte(&reader->input, byte, reader->fault));
    return *byte >= 0 || UNREADABLE(reader->fault, "the file is cut off");
}

/* A number of a binary log: seven bits to a byte, the lowest first, the highest bit of a byte says
   that more come. Even numbers stand for their halves, odd ones for what is below 0. */
static bool read_packed(struct reader *reader, int64_t *number)
{
    uint64_t value = 0;
    int byte = 128;
    for (unsigned shift = 0; byte & 128; shift += 7) {
        NEED(read_byte(reader, &byte));
        if (shift > 56)
            return UNREADABLE(reader->fault, "expected a number below 2^62");
        value |= (uint64_t)(byte & 127) << shift;
    }
    *number = value & 1 ? -(int64_t)(value / 2) - 1 : (int64_t)(value / 2);
    return *number > -INPUT_MOST || UNREADABLE(reader->fault, "expected a number below 2^62");
}

static bool add_number(struct reader *reader, int64_t number)
{
    struct numbers *numbers = &reader->numbers;
    NEED(check_grow((void **)&numbers->number, &numbers->room, numbers->count,
                    sizeof *numbers->number, reader->fault));
    numbers->number[numbers->count++] = number;
    return true;
}

/* A member of a clique as text: a buffer, or BUFFER:BEGIN:END where only these bytes of it count.
 */
static bool read_member(struct reader *reader, char *word)
{
    const struct problem *problem = reader->facts.problem;
    char *begin = strchr(word, ':'), *end = begin ? strchr(begin + 1, ':') : NULL;
    int64_t number[3] = {0};
    if (begin && !end)
        return UNREADABLE(reader->fault, "found '%.40s', expected BUFFER:BEGIN:END", word);
    NEED(check_input_number(word, begin ? begin : word + strlen(word), number, reader->fault));
    if (begin) {
        NEED(check_input_number(begin + 1, end, number + 1, reader->fault));
        NEED(check_input_number(end + 1, end + strlen(end), number + 2, reader->fault));
    } else if (number[0] >= 0 && number[0] < problem->buffers) {
        number[2] = problem->buffer[number[0]].size;
    }
    return add_number(reader, number[0]) && add_number(reader, number[1]) &&
           add_number(reader, number[2]);
}

/* Reads the numbers behind the letter of a rule. */
static bool read_numbers(struct reader *reader, const struct rule *rule)
{
    int64_t number, fixed = (int64_t)strlen(rule->kinds), count = (int64_t)reader->words - 1;
    reader->numbers.count = 0;
    if (reader->is_binary) {
        count = fixed;
        if (rule->more)
            NEED(read_packed(reader, &count));
    }
    if (count < fixed || (count > fixed && !rule->more))
        return UNREADABLE(reader->fault, "rule %c: found %" PRId64 " numbers", rule->letter, count);
    for (int64_t i = 0; i < count; i++) {
        bool is_member = i >= fixed && rule->more == 'm';
        if (is_member && !reader->is_binary) {
            NEED(read_member(reader, reader->word[i + 1]));
            continue;
        }
        for (int part = 0; part < (is_member ? 3 : 1); part++) {
            NEED(reader->is_binary ? read_packed(reader, &number)
                                   : read_word(reader, (size_t)i + 1, &number));
            NEED(add_number(reader, number));
        }
    }
    return true;
}

/* The rule of the next line; NULL at the line `end`. */
static bool read_rule(struct reader *reader, const struct rule **rule)
{
    int letter = 0;
    *rule = NULL;
    if (reader->is_binary) {
        NEED(read_byte(reader, &letter));
        reader->fault->line++;
        if (letter == 'e')
            return true;
    } else {
        NEED(read_line(reader, "'end'"));
        if (strcmp(reader->word[0], "end") == 0)
            return reader->words == 1 || UNREADABLE(reader->fault, "found words behind 'end'");
        letter = reader->word[0][1] ? 0 : (unsigned char)reader->word[0][0];
    }
    *rule = check_rules_find((char)letter);
    return *rule || UNREADABLE(reader->fault, "found the rule '%.20s'",
                               reader->is_binary ? (char[]){(char)letter, 0} : reader->word[0]);
}

static bool check_line(struct reader *reader, const struct rule *rule)
{
    struct facts *facts = &reader->facts;
    if (!rule->is_step)
        NEED(check_facts_end_clause(facts));
    /* Of what is absurd everything follows. */
    bool follows = rule->is_step && facts->proves && facts->bounds.absurd;
    if (reader->is_binary || !follows)
        NEED(read_numbers(reader, rule));
    if (rule->is_step && !facts->proves)
        return REFUSED(reader->fault, "rule %c: no clause is being proved", rule->letter);
    return follows || check_rules_apply(rule, facts, &reader->numbers);
}

/* A line of the head: a word and another one, or a number. */
static bool read_head(struct reader *reader, const char *name, int64_t *number)
{
    NEED(read_line(reader, name));
    if (reader->words != 2 || strcmp(reader->word[0], name) != 0)
        return UNREADABLE(reader->fault, "found '%.20s', expected '%s' and a value",
                          reader->word[0], name);
    return !number || read_word(reader, 1, number);
}

/* use all, or use BUFFER ..: the buffers that the proof is about. */
static bool read_used(struct reader *reader)
{
    struct facts *facts = &reader->facts;
    NEED(read_line(reader, "'use'"));
    if (strcmp(reader->word[0], "use") != 0)
        return UNREADABLE(reader->fault, "found '%.20s', expected 'use'", reader->word[0]);
    if (reader->words == 2 && strcmp(reader->word[1], "all") == 0) {
        memset(facts->bounds.is_used, true, facts->problem->buffers * sizeof(bool));
        return true;
    }
    for (size_t i = 1; i < reader->words; i++) {
        int64_t buffer;
        NEED(read_word(reader, i, &buffer));
        if (buffer < 0 || buffer >= facts->problem->buffers)
            return REFUSED(reader->fault, "there is no buffer %" PRId64, buffer);
        facts->bounds.is_used[buffer] = true;
    }
    return true;
}

static bool check_head(struct reader *reader, struct refutation *refutation)
{
    char expected[17];
    uint64_t fingerprint = check_problem_fingerprint(reader->facts.problem);
    for (int i = 0; i < 16; i++)
        expected[i] = "0123456789abcdef"[fingerprint >> (60 - 4 * i) & 15];
    expected[16] = 0;
    NEED(read_head(reader, "memplan-proof", NULL));
    reader->is_binary = strcmp(reader->word[1], "1b") == 0;
    if (!reader->is_binary && strcmp(reader->word[1], "1") != 0)
        return UNREADABLE(reader->fault, "found version '%.20s', expected 1", reader->word[1]);
    NEED(read_head(reader, "problem", NULL));
    if (strcmp(reader->word[1], expected) != 0)
        return UNREADABLE(reader->fault, "found a log of another problem, '%.20s', expected %s",
                          reader->word[1], expected);
    NEED(read_head(reader, "capacity", &refutation->capacity));
    NEED(read_head(reader, "unit", &refutation->unit));
    return read_used(reader) && check_bounds_begin(&reader->facts.bounds, refutation->capacity,
                                                   refutation->unit, reader->fault);
}

static bool check_lines(struct reader *reader, struct refutation *refutation)
{
    const struct rule *rule;
    int byte;
    NEED(check_head(reader, refutation));
    do {
        NEED(read_rule(reader, &rule));
        if (rule)
            NEED(check_line(reader, rule));
    } while (rule);
    NEED(check_facts_end_clause(&reader->facts));
    if (!reader->facts.refuted)
        return REFUSED(reader->fault, "no empty clause was proved");
    refutation->lines = reader->fault->line;
    refutation->clauses = reader->facts.clauses;
    NEED(check_input_byte(&reader->input, &byte, reader->fault));
    return byte < 0 || UNREADABLE(reader->fault, "found something behind 'end'");
}

bool check_log(const char *path, const struct problem *problem, struct refutation *refutation,
               struct fault *fault)
{
    struct reader reader = {.facts = {.problem = problem, .fault = fault}, .fault = fault};
    bool fine = check_bounds_create(&reader.facts.bounds, problem, fault) &&
                check_input_open(path, &reader.input, fault) && check_lines(&reader, refutation);
    check_input_close(&reader.input);
    check_facts_free(&reader.facts);
    free(reader.word);
    free(reader.numbers.number);
    return fine;
}
