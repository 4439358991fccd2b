const JSON_START = /^[[{]/
const KEY = /^\s*(?:- )?["']?[\w./-]{1,99}["']?:(?:\s|$)/
const ITEM = /^\s*- /
const INDENTED = /^(?: {2}|\t)/
const FRAME = /^\s+at \S|^\s+File ".*", line \d|^Traceback \(most recent call last\)/
const TIME = /^\[?(?:\d{4}-\d\d-\d\d[T ]\d\d:\d\d|[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d )/
/** Share of lines that must look alike. */
const MOST = 0.7

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** True for several lines of YAML, JSON, a log or a stack trace. */
export function looksLikeCode(text: string): boolean {
  const lines = text.split(/\r\n?|\n/).filter((line) => line.trim() !== '')
  if (lines.length < 2) return false
  const areMost = (pattern: RegExp) =>
    lines.filter((line) => pattern.test(line)).length >= lines.length * MOST
  return (
    lines.some((line) => FRAME.test(line)) ||
    areMost(TIME) ||
    (areMost(KEY) && lines.some((line) => INDENTED.test(line)) && !lines.every((line) => ITEM.test(line))) ||
    (JSON_START.test(text.trimStart()) && isJson(text))
  )
}

/** Characters in which a code editor names the look of its window. */
const HEAD = 2_000
/** True for HTML that a code editor copied beside the plain text. */
export function isCopiedCode(html: string): boolean {
  const head = html.slice(0, HEAD)
  return /monospace/i.test(head) && /white-space: ?pre;/i.test(head)
}
