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
1 8.461e-06
2 1.0396e-05
3 1.288e-05
4 1.3889e-05
5 1.9176e-05
6 1.9967e-05
7 2.1585e-05
8 2.1668e-05
9 2.1869e-05
10 2.1874e-05
11 2.2762e-05
12 2.4393e-05
13 2.8094e-05
14 3.5102e-05
15 3.5138e-05
16 3.5518e-05
17 5.8047e-05
18 6.6216e-05
19 7.2903e-05
20 7.6817e-05
21 7.7772e-05
22 7.7953e-05
23 8.4967e-05
24 9.9668e-05
25 0.000124772
26 0.000128215
27 0.000133769
28 0.000159748
29 0.000238073
30 0.000250305
31 0.000250499
32 0.000253968
33 0.000313416
34 0.000317771
35 0.000340189
36 0.000352338
37 0.000359081
38 0.000402678
39 0.000403859
40 0.000454612
41 0.000490774
42 0.000493485
43 0.000519032
44 0.000601029
45 0.000658277
46 0.000673935
47 0.000690061
48 0.000885119
49 0.000898529
50 0.00102794
51 0.00129932
52 0.00135425
53 0.0013972
54 0.00145419
55 0.00163611
56 0.00173451
57 0.00190869
58 0.00231227
59 0.0025792
60 0.00282236
61 0.00389679
62 0.0120006
63 0.0136312
64 0.0160446
65 0.0206365
66 0.0207084
67 0.0212424
68 0.0214091
69 0.0220369
70 0.0225531
71 0.0248993
72 0.0260316
73 0.0260399
74 0.0278643
75 0.0300502
76 0.030363
77 0.030966
78 0.0347974
79 0.036679
80 0.048805
81 0.0527663
82 0.0569331
83 0.0575038
84 0.0602101
85 0.0604588
86 0.0746382
87 0.0786328
88 0.0967679
89 0.104484
90 0.106144
91 0.111765
92 0.112484
93 0.1136
94 0.119168
95 0.122299
96 0.12474
97 0.1313
98 0.142133
99 0.168068
100 0.18926
101 0.189616
102 0.223329
103 0.2252
104 0.254201
105 0.270625
106 0.287798
107 0.294934
108 0.345645
109 0.34897
110 0.350253
111 0.3644
112 0.43778
113 0.49666
114 0.541983
115 0.652138
116 0.715388
117 0.992999
118 1.00092
119 1.00134
120 1.00266
121 1.00266
122 1.00383
123 1.00394
124 1.0192
125 1.03761
126 1.04271
127 1.0598
128 1.08211


1 9.177e-06
2 1.0765e-05
3 1.4125e-05
4 1.437e-05
5 1.4419e-05
6 1.9606e-05
7 2.104e-05
8 2.2381e-05
9 2.3583e-05
10 2.3723e-05
11 2.3799e-05
12 2.455e-05
13 2.5615e-05
14 3.5582e-05
15 3.6823e-05
16 4e-05
17 6.0921e-05
18 6.7385e-05
19 7.8075e-05
20 8.9901e-05
21 9.5968e-05
22 9.6417e-05
23 0.000111309
24 0.000118197
25 0.000123731
26 0.000141496
27 0.00014437
28 0.000152097
29 0.000167261
30 0.000193335
31 0.00023275
32 0.000352025
33 0.000391352
34 0.000398433
35 0.000436858
36 0.000474251
37 0.000480093
38 0.000506532
39 0.000531028
40 0.00053463
41 0.000559936
42 0.000734638
43 0.000941928
44 0.000999787
45 0.00103116
46 0.00103408
47 0.00110697
48 0.00114835
49 0.00121939
50 0.00123262
51 0.00132342
52 0.00138763
53 0.00142937
54 0.00147316
55 0.00155103
56 0.00169262
57 0.00172957
58 0.00175555
59 0.00176293
60 0.00178146
61 0.00178652
62 0.00188305
63 0.00222219
64 0.00225209
65 0.00276248
66 0.00518421
67 0.0117394
68 0.0138204
69 0.0191661
70 0.0192698
71 0.0201741
72 0.0220708
73 0.023173
74 0.0233425
75 0.0233683
76 0.0269426
77 0.0271795
78 0.0276066
79 0.0321917
80 0.0336872
81 0.0409721
82 0.0424998
83 0.0445648
84 0.0453317
85 0.0459324
86 0.0464324
87 0.0505482
88 0.0528098
89 0.0551274
90 0.0564891
91 0.0625718
92 0.0654315
93 0.0673032
94 0.0679962
95 0.0753947
96 0.0755463
97 0.0803631
98 0.0824855
99 0.0864544
100 0.0891325
101 0.09026
102 0.0924961
103 0.121429
104 0.131236
105 0.132384
106 0.139893
107 0.141385
108 0.193987
109 0.244741
110 0.254311
111 0.320615
112 0.362257
113 0.393732
114 0.396736
115 0.523273
116 0.562108
117 1.01633
118 1.03396


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
