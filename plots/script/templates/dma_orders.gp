# $points: MB ms order mode, a block for each panel   head: the panels' networks   shown: the orders
shape(mode) = int(word("4 7 8 2 1", 1 + int(mode)))
set margins at screen 0.02,screen 0.98,screen down(126),screen down(56)
set key maxrows 2
plot [0:1] [0:1] NaN notitle, \
     for [i = 1:shown] keyentry with points pointtype 5 linecolor rgb colour(i - 1) title planner[i], \
     for [i = 1:modes] keyentry with points pointtype shape(i - 1) linecolor rgb ink title mode[i]

eval begin_figure
set xlabel "on chip (MB)"
set xtics font font_small
set ytics font font_small
set grid linetype 1 linewidth 0.7 linecolor rgb hairline
set offsets graph 0.06, graph 0.06, graph 0.06, graph 0.06
do for [i = 1:panels] {
    set ylabel (i == 1 ? "time (ms)" : "")
    set margins at screen (i - 1 + 0.17)/panels,screen (i - 1 + 0.97)/panels,screen up(66),screen down(150)
    set label 3 head[i] at graph 0,graph 1 offset 0,0.8 font font_small textcolor rgb ink
    plot $points index (i - 1) using 1:2:(shape($4)):(colour($3)) with points pointtype variable linecolor rgb variable
}
unset multiplot
