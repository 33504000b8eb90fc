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
array planner[7]
planner[1] = 'beam'
planner[2] = 'exact_order'
planner[3] = 'xla_default'
planner[4] = 'glow'
planner[5] = 'inductor'
planner[6] = 'reverse_post'
planner[7] = 'stored'
$curves << EOD
0 0.000111455
1 0.000111455
2 0.000132436
3 0.000133439
4 0.000152295
5 0.000200598
6 0.000277522
7 0.000312704
8 0.00035051
9 0.000448986
10 0.000554133
11 0.000911923
12 0.00179063
13 0.00275416
14 0.0036408
15 0.00582766
16 0.00763095
17 0.00908886
18 0.0120598
19 0.0131576
20 0.0148151
21 0.0161471
22 0.0182989
23 0.0200928
24 0.0315603
25 0.0504087
26 0.0517627


0 0.00010103
1 0.00010103
2 0.000108821
3 0.00012155
4 0.000129112
5 0.000143974
6 0.000156291
7 0.000271133
8 0.000393494
9 0.000413093
10 0.000585399
11 0.000643345
12 0.00123118
13 0.00140482
14 0.00181686
15 0.00187326
16 0.00201715
17 0.00326756
18 0.00393746
19 0.00442444
20 0.004847
21 0.00634368
22 0.00685313
23 0.00889271
24 0.00915308
25 0.0117077
26 0.0234107
27 1.00492
28 1.0066
29 1.00668
30 1.00698
31 1.00747
32 1.00954


0 5.8666e-05
1 5.8666e-05
2 7.1867e-05
3 7.7486e-05
4 9.9207e-05
5 0.000135171
6 0.000168209
7 0.000212746
8 0.000221518
9 0.000299424
10 0.00030313
11 0.000347196
12 0.00113423


0 5.3158e-05
1 5.3158e-05
2 5.3499e-05
3 5.7255e-05
4 7.6715e-05
5 0.000133508
6 0.000139478
7 0.000165887
8 0.000208789
9 0.000227327
10 0.000232305
11 0.00025554
12 0.00108393


0 6.2643e-05
1 6.2643e-05
2 8.4636e-05
3 8.6739e-05
4 9.2316e-05
5 0.000103975
6 0.000111606
7 0.000185305
8 0.000213277
9 0.000233867
10 0.000861829
11 0.00219848


0 5.6523e-05
1 5.6523e-05
2 8.2092e-05
3 9.9627e-05
4 0.000142272
5 0.000145646
6 0.00015541
7 0.00112861


0 1.2538e-05
1 1.2538e-05
2 4.8392e-05
3 5.1757e-05
4 0.000398231


EOD
shown = 7
most = 32
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
