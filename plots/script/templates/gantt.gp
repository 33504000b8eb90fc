# $data, one index per panel: begin_ms end_ms kind "label"
shade(kind) = int(word("0x56b4e9 0xdddddd 0xe69f00 0xcc79a7", 1 + int(kind)))
line(kind) = kind < 2 ? 1 : 0
plot [0:1] [0:1] NaN notitle, \
     keyentry with boxes fillcolor rgb shade(0) title "compute", \
     keyentry with boxes fillcolor rgb shade(1) title "wait", \
     keyentry with boxes fillcolor rgb shade(2) title "transfer to alloc0", \
     keyentry with boxes fillcolor rgb shade(3) title "transfer to alloc1", \
     keyentry with points pointtype 9 linecolor rgb ink title (marks ? "DMAStart" : ""), \
     keyentry with points pointtype 11 linecolor rgb red title (marks ? "DMAWait ends" : "")

eval begin_figure
set xrange [0:total * 1.01]
set yrange [-0.6:1.6]
set ytics ("transfer" 0, "compute" 1)
set style fill solid 0.9 border rgb muted
set lmargin at screen 0.1
set rmargin at screen 0.98
each = (height - 170) / (panels * 1.0)
do for [panel = 1:panels] {
    set title heading[panel] offset 0,-0.6
    set tmargin at screen down(118 + (panel - 1) * each)
    set bmargin at screen down(118 + panel * each - 42)
    if (panel == panels) { set xlabel "ms"; set format x "%g" } else { set format x "" }
    plot $data index panel-1 using (($1+$2)/2.0):(line($3)):1:2:(line($3)-0.4):(line($3)+0.4):(shade($3)) \
             with boxxyerror linecolor rgb variable linewidth 0.5, \
         '' index panel-1 using (($1+$2)/2.0):(line($3)):4 with labels textcolor rgb "#1a1a1a" font font_small, \
         '' index panel-1 using (marks && $3 > 1 ? $1 : NaN):(0.44) with points pointtype 9 pointsize 0.5 linecolor rgb ink, \
         '' index panel-1 using (marks && $3 == 1 ? $2 : NaN):(0.56) with points pointtype 11 pointsize 0.5 linecolor rgb red
}
unset multiplot
