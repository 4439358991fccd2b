import type { Words } from './words.ts'

/** French. */
export const WORDS_FR: Words = {
  answer: 'Répondre :',
  reply: 'Répondez',
  press: 'Appuyez sur {key} pour {answer}.',
  noSuchKey: 'Cette touche ne correspond à aucune réponse.',
  thanks: 'Merci. Votre réponse est : {answer}.',
  tooManyKeys: 'Il y a eu trop de réponses. Veuillez attendre une minute.',
  over: 'Cette question n’accepte plus de réponses.',
  chooseAnswer: 'Veuillez choisir une réponse.',
  noteTooLong: 'Une note compte au plus {max} caractères.',
  answeredAlready: '{name} a déjà répondu.',
  exercise: 'EXERCICE',
  messageFrom: 'Message de {organisation}',
  yourAnswer: 'Votre réponse',
  enteredForYou: 'Saisie en votre nom',
  changeUntil: 'Vous pouvez la modifier jusqu’au {time}.',
  addNote: 'Ajouter une note (facultatif)',
  note: 'Note envoyée avec votre réponse',
  askPerson: 'Si vous avez besoin de quelque chose, adressez-vous à {name}.',
  linkFor: 'Ce lien est destiné à {name}.',
  sentBy: 'Envoyé par {name} pour {organisation}.',
  asDeputy: 'Vous êtes interrogé en tant que suppléant de {name}.',
  answerFor: 'Réponse pour {name}',
  answerOf: 'Réponse de {name}',
}
