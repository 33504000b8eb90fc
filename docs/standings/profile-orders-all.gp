# Draw by hand: gnuplot profile.gp > profile.svg
#           or: gnuplot -e "format='pdf'" profile.gp > profile.pdf  (or png)
width = 900
height = 560
title = 'Performance profile of peaks'
subtitle = 'share of 34 rows (instances under policies) within a factor of the least peak'
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
1 0.764706
1.00141844 0.794118
1.01154734 0.823529
1.01459854 0.852941
1.01542589 0.882353
1.02854594 0.911765
1.03815261 0.941176
1.03930131 0.970588
1.06099815 1
end0 1
end1 1
end2 1


1 0.941176
1.15105882 0.970588
1.18214286 1
end0 1
end1 1
end2 1


1 0.352941
1.0516129 0.382353
1.08458986 0.411765
1.09090909 0.441176
1.1 0.470588
1.125 0.5
1.12740214 0.529412
1.12745098 0.558824
1.14056225 0.588235
1.18181818 0.617647
1.18733274 0.647059
1.2 0.676471
1.23076923 0.705882
1.24748491 0.735294
1.26666667 0.764706
1.26674365 0.794118
1.27952941 0.823529
1.31785714 0.852941
1.33261339 0.882353
1.35097324 0.911765
1.45957447 0.941176
1.46950092 0.970588
1.58733624 1
end0 1
end1 1
end2 1


1 0.352941
1.0516129 0.382353
1.09090909 0.411765
1.12740214 0.441176
1.15 0.5
1.24748491 0.529412
1.26674365 0.558824
1.31785714 0.588235
1.31818182 0.617647
1.33333333 0.647059
1.35097324 0.676471
1.375 0.705882
1.40820734 0.735294
1.44335415 0.764706
1.45414847 0.794118
1.46153846 0.823529
1.46524425 0.852941
1.48284314 0.882353
1.54494118 0.911765
1.6751773 0.941176
1.73293173 0.970588
1.94639556 1
end0 1
end1 1
end2 1


1 0.323529
1.005861 0.352941
1.032621 0.382353
1.08458986 0.411765
1.09090909 0.441176
1.1 0.470588
1.1875 0.5
1.286121 0.529412
1.29116466 0.558824
1.29129412 0.588235
1.29616414 0.617647
1.32997988 0.647059
1.378663 0.676471
1.4295612 0.705882
1.45588235 0.735294
1.46666667 0.764706
1.47992701 0.794118
1.486193 0.823529
1.49787234 0.852941
1.627989 0.882353
1.65619224 0.911765
1.7510917 0.941176
1.98571429 0.970588
1.99352052 1
end0 1
end1 1
end2 1


1 0.205882
1.09090909 0.264706
1.1 0.294118
1.12478 0.323529
1.125 0.352941
1.35341365 0.382353
1.35950692 0.411765
1.36156584 0.441176
1.3719893 0.470588
1.39432624 0.5
1.4 0.529412
1.46904297 0.558824
1.47149564 0.588235
1.486286 0.617647
1.54965358 0.647059
1.55778589 0.676471
1.56853693 0.705882
1.63970588 0.735294
1.63979868 0.764706
1.75952941 0.794118
1.80961183 0.823529
1.904752 0.852941
2.35637149 0.882353
2.476811 0.911765
2.786803 0.941176
3.28820961 0.970588
3.36607143 1
end0 1
end1 1
end2 1


1 0.117647
1.0516129 0.147059
1.08333333 0.176471
1.09090909 0.205882
1.1 0.235294
1.125 0.264706
1.150949 0.294118
1.15384615 0.323529
1.19032719 0.352941
1.27272727 0.382353
1.30769231 0.411765
1.32740214 0.441176
1.36363636 0.470588
1.5 0.5
1.547766 0.529412
1.56556646 0.558824
1.57344064 0.588235
1.6 0.617647
1.63163972 0.647059
1.65619224 0.676471
1.73965937 0.705882
1.7510917 0.735294
1.96517647 0.764706
1.97791165 0.794118
1.98571429 0.823529
2.06862745 0.852941
2.07659574 0.882353
2.35853132 0.911765
2.722465 0.941176
2.725888 0.970588
2.849165 1
end0 1
end1 1
end2 1


EOD
shown = 7
most = 3.36607143
least = 0.117647
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
