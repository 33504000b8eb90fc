# $data: "strategy" flat recursive published_flat published_recursive, in bytes, NaN for none
plot [0:1] [0:1] NaN notitle, \
     keyentry with boxes fillcolor rgb colour(0) title "flat", \
     keyentry with boxes fillcolor rgb colour(1) title "recursive", \
     keyentry with points pointtype 4 pointsize 1.1 linewidth 2 linecolor rgb ink title "published"

eval begin_figure
scale(bytes) = bytes / factor
grouped(bytes) = !(bytes >= 0) ? "" : bytes < 1000 ? sprintf("%d", bytes) : \
                 bytes < 1000000 ? sprintf("%d %03d", bytes / 1000, int(bytes) % 1000) : \
                 sprintf("%d %03d %03d", bytes / 1000000, int(bytes) / 1000 % 1000, int(bytes) % 1000)
set xrange [-0.6:count - 0.4]
set yrange [0:scale(top) * 1.15]
set ylabel "peak memory (" . unit . ")" offset 1
set grid y linetype 1 linewidth 0.7 linecolor rgb hairline
set boxwidth 0.36
set margins at screen 0.1,screen 0.98,screen up(44),screen down(90)
plot $data using 0:(NaN):xtic(1) with points, \
     '' using ($0-0.2):(scale($2)) with boxes fillcolor rgb colour(0), \
     '' using ($0+0.2):(scale($3)) with boxes fillcolor rgb colour(1), \
     '' using ($0-0.2):(scale($2)):(grouped($2)) with labels textcolor rgb ink offset 0,0.8, \
     '' using ($0+0.2):(scale($3)):(grouped($3)) with labels textcolor rgb ink offset 0,0.8, \
     '' using ($0-0.2):(scale($4)) with points pointtype 4 pointsize 1.1 linewidth 2 linecolor rgb ink, \
     '' using ($0+0.2):(scale($5)) with points pointtype 4 pointsize 1.1 linewidth 2 linecolor rgb ink
unset multiplot
