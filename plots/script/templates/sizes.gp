# $lines: place of the parameter, peak / load, a block for each panel and rule   rule: the rules   head: the panels' instances
width_rule(i) = i == 1 ? 4 : 1.5
colour_rule(i) = i == 1 ? ink_colour : colour(i - 2)
set margins at screen 0.02,screen 0.98,screen down(110),screen down(56)
set key maxrows 2
plot [0:1] [0:1] NaN notitle, \
     for [i = shown:1:-1] keyentry with lines linewidth width_rule(i) dashtype dash(i - 1) linecolor rgb colour_rule(i) title rule[i]

eval begin_figure
set xtics ("least" 0, "" 0.25, "middle" 0.5, "" 0.75, "greatest" 1) font font_small
set ytics font font_small
set logscale y 2
set yrange [0.9:*]
set grid linetype 1 linewidth 0.7 linecolor rgb hairline
across = panels < 3 ? panels : 3
rows = (panels + across - 1) / across
room = 1 - 170.0 / height
do for [i = 1:panels] {
    x = (i - 1) % across
    y = (i - 1) / across
    set ylabel (x == 0 ? "peak / load" : "") offset 1,0
    set margins at screen (x + 0.17)/across,screen (x + 0.93)/across, \
        screen up(40) + room*(rows - y - 0.9)/rows,screen up(40) + room*(rows - y - 0.1)/rows
    set label 3 head[i] at graph 0,graph 1 offset 0,0.8 font font_small textcolor rgb ink
    plot for [r = shown:1:-1] $lines index ((i - 1)*shown + r - 1) using 1:2 with linespoints pointtype 7 pointsize 0.3 linewidth width_rule(r) dashtype dash(r - 1) linecolor rgb colour_rule(r)
}
unset multiplot
