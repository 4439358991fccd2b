import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

import { CONFIG } from '#contract/config/catalogue.ts'
import { withoutDirectionMarks } from '#contract/kit/direction.ts'
import { TEST_MARK } from '#contract/mass-notifications/rules.ts'
import { takesAnswers } from '#contract/notification-questions/rules.ts'
import { ANSWER_REQUIRED, NOTE_MAX } from '#contract/notification-questions/schema.ts'
import { clock } from '#server/kit/core/clock.ts'
import type { Refusal } from '#server/kit/core/refusal.ts'
import { type Html, html } from '#server/kit/http/page.ts'
import { type NoncedPage, publicPage, sendPublic, takesForms } from '#server/kit/http/public-page.ts'
import { inWords, wordsOf } from '#server/kit/messages/words.ts'
import type { Services } from '#server/kit/services.ts'

import { ANSWER_PATH, isAnsweredByPerson, openAsked, type SentAnswer, takeAnswer } from './answers.flows.ts'
import type { AskedPerson } from './answers.store.ts'

/** Bytes of a form: a note of four-byte characters, percent-encoded, has 3.4 KB. */
const FORM_LIMIT = 8_192

const timeIn = (language: string, timestamp: string): string =>
  new Intl.DateTimeFormat(language === 'en' ? 'en-GB' : language, {
    dateStyle: 'long',
    timeStyle: 'short',
    timeZone: 'UTC',
  }).format(new Date(timestamp))
const wordsFor = ({ language }: Pick<AskedPerson, 'language'>) =>
  wordsOf(language ?? CONFIG.voiceLanguage.default)
/** A sentence with parts of a page in place of its names. */
const sentence = (words: string, parts: Readonly<Record<string, Html>>): Html =>
  html`${words.split(/(\{[a-z]{1,20}\})/).map((part) => parts[part.slice(1, -1)] ?? html`${part}`)}`
const CLASSES = { GOOD: 'good', NEUTRAL: '', ATTENTION: 'attention' } as const

/** A name or title that people typed, within a sentence. */
const typed = (text: string): Html => html`<bdi>${withoutDirectionMarks(text)}</bdi>`

/** The answer that counts. */
function givenLine(asked: AskedPerson, isOpen: boolean): Html | false {
  const { question, given, endTimestamp, deputy, name } = asked
  if (given === null) return false
  const { language, words } = wordsFor(asked)
  const label = typed(question.answers[given.answer]?.label ?? '')
  return html`<p class="note" role="status">
    ${
      deputy === null
        ? given.channel === 'ON_BEHALF'
          ? words.enteredForYou
          : words.yourAnswer
        : sentence(given.channel === 'ON_BEHALF' ? words.answerFor : words.answerOf, { name: typed(name) })
    }: <strong>${label}</strong>.
    ${
      isOpen &&
      sentence(words.changeUntil, {
        time: html`<time datetime="${endTimestamp}">${timeIn(language, endTimestamp)} UTC</time>`,
      })
    }
  </p>`
}

function form(asked: AskedPerson, sent: Partial<SentAnswer>): Html {
  const { question, given, deputy } = asked
  const { words } = wordsFor(asked)
  const own = deputy === null ? 'LINK' : 'ON_BEHALF'
  const note = sent.note ?? (given?.channel === own ? given.note : '')
  return html`<form method="post">
    <details ${note !== '' && 'open'}>
      <summary>${words.addNote}</summary>
      <label for="note">${words.note}</label>
      <textarea id="note" name="note" rows="3" maxlength="${NOTE_MAX}" dir="auto">${note}</textarea>
    </details>
    ${question.answers.map(({ label, tone }, n) => {
      const isChosen = given?.answer === n
      return html`<button
        name="answer"
        value="${n}"
        class="${CLASSES[tone]}${isChosen && ' chosen'}"
        ${isChosen && html`aria-current="true"`}
      >
        ${isChosen && '✓ '}${typed(label)}
      </button>`
    })}
  </form>`
}

/** The word above the page of an exercise or a test. */
const markOf = (asked: AskedPerson): string | null =>
  asked.isTest ? TEST_MARK : asked.isExercise ? wordsFor(asked).words.exercise : null
/** A refusal in the language of the page. */
function refusalIn({ words }: ReturnType<typeof wordsFor>, { status, message, details }: Refusal): string {
  if (status === 429) return words.tooManyKeys
  if (message === ANSWER_REQUIRED) return words.chooseAnswer
  return details.fields?.note ? inWords(words.noteTooLong, { max: String(NOTE_MAX) }) : message
}
const alert = (content: Html): Html => html`<p class="note alert" role="alert">${content}</p>`

/** The page of a question: the message, and a button for each answer while it takes answers. */
function askedPage(
  asked: AskedPerson,
  sent: Partial<SentAnswer> = {},
  refusal: Refusal | null = null,
): NoncedPage {
  const { organisation, createdBy, emailMessage, smsMessage, name } = asked
  const isOver = !takesAnswers(asked, clock.now())
  const isOpen = !isOver && !isAnsweredByPerson(asked)
  const { language, words } = wordsFor(asked)
  const title = asked.title ?? inWords(words.messageFrom, { organisation })
  return publicPage({
    title,
    language,
    organisation,
    mark: markOf(asked),
    main: html`
      <h1>${typed(title)}</h1>
      ${asked.deputy !== null && html`<p><strong>${sentence(words.asDeputy, { name: typed(name) })}</strong></p>`}
      <p class="message">${emailMessage ?? smsMessage}</p>
      ${isOver && alert(html`${words.over} ${sentence(words.askPerson, { name: typed(createdBy) })}`)}
      ${refusal && isAnsweredByPerson(asked) && alert(sentence(words.answeredAlready, { name: typed(name) }))}
      ${isOpen && refusal && alert(html`${refusalIn({ language, words }, refusal)}`)}
      ${givenLine(asked, isOpen)} ${isOpen && form(asked, sent)}
    `,
    footer: html`${name !== '' && html`${sentence(words.linkFor, { name: typed(asked.deputy ?? name) })} `}${sentence(
      words.sentBy,
      {
        name: typed(createdBy),
        organisation: typed(organisation),
      },
    )}`,
  })
}

const missingPage = (sentence: string): NoncedPage =>
  publicPage({
    title: 'There is no such link',
    main: html`<h1>There is no such link</h1>
      <p>${sentence}</p>`,
  })
const MISSING = 'Please open the link exactly as it was sent to you, or ask the organisation that sent it.'

/** 404, and 429 with too many wrong links from an address. Right links stay usable: thousands may share an address. */
async function sendMissing({ attempts, database }: Services, request: FastifyRequest, reply: FastifyReply) {
  const tooMany = await attempts.takeWrongLink(database.directory, request.ip)
  return tooMany
    ? sendPublic(reply, 429, missingPage(tooMany.message))
    : sendPublic(reply, 404, missingPage(MISSING))
}

const sentOf = (body: URLSearchParams): SentAnswer => {
  const answer = body.get('answer') ?? ''
  return {
    answer: /^\d$/.test(answer) ? Number(answer) : null,
    note: (body.get('note') ?? '').replaceAll('\r\n', '\n').replaceAll('\u0000', '').trim(),
  }
}

/**
 * `/answer/<token>`: the page on which a recipient answers, rendered here and without scripts. Only a POST answers, so
 * that programs that open the links of messages change nothing.
 */
export function registerAnswerPage(app: FastifyInstance, services: Services): void {
  void app.register(async (scope) => {
    takesForms(scope, FORM_LIMIT)
    const path = `${ANSWER_PATH}/:token`
    scope.get<{ Params: { token: string } }>(path, async (request, reply) => {
      const asked = await openAsked(services, request.params.token)
      return asked ? sendPublic(reply, 200, askedPage(asked)) : sendMissing(services, request, reply)
    })
    scope.post<{ Params: { token: string } }>(path, async (request, reply) => {
      const body = request.body instanceof URLSearchParams ? request.body : new URLSearchParams()
      const sent = sentOf(body)
      const taken = await takeAnswer(services, request.params.token, sent)
      if (!taken) return sendMissing(services, request, reply)
      if (taken.refusal)
        return sendPublic(reply, taken.refusal.status, askedPage(taken.asked, sent, taken.refusal))
      // A reload repeats the GET and not the answer.
      return reply.header('Cache-Control', 'no-store').redirect(request.url, 303)
    })
  })
}
