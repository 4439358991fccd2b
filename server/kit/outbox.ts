import type { FastifyInstance } from 'fastify'

import type { Database } from './db.ts'
import { fromThisMachine } from './health.ts'
import { listOutbox, type OutboxMessage } from './messages.ts'
import { type Html, html, pageOf } from './page.ts'
import { Refusal } from './refusal.ts'

const CHANNELS: Readonly<Record<string, string>> = { EMAIL: 'Email', SMS: 'SMS', VOICE_CALL: 'Voice call' }

/**
 * `/outbox`: every message that would have been sent, for whoever runs the server on their own machine. The links in it
 * let people in, so to everybody else it does not exist.
 */
export function registerOutbox(app: FastifyInstance, { database }: { readonly database: Database }): void {
  app.get('/outbox', async (request, reply) => {
    if (!fromThisMachine(request)) throw new Refusal(404, 'There is nothing here.')
    const messages = await listOutbox(database)
    reply.header('Cache-Control', 'no-store')
    if (request.headers.accept?.includes('application/json'))
      return reply.type('application/json; charset=utf-8').send(JSON.stringify(messages))
    return reply.type('text/html; charset=utf-8').send(outboxPage(messages))
  })
}

const outboxPage = (messages: readonly OutboxMessage[]): string =>
  pageOf({
    title: 'Outbox',
    main: html`
      <h1>Outbox</h1>
      <p class="lead">
        Emails, SMS and voice calls that were not sent, because no service for them is set. Newest first. Only
        this machine can see this page.
      </p>
      ${
        messages.length === 0
          ? html`<p>Nothing yet. What the product would send to people appears here.</p>`
          : messages.map(message)
      }
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

/** The web addresses in a message, each once. */
function linksIn(text: string, body: string): string[] {
  const inText = text.match(/https?:\/\/[^\s<>"']+/g) ?? []
  const inBody = [...body.matchAll(/\bhref="(https?:\/\/[^"\s]+)"/g)].map((match) =>
    match[1]!.replaceAll('&amp;', '&'),
  )
  return [...new Set([...inText.map((link) => link.replace(/[.,;:!?)\]]+$/, '')), ...inBody])]
}
