# $data, one index per memory: lower upper offset top "label" angle. A memory without capacity has capacity[] 0.
plot [0:1] [0:1] NaN notitle, \
     keyentry with lines linecolor rgb red linewidth 1.5 dashtype 2 title "peak", \
     keyentry with lines linecolor rgb ink linewidth 1.5 title "capacity", \
     keyentry with boxes fillcolor rgb 0xc8c8c8 title "buffer"

eval begin_figure
set xrange [0:steps]
set xlabel "step"
set style fill solid 0.9 border rgb muted
set tmargin at screen down(122)
set bmargin at screen up(64)
each = (0.885 + 0.07) / panels
do for [panel = 1:panels] {
    set title heading[panel] offset 0,-0.4
    set lmargin at screen 0.1 + (panel - 1) * each
    set rmargin at screen 0.1 + panel * each - 0.07
    set yrange [0:top[panel] / factor[panel]]
    set ylabel (panel == 1 ? "offset (" : "(") . unit[panel] . ")" offset 1
    plot $data index panel-1 using (($1+$2)/2.0):(($3+$4)/2.0/factor[panel]):1:2:($3/factor[panel]):($4/factor[panel]) \
             with boxxyerror fillcolor rgb 0xc8c8c8 linewidth 0.6, \
         peak[panel] / factor[panel] with lines linecolor rgb red linewidth 1.5 dashtype 2, \
         (capacity[panel] > 0 ? capacity[panel] / factor[panel] : NaN) with lines linecolor rgb ink linewidth 1.5, \
         $data index panel-1 using (($1+$2)/2.0):(($3+$4)/2.0/factor[panel]):5:6 with labels textcolor rgb "#1a1a1a" rotate variable font font_small
}
unset multiplot
