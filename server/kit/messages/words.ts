import { WORDS_DE } from './words-de.ts'
import { WORDS_EN } from './words-en.ts'
import { WORDS_ES } from './words-es.ts'
import { WORDS_FR } from './words-fr.ts'
import { WORDS_IT } from './words-it.ts'
import { WORDS_NL } from './words-nl.ts'
import { WORDS_PT } from './words-pt.ts'

/** Sentences of ours around the words of a message, in one language. Names in braces are filled in. */
export interface Words {
  /** Before the link to the answer page. */
  readonly answer: string
  /** Before the numbered answers of an SMS. */
  readonly reply: string
  /** Sentence of a call, with `{key}` and `{answer}`. */
  readonly press: string
  readonly noSuchKey: string
  /** With `{answer}`. */
  readonly thanks: string
  /** Also on the page, where answers come too quickly. */
  readonly tooManyKeys: string
  readonly chooseAnswer: string
  /** With `{max}`. */
  readonly noteTooLong: string
  /** With `{name}`. */
  readonly answeredAlready: string
  readonly over: string
  readonly exercise: string
  /** With `{organisation}`. */
  readonly messageFrom: string
  readonly yourAnswer: string
  readonly enteredForYou: string
  /** With `{time}`. */
  readonly changeUntil: string
  readonly addNote: string
  readonly note: string
  /** With `{name}`. */
  readonly askPerson: string
  /** With `{name}`. */
  readonly linkFor: string
  /** With `{name}` and `{organisation}`. */
  readonly sentBy: string
  /** With `{name}`. */
  readonly asDeputy: string
  /** An answer that a deputy gave, with `{name}`. */
  readonly answerFor: string
  /** An answer of a person for whom a deputy is asked, with `{name}`. */
  readonly answerOf: string
}

const LANGUAGES: ReadonlyMap<string, Words> = new Map([
  ['en', WORDS_EN],
  ['de', WORDS_DE],
  ['es', WORDS_ES],
  ['fr', WORDS_FR],
  ['it', WORDS_IT],
  ['nl', WORDS_NL],
  ['pt', WORDS_PT],
])
/** The sentences of every language, by its first part. */
export const wordsInAll = (): (readonly [language: string, words: Words])[] => [...LANGUAGES]

/** The language of our sentences for one such as `fr-CA`, and the sentences; English where there are none. */
export function wordsOf(language: string): { readonly language: string; readonly words: Words } {
  const [base = ''] = language.toLowerCase().split('-')
  const words = LANGUAGES.get(base)
  return words ? { language: base, words } : { language: 'en', words: WORDS_EN }
}

/** A sentence with its names filled in. */
export const inWords = (sentence: string, values: Readonly<Record<string, string>>): string =>
  sentence.replace(/\{([a-z]{1,20})\}/g, (whole, name: string) =>
    Object.hasOwn(values, name) ? values[name]! : whole,
  )
