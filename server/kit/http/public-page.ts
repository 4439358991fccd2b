import { randomBytes } from 'node:crypto'

import type { FastifyInstance, FastifyReply } from 'fastify'

import { type Html, html } from './page.ts'

const FORM_TYPE = 'application/x-www-form-urlencoded'
/** Takes forms of public pages, of at most `bodyLimit` bytes. */
export const takesForms = (scope: FastifyInstance, bodyLimit: number): void =>
  scope.addContentTypeParser(FORM_TYPE, { parseAs: 'string', bodyLimit }, (_request, body, done) =>
    done(null, new URLSearchParams(String(body))),
  )

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
input{display:block;width:100%;min-height:48px;margin-bottom:16px;padding:10px 12px;border:1px solid var(--line);border-radius:6px;background:var(--paper);color:var(--text);font:inherit}
article{margin:0 0 20px;padding:14px 16px;background:var(--paper);border:1px solid var(--line);border-radius:8px}
h2{margin:0 0 4px;font-size:18px;line-height:1.3}
article h2~h2{margin-top:16px;font-size:16px}
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

export interface PublicPage {
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
export type NoncedPage = (nonce: string) => string
/** A page for people without an account, without scripts. */
export const publicPage =
  ({ title, language = 'en', organisation, mark = null, main, footer }: PublicPage): NoncedPage =>
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

/** Sends a public page, which nothing keeps. */
export function sendPublic(reply: FastifyReply, status: number, whole: NoncedPage) {
  const nonce = randomBytes(16).toString('base64')
  return reply
    .status(status)
    .header('Content-Security-Policy', policyOf(nonce))
    .header('Cache-Control', 'no-store')
    .type('text/html; charset=utf-8')
    .send(whole(nonce))
}
