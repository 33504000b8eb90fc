# $dots: place gap_percent   $middles: place median_percent "planner" "at the bound"
plot [0:1] [0:1] NaN notitle, \
     keyentry with points pointtype 7 pointsize 0.6 linecolor rgb glass(0) title "an instance under a policy", \
     keyentry with points pointtype 2 pointsize 1.3 linewidth 2 linecolor rgb red title "median of the planner"

eval begin_figure
# log10(1 + gap) shows 0 and keeps gaps of 1 % and of 1000 % apart.
at(gap) = log10(1 + gap)
set xrange [-0.05:at(most) + 0.05]
set yrange [count - 0.4:-0.6]
set xtics nomirror ("0" 0, "1" at(1), "2" at(2), "5" at(5), "10" at(10), "20" at(20), "50" at(50), "100" at(100), \
    "200" at(200), "500" at(500), "1 000" at(1000), "3 000" at(3000), \
    "10 000" at(10000), "100 000" at(100000))
set grid x linetype 1 linewidth 0.7 linecolor rgb hairline
set xlabel axis
letters = 0
do for [i = 1:|$middles|] { letters = strlen(word($middles[i], 3)) > letters ? strlen(word($middles[i], 3)) : letters }
set margins at screen left_of(mine ? letters + 7 : letters),screen 0.89,screen up(66),screen down(90)
marked(name, place) = stringcolumn(name) . (column(place) == mine - 1 ? " (mine)" : "")
set label 3 "at the bound" at graph 1.01,graph 1 offset 0,0.8 font font_small textcolor rgb ink
plot $dots using (at($2)):1 with points pointtype 7 pointsize 0.6 linecolor rgb glass(0), \
     '' using ($1 == mine - 1 ? at($2) : NaN):1 with points pointtype 7 pointsize 0.8 linecolor rgb ink, \
     $middles using (at($2)):1:ytic(marked(3, 1)) with points pointtype 2 pointsize 1.3 linewidth 2 linecolor rgb red, \
     '' using (at(most) + 0.05):1:4 with labels textcolor rgb ink left offset 0.8,0 font font_small
unset multiplot
