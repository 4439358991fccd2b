import { once } from 'node:events'
import type { AddressInfo } from 'node:net'

import { SMTPServer } from 'smtp-server'

/** A mail as received over the wire. */
export interface ReceivedMail {
  readonly to: string
  readonly source: Buffer
}

/** A mail server on this machine that keeps all mails. */
export async function startSmtp() {
  const received: ReceivedMail[] = []
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['AUTH', 'STARTTLS'],
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
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  const { port } = server.server.address() as AddressInfo
  return {
    received,
    url: `smtp://127.0.0.1:${port}?ignoreTLS=true`,
    stop: () => new Promise<void>((resolve) => server.close(resolve)),
  }
}
