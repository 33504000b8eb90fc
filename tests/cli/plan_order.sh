#!/bin/sh
# Plans of a graph with its operators in another order, and the best order and plan together.
set -u
# shellcheck source=common.sh
. "$CASES/common.sh"

memplan plan wired/liberis_lane --order inductor_lpmf -p large_first -o plan.graph.json
memplan info plan.graph.json | grep -e load
memplan plan wired/liberis_lane --order best -p large_first |
    sed -n '/^peak/p; /^status/p; /^exit/p; s/[0-9]* orders and [0-9]* moves/N orders and M moves/p; /no order/p'
memplan plan wired/liberis_lane --order best -p large_first -f json | grep -e '"peak"' -e '"status"'
memplan plan luna/denoise --order eager_free -q path -p large_first | grep -e peak -e verify -e execute
memplan plan wired/liberis_lane --order bets
memplan plan minimalloc/A --order best

# A smaller output over its input: 110, where 200 was said to be the least.
memplan plan bugs/order_in_place --inplace declared --order best -p exact |
    sed -n '/^peak/p; /^status/p; /^exit/p; /no order/p'
memplan order bugs/order_in_place --inplace declared --order reverse_post -f json | grep -e '"load"' -e '"bound"'

# Pinned tensors live longer than any order says, and plans for streams may need less than one line of steps.
memplan plan wired/liberis_lane --order glow --pin-io -p large_first | grep -e ^peak -e ^exit
memplan plan wired/liberis_lane --order best --pin-io -p large_first | grep -e ^peak -e ^exit
memplan plan luna/denoise --order best -q lag_4 -p exact | grep -e ^peak -e ^exit
