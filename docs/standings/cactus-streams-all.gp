# Draw by hand: gnuplot cactus.gp > cactus.svg
#           or: gnuplot -e "format='pdf'" cactus.gp > cactus.pdf  (or png)
width = 900
height = 560
title = 'Rows solved as well as by any, within a time'
subtitle = 'rows (of 28) whose least known peak a planner reaches, the quickest first; 8 of 53 shown'
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
planner[1] = 'exact'
planner[2] = 'best'
planner[3] = 'portfolio'
planner[4] = 'omni_tabu'
planner[5] = 'descent'
planner[6] = 'vela_hill_climb'
planner[7] = 'xla_packing_search'
planner[8] = 'openvino_memory_solver'
$curves << EOD
0 5.33e-05
1 5.33e-05
2 0.000326
3 0.000344
4 0.00049
5 0.000552
6 0.000673
7 0.000843
8 0.00117
9 0.00184
10 0.00434
11 0.0243
12 0.0305
13 0.0388
14 0.0426
15 0.0437
16 0.0458
17 0.0559
18 0.0679
19 0.0772
20 0.0818
21 0.0864
22 0.101
23 0.123
24 0.139
25 0.167
26 0.186
27 0.481
28 0.762


0 4.98e-05
1 4.98e-05
2 8.1e-05
3 0.00014
4 0.000485
5 0.000564
6 0.00059
7 0.00124
8 0.00185
9 0.0242
10 0.033
11 0.0432
12 0.05
13 0.0668
14 0.086
15 0.0875
16 0.12
17 0.135
18 0.149
19 0.181
20 0.204
21 0.275
22 0.33
23 0.385
24 0.393
25 0.441
26 0.513
27 0.671


0 5.43e-05
1 5.43e-05
2 5.45e-05
3 5.7e-05
4 7.72e-05
5 0.000139
6 0.000337
7 0.000377
8 0.000938
9 0.0396
10 0.0688
11 0.0814
12 0.0994
13 0.112
14 0.117
15 0.205
16 0.205
17 0.235
18 0.264
19 0.358
20 0.486
21 0.531
22 0.987


0 3.41e-05
1 3.41e-05
2 0.000141
3 0.000228
4 0.000475
5 0.000775
6 0.00117
7 0.0257
8 0.0297
9 0.0513
10 0.0697
11 0.14
12 0.14
13 0.193
14 0.222
15 0.335
16 0.346
17 0.386
18 0.765
19 0.99


0 9.49e-05
1 9.49e-05
2 0.000131
3 0.00019
4 0.00029
5 0.000555
6 0.00158
7 0.00181
8 0.0255
9 0.03
10 0.0343
11 0.0527
12 0.189
13 0.206
14 0.207
15 0.262
16 0.273
17 0.343
18 0.381
19 0.393
20 0.466
21 0.722


0 7.49e-05
1 7.49e-05
2 0.000178
3 0.00019
4 0.00022
5 0.000265
6 0.000503
7 0.000974
8 0.00142
9 0.00161
10 0.0493
11 0.0736
12 0.132
13 0.138
14 0.15
15 0.209
16 0.252


0 0.000111
1 0.000111
2 0.000116
3 0.000226
4 0.000472
5 0.000601
6 0.00119
7 0.0615
8 0.12
9 0.165


0 5.75e-05
1 5.75e-05
2 0.000102
3 0.000181
4 0.000512
5 0.000798
6 0.00106
7 0.0305
8 0.0929
9 0.137


EOD
shown = 8
most = 28
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
