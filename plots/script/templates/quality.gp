# $planners: ms gap_percent ms_low ms_high gap_low gap_high unbeaten label_height is_mine "planner"
plot [0:1] [0:1] NaN notitle, \
     keyentry with points pointtype 7 pointsize 0.8 linecolor rgb colour(7) title "a planner", \
     keyentry with points pointtype 7 pointsize 1.2 linecolor rgb colour(0) title "none is faster and as good"

eval begin_figure
# log10(1 + gap) shows 0 and keeps gaps of 1 % and of 1000 % apart.
at(gap) = log10(1 + gap)
best(value, unbeaten) = unbeaten > 0 ? value : NaN
other(value, unbeaten) = unbeaten > 0 ? NaN : value
set logscale x
stats $planners using 1 nooutput
set xrange [STATS_min / 2.5:STATS_max * 6]
set xtics ("1 µs" 1e-3, "10 µs" 1e-2, "100 µs" 1e-1, "1 ms" 1, "10 ms" 1e1, "100 ms" 1e2, "1 s" 1e3, "10 s" 1e4, "100 s" 1e5, "1000 s" 1e6)
stats $planners using (at($2)) nooutput
ticks = "0.03 0.1 0.3 1 2 5 10 20 50 100 200 500 1000 3000 10000"
set ytics nomirror ("0" 0)
last = 0
do for [i = 1:words(ticks)] {
    tick = at(real(word(ticks, i)))
    if (tick - last > STATS_max / 22 && tick <= STATS_max * 1.08) { set ytics add (word(ticks, i) tick); last = tick }
}
set yrange [-0.04 * (STATS_max + 0.1):STATS_max * 1.08 + 0.02]
set xlabel "median time"
set ylabel "mean gap to the bound (%), logarithmic in 1 + gap"
set grid linetype 1 linewidth 0.7 linecolor rgb hairline
set margins at screen 0.09,screen 0.97,screen up(66),screen down(92)
plot $planners using 1:(best(at($2), $7)):3:4 with xerrorbars pointtype 7 pointsize 0.1 linecolor rgb faint, \
     '' using 1:(best(at($2), $7)):(at($5)):(at($6)) with yerrorbars pointtype 7 pointsize 0.1 linecolor rgb faint, \
     '' using 1:(other(at($2), $7)) with points pointtype 7 pointsize 0.8 linecolor rgb colour(7), \
     '' using 1:(best(at($2), $7)) with points pointtype 7 pointsize 1.2 linecolor rgb colour(0), \
     '' using ($9 > 0 ? $1 : NaN):(at($2)) with points pointtype 7 pointsize 1.4 linecolor rgb red, \
     '' using 1:(at($2)):($8 > at($2) ? $1 * 0.35 : 0):($8 - at($2)) with vectors nohead linecolor rgb faint, \
     '' using ($1 * 1.35):8:10:($9 > 0 ? red : ink_colour) with labels textcolor rgb variable left offset 0.3,0.45 font font_small
unset multiplot
