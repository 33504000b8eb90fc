#!/bin/sh
# The day of somebody who reproduces a paper: the verdicts, what does not agree and why, a table and a figure, and one of
# its plans made again by hand.
set -u
# shellcheck source=common.sh
. "$CASES/common.sh"

memplan_results list reproductions | grep -e patent -e wang2025
if ! have gnuplot; then
    skip 'no gnuplot: nothing is reproduced'
    exec cat "$CASES/day_paper.stdout"
fi
memplan reproduce patent --output out
grep -c -e '<table' -e '<svg' -e '<img' out/index.html | sed 's/^[1-9][0-9]*$/tables and figures are on the page/'

# What is more than "agrees", with the reason.
"$MEMPLAN" table patent --db out/reproduce.db -f csv --columns figure,printed,measured,verdict,why |
    grep -v -e ',agrees,' -e 'met by a reconstruction'
memplan table patent-steps --db out/reproduce.db
memplan plot patent-figure5 --db out/reproduce.db -o figure5.svg
if have rsvg-convert; then
    rsvg-convert -w 1300 figure5.svg -o figure5.png || echo 'figure5.svg cannot be drawn'
else
    skip 'no rsvg-convert: figure5.svg is not drawn'
fi

# The plan that the paper prints, from the same commands that anybody has.
memplan plan patent/figure4 --planner exclusive -o plan.csv
memplan verify patent/figure4 plan.csv --execute
memplan best patent/figure4 -f csv | cut -d, -f 1,2,4,5
"$MEMPLAN" list planners -f bibtex | sed -n '/^@misc{memplan:exclusive,/,/^}/p'
