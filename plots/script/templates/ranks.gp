# $planners: mean_rank line is_left is_mine "name and rank"   $bars: from to level
plot [0:1] [0:1] NaN notitle

eval begin_figure
unset border
unset ytics
# The axis takes the middle, the names what is beside it.
set margins at screen 0,screen 1,screen 0,screen 1
set xrange [1 - 0.27 / 0.46 * (shown - 1):1 + 0.73 / 0.46 * (shown - 1)]
set yrange [0:height]
axis = height - above
top = axis - bar * (bars + 1)
at(line_of) = top - line * (line_of + 0.5)
unset xtics
set arrow 1 from 1,axis to shown,axis nohead linecolor rgb ink
do for [i = 1:shown] {
    set arrow (10 + i) from i,axis to i,axis + 6 nohead linecolor rgb ink
    set label (10 + i) sprintf("%d", i) at i,axis + 16 center font font_small textcolor rgb ink
}
# The critical difference, beside the axis.
shown_critical = critical < shown - 1 ? critical : shown - 1
set arrow 2 from 1,axis + 38 to 1 + shown_critical,axis + 38 nohead linewidth 2 linecolor rgb red
set label 2 sprintf("critical difference %.2f", critical) at 1,axis + 52 left font font_small textcolor rgb red
edge(is_left) = is_left > 0 ? 1 - (shown - 1) * 0.03 : shown + (shown - 1) * 0.03
plot $bars using 1:(axis - bar * ($3 + 1)):($2 - $1):(0) with vectors nohead linewidth 4 linecolor rgb colour(0), \
     $planners using 1:(axis):(0):(at($2) - axis) with vectors nohead linecolor rgb muted, \
     '' using 1:(at($2)):(edge($3) - $1):(0) with vectors nohead linecolor rgb muted, \
     '' using ($3 > 0 ? edge(1) : NaN):(at($2)):5:($4 > 0 ? red : ink_colour) with labels textcolor rgb variable right offset -0.6,0, \
     '' using ($3 > 0 ? NaN : edge(0)):(at($2)):5:($4 > 0 ? red : ink_colour) with labels textcolor rgb variable left offset 0.6,0
unset multiplot
