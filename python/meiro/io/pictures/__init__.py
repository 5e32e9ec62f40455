"""Steps in reading a picture of a maze: thresholds, coloured marks, speckles, the frame, blocks of pixels."""
