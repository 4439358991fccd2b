import { withoutEnd } from '#contract/kit/cut.ts'

import type { OutboxMessage } from './outbox-messages.ts'
import { type Html, html, htmlPage } from '../http/page.ts'

const CHANNELS: Readonly<Record<string, string>> = { EMAIL: 'Email', SMS: 'SMS', VOICE_CALL: 'Voice call' }

export interface OutboxView {
  readonly messages: readonly OutboxMessage[]
  /** The filter by recipient. */
  readonly to: string
  /** Addresses of the neighbouring pages; null where there is none. */
  readonly newer: string | null
  readonly older: string | null
}

export const outboxPage = ({ messages, to, newer, older }: OutboxView): string =>
  htmlPage({
    title: 'Outbox',
    main: html`
      <h1>Outbox</h1>
      <p class="lead">
        Emails, SMS and voice calls that were not sent, because no service for them is set. Newest first. Only
        this machine can see this page, with the outbox key.
      </p>
      <form class="filter" action="/outbox" method="get" role="search">
        <label for="to">Recipient</label>
        <input id="to" name="to" type="search" value="${to}" maxlength="255" />
        <button type="submit">Filter</button>
        ${to && html`<a href="/outbox">Show all</a>`}
      </form>
      ${
        messages.length === 0
          ? html`<p>
              ${
                to
                  ? 'No messages to this recipient.'
                  : 'Nothing yet. What the product would send to people appears here.'
              }
            </p>`
          : messages.map(message)
      }
      ${
        (newer || older) &&
        html`
          <p class="pages">
            ${newer && html`<a href="${newer}" rel="prev">Newer messages</a>`}
            ${older && html`<a href="${older}" rel="next">Older messages</a>`}
          </p>
        `
      }
    `,
  })

/** Instructions for a local caller without the key. */
export const lockedPage = (): string =>
  htmlPage({
    title: 'Outbox',
    main: html`
      <h1>The outbox needs its key</h1>
      <p class="lead">
        Muster printed an address with the key when it started: <code>/outbox?key=…</code>. Open that address
        once in this browser.
      </p>
      <p>
        The key is the setting <code>OUTBOX_KEY</code>, or otherwise in the file <code>outbox-key</code> of
        the data folder.
      </p>
      <p>
        If that address leads back to this page, the browser keeps no secure cookie without https, as some
        versions of Safari: open it in another browser.
      </p>
    `,
  })

function message({ channel, to, subject, text, html: body, createTimestamp }: OutboxMessage): Html {
  const links = linksIn(text, body ?? '')
  return html`
    <article>
      <h2 class="subject">${subject ?? CHANNELS[channel] ?? channel}</h2>
      <p class="access">
        ${CHANNELS[channel] ?? channel} to <strong>${to}</strong>,
        <time datetime="${createTimestamp}">${createTimestamp.slice(0, 19).replace('T', ' ')} UTC</time>
      </p>
      <pre class="message">${text}</pre>
      ${
        links.length > 0 &&
        html`
          <ul class="links">
            ${links.map((link) => html`<li><a href="${link}" rel="noreferrer">${link}</a></li>`)}
          </ul>
        `
      }
    </article>
  `
}

/** The URLs in a message, de-duplicated. */
function linksIn(text: string, body: string): string[] {
  const inText = text.match(/https?:\/\/[^\s<>"']+/g) ?? []
  const inBody = [...body.matchAll(/\bhref="(https?:\/\/[^"\s]+)"/g)].map((match) =>
    match[1]!.replaceAll('&amp;', '&'),
  )
  return [
    ...new Set([...inText.map((link) => withoutEnd(link, (mark) => '.,;:!?)]'.includes(mark))), ...inBody]),
  ]
}
