import type { AnswerTone, AskedQuestion, GivenAnswer, Question, Standing } from './schema.ts'

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
  ON_BEHALF: 'On behalf',
}

/** True while a question takes answers. */
export const takesAnswers = (
  { endTimestamp, closedTimestamp }: Pick<AskedQuestion, 'endTimestamp' | 'closedTimestamp'>,
  now: number,
): boolean => closedTimestamp === null && now < Date.parse(endTimestamp)
