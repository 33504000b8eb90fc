# $points: buffers, seconds, bytes a buffer, a block for each planner   time_exponent, time_factor, memory_exponent, memory_factor, least,
# greatest: of the fits   has_memory: whether bytes are known of any row
set margins at screen 0.02,screen 0.98,screen down(110),screen down(56)
set key maxrows 3
plot [0:1] [0:1] NaN notitle, \
     for [i = 1:shown] keyentry with linespoints pointtype 7 linewidth width_of(i - 1) dashtype dash_of(i - 1) linecolor rgb tint(i - 1) title planner[i].note(i - 1)

eval begin_figure
# An axis of few decades has labels between them, too.
between(least, greatest) = greatest < 8 * least ? "1 2 3 4 5 6 8" : greatest < 1000 * least ? "1 2 5" : "1"
stats $points using 1 nooutput
# Many dots let those below shine through.
alpha = STATS_records > 400 ? 0x80000000 : 0
dot = STATS_records > 400 ? 0.5 : 0.8
set xtics ("1" 1)
do for [m in between(STATS_min, STATS_max)] { do for [e = 0:9] { set xtics add (gprintf("%.0s%c", m * 10.0**e) m * 10.0**e) } }
if (has_memory) stats $points using 3 nooutput
set logscale xy
set xlabel "buffers"
set grid linetype 1 linewidth 0.7 linecolor rgb hairline
set autoscale fix
set offsets graph 0.03, graph 0.03, graph 0.05, graph 0.05
set samples 2
line(factor, exponent, n) = factor > 0 ? factor * n**exponent : NaN
place(i, t) = least[i] * (greatest[i] / least[i])**t

set ytics ("1 ns" 1e-9, "10 ns" 1e-8, "100 ns" 1e-7, "1 µs" 1e-6, "10 µs" 1e-5, "100 µs" 1e-4, "1 ms" 1e-3, "10 ms" 1e-2, "100 ms" 1e-1, "1 s" 1, "10 s" 10, \
    "100 s" 100, "1000 s" 1e3, "10000 s" 1e4)
set ylabel "time"
set margins at screen 0.085,screen 0.48,screen up(66),screen down(122)
plot for [i = 1:shown] $points index (i - 1) using 1:2 with points pointtype 7 pointsize dot linecolor rgb alpha + tint(i - 1), \
     for [i = 1:shown] [t = 0:1] '+' using (place(i, t)):(line(time_factor[i], time_exponent[i], place(i, t))) \
         with lines linewidth width_of(i - 1) dashtype dash_of(i - 1) linecolor rgb tint(i - 1)

set ytics ("1" 1)
if (has_memory) do for [m in between(STATS_min, STATS_max)] { do for [e = 0:12] { set ytics add (sprintf("%.0f", m * 10.0**e) m * 10.0**e) } }
set ylabel "bytes a buffer"
set margins at screen 0.575,screen 0.97,screen up(66),screen down(122)
if (!has_memory) set yrange [1:1000]; set label 1 "not known of these rows" at graph 0.5,0.5 center
plot for [i = 1:shown] $points index (i - 1) using 1:3 with points pointtype 7 pointsize dot linecolor rgb alpha + tint(i - 1), \
     for [i = 1:shown] [t = 0:1] '+' using (place(i, t)):(line(memory_factor[i], memory_exponent[i], place(i, t))) \
         with lines linewidth width_of(i - 1) dashtype dash_of(i - 1) linecolor rgb tint(i - 1)
unset multiplot
