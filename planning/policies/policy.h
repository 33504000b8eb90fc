#ifndef MEMPLAN_PLANNING_POLICIES_POLICY_H
#define MEMPLAN_PLANNING_POLICIES_POLICY_H

#include "planning/policies/policy_row.h"

/* The table of policies, policies.def, and placing a graph under one of them. */

/* Whether the policy is for graphs like this one: with several streams, or with one. */
bool policy_suits(const struct policy *policy, const struct graph *graph);

uint32_t policy_count(void);
const struct policy *policy_at(uint32_t index);
const struct policy *policy_find(const char *name); /* NULL if there is none */
/* Returns STATUS_USAGE for a name that no policy has; the error suggests similar names. */
enum status policy_refuse(const char *name, size_t length, struct error *error);

/* Calls policy->place, and then puts each tensor that overwrites another one into the place of that
   tensor. */
enum status policy_place(const struct policy *policy, const struct graph *graph,
                         const struct level_planner *planner, struct placement *placement,
                         struct error *error);

/* Declares policy_flat and all the others of policies.def. */
#define POLICY(name, ...) extern const struct policy policy_##name;
#include "planning/policies/policies.def"
#undef POLICY

#endif
