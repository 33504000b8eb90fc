# measured, counted, missing: what the axes are, where it is not peaks of rows, and what is missing in the first lane; then nobody is in the second
# $curves: ratio share, a block for each planner, the last three points in the lanes end0, end1, end2
set margins at screen 0.02,screen 0.98,screen down(110),screen down(56)
set key maxrows 3
plot [0:1] [0:1] NaN notitle, \
     for [i = 1:shown] keyentry with lines linewidth width_of(i - 1) dashtype dash_of(i - 1) linecolor rgb tint(i - 1) title planner[i].note(i - 1)

eval begin_figure
# log2(ratio), and beyond the greatest one a lane for rows without a plan and one for refused plans.
wide = most > 1.02 ? log(most) / log(2) : 0.03
lane = wide / 14.0
at(text) = text eq "end0" ? wide + 0.3 * lane : text eq "end1" ? wide + lane : text eq "end2" ? wide + 2 * lane : log(real(text)) / log(2)
set xrange [0:wide + 2.6 * lane]
bottom = floor(10 * least - 0.5) / 10.0
set yrange [(bottom > 0 ? bottom : 0):1.02]
set xlabel exists("measured") ? measured : "peak / least peak (logarithmic)"
set ylabel exists("counted") ? counted : "share of rows"
set grid y linetype 1 linewidth 0.7 linecolor rgb hairline
set xtics ("1" 0)
ticks = "1.001 1.002 1.005 1.01 1.02 1.05 1.1 1.2 1.5 2 3 5 10 20 50 100 200 500 1000 10000"
last = 0
do for [i = 1:words(ticks)] {
    place = log(real(word(ticks, i))) / log(2)
    if (place < wide && place - last > wide / 16.0) { set xtics add (word(ticks, i) place); last = place }
}
set xtics add (exists("missing") ? missing : "no\nplan" wide + lane, exists("missing") ? "" : "refused" wide + 2 * lane)
set arrow 1 from wide + 0.3 * lane, graph 0 to wide + 0.3 * lane, graph 1 nohead linecolor rgb muted dashtype 3
set margins at screen 0.095,screen 0.97,screen up(66),screen down(122)
plot for [i = 1:shown] $curves index (i - 1) using (at(stringcolumn(1))):2 with steps linewidth width_of(i - 1) dashtype dash_of(i - 1) linecolor rgb tint(i - 1)
unset multiplot
