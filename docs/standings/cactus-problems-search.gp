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
array planner[5]
planner[1] = 'portfolio'
planner[2] = 'descent'
planner[3] = 'omni_tabu'
planner[4] = 'vela_hill_climb'
planner[5] = 'objects_greedy_by_size_improved'
$curves << EOD
0 7.57e-06
1 7.57e-06
2 8.34e-06
3 8.72e-06
4 1.06e-05
5 1.1e-05
6 1.39e-05
7 1.43e-05
8 1.6e-05
9 1.71e-05
10 1.71e-05
11 1.84e-05
12 1.85e-05
13 1.98e-05
14 2.01e-05
15 2.05e-05
16 2.26e-05
17 3.36e-05
18 3.51e-05
19 3.69e-05
20 3.75e-05
21 4.27e-05
22 4.52e-05
23 5.76e-05
24 6.18e-05
25 7.59e-05
26 8.66e-05
27 9.1e-05
28 9.88e-05
29 0.000111
30 0.000132
31 0.000201
32 0.000349
33 0.000384
34 0.000402
35 0.000418
36 0.00052
37 0.000567
38 0.000583
39 0.000594
40 0.0006
41 0.000658
42 0.000686
43 0.000779
44 0.001
45 0.00102
46 0.00108
47 0.00145
48 0.0123
49 0.0163
50 0.0201
51 0.0256
52 0.0259
53 0.0334
54 0.038
55 0.0394
56 0.0424
57 0.0448
58 0.0488
59 0.0533
60 0.0565
61 0.0621
62 0.0625
63 0.0706
64 0.0735
65 0.109
66 0.122
67 0.18
68 0.218
69 0.286
70 0.29
71 0.369
72 0.39
73 0.426
74 0.53
75 0.617
76 0.794
77 0.959
78 1
79 1
80 1
81 1
82 1
83 1
84 1
85 1
86 1
87 1
88 1
89 1
90 1
91 1.01
92 1.01
93 1.01
94 1.01
95 1.01
96 1.01
97 1.01
98 1.01
99 1.01
100 1.01
101 1.01
102 1.01
103 1.02
104 1.02
105 1.02
106 1.02
107 1.02
108 1.02
109 1.02
110 1.02
111 1.02
112 1.02
113 1.02
114 1.02
115 1.02
116 1.02
117 1.02
118 1.02
119 1.03
120 1.04
121 1.04
122 1.04
123 1.04
124 1.04
125 1.04
126 1.05
127 1.05
128 1.05


0 6.09e-06
1 6.09e-06
2 6.55e-06
3 7.7e-06
4 8.2e-06
5 8.81e-06
6 1.27e-05
7 1.6e-05
8 1.73e-05
9 1.78e-05
10 2.01e-05
11 2.77e-05
12 2.85e-05
13 3.01e-05
14 3.04e-05
15 3.06e-05
16 3.56e-05
17 4.65e-05
18 4.98e-05
19 5.27e-05
20 8.05e-05
21 9.24e-05
22 0.0001
23 0.00011
24 0.00011
25 0.000111
26 0.000112
27 0.000125
28 0.00013
29 0.000231
30 0.000234
31 0.000236
32 0.00029
33 0.000421
34 0.000457
35 0.000699
36 0.000933
37 0.000944
38 0.00103
39 0.0011
40 0.00137
41 0.0014
42 0.00167
43 0.0171
44 0.0238
45 0.0358
46 0.0371
47 0.0398
48 0.0473
49 0.0557
50 0.056
51 0.0711
52 0.0733
53 0.075
54 0.0783
55 0.0829
56 0.0837
57 0.0886
58 0.0972
59 0.103
60 0.104
61 0.124
62 0.135
63 0.14
64 0.148
65 0.158
66 0.173
67 0.203
68 0.274
69 0.334
70 0.496
71 1
72 1
73 1
74 1
75 1
76 1.01
77 1.01
78 1.01
79 1.01
80 1.02
81 1.02
82 1.02
83 1.02
84 1.03
85 1.03
86 1.03
87 1.03
88 1.04
89 1.04
90 1.04
91 1.04
92 1.04
93 1.05
94 1.05
95 1.05
96 1.05
97 1.05
98 1.05
99 1.05
100 1.06
101 1.06
102 1.06
103 1.08
104 1.08
105 1.11
106 1.62


0 9.23e-06
1 9.23e-06
2 9.74e-06
3 9.91e-06
4 1.04e-05
5 1.12e-05
6 1.19e-05
7 1.66e-05
8 1.81e-05
9 2.02e-05
10 2.12e-05
11 2.18e-05
12 3.21e-05
13 4.81e-05
14 5.1e-05
15 5.58e-05
16 5.85e-05
17 9.34e-05
18 9.66e-05
19 0.000113
20 0.000176
21 0.000182
22 0.000187
23 0.000192
24 0.000211
25 0.000366
26 0.000482
27 0.000584
28 0.000824
29 0.00113
30 0.0197
31 0.0232
32 0.0334
33 0.0343
34 0.0434
35 0.053
36 0.0658
37 0.0682
38 0.0761
39 0.0802
40 0.0899
41 0.104
42 0.149
43 0.163
44 0.171
45 0.181
46 0.202
47 0.294
48 0.307
49 0.333
50 0.362
51 0.59
52 0.661
53 0.672
54 0.696
55 0.729
56 0.862


0 1.24e-05
1 1.24e-05
2 1.27e-05
3 1.32e-05
4 1.56e-05
5 1.83e-05
6 2.14e-05
7 2.35e-05
8 2.46e-05
9 2.8e-05
10 3.24e-05
11 4.23e-05
12 4.44e-05
13 6.69e-05
14 6.73e-05
15 0.000104
16 0.000105
17 0.000108
18 0.00013
19 0.000173
20 0.000225
21 0.000233
22 0.000264
23 0.00033
24 0.000334
25 0.000341
26 0.000398
27 0.000484
28 0.000518
29 0.000523
30 0.000617
31 0.000789
32 0.000816
33 0.000832
34 0.00106
35 0.00124
36 0.00125
37 0.00131
38 0.00145
39 0.0196
40 0.0254
41 0.0291
42 0.0298
43 0.0334
44 0.0567
45 0.057
46 0.0592
47 0.0689
48 0.0739
49 0.0856
50 0.0901
51 0.109
52 0.113
53 0.122
54 0.156
55 0.303
56 0.305
57 0.305
58 0.34
59 0.402
60 0.59
61 1.17


0 3.31e-06
1 3.31e-06
2 7.17e-06
3 7.68e-06
4 8.8e-06
5 1.35e-05
6 2.68e-05
7 4.16e-05
8 5.61e-05
9 6.31e-05
10 0.0005
11 0.00377


EOD
shown = 5
most = 128
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
