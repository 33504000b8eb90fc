#include "proofs/checker/log.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "proofs/checker/facts.h"

/* Reads the next line of a text, words with one blank between them. */
static void read_line(struct log *log, const char *expected)
{
    check_input_text(&log->input, '\n');
    const char *text = log->at = log->input.text;
    size_t length = log->input.length;
    if (log->input.ended && length)
        UNREADABLE("found a line without an end: the file is cut off");
    if (log->input.ended)
        UNREADABLE("found the end of the file, expected '%s'", expected);
    if (!length || *text == ' ' || text[length - 1] == ' ' || strstr(text, "  "))
        UNREADABLE("found an empty word");
}

static unsigned read_byte(struct log *log)
{
    int byte = check_input_byte(&log->input);
    if (byte < 0)
        UNREADABLE("the file is cut off");
    return (unsigned)byte;
}

/* A number of a binary log: seven bits to a byte, the lowest first, the highest bit of a byte says
   that more come. Even numbers stand for their halves, odd ones for what is below 0. */
static int64_t read_packed(struct log *log)
{
    uint64_t value = 0;
    unsigned byte = 128;
    for (unsigned shift = 0; byte & 128; shift += 7) {
        byte = read_byte(log);
        if (shift > 56)
            UNREADABLE("expected a number below 2^62");
        value |= (uint64_t)(byte & 127) << shift;
    }
    int64_t number = value & 1 ? -(int64_t)(value / 2) - 1 : (int64_t)(value / 2);
    if (number <= -INPUT_MOST)
        UNREADABLE("expected a number below 2^62");
    return number;
}

static void add_number(struct numbers *numbers, int64_t number)
{
    numbers->number = check_grow(numbers->number, numbers->count, sizeof *numbers->number);
    numbers->number[numbers->count++] = number;
}

/* Adds the next number; in a text it stands behind this byte. */
static void read_number(struct log *log, char before)
{
    if (!log->is_binary && !check_input_take(&log->at, before))
        UNREADABLE("found '%.40s', expected '%c' and a number", log->at, before);
    add_number(&log->numbers, log->is_binary ? read_packed(log) : check_input_number(&log->at));
}

/* Adds a member of a clique. In a text that is a buffer, or BUFFER:BEGIN:END where only these bytes
   of it count. */
static void read_member(struct log *log, const struct problem *problem)
{
    read_number(log, ' ');
    if (log->is_binary || *log->at == ':') {
        read_number(log, ':');
        read_number(log, ':');
        return;
    }
    int64_t buffer = log->numbers.number[log->numbers.count - 1];
    bool exists = buffer >= 0 && buffer < problem->buffers;
    add_number(&log->numbers, 0);
    add_number(&log->numbers, exists ? problem->buffer[buffer].size : 0);
}

static void end_line(struct log *log)
{
    if (*log->at)
        UNREADABLE("found '%.40s', expected the end of the line", log->at);
}

/* Reads the numbers behind the letter of a rule. */
static void read_numbers(struct log *log, const struct problem *problem, const struct rule *rule)
{
    int64_t fixed = (int64_t)strlen(rule->kinds), count = log->is_binary ? fixed : 0;
    log->numbers.count = 0;
    if (log->is_binary && rule->more)
        count = read_packed(log);
    for (const char *at = log->at; !log->is_binary && *at; at++)
        count += *at == ' ';
    if (count < fixed || (count > fixed && !rule->more))
        UNREADABLE("rule %c: found %" PRId64 " numbers", rule->letter, count);
    for (int64_t i = 0; i < count; i++)
        if (i >= fixed && rule->more == 'm')
            read_member(log, problem);
        else
            read_number(log, ' ');
    if (!log->is_binary)
        end_line(log);
}

/* The rule of the next line; NULL at the line `end`. */
static const struct rule *read_rule(struct log *log)
{
    char word[21] = "";
    if (log->is_binary) {
        word[0] = (char)read_byte(log);
        check_fault.line++;
    } else {
        read_line(log, "end");
        snprintf(word, sizeof word, "%.*s", (int)strcspn(log->at, " "), log->at);
        log->at += strcspn(log->at, " ");
    }
    const struct rule *rule = strlen(word) == 1 ? check_rules_find(word[0]) : NULL;
    if (!rule && strcmp(word, log->is_binary ? "e" : "end") != 0)
        UNREADABLE("found the rule '%s'", word);
    return rule;
}

/* A line of the head: goes behind this word and a blank. */
static void read_head(struct log *log, const char *name)
{
    size_t length = strlen(name);
    read_line(log, name);
    if (strncmp(log->at, name, length) != 0 || log->at[length] != ' ')
        UNREADABLE("found '%.40s', expected '%s' and a value", log->at, name);
    log->at += length + 1;
}

static int64_t read_head_number(struct log *log, const char *name)
{
    read_head(log, name);
    int64_t number = check_input_number(&log->at);
    end_line(log);
    return number;
}

/* use all, or use BUFFER ..: the buffers that the proof is about. */
static void read_used(struct log *log, const struct problem *problem)
{
    log->used = check_create(problem->buffers, sizeof *log->used);
    read_head(log, "use");
    if (strcmp(log->at, "all") == 0) {
        memset(log->used, true, problem->buffers * sizeof *log->used);
        return;
    }
    do {
        int64_t buffer = check_input_number(&log->at);
        if (buffer < 0 || buffer >= problem->buffers)
            REFUSED("there is no buffer %" PRId64, buffer);
        log->used[buffer] = true;
    } while (check_input_take(&log->at, ' '));
    end_line(log);
}

static void read_heads(struct log *log, const struct problem *problem)
{
    char expected[17];
    snprintf(expected, sizeof expected, "%016" PRIx64, check_problem_fingerprint(problem));
    read_head(log, "memplan-proof");
    log->is_binary = strcmp(log->at, "1b") == 0;
    if (!log->is_binary && strcmp(log->at, "1") != 0)
        UNREADABLE("found version '%.20s', expected 1", log->at);
    read_head(log, "problem");
    if (strcmp(log->at, expected) != 0)
        UNREADABLE("found a log of another problem, '%.20s', expected %s", log->at, expected);
    log->capacity = read_head_number(log, "capacity");
    log->unit = read_head_number(log, "unit");
    read_used(log, problem);
}

void check_log(const char *path, const struct problem *problem, struct log *log)
{
    const struct rule *rule;
    check_input_open(path, &log->input);
    read_heads(log, problem);
    check_facts_begin(problem, log->used, log->capacity, log->unit);
    while ((rule = read_rule(log))) {
        bool applies = check_rules_prepare(rule);
        if (applies || log->is_binary)
            read_numbers(log, problem, rule);
        if (applies)
            check_rules_apply(rule, &log->numbers);
    }
    if (!log->is_binary)
        end_line(log);
    log->clauses = check_rules_end();
    log->lines = check_fault.line;
    if (check_input_byte(&log->input) >= 0)
        UNREADABLE("found something behind 'end'");
}

void check_log_free(struct log *log)
{
    check_input_close(&log->input);
    free(log->used);
    free(log->numbers.number);
    check_facts_free();
}
