import { unzipSync } from 'fflate'
import { Parser } from 'htmlparser2'

import { MEGABYTE } from '#contract/kit/files.ts'

/** Limit of the parts that are unpacked: a novel has about 5 MB of XML. */
const XML_MAX = 64 * MEGABYTE
/** Elements of WordprocessingML and DrawingML, without their prefix, that separate words. */
const SPACES: ReadonlySet<string> = new Set(['tab', 'br', 'cr'])

/** The text of a part, one line for each paragraph. */
function textOfXml(xml: string): string {
  const texts: string[] = []
  let isText = false
  // The fallback repeats what is in a text box.
  let fallbacks = 0
  const local = (name: string) => name.slice(name.indexOf(':') + 1)
  const parser = new Parser(
    {
      onopentagname(name) {
        const element = local(name)
        if (name === 'mc:Fallback') fallbacks += 1
        if (element === 't') isText = fallbacks === 0
        if (SPACES.has(element)) texts.push(' ')
      },
      ontext(text) {
        if (isText) texts.push(text)
      },
      onclosetag(name) {
        const element = local(name)
        if (name === 'mc:Fallback') fallbacks -= 1
        if (element === 't') isText = false
        if (element === 'p') texts.push('\n')
      },
    },
    { xmlMode: true },
  )
  parser.end(xml)
  return texts.join('')
}

/**
 * The text of parts of a document in the order of their names and numbers.
 * @throws Error where it is damaged or unpacks to too much
 */
function textOfParts(bytes: Uint8Array, parts: RegExp): string {
  let size = 0
  const found = unzipSync(bytes, {
    // The library allocates the sizes that the headers declare, and fails where a part is longer.
    filter: ({ name, originalSize }) => {
      if (!parts.test(name)) return false
      size += originalSize
      if (size > XML_MAX) throw new Error('The file unpacks to too much.')
      return true
    },
  })
  const byNumber = new Intl.Collator('en', { numeric: true })
  return Object.keys(found)
    .toSorted(byNumber.compare)
    .map((name) => textOfXml(new TextDecoder().decode(found[name])))
    .join('\n')
}

/** The text of a Word document, with its headers, footers and notes, without comments and what was deleted. */
export const textOfDocument = (bytes: Uint8Array): string =>
  textOfParts(bytes, /^word\/(?:document|header\d*|footer\d*|footnotes|endnotes)\.xml$/)

/** The text of a presentation, with the notes of its slides. */
export const textOfPresentation = (bytes: Uint8Array): string =>
  textOfParts(bytes, /^ppt\/(?:slides\/slide|notesSlides\/notesSlide)\d+\.xml$/)
