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
array planner[2]
planner[1] = 'omni_tabu'
planner[2] = 'vela_hill_climb'
$curves << EOD
0 3.445e-06
1 3.445e-06
2 5.027e-06
3 5.198e-06
4 5.398e-06
5 5.458e-06
6 6.499e-06
7 7.691e-06
8 7.861e-06
9 9.834e-06
10 1.2579e-05
11 1.336e-05
12 2.028e-05
13 2.2644e-05
14 2.3876e-05
15 3.0315e-05
16 3.6404e-05
17 3.9809e-05
18 5.8818e-05
19 7.6403e-05
20 7.9167e-05
21 8.1882e-05
22 8.2092e-05
23 9.1336e-05
24 0.000116222
25 0.000171255
26 0.000212004
27 0.000224784
28 0.000237552
29 0.000261058
30 0.000288319
31 0.000342198
32 0.000392062
33 0.000698798
34 0.00116955
35 0.00120275
36 0.00158776
37 0.00179571
38 0.00218784
39 0.00712255
40 0.00727687
41 0.00746972
42 0.00841375
43 0.00866054
44 0.00902581
45 0.0109815
46 0.0116368
47 0.0133755
48 0.0135454
49 0.014844
50 0.0149917
51 0.015858
52 0.0187019
53 0.0201947
54 0.0247465
55 0.0249889
56 0.0258295
57 0.0320219
58 0.0363418
59 0.0431177
60 0.0484293
61 0.05737
62 0.0589234
63 0.0608846
64 0.0761003
65 0.089367
66 0.100062
67 0.100666
68 0.100759
69 0.115992
70 0.122715
71 0.123177
72 0.124856
73 0.130488
74 0.138171
75 0.144627
76 0.154568
77 0.155746
78 0.158771
79 0.17992
80 0.181474
81 0.220538
82 0.221119
83 0.230489
84 0.236362
85 0.272897
86 0.324556
87 0.340589
88 0.410329
89 0.416154
90 0.468642
91 0.496307
92 0.58235
93 0.591699
94 0.605166
95 0.634959
96 0.814403
97 0.836862
98 0.915997
99 1.0003
100 1.00306
101 1.0039
102 1.00669


0 5.228e-06
1 5.228e-06
2 6.54e-06
3 7.07e-06
4 7.221e-06
5 8.002e-06
6 9.174e-06
7 9.924e-06
8 9.954e-06
9 1.0205e-05
10 1.5663e-05
11 1.7096e-05
12 1.7416e-05
13 2.8242e-05
14 3.2238e-05
15 3.9048e-05
16 4.2193e-05
17 4.7951e-05
18 4.8242e-05
19 4.9964e-05
20 6.8231e-05
21 8.8471e-05
22 9.4921e-05
23 0.000118596
24 0.000133699
25 0.000134469
26 0.000138616
27 0.000144164
28 0.000153538
29 0.000179927
30 0.000186097
31 0.000186527
32 0.000272605
33 0.00028982
34 0.000306585
35 0.000312094
36 0.000384871
37 0.000454965
38 0.000466914
39 0.000529967
40 0.000574894
41 0.000623996
42 0.000684546
43 0.00071425
44 0.000761421
45 0.000900717
46 0.000938022
47 0.00197072
48 0.00228757
49 0.00252332
50 0.00272697
51 0.00298526
52 0.00367197
53 0.00457883
54 0.00483247
55 0.00547693
56 0.0054789
57 0.00565774
58 0.00617999
59 0.00952017
60 0.0147277
61 0.0176116
62 0.0177382
63 0.0203975
64 0.0209476
65 0.0213397
66 0.0271286
67 0.0363204
68 0.0678548
69 0.0809644
70 0.085639
71 0.125288
72 0.200289
73 0.22582
74 0.269071
75 0.312118
76 0.503833
77 0.530104
78 0.982688
79 1.00016
80 1.0002
81 1.00035
82 1.00042
83 1.0028
84 1.00338
85 1.00396
86 1.00597


EOD
shown = 2
most = 102
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
