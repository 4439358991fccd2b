import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname } from 'node:path'

import { isRightToLeftLetter } from './direction.ts'
import { unpackWoff } from './woff.ts'

const require = createRequire(import.meta.url)
const ROBOTO = dirname(require.resolve('pdfmake/build/fonts/Roboto/Roboto-Regular.ttf'))
const DEJAVU = dirname(require.resolve('dejavu-fonts-ttf/ttf/DejaVuSans.ttf'))
const UNIFONT = require.resolve('@fontsource/unifontex/files/unifontex-latin-400-normal.woff')

/**
 * `Text` is what documents are set in; `Wide` has the scripts and signs that it lacks, and `Any` those of the rest of the
 * world, from Chinese to emoji, in plain strokes. It is read only for a text that needs it.
 */
export const FONTS = {
  Text: {
    normal: `${ROBOTO}/Roboto-Regular.ttf`,
    bold: `${ROBOTO}/Roboto-Medium.ttf`,
    italics: `${ROBOTO}/Roboto-Italic.ttf`,
    bolditalics: `${ROBOTO}/Roboto-MediumItalic.ttf`,
  },
  // Upright only: the slanted faces lack Arabic.
  Wide: {
    normal: `${DEJAVU}/DejaVuSansCondensed.ttf`,
    bold: `${DEJAVU}/DejaVuSansCondensed-Bold.ttf`,
    italics: `${DEJAVU}/DejaVuSansCondensed.ttf`,
    bolditalics: `${DEJAVU}/DejaVuSansCondensed-Bold.ttf`,
  },
  Code: {
    normal: `${DEJAVU}/DejaVuSansMono.ttf`,
    bold: `${DEJAVU}/DejaVuSansMono-Bold.ttf`,
    italics: `${DEJAVU}/DejaVuSansMono.ttf`,
    bolditalics: `${DEJAVU}/DejaVuSansMono-Bold.ttf`,
  },
  Any: { normal: UNIFONT, bold: UNIFONT, italics: UNIFONT, bolditalics: UNIFONT },
}
export type Font = keyof typeof FONTS

interface Face {
  hasGlyphForCodePoint(codePoint: number): boolean
}
// The font reader that the renderer uses, so that both agree on glyphs.
const fontkit = createRequire(createRequire(require.resolve('pdfmake')).resolve('pdfkit'))('fontkit') as {
  openSync(path: string): Face
  create(bytes: Buffer): Face
}
const faces = new Map<Font, Face>()
let unifont: Buffer | undefined
function faceOf(font: Font): Face {
  const known = faces.get(font)
  if (known) return known
  if (font === 'Any') unifont = unpackWoff(readFileSync(UNIFONT))
  const face = unifont && font === 'Any' ? fontkit.create(unifont) : fontkit.openSync(FONTS[font].normal)
  faces.set(font, face)
  return face
}
/** The typeface that was unpacked for a text, by its name in `FONTS`; null where no text needed it. */
export const unpackedFont = (): { readonly path: string; readonly bytes: Buffer } | null =>
  unifont ? { path: UNIFONT, bytes: unifont } : null

const LETTER = /\p{L}/u
// Control characters, marks of direction and of variation: they have no looks of their own.
const INVISIBLE =
  // oxlint-disable-next-line no-control-regex, no-misleading-character-class
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff\u{e0000}-\u{e01ef}]/gu
const JOINERS = '\u200c\u200d'
/** Stands where no font has a character. */
export const BOX = '□'

// A number stays together: in a text from the right it is the one thing that is read from the left.
const NUMBER_OR_CHARACTER = /\d+(?:[.,:/-]\d+)*|[^]/gu
interface Piece {
  text: string
  readonly font: Font
}
/** Cuts a text into pieces of one font each. Characters that no font has become boxes and are told to `missing`. */
export function lettersOf(text: string, preferred: Font, missing: (character: string) => void): Piece[] {
  const pieces: (Piece & { alone: boolean })[] = []
  let fromRight = false
  const fontFor = (part: string): Font | undefined => {
    const has = (font: Font) => faceOf(font).hasGlyphForCodePoint(part.codePointAt(0)!)
    if (LETTER.test(part)) fromRight = isRightToLeftLetter(part)
    // Signs between letters are set in the letters' font, so that a reversed word stays whole.
    else if (fromRight && has('Wide')) return 'Wide'
    return [preferred, 'Text' as const, 'Wide' as const, 'Any' as const].find(has)
  }
  const push = (part: string, font: Font) => {
    const last = pieces.at(-1)
    const alone = fromRight && /\d/.test(part)
    if (last && !alone && !last.alone && (last.font === font || part === '\n')) last.text += part
    else pieces.push({ text: part, font, alone })
  }
  const visible = text
    .normalize('NFC')
    .replace(/\r\n?/g, '\n')
    .replaceAll('\t', '    ')
    .replace(INVISIBLE, '')
  for (const [part] of visible.matchAll(NUMBER_OR_CHARACTER)) {
    const font = part === '\n' ? preferred : fontFor(part)
    if (font) push(part, font)
    else if (!JOINERS.includes(part)) {
      missing(part)
      push(BOX, 'Wide')
    }
  }
  return pieces.map(({ text, font }) => ({ text, font }))
}

const MIRRORED: Readonly<Record<string, string>> = {
  '(': ')',
  ')': '(',
  '[': ']',
  ']': '[',
  '{': '}',
  '}': '{',
  '<': '>',
  '>': '<',
  '«': '»',
  '»': '«',
}
interface Inline {
  text: string
  readonly width: number
  readonly trailingCut: number
  readonly alignment: string
  x: number
}
interface Line {
  readonly inlines: readonly Inline[]
  readonly trailingCut: number
}
interface Placed {
  readonly inline: Inline
  readonly fromRight: boolean
  readonly own: boolean
}

/** The words of a line in runs of one direction. Words without letters take that of their neighbours. */
function runsOf(inlines: readonly Inline[], paragraph: boolean): Placed[][] {
  const strong = inlines.map(({ text }) => (LETTER.test(text) ? isRightToLeftLetter(text) : null))
  const runs: Placed[][] = []
  for (const [n, inline] of inlines.entries()) {
    const before = strong.slice(0, n).findLast((one) => one !== null) ?? paragraph
    const after = strong.slice(n).find((one) => one !== null) ?? paragraph
    const fromRight = strong[n] ?? (before === after ? before : paragraph)
    const placed = { inline, own: strong[n] === true, fromRight }
    if (runs.at(-1)?.[0]?.fromRight === fromRight) runs.at(-1)!.push(placed)
    else runs.push([placed])
  }
  return runs
}

/**
 * Puts the words of a line where they are read: the renderer sets every line from the left, and turns only the
 * letters of a word around. A simple form of the Unicode bidirectional algorithm, with words as its smallest part.
 */
export function orderLine({ inlines, trailingCut }: Line): void {
  if (!inlines.some(({ text }) => isRightToLeftLetter(text))) return
  // Paragraphs that begin from the right are the only ones that are set to the right.
  const paragraph = inlines[0]!.alignment === 'right'
  const runs = runsOf(inlines, paragraph)
  let x = inlines[0]!.x - (paragraph ? trailingCut : 0)
  for (const run of paragraph ? runs.toReversed() : runs) {
    const { fromRight } = run[0]!
    // The space behind a word stands on its own side of it; between two directions it has to change sides.
    const gap = run.at(-1)!.inline.trailingCut
    const shift = fromRight === paragraph ? 0 : paragraph ? gap : -gap
    for (const { inline, own } of fromRight ? run.toReversed() : run) {
      inline.x = x + shift + (fromRight && !own ? inline.trailingCut : 0)
      if (own) inline.text = inline.text.replace(/[()[\]{}<>«»]/g, (bracket) => MIRRORED[bracket] ?? bracket)
      x += inline.width
    }
  }
}
