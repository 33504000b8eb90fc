# Objective value = 14
peak 7
offset_a 5
offset_b 0
offset_c_d~2 3
below_a~~b 0
