import {
  type AnswerTone,
  type AskedQuestion,
  type GivenAnswer,
  NOTE_MAX,
  type Question,
  type Standing,
} from './schema.ts'

/** Questions that are asked in one press. */
export const QUESTION_SETS = [
  {
    id: 'SAFE',
    question: choice(['Safe', 'GOOD'], ['Need help', 'ATTENTION'], ['Not affected', 'NEUTRAL']),
  },
  { id: 'COME', question: choice(['Can come', 'GOOD'], ['Cannot', 'NEUTRAL']) },
  {
    id: 'READ',
    question: { kind: 'CONFIRMATION', answers: [{ label: 'Read and understood', tone: 'GOOD' }] },
  },
] as const satisfies readonly { readonly id: string; readonly question: Question }[]

function choice(...answers: readonly (readonly [label: string, tone: AnswerTone])[]) {
  return {
    kind: 'CHOICE' as const,
    answers: answers.map(([label, tone]) => ({ label, tone })),
  }
}

export const STANDING_LABELS: { readonly [S in Standing]: string } = {
  ATTENTION: 'Needs attention',
  NOT_REACHED: 'Not reached',
  NO_ANSWER: 'No answer',
  ANSWERED: 'Answered',
}
export const CHANNEL_LABELS: { readonly [C in GivenAnswer['channel']]: string } = {
  LINK: 'Link',
  SMS: 'SMS',
  VOICE_CALL: 'Key of a call',
  ON_BEHALF: 'On behalf',
}

/** True while a question takes answers. */
export const takesAnswers = (
  { endTimestamp, closedTimestamp }: Pick<AskedQuestion, 'endTimestamp' | 'closedTimestamp'>,
  now: number,
): boolean => closedTimestamp === null && now < Date.parse(endTimestamp)

/** Words of ours around a message, in its language. */
export interface MessageWords {
  /** Before the link to the answer page. */
  readonly answer: string
  /** Before the answers of an SMS. */
  readonly reply: string
  /** Sentence of a call, with `{key}` and `{answer}`. */
  readonly press: string
}
export const ENGLISH_WORDS: MessageWords = {
  answer: 'Answer:',
  reply: 'Reply',
  press: 'Press {key} for {answer}.',
}

/** The line of an SMS by which it can be answered: `Reply 1 Safe, 2 Need help`. */
export const replyLine = (
  { answers }: Pick<Question, 'answers'>,
  { reply }: MessageWords = ENGLISH_WORDS,
): string => `${reply} ${answers.map(({ label }, n) => `${n + 1} ${label.trim()}`).join(', ')}`

/** The sentences of a call that say which keys answer: `Press 1 for Safe.` */
export const keysLine = (
  { answers }: Pick<Question, 'answers'>,
  { press }: MessageWords = ENGLISH_WORDS,
): string =>
  answers
    .map(({ label }, n) =>
      press.replace(/\{(key|answer)\}/g, (_, name) => (name === 'key' ? String(n + 1) : label.trim())),
    )
    .join(' ')

/** Words by which people unsubscribe from SMS and subscribe again; carriers take them themselves. */
const STOP = ['STOP', 'STOPALL', 'UNSUBSCRIBE', 'CANCEL', 'END', 'QUIT']
const START = ['START', 'UNSTOP']
const folded = (text: string): string => text.normalize('NFKC').trim().replace(/\s+/g, ' ').toLowerCase()
const isOneOf = (words: readonly string[], text: string): boolean =>
  words.some((word) => word.toLowerCase() === folded(text).replace(/[.!]$/, ''))
export const isStop = (text: string): boolean => isOneOf(STOP, text)
export const isStart = (text: string): boolean => isOneOf(START, text)

/** An answer by its index, with the words beside it. */
export interface ReadReply {
  readonly answer: number
  readonly note: string
}
const noteOf = (rest: string): string =>
  rest
    .replace(/^[\s.,:;)!-]{1,10}/, '')
    .trim()
    .slice(0, NOTE_MAX)

/**
 * The answer that an SMS gives by its number or its words, with what else it says as a note; null for words that are no
 * answer, and for those that unsubscribe.
 */
export function readReply({ answers }: Pick<Question, 'answers'>, text: string): ReadReply | null {
  if (isStop(text) || isStart(text)) return null
  const said = text.normalize('NFKC').trim().slice(0, 1_600)
  const digits = /^(\d{1,2})(?![\p{L}\p{N}])/u.exec(said)?.[1]
  if (digits !== undefined) {
    const answer = Number(digits) - 1
    return answers[answer] ? { answer, note: noteOf(said.slice(digits.length)) } : null
  }
  const words = folded(said)
  let best: ReadReply | null = null
  let longest = 0
  for (const [answer, { label }] of answers.entries()) {
    const wanted = folded(label)
    const isSaid = words.startsWith(wanted) && !/^[\p{L}\p{N}]/u.test(words.slice(wanted.length))
    if (!isSaid || wanted.length <= longest) continue
    longest = wanted.length
    best = { answer, note: noteOf(said.replace(/\s+/g, ' ').slice(wanted.length)) }
  }
  return best
}
