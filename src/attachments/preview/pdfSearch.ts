/** A piece of a page's text, as pdf.js returns it. */
export interface TextPiece {
  readonly str: string
  /** True for the last piece of a line. */
  readonly hasEOL: boolean
}
/** A place in a page's text: the index of the piece, and the offset in it. */
export interface TextPlace {
  readonly piece: number
  readonly offset: number
}
/** A match from its first to behind its last character. */
export interface PdfMatch {
  readonly page: number
  readonly from: TextPlace
  readonly to: TextPlace
}

/** A page's text as it is compared, with the place of each code unit. */
export interface PageText {
  readonly text: string
  readonly places: readonly CharacterPlace[]
}
interface CharacterPlace extends TextPlace {
  /** Offset behind the character. */
  readonly end: number
}

/** Folds case, accents and typographic forms, such as ligatures. */
const folded = (text: string): string =>
  text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase().replaceAll(/\s/g, ' ')
/** Scripts that put no blank between words, nor between lines. */
const WITHOUT_BLANKS = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]$/u
const HYPHENATED = /\p{L}-$/u

/** Joins the pieces of a page. Lines are joined by a blank, and a word that was divided at the end of a line is whole. */
export function pageText(pieces: readonly TextPiece[]): PageText {
  let text = ''
  const places: CharacterPlace[] = []
  const add = (part: string, place: CharacterPlace) => {
    for (const unit of part.split('')) {
      if (unit === ' ' && (text === '' || text.endsWith(' '))) continue
      text += unit
      places.push(place)
    }
  }
  for (const [piece, { str, hasEOL }] of pieces.entries()) {
    let offset = 0
    for (const character of str) {
      const end = offset + character.length
      add(folded(character), { piece, offset, end })
      offset = end
    }
    if (!hasEOL) continue
    const end = text.slice(-2)
    if (HYPHENATED.test(end)) {
      text = text.slice(0, -1)
      places.pop()
    } else if (!WITHOUT_BLANKS.test(end)) add(' ', { piece, offset, end: offset })
  }
  return { text, places }
}

/** The matches of some words in a page, in their order. */
export function findIn({ text, places }: PageText, words: string, page: number): PdfMatch[] {
  const wanted = folded(words).replaceAll(/ +/g, ' ').trim()
  if (wanted === '') return []
  const matches: PdfMatch[] = []
  for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + wanted.length)) {
    const [first, last] = [places[at]!, places[at + wanted.length - 1]!]
    const from = { piece: first.piece, offset: first.offset }
    matches.push({ page, from, to: { piece: last.piece, offset: last.end } })
  }
  return matches
}
