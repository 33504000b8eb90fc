/* The table strengthenings: what each switch of an integer program gives alone, and what its
   absence costs. */
#include <string.h>

#include "results/views/planners/programs.h"
#include "results/views/recipe.h"

/* The planners of one model and solver, by how many switches are off. */
struct study {
    const struct grid *grid;
    struct program_name of;
    uint32_t most_off; /* switches of the planner with fewest on */
};

static bool is_of_study(const struct study *study, uint32_t planner, struct program_name *name)
{
    program_name_parse(names_get(&study->grid->planners, planner), name);
    return !name->has_others && strcmp(name->model, study->of.model) == 0 &&
           strcmp(name->solver, study->of.solver) == 0;
}

static bool is_off(const struct program_name *name, const char *word)
{
    for (uint32_t i = 0; i < name->offs; i++)
        if (strcmp(name->off[i], word) == 0)
            return true;
    return false;
}

enum { ALL, WITHOUT, NONE, ALONE, KINDS };

/* The planner of the study with this number of switches off, `word` among them or not; NULL takes
   any. NAMES_NONE where there is none. */
static uint32_t find_program(const struct study *study, uint32_t offs, const char *word,
                             bool word_off)
{
    for (uint32_t k = 0; k < study->grid->planners.count; k++) {
        struct program_name name;
        if (is_of_study(study, k, &name) && name.offs == offs &&
            (!word || is_off(&name, word) == word_off))
            return k;
    }
    return NAMES_NONE;
}

/* Measures the planners of a switch over the problems that all of them have tried. */
static void measure_switch(const struct study *study, const char *word, struct program found[KINDS],
                           bool is_known[KINDS])
{
    const uint32_t planner[KINDS] = {
        find_program(study, 0, NULL, false), find_program(study, 1, word, true),
        find_program(study, study->most_off, NULL, false),
        study->most_off > 1 ? find_program(study, study->most_off - 1, word, false) : NAMES_NONE};
    struct program_peers peers = {.count = 0};
    for (int i = 0; i < KINDS; i++)
        if (planner[i] != NAMES_NONE)
            peers.planner[peers.count++] = planner[i];
    for (int i = 0; i < KINDS; i++)
        is_known[i] =
            planner[i] != NAMES_NONE && program_measure(study->grid, planner[i], &peers, &found[i]);
}

/* The switch whose absence costs most proofs, or most time where proofs are the same. */
struct dearest {
    const char *word;
    struct program with, without;
};

static void take_dearer(struct dearest *dearest, const char *word,
                        const struct program found[KINDS])
{
    int lost = (int)found[ALL].proved - (int)found[WITHOUT].proved;
    int most = (int)dearest->with.proved - (int)dearest->without.proved;
    double took = found[WITHOUT].seconds - found[ALL].seconds;
    if (!dearest->word || lost > most ||
        (lost == most && took > dearest->without.seconds - dearest->with.seconds))
        *dearest = (struct dearest){word, found[ALL], found[WITHOUT]};
}

static void add_study(struct table_making *making, const struct study *study)
{
    struct table *table = making->table;
    struct program_name least = {.offs = 0};
    struct dearest dearest = {.word = NULL};
    for (uint32_t k = 0; k < study->grid->planners.count && least.offs < study->most_off; k++) {
        struct program_name name;
        if (is_of_study(study, k, &name) && name.offs == study->most_off)
            least = name;
    }
    for (uint32_t i = 0; i < least.offs; i++) {
        struct program found[KINDS] = {{.rows = 0}};
        bool is_known[KINDS];
        uint32_t problems = 0;
        measure_switch(study, least.off[i], found, is_known);
        making->picker.used = true;
        if (is_known[ALL] && is_known[WITHOUT])
            take_dearer(&dearest, least.off[i], found);
        for (int k = 0; k < KINDS; k++)
            if (is_known[k] && found[k].rows - found[k].started > problems)
                problems = found[k].rows - found[k].started;
        table_add(table, cell_text(study->of.model), cell_text(study->of.solver),
                  cell_text(least.off[i]), cell_number(problems));
        for (int k = 0; k < KINDS; k++)
            if (is_known[k])
                table_add(table, cell_number(found[k].proved), cell_real(found[k].seconds, 2));
            else
                table_repeat(table, 2, cell_missing());
    }
    if (dearest.word)
        table_add_note(table,
                       "Of %s by %s, the absence of %s costs most: %u instead of %u of %u proofs, "
                       "%.2f instead of %.2f s.",
                       study->of.model, study->of.solver, dearest.word, dearest.without.proved,
                       dearest.with.proved, dearest.with.rows - dearest.with.started,
                       dearest.without.seconds, dearest.with.seconds);
}

static enum status fill(struct table_making *making)
{
    const struct grid *grid = &making->contest.grid;
    for (uint32_t k = 0; k < grid->planners.count; k++) {
        struct study study = {.grid = grid};
        struct program program;
        struct program_name name;
        program_name_parse(names_get(&grid->planners, k), &study.of);
        /* A study is made at its planner with all switches on. */
        if (study.of.offs || study.of.has_others || !program_measure(grid, k, NULL, &program))
            continue;
        for (uint32_t i = 0; i < grid->planners.count; i++)
            if (is_of_study(&study, i, &name) && name.offs > study.most_off)
                study.most_off = name.offs;
        add_study(making, &study);
    }
    table_add_note(
        making->table,
        "all: the planner as it is; without: this switch is 0; none: all switches of the study are "
        "0; alone: all but this one are 0. problems: those that all four have tried and whose "
        "start does not meet the bound; proved: of these; time: geometric mean shifted by %d s.",
        PROGRAM_SHIFT_SECONDS);
    return STATUS_OK;
}

const struct table_recipe table_strengthenings = {
    .name = "strengthenings",
    .title = "integer programs: what each switch gives alone, and what its absence costs",
    .caption = "Strengthenings of integer programs",
    .columns =
        "model | solver ~1 | switch | problems: | all proved: | all (s): | without proved: | "
        "without (s): | none proved: ~3 | none (s): ~2 | alone proved: | alone (s):",
    .source = TABLE_OF_CONTEST,
    .wanted = "results of an integer program with and without its switches: bench --planners "
              "ilp_cliques,ilp_cliques?twins=0",
    .fill = fill,
};
