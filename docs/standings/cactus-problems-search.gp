# Draw by hand: gnuplot cactus.gp > cactus.svg
#           or: gnuplot -e "format='pdf'" cactus.gp > cactus.pdf  (or png)
width = 900
height = 560
title = 'Rows solved as well as by any, within a time'
subtitle = 'rows (of 130) whose least known peak a planner reaches, the quickest first'
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
array planner[2]
planner[1] = 'portfolio'
planner[2] = 'objects_greedy_by_size_improved'
$curves << EOD
1 7.568e-06
2 8.343e-06
3 8.716e-06
4 1.0608e-05
5 1.0982e-05
6 1.3926e-05
7 1.4306e-05
8 1.5963e-05
9 1.712e-05
10 1.7128e-05
11 1.8424e-05
12 1.8515e-05
13 1.9822e-05
14 2.0104e-05
15 2.0464e-05
16 2.2605e-05
17 3.3568e-05
18 3.5139e-05
19 3.6871e-05
20 3.7475e-05
21 4.2681e-05
22 4.5175e-05
23 5.7568e-05
24 6.1787e-05
25 7.5886e-05
26 8.6644e-05
27 9.104e-05
28 9.8846e-05
29 0.000110634
30 0.000131585
31 0.000201073
32 0.000349037
33 0.000383791
34 0.000401968
35 0.000418143
36 0.000520406
37 0.000566767
38 0.000582744
39 0.000593873
40 0.000600219
41 0.000658363
42 0.000686083
43 0.000778983
44 0.00100019
45 0.0010185
46 0.00107905
47 0.00144536
48 0.0123053
49 0.0162662
50 0.0200582
51 0.0256213
52 0.0259243
53 0.0333962
54 0.0379733
55 0.0394175
56 0.0423679
57 0.0447651
58 0.0487762
59 0.0532847
60 0.0565444
61 0.0620505
62 0.062524
63 0.0706355
64 0.073477
65 0.108951
66 0.122164
67 0.179873
68 0.218213
69 0.286057
70 0.290324
71 0.369351
72 0.389834
73 0.425704
74 0.530111
75 0.616872
76 0.794017
77 0.959482
78 1.00003
79 1.00005
80 1.00008
81 1.00015
82 1.00016
83 1.00017
84 1.00027
85 1.00035
86 1.00035
87 1.00048
88 1.00141
89 1.00164
90 1.0036
91 1.00366
92 1.00411
93 1.00505
94 1.00577
95 1.00623
96 1.00722
97 1.008
98 1.00827
99 1.01106
100 1.01119
101 1.01178
102 1.01289
103 1.01401
104 1.01496
105 1.01522
106 1.01672
107 1.0174
108 1.01741
109 1.01814
110 1.0185
111 1.01858
112 1.01917
113 1.01931
114 1.0194
115 1.01945
116 1.02032
117 1.02087
118 1.02317
119 1.02331
120 1.02341
121 1.03207
122 1.03713
123 1.03744
124 1.03968
125 1.04124
126 1.04272
127 1.04309
128 1.04611
129 1.04778
130 1.04895


1 3.312e-06
2 7.172e-06
3 7.683e-06
4 8.805e-06
5 1.3525e-05
6 2.6818e-05
7 4.1624e-05
8 5.6146e-05
9 6.3053e-05
10 0.000499949
11 0.00376559


EOD
shown = 2
most = 130
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
