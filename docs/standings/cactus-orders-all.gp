# Draw by hand: gnuplot cactus.gp > cactus.svg
#           or: gnuplot -e "format='pdf'" cactus.gp > cactus.pdf  (or png)
width = 900
height = 560
title = 'Rows solved as well as by any, within a time'
subtitle = 'rows (of 34) whose least known peak a planner reaches, the quickest first'
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
array planner[7]
planner[1] = 'exact_order'
planner[2] = 'beam'
planner[3] = 'xla_default'
planner[4] = 'glow'
planner[5] = 'inductor'
planner[6] = 'reverse_post'
planner[7] = 'stored'
$curves << EOD
1 0.000129835
2 0.000130986
3 0.000151507
4 0.000154694
5 0.000160049
6 0.000160877
7 0.000381211
8 0.000394318
9 0.000408659
10 0.000588864
11 0.00143873
12 0.0018335
13 0.00183987
14 0.0018906
15 0.00200384
16 0.00268943
17 0.0166932
18 0.0211122
19 0.0229375
20 0.0307342
21 0.0383155
22 0.0543294
23 0.0744455
24 0.0939239
25 0.143886
26 1.0012
27 1.00131
28 1.00227
29 1.00775
30 1.01422
31 1.02469
32 1.0269
33 1.05669


1 0.000125267
2 0.000133703
3 0.00013984
4 0.000151665
5 0.000157206
6 0.000176141
7 0.000320581
8 0.000413048
9 0.000510282
10 0.00060629
11 0.00141009
12 0.00186881
13 0.0146778
14 0.0249349
15 0.0353093
16 0.0521039
17 0.0530452
18 0.0649245
19 0.0770172
20 0.0803364
21 0.108272
22 0.118346
23 0.128014


1 7.2693e-05
2 0.000106592
3 0.000109703
4 0.000127423
5 0.000231152
6 0.000240373
7 0.000282587
8 0.000356046
9 0.000413051
10 0.000821572
11 0.00188819
12 0.0207508


1 5.6165e-05
2 7.9227e-05
3 9.2387e-05
4 0.000118229
5 0.000144116
6 0.000210758
7 0.000214002
8 0.000220059
9 0.000367747
10 0.000377236
11 0.000577733
12 0.0265749


1 7.2997e-05
2 9.2097e-05
3 9.5186e-05
4 0.000107382
5 0.000111682
6 0.000127777
7 0.000236568
8 0.000241408
9 0.000314315
10 0.000973615
11 0.0486858


1 5.8631e-05
2 8.2718e-05
3 0.000108148
4 0.000114773
5 0.000190628
6 0.000191731
7 0.00173456


1 1.1342e-05
2 5.2118e-05
3 7.8261e-05
4 0.000401727


EOD
shown = 7
most = 33
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
