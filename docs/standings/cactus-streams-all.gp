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
1 5.3313e-05
2 0.000326088
3 0.000343895
4 0.000490053
5 0.000551529
6 0.0006731
7 0.000842744
8 0.00116625
9 0.00184459
10 0.00433959
11 0.0243308
12 0.0304796
13 0.0388029
14 0.0425682
15 0.0436535
16 0.0458101
17 0.0559145
18 0.0679427
19 0.0771718
20 0.0818049
21 0.0864447
22 0.100564
23 0.122673
24 0.139312
25 0.166524
26 0.186335
27 0.481066
28 0.762076


1 4.9792e-05
2 8.1014e-05
3 0.000139756
4 0.000484763
5 0.000563883
6 0.000589621
7 0.00124207
8 0.00184718
9 0.0242287
10 0.0329701
11 0.0431615
12 0.0499935
13 0.0668262
14 0.0859777
15 0.0874732
16 0.120288
17 0.134685
18 0.148616
19 0.180764
20 0.203654
21 0.275354
22 0.330224
23 0.3853
24 0.392798
25 0.441153
26 0.513456
27 0.671415


1 5.4344e-05
2 5.4484e-05
3 5.6995e-05
4 7.7177e-05
5 0.000138538
6 0.000337327
7 0.000376603
8 0.000938416
9 0.0396466
10 0.0687925
11 0.0813855
12 0.0993894
13 0.11218
14 0.117284
15 0.204566
16 0.205017
17 0.23467
18 0.263855
19 0.357803
20 0.485784
21 0.531024
22 0.987164


1 3.408e-05
2 0.000141055
3 0.000227574
4 0.00047487
5 0.000775346
6 0.00117272
7 0.0256676
8 0.0296995
9 0.0513468
10 0.0697108
11 0.139556
12 0.139804
13 0.193449
14 0.221682
15 0.335237
16 0.34555
17 0.385549
18 0.765488
19 0.989794


1 9.4931e-05
2 0.000131372
3 0.000190214
4 0.000290261
5 0.000555277
6 0.00158138
7 0.00180928
8 0.0255289
9 0.0300097
10 0.0343155
11 0.0526561
12 0.188794
13 0.205613
14 0.206605
15 0.262401
16 0.273209
17 0.342846
18 0.380812
19 0.392841
20 0.465521
21 0.721848


1 7.4946e-05
2 0.00017797
3 0.000190119
4 0.000219756
5 0.000264573
6 0.000503193
7 0.000974256
8 0.00141819
9 0.0016111
10 0.0492924
11 0.0736243
12 0.132451
13 0.138295
14 0.150462
15 0.209166
16 0.251955


1 0.000110995
2 0.000116039
3 0.000225794
4 0.000472001
5 0.000601376
6 0.00119125
7 0.061544
8 0.120182
9 0.165107


1 5.7526e-05
2 0.000101945
3 0.000181014
4 0.00051222
5 0.000797536
6 0.00106203
7 0.0305056
8 0.0929208
9 0.136986


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
