import type { Words } from './words.ts'

/** Dutch. */
export const WORDS_NL: Words = {
  answer: 'Antwoorden:',
  reply: 'Antwoord',
  press: 'Druk op {key} voor {answer}.',
  noSuchKey: 'Deze toets heeft geen antwoord.',
  thanks: 'Bedankt. Uw antwoord is: {answer}.',
  tooManyKeys: 'Er waren te veel antwoorden. Wacht een minuut.',
  over: 'Deze vraag neemt geen antwoorden meer aan.',
  chooseAnswer: 'Kies een antwoord.',
  noteTooLong: 'Een notitie heeft ten hoogste {max} tekens.',
  answeredAlready: '{name} heeft al geantwoord.',
  exercise: 'OEFENING',
  messageFrom: 'Bericht van {organisation}',
  yourAnswer: 'Uw antwoord',
  enteredForYou: 'Voor u ingevuld',
  changeUntil: 'U kunt het wijzigen tot {time}.',
  addNote: 'Notitie toevoegen (optioneel)',
  note: 'Notitie die met uw antwoord wordt verzonden',
  askPerson: 'Als u iets nodig hebt, vraag het aan {name}.',
  linkFor: 'Deze link is voor {name}.',
  sentBy: 'Verzonden door {name} voor {organisation}.',
  asDeputy: 'U wordt gevraagd als plaatsvervanger van {name}.',
  answerFor: 'Antwoord namens {name}',
  answerOf: 'Antwoord van {name}',
}
