Optimal - objective value 12.00000000
      0 peak                        12                       1
      1 offset_a                     8                       0
      2 offset_b                     0                       0
      3 offset_c_d~2                 6                       0
      4 below_a~~b                   0                       0
      5 below_a~~c_d~2               0                       0
      6 below_b~~c_d~2               1                       0
      7 factor_b                     0                       0
