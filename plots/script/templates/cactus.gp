# $curves: rows seconds, a block for each planner
set margins at screen 0.02,screen 0.98,screen down(110),screen down(56)
set key maxrows 3
plot [0:1] [0:1] NaN notitle, \
     for [i = 1:shown] keyentry with lines linewidth width_of(i - 1) dashtype dash_of(i - 1) linecolor rgb tint(i - 1) title planner[i].note(i - 1)

eval begin_figure
set logscale y
set ytics ("1 µs" 1e-6, "10 µs" 1e-5, "100 µs" 1e-4, "1 ms" 1e-3, "10 ms" 1e-2, "100 ms" 1e-1, "1 s" 1, "10 s" 10, \
    "100 s" 100, "1000 s" 1e3, "10000 s" 1e4)
set xrange [0:most * 1.03 + 1]
set xlabel "rows"
set ylabel "time of the slowest of them"
set grid linetype 1 linewidth 0.7 linecolor rgb hairline
set margins at screen 0.11,screen 0.97,screen up(66),screen down(122)
plot for [i = 1:shown] $curves index (i - 1) using 1:2 with steps linewidth width_of(i - 1) dashtype dash_of(i - 1) linecolor rgb tint(i - 1)
unset multiplot
