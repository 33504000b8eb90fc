memplan_embed(${target} collection_features ../../datasets/collection/features.csv)
