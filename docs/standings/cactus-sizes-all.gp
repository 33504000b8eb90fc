# Draw by hand: gnuplot cactus.gp > cactus.svg
#           or: gnuplot -e "format='pdf'" cactus.gp > cactus.pdf  (or png)
width = 900
height = 560
title = 'Rows solved as well as by any, within a time'
subtitle = 'rows (of 23) whose least known peak a planner reaches, the quickest first; 8 of 53 shown'
if (!exists("format")) format = "svg"
if (!exists("theme")) theme = "light"
dark = theme eq "dark"
paper = dark ? "#16191d" : "#ffffff"
ink = dark ? "#e8e6e3" : "#1a1a1a"
muted = dark ? "#a8adb5" : "#555555"
faint = dark ? "#5a626c" : "#b5b5b5"
hairline = dark ? "#343a42" : "#dddddd"
paper_colour = dark ? 0x16191d : 0xffffff
ink_colour = dark ? 0xe8e6e3 : 0x1a1a1a
if (format eq "svg") set terminal svg noenhanced size width,height font "Arial,12" background paper
if (format eq "pdf") set terminal pdfcairo noenhanced background paper size width/96.0,height/96.0 font "Arial,9"
if (format eq "png") set terminal pngcairo noenhanced background paper size width,height font "Arial,9"
font_small = format eq "svg" ? ",10" : ",7.5"
font_large = format eq "svg" ? ",15" : ",11"

# Okabe and Ito's colours, which people who are colour-blind tell apart too.
# Their blue and their yellow are lighter on a dark ground and darker on a light one.
colours = dark ? "0x4a9fd8 0xe69f00 0x1fb48b 0xdd8fbb 0x8fd0f5 0xe8743b 0xf0e442 0x999999" \
               : "0x0072b2 0xe69f00 0x009e73 0xcc79a7 0x56b4e9 0xd55e00 0xd8c400 0x808080"
colour(i) = int(word(colours, 1 + int(i) % 8))
glass(i) = 0x80000000 + colour(i)
dash(i) = 1 + int(i) / 8
red = colour(5)
# Mine stands out: a thick line in the colour of the text.
if (!exists("mine")) mine = 0
is_mine(i) = mine && i + 1 == mine
tint(i) = is_mine(i) ? ink_colour : colour(i)
width_of(i) = is_mine(i) ? 4 : 2
dash_of(i) = is_mine(i) ? 1 : dash(i)
note(i) = is_mine(i) ? " (mine)" : ""

# Title and legend are a plot of their own, as wide as the page: there the legend covers no data.
down(pixels) = 1 - pixels / (1.0 * height)
up(pixels) = pixels / (1.0 * height)
set multiplot
set label 1 title at screen 0.5,screen 1 center offset 0,-1.1 font font_large textcolor rgb ink
set label 2 subtitle at screen 0.5,screen 1 center offset 0,-2.4 textcolor rgb muted
set margins at screen 0.02,screen 0.98,screen down(92),screen down(56)
set key center center horizontal maxrows 2 samplen 1.5 textcolor rgb ink
set title textcolor rgb ink
set xlabel textcolor rgb ink
set ylabel textcolor rgb ink
unset border
unset tics
set style fill solid 1 border rgb muted
begin_figure = 'unset label 1; unset label 2; unset key; ' . \
               'set border 3 linecolor rgb muted; set tics out textcolor rgb ink; ' . \
               'set xtics nomirror; set ytics nomirror'
mine = 0
array planner[8]
planner[1] = 'vela_hill_climb'
planner[2] = 'xla_packing_search'
planner[3] = 'xla_choose_best'
planner[4] = 'xla_spatial'
planner[5] = 'urgency_first_fit'
planner[6] = 'conflicts_first_fit'
planner[7] = 'sequential'
planner[8] = 'xla_temporal'
$curves << EOD
0 8.49e-06
1 8.49e-06
2 9.68e-06
3 6.05e-05
4 0.000138
5 0.000174
6 0.000192
7 0.00024
8 0.000371
9 0.000373
10 0.000677
11 0.000678
12 0.0283
13 0.0327
14 0.0457
15 0.702
16 1
17 1
18 1.15


0 8.35e-06
1 8.35e-06
2 2.63e-05
3 6.03e-05
4 0.000249
5 0.000266
6 0.000305
7 0.000374
8 0.000535
9 0.000643
10 0.00065
11 0.000651
12 0.000919
13 0.0295


0 8.38e-06
1 8.38e-06
2 2.79e-05
3 7.72e-05
4 9.96e-05
5 0.000178
6 0.000179
7 0.000252
8 0.000288
9 0.000295
10 0.000447
11 0.000491
12 0.000841
13 0.339


0 6.73e-06
1 6.73e-06
2 6.14e-05
3 7.01e-05
4 9.09e-05
5 9.73e-05
6 0.000168
7 0.000235
8 0.000314
9 0.000325
10 0.000356
11 0.000368
12 0.000768


0 3.65e-06
1 3.65e-06
2 3.89e-05
3 7.49e-05
4 0.000107
5 0.000143
6 0.000221
7 0.000236
8 0.000244
9 0.000315
10 0.000683
11 0.181


0 3.3e-06
1 3.3e-06
2 6.85e-05
3 7.11e-05
4 8.18e-05
5 0.000155
6 0.000205
7 0.000941
8 0.00114


0 2.04e-06
1 2.04e-06
2 3.95e-06
3 0.000122
4 0.000191
5 0.000217
6 0.000229
7 0.000251
8 0.000576


0 1.52e-05
1 1.52e-05
2 3.69e-05
3 7.96e-05
4 0.000112
5 0.000162
6 0.000211
7 0.000396
8 0.124


EOD
shown = 8
most = 18
# $curves: rows seconds, a block for each planner
set margins at screen 0.02,screen 0.98,screen down(110),screen down(56)
set key maxrows 3
plot [0:1] [0:1] NaN notitle, \
     for [i = 1:shown] keyentry with lines linewidth width_of(i - 1) dashtype dash_of(i - 1) linecolor rgb tint(i - 1) title planner[i].note(i - 1)

eval begin_figure
set logscale y
set ytics ("1 µs" 1e-6, "10 µs" 1e-5, "100 µs" 1e-4, "1 ms" 1e-3, "10 ms" 1e-2, "100 ms" 1e-1, "1 s" 1, "10 s" 10, \
    "100 s" 100, "1000 s" 1e3, "10000 s" 1e4)
set xrange [0:most * 1.03 + 1]
set xlabel "rows"
set ylabel "time of the slowest of them"
set grid linetype 1 linewidth 0.7 linecolor rgb hairline
set margins at screen 0.11,screen 0.97,screen up(66),screen down(122)
plot for [i = 1:shown] $curves index (i - 1) using 1:2 with steps linewidth width_of(i - 1) dashtype dash_of(i - 1) linecolor rgb tint(i - 1)
unset multiplot
