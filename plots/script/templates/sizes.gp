# $lines: place of the parameter, peak / load, a block for each rule   rule: the rules
width_rule(i) = i == 1 ? 4 : 1.5
colour_rule(i) = i == 1 ? ink_colour : colour(i - 2)
set margins at screen 0.02,screen 0.98,screen down(110),screen down(56)
set key maxrows 2
plot [0:1] [0:1] NaN notitle, \
     for [i = shown:1:-1] keyentry with lines linewidth width_rule(i) dashtype dash(i - 1) linecolor rgb colour_rule(i) title rule[i]

eval begin_figure
set xlabel "parameter, from its least value to its greatest"
set xtics ("least" 0, "" 0.125, "1/4" 0.25, "" 0.375, "1/2" 0.5, "" 0.625, "3/4" 0.75, "" 0.875, "greatest" 1)
set ylabel "peak / load"
set logscale y 2
set yrange [0.95:*]
set grid linetype 1 linewidth 0.7 linecolor rgb hairline
set margins at screen 0.1,screen 0.97,screen up(66),screen down(122)
plot for [i = shown:1:-1] $lines index (i - 1) using 1:2 with linespoints pointtype 7 pointsize 0.3 linewidth width_rule(i) dashtype dash(i - 1) linecolor rgb colour_rule(i)
unset multiplot
