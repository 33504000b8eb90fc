# $data, one index per panel: lower upper offset top group block "label" angle
shade(group) = group < 1 ? 0xc8c8c8 : int(word("0x56b4e9 0xe69f00 0xcc79a7 0xf0e442 0xd55e00", 1 + (int(group) - 1) % 5))
shared = 0xb9e6d5
# Colours return after five regions.
name(k) = regions < k ? "" : regions < k + 5 ? sprintf("region %d", k) : sprintf("region %d, %d, ...", k, k + 5)
plot [0:1] [0:1] NaN notitle, \
     keyentry with lines linecolor rgb red linewidth 1.5 dashtype 2 title "peak", \
     keyentry with lines linecolor rgb ink linewidth 1.5 dashtype 3 title "load", \
     keyentry with boxes fillcolor rgb shade(0) title "tensor", \
     keyentry with boxes fillcolor rgb shade(1) title name(1), \
     keyentry with boxes fillcolor rgb shade(2) title name(2), \
     keyentry with boxes fillcolor rgb shade(3) title name(3), \
     keyentry with boxes fillcolor rgb shade(4) title name(4), \
     keyentry with boxes fillcolor rgb shade(5) title name(5), \
     keyentry with boxes fillcolor rgb shared fillstyle solid 1 border rgb "#009e73" title (blocks ? "shared block" : "")

eval begin_figure
size(bytes) = bytes / factor
tensor(value, block) = block > 0 ? NaN : value
block(value, block) = block > 0 ? value : NaN
set xrange [0:steps]
set yrange [0:size(top)]
set xlabel "step"
set style fill solid 0.9 border rgb muted
set tmargin at screen down(122)
set bmargin at screen up(64)
if (line < steps) {
    set object 1 rectangle from line, graph 0 to steps, graph 1 behind fillcolor rgb "#eeeeee" fillstyle solid 1 noborder
    set label 1 "conflicts, no time" at (line + steps) / 2.0, graph 0.97 center font font_small textcolor rgb ink
}
each = (0.885 + 0.03) / panels
do for [panel = 1:panels] {
    set title heading[panel] offset 0,-0.4
    set lmargin at screen 0.1 + (panel - 1) * each
    set rmargin at screen 0.1 + panel * each - 0.03
    if (panel == 1) { set ylabel "offset (" . unit . ")" offset 1 } else { unset ylabel; set format y "" }
    plot $data index panel-1 using (($1+$2)/2.0):(block(size(($3+$4)/2.0), $6)):1:2:(size($3)):(size($4)) \
             with boxxyerror fillcolor rgb shared fillstyle solid 1 border rgb "#009e73" linewidth 2, \
         '' index panel-1 using (($1+$2)/2.0):(tensor(size(($3+$4)/2.0), $6)):1:2:(size($3)):(size($4)):(shade($5)) \
             with boxxyerror linecolor rgb variable linewidth 0.6, \
         size(peak[panel]) with lines linecolor rgb red linewidth 1.5 dashtype 2, \
         size(load[panel]) with lines linecolor rgb ink linewidth 1.5 dashtype 3, \
         $data index panel-1 using (($1+$2)/2.0):(size(($3+$4)/2.0)):7:8 with labels textcolor rgb "#1a1a1a" rotate variable font font_small
}
unset multiplot
