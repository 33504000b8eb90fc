/* The table proofs: who checked the best known optima, from results/best_known.csv; and the table
   proof-times: what the logs of a database take. */
#include <string.h>

#include "core/memory.h"
#include "results/best/list.h"
#include "results/views/recipe.h"

static const char *name_checkers(const char *proof)
{
    static const char *const names[] = {"nobody", "memplan-check", "memplan-check, Coq"};
    return names[best_rank_proof(proof)];
}

static enum status fill(struct table_making *making)
{
    SCOPED(best_list_free) struct best_list list = {0};
    SCOPED(memory_release) const struct best_known **line = NULL;
    uint32_t optima = 0, checked = 0, verified = 0;
    making->picker.used = true;
    TRY(best_list_read(NULL, &list, making->error));
    TRY(best_list_sort(&list, &line, making->error));
    for (uint32_t i = 0; i < list.count; i++) {
        bool is_optimal = strcmp(line[i]->status, RESULT_OPTIMAL) == 0;
        unsigned rank = best_rank_proof(line[i]->proof);
        table_add(making->table, cell_instance(line[i]->instance), cell_text(line[i]->policy),
                  cell_text(is_optimal ? name_checkers(line[i]->proof) : "not optimal"),
                  cell_words("%.16s", line[i]->proof_digest), cell_text(line[i]->prover),
                  cell_text(line[i]->options), cell_known(line[i]->peak_bytes, line[i]->peak_bytes),
                  cell_known(line[i]->lower_bound_bytes, line[i]->lower_bound_bytes));
        optima += is_optimal;
        checked += rank > 0;
        verified += rank > 1;
    }
    table_add_note(making->table,
                   "Of %u problems %u have a known optimum; of these memplan-check accepted logs "
                   "for %u, and the checker that is proved right in Coq for %u. The log is named "
                   "by the begin of its SHA-256; bench --proofs writes it.",
                   list.count, optima, checked, verified);
    return STATUS_OK;
}

const struct table_recipe table_proofs = {
    .name = "proofs",
    .title = "who checked the best known optima",
    .caption = "Who checked the best known optima",
    .columns = "instance | policy | checked by | log | prover | options | known peak (bytes): | "
               "known bound (bytes):",
    .source = TABLE_OF_ITS_OWN,
    .fill = fill,
};

static struct cell show_ms(uint64_t time_ns)
{
    return cell_known_real(time_ns > 0, (double)time_ns / 1e6, 2);
}

static enum status fill_times(struct table_making *making)
{
    const struct result_set *set = &making->contest.set;
    uint32_t count[3] = {0}, unproved = 0;
    for (uint32_t i = 0; i < set->count; i++) {
        const struct result_row *row = &set->row[i];
        if (!*row->proof)
            continue;
        making->picker.used = true;
        table_add(making->table, cell_instance(row->instance), cell_text(row->policy),
                  cell_text(row->planner), cell_text(row->status), cell_text(row->proof),
                  cell_known(row->proof_bytes > 0, row->proof_bytes), show_ms(row->wall_ns));
        table_add(making->table, show_ms(row->proof_ns), show_ms(row->check_ns),
                  show_ms(row->verify_ns), cell_text(row->proof_reason));
        count[best_rank_proof(row->proof)]++;
        unproved += strcmp(row->proof, RESULT_PROOF_NONE) == 0;
    }
    table_add_note(
        making->table,
        "Of %u results with proofs asked for, memplan-check accepted the logs of %u, the "
        "checker that is proved right also those of %u; %u have none. Log: the search "
        "alone that writes it; check: with the start of the program.",
        count[0] + count[1] + count[2], count[1] + count[2], count[2], unproved);
    return STATUS_OK;
}

const struct table_recipe table_proof_times = {
    .name = "proof-times",
    .title = "what proofs take: bytes of the logs, times to write and to check them",
    .caption = "What proofs take",
    .columns = "instance | policy | planner | status | proof | log (bytes): | planning (ms): | log "
               "(ms): | "
               "check (ms): | verified check (ms): | why none",
    .wanted = "results of bench --proofs",
    .filter = {.each = true},
    .fill = fill_times,
};
