memplan_embed(${target} best_builtin ../best_known.csv)
