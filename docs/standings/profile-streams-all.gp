# Draw by hand: gnuplot profile.gp > profile.svg
#           or: gnuplot -e "format='pdf'" profile.gp > profile.pdf  (or png)
width = 900
height = 560
title = 'Performance profile of peaks'
subtitle = 'share of 28 rows (instances under policies) within a factor of the least peak; 8 of 90 shown'
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
1 1
end0 1
end1 1
end2 1


1 1
end0 1
end1 1
end2 1


1 0.892857
1.03846154 0.928571
1.04007626 0.964286
1.06798077 1
end0 1
end1 1
end2 1


1 0.892857
1.03846154 0.928571
1.04007626 0.964286
1.06798077 1
end0 1
end1 1
end2 1


1 0.785714
1.0000223 0.821429
1.00011812 0.857143
1.00146544 0.892857
1.00356572 0.928571
1.16569042 0.964286
1.20702076 1
end0 1
end1 1
end2 1


1 0.678571
1.00002815 0.714286
1.00319418 0.75
1.00387142 0.785714
1.00405393 0.821429
1.0076438 0.857143
1.03042031 0.892857
1.03211941 0.928571
1.23006916 0.964286
1.2581377 1
end0 1
end1 1
end2 1


1 0.571429
1.01380896 0.607143
1.01748043 0.642857
1.02002397 0.678571
1.02282367 0.714286
1.03059577 0.75
1.03846154 0.785714
1.0583887 0.821429
1.06569563 0.857143
1.07187144 0.892857
1.07938464 0.928571
1.20282364 0.964286
1.26789761 1
end0 1
end1 1
end2 1


1 0.535714
1.01380896 0.571429
1.01748043 0.607143
1.02002397 0.642857
1.02282367 0.678571
1.03059577 0.714286
1.03846154 0.75
1.05036726 0.785714
1.0583887 0.821429
1.06569563 0.857143
1.07187144 0.892857
1.07938464 0.928571
1.20282364 0.964286
1.26789761 1
end0 1
end1 1
end2 1


EOD
shown = 8
most = 1.26789761
least = 0.535714
# measured, counted, missing: what the axes are, where it is not peaks of rows, and what is missing in the first lane; then nobody is in the second
# $curves: ratio share, a block for each planner, the last three points in the lanes end0, end1, end2
set margins at screen 0.02,screen 0.98,screen down(110),screen down(56)
set key maxrows 3
plot [0:1] [0:1] NaN notitle, \
     for [i = 1:shown] keyentry with lines linewidth width_of(i - 1) dashtype dash_of(i - 1) linecolor rgb tint(i - 1) title planner[i].note(i - 1)

eval begin_figure
# log2(ratio), and beyond the greatest one a lane for rows without a plan and one for refused plans.
wide = most > 1.02 ? log(most) / log(2) : 0.03
lane = wide / 14.0
at(text) = text eq "end0" ? wide + 0.3 * lane : text eq "end1" ? wide + lane : text eq "end2" ? wide + 2 * lane : log(real(text)) / log(2)
set xrange [0:wide + 2.6 * lane]
bottom = floor(10 * least - 0.5) / 10.0
set yrange [(bottom > 0 ? bottom : 0):1.02]
set xlabel exists("measured") ? measured : "peak / least peak (logarithmic)"
set ylabel exists("counted") ? counted : "share of rows"
set grid y linetype 1 linewidth 0.7 linecolor rgb hairline
set xtics ("1" 0)
ticks = "1.001 1.002 1.005 1.01 1.02 1.05 1.1 1.2 1.5 2 3 5 10 20 50 100 200 500 1000 10000"
last = 0
do for [i = 1:words(ticks)] {
    place = log(real(word(ticks, i))) / log(2)
    if (place < wide && place - last > wide / 16.0) { set xtics add (word(ticks, i) place); last = place }
}
set xtics add (exists("missing") ? missing : "no\nplan" wide + lane, exists("missing") ? "" : "refused" wide + 2 * lane)
set arrow 1 from wide + 0.3 * lane, graph 0 to wide + 0.3 * lane, graph 1 nohead linecolor rgb muted dashtype 3
set margins at screen 0.095,screen 0.97,screen up(66),screen down(122)
plot for [i = 1:shown] $curves index (i - 1) using (at(stringcolumn(1))):2 with steps linewidth width_of(i - 1) dashtype dash_of(i - 1) linecolor rgb tint(i - 1)
unset multiplot
