import { cut, splitEnds } from '#contract/kit/cut.ts'

/** Bytes of a name, leaving room for an extension; file systems take 255. */
const BYTES_MAX = 180
// Path separators, characters reserved by Windows, control characters, and marks that change the text direction;
// joiners are part of letters.
const FORBIDDEN = /(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}<>:"/\\|?*]/gu
const RESERVED = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i

/** A text as a file name for any system, without path and extension. */
export function safeFileName(text: string, fallback: string): string {
  const plain = text.toWellFormed().replace(FORBIDDEN, '_').replace(/\s+/g, ' ')
  let short = cut(plain, BYTES_MAX)
  while (Buffer.byteLength(short) > BYTES_MAX) short = cut(short, short.length - 1)
  const name = splitEnds(short, (character) => character === '.' || character === ' ')[1] || fallback
  return RESERVED.test(name) ? `_${name}` : name
}

/** Makes file names of an archive unique, regardless of case: "Flood (2).pdf". */
export function distinctNames(): (name: string, ending: string) => string {
  const taken = new Set<string>()
  const next = new Map<string, number>()
  const keyOf = (name: string) => name.normalize('NFC').toLowerCase()
  return (name, ending) => {
    const key = keyOf(name)
    let number = next.get(key) ?? 1
    const numbered = () => `${name}${number > 1 ? ` (${number})` : ''}.${ending}`
    while (taken.has(keyOf(numbered()))) number += 1
    next.set(key, number + 1)
    taken.add(keyOf(numbered()))
    return numbered()
  }
}
