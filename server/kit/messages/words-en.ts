import { ANSWER_REQUIRED, QUESTION_OVER } from '#contract/notification-questions/schema.ts'

import type { Words } from './words.ts'

/** English. */
export const WORDS_EN: Words = {
  answer: 'Answer:',
  reply: 'Reply',
  press: 'Press {key} for {answer}.',
  noSuchKey: 'This key has no answer.',
  thanks: 'Thank you. Your answer is: {answer}.',
  tooManyKeys: 'There were too many answers. Please wait a minute.',
  over: QUESTION_OVER,
  chooseAnswer: ANSWER_REQUIRED,
  noteTooLong: 'A note has at most {max} characters.',
  answeredAlready: '{name} has answered already.',
  exercise: 'EXERCISE',
  messageFrom: 'Message from {organisation}',
  yourAnswer: 'Your answer',
  enteredForYou: 'Entered for you',
  changeUntil: 'You can change it until {time}.',
  addNote: 'Add a note (optional)',
  note: 'Note, sent with your answer',
  askPerson: 'If you need something, please ask {name}.',
  linkFor: 'This link is for {name}.',
  sentBy: 'Sent by {name} for {organisation}.',
  asDeputy: 'You are asked as deputy of {name}.',
  answerFor: 'Answer for {name}',
  answerOf: 'Answer of {name}',
}
