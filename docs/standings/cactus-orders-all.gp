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
0 0.000129795
1 0.000129795
2 0.000131006
3 0.000151532
4 0.000154652
5 0.000160043
6 0.000160841
7 0.000381166
8 0.0003943
9 0.000408698
10 0.000588903
11 0.00143897
12 0.00183393
13 0.00184026
14 0.00189087
15 0.0020043
16 0.00268975
17 0.0166935
18 0.0211126
19 0.0229368
20 0.0307339
21 0.038313
22 0.0543328
23 0.0744585
24 0.0939241
25 0.143875
26 1.0012
27 1.00131
28 1.00227
29 1.00775
30 1.01422
31 1.02469
32 1.02694
33 1.05671


0 0.000125287
1 0.000125287
2 0.000133697
3 0.0001398
4 0.00015169
5 0.000157164
6 0.000176105
7 0.000320536
8 0.00041303
9 0.000510331
10 0.000606329
11 0.0014102
12 0.00186908
13 0.0146782
14 0.0249347
15 0.0353126
16 0.052104
17 0.0530456
18 0.064924
19 0.0770176
20 0.0803364
21 0.108251
22 0.118381
23 0.128018


0 7.2718e-05
1 7.2718e-05
2 0.000106639
3 0.000109663
4 0.000127386
5 0.000231172
6 0.000240366
7 0.000282583
8 0.000355978
9 0.000413428
10 0.000821956
11 0.00188819
12 0.0207331


0 5.619e-05
1 5.619e-05
2 7.9187e-05
3 9.2434e-05
4 0.000118192
5 0.000144113
6 0.000210599
7 0.000214037
8 0.000220055
9 0.00036764
10 0.000377587
11 0.000577987
12 0.0265899


0 7.3017e-05
1 7.3017e-05
2 9.2091e-05
3 9.5211e-05
4 0.00010734
5 0.000111642
6 0.00012774
7 0.00023655
8 0.000241128
9 0.000314354
10 0.000973888
11 0.0486885


0 5.8656e-05
1 5.8656e-05
2 8.2765e-05
3 0.000108142
4 0.000114752
5 0.000190449
6 0.000191724
7 0.00173739


0 1.13e-05
1 1.13e-05
2 5.21e-05
3 7.83e-05
4 0.000402


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
