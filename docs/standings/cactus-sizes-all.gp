# Draw by hand: gnuplot cactus.gp > cactus.svg
#           or: gnuplot -e "format='pdf'" cactus.gp > cactus.pdf  (or png)
width = 900
height = 560
title = 'Rows solved as well as by any, within a time'
subtitle = 'rows (of 22) whose least known peak a planner reaches, the quickest first'
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
planner[1] = 'best'
planner[2] = 'exact'
planner[3] = 'portfolio'
planner[4] = 'xla_packing_search'
planner[5] = 'large_first'
planner[6] = 'tflite_greedy_by_size'
planner[7] = 'size_best_fit'
$curves << EOD
1 9.826e-06
2 4.4001e-05
3 8.9998e-05
4 9.3856e-05
5 0.000147914
6 0.000153282
7 0.000165388
8 0.000265893
9 0.000756858
10 0.000770549
11 0.00203023
12 0.00205112
13 0.023434
14 0.0268583
15 0.030702
16 0.0312925
17 0.0396685
18 0.0882343
19 0.115145
20 0.187074
21 0.219101
22 1.01948


1 1.0425e-05
2 4.5004e-05
3 7.5451e-05
4 9.4647e-05
5 0.000147617
6 0.00016425
7 0.000186788
8 0.000248605
9 0.00030182
10 0.000349938
11 0.0010918
12 0.00116097
13 0.00220571
14 0.0242587
15 0.0300368
16 0.032061
17 0.0337761
18 0.0699465
19 0.0817569
20 0.0854649
21 0.123968


1 9.062e-06
2 1.0851e-05
3 6.6913e-05
4 7.6732e-05
5 0.000130711
6 0.000134998
7 0.000199815
8 0.00043409
9 0.000435964
10 0.000493051
11 0.0447477
12 0.0461467
13 1.00003
14 1.00257
15 1.00313


1 8.351e-06
2 6.0258e-05
3 0.000266101
4 0.000305348
5 0.000374282
6 0.000534673
7 0.00064319
8 0.000649508
9 0.000650864
10 0.0295412


1 3.265e-06
2 3.497e-05
3 7.5917e-05
4 0.000115413
5 0.000117122
6 0.000199167
7 0.000237445
8 0.000255323
9 0.000292983
10 0.000693453


1 2.577e-06
2 3.8172e-05
3 8.4764e-05
4 0.000129676
5 0.000171478
6 0.000192357
7 0.000197566
8 0.00031165
9 0.000342412
10 0.000596625


1 2.415e-06
2 3.6007e-05
3 7.957e-05
4 0.00011185
5 0.000113927
6 0.000193732
7 0.000240316
8 0.000325779
9 0.000522956
10 0.000646178


EOD
shown = 7
most = 22
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
