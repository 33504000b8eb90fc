# $bars: place ratio policy "planner" "value"   $heads: place "instance, policy"
plot [0:1] [0:1] NaN notitle, \
     for [i = 1:|policy|] keyentry with boxes fillcolor rgb colour(i - 1) title policy[i], \
     keyentry with lines linecolor rgb ink dashtype 3 title "load"

eval begin_figure
cut = most * 1.06
clip(ratio) = ratio > cut ? cut : ratio
beyond(ratio) = ratio > cut ? ">> " : ""
set xrange [0:most * 1.45]
set yrange [count - 0.2:-0.8]
set xlabel "peak / load"
set ytics scale 0
set grid x linetype 1 linewidth 0.7 linecolor rgb hairline
letters = 0
do for [i = 1:|$bars|] { letters = strlen(word($bars[i], 4)) > letters ? strlen(word($bars[i], 4)) : letters }
set margins at screen left_of(letters),screen 0.98,screen up(62),screen down(100)
set arrow 1 from first 1,graph 0 to first 1,graph 1 nohead front linecolor rgb ink dashtype 3
plot $bars using (clip($2)/2):1:(0.0):(clip($2)):($1-0.36):($1+0.36):(colour($3)):ytic(4) \
         with boxxyerror linecolor rgb variable, \
     '' using (clip($2)):1:(beyond($2).strcol(5)) with labels textcolor rgb ink left offset 0.6,0 font font_small, \
     $heads using (0):1:2 with labels textcolor rgb ink left offset 0.4,0
unset multiplot
