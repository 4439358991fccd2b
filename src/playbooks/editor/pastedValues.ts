import { cut } from '#contract/kit/cut.ts'
import { SHORT_TEXT_MAX } from '#contract/kit/text.ts'

/** Bullets, boxes and numbers before the lines of a list. */
const MARK = /^(?:[-*•–]|\[[ x]?\]|\d{1,4}[.)])\s+/i

/** The titles of pasted text, one for each line with words, without the marks of a list. */
export const stepsIn = (words: string): string[] =>
  words.split(/\r\n?|\n/).flatMap((line) => {
    const title = line.trim().replace(MARK, '').replace(MARK, '').trim()
    return title === '' ? [] : [cut(title, SHORT_TEXT_MAX)]
  })
