# $costs: capacity / greatest, cost / greatest, bound / greatest cost, a block for each line   shown: their names
set margins at screen 0.02,screen 0.98,screen down(126),screen down(56)
set key maxrows 4
plot [0:1] [0:1] NaN notitle, \
     for [i = 1:count] keyentry with linespoints linewidth 2 pointtype 7 linecolor rgb colour(i - 1) title shown[i]

eval begin_figure
set xlabel "capacity, in relation to the greatest of the line"
set ylabel "cost, in relation to the greatest of the line"
set grid linetype 1 linewidth 0.7 linecolor rgb hairline
set xrange [0:1.02]
set yrange [0:1.05]
set margins at screen 0.1,screen 0.97,screen up(66),screen down(140)
plot for [i = 1:count] $costs index (i - 1) using 1:2 with linespoints linewidth 2 pointtype 7 pointsize 0.6 linecolor rgb colour(i - 1), \
     for [i = 1:count] $costs index (i - 1) using 1:3 with lines linewidth 1.5 dashtype 3 linecolor rgb colour(i - 1)
unset multiplot
