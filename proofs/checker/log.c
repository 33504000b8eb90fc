#include "proofs/checker/log.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "proofs/checker/input.h"
#include "proofs/checker/rules.h"

/* The lines of a log, and what they say. */
struct reader {
    struct facts facts;
    struct fault *fault;
    struct input input;
    const char *at; /* what was not read yet of the line of a text */
    bool is_binary;
    struct numbers numbers;
};

/* Reads the next line of a text, words with one blank between them. */
static bool read_line(struct reader *reader, const char *expected)
{
    struct input *input = &reader->input;
    NEED(check_input_text(input, '\n', reader->fault));
    if (input->ended)
        return UNREADABLE(reader->fault,
                          input->length ? "found a line without an end: the file is cut off"
                                        : "found the end of the file, expected '%s'",
                          expected);
    reader->at = input->text;
    return (input->length && *reader->at != ' ' && input->text[input->length - 1] != ' ' &&
            !strstr(reader->at, "  ")) ||
           UNREADABLE(reader->fault, "found an empty word");
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

/* Adds the next number; in a text it stands behind this byte. */
static bool read_number(struct reader *reader, char before)
{
    int64_t number;
    if (reader->is_binary)
        return read_packed(reader, &number) && add_number(reader, number);
    if (!check_input_take(&reader->at, before))
        return UNREADABLE(reader->fault, "found '%.40s', expected '%c' and a number", reader->at,
                          before);
    return check_input_number(&reader->at, &number, reader->fault) && add_number(reader, number);
}

/* Adds a member of a clique. In a text that is a buffer, or BUFFER:BEGIN:END where only these bytes
   of it count. */
static bool read_member(struct reader *reader)
{
    const struct problem *problem = reader->facts.problem;
    NEED(read_number(reader, ' '));
    if (reader->is_binary || *reader->at == ':')
        return read_number(reader, ':') && read_number(reader, ':');
    int64_t buffer = reader->numbers.number[reader->numbers.count - 1];
    bool exists = buffer >= 0 && buffer < problem->buffers;
    return add_number(reader, 0) && add_number(reader, exists ? problem->buffer[buffer].size : 0);
}

static bool end_line(struct reader *reader)
{
    return !*reader->at ||
           UNREADABLE(reader->fault, "found '%.40s', expected the end of the line", reader->at);
}

/* Reads the numbers behind the letter of a rule. */
static bool read_numbers(struct reader *reader, const struct rule *rule)
{
    int64_t fixed = (int64_t)strlen(rule->kinds), count = fixed;
    reader->numbers.count = 0;
    if (reader->is_binary)
        NEED(!rule->more || read_packed(reader, &count));
    else
        for (const char *at = (count = 0, reader->at); *at; at++)
            count += *at == ' ';
    if (count < fixed || (count > fixed && !rule->more))
        return UNREADABLE(reader->fault, "rule %c: found %" PRId64 " numbers", rule->letter, count);
    for (int64_t i = 0; i < count; i++)
        NEED(i >= fixed && rule->more == 'm' ? read_member(reader) : read_number(reader, ' '));
    return reader->is_binary || end_line(reader);
}

/* The rule of the next line; NULL at the line `end`. */
static bool read_rule(struct reader *reader, const struct rule **rule)
{
    char word[21] = "";
    int letter;
    if (reader->is_binary) {
        NEED(read_byte(reader, &letter));
        reader->fault->line++;
        word[0] = (char)letter;
    } else {
        NEED(read_line(reader, "end"));
        size_t length = strcspn(reader->at, " ");
        snprintf(word, sizeof word, "%.*s", (int)(length < 20 ? length : 20), reader->at);
        reader->at += length;
    }
    *rule = NULL;
    if (strcmp(word, reader->is_binary ? "e" : "end") == 0)
        return reader->is_binary || end_line(reader);
    *rule = word[0] && word[1] ? NULL : check_rules_find(word[0]);
    return *rule || UNREADABLE(reader->fault, "found the rule '%s'", word);
}

static bool check_line(struct reader *reader, const struct rule *rule)
{
    struct facts *facts = &reader->facts;
    NEED(rule->is_step || check_facts_end_clause(facts));
    /* Of what is absurd everything follows. */
    bool follows = rule->is_step && facts->proves && facts->absurd;
    NEED((follows && !reader->is_binary) || read_numbers(reader, rule));
    return follows || check_rules_apply(rule, facts, &reader->numbers);
}

/* A line of the head: this word, a blank, and what is read next; a number where one is asked for.
 */
static bool read_head(struct reader *reader, const char *name, int64_t *number)
{
    size_t length = strlen(name);
    NEED(read_line(reader, name));
    if (strncmp(reader->at, name, length) != 0 || reader->at[length] != ' ')
        return UNREADABLE(reader->fault, "found '%.40s', expected '%s' and a value", reader->at,
                          name);
    reader->at += length + 1;
    return !number || (check_input_number(&reader->at, number, reader->fault) && end_line(reader));
}

/* use all, or use BUFFER ..: the buffers that the proof is about. */
static bool read_used(struct reader *reader)
{
    struct facts *facts = &reader->facts;
    NEED(read_head(reader, "use", NULL));
    bool all = strcmp(reader->at, "all") == 0;
    for (uint32_t b = 0; all && b < facts->problem->buffers; b++)
        facts->place[b].is_used = true;
    while (!all) {
        int64_t buffer;
        NEED(check_input_number(&reader->at, &buffer, reader->fault));
        if (buffer < 0 || buffer >= facts->problem->buffers)
            return REFUSED(reader->fault, "there is no buffer %" PRId64, buffer);
        facts->place[buffer].is_used = true;
        if (!check_input_take(&reader->at, ' '))
            return end_line(reader);
    }
    return true;
}

static bool check_head(struct reader *reader, struct check_answer *answer)
{
    char expected[17];
    snprintf(expected, sizeof expected, "%016" PRIx64,
             check_problem_fingerprint(reader->facts.problem));
    NEED(read_head(reader, "memplan-proof", NULL));
    reader->is_binary = strcmp(reader->at, "1b") == 0;
    if (!reader->is_binary && strcmp(reader->at, "1") != 0)
        return UNREADABLE(reader->fault, "found version '%.20s', expected 1", reader->at);
    NEED(read_head(reader, "problem", NULL));
    if (strcmp(reader->at, expected) != 0)
        return UNREADABLE(reader->fault, "found a log of another problem, '%.20s', expected %s",
                          reader->at, expected);
    return read_head(reader, "capacity", &answer->capacity) &&
           read_head(reader, "unit", &answer->unit) && read_used(reader) &&
           check_facts_begin(&reader->facts, answer->capacity, answer->unit);
}

static bool check_lines(struct reader *reader, struct check_answer *answer)
{
    const struct rule *rule;
    int byte;
    NEED(check_head(reader, answer));
    do {
        NEED(read_rule(reader, &rule));
        NEED(!rule || check_line(reader, rule));
    } while (rule);
    NEED(check_facts_end_clause(&reader->facts));
    if (!reader->facts.refuted)
        return REFUSED(reader->fault, "no empty clause was proved");
    answer->lines = reader->fault->line;
    answer->clauses = reader->facts.clauses;
    NEED(check_input_byte(&reader->input, &byte, reader->fault));
    return byte < 0 || UNREADABLE(reader->fault, "found something behind 'end'");
}

bool check_log(const char *path, const struct problem *problem, struct check_answer *answer,
               struct fault *fault)
{
    struct reader reader = {.facts = {.problem = problem, .fault = fault}, .fault = fault};
    bool fine = check_facts_create(&reader.facts) && check_input_open(path, &reader.input, fault) &&
                check_lines(&reader, answer);
    check_input_close(&reader.input);
    check_facts_free(&reader.facts);
    free(reader.numbers.number);
    return fine;
}
