# $data: "instance" match_range_16 auto_search match_range_1 two_colours, NaN for none
plot [0:1] [0:1] NaN notitle, \
     keyentry with points pointtype 7 linecolor rgb colour(0) title "match range 16", \
     keyentry with points pointtype 6 linecolor rgb colour(1) title "best match range", \
     keyentry with points pointtype 9 linecolor rgb colour(2) title "match range 1", \
     keyentry with points pointtype 5 linecolor rgb colour(3) title "two colours"

eval begin_figure
set yrange [count - 0.4:-0.6]
set logscale x 2
set xrange [0.95:*]
set xlabel "bytes / load"
set grid x y linetype 1 linewidth 0.7 linecolor rgb hairline
set margins at screen 0.3,screen 0.97,screen up(72),screen down(90)
plot $data using 2:0:ytic(1) with points pointtype 7 linecolor rgb colour(0), \
     '' using 3:0 with points pointtype 6 pointsize 1.4 linecolor rgb colour(1), \
     '' using 4:0 with points pointtype 9 linecolor rgb colour(2), \
     '' using 5:0 with points pointtype 5 linecolor rgb colour(3)
unset multiplot
