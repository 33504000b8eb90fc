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
82 1.00017
83 1.00027
84 1.00035
85 1.00048
86 1.00141
87 1.00164
88 1.0036
89 1.00366
90 1.00411
91 1.00505
92 1.00577
93 1.00623
94 1.00722
95 1.008
96 1.00827
97 1.01106
98 1.01119
99 1.01178
100 1.01289
101 1.01401
102 1.01496
103 1.01522
104 1.01672
105 1.0174
106 1.01741
107 1.01814
108 1.0185
109 1.01858
110 1.01917
111 1.01931
112 1.0194
113 1.01945
114 1.02032
115 1.02087
116 1.02317
117 1.02331
118 1.02341
119 1.03207
120 1.03713
121 1.03744
122 1.03968
123 1.04124
124 1.04272
125 1.04309
126 1.04611
127 1.04778
128 1.04895


1 6.091e-06
2 6.548e-06
3 7.698e-06
4 8.2e-06
5 8.814e-06
6 1.2708e-05
7 1.6049e-05
8 1.7342e-05
9 1.7811e-05
10 2.0063e-05
11 2.7681e-05
12 2.852e-05
13 3.0055e-05
14 3.0388e-05
15 3.0579e-05
16 3.5616e-05
17 4.6495e-05
18 4.9763e-05
19 5.2738e-05
20 8.051e-05
21 9.2441e-05
22 0.000100443
23 0.000109669
24 0.000110412
25 0.000110967
26 0.00011212
27 0.000125033
28 0.000129946
29 0.000230779
30 0.00023395
31 0.00023563
32 0.000289918
33 0.000421338
34 0.000457385
35 0.000699401
36 0.000933284
37 0.000943744
38 0.00102695
39 0.0010959
40 0.00136532
41 0.00140186
42 0.00166987
43 0.0171211
44 0.0237872
45 0.0357839
46 0.0371279
47 0.0397958
48 0.0473298
49 0.0556836
50 0.0559695
51 0.0710743
52 0.0733422
53 0.0750082
54 0.0782836
55 0.0828722
56 0.0837496
57 0.0886428
58 0.0971718
59 0.102704
60 0.103619
61 0.124268
62 0.134575
63 0.139573
64 0.14755
65 0.157656
66 0.172633
67 0.202566
68 0.274236
69 0.334152
70 0.49566
71 1.00026
72 1.00084
73 1.00126
74 1.0034
75 1.00351
76 1.00871
77 1.00897
78 1.01114
79 1.01493
80 1.01569
81 1.0163
82 1.0168
83 1.01979
84 1.03207
85 1.03268
86 1.03292
87 1.03368
88 1.03522
89 1.03608
90 1.04004
91 1.04215
92 1.04216
93 1.04503
94 1.0462
95 1.04838
96 1.05028
97 1.05069
98 1.0524
99 1.05473
100 1.05985
101 1.05986
102 1.06059
103 1.0793
104 1.08284
105 1.10546
106 1.61808


1 9.23e-06
2 9.737e-06
3 9.91e-06
4 1.0431e-05
5 1.1238e-05
6 1.1944e-05
7 1.6565e-05
8 1.814e-05
9 2.0177e-05
10 2.1202e-05
11 2.1799e-05
12 3.2117e-05
13 4.8079e-05
14 5.0961e-05
15 5.5817e-05
16 5.853e-05
17 9.3351e-05
18 9.6597e-05
19 0.000113231
20 0.00017552
21 0.000181845
22 0.00018673
23 0.000192482
24 0.000210999
25 0.000366151
26 0.000481567
27 0.000584092
28 0.000824213
29 0.00112883
30 0.0197074
31 0.0231662
32 0.033434
33 0.0343158
34 0.0434407
35 0.0529762
36 0.0657899
37 0.0682348
38 0.0761169
39 0.0802271
40 0.0899276
41 0.103743
42 0.149008
43 0.162661
44 0.170785
45 0.181492
46 0.20198
47 0.293681
48 0.306687
49 0.333187
50 0.362273
51 0.589784
52 0.660746
53 0.67166
54 0.696125
55 0.728693
56 0.862461


1 1.2384e-05
2 1.2716e-05
3 1.3206e-05
4 1.565e-05
5 1.8337e-05
6 2.1428e-05
7 2.3483e-05
8 2.455e-05
9 2.8035e-05
10 3.236e-05
11 4.2302e-05
12 4.4362e-05
13 6.6868e-05
14 6.7321e-05
15 0.000104498
16 0.000105238
17 0.000107527
18 0.000130057
19 0.000173275
20 0.0002254
21 0.000233032
22 0.000263635
23 0.000330055
24 0.00033417
25 0.000341027
26 0.000398409
27 0.000483832
28 0.000518181
29 0.000523453
30 0.000617413
31 0.000789465
32 0.000816055
33 0.000831592
34 0.00106127
35 0.00123945
36 0.00125139
37 0.00131318
38 0.0014523
39 0.0196022
40 0.025357
41 0.0290805
42 0.0297554
43 0.0333913
44 0.0566908
45 0.0570187
46 0.0592156
47 0.068928
48 0.0738924
49 0.0856416
50 0.0900503
51 0.109135
52 0.112566
53 0.122198
54 0.156058
55 0.302812
56 0.304711
57 0.305297
58 0.340055
59 0.401855
60 0.589793
61 1.16776


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
