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

/* The planner of the study with this number of switches off, `word` among them or not; NULL takes
   any. False where there is none that solves programs. */
static bool find_program(const struct study *study, uint32_t offs, const char *word, bool word_off,
                         struct program *program)
{
    for (uint32_t k = 0; k < study->grid->planners.count; k++) {
        struct program_name name;
        if (is_of_study(study, k, &name) && name.offs == offs &&
            (!word || is_off(&name, word) == word_off))
            return program_measure(study->grid, k, program);
    }
    return false;
}

static void add_cells(struct table *table, bool is_known, const struct program *program)
{
    if (is_known)
        table_add(table, cell_number(program->proved), cell_real(program->seconds, 2));
    else
        table_repeat(table, 2, cell_missing());
}

static void add_study(struct table_making *making, const struct study *study)
{
    struct table *table = making->table;
    struct program all, none, without, alone;
    struct program_name least = {.offs = 0};
    for (uint32_t k = 0; k < study->grid->planners.count && least.offs < study->most_off; k++) {
        struct program_name name;
        if (is_of_study(study, k, &name) && name.offs == study->most_off)
            least = name;
    }
    bool has_all = find_program(study, 0, NULL, false, &all);
    bool has_none = find_program(study, study->most_off, NULL, false, &none);
    for (uint32_t i = 0; i < least.offs; i++) {
        const char *word = least.off[i];
        bool has_without = find_program(study, 1, word, true, &without);
        bool has_alone =
            study->most_off > 1 && find_program(study, study->most_off - 1, word, false, &alone);
        making->picker.used = true;
        table_add(table, cell_text(study->of.model), cell_any_text(study->of.solver),
                  cell_text(word));
        add_cells(table, has_all, &all);
        add_cells(table, has_without, &without);
        add_cells(table, has_none, &none);
        add_cells(table, has_alone, &alone);
    }
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
        if (study.of.offs || study.of.has_others || !program_measure(grid, k, &program))
            continue;
        for (uint32_t i = 0; i < grid->planners.count; i++)
            if (is_of_study(&study, i, &name) && name.offs > study.most_off)
                study.most_off = name.offs;
        add_study(making, &study);
    }
    table_add_note(
        making->table,
        "all: the planner as it is; without: this switch is 0; none: all switches of the "
        "study are 0; alone: all but this one are 0. proved: rows with a proof; time: "
        "geometric mean shifted by %d s, in seconds.",
        PROGRAM_SHIFT_SECONDS);
    return STATUS_OK;
}

const struct table_recipe table_strengthenings = {
    .name = "strengthenings",
    .title = "integer programs: what each switch gives alone, and what its absence costs",
    .caption = "Strengthenings of integer programs",
    .columns =
        "model | solver ~1 | switch | all proved: | all (s): | without proved: | without (s): "
        "| none proved: ~3 | none (s): ~2 | alone proved: | alone (s):",
    .source = TABLE_OF_CONTEST,
    .wanted = "results of an integer program with and without its switches: bench --planners "
              "ilp_cliques,ilp_cliques?twins=0",
    .fill = fill,
};
