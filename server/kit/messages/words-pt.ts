import type { Words } from './words.ts'

/** Portuguese. */
export const WORDS_PT: Words = {
  answer: 'Responder:',
  reply: 'Responda',
  press: 'Prima {key} para {answer}.',
  noSuchKey: 'Esta tecla não tem resposta.',
  thanks: 'Obrigado. A sua resposta é: {answer}.',
  tooManyKeys: 'Houve demasiadas respostas. Aguarde um minuto.',
  over: 'Esta pergunta já não aceita respostas.',
  chooseAnswer: 'Escolha uma resposta.',
  noteTooLong: 'Uma nota tem no máximo {max} caracteres.',
  answeredAlready: '{name} já respondeu.',
  exercise: 'EXERCÍCIO',
  messageFrom: 'Mensagem de {organisation}',
  yourAnswer: 'A sua resposta',
  enteredForYou: 'Registada em seu nome',
  changeUntil: 'Pode alterá-la até {time}.',
  addNote: 'Adicionar uma nota (opcional)',
  note: 'Nota enviada com a sua resposta',
  askPerson: 'Se precisar de alguma coisa, fale com {name}.',
  linkFor: 'Esta ligação é para {name}.',
  sentBy: 'Enviado por {name} para {organisation}.',
  asDeputy: 'É-lhe perguntado na qualidade de substituto de {name}.',
  answerFor: 'Resposta em nome de {name}',
  answerOf: 'Resposta de {name}',
}
