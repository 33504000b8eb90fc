# $bars, $refused: middle gap_percent policy   $names: place "instance"
plot [0:1] [0:1] NaN notitle, \
     keyentry with boxes fillcolor rgb colour(0) title name0, \
     keyentry with boxes fillcolor rgb colour(1) title name1, \
     keyentry with boxes fillcolor rgb colour(2) title name2, \
     keyentry with boxes fillcolor rgb colour(3) title name3, \
     keyentry with boxes fillcolor rgb colour(4) title name4, \
     keyentry with boxes fillcolor rgb colour(5) title name5, \
     keyentry with boxes fillcolor rgb colour(6) title name6

eval begin_figure
# log10(1 + gap) shows 0 and keeps gaps of 1 % and of 1000 % apart.
at(gap) = log10(1 + gap)
sliver = at(most) / 200
set xrange [-sliver:at(most) + 2 * sliver]
set yrange [count - 0.4:-0.6]
set xtics nomirror ("0" 0, "1" at(1), "2" at(2), "5" at(5), "10" at(10), "20" at(20), "50" at(50), "100" at(100), \
    "200" at(200), "500" at(500), "1 000" at(1000), "3 000" at(3000), \
    "10 000" at(10000), "100 000" at(100000))
set grid x linetype 1 linewidth 0.7 linecolor rgb hairline
set xlabel "above the least peak under select (%), logarithmic in 1 + gap"
set margins at screen left/width,screen 1-24.0/width,screen up(66),screen down(90)
plot $bars using (-sliver):1:(-sliver):(at($2)):($1-half):($1+half):(colour($3)) \
         with boxxyerror fillcolor rgb variable linewidth 0.5, \
     $refused using (-sliver):1:(-sliver):(at($2)):($1-half):($1+half):(colour($3)) \
         with boxxyerror fill empty border linecolor rgb variable linewidth 1.2, \
     $names using (NaN):1:ytic(2) with points
unset multiplot
