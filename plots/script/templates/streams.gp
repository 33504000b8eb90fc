# $points: panel bytes time policy refused   $means: panel bytes time policy, those of 0 to front joined
plot [0:1] [0:1] NaN notitle, \
     for [p=0:7] keyentry with points pointtype 7 linecolor rgb colour(p) title names[p+1]

eval begin_figure
set logscale xy
set xtics (0.5, 0.7, 1, 1.5, 2, 3, 4, 6, 8)
set ytics (1, 1.2, 1.5, 2, 3, 4, 6, 8)
set grid linetype 1 linewidth 0.7 linecolor rgb hairline
set xlabel "bytes / bytes under streams"
stats $points using 2 nooutput name "bytes_"
stats $points using 3 nooutput name "time_"
set xrange [bytes_min / 1.1:bytes_max * 1.1]
set yrange [0.95:(time_max > 1.2 ? time_max : 1.2) * 1.1]
do for [k=0:panels-1] {
    set lmargin at screen (left + k * panel) / width
    set rmargin at screen (left + (k + 1) * panel - 22) / width
    set tmargin at screen down(140)
    set bmargin at screen up(66)
    set title headings[k+1]
    if (k == 0) {
        set ylabel "critical path / critical path under streams"
        set format y "%g"
    } else {
        unset ylabel
        set format y ""
    }
    plot $points using ($1 == k && $5 == 0 ? $2 : NaN):3:(colour($4)) \
             with points pointtype 7 pointsize 0.6 linecolor rgb variable notitle, \
         $points using ($1 == k && $5 != 0 ? $2 : NaN):3:(colour($4)) \
             with points pointtype 6 pointsize 0.7 linecolor rgb variable notitle, \
         $means using ($1 == k && $4 <= front ? $2 : NaN):3 \
             with lines linewidth 1.2 linecolor rgb muted notitle, \
         $means using ($1 == k ? $2 : NaN):3:(colour($4)) \
             with points pointtype 7 pointsize 1.5 linecolor rgb variable notitle
}
unset multiplot
