import type { Words } from './words.ts'

/** German. */
export const WORDS_DE: Words = {
  answer: 'Antworten:',
  reply: 'Antworten Sie mit',
  press: 'Drücken Sie {key} für {answer}.',
  noSuchKey: 'Diese Taste hat keine Antwort.',
  thanks: 'Danke. Ihre Antwort ist: {answer}.',
  tooManyKeys: 'Es gab zu viele Antworten. Bitte warten Sie eine Minute.',
  over: 'Diese Frage nimmt keine Antworten mehr an.',
  chooseAnswer: 'Bitte wählen Sie eine Antwort.',
  noteTooLong: 'Eine Notiz hat höchstens {max} Zeichen.',
  answeredAlready: '{name} hat schon geantwortet.',
  exercise: 'ÜBUNG',
  messageFrom: 'Nachricht von {organisation}',
  yourAnswer: 'Ihre Antwort',
  enteredForYou: 'Für Sie eingetragen',
  changeUntil: 'Sie können sie bis {time} ändern.',
  addNote: 'Notiz hinzufügen (freiwillig)',
  note: 'Notiz, die mit Ihrer Antwort gesendet wird',
  askPerson: 'Wenn Sie etwas brauchen, wenden Sie sich bitte an {name}.',
  linkFor: 'Dieser Link ist für {name}.',
  sentBy: 'Gesendet von {name} für {organisation}.',
  asDeputy: 'Sie werden als Stellvertretung von {name} gefragt.',
  answerFor: 'Antwort für {name}',
  answerOf: 'Antwort von {name}',
}
