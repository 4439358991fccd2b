import { fsyncSync } from 'node:fs'
import { parentPort, workerData } from 'node:worker_threads'

import { PGlite, type PGliteOptions } from '@electric-sql/pglite'
import { NodeFS } from '@electric-sql/pglite/nodefs'

import { findDamage } from '#server/kit/database/database-folder.ts'
import { Wire } from '#server/kit/database/embedded-wire.ts'
import { releaseMemorySoon } from '#server/kit/memory.ts'

/** What the worker is started with. */
export interface WorkerTask {
  readonly folder: string
  readonly socket: string | undefined
  readonly password: string | undefined
  readonly idleInTransactionMs: number
  readonly heavyLimitMs: number
  readonly heavyWaitMs: number
}
/** What the worker says, each at most once except fsyncs. */
export type WorkerMessage =
  | { readonly kind: 'ready'; readonly port: number | undefined }
  | { readonly kind: 'damaged'; readonly what: string }
  | { readonly kind: 'fsyncs'; readonly count: number }
  | { readonly kind: 'failed'; readonly reason: string }
export type WorkerCommand = 'fsyncs' | 'stop'

const task = workerData as WorkerTask
const port = parentPort!
const say = (what: WorkerMessage) => port.postMessage(what)

/** A single session has no checkpointer: without ours the write-ahead log would grow for ever. */
const CHECKPOINT_AFTER_BYTES = 32 * 1024 * 1024
const CHECKPOINT = Buffer.from('Q\0\0\0\x0fCHECKPOINT\0', 'latin1')
const LONGJMP = 100
const SETTINGS = {
  fsync: 'on',
  // fdatasync, the usual method, does nothing in this build.
  wal_sync_method: 'fsync',
  shared_buffers: '32MB',
  max_stack_depth: '1MB',
  min_wal_size: '32MB',
  max_wal_size: '64MB',
  // A statement in a log would carry what people wrote.
  log_min_messages: 'fatal',
  log_min_error_statement: 'panic',
}

let fsyncs = 0
let walBytes = 0
let lastWords = ''

interface Stream {
  readonly nfd: number
  readonly path: string
  /** The file, of which there is one object however often it is open. */
  readonly node: object
}
interface Attributes {
  readonly size?: number
}
interface StreamOps {
  open: (stream: Stream) => void
  fsync?: (stream: Stream) => number
  llseek: (stream: Stream, offset: number, whence: number) => number
  read: StreamOps['write']
  setattr: (stream: Stream, attributes: Attributes) => void
  write: (stream: Stream, buffer: Uint8Array, offset: number, length: number, position: number) => number
}
interface NodeFsType {
  readonly node_ops: { setattr: (node: object, attributes: Attributes) => void }
  readonly stream_ops: StreamOps
  tryFSOperation<T>(operation: () => T): T
}

const SEEK_END = 2
/** Tables and indexes, which are never renamed. */
const RELATION_FILE = /\/base\/\d+\/\d/

/**
 * Keeps the lengths of tables and indexes. The engine seeks the end of each one for every statement, and each time asked
 * the file system: a quarter of what short statements cost.
 */
function keepLengths({ node_ops, stream_ops }: NodeFsType): void {
  const lengths = new WeakMap<object, number>()
  const { llseek, open, write } = stream_ops
  stream_ops.open = (stream) => {
    lengths.delete(stream.node)
    open(stream)
  }
  stream_ops.llseek = (stream, offset, whence) => {
    if (whence !== SEEK_END || !RELATION_FILE.test(stream.path)) return llseek(stream, offset, whence)
    let length = lengths.get(stream.node)
    if (length === undefined) {
      length = llseek(stream, 0, SEEK_END)
      lengths.set(stream.node, length)
    }
    return length + offset
  }
  stream_ops.write = (stream, buffer, offset, count, position) => {
    const length = lengths.get(stream.node)
    // A write that fails may have written a part.
    lengths.delete(stream.node)
    const written = write(stream, buffer, offset, count, position)
    if (length !== undefined) lengths.set(stream.node, Math.max(length, position + written))
    return written
  }
  const changeStream = stream_ops.setattr
  stream_ops.setattr = (stream, attributes) => {
    lengths.delete(stream.node)
    changeStream(stream, attributes)
  }
  const changeNode = node_ops.setattr
  node_ops.setattr = (node, attributes) => {
    lengths.delete(node)
    changeNode(node, attributes)
  }
}

/** When what runs has to end, and how the database is told. */
let deadline = Infinity
let interrupt = () => {}

/**
 * Ends a statement that takes too long. Nothing else runs in this thread meanwhile and the engine's own timeouts never
 * fire, so the clock is read whenever a statement reads or writes a file.
 */
function checkDeadline(): void {
  if (performance.now() < deadline) return
  // Once: the engine reads files while it rolls back, too.
  deadline = Infinity
  interrupt()
}

/** The file system of the data folder, with an fsync that reaches the disk: the packaged one has none. */
class DurableFs extends NodeFS {
  override async init(...args: Parameters<NodeFS['init']>) {
    const { emscriptenOpts } = await super.init(...args)
    const preRun = [...(emscriptenOpts.preRun ?? [])]
    preRun.push((module) => {
      const { NODEFS } = module.FS.filesystems as unknown as { NODEFS: NodeFsType }
      keepLengths(NODEFS)
      const { read, write } = NODEFS.stream_ops
      NODEFS.stream_ops.read = (...args) => {
        checkDeadline()
        return read(...args)
      }
      NODEFS.stream_ops.fsync = (stream) =>
        NODEFS.tryFSOperation(() => {
          fsyncs += 1
          fsyncSync(stream.nfd)
          return 0
        })
      NODEFS.stream_ops.write = (stream, buffer, offset, length, position) => {
        checkDeadline()
        if (stream.path.includes('/pg_wal/') && !stream.path.includes('xlogtemp')) walBytes += length
        return write(stream, buffer, offset, length, position)
      }
    })
    return { emscriptenOpts: { ...emscriptenOpts, preRun } }
  }
}

/** Nothing can be trusted after this: the process must start anew, and recovers from the log. */
function fail(error: unknown): never {
  say({ kind: 'failed', reason: lastWords || String(error) })
  process.exit(1)
}

const noteLastWords = (line: string): boolean => {
  const words = /(?:FATAL|PANIC): +(.*)/.exec(line)
  if (words) lastWords = words[1]!
  return false
}

async function openDatabase(options: PGliteOptions): Promise<PGlite> {
  const db = new PGlite({ ...options, onStdout: noteLastWords, onStderr: noteLastWords })
  await db.waitReady
  return db
}

/** Ends the worker when the engine dies: PGlite would pass over it and go on with what is left. */
function noticeDeath({ Module: engine }: PGlite): void {
  const name = '_PostgresMainLoopOnce'
  const once = engine[name]
  engine[name] = () => {
    try {
      once()
    } catch (error) {
      // The ordinary way of an SQL error.
      if ((error as { status?: number }).status === LONGJMP) throw error
      fail(error)
    }
  }
}

interface Engine {
  readonly HEAPU8: Uint8Array
  /** Addresses of the flags that the engine looks at between rows. */
  readonly _InterruptPending: number
  readonly _QueryCancelPending: number
}
/** Sets the flags that a signal of a server's client would set (`pg_cancel_backend`). */
function flags(db: PGlite) {
  // The memory's view is made anew when the memory grows.
  const engine = db.Module as unknown as Engine
  const set = (value: 0 | 1) => {
    engine.HEAPU8[engine._QueryCancelPending] = value
    engine.HEAPU8[engine._InterruptPending] = value
  }
  return { raise: () => set(1), clear: () => set(0) }
}

async function serve(): Promise<void> {
  const db = await openDatabase({
    fs: new DurableFs(task.folder),
    startParams: [
      ...PGlite.defaultStartParams.filter((param) => param !== '-F'),
      ...Object.entries(SETTINGS).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
    ],
  })
  noticeDeath(db)
  const damage = await findDamage(async (text) => (await db.query<{ name: string }>(text)).rows)
  const { raise, clear } = flags(db)
  interrupt = raise
  const run = (messages: Uint8Array, answer: (bytes: Uint8Array) => void, limitMs = Infinity): void => {
    deadline = performance.now() + limitMs
    // Runs to the end before it returns; the promise is for file systems that save afterwards.
    db.execProtocolRawStream(messages, { syncToFs: false, onRawData: answer }).catch(fail)
    // It may have ended by itself after the flags were raised.
    if (limitMs < Infinity) clear()
    deadline = Infinity
  }

  const welcome: Buffer[] = []
  run(startupMessage(), (bytes) => void welcome.push(Buffer.from(bytes)))
  const wire = new Wire(
    {
      welcome: Buffer.concat(welcome),
      run,
      inTransaction: () => db.isInTransaction(),
      atRest: () => {
        if (walBytes < CHECKPOINT_AFTER_BYTES) return
        walBytes = 0
        run(CHECKPOINT, () => {})
      },
    },
    task,
  )
  const listening = await wire.listen(task.socket)

  port.on('message', (word: WorkerCommand) => {
    if (word === 'fsyncs') return say({ kind: 'fsyncs', count: fsyncs })
    void wire
      .close()
      .then(() => db.close())
      .then(() => process.exit(0), fail)
  })
  say(damage === null ? { kind: 'ready', port: listening } : { kind: 'damaged', what: damage })
  releaseMemorySoon()
}

function startupMessage(): Buffer {
  const body = Buffer.from(
    '\0\0\0\0\0\x03\0\0user\0postgres\0database\0postgres\0client_encoding\0UTF8\0\0',
    'latin1',
  )
  body.writeInt32BE(body.length, 0)
  return body
}

try {
  await serve()
} catch (error) {
  fail(error)
}
