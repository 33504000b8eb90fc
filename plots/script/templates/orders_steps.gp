# $curves: step bytes, a block for each order   bound: of the loads of all orders, 0 for none   top: of the picture
set margins at screen 0.02,screen 0.98,screen down(108),screen down(56)
set key maxrows 2
plot [0:1] [0:1] NaN notitle, \
     for [i = 1:shown] keyentry with lines linewidth 2 linecolor rgb colour(i - 1) title planner[i], \
     keyentry with lines linewidth 1.5 dashtype 2 linecolor rgb ink title (bound > 0 ? sprintf("no order below %.0f", bound) : "")

eval begin_figure
set xlabel "step"
set ylabel sprintf("live (%s)", unit)
set yrange [0:top / factor]
set grid y linetype 1 linewidth 0.7 linecolor rgb hairline
if (bound > 0) set arrow 1 from graph 0, first bound / factor to graph 1, first bound / factor nohead front linewidth 1.5 dashtype 2 linecolor rgb ink
set margins at screen 0.095,screen 0.97,screen up(66),screen down(122)
plot for [i = 1:shown] $curves index (i - 1) using 1:($2 / factor) with steps linewidth (i == 1 ? 1.5 : 2) linecolor rgb colour(i - 1)
unset multiplot
