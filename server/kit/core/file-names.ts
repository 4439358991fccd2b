import { cut, splitEnds } from '#contract/kit/cut.ts'

/** Bytes of a name with room for an ending; file systems take 255. */
const BYTES_MAX = 180
// Paths, what Windows reserves, control characters, and marks that turn the direction of what is read; joiners are letters' own.
const FORBIDDEN = /(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}<>:"/\\|?*]/gu
const RESERVED = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i

/** A text as the name of a file on any system, without a path and without an ending. */
export function safeFileName(text: string, fallback: string): string {
  const plain = text.toWellFormed().replace(FORBIDDEN, '_').replace(/\s+/g, ' ')
  let short = cut(plain, BYTES_MAX)
  while (Buffer.byteLength(short) > BYTES_MAX) short = cut(short, short.length - 1)
  const name = splitEnds(short, (character) => character === '.' || character === ' ')[1] || fallback
  return RESERVED.test(name) ? `_${name}` : name
}

/** Gives each file of an archive a name of its own, regardless of case: "Flood (2).pdf". */
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
