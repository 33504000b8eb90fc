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
