"""Rules."""
load("//a:b.bzl", "c")

LIMIT = 9
CartInfo = provider(fields = ["lines"])

def _impl(ctx):
    """All lines."""
    x = 1
    def inner(a):
        return a
    return x

cart_library = rule(
    implementation = _impl,
    attrs = {"srcs": attr.label_list()},
)

cart_library(
    name = "cart",
    srcs = ["a"],
)

# A macro.
def cart(name, **kwargs):
    pass

[cart(name = x) for x in []]
