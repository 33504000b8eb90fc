# $curves: seconds bound peak, a block for each curve, in colour hue[block]; first, last: a panel's blocks
set margins at screen 0.02,screen 0.98,screen down(108),screen down(56)
set key maxrows 3
plot [0:1] [0:1] NaN notitle, \
     for [i = 1:planners] keyentry with lines linewidth width_of(i - 1) linecolor rgb tint(i - 1) title planner[i].note(i - 1)

eval begin_figure
set logscale x
set xrange [begin / 1.4:end * 1.4]
set xtics ("1 µs" 1e-6, "10 µs" 1e-5, "100 µs" 1e-4, "1 ms" 1e-3, "10 ms" 1e-2, "100 ms" 1e-1, "1 s" 1, "10 s" 10, \
    "100 s" 100, "1000 s" 1e3, "10000 s" 1e4)
set xtics font font_small
set ytics font font_small
set grid linetype 1 linewidth 0.7 linecolor rgb hairline
set offsets 0, 0, graph 0.08, graph 0.08
do for [i = 1:panels] {
    column = (i - 1) % columns
    line = (i - 1) / columns
    set margins at screen (column + 0.13)/columns,screen (column + 0.96)/columns,screen down(above + panel * (line + 1) - 44),screen down(above + panel * line + 26)
    set label 3 head[i] at graph 0,graph 1 offset 0,0.8 font font_small textcolor rgb ink
    plot for [b = first[i]:last[i]] $curves index (b - 1) using 1:3 with steps linewidth width_of(hue[b]) linecolor rgb tint(hue[b]), \
         for [b = first[i]:last[i]] '' index (b - 1) using 1:3 with points pointtype 7 pointsize 0.5 linecolor rgb tint(hue[b]), \
         for [b = first[i]:last[i]] '' index (b - 1) using 1:2 with steps linewidth 2 dashtype 2 linecolor rgb tint(hue[b])
}
unset multiplot
