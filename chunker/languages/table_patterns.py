"""Patterns that the tables of languages name (`mask=@c`): text that a grammar does not know, exports, heads of classes.

A mask puts blanks over its groups, which keeps every offset. Each pattern takes linear time on any text.
"""

from __future__ import annotations

# `class EXPORT_API Name`, a line with only a macro, `inline API_CALL int f()`, `RLAPI int f()`,
# `typedef int (WINAPI *f)()`, `int f() MUST_CHECK;`, `KEYS(A),` above another one, `void __printf(1, 2) f()`,
# `cart *__attribute__((pure)) f()`; not the type `API(int) f()`
_CAPITALS = r"[A-Z][A-Z0-9]*_[A-Z0-9_]*(?:\((?:[^()\n\"]|\"[^\"\n]*\")*\))?"
_BREAK = r"[ \t]*(?://[^\n]*|\r)?\n\s*"
_C_MACRO = (
    rf"\b(?:class|struct|union|enum)[ \t]+({_CAPITALS})(?=\s+[A-Za-z_])"
    rf"|\b(?:class|struct)[ \t]+\w+[ \t]+({_CAPITALS})(?=\s*\{{)"
    rf"|^(?<!\\\n)[ \t]{{0,2}}({_CAPITALS})[ \t]*\r?$(?!\s*{{)"
    r"|(?:^[ \t]*+(?:(?:inline|static|constexpr|explicit|virtual|friend|extern|export)[ \t]+)*|>[ \t]+)"
    rf"((?:{_CAPITALS}[ \t]+)+)(?=[A-Za-z_~:])(?!(?<=\)[ \t])[A-Z0-9_]*[a-z]\w*[ \t]*\()"
    r"|^([A-Z][A-Z0-9]+)[ \t]+(?=(?:\w+[ \t*&]+)+\w+[ \t]*\()|\(([A-Z_]{3,})[ \t]*(?=\*[ \t]*\w+\)[ \t]*\()"
    r"|\)\s+(_?[A-Z][A-Z0-9_]+)(?=\s*[;{])|^[ \t]++[A-Z][A-Z0-9_]++(\([^()\n]*\))(?=,\s*(?:[A-Z/]|}))"
    r"|^(?=[\w \t*]++\([\d, ])[\w \t*]+[ \t*](\w+\([\d, ]+\))(?=[ \t]+\*?\w+\()"
    r"|\*[ \t]*((?:__attribute__[ \t]*\(\((?:[^()\n]|\([^()\n]*\))*\)\)[ \t]*)+)"
)
# `class CART_API Cart {`, with one macro or several, and Qt's `emit changed(1)`. They are searched in every file, so
# they begin with plain text, which is found fast.
_MACROS = r"((?:[A-Z][A-Z0-9_]{2,}(?:\([^()\n]*\))?[ \t]+){1,3})(?=[A-Za-z_]\w*+(?:[ \t]+final)?\s*+[:{])"
_CALLED = r"(?=[A-Za-z_]\w*+(?:(?:::|\.|->)\w++)*+\()"
# In addition, lines of macros between members (`Q_PROPERTY(int a READ a)`, `UPROPERTY(Config)`), `signals:`, `slots`
_CPP_MACRO = (
    _C_MACRO + rf"|[{{}};:)]{_BREAK}((?:[A-Z][A-Z0-9_]{{3,}}(?:\((?:[^()\n]|\([^()\n]*\))*\))?{_BREAK})+)"
    r"(?=[A-Za-z_~/]|};)"
    r"|^[ \t]*((?:Q_SIGNALS|signals)[ \t]*:)|\b(?:public|protected|private)[ \t]+(Q_SLOTS|slots)[ \t]*:"
)
# `typedef NS_ENUM(NSInteger, State) { open, closed };`: what is left declares variables, `State open, closed;`
_COMMENT = r"//[^\n]*+|/\*(?:[^*]|\*(?!/)){0,2000}+\*/"
_NS_ENUM = (
    r"^[ \t]*(typedef\s+[A-Z]+_[A-Z_]*(?:ENUM|OPTIONS)\s*\(\s*\w+\s*,\s*)\w+(\s*\)[^{};]{0,200}\{)"
    rf"(?:{_COMMENT}|[^{{}},/]|/(?![/*])|,(?!(?:{_COMMENT}|\s)*+\}}))*+(,?)(?:{_COMMENT}|\s)*+(\}})"
)
# `- (void)open API_AVAILABLE(ios(10), macos(10.12));`
_OBJC_MACRO = (
    _C_MACRO + r"|(?<=[\w)*>])(?<!return)(?<!else)\s++((?:[A-Z][A-Z0-9]*_[A-Z0-9_]*+"
    r"(?:\((?:[^()]|\([^()]*\)){0,500}\))?\s*+){1,4}+)(?=[;{])|^(API_AVAILABLE\([^()\n]*(?:\([^()\n]*\)[^()\n]*)*\))"
)
_KOTLIN_CLASS = (  # up to a `constructor` on another line
    r"\b(?:class|interface)\s+\w+(?:\s*<[^{}()=]{0,200}>)?"
    r"(?:\s+(?:@[\w.:]+(?:\([^()]{0,200}\))?|private|protected|internal|public|actual))*\s+constructor\b"
)
# `$$"..."`: how many dollars an interpolation begins with; `object : Shape by circle { ... }`; `actual override fun`
_KOTLIN_WORD = (
    r"(?<![\w$\"])(\$\$+)(?=\")|\bobject\s*:\s*[\w.<>?, ]+?([ \t]by[ \t]+[\w.]+)(?=\s*[{)])"
    r"|\b(actual|expect)(?=[ \t]+(?:class|companion|const|constructor|data|enum|fun|infix|inline|inner|interface"
    r"|internal|object|open|operator|override|private|protected|public|sealed|suspend|val|value|var)\b)"
)
_JSX_WORD = r"\s(c)(?=lass=[\"'{])|\s(f)(?=or=[\"'{])"  # `class` and `for` as attributes: part of a word is a name
# an empty `///`, `a ==> b`, `root</>name`, `{ A = b; }`
_FSHARP_WORD = (
    r"^[ \t]*//+[ \t]*(\r?\n)(?=[ \t]*//)|^[ \t]*(//+)[ \t]*\r?$|[ \t](==?>|\.>>\.?)[ \t\r]|\w(</>)(?=\S)"
    r"|(;)[ \t]*\}"
)
# `@Scope("a")`, `[:]`, `= ~/pattern/`, `a\n?.b`, `a ? b : c`, `Map<K, V>`, `new Map<>()`
# In addition, strings in which the grammar takes an apostrophe for the start of another one; `def "adds"() {`
# A comment or a string without an end goes on to the end of the file or line, which is searched once.
_GROOVY_WORD = (
    r"\b(?:def|void)[ \t]++(?:\"([^\"\n]*'[^\"\n]*)\"|\"[^\"\n]*\"|'[^'\n]*')[ \t]*+(\([^()\n]*\))|"
    r"//[^\n]*+|/\*(?:[^*]|\*(?!/))*+(?:\*/)?|\'{3}(?:[^'\\]|\\.|'(?!''))*+(?:'{3})?"
    r"|\"{3}(?:((?:[^\"\\]|\\.|\"(?!\"\"))*+)\"{3}|(?:[^\"\\]|\\.|\"(?!\"\"))*+)"
    r"|'(?:[^'\\\n]|\\.)*+'?|\"(?=[^\"\n]*')((?:[^\"\\\n$]|\\.|\$\{(?:[^{}\"\n]|\"[^\"\n]*\")*+\}|\$(?!\{))*+)\""
    r"|\"(?:[^\"\\\n]|\\.)*+\"?|"
    r"@[\w.]+([ \t]*\((?:[^()]|\([^()]*\)){0,2000}\))|\[(:)\]|[=(,][ \t]*(~?/(?![/*])(?:[^/\\\n]|\\.)+/)"
    r"|^import[ \t][\w. ]+(\.\*)|[ \t](\?)[ \t][^?:\n]+[ \t](:)[ \t\r\n]|(\.&)(?=\w)"
    r"|(\r?\n[ \t]*)(?=\??\.\w)|(\?)(?=\.\w)|\w<[\w.]+(,[\w ,?.]+|,[\w ,?.]+<[\w ,?.]+>)>(?=[ (])|(<>)(?=\()"
)
# `@use "a" as *`, `@include ns.mixin`, `#{$interpolation}` in a value, `@mixin a($rest...)`, `@extend %placeholder`
_SCSS_WORD = (
    r"@(?:use|forward)\s+[\"'][^\"'\n]*[\"'](\s[^;]{0,1000})|@include\s+([\w-]+\.)"
    r"|(#\{)[^{}\n]*(\})(?=[^{\n]*;)|(\.\.\.)(?=\s*\))|@extend\s+(%)"
)
# `throws(E)`, `nonisolated(unsafe)`, `if let it = try await ...`, `f(())`, `@MainActor func` in a `case`,
# `by: sending F`, `= #isolation`
_SWIFT_WORD = (
    r"\bthrows(\([\w.]+\))|\b(nonisolated\(\w+\)|try[?!]?|await)\s|(@convention\(\w+\))"
    r"|(?:\(|:\s)(\(\))(?=[,)])|^[ \t]+(@\w+)[ \t]+(?=func\b)"
    r"|:\s*(sending|isolated)\s|=\s*(#)(?=isolation|_sourceLocation)"
)
# The class of `function int Cart::total();`, bodies of functions and tasks, assignments, conditionals, macros
_VERILOG = (
    r"^[ \t]*(?:(?!function\b|task\b)\w+ )*+(?:function|task)\b[^;(\n]*?\b(?:(\w+::)(?=\w+\s*[(;]))?\w+\s*"
    r"(?:\((?:[^;()]|\([^()]*+\))*+\)\s*)?;"
    r"((?:[^eft]|e(?!nd(?:function|task)\b)|f(?!unction\b)|t(?!ask\b))*+)(?=end(?:function|task)\b)"
    r"|^[ \t]*([\w.\[\]:$+-]+[ \t]*<?="
    r"(?:[^;{}\n]|\n(?![ \t]*[\w.\[\]]+[ \t]*<?=)|\{(?:[^{}]|\{[^{}]*+\})*+\})*+)(?=;)"
    r"|^[ \t]*(`(?:ifn?def|elsif|else|endif|undef|timescale|include)\b.*)$"
    r"|^[ \t]*(`(?!define)\w+(?:\((?:[^()]|\((?:[^()]|\((?:[^()]|\([^()]*+\))*+\))*+\))*+\))?;?)"
)
# `@[inline]`, `fn first[T](a []T)`, `struct Box[T]`
_V_WORD = r"^(@)\[|\bfn\s+(?:\([^()\n]*\)\s*)?\w+(\[\w+(?:,\s*\w+)*\])(?=\()|\b(?:struct|interface)\s+\w+(\[[\w, ]+\])"
# `resourceInput<'...'>.properties.tags`, `*: string`, `import { cart } from 'cart.bicep'`
_BICEP_TYPE = r"resource(?:Input|Output)<'[^'\n]*'>((?:\.[\w*]+|\[\*\])+\??)|^[ \t]*(\*:.*)$|^(import .*)$"
# `$cart(total)`, `180.`, `;# comment`, `upvar #0`, `0xff`
_TCL_WORD = r"\$[\w:]+(\([^()\s]*\))|\d(\.)(?!\w)|;[ \t]*(#.*)$|\bupvar\s+(#0)|\b0(x[0-9a-fA-F]+)"

# Blocks without a statement as arguments and values (`Mock Get-Cart { }`, `$open = {}`), `"total$"`, `. $here/cart.ps1`
_NO_STATEMENT = r"(?:\s|#[^\n>]*\n)*+(\})"
_POWERSHELL = (
    r"(?:^|[;{|])[ \t]*(?!(?i:function|filter|class|enum|if|elseif|else|try|catch|finally|while|for|foreach|switch|do"
    r"|begin|process|end|clean|trap|data|dynamicparam|param|static|hidden)\b)[^\s\[{};|#\n][^\n{}#;|]*?"
    rf"[^\s@=\n{{}}#;|][ \t]+(\{{){_NO_STATEMENT}|(=[ \t]*\{{){_NO_STATEMENT}|^[ \t]*(&[ \t]*\{{){_NO_STATEMENT}"
    r"|(\$)(?=\")|^[ \t]*[.&][ \t]+(\$[\w:]+[/\\])(?=[\w./\\-])"
)

PATTERNS = {  # by the names that the tables use
    "c": _C_MACRO,
    "cpp": _CPP_MACRO,
    "class_macro": rf"class[ \t]+{_MACROS}",
    "struct_macro": rf"struct[ \t]+{_MACROS}",
    "emit": rf"(emit)(?<!\wemit)[ \t]+{_CALLED}",
    "q_emit": rf"(Q_EMIT)(?<!\wQ_EMIT)[ \t]+{_CALLED}",
    "ns_enum": _NS_ENUM,
    "objc": _OBJC_MACRO,
    "swift": _SWIFT_WORD,
    "kotlin_class": _KOTLIN_CLASS,
    "kotlin": _KOTLIN_WORD,
    "jsx": _JSX_WORD,
    "scss": _SCSS_WORD,
    "groovy": _GROOVY_WORD,
    "throws": r"(throws[ \t]+[\w.]+(?:,\s*[\w.]+)*)(?=\s*\{)",
    "annotation": r"[(,]\s*+(@\w[\w.]*+(?:[ \t]*\((?:[^()]|\([^()]*\)){0,500}\))?)(?=\s+[\w@])",
    "fsharp": _FSHARP_WORD,
    "verilog": _VERILOG,
    "v": _V_WORD,
    "bicep": _BICEP_TYPE,
    "tcl": _TCL_WORD,
    "powershell": _POWERSHELL,
    "powershell_scope": r"^[ \t]*(?i:function|filter)[ \t]+((?i:script|global|local|private):)",
    "export": r"(?!default\b)\S+ export\b",
    "dart_export": r"\S+ export\b",
    "ocaml_module": r"\S+ (?:module|include)\b",
    "dune": r"\A(?![\s\S]*?\(wrapped\s+false)[\s\S]*?\(library\b[^()]*(?:\([^()]*\)[^()]*)*?\(name\s+(\w+)",
    "pub": r"\S+ pub\b",
    "slot": r"[$@]([A-Za-z.][\w.]*)",
    "element": r"->\{(\w+)\}",
    "where": r"^module\s+[\w.']+\s*\(((?:[^()]|\((?:[^()]|\([^()]*\))*\))*)\)\s*where\b",
}
