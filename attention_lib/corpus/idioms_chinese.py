"""The idioms in Chinese: the same sentences as in ``idioms.py``, cut where Chinese cuts them."""

TABLE = """
go | .                                  去 | 。
hello | !                               你好 | ！
good morning | !                        早上 好 | ！
good evening | !                        晚上 好 | ！
good night | !                          晚安 | ！
goodbye | !                             再见 | ！
thank you | .                           谢谢 | 。
thank you very much | .                 非常 感谢 | 。
you're welcome | .                      不 客气 | 。
please | .                              请 | 。
excuse me | .                           劳驾 | 。
i'm sorry | .                           对不起 | 。
no problem | .                          没 问题 | 。
of course | .                           当然 | 。
what time is it | ?                     几 点 了 | ？
how are you | ?                         你 好 吗 | ？
i'm | fine | .                          我 | 很 好 | 。
what's your name | ?                    你 叫 什么 名字 | ？
my name is | marie | .                  我 叫 | 玛丽 | 。
my name is | paul | .                   我 叫 | 保罗 | 。
how old are you | ?                     你 多 大 | ？
nice to meet you | .                    很 高兴 认识 你 | 。
see you tomorrow | .                    明天 见 | 。
see you soon | .                        回头 见 | 。
see you later | .                       待会儿 见 | 。
good luck | !                           祝 你 好运 | ！
happy birthday | !                      生日 快乐 | ！
congratulations | !                     恭喜 | ！
cheers | !                              干杯 | ！
enjoy your meal | !                     祝 你 胃口 好 | ！
have a good trip | !                    一路 平安 | ！
welcome | !                             欢迎 | ！
bless you | !                           多 保重 | ！
hurry up | !                            快 点儿 | ！
shut up | !                             住口 | ！
be careful | !                          小心 | ！
watch out | !                           当心 | ！
help | !                                救命 | ！
fire | !                                着火 了 | ！
stop | !                                停下 | ！
wake up | !                             醒醒 | ！
get up | !                              起床 | ！
sit down | .                            坐下 | 。
stand up | .                            站 起来 | 。
calm down | .                           冷静 一下 | 。
come on | !                             加油 | ！
come here | !                           过来 | ！
go away | !                             走开 | ！
leave me alone | !                      别 烦 我 | ！
let me | see | .                        让 我 | 看看 | 。
let's | go | !                          我们 | 走 吧 | ！
let's | go | .                          我们 | 走 吧 | 。
i | don't know | .                      我 | 不 知道 | 。
i | don't understand | .                我 | 不 明白 | 。
i | don't care | .                      我 | 不 在乎 | 。
i | agree | .                           我 | 同意 | 。
it doesn't matter | .                   没 关系 | 。
never mind | .                          算 了 | 。
too bad | !                             太 糟糕 了 | ！
what a | pity | !                       真 | 可惜 | ！
that's enough | .                       够 了 | 。
it depends | .                          看 情况 | 。
it's raining | .                        下雨 了 | 。
it's snowing | .                        下雪 了 | 。
it's cold | .                           天气 很 冷 | 。
it's hot | .                            天气 很 热 | 。
it's late | .                           很 晚 了 | 。
it's early | .                          还 早 | 。
it's my turn | .                        轮到 我 了 | 。
it's | easy | .                         这 | 很 容易 | 。
it's | true | .                         这 | 是 真 的 | 。
it's | not | true | .                   这 | 不 | 是 真 的 | 。
that's | life | .                       这 就 是 | 生活 | 。
i | love | you | .                      我 | 爱 | 你 | 。
i | miss | you | .                      我 | 想念 | 你 | 。
i'm | on my way | .                     我 | 在 路上 | 。
i'm | in a hurry | .                    我 | 很 着急 | 。
i'm | in love | .                       我 | 恋爱 了 | 。
i'm | sleepy | .                        我 | 困 了 | 。
i'm | kidding | .                       我 | 开 玩笑 | 。
i | have | a | question | .             我 | 有 | 一 个 | 问题 | 。
i | have a headache | .                 我 | 头疼 | 。
i | changed my mind | .                 我 | 改 主意 了 | 。
i | feel sick | .                       我 | 不 舒服 | 。
i | give up | .                         我 | 放弃 | 。
i | can't wait | .                      我 | 等不及 了 | 。
what's | new | ?                        有 什么 | 新鲜 事 | ？
what's | the matter | ?                 怎么 | 了 | ？
what happened | ?                       发生 了 什么 | ？
what do you mean | ?                    你 什么 意思 | ？
how much is it | ?                      多少 钱 | ？
why not | ?                             为什么 不 | ？
who | knows | ?                         谁 | 知道 | ？
really | ?                              真 的 吗 | ？
are you | sure | ?                      你 | 确定 吗 | ？
are you | kidding | ?                   你 在 | 开 玩笑 吗 | ？
have fun | !                            玩 得 开心 | ！
take care | !                           保重 | ！
time | flies | .                        时间 | 过 得 真 快 | 。
better late than never | .              迟 做 总 比 不 做 好 | 。
"""
