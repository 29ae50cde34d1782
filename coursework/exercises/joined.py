"""Several mistakes at once, each of which is named."""

from coursework.questions.cases import Message


def joined(*reasons: Message | None) -> Message | None:
    """The reasons that there are as one, or None.

    >>> joined(Message("scale", "缩放。", "Scale."), None, Message("mask", "掩码。", "Mask."))
    Message(name='scale, mask', zh='缩放。掩码。', en='Scale. Mask.')
    """
    there = [reason for reason in reasons if reason]
    if not there:
        return None
    names, chinese, english = zip(*there, strict=True)
    return Message(", ".join(names), "".join(chinese), " ".join(english))
