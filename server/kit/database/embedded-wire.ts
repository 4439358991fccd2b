import { timingSafeEqual } from 'node:crypto'
import { createServer, type Server, type Socket } from 'node:net'

/** The one session that all clients share. Runs whole messages to the end before it returns. */
export interface Session {
  /** The messages that a client gets after it is authenticated. */
  readonly welcome: Uint8Array
  /** @param limitMs ends it with the error 57014 after that time, as soon as it reads or writes a file */
  run(messages: Uint8Array, answer: (bytes: Uint8Array) => void, limitMs?: number): void
  inTransaction(): boolean
  /** Called whenever no client holds the session. */
  atRest(): void
}

export interface WireOptions {
  readonly password: string | undefined
  /** How long a transaction may keep others waiting without a statement. */
  readonly idleInTransactionMs: number
  /** How long the statements of a heavy client may take, those that arrive together as one; for ever unless said. */
  readonly heavyLimitMs?: number
  /**
   * How long a heavy client waits, at most, while others come again and again; or as long as the last heavy turn took, so that
   * heavy work gets no more than half of the session from people who need it.
   */
  readonly heavyWaitMs?: number
}

/** The application name of clients that wait until no other client does. */
export const HEAVY_CLIENT = 'muster-heavy'
const TYPE = { flush: 0x48, functionCall: 0x46, password: 0x70, query: 0x51, sync: 0x53, terminate: 0x58 }
const SSL_REQUEST = 80877103
const GSS_REQUEST = 80877104
const PROTOCOL_3 = 3
const MAX_MESSAGE = 1 << 30

const message = (type: number, body: string): Buffer => {
  const bytes = Buffer.alloc(5 + Buffer.byteLength(body))
  bytes[0] = type
  bytes.writeInt32BE(bytes.length - 1, 1)
  bytes.write(body, 5)
  return bytes
}
const fatal = (code: string, sentence: string): Buffer =>
  message(0x45, `SFATAL\0VFATAL\0C${code}\0M${sentence}\0\0`)
const ASK_PASSWORD = Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 3])
/** Ends the unfinished work of a disconnected client: first the half of a statement, then the transaction. */
const ABANDON = Buffer.concat([message(TYPE.sync, ''), message(TYPE.query, 'ROLLBACK\0')])

interface Client {
  readonly socket: Socket
  phase: 'hello' | 'password' | 'open' | 'gone'
  isHeavy: boolean
  /** Since when a heavy client waits for its turn. */
  waitsSince: number
  chunks: Buffer[]
  size: number
  needed: number
  /** Messages up to the last one that expects a response. */
  ready: Buffer[]
  endsInFlush: boolean
}

/**
 * Speaks PostgreSQL's protocol with many clients and lends them the one session in turn: from the first message of a
 * statement to its end, and from BEGIN to COMMIT or ROLLBACK. A turn is a whole batch of messages because parse, bind
 * and execute of two clients must not mix: they share one unnamed statement. A client whose application name is
 * `HEAVY_CLIENT` comes after all others.
 */
export class Wire {
  readonly #session: Session
  readonly #options: WireOptions
  readonly #server: Server
  readonly #clients = new Set<Client>()
  #waiting: Client[] = []
  #heavyWaiting: Client[] = []
  #lastHeavyMs = 0
  #owner: Client | undefined
  /** How often the watch has come by since the owner's last statement. */
  #idleTicks = 0
  readonly #tickMs: number
  readonly #watch: NodeJS.Timeout

  constructor(session: Session, options: WireOptions) {
    this.#session = session
    this.#options = options
    this.#server = createServer((socket) => this.#welcome(socket))
    this.#tickMs = Math.min(1000, options.idleInTransactionMs / 2)
    this.#watch = setInterval(() => this.#dismissIdler(), this.#tickMs)
  }

  /** Listens on a unix socket, or without a path on a free port of the loopback address; returns the port. */
  async listen(path: string | undefined): Promise<number | undefined> {
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', reject)
      if (path) this.#server.listen(path, resolve)
      else this.#server.listen(0, '127.0.0.1', resolve)
    })
    const address = this.#server.address()
    return typeof address === 'object' ? address?.port : undefined
  }

  /** Lets nobody in any more and shows everybody out; open transactions are rolled back. */
  async close(): Promise<void> {
    clearInterval(this.#watch)
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()))
    for (const client of this.#clients) {
      this.#leave(client)
      client.socket.destroy()
    }
    await closed
  }

  #welcome(socket: Socket): void {
    const client: Client = {
      socket,
      phase: 'hello',
      isHeavy: false,
      waitsSince: 0,
      chunks: [],
      size: 0,
      needed: 8,
      ready: [],
      endsInFlush: false,
    }
    this.#clients.add(client)
    socket.setNoDelay(true)
    socket.on('data', (chunk: Buffer) => this.#receive(client, chunk))
    socket.on('error', () => socket.destroy())
    socket.on('close', () => this.#leave(client))
  }

  #leave(client: Client): void {
    client.phase = 'gone'
    client.ready = []
    this.#clients.delete(client)
    this.#waiting = this.#waiting.filter((other) => other !== client)
    this.#heavyWaiting = this.#heavyWaiting.filter((other) => other !== client)
    if (this.#owner !== client) return
    this.#session.run(ABANDON, () => {})
    this.#owner = undefined
    this.#takeTurns()
  }

  #receive(client: Client, chunk: Buffer): void {
    client.chunks.push(chunk)
    client.size += chunk.length
    if (client.size < client.needed) return
    let bytes = client.chunks.length === 1 ? chunk : Buffer.concat(client.chunks)
    while (client.phase === 'hello' || client.phase === 'password') {
      const used = client.phase === 'hello' ? this.#hello(client, bytes) : this.#checkPassword(client, bytes)
      if (used === 0) return this.#keep(client, bytes, client.needed)
      bytes = bytes.subarray(used)
      client.needed = client.phase === 'hello' ? 8 : 5
    }
    if (client.phase === 'open') this.#gather(client, bytes)
  }

  #keep(client: Client, bytes: Buffer, needed: number): void {
    client.chunks = bytes.length > 0 ? [bytes] : []
    client.size = bytes.length
    client.needed = needed
  }

  #refuse(client: Client, code: string, sentence: string): number {
    client.socket.write(fatal(code, sentence))
    client.socket.destroySoon()
    this.#leave(client)
    return 0
  }

  /** Reads what comes before a session; returns how many bytes it used, 0 when more are needed. */
  #hello(client: Client, bytes: Buffer): number {
    if (bytes.length < 8) return 0
    const length = bytes.readInt32BE(0)
    const code = bytes.readInt32BE(4)
    if (length === 8 && (code === SSL_REQUEST || code === GSS_REQUEST)) {
      client.socket.write('N')
      return 8
    }
    if (code >> 16 !== PROTOCOL_3 || length < 8 || length > 10_000) {
      return this.#refuse(client, '08P01', 'Only PostgreSQL protocol 3 is spoken here.')
    }
    client.needed = length
    if (bytes.length < length) return 0
    client.isHeavy = bytes.toString('latin1', 8, length).includes(`\0application_name\0${HEAVY_CLIENT}\0`)
    if (this.#options.password === undefined) this.#open(client)
    else {
      client.phase = 'password'
      client.socket.write(ASK_PASSWORD)
    }
    return length
  }

  #checkPassword(client: Client, bytes: Buffer): number {
    if (bytes.length < 5) return 0
    const expected = message(TYPE.password, `${this.#options.password}\0`)
    const length = 1 + bytes.readInt32BE(1)
    client.needed = expected.length
    if (length === expected.length && bytes.length < length) return 0
    if (length !== expected.length || !timingSafeEqual(bytes.subarray(0, length), expected)) {
      return this.#refuse(client, '28P01', 'The password is wrong.')
    }
    this.#open(client)
    return length
  }

  #open(client: Client): void {
    client.phase = 'open'
    client.socket.write(this.#session.welcome)
  }

  #gather(client: Client, bytes: Buffer): void {
    let at = 0
    let end = 0
    let needed = 5
    for (;;) {
      needed = at + 5
      if (bytes.length < needed) break
      const type = bytes[at]
      const length = bytes.readInt32BE(at + 1)
      if (length < 4 || length > MAX_MESSAGE) return void client.socket.destroy()
      if (type === TYPE.terminate) {
        client.socket.destroySoon()
        break
      }
      needed = at + 1 + length
      if (bytes.length < needed) break
      at = needed
      if (type === TYPE.query || type === TYPE.sync || type === TYPE.functionCall || type === TYPE.flush) {
        end = at
        client.endsInFlush = type === TYPE.flush
      }
    }
    this.#keep(client, bytes.subarray(end), needed - end)
    if (end === 0) return
    client.ready.push(bytes.subarray(0, end))
    if (client !== this.#owner) this.#queue(client)
    this.#takeTurns()
  }

  #queue(client: Client): void {
    const queue = client.isHeavy ? this.#heavyWaiting : this.#waiting
    if (queue.includes(client)) return
    client.waitsSince = performance.now()
    queue.push(client)
  }

  /** The next client: a heavy one when no other waits, or when it has waited long enough. */
  #next(): Client | undefined {
    const [heavy] = this.#heavyWaiting
    if (!heavy) return this.#waiting.shift()
    const isDue =
      performance.now() - heavy.waitsSince >= Math.max(this.#options.heavyWaitMs ?? 0, this.#lastHeavyMs)
    return this.#waiting.length > 0 && !isDue ? this.#waiting.shift() : this.#heavyWaiting.shift()
  }

  #run(client: Client, batch: Buffer): void {
    // The bytes are a view of the database's memory, which the next statement overwrites.
    const answer = (bytes: Uint8Array) => void client.socket.write(Buffer.from(bytes))
    if (!client.isHeavy) return this.#session.run(batch, answer)
    const began = performance.now()
    this.#session.run(batch, answer, this.#options.heavyLimitMs)
    this.#lastHeavyMs = performance.now() - began
  }

  #takeTurns(): void {
    for (;;) {
      const client = this.#owner ?? this.#next()
      if (!client || client.ready.length === 0) return
      const batch = client.ready.length === 1 ? client.ready[0]! : Buffer.concat(client.ready)
      client.ready = []
      this.#owner = client
      client.socket.cork()
      this.#run(client, batch)
      client.socket.uncork()
      this.#idleTicks = 0
      if (client.endsInFlush || this.#session.inTransaction()) continue
      this.#owner = undefined
      this.#session.atRest()
    }
  }

  /**
   * Ends a transaction that waits for something else than the database and keeps others waiting. Idle time is counted in
   * ticks, not read from a clock: a clock goes on while the process is stopped, and the owner cannot send anything then.
   */
  #dismissIdler(): void {
    if (!this.#owner) return
    // The first tick may come right after the statement.
    const idle = this.#idleTicks * this.#tickMs
    this.#idleTicks += 1
    if (this.#waiting.length + this.#heavyWaiting.length === 0 || idle < this.#options.idleInTransactionMs)
      return
    this.#refuse(
      this.#owner,
      '25P03',
      `The embedded database has one session, and this transaction kept others waiting for ${Math.round(idle)} ms ` +
        'without a statement.',
    )
  }
}
