import { randomBytes } from 'node:crypto'

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

import { CONFIG } from '#contract/config/catalogue.ts'
import { withoutDirectionMarks } from '#contract/kit/direction.ts'
import { TEST_MARK } from '#contract/mass-notifications/rules.ts'
import { takesAnswers } from '#contract/notification-questions/rules.ts'
import { ANSWER_REQUIRED, NOTE_MAX } from '#contract/notification-questions/schema.ts'
import { clock } from '#server/kit/core/clock.ts'
import type { Refusal } from '#server/kit/core/refusal.ts'
import { type Html, html } from '#server/kit/http/page.ts'
import { inWords, wordsOf } from '#server/kit/messages/words.ts'
import type { Services } from '#server/kit/services.ts'

import { ANSWER_PATH, isAnsweredByPerson, openAsked, type SentAnswer, takeAnswer } from './answers.flows.ts'
import type { AskedPerson } from './answers.store.ts'

/** Bytes of a form: a note of four-byte characters, percent-encoded, has 3.4 KB. */
const FORM_LIMIT = 8_192
const FORM_TYPE = 'application/x-www-form-urlencoded'

// Without characters that HTML escapes.
const STYLE = `
:root{color-scheme:light dark;--back:#f7f8fa;--paper:#fff;--line:#8a94a3;--text:#14181f;--quiet:#55606f;--good:#1b7f4b;--call:#c62828;--plain:#1f5fd6;--on:#fff;--exercise:#9a5b00}
@media (prefers-color-scheme:dark){:root{--back:#0f1319;--paper:#171c24;--line:#6b7686;--text:#e8ecf2;--quiet:#9aa6b5;--good:#6fd39e;--call:#ff8a80;--plain:#7fa9ff;--on:#0f1319;--exercise:#ffb74d}}
*{box-sizing:border-box}
body{margin:0;background:var(--back);color:var(--text);font:400 16px/1.5 Inter,system-ui,sans-serif;overflow-wrap:anywhere}
header{padding:14px 16px;background:var(--paper);border-bottom:1px solid var(--line);font-weight:600}
header div,main,footer{max-width:560px;margin:0 auto}
.exercise{padding:8px 16px;background:var(--exercise);color:var(--on);text-align:center;font-weight:600;letter-spacing:.04em}
main{padding:20px 16px}
h1{margin:0 0 8px;font-size:24px;line-height:1.25}
p{margin:0 0 16px}
.message{white-space:pre-wrap;unicode-bidi:plaintext}
.note{margin:0 0 20px;padding:12px 14px;background:var(--paper);border:1px solid var(--line);border-inline-start:4px solid var(--good);border-radius:6px}
.alert{border-inline-start-color:var(--call)}
.quiet{color:var(--quiet)}
button{display:block;width:100%;min-height:56px;margin:0 0 12px;padding:12px 16px;border:2px solid var(--plain);border-radius:8px;background:var(--paper);color:var(--plain);font:600 18px/1.25 Inter,system-ui,sans-serif;text-align:start;cursor:pointer;overflow-wrap:anywhere}
.good{border-color:var(--good);color:var(--good)}
.attention{border-color:var(--call);color:var(--call)}
.chosen{background:var(--plain);color:var(--on)}
.good.chosen{background:var(--good);color:var(--on)}
.attention.chosen{background:var(--call);color:var(--on)}
:focus-visible{outline:3px solid var(--plain);outline-offset:2px}
summary{min-height:44px;padding:10px 0;color:var(--plain);cursor:pointer}
label{display:block;margin-bottom:4px;font-weight:600}
textarea{display:block;width:100%;min-height:76px;margin-bottom:16px;padding:10px 12px;border:1px solid var(--line);border-radius:6px;background:var(--paper);color:var(--text);font:inherit}
footer{padding:0 16px 32px;color:var(--quiet);font-size:14px}
@media (forced-colors:active){.chosen{border-width:4px}}
`
const policyOf = (nonce: string): string =>
  [
    "default-src 'none'",
    `style-src 'nonce-${nonce}'`,
    'img-src data:',
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ')

interface Shown {
  readonly title: string
  /** Language of the page; English for one about no question. */
  readonly language?: string
  readonly organisation?: string
  /** Word above the page of what is no emergency. */
  readonly mark?: string | null
  readonly main: Html
  readonly footer?: Html
}
/** A whole page for a nonce of the policy. */
type NoncedPage = (nonce: string) => string
const page =
  ({ title, language = 'en', organisation, mark = null, main, footer }: Shown): NoncedPage =>
  (nonce) =>
    html`<!doctype html>
      <html lang="${language}">
        <head>
          <meta charset="utf-8" />
          <meta name="viewport" content="width=device-width, initial-scale=1" />
          <meta name="color-scheme" content="light dark" />
          <meta name="robots" content="noindex" />
          <meta name="referrer" content="no-referrer" />
          <title>${mark !== null && !title.startsWith(mark) && `${mark}: `}${title}</title>
          <link rel="icon" href="data:," />
          <style nonce="${nonce}">
            ${STYLE}
          </style>
        </head>
        <body>
          ${mark !== null && html`<div class="exercise">${mark}</div>`}
          ${organisation !== undefined && html`<header><div dir="auto">${organisation}</div></header>`}
          <main>${main}</main>
          ${footer && html`<footer>${footer}</footer>`}
        </body>
      </html>`.text

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
  return page({
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
  page({
    title: 'There is no such link',
    main: html`<h1>There is no such link</h1>
      <p>${sentence}</p>`,
  })
const MISSING = 'Please open the link exactly as it was sent to you, or ask the organisation that sent it.'

function send(reply: FastifyReply, status: number, whole: NoncedPage) {
  const nonce = randomBytes(16).toString('base64')
  return reply
    .status(status)
    .header('Content-Security-Policy', policyOf(nonce))
    .header('Cache-Control', 'no-store')
    .type('text/html; charset=utf-8')
    .send(whole(nonce))
}

/** 404, and 429 with too many wrong links from an address. Right links stay usable: thousands may share an address. */
async function sendMissing({ attempts, database }: Services, request: FastifyRequest, reply: FastifyReply) {
  const tooMany = await attempts.takeWrongLink(database.directory, request.ip)
  return tooMany ? send(reply, 429, missingPage(tooMany.message)) : send(reply, 404, missingPage(MISSING))
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
    scope.addContentTypeParser(
      FORM_TYPE,
      { parseAs: 'string', bodyLimit: FORM_LIMIT },
      (_request, body, done) => done(null, new URLSearchParams(String(body))),
    )
    const path = `${ANSWER_PATH}/:token`
    scope.get<{ Params: { token: string } }>(path, async (request, reply) => {
      const asked = await openAsked(services, request.params.token)
      return asked ? send(reply, 200, askedPage(asked)) : sendMissing(services, request, reply)
    })
    scope.post<{ Params: { token: string } }>(path, async (request, reply) => {
      const body = request.body instanceof URLSearchParams ? request.body : new URLSearchParams()
      const sent = sentOf(body)
      const taken = await takeAnswer(services, request.params.token, sent)
      if (!taken) return sendMissing(services, request, reply)
      if (taken.refusal) return send(reply, taken.refusal.status, askedPage(taken.asked, sent, taken.refusal))
      // A reload repeats the GET and not the answer.
      return reply.header('Cache-Control', 'no-store').redirect(request.url, 303)
    })
  })
}
