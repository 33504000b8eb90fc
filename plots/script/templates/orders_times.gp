# $points: buffers seconds, a block for each order
set margins at screen 0.02,screen 0.98,screen down(110),screen down(56)
set key maxrows 3
plot [0:1] [0:1] NaN notitle, \
     for [i = 1:shown] keyentry with points pointtype 5 + (i - 1) % 4 * 2 linecolor rgb tint(i - 1) title planner[i].note(i - 1)

eval begin_figure
set logscale xy
set xtics ()
do for [decade = 0:8] {
    do for [digit in "1 1.5 2 3 5 7"] {
        set xtics add (gprintf("%.0s%c", digit * 10 ** decade) digit * 10 ** decade)
    }
}
set xlabel "tensors in the arena"
set ylabel "time"
set ytics ("1 ns" 1e-9, "10 ns" 1e-8, "100 ns" 1e-7, "1 µs" 1e-6, "10 µs" 1e-5, "100 µs" 1e-4, "1 ms" 1e-3, "10 ms" 1e-2, "100 ms" 1e-1, "1 s" 1, "10 s" 10, \
    "100 s" 100, "1000 s" 1e3, "10000 s" 1e4)
set grid linetype 1 linewidth 0.7 linecolor rgb hairline
set autoscale fix
set offsets graph 0.03, graph 0.03, graph 0.05, graph 0.05
set margins at screen 0.1,screen 0.97,screen up(66),screen down(122)
plot for [i = 1:shown] $points index (i - 1) using 1:2 with points pointtype 5 + (i - 1) % 4 * 2 pointsize 0.8 linecolor rgb tint(i - 1)
unset multiplot
