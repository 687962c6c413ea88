"""Passwords that show by their place: in a command line, in a row of `.pgpass`, as an argument that has no name."""

from __future__ import annotations

from context_pack.lazy_regex import later
from context_pack.redaction.values import is_secret

_ARGS = rb"\b[^\n]{0,200}?[ \t]"  # what stands between a command and the option in question
_VALUE = rb"[ \t=]{0,4}\\?[\"']?([^\s\"'$<{|-][^\s\"']{3,128})"
_SHORT = rb"([^\s\"'$<{|]{3,128})"
_STDIN = rb"(?:sudo[ \t]+-\w{0,4}S\b|[^\n|]{0,120}?--(?:password-stdin|with-token|stdin)\b)"
_READS = rb"(?:\b(?:kinit|login|passwd)|--with-token|--password-stdin|--stdin)"  # a password from its input
_PIPE = rb"[ \t]{0,4}\|[^\n|]{0,40}?"
_IDENTIFIED = later(
    rb"(?i)\bidentified by[ \t]+(?:password[ \t]+)?[\"']([^\s\"'$<{][^\r\n\"']{3,128})[\"']|identified by"
)

# What must stand in a text for a pattern to be tried (each costs half a second for a gigabyte) -> the pattern, whose
# group is the password.
_ANYWHERE = (
    (b"curl", later(rb"\bcurl" + _ARGS + rb"(?:-u|--user)[ =]?[\"']?[^\s:\"'$]{1,64}:" + _SHORT)),
    (b"IDENTIFIED BY", _IDENTIFIED),
    (b"identified by", _IDENTIFIED),
)
# What hardly ever stands in a program, and often in scripts, settings and documents
_SCRIPTS = (
    (b"redis-cli", later(rb"\bredis-cli" + _ARGS + rb"-a" + _VALUE)),
    (b"aws configure", later(rb"\baws configure set \S{0,64}(?:secret|token)\S{0,32}[ \t]" + _VALUE)),
    (b"jdbc:oracle", later(rb"jdbc:oracle:\w{1,8}:[\w.$]{1,64}/([^\s\"'$<{/@]{3,128})@")),
    (b"htpasswd", later(rb"\bhtpasswd[ \t]+-[A-Za-z]{0,4}b[A-Za-z]{0,4}[ \t]+\S{1,200}[ \t]+\S{1,64}[ \t]" + _VALUE)),
    (b"pass", later(rb"\b(?:keytool|jarsigner)" + _ARGS + rb"-(?:store|key)pass" + _VALUE)),
    (b"ldap", later(rb"\bldap(?:search|add|modify|delete|whoami|passwd)" + _ARGS + rb"-w" + _VALUE)),
    (b"snmp", later(rb"\bsnmp\w{2,12}" + _ARGS + rb"-A" + _VALUE)),
    (b"snmp", later(rb"\bsnmp\w{2,12}" + _ARGS + rb"-X" + _VALUE)),
    (b" -P", later(rb"\b(?:sqlcmd|ipmitool|zip|unzip)" + _ARGS + rb"-P" + _VALUE)),
    (b"net use", later(rb"\bnet use" + _ARGS + rb"/user:\S{1,64}[ \t]" + _VALUE)),
    (b"xfreerdp", later(rb"\bxfreerdp" + _ARGS + rb"/p:" + _VALUE)),
    (b"smbclient", later(rb"\bsmbclient" + _ARGS + rb"-U[ \t]?[\"']?[^\s%\"']{1,64}%" + _SHORT)),
    (b"lftp", later(rb"\blftp" + _ARGS + rb"-u[ \t]?[\"']?[^\s,\"']{1,64}," + _SHORT)),
    (b"echo", later(rb"\becho[ \t]+(?:-n[ \t]+)?[\"']?" + _SHORT + rb"[\"']?[ \t]{0,4}\|[ \t]{0,4}" + _STDIN)),
    (b"<<<", later(_READS + rb"\b[^\n<]{0,120}<<<[ \t]{0,4}[\"']?" + _SHORT)),
    (b"chpasswd", later(rb"\becho[ \t]+[\"']?[^\s:\"']{1,64}:" + _SHORT + rb"[\"']?" + _PIPE + rb"\bchpasswd")),
    (b"sqlplus", later(rb"\bsqlplus[ \t]+(?:-\w+[ \t]+){0,4}[\w.$]{1,64}/([^\s\"'$<{/@]{3,128})@")),
    # `host:port:database:user:password` of .pgpass, with the ports of PostgreSQL and its poolers
    (b":", later(rb"(?m)^[\w.*-]{1,120}:(?:\*|[56]4\d\d):[^:\s]{1,64}:[^:\s]{1,64}:((?:[^\s:\\]|\\.){4,128})\r?$")),
)
# `-p` is a password behind these commands alone; that of MySQL's stands right behind the letter.
_OPTION = b" -p"
_OPTION_VALUE = later(_VALUE)
_OPTION_OF = later(
    rb"\b(?:sshpass|mongo\w*|(?P<joined>(?:mysql|mariadb)\w*)"
    rb"|(?:docker|podman|buildah|nerdctl|skopeo|helm|oras|az|cf|oc|ibmcloud|registry)\b[^\n]{0,60}?\blogin)\b[^\n]*\Z"
)
MAX_BEFORE = 240  # bytes of a command line before its option


def command_passwords(data: bytes, program: bool) -> list[tuple[int, int]]:
    """(start, end) of the passwords that are given by their place. `program`: the text is one, and no script."""
    found = [
        match.span(1)
        for command, pattern in (_ANYWHERE if program else _ANYWHERE + _SCRIPTS)
        if command in data
        for match in pattern.finditer(data)
        if match[1] and is_secret(match[1], "password", bare=False)
    ]
    return found + _options(data)


def _options(data: bytes) -> list[tuple[int, int]]:
    found: list[tuple[int, int]] = []
    at = data.find(_OPTION)
    while at >= 0:
        value = _OPTION_VALUE.match(data, at + len(_OPTION))
        if value and is_secret(value[1], "password", bare=False):
            command = _OPTION_OF.search(data, max(0, at - MAX_BEFORE), at)
            if command and not (command["joined"] and data[at + len(_OPTION)] in b" ="):
                found.append(value.span(1))
        at = data.find(_OPTION, at + 1)
    return found
