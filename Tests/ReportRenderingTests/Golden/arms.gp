# arms.svg: drawn by `gnuplot arms.gp`, run in this folder.
# `gnuplot -e png=1 arms.gp` draws arms.png.
if (exists('png')) {
  set terminal pngcairo size 1000,946 font 'Helvetica,11' noenhanced background rgb 'white'
  set output 'arms.png'
} else {
  set terminal svg size 1000,946 dynamic font 'Helvetica,13' noenhanced background rgb 'white' name 'arms'
  set output 'arms.svg'
}
set encoding utf8
data = 'arms.tsv'
set multiplot
set border 3 lc rgb '#444444'
set tics nomirror out scale 0.6 textcolor rgb '#444444'
set grid ytics lc rgb '#dddddd' lw 0.6
set xrange [0:16200]
set lmargin at screen 0.10400
set rmargin at screen 0.98000
set key at screen 0.10400, screen 0.99154 left top Left reverse horizontal maxrows 4 samplen 2.4 width 1 noautotitle

# native
set tmargin at screen 0.83298
set bmargin at screen 0.61099
unset object
unset label
unset arrow
set object 1 rectangle from 0, graph 0 to 1000, graph 1 fc rgb '#f6f6f6' fs solid 1 noborder behind
set label 1 'warm-up' at 500, graph 1 center offset 0,0.6 font ',10' textcolor rgb '#666666'
set object 2 rectangle from 1000, graph 0 to 4000, graph 1 fc rgb '#fff3d6' fs solid 1 noborder behind
set label 2 'pinned' at 2500, graph 1 center offset 0,0.6 font ',10' textcolor rgb '#666666'
set object 3 rectangle from 4000, graph 0 to 5000, graph 1 fc rgb '#f6f6f6' fs solid 1 noborder behind
set label 3 'released' at 4500, graph 1 left rotate by 90 offset 0,0.3 font ',10' textcolor rgb '#666666'
set object 4 rectangle from 5000, graph 0 to 5400, graph 1 fc rgb '#ffffff' fs solid 1 noborder behind
set label 4 'trim' at 5200, graph 1 left rotate by 90 offset 0,0.3 font ',10' textcolor rgb '#666666'
set object 5 rectangle from 5400, graph 0 to 6400, graph 1 fc rgb '#f6f6f6' fs solid 1 noborder behind
set label 5 'warm-up' at 5900, graph 1 center offset 0,0.6 font ',10' textcolor rgb '#666666'
set object 6 rectangle from 6400, graph 0 to 9400, graph 1 fc rgb '#fff3d6' fs solid 1 noborder behind
set label 6 'pinned' at 7900, graph 1 center offset 0,0.6 font ',10' textcolor rgb '#666666'
set object 7 rectangle from 9400, graph 0 to 10400, graph 1 fc rgb '#f6f6f6' fs solid 1 noborder behind
set label 7 'released' at 9900, graph 1 left rotate by 90 offset 0,0.3 font ',10' textcolor rgb '#666666'
set object 8 rectangle from 10400, graph 0 to 10800, graph 1 fc rgb '#ffffff' fs solid 1 noborder behind
set label 8 'trim' at 10600, graph 1 left rotate by 90 offset 0,0.3 font ',10' textcolor rgb '#666666'
set object 9 rectangle from 10800, graph 0 to 11800, graph 1 fc rgb '#f6f6f6' fs solid 1 noborder behind
set label 9 'warm-up' at 11300, graph 1 center offset 0,0.6 font ',10' textcolor rgb '#666666'
set object 10 rectangle from 11800, graph 0 to 14800, graph 1 fc rgb '#fff3d6' fs solid 1 noborder behind
set label 10 'pinned' at 13300, graph 1 center offset 0,0.6 font ',10' textcolor rgb '#666666'
set object 11 rectangle from 14800, graph 0 to 15800, graph 1 fc rgb '#f6f6f6' fs solid 1 noborder behind
set label 11 'released' at 15300, graph 1 left rotate by 90 offset 0,0.3 font ',10' textcolor rgb '#666666'
set object 12 rectangle from 15800, graph 0 to 16200, graph 1 fc rgb '#ffffff' fs solid 1 noborder behind
set label 12 'trim' at 16000, graph 1 left rotate by 90 offset 0,0.3 font ',10' textcolor rgb '#666666'
set arrow 1 from 0, graph 0 to 0, graph 1 nohead dt (6,4) lw 1.2 lc rgb '#777777' front
set label 13 'launch 1' at 0, graph 1 left offset 0.3,3.1 font ',10' textcolor rgb '#222222'
set arrow 2 from 5400, graph 0 to 5400, graph 1 nohead dt (6,4) lw 1.2 lc rgb '#777777' front
set label 14 'launch 2' at 5400, graph 1 left offset 0.3,3.1 font ',10' textcolor rgb '#222222'
set arrow 3 from 10800, graph 0 to 10800, graph 1 nohead dt (6,4) lw 1.2 lc rgb '#777777' front
set label 15 'launch 3' at 10800, graph 1 left offset 0.3,3.1 font ',10' textcolor rgb '#222222'
set ylabel 'native (MB)' offset 0.5,0 textcolor rgb '#222222'
unset logscale y
set yrange [0:24.991062]
set format y '%g'
unset xlabel
set format x ''
plot \
  data index 0 using 1:2 with filledcurves x1 fc rgb '#dcdcdc' fs solid 1 noborder title 'live data', \
  data index 1 using 1:2 with lines lc rgb '#6b6b6b' lw 5 dt solid title 'blocked: the reader keeps its snapshot', \
  data index 2 using 1:2 with lines lc rgb '#d55e00' lw 3.6 dt solid title 'invalidated: invalidate() before blocking', \
  data index 3 using 1:2 with lines lc rgb '#0072b2' lw 2.8 dt solid title 'refreshed: refresh every 500 commits'

# lmdb
set tmargin at screen 0.58774
set bmargin at screen 0.36575
unset object
unset label
unset arrow
set object 1 rectangle from 0, graph 0 to 1000, graph 1 fc rgb '#f6f6f6' fs solid 1 noborder behind
set object 2 rectangle from 1000, graph 0 to 4000, graph 1 fc rgb '#fff3d6' fs solid 1 noborder behind
set object 3 rectangle from 4000, graph 0 to 5000, graph 1 fc rgb '#f6f6f6' fs solid 1 noborder behind
set object 4 rectangle from 5000, graph 0 to 5400, graph 1 fc rgb '#ffffff' fs solid 1 noborder behind
set object 5 rectangle from 5400, graph 0 to 6400, graph 1 fc rgb '#f6f6f6' fs solid 1 noborder behind
set object 6 rectangle from 6400, graph 0 to 9400, graph 1 fc rgb '#fff3d6' fs solid 1 noborder behind
set object 7 rectangle from 9400, graph 0 to 10400, graph 1 fc rgb '#f6f6f6' fs solid 1 noborder behind
set object 8 rectangle from 10400, graph 0 to 10800, graph 1 fc rgb '#ffffff' fs solid 1 noborder behind
set object 9 rectangle from 10800, graph 0 to 11800, graph 1 fc rgb '#f6f6f6' fs solid 1 noborder behind
set object 10 rectangle from 11800, graph 0 to 14800, graph 1 fc rgb '#fff3d6' fs solid 1 noborder behind
set object 11 rectangle from 14800, graph 0 to 15800, graph 1 fc rgb '#f6f6f6' fs solid 1 noborder behind
set object 12 rectangle from 15800, graph 0 to 16200, graph 1 fc rgb '#ffffff' fs solid 1 noborder behind
set arrow 1 from 0, graph 0 to 0, graph 1 nohead dt (6,4) lw 1.2 lc rgb '#777777' front
set arrow 2 from 5400, graph 0 to 5400, graph 1 nohead dt (6,4) lw 1.2 lc rgb '#777777' front
set arrow 3 from 10800, graph 0 to 10800, graph 1 nohead dt (6,4) lw 1.2 lc rgb '#777777' front
set ylabel 'lmdb (MB)' offset 0.5,0 textcolor rgb '#222222'
unset logscale y
set yrange [0:80.644097]
set format y '%g'
unset xlabel
set format x ''
unset key
plot \
  data index 4 using 1:2 with filledcurves x1 fc rgb '#dcdcdc' fs solid 1 noborder notitle, \
  data index 5 using 1:2 with lines lc rgb '#6b6b6b' lw 5 dt solid notitle, \
  data index 6 using 1:2 with lines lc rgb '#d55e00' lw 3.6 dt solid notitle, \
  data index 7 using 1:2 with lines lc rgb '#0072b2' lw 2.8 dt solid notitle

# sqlite
set tmargin at screen 0.34249
set bmargin at screen 0.12051
unset object
unset label
unset arrow
set object 1 rectangle from 0, graph 0 to 1000, graph 1 fc rgb '#f6f6f6' fs solid 1 noborder behind
set object 2 rectangle from 1000, graph 0 to 4000, graph 1 fc rgb '#fff3d6' fs solid 1 noborder behind
set object 3 rectangle from 4000, graph 0 to 5000, graph 1 fc rgb '#f6f6f6' fs solid 1 noborder behind
set object 4 rectangle from 5000, graph 0 to 5400, graph 1 fc rgb '#ffffff' fs solid 1 noborder behind
set object 5 rectangle from 5400, graph 0 to 6400, graph 1 fc rgb '#f6f6f6' fs solid 1 noborder behind
set object 6 rectangle from 6400, graph 0 to 9400, graph 1 fc rgb '#fff3d6' fs solid 1 noborder behind
set object 7 rectangle from 9400, graph 0 to 10400, graph 1 fc rgb '#f6f6f6' fs solid 1 noborder behind
set object 8 rectangle from 10400, graph 0 to 10800, graph 1 fc rgb '#ffffff' fs solid 1 noborder behind
set object 9 rectangle from 10800, graph 0 to 11800, graph 1 fc rgb '#f6f6f6' fs solid 1 noborder behind
set object 10 rectangle from 11800, graph 0 to 14800, graph 1 fc rgb '#fff3d6' fs solid 1 noborder behind
set object 11 rectangle from 14800, graph 0 to 15800, graph 1 fc rgb '#f6f6f6' fs solid 1 noborder behind
set object 12 rectangle from 15800, graph 0 to 16200, graph 1 fc rgb '#ffffff' fs solid 1 noborder behind
set arrow 1 from 0, graph 0 to 0, graph 1 nohead dt (6,4) lw 1.2 lc rgb '#777777' front
set arrow 2 from 5400, graph 0 to 5400, graph 1 nohead dt (6,4) lw 1.2 lc rgb '#777777' front
set arrow 3 from 10800, graph 0 to 10800, graph 1 nohead dt (6,4) lw 1.2 lc rgb '#777777' front
set ylabel 'sqlite (MB)' offset 0.5,0 textcolor rgb '#222222'
unset logscale y
set yrange [0:166.335139]
set format y '%g'
unset xlabel
set format x ''
plot \
  data index 8 using 1:2 with filledcurves x1 fc rgb '#dcdcdc' fs solid 1 noborder notitle, \
  data index 9 using 1:2 with lines lc rgb '#6b6b6b' lw 5 dt solid notitle, \
  data index 10 using 1:2 with lines lc rgb '#d55e00' lw 3.6 dt solid notitle, \
  data index 11 using 1:2 with lines lc rgb '#0072b2' lw 2.8 dt solid notitle

# Snapshots held, by holder
unset object; unset label; unset arrow; unset key; unset logscale y; unset ylabel
set tmargin at screen 0.09725
set bmargin at screen 0.06977
set yrange [-1.0:0.0]
set ytics ('reader' -1+0.5) scale 0 font ',10'
unset grid
set format x '%.0f'
set xlabel 'commits' textcolor rgb '#444444'
plot data index 12 using 1:2:3:4 with vectors nohead lw 7 lc rgb '#e69f00' notitle
unset multiplot
unset output
