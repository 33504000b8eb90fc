#include "proofs/checker/log.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "proofs/checker/facts.h"
#include "proofs/checker/rules.h"

/* The log that is being checked. */
static struct {
    struct input input;
    const char *at; /* in a text log: the part of the line that was not read yet */
    bool is_binary;
    bool *used;      /* [buffers] */
    int64_t *number; /* [count] of the line */
    size_t count;
} file;

/* Reads the next line of a text, words with one blank between them. */
static void read_line(const char *expected)
{
    check_input_text(&file.input, '\n');
    const char *text = file.at = file.input.text;
    size_t length = file.input.length;
    if (file.input.ended)
        UNREADABLE("the file is cut off, expected the line '%s'", expected);
    if (!length || *text == ' ' || text[length - 1] == ' ' || strstr(text, "  "))
        UNREADABLE("found an empty word");
}

static void end_line(void)
{
    if (*file.at)
        UNREADABLE("found '%.40s', expected the end of the line", file.at);
}

static unsigned read_byte(void)
{
    int byte = check_input_byte(&file.input);
    if (byte < 0)
        UNREADABLE("the file is cut off");
    return (unsigned)byte;
}

/* A number of a binary log: seven bits to a byte, the lowest first, the highest bit of a byte says
   that more come. Even numbers stand for their halves, odd ones for what is below 0. */
static int64_t read_packed(void)
{
    uint64_t value = 0;
    unsigned byte = 128;
    for (unsigned shift = 0; byte & 128; shift += 7) {
        byte = read_byte();
        if (shift > 56)
            UNREADABLE("expected a number below 2^62");
        value |= (uint64_t)(byte & 127) << shift;
    }
    int64_t number = value & 1 ? -(int64_t)(value / 2) - 1 : (int64_t)(value / 2);
    if (number <= -INPUT_MOST)
        UNREADABLE("expected a number below 2^62");
    return number;
}

/* The next number; in a text it stands behind this byte. */
static int64_t read_number(char before)
{
    if (file.is_binary)
        return read_packed();
    if (!check_input_take(&file.at, before))
        UNREADABLE("found '%.40s', expected '%c' and a number", file.at, before);
    return check_input_number(&file.at);
}

static void add_number(int64_t number)
{
    CHECK_APPEND(file.number, file.count, number);
}

/* Reads the numbers behind the letter of a rule. A member of a clique that is written as a buffer
   alone has all of its bytes. */
static void read_numbers(const struct problem *problem, const struct rule *rule)
{
    int64_t least = (int64_t)strlen(rule->kinds), count = least;
    file.count = 0;
    if (rule->more)
        count = file.is_binary ? read_packed() : INT64_MAX;
    if (count < least)
        UNREADABLE("rule %c: found %" PRId64 " numbers", rule->letter, count);
    for (int64_t i = 0; i < count && (file.is_binary || i < least || *file.at); i++) {
        int64_t number = read_number(' ');
        add_number(number);
        if (i < least || rule->more != 'm')
            continue;
        bool is_part = file.is_binary || *file.at == ':';
        bool exists = number >= 0 && number < problem->buffers;
        add_number(is_part ? read_number(':') : 0);
        add_number(is_part ? read_number(':') : exists ? problem->buffer[number].size : 0);
    }
    if (!file.is_binary)
        end_line();
}

/* The rule of the next line; NULL at the line `end`. */
static const struct rule *read_rule(void)
{
    char word[21] = "";
    if (file.is_binary) {
        word[0] = (char)read_byte();
        check_fault.line++;
    } else {
        read_line("end");
        snprintf(word, sizeof word, "%.*s", (int)strcspn(file.at, " "), file.at);
        file.at += strcspn(file.at, " ");
    }
    const struct rule *rule = strlen(word) == 1 ? check_rules_find(word[0]) : NULL;
    if (!rule && strcmp(word, file.is_binary ? "e" : "end") != 0)
        UNREADABLE("found the rule '%s'", word);
    return rule;
}

/* A line of the head: goes behind this word and a blank, and returns the rest. */
static const char *read_head(const char *name)
{
    size_t length = strlen(name);
    read_line(name);
    if (strncmp(file.at, name, length) != 0 || file.at[length] != ' ')
        UNREADABLE("found '%.40s', expected '%s' and a value", file.at, name);
    return file.at += length + 1;
}

static int64_t read_head_number(const char *name)
{
    read_head(name);
    int64_t number = check_input_number(&file.at);
    end_line();
    return number;
}

/* use all, or use BUFFER ..: the buffers that the proof is about. */
static void read_used(const struct problem *problem)
{
    file.used = check_create(problem->buffers, sizeof *file.used);
    if (strcmp(read_head("use"), "all") == 0) {
        memset(file.used, true, problem->buffers * sizeof *file.used);
        return;
    }
    do {
        int64_t buffer = check_input_number(&file.at);
        if (buffer < 0 || buffer >= problem->buffers)
            REFUSED("there is no buffer %" PRId64, buffer);
        file.used[buffer] = true;
    } while (check_input_take(&file.at, ' '));
    end_line();
}

static void read_heads(const struct problem *problem, struct check_answer *answer)
{
    char expected[17];
    const char *version = read_head("memplan-proof");
    file.is_binary = strcmp(version, "1b") == 0;
    if (!file.is_binary && strcmp(version, "1") != 0)
        UNREADABLE("found version '%.20s', expected 1", version);
    snprintf(expected, sizeof expected, "%016" PRIx64, check_problem_fingerprint(problem));
    if (strcmp(read_head("problem"), expected) != 0)
        UNREADABLE("found a log of another problem, '%.20s', expected %s", file.at, expected);
    answer->capacity = read_head_number("capacity");
    answer->unit = read_head_number("unit");
    read_used(problem);
}

void check_log(const char *path, const struct problem *problem, struct check_answer *answer)
{
    const struct rule *rule;
    check_input_open(path, &file.input);
    read_heads(problem, answer);
    check_facts_begin(problem, file.used, answer->capacity, answer->unit);
    while ((rule = read_rule())) {
        bool applies = check_rules_prepare(rule);
        if (applies || file.is_binary)
            read_numbers(problem, rule);
        if (applies)
            check_rules_apply(rule, file.number, file.count);
    }
    if (!file.is_binary)
        end_line();
    answer->clauses = check_rules_end();
    answer->lines = check_fault.line;
    if (check_input_byte(&file.input) >= 0)
        UNREADABLE("found something behind 'end'");
}

void check_log_free(void)
{
    check_input_close(&file.input);
    free(file.used);
    free(file.number);
    memset(&file, 0, sizeof file);
    check_facts_free();
}
