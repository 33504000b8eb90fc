# $points: ratio_of_first ratio_of_second, to the bound; -1 without a plan that counts
plot [0:1] [0:1] NaN notitle, \
     keyentry with points pointtype 7 pointsize 0.7 linecolor rgb glass(0) title "an instance under a policy", \
     keyentry with lines linecolor rgb muted dashtype 2 title "both alike"

eval begin_figure
gap(ratio) = 100 * (ratio - 1)
# log10(1 + gap) shows 0 and keeps gaps of 1 % and of 1000 % apart.
at(value) = log10(1 + value)
end = at(gap(most)) > 0.1 ? at(gap(most)) : 0.1
place(ratio) = ratio < 0 ? end * 1.08 : at(gap(ratio))
set xrange [-0.03 * end:end * 1.13]
set yrange [-0.03 * end:end * 1.13]
ticks = "0 0.1 0.3 1 2 5 10 20 50 100 200 500 1000 3000 10000 100000"
set xtics ("" 0)
set ytics ("" 0)
last = -1
do for [i = 1:words(ticks)] {
    tick = at(real(word(ticks, i)))
    if (tick <= end && tick - last > end / 16) { last = tick; set xtics add (word(ticks, i) tick); set ytics add (word(ticks, i) tick) }
}
if (failed0) { set xtics add ("no plan" end * 1.08) }
if (failed1) { set ytics add ("no plan" end * 1.08) }
set grid linetype 1 linewidth 0.7 linecolor rgb hairline
set xlabel "gap of " . first . " to the bound (%)"
set ylabel "gap of " . second . " to the bound (%)"
set label 3 first . " is lower" at graph 0.03,graph 0.96 left textcolor rgb muted font font_small
set label 4 second . " is lower" at graph 0.97,graph 0.04 right textcolor rgb muted font font_small
set arrow 1 from 0,0 to end,end nohead linecolor rgb muted dashtype 2
set margins at screen 0.12,screen 0.96,screen up(66),screen down(92)
plot $points using (place($1)):(place($2)) with points pointtype 7 pointsize 0.7 linecolor rgb glass(0)
unset multiplot
