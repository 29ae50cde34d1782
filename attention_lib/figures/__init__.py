"""Pictures of attention: heatmaps, and sliders over any figure."""
