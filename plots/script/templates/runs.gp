# $labels: place "run"   $lines: place mean, a block for each planner   planner: their names
set margins at screen 0.02,screen 0.98,screen down(116),screen down(56)
set key maxrows 3
plot [0:1] [0:1] NaN notitle, \
     for [i = 1:shown] keyentry with linespoints pointtype 7 linewidth width_of(i - 1) dashtype dash_of(i - 1) linecolor rgb tint(i - 1) title planner[i].note(i - 1)

eval begin_figure
set xrange [-0.5:runs - 0.5]
set ylabel axis
set ytics font font_small
set xtics rotate by -35 font font_small scale 0.5
set grid y linetype 1 linewidth 0.7 linecolor rgb hairline
set offsets 0, 0, graph 0.06, graph 0.06
if (logarithmic) set logscale y
every = 1 + (runs - 1) / 30
set margins at screen 0.1,screen 0.9,screen up(130),screen down(128)
plot for [i = 1:shown] $lines index (i - 1) using 1:2 with linespoints pointtype 7 linewidth width_of(i - 1) dashtype dash_of(i - 1) linecolor rgb tint(i - 1), \
     $labels using 1:(NaN):xtic(int($1) % every == 0 ? stringcolumn(2) : "")
unset multiplot
