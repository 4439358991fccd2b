import * as z from 'zod/mini'

import { listOf, requiredText, timestamp } from '#contract/kit/text.ts'

/** Meanings of an answer. ATTENTION asks for somebody's attention and leads every list. */
export const ANSWER_TONES = ['GOOD', 'NEUTRAL', 'ATTENTION'] as const
export const AnswerTone = z.enum(ANSWER_TONES)
export type AnswerTone = z.infer<typeof AnswerTone>
/** A CHOICE has two to six answers. A CONFIRMATION has one: the recipient has read the message. */
export const QUESTION_KINDS = ['CHOICE', 'CONFIRMATION'] as const

export const ANSWER_LABEL_MAX = 40
export const ANSWERS_MIN = 2
export const ANSWERS_MAX = 6
export const NOTE_MAX = 280
export const ANSWER_REQUIRED = 'Please enter an answer.'
export const ANSWER_TOO_LONG = `An answer has at most ${ANSWER_LABEL_MAX} characters.`
export const ANSWER_TWICE = 'This answer exists already.'
export const TOO_FEW_ANSWERS = `A question needs at least ${ANSWERS_MIN} answers.`
export const TOO_MANY_ANSWERS = `A question has at most ${ANSWERS_MAX} answers.`
export const ONE_CONFIRMATION = 'A confirmation has exactly one answer.'
export const NOTE_TOO_LONG = `A note has at most ${NOTE_MAX} characters.`
export const QUESTION_NEEDS_LINK = 'A question needs email or SMS: an automated voice call carries no link.'
export const QUESTION_OVER = 'This question is closed and takes no more answers.'
export const NO_QUESTION = 'This notification asks no question.'
export const NO_SUCH_ANSWER = 'This question has no such answer.'
export const ON_BEHALF_REASON_REQUIRED = 'Please enter how you know the answer.'

const Answer = z.object({
  label: requiredText(ANSWER_REQUIRED, ANSWER_LABEL_MAX, ANSWER_TOO_LONG),
  tone: AnswerTone,
})
export type Answer = z.infer<typeof Answer>

/** A label as it is compared: answers that differ in case or blanks only are one. */
const comparedLabel = (label: string): string => label.normalize('NFKC').toLowerCase().replace(/\s/g, '')

/** Indexes of the labels that repeat an earlier one. */
export function repeatedLabels(labels: readonly string[]): number[] {
  const keys = labels.map(comparedLabel)
  return keys.flatMap((key, n) => (key !== '' && keys.indexOf(key) < n ? [n] : []))
}

/** The question of a notification, which each recipient answers in one tap. */
export const Question = z
  .object({
    kind: z._default(z.enum(QUESTION_KINDS), 'CHOICE'),
    answers: listOf(Answer, ANSWERS_MAX, { required: TOO_FEW_ANSWERS, tooMany: TOO_MANY_ANSWERS }),
  })
  .check(({ value: { kind, answers }, issues }) => {
    const refuse = (message: string, ...path: (string | number)[]) =>
      issues.push({ code: 'custom', message, path: ['answers', ...path], input: answers })
    if (kind === 'CHOICE' && answers.length < ANSWERS_MIN) refuse(TOO_FEW_ANSWERS)
    if (kind === 'CONFIRMATION' && answers.length !== 1) refuse(ONE_CONFIRMATION)
    for (const n of repeatedLabels(answers.map(({ label }) => label))) refuse(ANSWER_TWICE, n, 'label')
  })
export type Question = z.infer<typeof Question>

/** A question that was sent, with its progress. */
export const AskedQuestion = z.object({
  kind: z.enum(QUESTION_KINDS),
  answers: z.array(z.object({ label: z.string(), tone: AnswerTone })),
  /** Time at which the recipients' links end. */
  endTimestamp: timestamp,
  /** Time at which somebody closed it, and who did; null while nobody has. */
  closedTimestamp: z.nullable(timestamp),
  closedBy: z.nullable(z.string()),
  /** True until it is closed or its links end. */
  isOpen: z.boolean(),
  /** People of the notification, and those of them who have answered. */
  askedCount: z.int(),
  answeredCount: z.int(),
})
export type AskedQuestion = z.infer<typeof AskedQuestion>

/** Ways of an answer. ON_BEHALF: somebody with an account entered it for the person. */
export const ANSWER_CHANNELS = ['LINK', 'SMS', 'VOICE_CALL', 'ON_BEHALF'] as const
/** An answer to a question. The newest one of a person counts. */
export const GivenAnswer = z.object({
  /** Index in the answers of the question. */
  answer: z.int(),
  note: z.string(),
  channel: z.enum(ANSWER_CHANNELS),
  /** The person who entered it on behalf, and their reason; null for the person's own answer. */
  answeredBy: z.nullable(z.string()),
  reason: z.nullable(z.string()),
  createTimestamp: timestamp,
})
export type GivenAnswer = z.infer<typeof GivenAnswer>

/**
 * A person's state in a question, the most urgent first. ATTENTION: the answer calls for attention. NOT_REACHED: no
 * message was sent, and none waits. NO_ANSWER: messages were sent or wait. ANSWERED: any other answer.
 */
export const STANDINGS = ['ATTENTION', 'NOT_REACHED', 'NO_ANSWER', 'ANSWERED'] as const
export const Standing = z.enum(STANDINGS)
export type Standing = z.infer<typeof Standing>

/** Counts of people in a question. */
export const QuestionResult = z.object({
  /** People by their newest answer, in the order of the answers. */
  answers: z.array(z.int()),
  standings: z.object({
    ATTENTION: z.int(),
    NOT_REACHED: z.int(),
    NO_ANSWER: z.int(),
    ANSWERED: z.int(),
  }),
})
export type QuestionResult = z.infer<typeof QuestionResult>
