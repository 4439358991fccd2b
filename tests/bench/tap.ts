import { mkdtemp, rm } from 'node:fs/promises'
import { connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A recorded SQL statement; without values it was a simple query. */
export interface Statement {
  readonly text: string
  readonly values: readonly (string | null)[] | null
}

const SOCKET = '.s.PGSQL.5432'
/** Placeholder of a binary value. */
const BYTES = '\0bytes'
const [QUERY, PARSE, BIND] = [0x51, 0x50, 0x42]

/** A proxy in front of a PostgreSQL server that records the statements. */
export interface Tap {
  /** Folder of its socket. */
  readonly folder: string
  /** The newest transaction, from `begin` to `commit`, whose opening contains a word. */
  transactionWith(word: string): readonly Statement[]
  /** Statements that connections have prepared for their transactions. */
  prepared(): readonly string[]
  stop(): Promise<void>
}

export async function startTap(behind: string): Promise<Tap> {
  const folder = await mkdtemp(join(tmpdir(), 'muster-bench-tap-'))
  const transactions: Statement[][] = []
  const prepared = new Set<string>()
  const withoutPreparing = ({ text, values }: Statement): Statement => {
    const prepare = /prepare \w+ as [^;]*; (?=execute )/.exec(text)?.[0]
    if (prepare) prepared.add(prepare)
    return { text: prepare ? text.replace(prepare, () => '') : text, values }
  }
  const sockets = new Set<Socket>()
  const server = createServer((client) => {
    const upstream = connect(join(behind, SOCKET))
    const note = reader()
    let open: Statement[] | undefined
    client.on('data', (chunk) => {
      for (const said of note(chunk)) {
        const statement = withoutPreparing(said)
        if (statement.text.startsWith('begin;')) transactions.push((open = []))
        open?.push(statement)
        if (statement.text === 'commit' || statement.text === 'rollback') open = undefined
      }
    })
    client.pipe(upstream).pipe(client)
    for (const [one, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(one)
      one.on('error', () => other.destroy()).on('close', () => other.destroy())
    }
  })
  await new Promise<void>((resolve) => server.listen(join(folder, SOCKET), resolve))
  return {
    folder,
    transactionWith: (word) => {
      const found = transactions.findLast(
        (statements) => statements[0]!.text.includes(word) && statements.at(-1)!.text === 'commit',
      )
      if (!found) throw new Error(`No transaction with ${word} was heard.`)
      if (found.some(({ values }) => values?.includes(BYTES)))
        throw new Error('A value was sent as bytes, which the floor cannot repeat.')
      return found
    },
    prepared: () => [...prepared],
    stop: async () => {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** Parses a client's messages from chunks of any size. */
function reader(): (chunk: Buffer) => Statement[] {
  let rest: Buffer = Buffer.alloc(0)
  let isOpen = false
  let parsed = ''
  return (chunk) => {
    rest = Buffer.concat([rest, chunk])
    const statements: Statement[] = []
    for (;;) {
      // The first message has no type.
      const at = isOpen ? 1 : 0
      if (rest.length < at + 4) return statements
      const end = at + rest.readInt32BE(at)
      if (rest.length < end) return statements
      const type = isOpen ? rest[0] : 0
      const body = rest.subarray(at + 4, end)
      rest = rest.subarray(end)
      isOpen = true
      if (type === QUERY) statements.push({ text: stringAt(body, 0).text, values: null })
      if (type === PARSE) parsed = stringAt(body, stringAt(body, 0).end).text
      if (type === BIND) statements.push({ text: parsed, values: valuesOf(body) })
    }
  }
}

function stringAt(body: Buffer, at: number): { text: string; end: number } {
  const end = body.indexOf(0, at)
  return { text: body.toString('utf8', at, end), end: end + 1 }
}

function valuesOf(body: Buffer): (string | null)[] {
  let at = stringAt(body, stringAt(body, 0).end).end
  const formats = Array.from({ length: body.readInt16BE(at) }, (_, n) => body.readInt16BE(at + 2 + 2 * n))
  at += 2 + 2 * formats.length
  const count = body.readInt16BE(at)
  at += 2
  return Array.from({ length: count }, (_, n) => {
    const length = body.readInt32BE(at)
    at += 4
    if (length < 0) return null
    at += length
    return formats[n] === 1 ? BYTES : body.toString('utf8', at - length, at)
  })
}
