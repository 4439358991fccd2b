import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

import { create, type Font } from 'fontkit'

import { unpackWoff } from './woff.ts'

const require = createRequire(import.meta.url)

const WIDTHS = ['400Regular', '500Medium', '400Regular_Italic', '500Medium_Italic']
const roboto = WIDTHS.map((face) => `@expo-google-fonts/roboto/${face}/Roboto_${face}.ttf`)
const dejavu = ['', '-Bold', 'Mono', 'Mono-Bold'].map((face) => `dejavu-fonts-ttf/ttf/DejaVuSans${face}.ttf`)
const unifont = ['@fontsource/unifontex/files/unifontex-latin-400-normal.woff']
const SCRIPTS =
  'Devanagari Bengali Gujarati Gurmukhi Kannada Malayalam Oriya Tamil Telugu Sinhala Thai Lao Khmer Myanmar'.split(
    ' ',
  )
const noto = SCRIPTS.map((script) => script.toLowerCase()).flatMap((script) =>
  [400, 700].map(
    (weight) => `@fontsource/noto-sans-${script}/files/noto-sans-${script}-${script}-${weight}-normal.woff`,
  ),
)

/** Families in the order in which a letter is looked for: UnifontEx has the rest of the world in plain strokes. */
export const FAMILIES = [
  'Roboto',
  ...SCRIPTS.map((script) => `Noto Sans ${script}`),
  'DejaVu Sans',
  'UnifontExMono',
]
const FACES = [...roboto, ...dejavu, ...unifont, ...noto]

const read = (path: string): Buffer => {
  const bytes = readFileSync(require.resolve(path))
  return path.endsWith('.woff') ? unpackWoff(bytes) : bytes
}
/** The typefaces, as the renderer reads them. */
export const fontBlobs = (): Buffer[] => FACES.map(read)

const opened = new Map<string, Font>()
function fontAt(path: string): Font {
  const font = opened.get(path) ?? (create(read(path)) as Font)
  opened.set(path, font)
  return font
}
const hasFont = (character: string): boolean =>
  FACES.some((path) => fontAt(path).hasGlyphForCodePoint(character.codePointAt(0)!))

// Control characters and marks of direction and variation, which have no glyphs.
const INVISIBLE =
  // oxlint-disable-next-line no-control-regex, no-misleading-character-class
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff\u{e0000}-\u{e01ef}]/gu
/** Characters that Roboto has, as a fast test. */
const UNUSUAL = /[^\n\u0020-\u024f\u0370-\u03ce\u0400-\u045f\u1e00-\u1ef9\u2010-\u2026]/gu
/** Longest run of letters without a break in scripts that the template does not break itself, as no word is. */
const ENDLESS = /[^\s!-\u024f\u0370-\u052f\u2e80-\ud7ff]{40}/gu
/** Control the shape of letters around them. */
const JOINERS = '\u200c\u200d\u200b'
/** Placeholder for characters without a font. */
export const BOX = '□'

/** A text without invisible characters. Characters without a font become boxes and are added to `missing`. */
export function visibleText(text: string, missing: Set<string>): string {
  const visible = text
    .normalize('NFC')
    .replace(/\r\n?/g, '\n')
    .replaceAll('\t', '    ')
    .replace(INVISIBLE, '')
    .replace(ENDLESS, '$&\u200b')
  return visible.replace(UNUSUAL, (character) => {
    if (JOINERS.includes(character) || hasFont(character)) return character
    missing.add(character)
    return BOX
  })
}
