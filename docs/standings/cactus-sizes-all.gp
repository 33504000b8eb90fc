# Draw by hand: gnuplot cactus.gp > cactus.svg
#           or: gnuplot -e "format='pdf'" cactus.gp > cactus.pdf  (or png)
width = 900
height = 560
title = 'Rows solved as well as by any, within a time'
subtitle = 'rows (of 17) whose least known peak a planner reaches, the quickest first; 8 of 90 shown'
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
planner[5] = 'glpk'
planner[6] = 'omni_tabu'
planner[7] = 'cbc'
planner[8] = 'strip_best_fit_all'
$curves << EOD
0 7.071e-06
1 7.071e-06
2 3.6474e-05
3 4.051e-05
4 8.6949e-05
5 8.9974e-05
6 0.00010801
7 0.000117024
8 0.000161199
9 0.000726338
10 0.000790103
11 0.00091588
12 0.00103645
13 0.00186024
14 0.00597427
15 0.00614952
16 0.0100979
17 0.0665229


0 7.321e-06
1 7.321e-06
2 3.7857e-05
3 4.2062e-05
4 9.0104e-05
5 9.3198e-05
6 0.000111004
7 0.000147669
8 0.000159086
9 0.000777324
10 0.000786598
11 0.00087544
12 0.00102041
13 0.00105214
14 0.00396218
15 0.00461525
16 0.00600761
17 0.408789


0 2.254e-06
1 2.254e-06
2 1.4432e-05
3 3.6835e-05
4 7.1536e-05
5 8.6448e-05
6 0.00010786
7 0.00294064
8 0.0950468
9 0.113877


0 5.628e-06
1 5.628e-06
2 1.0656e-05
3 4.9955e-05
4 8.8922e-05
5 0.000102182
6 0.000110314
7 0.00316301
8 0.0897564
9 0.108927


0 0.000152186
1 0.000152186
2 0.000156662
3 0.00126336
4 0.0027068
5 0.00347233
6 0.00352695
7 0.0262479
8 0.198542
9 0.87109


0 2.955e-06
1 2.955e-06
2 1.0065e-05
3 4.057e-05
4 7.7445e-05
5 7.7755e-05
6 0.000132356
7 0.00553942
8 0.00592733


0 0.000156883
1 0.000156883
2 0.000158705
3 0.00127892
4 0.0027211
5 0.00357838
6 0.00405896


0 6.51e-06
1 6.51e-06
2 9.417e-05
3 0.000179727
4 0.000217793
5 0.00033002


EOD
shown = 8
most = 17
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
