#!/bin/sh
# The day of a student with a heuristic of her own: a program, measured and held against others, made better as a
# plug-in, and the table for the paper.
set -u
# shellcheck source=common.sh
. "$CASES/common.sh"
# shellcheck source=templates.sh
. "$CASES/templates.sh"

if ! have python3; then
    skip 'no python3: no program is tried'
    exec cat "$CASES/day_student.stdout"
fi
cp "$ROOT/examples/highest.py" .
some='large_first,tflite_greedy_by_size,exact'
program='highest=python3 highest.py {in} {out}'

# Does it work? On one instance, then on some.
prepare convert patent/figure4 problem.csv
memplan plan problem.csv --external "$program" --planner highest -o plan.csv
memplan verify problem.csv plan.csv
"$MEMPLAN" bench --suite worked --policy flat --planners highest,$some --external "$program" --db my.db --run program \
    -t 10 2>"$SCRATCH/stderr" | sed '/^time/d; s/[0-9.]* s$/T s/' | grep -e jobs -e best -e failed
memplan table leaderboard --db my.db --mine highest -f csv --columns rank,planner,mean

# How good is it? (The suite for papers is `quick`, the default.)
"$MEMPLAN" versus highest patent/figure4 luna/denoise paper/figure1 --policy flat --planners $some --external "$program" \
    --db my.db -o against 2>"$SCRATCH/stderr" >answer
sed -n '1p; /^rank/p; /^lowest/p; /^at 5/p; /^same plans/p' answer
ls against

# Another idea, as a plug-in, which costs no process for each plan: largest first, lowest offset.
template mine.c
build_plugin mine.c -o mine.so
"$MEMPLAN" bench --suite worked --policy flat --planners mine --plugin ./mine.so --db my.db --run plugin \
    >"$SCRATCH/stdout" 2>&1 || echo "exit $?"
memplan compare highest mine --db my.db -f json >compared.json
grep -e '^  "jobs"' -e '"is_worse"' compared.json
memplan compare mine highest --db my.db -f brief | sed -n '/^exit/p'
memplan table versus mine --db my.db -f csv --columns against,rows,wins,losses,ratio,it_is

# Into the paper.
memplan table gaps --db my.db --planners mine,highest,exact --mine mine --caption 'Mine & others' --label tab:gaps -o gaps.tex
grep -e caption -e 'begin{tab' gaps.tex
"$MEMPLAN" list planners -f bibtex | grep -A 1 '^@misc{memplan,'
if have_latex; then
    printf '%s\n' '\documentclass{article}' '\usepackage{array,booktabs,graphicx,longtable}' '\begin{document}' \
        'See Table~\ref{tab:gaps}.' '\input{gaps.tex}' '\end{document}' >paper.tex
    pdflatex -interaction=batchmode paper.tex >"$SCRATCH/stdout" 2>&1 && pdflatex -interaction=batchmode paper.tex \
        >"$SCRATCH/stdout" 2>&1 || echo 'pdflatex fails'
    grep -e Overfull -e undefined paper.log || echo 'the table fits'
else
    skip 'no pdflatex with booktabs: the table is not set'
    echo 'the table fits'
fi
