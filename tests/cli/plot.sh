#!/bin/sh
# Plots of a database, where there is gnuplot; what is refused without it too.
set -u
# shellcheck source=common.sh
. "$CASES/common.sh"

prepare bench patent/figure4 paper/figure1 --planners exact,naive,large_first,sequential,short_first
# The script with its data needs no gnuplot.
memplan plot gaps -o gaps.gp
grep -q '^plot' gaps.gp || echo "gaps.gp: no plot"
memplan plot layout --instances patent/figure4 --planners naive -o layout.gp
grep -q '"t4"' layout.gp || echo "layout.gp: no t4"

if have gnuplot; then
    for plot in anytime gaps peaks figure1 figure2 layout; do
        prepare plot $plot -o $plot.svg
        if have xmllint; then
            xmllint --noout $plot.svg
        else
            skip "no xmllint: $plot.svg is not parsed"
        fi
    done
    prepare plot layout --instances patent/figure4 --policy flat --planners naive -o layout.pdf
    head -c 5 layout.pdf | grep -q '%PDF-' || echo "layout.pdf: no PDF"
    prepare plot gaps -o gaps.png
    head -c 4 gaps.png | grep -q PNG || echo "gaps.png: no PNG"
    # The longest name, with what marks it, begins within the picture: a letter takes less than 7 pixels.
    long=objects_greedy_by_size_improved
    prepare bench patent/figure4 --planners $long --policy flat --db long.db
    for plot in gaps peaks; do
        prepare plot $plot --mine $long --db long.db -o $plot.svg
        grep -B 2 -F "$long (mine)" $plot.svg | sed -n 's/.*translate(\([0-9]*\).*"end".*/\1/p' |
            while read -r end; do [ "$end" -ge $(((${#long} + 7) * 66 / 10)) ] || echo "$plot: $long ends at $end"; done
    done
    rm -f long.db*
    "$MEMPLAN" plot gaps -o missing/gaps.svg 2>/dev/null
    [ $? -eq 3 ] || echo "missing/gaps.svg: not exit 3"
else
    skip "no gnuplot: svg, pdf and png"
fi
rm -f ./*.svg ./*.pdf ./*.png

# The data alone, the planners chosen, in the colours chosen.
memplan plot scatter exact,naive -o scatter.dat
head -n 1 scatter.dat
memplan plot profile --top 2 --theme dark -o profile.gp
grep -e '^theme' -e '^shown' profile.gp
memplan plot scatter exact -o scatter.gp
memplan plot scatter exact,naiv -o scatter.gp
memplan plot gaps exact -o gaps.gp
memplan plot profile --theme blue -o profile.gp
memplan plot profile --planners exat -o profile.gp

memplan plot bars-denoise -o bars.gp
memplan plot layout --instances nothing -o layout.gp
memplan plot layout --instances paper/figure1 --policy recursive --planners naive -o layout.gp
memplan plot gaps
memplan plot gaps -o gaps.txt
memplan plot gaps -o missing/gaps.gp
memplan plot nothing -o nothing.svg
memplan plot nothing -o nothing.svg --db missing.db
memplan plot gaps -o gaps.svg --db missing.db
echo 'this is no database' >bad.db
memplan plot gaps -o gaps.svg --db bad.db
rm -f memplan.db-shm memplan.db-wal
find . | sort
