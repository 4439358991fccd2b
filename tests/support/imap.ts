import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'

const USER = 'bounces@muster.example'
const PASSWORD = 'not a real password'

/** Uids of a set such as `3,7:9` or `4:*`. */
function uidsIn(set: string, all: readonly number[]): number[] {
  const last = all.at(-1) ?? 0
  const numberOf = (text: string) => (text === '*' ? last : Number(text))
  return all.filter((uid) =>
    set.split(',').some((part) => {
      const [from, to] = part.split(':').map(numberOf) as [number, number | undefined]
      return to === undefined ? uid === from : uid >= Math.min(from, to) && uid <= Math.max(from, to)
    }),
  )
}

/** A mailbox on this machine, with the part of IMAP4rev1 that reading it takes. */
export class FakeImap {
  readonly #mails: { uid: number; source: Buffer }[] = []
  readonly #sockets = new Set<Socket>()
  readonly #server = createServer((socket) => this.#serve(socket))
  uidValidity = 1
  /** Sources that were handed out, by uid. */
  readonly fetched: number[] = []
  #next = 1

  async start(): Promise<string> {
    this.#server.listen(0, '127.0.0.1')
    await once(this.#server, 'listening')
    const { port } = this.#server.address() as AddressInfo
    return `imap://${encodeURIComponent(USER)}:${encodeURIComponent(PASSWORD)}@127.0.0.1:${port}/INBOX`
  }

  stop(): void {
    for (const socket of this.#sockets) socket.destroy()
    this.#server.close()
  }

  /** Delivers a mail. */
  deliver(source: string | Buffer): void {
    const lines = typeof source === 'string' ? source.replaceAll(/\r?\n/g, '\r\n') : source
    this.#mails.push({ uid: this.#next, source: Buffer.from(lines) })
    this.#next += 1
  }

  #serve(socket: Socket): void {
    this.#sockets.add(socket)
    socket.on('close', () => this.#sockets.delete(socket))
    socket.on('error', () => {})
    socket.write('* OK [CAPABILITY IMAP4rev1] ready\r\n')
    let rest = ''
    socket.on('data', (chunk: Buffer) => {
      const lines = (rest + chunk.toString()).split('\r\n')
      rest = lines.pop()!
      for (const line of lines) this.#answer(socket, line)
    })
  }

  #answer(socket: Socket, line: string): void {
    const [, tag = '*', command = '', rest = ''] = /^(\S+) ((?:UID )?\S+) ?(.*)$/.exec(line) ?? []
    const done = (status = 'OK') => socket.write(`${tag} ${status} done\r\n`)
    switch (command.toUpperCase()) {
      case 'CAPABILITY':
        socket.write('* CAPABILITY IMAP4rev1\r\n')
        return void done()
      case 'LOGIN':
        return void done(rest.includes(USER) && rest.includes(PASSWORD) ? 'OK' : 'NO')
      case 'LIST':
        socket.write('* LIST (\\HasNoChildren) "/" INBOX\r\n')
        return void done()
      case 'EXAMINE':
        socket.write(`* ${this.#mails.length} EXISTS\r\n* FLAGS (\\Seen)\r\n`)
        socket.write(`* OK [UIDVALIDITY ${this.uidValidity}] valid\r\n* OK [UIDNEXT ${this.#next}] next\r\n`)
        return void done('OK [READ-ONLY]')
      case 'UID SEARCH': {
        const set = /UID (\S+)/i.exec(rest)?.[1] ?? '1:*'
        const found = uidsIn(
          set,
          this.#mails.map(({ uid }) => uid),
        )
        socket.write(`* SEARCH ${found.join(' ')}\r\n`)
        return void done()
      }
      case 'UID FETCH':
        this.#fetch(socket, rest)
        return void done()
      case 'LOGOUT':
        socket.write('* BYE\r\n')
        return void done()
      case 'NOOP':
      case 'CLOSE':
        return void done()
      default:
        return void done('BAD')
    }
  }

  #fetch(socket: Socket, rest: string): void {
    const wanted = new Set(
      uidsIn(
        rest.split(' ')[0]!,
        this.#mails.map(({ uid }) => uid),
      ),
    )
    const partial = /BODY\.PEEK\[\](?:<0\.(\d+)>)?/i.exec(rest)
    for (const [n, { uid, source }] of this.#mails.entries()) {
      if (!wanted.has(uid)) continue
      if (!partial) {
        socket.write(`* ${n + 1} FETCH (UID ${uid} RFC822.SIZE ${source.length})\r\n`)
        continue
      }
      const part = partial[1] === undefined ? source : source.subarray(0, Number(partial[1]))
      this.fetched.push(uid)
      socket.write(`* ${n + 1} FETCH (UID ${uid} BODY[]${partial[1] ? '<0>' : ''} {${part.length}}\r\n`)
      socket.write(part)
      socket.write(')\r\n')
    }
  }
}
