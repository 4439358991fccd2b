import type { Words } from './words.ts'

/** Spanish. */
export const WORDS_ES: Words = {
  answer: 'Responder:',
  reply: 'Responda',
  press: 'Pulse {key} para {answer}.',
  noSuchKey: 'Esta tecla no tiene respuesta.',
  thanks: 'Gracias. Su respuesta es: {answer}.',
  tooManyKeys: 'Hubo demasiadas respuestas. Espere un minuto.',
  over: 'Esta pregunta ya no admite respuestas.',
  chooseAnswer: 'Elija una respuesta.',
  noteTooLong: 'Una nota tiene como máximo {max} caracteres.',
  answeredAlready: '{name} ya ha respondido.',
  exercise: 'SIMULACRO',
  messageFrom: 'Mensaje de {organisation}',
  yourAnswer: 'Su respuesta',
  enteredForYou: 'Registrada en su nombre',
  changeUntil: 'Puede cambiarla hasta el {time}.',
  addNote: 'Añadir una nota (opcional)',
  note: 'Nota que se envía con su respuesta',
  askPerson: 'Si necesita algo, diríjase a {name}.',
  linkFor: 'Este enlace es para {name}.',
  sentBy: 'Enviado por {name} para {organisation}.',
  asDeputy: 'Se le pregunta como suplente de {name}.',
  answerFor: 'Respuesta en nombre de {name}',
  answerOf: 'Respuesta de {name}',
}
