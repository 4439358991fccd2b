import type { Words } from './words.ts'

/** Italian. */
export const WORDS_IT: Words = {
  answer: 'Rispondere:',
  reply: 'Risponda',
  press: 'Prema {key} per {answer}.',
  noSuchKey: 'Questo tasto non ha una risposta.',
  thanks: 'Grazie. La sua risposta è: {answer}.',
  tooManyKeys: 'Ci sono state troppe risposte. Attenda un minuto.',
  over: 'Questa domanda non accetta più risposte.',
  chooseAnswer: 'Scelga una risposta.',
  noteTooLong: 'Una nota ha al massimo {max} caratteri.',
  answeredAlready: '{name} ha già risposto.',
  exercise: 'ESERCITAZIONE',
  messageFrom: 'Messaggio di {organisation}',
  yourAnswer: 'La sua risposta',
  enteredForYou: 'Inserita a suo nome',
  changeUntil: 'Può cambiarla fino al {time}.',
  addNote: 'Aggiungere una nota (facoltativo)',
  note: 'Nota inviata con la risposta',
  askPerson: 'Se ha bisogno di qualcosa, si rivolga a {name}.',
  linkFor: 'Questo link è per {name}.',
  sentBy: 'Inviato da {name} per {organisation}.',
  asDeputy: 'Le viene chiesto in qualità di sostituto di {name}.',
  answerFor: 'Risposta per {name}',
  answerOf: 'Risposta di {name}',
}
