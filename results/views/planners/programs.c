#include "results/views/planners/programs.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

uint64_t program_counter(const struct result_row *row, const char *name)
{
    size_t length = strlen(name);
    for (const char *word = row->counters; word && *word; word += strspn(word, " ")) {
        size_t word_length = strcspn(word, " ");
        if (word_length > length + 1 && strncmp(word, name, length) == 0 && word[length] == '=')
            return strtoull(word + length + 1, NULL, 10);
        word += word_length;
    }
    return 0;
}

/* The least peak that anybody has on a line, 0 for none. */
static uint64_t find_least(const struct grid *grid, uint32_t line)
{
    uint64_t least = 0;
    for (uint32_t k = 0; k < grid->planners.count; k++) {
        const struct result_row *row = grid_at(grid, line, k);
        if (row && query_worth(row) == RESULT_NUMBER && (!least || row->peak_bytes < least))
            least = row->peak_bytes;
    }
    return least;
}

bool program_root_ratio(const struct grid *grid, uint32_t line, uint32_t planner, double *ratio)
{
    const struct result_row *row = grid_at(grid, line, planner);
    uint64_t root = row ? program_counter(row, "root_bound") : 0, least = find_least(grid, line);
    if (!root || !least)
        return false;
    *ratio = fmax(1, (double)least / (double)root);
    return true;
}

static void add_row(struct program *program, const struct result_row *row, uint64_t least)
{
    uint64_t columns = program_counter(row, "columns");
    uint64_t root = program_counter(row, "root_bound"), cut = program_counter(row, "cut_bound");
    uint64_t bytes = program_counter(row, "solver_bytes");
    bool is_proved =
        strcmp(row->status, RESULT_OPTIMAL) == 0 || strcmp(row->status, RESULT_INFEASIBLE) == 0;
    program->rows++;
    program->started += is_proved && !columns;
    if (is_proved && !columns)
        return;
    program->proved += is_proved;
    program->seconds += log((double)row->wall_ns / 1e9 + PROGRAM_SHIFT_SECONDS);
    program->nodes += log((double)row->nodes + PROGRAM_SHIFT_NODES);
    if (bytes > program->solver_bytes)
        program->solver_bytes = bytes;
    if (!columns)
        return;
    program->told++;
    program->columns += log((double)columns);
    program->rows_of_program += log((double)program_counter(row, "rows") + 1);
    program->entries += log((double)program_counter(row, "entries") + 1);
    if (root && cut && least) {
        program->rooted++;
        program->root_gap += fmax(0, ((double)least - (double)root) / (double)root);
        program->cut_gap += fmax(0, ((double)least - (double)cut) / (double)cut);
    }
}

static bool all_have_rows(const struct grid *grid, uint32_t line, const struct program_peers *peers)
{
    for (uint32_t i = 0; peers && i < peers->count; i++)
        if (!grid_at(grid, line, peers->planner[i]))
            return false;
    return true;
}

bool program_measure(const struct grid *grid, uint32_t planner, const struct program_peers *peers,
                     struct program *program)
{
    *program = (struct program){.planner = planner};
    for (uint32_t line = 0; line < grid->lines; line++) {
        const struct result_row *row = grid_at(grid, line, planner);
        if (!row || !all_have_rows(grid, line, peers))
            continue;
        if (strcmp(row->status, "unsupported") == 0)
            program->refused++;
        else
            add_row(program, row, find_least(grid, line));
    }
    if (!program->told)
        return false;
    uint32_t needed = program->rows - program->started;
    program->seconds = exp(program->seconds / needed) - PROGRAM_SHIFT_SECONDS;
    program->nodes = exp(program->nodes / needed) - PROGRAM_SHIFT_NODES;
    program->columns = exp(program->columns / program->told);
    program->rows_of_program = exp(program->rows_of_program / program->told) - 1;
    program->entries = exp(program->entries / program->told) - 1;
    if (program->rooted) {
        program->root_gap /= program->rooted;
        program->cut_gap /= program->rooted;
    }
    return true;
}

void program_name_parse(const char *planner, struct program_name *name)
{
    enum { MOST_OFFS = sizeof name->off / sizeof *name->off };
    size_t length = strcspn(planner, "?");
    *name = (struct program_name){.solver = "glpk"};
    snprintf(name->model, sizeof name->model, "%.*s", (int)length, planner);
    if (strcmp(name->model, "cbc") == 0)
        snprintf(name->solver, sizeof name->solver, "cbc");
    const char *setting = planner[length] ? planner + length + 1 : "";
    while (*setting) {
        size_t whole = strcspn(setting, "&"), key = strcspn(setting, "=");
        if (key == 6 && strncmp(setting, "solver", key) == 0)
            snprintf(name->solver, sizeof name->solver, "%.*s", (int)(whole - key - 1),
                     setting + key + 1);
        else if (whole == key + 2 && setting[key + 1] == '0' && name->offs < MOST_OFFS)
            snprintf(name->off[name->offs++], sizeof *name->off, "%.*s", (int)key, setting);
        else
            name->has_others = true;
        setting += whole + (setting[whole] == '&');
    }
}
