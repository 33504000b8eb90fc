#include "byte_arena.h"

#include <CUnit/CUnit.h>
#include <string.h>

#include "planning/plan/extents.h"

static void give_byte(struct byte_arena *arena, uint32_t buffer, uint64_t byte)
{
    CU_ASSERT_FATAL(byte < BYTE_ARENA_BYTES);
    arena->belongs[buffer][byte] = true;
    arena->end = byte + 1 > arena->end ? byte + 1 : arena->end;
}

static void place_bytes(struct byte_arena *arena, const struct problem *problem, uint32_t buffer,
                        byte_arena_excludes *excludes, const void *context)
{
    bool excluded[BYTE_ARENA_BYTES] = {false};
    uint64_t missing = problem->size[buffer], alignment = problem_alignment(problem, buffer);
    uint64_t end = arena->end;
    for (uint32_t b = 0; b < problem->buffers; b++)
        for (uint64_t i = 0; b != buffer && i < end; i++)
            if (arena->belongs[b][i] && excludes(context, buffer, b))
                excluded[i] = true;
    memset(arena->users, 0, sizeof arena->users);
    for (uint32_t b = 0; b < problem->buffers; b++)
        for (uint64_t i = 0; i < end; i++)
            if (arena->belongs[b][i] && arena->users[i] < 2)
                arena->users[i]++;
    for (int shared = 0; shared < 2; shared++) {
        bool taking = false;
        for (uint64_t i = 0; i < end && missing; i++) {
            bool begins = i == 0 || excluded[i - 1] || arena->users[i - 1] != arena->users[i];
            taking = taking && !begins;
            if (excluded[i] || (arena->users[i] == 2) != shared)
                continue;
            taking = taking || i % alignment == 0;
            if (taking) {
                give_byte(arena, buffer, i);
                missing--;
            }
        }
    }
    for (uint64_t i = end; missing; i++)
        if (i % alignment == 0 || arena->belongs[buffer][i - 1])
            for (; missing; missing--)
                give_byte(arena, buffer, i++);
}

void byte_arena_plan(struct byte_arena *arena, const struct problem *problem,
                     byte_arena_excludes *excludes, const void *context)
{
    bool placed[BYTE_ARENA_MOST_BUFFERS] = {false};
    memset(arena, 0, sizeof *arena);
    CU_ASSERT_FATAL(problem->buffers <= BYTE_ARENA_MOST_BUFFERS);
    for (uint32_t b = 0; b < problem->buffers; b++)
        if (problem_fixed_offset(problem, b) != PROBLEM_FREE) {
            for (uint64_t i = 0; i < problem->size[b]; i++)
                give_byte(arena, b, problem_fixed_offset(problem, b) + i);
            placed[b] = true;
        }
    for (;;) {
        uint32_t largest = UINT32_MAX;
        for (uint32_t b = 0; b < problem->buffers; b++)
            if (!placed[b] && (largest == UINT32_MAX || problem->size[b] > problem->size[largest]))
                largest = b;
        if (largest == UINT32_MAX)
            return;
        place_bytes(arena, problem, largest, excludes, context);
        placed[largest] = true;
    }
}

bool byte_arena_agrees(const struct byte_arena *arena, const struct problem *problem,
                       const struct plan *plan)
{
    for (uint32_t b = 0; b < problem->buffers; b++) {
        struct extents_walk walk = plan_begin(plan, b, 0, problem->size[b]);
        struct extent piece;
        uint64_t bytes = 0;
        while (extents_next(&walk, &piece))
            for (uint64_t i = piece.offset; i < piece.offset + piece.bytes; i++, bytes++)
                if (i >= BYTE_ARENA_BYTES || !arena->belongs[b][i])
                    return false;
        if (bytes != problem->size[b])
            return false;
    }
    return plan->measures.peak_bytes == arena->end;
}
