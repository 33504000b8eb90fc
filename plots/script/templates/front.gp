# $descent, $large_first: bytes / ping-pong's, time / bound, a block for each instance
# $modes: bytes time instance mode   shown: the instances
set margins at screen 0.02,screen 0.98,screen down(126),screen down(56)
set key maxrows 4
plot [0:1] [0:1] NaN notitle, \
     for [i = 1:count] keyentry with lines linewidth 2 linecolor rgb colour(i - 1) title shown[i], \
     keyentry with points pointtype 4 linecolor rgb ink title "sync", \
     keyentry with points pointtype 7 linecolor rgb ink title "ping-pong", \
     keyentry with points pointtype 8 linecolor rgb ink title "cross-region", \
     keyentry with points pointtype 2 linecolor rgb ink title "ring of 3"

eval begin_figure
shape(mode) = int(word("4 7 8 2", 1 + int(mode)))
set xlabel "on-chip bytes, in relation to ping-pong's"
set ylabel "time, in relation to the bound"
set grid linetype 1 linewidth 0.7 linecolor rgb hairline
set logscale x 2
set yrange [0.98:*]
set margins at screen 0.1,screen 0.97,screen up(66),screen down(140)
plot for [i = 1:count] $descent index (i - 1) using 1:2 with steps linewidth 2 linecolor rgb colour(i - 1), \
     for [i = 1:count] $large_first index (i - 1) using 1:2 with steps linewidth 1 dashtype 3 linecolor rgb colour(i - 1), \
     $modes using 1:2:(shape($4)):(colour($3)) with points pointtype variable linecolor rgb variable
unset multiplot
