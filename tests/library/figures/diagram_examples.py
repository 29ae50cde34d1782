"""Small content for each diagram, as a section would compute it: what the tests draw."""

EXAMPLES = {
    "attention_pooling": {
        "labels": ["red", "car"],
        "query": [2.0, 0.0],
        "keys": [[1.0, -0.04], [0.0, 1.0]],
        "scores": [1.41, 0.0],
        "weights": [0.8, 0.2],
        "values": [[1.0], [3.0]],
        "output": [1.4],
        "asks": "?",
    },
    "token_vectors": {
        "labels": ["red", "car"],
        "columns": {"x": [[0.0, 1.0, 0.2], [0.2, 1.0, 0.8]], "q": [[1.0, -0.5], [0.0, 2.0]]},
        "roles": ["plain", "query"],
        "steps": ["W"],
    },
    "sequence_to_sequence": {
        "source": ["the", "red", "car"],
        "target": ["la", "voiture", "rouge"],
        "states": [[1.0, 0.0], [0.0, 1.0], [0.5, -1.0]],
        "context": [0.5, 0.0],
    },
    "sequence_with_attention": {
        "source": ["the", "red", "car"],
        "target": ["la", "voiture", "rouge"],
        "states": [[1.0, 0.0], [0.0, 1.0], [0.5, -1.0]],
        "queries": [[2.0, 0.0], [0.0, 2.0], [-1.0, 0.0]],
        "scores": [[1.41, 0.0, 0.71], [0.0, 1.41, -1.41], [-0.71, 0.0, -0.35]],
        "weights": [[0.58, 0.14, 0.28], [0.19, 0.77, 0.05], [0.22, 0.45, 0.32]],
        "contexts": [[0.72, -0.14], [0.21, 0.72], [0.38, 0.13]],
    },
    "multi_head": {
        "labels": ["red", "car"],
        "asks": 1,
        "inputs": [[1.0, 0.0], [0.0, -1.0]],
        "queries": [[0.0], [-1.0]],
        "keys": [[[1.0], [0.0]], [[0.0], [-1.0]]],
        "weights": [[0.5, 0.5], [0.27, 0.73]],
        "values": [[[1.0], [0.0]], [[0.0], [-1.0]]],
        "outputs": [[0.5], [-0.73]],
        "result": [0.5, -0.73],
    },
    "causal_mask": {
        "labels": ["<bos>", "la"],
        "scores": [[0.5, 1.0], [-0.5, 0.5]],
        "mask": [[True, False], [True, True]],
        "weights": [[1.0, 0.0], [0.27, 0.73]],
    },
    "encoder_layer": {
        "token": "car",
        "x": [0.5, -1.0],
        "given": {"self_attention": [0.1, 0.2], "feed_forward": [1.0, 0.0]},
        "sums": {"self_attention": [0.6, -0.8], "feed_forward": [1.6, -0.8]},
    },
    "decoder_layer": {
        "token": "la",
        "x": [0.5, -1.0],
        "given": {
            "masked": [0.1, 0.2],
            "cross_attention": [0.0, 0.0],
            "feed_forward": [1.0, 0.0],
        },
        "sums": {
            "masked": [0.6, -0.8],
            "cross_attention": [0.6, -0.8],
            "feed_forward": [1.6, -0.8],
        },
    },
    "transformer": {"layers": 2},
    "paths": {"tokens": ["the", "red", "car"], "steps": [2, 3, 1]},
}
