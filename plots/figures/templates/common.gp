if (!exists("format")) format = "svg"
if (format eq "svg") set terminal svg noenhanced size width,height font "Arial,12" background "white"
if (format eq "pdf") set terminal pdfcairo noenhanced size width/96.0,height/96.0 font "Arial,9"
if (format eq "png") set terminal pngcairo noenhanced size width,height font "Arial,9"
font_small = format eq "svg" ? ",10" : ",7.5"
font_large = format eq "svg" ? ",15" : ",11"

# Okabe and Ito's colours, which people who are colour-blind tell apart too.
colours = "0x0072b2 0xe69f00 0x009e73 0xcc79a7 0x56b4e9 0xd55e00 0xf0e442 0x999999"
colour(i) = int(word(colours, 1 + int(i) % 8))
red = colour(5)

# Title and legend are a plot of their own, as wide as the page: there the legend covers no data.
down(pixels) = 1 - pixels / (1.0 * height)
up(pixels) = pixels / (1.0 * height)
set multiplot
set label 1 title at screen 0.5,screen 1 center offset 0,-1.1 font font_large
set label 2 subtitle at screen 0.5,screen 1 center offset 0,-2.4 textcolor rgb "#555555"
set margins at screen 0.02,screen 0.98,screen down(92),screen down(56)
set key center center horizontal maxrows 2 samplen 1.5
unset border
unset tics
set style fill solid 1 border rgb "#333333"
begin_figure = 'unset label 1; unset label 2; unset key; ' . \
               'set border 3 linecolor rgb "#555555"; set tics out textcolor rgb "black"; ' . \
               'set xtics nomirror; set ytics nomirror'
