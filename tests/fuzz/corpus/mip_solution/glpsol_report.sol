Problem:    
Rows:       17
Columns:    8 (5 integer, 4 binary)
Non-zeros:  49
Status:     INTEGER OPTIMAL
Objective:  peak_bytes = 12 (MINimum)

   No.   Row name        Activity     Lower bound   Upper bound
------ ------------    ------------- ------------- -------------
     1 r1                         -8            -8               
     2 r2                          8             6               
     3 r3                         -2            -8               
     4 r4                          2             2               
     5 r5                         -6            -6               
     6 r6                          6             2               
     7 r7                          4             4               
     8 r8                         12             6               
     9 r9                          6             2               
    10 r10                         0             0               
    11 r11                         0             0               
    12 r12                         8             8               
    13 r13                         4             4               
    14 r14                         2             2               
    15 r15                        10            10               
    16 r16                         0             0               
    17 r17                        12            12               

   No. Column name       Activity     Lower bound   Upper bound
------ ------------    ------------- ------------- -------------
     1 peak         *             12            12             = 
     2 offset_a                    8             0             8 
     3 offset_b                    0             0             6 
     4 offset_c_d~2                6             0            10 
     5 below_a~~b   *              0             0             1 
     6 below_a~~c_d~2
                    *              0             0             1 
     7 below_b~~c_d~2
                    *              1             0             1 
     8 factor_b     *              0             0             1 

Integer feasibility conditions:

KKT.PE: max.abs.err = 0.00e+00 on row 0
        max.rel.err = 0.00e+00 on row 0
        High quality

KKT.PB: max.abs.err = 0.00e+00 on row 0
        max.rel.err = 0.00e+00 on row 0
        High quality

End of output
