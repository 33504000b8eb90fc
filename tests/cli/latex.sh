#!/bin/sh
# LaTeX: tables of a database and of a paper compile in an article, and nothing is wider than its text;
# the bibliography has an entry for every planner. A long bench ends with five lines.
set -u
# shellcheck source=common.sh
. "$CASES/common.sh"

printf 'id,lower,upper,size\na,0,2,10\nb,1,3,20\nc,2,4,10\n' >two.csv
"$MEMPLAN" bench two.csv --db some.db --run first --planners order_fit,naive 2>/dev/null | sed 's/[0-9][0-9]*/N/g'
prepare reproduce patent luna-memory --out rep
for table in leaderboard versus gaps summary; do
    "$MEMPLAN" table $table --db some.db -o $table.tex
done
"$MEMPLAN" table leaderboard --db some.db -f tex --columns planner,mean --caption 'Mine & others' --top 1 |
    grep -e caption -e shortstack -e begin

"$MEMPLAN" list planners -f bibtex >planners.bib
planners=$("$MEMPLAN" list planners -f json | grep -o '"family"' | wc -l)
[ "$(grep -c '^@misc{memplan:' planners.bib)" -eq "$planners" ] && echo 'an entry for each planner'
memplan list suites -f bibtex

if have_latex; then
    {
        printf '%s\n' '\documentclass{article}' '\usepackage{array,booktabs,graphicx,longtable}' '\begin{document}'
        for file in *.tex rep/*.tex; do
            printf 'Text.\n\n\\input{%s}\n\\clearpage\n' "$file"
        done
        printf '%s\n' '\end{document}'
    } >"$SCRATCH/article.tex"
    cp "$SCRATCH/article.tex" article.tex
    pdflatex -interaction=nonstopmode -halt-on-error article.tex >/dev/null
    pdflatex -interaction=nonstopmode -halt-on-error article.tex >/dev/null || tail -n 20 article.log
    grep -e '^!' -e Overfull -e 'too large' -A 3 article.log || :
else
    skip 'no pdflatex with booktabs: no table is compiled'
fi
