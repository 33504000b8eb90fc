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
planner[1] = 'best'
planner[2] = 'exact'
$curves << EOD
0 8.46e-06
1 8.46e-06
2 1.04e-05
3 1.29e-05
4 1.39e-05
5 1.92e-05
6 2e-05
7 2.16e-05
8 2.17e-05
9 2.19e-05
10 2.19e-05
11 2.28e-05
12 2.44e-05
13 2.81e-05
14 3.51e-05
15 3.51e-05
16 3.55e-05
17 5.8e-05
18 6.62e-05
19 7.29e-05
20 7.68e-05
21 7.78e-05
22 7.8e-05
23 8.5e-05
24 9.97e-05
25 0.000125
26 0.000128
27 0.000134
28 0.00016
29 0.000238
30 0.00025
31 0.00025
32 0.000254
33 0.000313
34 0.000318
35 0.00034
36 0.000352
37 0.000359
38 0.000403
39 0.000404
40 0.000455
41 0.000491
42 0.000493
43 0.000519
44 0.000601
45 0.000658
46 0.000674
47 0.00069
48 0.000885
49 0.000899
50 0.00103
51 0.0013
52 0.00135
53 0.0014
54 0.00145
55 0.00164
56 0.00173
57 0.00191
58 0.00231
59 0.00258
60 0.00282
61 0.0039
62 0.012
63 0.0136
64 0.016
65 0.0206
66 0.0207
67 0.0212
68 0.0214
69 0.022
70 0.0226
71 0.0249
72 0.026
73 0.026
74 0.0279
75 0.0301
76 0.0304
77 0.031
78 0.0348
79 0.0367
80 0.0488
81 0.0528
82 0.0569
83 0.0575
84 0.0602
85 0.0605
86 0.0746
87 0.0786
88 0.0968
89 0.104
90 0.106
91 0.112
92 0.112
93 0.114
94 0.119
95 0.122
96 0.125
97 0.131
98 0.142
99 0.168
100 0.189
101 0.19
102 0.223
103 0.225
104 0.254
105 0.271
106 0.288
107 0.295
108 0.346
109 0.349
110 0.35
111 0.364
112 0.438
113 0.497
114 0.542
115 0.652
116 0.715
117 0.993
118 1
119 1
120 1
121 1
122 1
123 1
124 1.02
125 1.04
126 1.04
127 1.06
128 1.08


0 9.18e-06
1 9.18e-06
2 1.08e-05
3 1.41e-05
4 1.44e-05
5 1.44e-05
6 1.96e-05
7 2.1e-05
8 2.24e-05
9 2.36e-05
10 2.37e-05
11 2.38e-05
12 2.46e-05
13 2.56e-05
14 3.56e-05
15 3.68e-05
16 4e-05
17 6.09e-05
18 6.74e-05
19 7.81e-05
20 8.99e-05
21 9.6e-05
22 9.64e-05
23 0.000111
24 0.000118
25 0.000124
26 0.000141
27 0.000144
28 0.000152
29 0.000167
30 0.000193
31 0.000233
32 0.000352
33 0.000391
34 0.000398
35 0.000437
36 0.000474
37 0.00048
38 0.000507
39 0.000531
40 0.000535
41 0.00056
42 0.000735
43 0.000942
44 0.001
45 0.00103
46 0.00103
47 0.00111
48 0.00115
49 0.00122
50 0.00123
51 0.00132
52 0.00139
53 0.00143
54 0.00147
55 0.00155
56 0.00169
57 0.00173
58 0.00176
59 0.00176
60 0.00178
61 0.00179
62 0.00188
63 0.00222
64 0.00225
65 0.00276
66 0.00518
67 0.0117
68 0.0138
69 0.0192
70 0.0193
71 0.0202
72 0.0221
73 0.0232
74 0.0233
75 0.0234
76 0.0269
77 0.0272
78 0.0276
79 0.0322
80 0.0337
81 0.041
82 0.0425
83 0.0446
84 0.0453
85 0.0459
86 0.0464
87 0.0505
88 0.0528
89 0.0551
90 0.0565
91 0.0626
92 0.0654
93 0.0673
94 0.068
95 0.0754
96 0.0755
97 0.0804
98 0.0825
99 0.0865
100 0.0891
101 0.0903
102 0.0925
103 0.121
104 0.131
105 0.132
106 0.14
107 0.141
108 0.194
109 0.245
110 0.254
111 0.321
112 0.362
113 0.394
114 0.397
115 0.523
116 0.562
117 1.02
118 1.03


EOD
shown = 2
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
