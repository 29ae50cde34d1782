"""From pairs of sentences to translations: batches, training, decoding, and what they are worth."""
