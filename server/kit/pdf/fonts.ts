import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname } from 'node:path'

import { isRightToLeftLetter } from './direction.ts'
import { unpackWoff } from './woff.ts'

const require = createRequire(import.meta.url)
const ROBOTO = dirname(require.resolve('pdfmake/build/fonts/Roboto/Roboto-Regular.ttf'))
const DEJAVU = dirname(require.resolve('dejavu-fonts-ttf/ttf/DejaVuSans.ttf'))
const UNIFONT = require.resolve('@fontsource/unifontex/files/unifontex-latin-400-normal.woff')

const shapedFaces = (script: string) => {
  const [normal, bold] = [400, 700].map((weight) =>
    require.resolve(
      `@fontsource/noto-sans-${script}/files/noto-sans-${script}-${script}-${weight}-normal.woff`,
    ),
  )
  return { normal: normal!, bold: bold!, italics: normal!, bolditalics: bold! }
}
/**
 * Scripts with joined, reordered or stacked letters, each with a typeface that has shaping rules. Burmese is left out:
 * the renderer reorders its letters wrongly, which is worse than unjoined letters.
 */
const SHAPED = {
  Devanagari: /\p{Script=Devanagari}/u,
  Bengali: /\p{Script=Bengali}/u,
  Gujarati: /\p{Script=Gujarati}/u,
  Gurmukhi: /\p{Script=Gurmukhi}/u,
  Kannada: /\p{Script=Kannada}/u,
  Malayalam: /\p{Script=Malayalam}/u,
  Oriya: /\p{Script=Oriya}/u,
  Tamil: /\p{Script=Tamil}/u,
  Telugu: /\p{Script=Telugu}/u,
  Sinhala: /\p{Script=Sinhala}/u,
  Thai: /\p{Script=Thai}/u,
  Lao: /\p{Script=Lao}/u,
  Khmer: /\p{Script=Khmer}/u,
}
type ShapedFont = keyof typeof SHAPED
const SHAPED_FONTS = Object.keys(SHAPED) as ShapedFont[]
const isShaped = (font: Font | undefined): font is ShapedFont => font !== undefined && font in SHAPED
/** Spans all of these scripts, as a fast test for other texts. */
const MAY_BE_SHAPED = /[\u0900-\u0eff\u1780-\u17ff\u19e0-\u19ff\u1cd0-\u1cff\ua830-\ua8ff]/

/**
 * `Text` is the typeface of documents; `Wide` has scripts and signs that it lacks, and `Any` those of the rest of the
 * world, from Chinese to emoji, in plain strokes. `Any` and those of `SHAPED` are read only for a text that needs them.
 */
export const FONTS = {
  Text: {
    normal: `${ROBOTO}/Roboto-Regular.ttf`,
    bold: `${ROBOTO}/Roboto-Medium.ttf`,
    italics: `${ROBOTO}/Roboto-Italic.ttf`,
    bolditalics: `${ROBOTO}/Roboto-MediumItalic.ttf`,
  },
  // Upright only: the italic faces lack Arabic.
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
  ...(Object.fromEntries(SHAPED_FONTS.map((font) => [font, shapedFaces(font.toLowerCase())])) as Record<
    ShapedFont,
    ReturnType<typeof shapedFaces>
  >),
}
export type Font = 'Text' | 'Wide' | 'Code' | 'Any' | ShapedFont

type ApplyAnchor = (mark: unknown, anchor: unknown, position: number) => void
interface Face {
  hasGlyphForCodePoint(codePoint: number): boolean
  layout(text: string): { readonly glyphs: readonly { readonly id: number }[] }
  readonly _layoutEngine: { readonly engine?: { readonly GPOSProcessor?: object } }
}
// The renderer's own font reader, so that both agree on glyphs.
const fontkit = createRequire(createRequire(require.resolve('pdfmake')).resolve('pdfkit'))('fontkit') as {
  openSync(path: string): Face
  create(bytes: Buffer): Face
}
const faces = new Map<string, Face>()
const unpacked = new Map<string, Buffer>()
function faceOf(path: string): Face {
  const known = faces.get(path)
  if (known) return known
  if (path.endsWith('.woff')) unpacked.set(path, unpackWoff(readFileSync(path)))
  const bytes = unpacked.get(path)
  const face = bytes ? fontkit.create(bytes) : fontkit.openSync(path)
  if (bytes) skipMissingAnchors(face)
  faces.set(path, face)
  return face
}
/** Typefaces unpacked for a text, by their paths in `FONTS`. */
export const unpackedFonts = (): ReadonlyMap<string, Buffer> => unpacked

let skips = false
/**
 * OpenType allows a base without an anchor for a class of marks, as in typefaces of Gurmukhi and Telugu: the mark then
 * stays in place. fontkit 2.0.4 fails instead.
 */
function skipMissingAnchors(face: Face): void {
  const positioner = face._layoutEngine.engine?.GPOSProcessor
  if (skips || !positioner) return
  skips = true
  const prototype = Object.getPrototypeOf(positioner) as { applyAnchor: ApplyAnchor }
  const apply = prototype.applyAnchor
  prototype.applyAnchor = function (mark, anchor, position) {
    if (anchor !== null) apply.call(this, mark, anchor, position)
  }
}

/** True when a typeface shapes the whole text; otherwise it is set in plain strokes. */
function canShape(font: ShapedFont, text: string): boolean {
  try {
    return [FONTS[font].normal, FONTS[font].bold].every((path) =>
      faceOf(path)
        .layout(text)
        .glyphs.every(({ id }) => id !== 0),
    )
  } catch {
    return false
  }
}

const LETTER = /\p{L}/u
// Control characters and marks of direction and variation, which have no glyphs.
const INVISIBLE =
  // oxlint-disable-next-line no-control-regex, no-misleading-character-class
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff\u{e0000}-\u{e01ef}]/gu
// The Thai vowel am is a circle and a letter; a tone mark before it belongs above the circle, by the shaping rules.
const THAI_AM = /([\u0e48-\u0e4b])\u0e33/g
const LAO_AM = /([\u0ec8-\u0ecb])\u0eb3/g
// Marks, and signs shared by several scripts, are drawn in the font of the letter before them.
const SIGN = /[\p{M}\u200c\u200d]/u
const JOINERS = '\u200c\u200d'
/** Placeholder for characters without a font. */
export const BOX = '□'

// Numbers stay together, because right-to-left text reads them from the left.
const NUMBER_OR_CHARACTER = /\d+(?:[.,:/-]\d+)*|[^]/gu
interface Piece {
  text: string
  readonly font: Font
}
/** Splits a text into pieces of one font each. Characters without a font become boxes and are reported to `missing`. */
export function lettersOf(text: string, preferred: Font, missing: (character: string) => void): Piece[] {
  const pieces: (Piece & { alone: boolean })[] = []
  let fromRight = false
  const fontFor = (part: string): Font | undefined => {
    const has = (font: Font) => faceOf(FONTS[font].normal).hasGlyphForCodePoint(part.codePointAt(0)!)
    const last = pieces.at(-1)?.font
    const mayBeShaped = MAY_BE_SHAPED.test(part)
    if (isShaped(last) && (mayBeShaped || SIGN.test(part)) && has(last)) return last
    const shaped = mayBeShaped ? SHAPED_FONTS.find((font) => SHAPED[font].test(part)) : undefined
    if (shaped && has(shaped)) return shaped
    if (LETTER.test(part)) fromRight = isRightToLeftLetter(part)
    // Signs between letters use the letters' font, so that a reversed word stays whole.
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
    .replace(THAI_AM, '\u0e4d$1\u0e32')
    .replace(LAO_AM, '\u0ecd$1\u0eb2')
  for (const [part] of visible.matchAll(NUMBER_OR_CHARACTER)) {
    const font = part === '\n' ? preferred : fontFor(part)
    if (font) push(part, font)
    else if (!JOINERS.includes(part)) {
      missing(part)
      push(BOX, 'Wide')
    }
  }
  return pieces.map((piece) => ({
    text: piece.text,
    font: isShaped(piece.font) && !canShape(piece.font, piece.text) ? 'Any' : piece.font,
  }))
}

const UNSPACED = /[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u
const words = new Intl.Segmenter('th', { granularity: 'word' })
/** A part of a text, followed by an optional line break by default. */
interface Breakable {
  readonly text: string
  readonly lineEnd?: boolean
  readonly noNewLine?: boolean
}
/**
 * Divides texts of scripts without spaces into words, by the runtime's dictionary, so that lines break between them.
 */
export const breakUnspaced = <T extends Breakable>(parts: readonly T[]): T[] =>
  parts.flatMap((part) => {
    if (!UNSPACED.test(part.text)) return [part]
    const { lineEnd: _, noNewLine: __, ...style } = part
    const divided = Array.from(words.segment(part.text), ({ segment }) => ({ ...style, text: segment }) as T)
    return [...divided.slice(0, -1), { ...part, text: divided.at(-1)!.text }]
  })

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

/** The words of a line in runs of one direction. Words without letters take the direction of their neighbours. */
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
 * Reorders the words of a line: the renderer sets every line from the left, and reverses only the letters of a word. A
 * simple form of the Unicode bidirectional algorithm, with words as its smallest unit.
 */
export function orderLine({ inlines, trailingCut }: Line): void {
  if (!inlines.some(({ text }) => isRightToLeftLetter(text))) return
  // Only right-to-left paragraphs are aligned to the right.
  const paragraph = inlines[0]!.alignment === 'right'
  const runs = runsOf(inlines, paragraph)
  let x = inlines[0]!.x - (paragraph ? trailingCut : 0)
  for (const run of paragraph ? runs.toReversed() : runs) {
    const { fromRight } = run[0]!
    // The space after a word is on its own side; between two directions it has to change sides.
    const gap = run.at(-1)!.inline.trailingCut
    const shift = fromRight === paragraph ? 0 : paragraph ? gap : -gap
    for (const { inline, own } of fromRight ? run.toReversed() : run) {
      inline.x = x + shift + (fromRight && !own ? inline.trailingCut : 0)
      if (own) inline.text = inline.text.replace(/[()[\]{}<>«»]/g, (bracket) => MIRRORED[bracket] ?? bracket)
      x += inline.width
    }
  }
}
