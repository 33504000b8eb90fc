# Draw by hand: gnuplot profile.gp > profile.svg
#           or: gnuplot -e "format='pdf'" profile.gp > profile.pdf  (or png)
width = 900
height = 560
title = 'Performance profile of peaks'
subtitle = 'share of 130 rows (instances under policies) within a factor of the least peak'
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
1 0.984615
1.00128773 0.992308
1.01611328 1
end0 1
end1 1
end2 1


1 0.815385
1.00002231 0.823077
1.00097656 0.830769
1.00123796 0.838462
1.00213718 0.846154
1.00390625 0.853846
1.00483127 0.861538
1.00540541 0.869231
1.00574713 0.876923
1.00648148 0.884615
1.00667302 0.892308
1.01147028 0.9
1.01442308 0.907692
1.01541251 0.915385
1.01611328 0.923077
1.01611459 0.930769
1.01724138 0.938462
1.01818306 0.946154
1.01883292 0.953846
1.02201974 0.961538
1.02854512 0.969231
1.04059041 0.976923
1.06500956 0.984615
1.08077617 0.992308
1.08809293 1
end0 1
end1 1
end2 1


1 0.430769
1.00001732 0.438462
1.00009929 0.446154
1.00023004 0.453846
1.00062689 0.461538
1.00082661 0.469231
1.00100959 0.476923
1.00146884 0.484615
1.0016439 0.492308
1.00253255 0.5
1.00477172 0.507692
1.00555252 0.515385
1.00585938 0.523077
1.01238035 0.530769
1.01252389 0.538462
1.01639411 0.546154
1.01739198 0.553846
1.01883292 0.561538
1.01898626 0.569231
1.02003251 0.576923
1.02050781 0.584615
1.02246094 0.592308
1.02279202 0.6
1.02308358 0.607692
1.02540693 0.615385
1.02937022 0.623077
1.03340926 0.630769
1.03487276 0.638462
1.04 0.653846
1.04300772 0.661538
1.04343891 0.669231
1.04347826 0.676923
1.04513668 0.684615
1.04519774 0.692308
1.04725898 0.7
1.04868549 0.707692
1.05238095 0.715385
1.05649158 0.723077
1.05651341 0.730769
1.06028369 0.738462
1.06296296 0.746154
1.06407312 0.753846
1.06500956 0.761538
1.06549815 0.769231
1.06658673 0.776923
1.06673022 0.784615
1.06896552 0.792308
1.07749154 0.8
1.0794702 0.807692
1.07992734 0.815385
1.08476027 0.823077
1.08496094 0.830769
1.0859375 0.838462
1.08830731 0.846154
1.0951087 0.853846
1.09787627 0.861538
1.09844771 0.869231
1.1015625 0.876923
1.10495495 0.884615
1.12533572 0.892308
1.1261731 0.9
1.13599275 0.907692
1.14218382 0.915385
1.14272031 0.923077
1.15162455 0.930769
1.15833333 0.938462
1.16697248 0.946154
1.1732817 0.953846
1.19189189 0.961538
1.19391635 0.969231
1.20165746 0.976923
1.20480769 0.984615
1.22691293 0.992308
1.3151184 1
end0 1
end1 1
end2 1


1 0.469231
1.00002216 0.476923
1.00008661 0.484615
1.00049776 0.492308
1.00100959 0.5
1.00433819 0.507692
1.00633484 0.515385
1.00652045 0.523077
1.00675459 0.530769
1.01022112 0.538462
1.0102489 0.546154
1.01218944 0.553846
1.01757812 0.561538
1.01818306 0.569231
1.02162162 0.576923
1.02220302 0.584615
1.02734375 0.592308
1.03024575 0.6
1.03201507 0.607692
1.03234473 0.615385
1.03393025 0.623077
1.03560402 0.630769
1.03619048 0.638462
1.0367884 0.646154
1.04 0.661538
1.0415879 0.669231
1.044537 0.676923
1.04463438 0.684615
1.0452583 0.692308
1.04541026 0.7
1.04555809 0.707692
1.04597701 0.715385
1.05078125 0.723077
1.05148528 0.730769
1.05744888 0.738462
1.05794702 0.746154
1.05882353 0.753846
1.06205813 0.761538
1.06387035 0.769231
1.06659932 0.776923
1.06851852 0.784615
1.08 0.792308
1.08007812 0.8
1.08740234 0.807692
1.09316155 0.815385
1.10218978 0.823077
1.10460993 0.830769
1.10808356 0.838462
1.11443102 0.846154
1.11634349 0.853846
1.13001912 0.861538
1.13768116 0.869231
1.14324569 0.876923
1.17326297 0.884615
1.17403315 0.892308
1.18007663 0.9
1.18276173 0.907692
1.18288288 0.915385
1.19296578 0.923077
1.1994863 0.930769
1.20387454 0.938462
1.20411817 0.946154
1.21923077 0.953846
1.22135417 0.961538
1.22344771 0.969231
1.28170378 0.976923
1.30185185 0.984615
1.38899083 0.992308
1.43897996 1
end0 1
end1 1
end2 1


1 0.0846154
1.00000083 0.0923077
1.00051818 0.1
1.00216924 0.107692
1.00529101 0.115385
1.01059895 0.123077
1.01412755 0.130769
1.02194868 0.138462
1.02517361 0.146154
1.03077158 0.153846
1.03125 0.161538
1.03482037 0.169231
1.03956568 0.176923
1.04694909 0.184615
1.05333367 0.192308
1.05972851 0.2
1.06152344 0.207692
1.06251993 0.215385
1.06673007 0.223077
1.07204953 0.230769
1.07372401 0.238462
1.07494814 0.246154
1.07662329 0.253846
1.07714286 0.261538
1.07917059 0.269231
1.08333333 0.276923
1.08908264 0.284615
1.0933351 0.292308
1.0950324 0.3
1.09510358 0.307692
1.09863281 0.315385
1.09882914 0.323077
1.10018904 0.330769
1.10037071 0.338462
1.10164918 0.346154
1.10321324 0.353846
1.1069493 0.361538
1.10921178 0.369231
1.11015485 0.376923
1.11174242 0.384615
1.11786237 0.392308
1.12356322 0.4
1.12662914 0.407692
1.12948834 0.415385
1.13225644 0.423077
1.13727196 0.430769
1.13874755 0.438462
1.14160156 0.446154
1.14407123 0.453846
1.1620591 0.461538
1.16761853 0.469231
1.18604651 0.476923
1.18861968 0.484615
1.20238095 0.5
1.20731622 0.507692
1.21336371 0.515385
1.22222222 0.523077
1.225 0.530769
1.26757812 0.538462
1.27092602 0.546154
1.27836879 0.553846
1.29347826 0.561538
1.30319956 0.569231
1.32 0.576923
1.3212963 0.584615
1.322253 0.592308
1.33362448 0.6
1.34060654 0.607692
1.34132841 0.615385
1.3536036 0.623077
1.36 0.638462
1.36914062 0.646154
1.38804886 0.653846
1.39648438 0.661538
1.41075051 0.669231
1.41142384 0.676923
1.41493776 0.684615
1.44 0.7
1.46072797 0.707692
1.50990615 0.715385
1.52 0.723077
1.52229931 0.730769
1.6260952 0.746154
1.67641449 0.753846
1.68491787 0.761538
1.71877455 0.769231
1.7375717 0.776923
1.75 0.784615
1.77490965 0.792308
1.79492188 0.8
1.82379655 0.807692
1.82522523 0.815385
1.84220532 0.823077
1.86018519 0.830769
1.88846154 0.838462
1.9296875 0.846154
1.97518051 0.853846
1.99877451 0.861538
2.03133393 0.869231
2.05064457 0.876923
2.10648596 0.884615
2.24660018 0.892308
2.25342466 0.9
2.34570312 0.907692
2.61565523 0.915385
2.65045872 0.923077
2.66302368 0.930769
end0 0.930769
end1 1
end2 1


EOD
shown = 5
most = 2.66302368
least = 0.0846154
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
