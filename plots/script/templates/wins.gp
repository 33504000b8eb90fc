# $names: place "planner"   $cells: column row percent
plot [0:1] [0:1] NaN notitle

eval begin_figure
set xrange [-0.5:shown - 0.5]
set yrange [shown - 0.5:-0.5]
set cbrange [0:100]
set palette defined (0 paper, 100 sprintf("#%06x", colour(0)))
set colorbox user origin screen 1 - 72 / (1.0 * width), screen up(below) size screen 14 / (1.0 * width), screen 1 - (above + below) / (1.0 * height)
set cbtics ("0" 0, "50" 50, "100" 100) scale 0 textcolor rgb ink
set xtics scale 0 rotate by -40 left
set ytics scale 0
set border 0
if (mine) {
    set object 1 rectangle from -0.5,mine - 1.5 to shown - 0.5,mine - 0.5 front fillstyle empty border rgb ink
    set object 2 rectangle from mine - 1.5,-0.5 to mine - 0.5,shown - 0.5 front fillstyle empty border rgb ink
}
set margins at screen left/width,screen 1 - right/width,screen up(below),screen down(above)
plot $cells using 1:2:(0.48):(0.48):3 with boxxyerror palette fillstyle solid 1 noborder, \
     '' using 1:2:(sprintf("%.0f", $3)):($3 > (dark ? 60 : 85) ? paper_colour : ink_colour) with labels textcolor rgb variable font font_small, \
     $names using 1:(NaN):xtic(2) with points, \
     '' using (NaN):1:ytic(2) with points
unset multiplot
