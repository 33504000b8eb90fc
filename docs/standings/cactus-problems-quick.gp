# Draw by hand: gnuplot cactus.gp > cactus.svg
#           or: gnuplot -e "format='pdf'" cactus.gp > cactus.pdf  (or png)
width = 900
height = 560
title = 'Rows solved as well as by any, within a time'
subtitle = 'rows (of 130) whose least known peak a planner reaches, the quickest first; 8 of 46 shown'
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
planner[1] = 'strip_best_fit_all'
planner[2] = 'strip_best_fit'
planner[3] = 'xla_packing_search'
planner[4] = 'idealloc'
planner[5] = 'xla_choose_best'
planner[6] = 'openvino_memory_solver'
planner[7] = 'somas'
planner[8] = 'large_first'
$curves << EOD
0 6.58e-06
1 6.58e-06
2 1.09e-05
3 1.21e-05
4 2.05e-05
5 2.07e-05
6 2.07e-05
7 2.12e-05
8 2.3e-05
9 2.56e-05
10 2.63e-05
11 3.18e-05
12 3.28e-05
13 3.57e-05
14 3.72e-05
15 3.87e-05
16 4e-05
17 4.23e-05
18 4.3e-05
19 5.92e-05
20 6.46e-05
21 6.9e-05
22 8.12e-05
23 8.28e-05
24 8.41e-05
25 8.89e-05
26 9.81e-05
27 0.000124
28 0.00014
29 0.000151
30 0.000156
31 0.000212
32 0.000222
33 0.000246
34 0.000261
35 0.000269
36 0.000289
37 0.000294
38 0.000308
39 0.000312
40 0.000312
41 0.00032
42 0.000339
43 0.000358
44 0.00036
45 0.00038
46 0.000389
47 0.000423
48 0.00044
49 0.00058
50 0.000592
51 0.000604
52 0.000679
53 0.00069
54 0.000692
55 0.000701
56 0.000708
57 0.000746
58 0.00079
59 0.000791
60 0.000819
61 0.000823
62 0.000856
63 0.000865
64 0.000882
65 0.000904
66 0.000906
67 0.000958
68 0.000986
69 0.000986
70 0.000992
71 0.0011
72 0.00111
73 0.00114
74 0.00119
75 0.00119
76 0.00121
77 0.00123
78 0.00127
79 0.00136
80 0.0014
81 0.00153
82 0.00164
83 0.00172
84 0.00182
85 0.00182
86 0.00205
87 0.0193
88 0.0248
89 0.0295
90 0.0301
91 0.0314
92 0.0317
93 0.0335
94 0.0342
95 0.0343
96 0.0369
97 0.0422
98 0.0443
99 0.0457
100 0.0461
101 0.0514
102 0.0562
103 0.0633
104 0.0645
105 0.0648
106 0.0654
107 0.0671
108 0.0698
109 0.0704
110 0.0709
111 0.0979
112 0.102
113 0.109
114 0.115
115 0.133
116 0.188
117 0.248
118 0.894
119 1.14
120 1.26


0 2.16e-06
1 2.16e-06
2 6.17e-06
3 6.3e-06
4 7.26e-06
5 7.84e-06
6 1.1e-05
7 1.15e-05
8 1.18e-05
9 1.19e-05
10 1.78e-05
11 1.83e-05
12 2.13e-05
13 2.51e-05
14 3.11e-05
15 3.33e-05
16 3.41e-05
17 3.42e-05
18 3.63e-05
19 3.85e-05
20 4.1e-05
21 4.16e-05
22 4.56e-05
23 4.73e-05
24 5.05e-05
25 5.45e-05
26 5.96e-05
27 0.000105
28 0.000114
29 0.000126
30 0.000137
31 0.000159
32 0.000204
33 0.000214
34 0.00024
35 0.000278
36 0.000278
37 0.000294
38 0.000297
39 0.000318
40 0.00032
41 0.00035
42 0.000356
43 0.00036
44 0.000364
45 0.000394
46 0.000408
47 0.000418
48 0.000436
49 0.000454
50 0.000478
51 0.000503
52 0.000505
53 0.000775
54 0.000832
55 0.0015
56 0.0304
57 0.0324
58 0.0575
59 0.0589
60 0.0662
61 0.073
62 0.0878
63 0.227
64 0.384


0 9.3e-06
1 9.3e-06
2 1.04e-05
3 1.07e-05
4 1.24e-05
5 1.41e-05
6 1.48e-05
7 1.68e-05
8 1.75e-05
9 2.3e-05
10 2.41e-05
11 2.83e-05
12 2.84e-05
13 3.67e-05
14 3.7e-05
15 4.14e-05
16 4.41e-05
17 4.71e-05
18 8.94e-05
19 9.41e-05
20 9.98e-05
21 0.000115
22 0.000123
23 0.000172
24 0.000189
25 0.000191
26 0.000202
27 0.000229
28 0.000235
29 0.000251
30 0.000311
31 0.000326
32 0.000392
33 0.000566
34 0.000666
35 0.00086
36 0.0011
37 0.0208
38 0.0383
39 0.058
40 0.0637
41 0.0662
42 0.0869
43 0.168


0 6.49e-06
1 6.49e-06
2 7.08e-06
3 7.41e-06
4 9.69e-06
5 9.71e-06
6 1.3e-05
7 1.32e-05
8 1.59e-05
9 1.64e-05
10 1.75e-05
11 1.91e-05
12 1.93e-05
13 1.95e-05
14 2.01e-05
15 2.34e-05
16 3.12e-05
17 3.52e-05
18 3.63e-05
19 4.09e-05
20 4.28e-05
21 7.46e-05
22 9.48e-05
23 0.000122
24 0.000137
25 0.000156
26 0.00019
27 0.00022
28 0.000277
29 0.000407
30 0.000416
31 0.000575
32 0.000695
33 0.000792
34 0.00149
35 0.104
36 0.212


0 4.42e-06
1 4.42e-06
2 5.95e-06
3 8.32e-06
4 8.58e-06
5 9.37e-06
6 9.46e-06
7 1.3e-05
8 1.51e-05
9 1.55e-05
10 1.63e-05
11 2.62e-05
12 3.12e-05
13 3.63e-05
14 3.98e-05
15 4.09e-05
16 4.21e-05
17 4.87e-05
18 5.13e-05
19 0.000114
20 0.00014
21 0.000148
22 0.00016
23 0.000182
24 0.000213
25 0.000267
26 0.00027
27 0.00031
28 0.00032
29 0.000398
30 0.000466
31 0.000512
32 0.000661
33 0.00109
34 0.00153
35 0.0227


0 2.58e-06
1 2.58e-06
2 4.49e-06
3 4.96e-06
4 5.12e-06
5 7.2e-06
6 8.23e-06
7 9.6e-06
8 1.1e-05
9 1.17e-05
10 1.26e-05
11 1.32e-05
12 1.55e-05
13 1.57e-05
14 1.86e-05
15 1.87e-05
16 2.59e-05
17 3.03e-05
18 3.3e-05
19 3.97e-05
20 9.21e-05
21 9.57e-05
22 0.000124
23 0.000125
24 0.00015
25 0.000162
26 0.000166
27 0.000179
28 0.000181
29 0.000185
30 0.000252
31 0.000354
32 0.000596
33 0.000709
34 0.00106
35 0.0191
36 0.0311


0 4.38e-06
1 4.38e-06
2 5.01e-06
3 7.72e-06
4 8.05e-06
5 9.03e-06
6 9.82e-06
7 1.46e-05
8 1.46e-05
9 2.35e-05
10 2.56e-05
11 3.07e-05
12 3.71e-05
13 4.56e-05
14 4.8e-05
15 5.09e-05
16 6.92e-05
17 0.000114
18 0.000161
19 0.00022
20 0.000288
21 0.000381
22 0.000484
23 0.000555
24 0.000566
25 0.000571
26 0.000847
27 0.00159
28 0.00205
29 0.0226
30 0.0667
31 0.0913
32 0.217


0 2.22e-06
1 2.22e-06
2 2.57e-06
3 3.3e-06
4 3.41e-06
5 3.71e-06
6 5.46e-06
7 5.86e-06
8 6.28e-06
9 7.96e-06
10 9.52e-06
11 1.02e-05
12 1.02e-05
13 1.33e-05
14 1.34e-05
15 1.52e-05
16 1.61e-05
17 2.74e-05
18 3.48e-05
19 5.35e-05
20 6.87e-05
21 8.25e-05
22 9.63e-05
23 0.000134
24 0.000136
25 0.00014
26 0.000151
27 0.000226
28 0.000376
29 0.00058
30 0.000739
31 0.000985
32 0.00954


EOD
shown = 8
most = 120
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
