# Draw by hand: gnuplot cactus.gp > cactus.svg
#           or: gnuplot -e "format='pdf'" cactus.gp > cactus.pdf  (or png)
width = 900
height = 560
title = 'Rows solved as well as by any, within a time'
subtitle = 'rows (of 28) whose least known peak a planner reaches, the quickest first; 8 of 90 shown'
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
# Where a figure begins at whose left there are labels of so many letters.
left_of(letters) = (12 + 7.0 * (letters > 28 ? letters : 28)) / width
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
planner[1] = 'best'
planner[2] = 'exact'
planner[3] = 'descent'
planner[4] = 'portfolio'
planner[5] = 'omni_tabu'
planner[6] = 'vela_hill_climb'
planner[7] = 'glpk'
planner[8] = 'cbc'
$curves << EOD
0 3.5213e-05
1 3.5213e-05
2 4.662e-05
3 6.9923e-05
4 7.6544e-05
5 7.8987e-05
6 0.000143864
7 0.000234038
8 0.000406774
9 0.000775842
10 0.00161433
11 0.00170205
12 0.00203129
13 0.00221711
14 0.00231726
15 0.00240063
16 0.00256559
17 0.00266357
18 0.00309477
19 0.00336709
20 0.00421055
21 0.00520467
22 0.00617159
23 0.0066616
24 0.0109975
25 0.0142059
26 0.0204145
27 0.0521125
28 0.0780793


0 3.7005e-05
1 3.7005e-05
2 4.4486e-05
3 7.1065e-05
4 9.2888e-05
5 9.9998e-05
6 0.000142341
7 0.000156453
8 0.000564948
9 0.000735882
10 0.00109116
11 0.00170513
12 0.00223752
13 0.00233278
14 0.00238619
15 0.00252172
16 0.00283515
17 0.0029094
18 0.00414441
19 0.00429857
20 0.00519651
21 0.00556724
22 0.00594603
23 0.00664254
24 0.0131533
25 0.0154895
26 0.0202982
27 0.030054
28 0.0965321


0 3.0886e-05
1 3.0886e-05
2 4.053e-05
3 6.3885e-05
4 6.6258e-05
5 8.064e-05
6 0.000132446
7 0.000233757
8 0.000426774
9 0.000722754
10 0.000875019
11 0.00463334
12 0.00506798
13 0.00528412
14 0.00614845
15 0.00657719
16 0.00746652
17 0.00821478
18 0.00954938
19 0.00982375
20 0.0119475
21 0.0163987
22 0.035463
23 0.0624656
24 0.121919
25 0.254065


0 3.1307e-05
1 3.1307e-05
2 3.1637e-05
3 5.3068e-05
4 8.5617e-05
5 0.000117665
6 0.000144114
7 0.00022232
8 0.000537829
9 0.00210803
10 0.00368191
11 0.00594385
12 0.00616171
13 0.00855297
14 0.00857097
15 0.0115287
16 0.0137566
17 0.0158696
18 0.017357
19 0.021308
20 0.0288691
21 0.0311954
22 0.0395671
23 0.0812587
24 0.123423
25 0.255064


0 1.5403e-05
1 1.5403e-05
2 4.7891e-05
3 7.3169e-05
4 0.000127499
5 0.000217112
6 0.000380084
7 0.000401666
8 0.000408176
9 0.000524739
10 0.00214632
11 0.00556814
12 0.00607021
13 0.00681591
14 0.00794195
15 0.00810901
16 0.00853151
17 0.0115655
18 0.0133147
19 0.019308
20 0.0256853
21 0.026097
22 0.0495393


0 2.8513e-05
1 2.8513e-05
2 5.7505e-05
3 5.7906e-05
4 6.1511e-05
5 8.2293e-05
6 0.000144485
7 0.000153377
8 0.000247147
9 0.000366134
10 0.000537939
11 0.00513637
12 0.00549285
13 0.00597711
14 0.00729701
15 0.00800742
16 0.00834618
17 0.0222308
18 0.0244678
19 0.041252


0 0.0005793
1 0.0005793
2 0.000620401
3 0.00152795
4 0.00317554
5 0.00360399
6 0.00361609
7 0.00442588
8 0.00785429
9 0.0189104
10 0.0440321
11 0.0524054
12 0.0670064
13 0.0859453
14 0.108735
15 0.11418
16 0.132145


0 0.000591218
1 0.000591218
2 0.000612069
3 0.00148687
4 0.00274441
5 0.00346213
6 0.00361484
7 0.00452781
8 0.00781674
9 0.0248914
10 0.0477015
11 0.0650142
12 0.0910619
13 0.102571
14 0.116119
15 0.121657


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
