"""What can be wrong with a decoder block, in the words for a student."""

from coursework.questions.cases import Message

POST_NORM = Message(
    "post-norm",
    "规范化放在了残差相加之后：这里的块先规范化，再进子层。",
    "The normalisation comes after the sum: in this block it comes first, before each sublayer.",
)
NO_FIRST_NORM = Message(
    "no-first-norm",
    "注意力之前没有规范化。",
    "Nothing is normalised before the attention.",
)
NO_SECOND_NORM = Message(
    "no-second-norm",
    "前馈网络之前没有规范化。",
    "Nothing is normalised before the feed-forward network.",
)
NO_RESIDUAL = Message(
    "no-residual",
    "缺少残差连接：每个子层的输出要加回它的输入。",
    "A residual connection is missing: what goes into a sublayer is added to what comes out.",
)
NORM_IN_RESIDUAL = Message(
    "normalised-residual",
    "残差连接加的是规范化之后的输入：应当加原来的输入。",
    "The residual connection adds the normalised input: it should add the input as it was.",
)
PARALLEL = Message(
    "parallel",
    "前馈网络读的是块的输入：它应当读注意力子层的结果。",
    "The feed-forward network reads the block's input instead of what the attention gives.",
)
SUBLAYERS = Message(
    "sublayers-swapped",
    "两个子层的顺序反了：先注意力，后前馈网络。",
    "The sublayers are in the wrong order: attention comes first.",
)
NO_GAIN = Message("no-gain", "规范化之后没有乘以增益。", "The gains are not applied.")
GAINS = Message("gains-swapped", "两个增益用反了。", "The two gains have changed places.")
NO_MEAN = Message(
    "mean-kept",
    "规范化没有减去平均值。",
    "The normalisation does not take away the mean.",
)
SAMPLE = Message(
    "sample-variance",
    "方差除以了 d − 1：层规范化除以 d。",
    "The variance is divided by d - 1: layer normalisation divides by d.",
)
NORM_AXIS = Message(
    "norm-over-positions",
    "规范化沿错误的轴：应当在每个词元自己的分量上。",
    "The normalisation runs over the positions: it is over the numbers of each token.",
)
NO_MASK = Message(
    "no-causal-mask",
    "没有因果掩码：每个位置都看见了后面的位置。",
    "There is no causal mask: every position sees those after it.",
)
ONE_AHEAD = Message(
    "one-ahead",
    "掩码偏了一格：每个位置还看见了下一个位置。",
    "The mask is off by one: every position sees the next one, too.",
)
STRICT = Message(
    "diagonal-hidden",
    "掩码太严：每个位置也应当看见自己。",
    "The mask is too strict: a position sees itself, too.",
)
SCALE_WHOLE = Message(
    "scale-by-model-width",
    "缩放用了所有头合起来的宽度：d 是一个头的宽度。",
    "The scale is taken from the width of all heads together: d is the width of one head.",
)
ONE_HEAD = Message(
    "one-head",
    "没有分头：参数 heads 没有起作用。",
    "There is a single head: the argument heads has no effect.",
)
HEADS_MIXED = Message(
    "heads-mixed",
    "拆分头时混在了一起：先拆最后一个轴，再交换头和位置。",
    "Heads and positions are mixed up: split the last axis, then swap heads and positions.",
)
INTERLEAVED = Message(
    "heads-interleaved",
    "头的列是交错取的：第 h 个头应当是相邻的一段列。",
    "The columns of a head are spread out: head h has columns that stand together.",
)
MERGED = Message(
    "heads-merged-wrongly",
    "合并头之前没有把位置换回前面。",
    "Before heads are merged, positions have to be swapped back in front of them.",
)
NO_OUTPUT = Message(
    "no-output-projection",
    "合并头之后没有乘以 w_o。",
    "The merged heads are not multiplied by w_o.",
)
NO_RELU = Message(
    "no-relu",
    "前馈网络中没有 ReLU。",
    "The feed-forward network has no ReLU.",
)
OTHER_ACTIVATION = Message(
    "other-activation",
    "激活函数不是 ReLU。",
    "The activation is another one than ReLU.",
)
WRONG_AXIS = Message(
    "wrong-axis",
    "softmax 沿错误的轴：应当对每个查询，在所有键上归一化。",
    "The softmax runs over the wrong axis: normalise over the keys, for each query.",
)
