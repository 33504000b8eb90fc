# $bars: place bytes buffer "label"   $regions: begin end depth shade "label"
shade(buffer) = int(word("0xe69f00 0xcc79a7 0x56b4e9 0xf0e442", 1 + int(buffer) % 4))
plot [0:1] [0:1] NaN notitle, \
     keyentry with boxes fillcolor rgb shade(0) title "alloc0", \
     keyentry with boxes fillcolor rgb shade(1) title "alloc1"

eval begin_figure
set xrange [-0.7:count - 0.3]
set yrange [0:1.25 * most / factor]
set ylabel "weights (" . unit . ")"
set xtics rotate by 60 right font font_small nomirror
set margins at screen 0.09,screen 0.98,screen up(130),screen down(96)
if (!named) {
    set margins at screen 0.09,screen 0.98,screen up(66),screen down(96)
    set xtics format ""
    set xtics scale 0
    set xlabel "operators with weights, in the order in which they run"
}
top = 1.25 * most / factor
plot $regions using (($1+$2)/2.0):(top/2):1:2:(0):(top):($4 > 0 ? 0xf2f2f2 : 0xe2ecf5) \
         with boxxyerror linecolor rgb variable fillstyle solid 1 noborder, \
     $bars using 1:($2/factor):(0.7):(shade($3)):xtic(4) with boxes linecolor rgb variable, \
     $regions using (($1+$2)/2.0):(top * (0.96 - 0.05 * $3)):5 with labels textcolor rgb ink font font_small
unset multiplot
