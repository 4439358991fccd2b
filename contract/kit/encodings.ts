/** Text encodings that can be chosen, by their labels in the Encoding Standard. */
export const ENCODINGS = [
  'utf-8',
  'utf-16le',
  'utf-16be',
  'windows-1252',
  'windows-1250',
  'windows-1251',
  'windows-1253',
  'windows-1254',
  'windows-1255',
  'windows-1256',
  'windows-1257',
  'windows-874',
  'iso-8859-2',
  'macintosh',
  'gb18030',
  'big5',
  'shift_jis',
  'euc-kr',
] as const
export type Encoding = (typeof ENCODINGS)[number]

export interface DecodedText {
  readonly text: string
  readonly encoding: Encoding
  /** True if the encoding was chosen by its letters, because nothing in the file names it. */
  readonly isAssumed: boolean
}

const WESTERN = ['äöüß', 'àâæçéèêëîïôœùûüÿ', 'áéíñóúü', 'áâãàçéêíóôõúü', 'àèéìíîòóùú', 'áéëïóöü', 'åäöæøéü']
/** Letters beyond ASCII of each language that is written in an encoding; upper case is derived. */
const ALPHABETS: readonly (readonly [Encoding, readonly string[]])[] = [
  ['utf-8', [...WESTERN, 'ąćęłńóśźż', 'áčďéěíňóřšťúůýž', 'çğıöşü', 'абвгдежзийклмнопрстуфхцчшщъыьэюя']],
  ['windows-1252', [...WESTERN, 'áéíóúýæö']],
  ['windows-1250', ['äöüß', 'ąćęłńóśźż', 'áčďéěíňóřšťúůýžäôĺľŕ', 'áéíóöőúüű', 'čćđšž', 'ăâîșțşţ']],
  ['macintosh', WESTERN],
  ['windows-1254', ['çğıöşüâîûi̇']],
  ['windows-1251', ['абвгдеёжзийклмнопрстуфхцчшщъыьэюяіїєґўђѓјљњћќџ']],
]

/** Characters that stand beside words in texts of any language. */
const NEUTRAL = /[\u00A0‘’‚“”„–—…•€«»¿¡°§]/
const BEYOND_ASCII = /[^\0-\x7F]/
const SPOILED = /[\u0080-\u009F\uFFFD\uE000-\uF8FF]/
const LINES_MAX = 2_000
const LINE_MAX = 1_000

/** Points of a character between its neighbours, apart from its language. */
function pointsOf(letter: string, before: string, after: string): number {
  if (SPOILED.test(letter)) return -2
  const isBeside = /\p{L}/u.test(before) || /\p{L}/u.test(after)
  if (letter === '’') return /\p{L}/u.test(before) && /\p{L}/u.test(after) ? 1 : 0
  if (!/\p{L}/u.test(letter)) return isBeside && !NEUTRAL.test(letter) ? -1 : 0
  // A capital inside a word, or letters of two scripts in one.
  if (/\p{Lu}/u.test(letter) && /\p{Ll}/u.test(before)) return -1
  const isLatin = /\p{Script=Latin}/u
  const others = [before, after].filter((one) => /\p{L}/u.test(one))
  return others.some((one) => isLatin.test(one) !== isLatin.test(letter)) ? -1 : 0
}

/** Points of a line in the language that explains most of its letters. */
function pointsOfLine(line: string, alphabets: readonly ReadonlySet<string>[]): number {
  let points = 0
  const inLanguage = alphabets.map(() => 0)
  for (let at = 0; at < line.length; at += 1) {
    const letter = line[at]!
    if (letter < '\u0080') continue
    const own = pointsOf(letter, line[at - 1] ?? '', line[at + 1] ?? '')
    points += own
    if (own < 0) continue
    for (const [n, alphabet] of alphabets.entries()) if (alphabet.has(letter)) inLanguage[n]! += 1
  }
  return points + Math.max(0, ...inLanguage)
}

const lettersOf = (alphabet: string): ReadonlySet<string> =>
  new Set((alphabet + alphabet.toUpperCase()).split(''))

/** The encoding in which most letters beyond ASCII make words of one language. The first of equals wins. */
function assumedEncoding(bytes: Uint8Array): DecodedText {
  let best: (DecodedText & { points: number }) | undefined
  for (const [encoding, languages] of ALPHABETS) {
    const text = new TextDecoder(encoding).decode(bytes)
    const alphabets = languages.map(lettersOf)
    let points = 0
    let lines = 0
    for (const [line] of text.matchAll(/[^\r\n]+/g)) {
      if (!BEYOND_ASCII.test(line)) continue
      points += pointsOfLine(line.slice(0, LINE_MAX), alphabets)
      if ((lines += 1) >= LINES_MAX) break
    }
    if (!best || points > best.points) best = { text, encoding, isAssumed: true, points }
  }
  const { points: _, ...decoded } = best!
  return decoded
}

/** Byte order of UTF-16 without a mark: ASCII characters have a zero byte before or after them. */
function utf16Of(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | null {
  const zeros = [0, 0]
  const sample = bytes.subarray(0, 8_192)
  for (const [at, byte] of sample.entries()) if (byte === 0) zeros[at % 2]! += 1
  const [even, odd] = zeros as [number, number]
  const [fewer, more] = even < odd ? [even, odd] : [odd, even]
  if (bytes.length % 2 !== 0 || fewer > 0 || more < sample.length / 20) return null
  return even < odd ? 'utf-16le' : 'utf-16be'
}

const decodedIn = (bytes: Uint8Array, encoding: Encoding, isAssumed: boolean): DecodedText => ({
  text: new TextDecoder(encoding).decode(bytes),
  encoding,
  isAssumed,
})

/**
 * Decodes a text: by its byte order mark, as UTF-8 or UTF-16 where it is that, otherwise in the encoding that its
 * letters suggest. Null if it is no text.
 * @param chosen the encoding that a person chose instead
 */
export function decodeText(bytes: Uint8Array, chosen?: Encoding): DecodedText | null {
  if (chosen) return decodedIn(bytes, chosen, false)
  const [first, second] = bytes
  if (first === 0xff && second === 0xfe) return decodedIn(bytes, 'utf-16le', false)
  if (first === 0xfe && second === 0xff) return decodedIn(bytes, 'utf-16be', false)
  if (bytes.includes(0)) {
    const encoding = utf16Of(bytes)
    const decoded = encoding && decodedIn(bytes, encoding, false)
    return decoded && !/[\0\uFFFD]/.test(decoded.text) ? decoded : null
  }
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return { text, encoding: 'utf-8', isAssumed: false }
  } catch {
    return assumedEncoding(bytes)
  }
}
