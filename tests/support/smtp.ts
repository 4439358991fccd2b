import { once } from 'node:events'
import type { AddressInfo } from 'node:net'

import { SMTPServer } from 'smtp-server'

/** A mail as received over the wire. */
export interface ReceivedMail {
  readonly to: string
  readonly source: Buffer
}
/** A reply to RCPT TO, such as `450 4.2.0 Greylisted`. */
export type RcptReply = `${number} ${string}`

const refusal = (reply: RcptReply): Error =>
  Object.assign(new Error(reply.slice(4)), { responseCode: Number(reply.slice(0, 3)) })

/**
 * A mail server on this machine that keeps all mails.
 * @param port a free one unless given
 */
export async function startSmtp(port = 0) {
  const received: ReceivedMail[] = []
  /** Replies to the next mails to an address, in order; afterwards it accepts. */
  const plans = new Map<string, RcptReply[]>()
  /** Addresses that were tried, refused ones too. */
  const tried: string[] = []
  /** Refuses every conversation with this reply; null for none. */
  const state: { closed: RcptReply | null } = { closed: null }
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['AUTH', 'STARTTLS'],
    onMailFrom: (_address, _session, done) => done(state.closed && refusal(state.closed)),
    onRcptTo({ address }, _session, done) {
      tried.push(address)
      const reply = plans.get(address)?.shift()
      done(reply === undefined ? null : refusal(reply))
    },
    onData(stream, { envelope }, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        for (const { address } of envelope.rcptTo)
          received.push({ to: address, source: Buffer.concat(chunks) })
        done()
      })
    },
  })
  server.listen(port, '127.0.0.1')
  await once(server.server, 'listening')
  const { port: taken } = server.server.address() as AddressInfo
  return {
    received,
    plans,
    tried,
    state,
    port: taken,
    url: `smtp://127.0.0.1:${taken}?ignoreTLS=true`,
    stop: () => new Promise<void>((resolve) => server.close(resolve)),
  }
}
