# $nodes: column row "label" "detail"   $edges: column row column row style   $frames: left right top bottom shade "label"
plot [0:1] [0:1] NaN notitle

eval begin_figure
unset border
unset tics
set style arrow 1 head filled size screen 0.008,20 linecolor rgb "#555555"
set style arrow 2 nohead linecolor rgb "#555555" linewidth 2
set style arrow 3 nohead linecolor rgb red linewidth 2 dashtype 2
set xrange [-0.5:columns - 0.5]
set yrange [rows - 0.5:-0.5]
set margins at screen 0.02,screen 0.98,screen up(14),screen down(66)
plot $frames using (($1+$2)/2.0):(($3+$4)/2.0):1:2:3:4:($5 > 0 ? 0xffffff : 0xe2ecf5) \
         with boxxyerror fillcolor rgb variable fillstyle solid 1 border rgb "#0072b2" dashtype 2, \
     $frames using ($1 + 0.03):($3 + 0.2):6 with labels left font font_small textcolor rgb "#0072b2", \
     $edges using 1:2:($3-$1):($4-$2):5 with vectors arrowstyle variable, \
     $nodes using 1:2:($1-half_width):($1+half_width):($2-half_height):($2+half_height) \
         with boxxyerror linecolor rgb "#f6e0b5" fillstyle solid 1 border rgb "#333333", \
     $nodes using 1:2:3 with labels, \
     $nodes using ($1 + half_width + 0.03):2:4 with labels left font font_small
unset multiplot
