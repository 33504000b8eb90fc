c Problem:    
c Rows:       17
c Columns:    8
c Non-zeros:  49
c Status:     INTEGER OPTIMAL
c Objective:  peak_bytes = 12 (MINimum)
c
s mip 17 8 o 12
i 1 -8
i 2 8
i 3 -2
i 4 2
i 5 -6
i 6 6
i 7 4
i 8 12
i 9 6
i 10 0
i 11 0
i 12 8
i 13 4
i 14 2
i 15 10
i 16 0
i 17 12
j 1 12
j 2 8
j 3 0
j 4 6
j 5 0
j 6 0
j 7 1
j 8 0
e o f
