"""What can be wrong with attention, in the words for a student."""

from coursework.questions.cases import Message

IGNORED = Message(
    "mask-ignored",
    "掩码没有起作用：被掩蔽的位置仍有权重。",
    "The mask has no effect: hidden positions still get weight.",
)
INVERTED = Message(
    "mask-inverted",
    "掩码用反了：True 表示可以关注，这里却被当作要掩蔽的位置。",
    "The mask is inverted: True means may attend, but here it hides.",
)
AFTER = Message(
    "mask-after-softmax",
    "掩码加在 softmax 之后：剩下的权重之和不再是 1。应当先掩蔽分数，再做 softmax。",
    "The mask comes after the softmax: the weights that remain no longer sum to 1. "
    "Mask the scores first.",
)
ZERO_SCORE = Message(
    "masked-to-zero",
    "被掩蔽的分数设成了 0，但 exp(0) = 1，仍然有权重。应当设为负无穷。",
    "Hidden scores are set to 0, but exp(0) = 1 still has weight. Set them to minus infinity.",
)
FINITE = Message(
    "finite-fill",
    "掩蔽时用了有限的数（如 −1e9）：全部被掩蔽的行得到均匀的权重，而不是 0。",
    "Hidden scores are filled with a finite number (such as −1e9): a row with nothing allowed "
    "gets even weights instead of zeros.",
)
EMPTY_ROW = Message(
    "nan-on-empty-row",
    "全部被掩蔽的行得到 NaN：负无穷的 softmax 是 0/0。这样的行应当是 0。",
    "A row with nothing allowed gives NaN: the softmax of minus infinity alone is 0/0. "
    "Such a row should be zeros.",
)
OVERFLOW = Message(
    "overflow",
    "分数很大时 exp 溢出，得到 NaN。先减去每行的最大值。",
    "With large scores exp overflows, and NaN results. Subtract the largest score first.",
)
LAST_AXIS = Message(
    "dim-ignored",
    "参数 dim 没有起作用：softmax 总是沿最后一个轴。",
    "The argument dim has no effect: the softmax always runs over the last axis.",
)
WRONG_AXIS = Message(
    "wrong-axis",
    "softmax 沿错误的轴：应当对每个查询，在所有键上归一化。",
    "The softmax runs over the wrong axis: normalise over the keys, for each query.",
)
NOT_NORMALISED = Message(
    "not-normalised",
    "权重没有归一化：少了除以总和这一步。",
    "The weights are not normalised: the division by their sum is missing.",
)
LOGARITHM = Message(
    "log-softmax",
    "返回的是权重的对数，而不是权重。",
    "The logarithms of the weights are returned, not the weights.",
)
NO_SCALE = Message(
    "no-scale",
    "分数没有缩放：点积应当除以 √d。",
    "The scores are not scaled: divide the dot products by √d.",
)
SCALE_D = Message(
    "scale-by-d",
    "缩放用了 d 而不是 √d。",
    "The scores are divided by d instead of √d.",
)
SCALE_UP = Message(
    "scale-inverted",
    "缩放用反了：点积应当除以 √d，而不是乘以 √d。",
    "The scale is inverted: divide the dot products by √d, do not multiply.",
)
SCALE_LENGTH = Message(
    "scale-by-length",
    "缩放用了序列长度：d 是查询和键的维度，即最后一个轴。",
    "The scale is taken from the sequence length: d is the width of queries and keys, "
    "their last axis.",
)
SCALE_LATE = Message(
    "scale-after-softmax",
    "缩放放在了 softmax 之后：应当缩放的是分数，不是权重。",
    "The scale comes after the softmax: scale the scores, not the weights.",
)
ADDED = Message(
    "mask-added",
    "布尔掩码被当作 0 和 1 加到分数上：被掩蔽的位置仍有权重。",
    "The Boolean mask is added to the scores as 0 and 1: hidden positions still get weight.",
)
NO_SOFTMAX = Message(
    "no-softmax",
    "分数没有经过 softmax 就乘以了值。",
    "The scores are multiplied with the values without a softmax.",
)
NO_VALUES = Message(
    "weights-returned",
    "返回的是注意力权重：还要乘以值。",
    "The attention weights are returned: they still have to be multiplied with the values.",
)
TRANSPOSED = Message(
    "view-for-transpose",
    "转置键用了 view 或 reshape：那样会打乱元素。应当交换最后两个轴。",
    "The keys are transposed with view or reshape, which shuffles them. Swap the last two axes.",
)
HEADS_MIXED = Message(
    "heads-mixed",
    "交换轴时用了 (1, 2)：有头的轴时，这会把头和位置混在一起。应当用 (-2, -1)。",
    "Axes 1 and 2 are swapped: with an axis of heads, this mixes heads and positions. "
    "Swap -2 and -1.",
)
ROLES = Message(
    "queries-and-keys-swapped",
    "查询和键的角色颠倒了：分数的行应当对应查询。",
    "Queries and keys have changed places: a row of scores belongs to a query.",
)
TIMES_INFINITY = Message(
    "zero-times-infinity",
    "0 乘以无穷大得到 NaN。用 masked_fill 或 where 来掩蔽，不要用乘法。",
    "Zero times infinity is NaN. Hide scores with masked_fill or where, not with a product.",
)
MASK_TRANSPOSED = Message(
    "mask-transposed",
    "掩码的行和列颠倒了：行对应查询，列对应键。",
    "The mask's rows and columns have changed places: a row for each query, a column for each key.",
)
WEIGHTS_TRANSPOSED = Message(
    "weights-transposed",
    "权重乘以值之前被转置了：每个查询的那一行权重去乘值。",
    "The weights are transposed before they meet the values: each query's row multiplies them.",
)
SCALE_MODEL = Message(
    "scale-by-model-width",
    "缩放用了所有头合起来的宽度：d 是一个头的宽度。",
    "The scale is taken from the width of all heads together: d is the width of one head.",
)
SCALE_VALUES = Message(
    "scale-by-value-width",
    "缩放用了值的宽度：d 是查询和键的宽度。",
    "The scale is taken from the width of the values: d is the width of queries and keys.",
)
