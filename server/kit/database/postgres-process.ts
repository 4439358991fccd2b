import { type ChildProcess, execFile } from 'node:child_process'
import { createInterface } from 'node:readline'
import { setTimeout as wait } from 'node:timers/promises'

import { CannotStart } from '../core/start-problems.ts'
import { noDatabase, type Programs } from './postgres-program.ts'

/** A line of PostgreSQL's log. */
export interface LogLine {
  /** Level: `LOG`, `FATAL` and so on. */
  readonly level: string
  readonly text: string
}

/** Time limit for a server to end, before a stronger signal. */
export const ENDS_WITHIN = 20_000
/** Fast shutdown, immediate shutdown, and kill. */
export const END_SIGNALS = ['SIGINT', 'SIGQUIT', 'SIGKILL'] as const
const LINES_KEPT = 100
const AGAIN_MS = 200

/** Awaits the end of a program. Returns its exit code and the last problem that it logged. */
export async function endOf(
  child: ChildProcess,
): Promise<{ code: number | string | null; problem: string | null }> {
  let problem: string | null = null
  createInterface(child.stderr!).on('line', (line) => {
    problem = /(?:error|fatal|panic): +(.*)/i.exec(line)?.[1] ?? problem ?? line
  })
  return new Promise((resolve) => {
    child.once('error', (error) => resolve({ code: null, problem: error.message }))
    child.once('close', (code, signal) => resolve({ code: code ?? signal, problem }))
  })
}

const withoutStop = (text: string): string => text.replace(/\.$/, '')

/** True when a start failed because the last processes of a killed server still use its shared memory. */
const isInUse = (problem: string): boolean =>
  problem.includes('shared memory block') && problem.includes('still in use')

/**
 * Starts `postgres` on a folder and waits until it accepts connections.
 * @throws CannotStart when it does not
 */
export async function launch(
  programs: Programs,
  folder: string,
  settings: Readonly<Record<string, string>>,
): Promise<PostgresProcess> {
  const until = performance.now() + ENDS_WITHIN
  for (;;) {
    const server = new PostgresProcess(programs, folder, settings)
    const problem = await server.ready
    if (problem === null) return server
    if (!server.hasLogged) throw noDatabase(problem)
    if (!isInUse(problem) || performance.now() > until)
      throw new CannotStart(`The database in ${folder} did not start: ${withoutStop(problem)}.`)
    await wait(AGAIN_MS)
  }
}

/** A running `postgres` with its log, readiness and end. */
export class PostgresProcess {
  readonly #child: ChildProcess
  readonly #programs: Programs
  readonly #lines: LogLine[] = []
  readonly #exited: Promise<number | string | null>
  #listener: ((line: LogLine) => void) | undefined
  #problem: string | null = null
  #isReady = false
  #isStopping = false
  /** True once PostgreSQL has logged something; until then a problem is the machine's. */
  hasLogged = false
  /** Resolves with null, or with the problem that prevented the start. */
  readonly ready: Promise<string | null>
  /** Resolves with a sentence when it ends without being stopped. */
  readonly failed: Promise<Error>

  constructor(programs: Programs, folder: string, settings: Readonly<Record<string, string>>) {
    const args = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
    this.#programs = programs
    this.#child = programs.spawn('postgres', ['-D', folder, ...args])
    // For exits of this process that do not wait.
    const interrupt = () => this.#signal('SIGINT')
    process.once('exit', interrupt)
    const ready = Promise.withResolvers<string | null>()
    const failed = Promise.withResolvers<Error>()
    this.ready = ready.promise
    this.failed = failed.promise
    createInterface(this.#child.stderr!).on('line', (line) => {
      if (!this.#read(line)) return
      this.#isReady = true
      this.#problem = null
      ready.resolve(null)
    })
    this.#exited = endOf(this.#child).then(({ code, problem }) => {
      process.off('exit', interrupt)
      this.#problem ??= (this.#isReady ? null : problem) ?? `its process ended with ${code}`
      ready.resolve(this.#problem)
      if (!this.#isStopping) failed.resolve(this.#failure())
      return code
    })
  }

  get pid(): number {
    return this.#child.pid!
  }

  /** Calls the listener for each line of the log, including earlier ones. */
  onLog(listener: (line: LogLine) => void): void {
    this.#listener = listener
    for (const line of this.#lines.splice(0)) listener(line)
  }

  /** Closes connections, writes everything to disk and ends. */
  async stop(): Promise<void> {
    this.#isStopping = true
    for (const signal of END_SIGNALS) {
      this.#signal(signal)
      const code = await Promise.race([this.#exited, wait(ENDS_WITHIN, 'too long', { ref: false })])
      if (code === 0) return
      if (code !== 'too long')
        throw new Error(`The database did not stop cleanly: ${withoutStop(this.#problem!)}.`)
    }
  }

  #failure(): Error {
    return new Error(
      `The database stopped by itself: ${withoutStop(this.#problem!)}. ` +
        'What it has confirmed is on disk; start Muster again.',
    )
  }

  /** Returns true for the line that announces readiness. */
  #read(text: string): boolean {
    const [, level, said = ''] = /^([A-Z]+[0-9]?): +(.*)/.exec(text) ?? []
    if (level === undefined) return false
    this.hasLogged = true
    const line: LogLine = { level, text: said }
    // After the start, FATAL only ends one connection.
    if (level === 'PANIC' || (level === 'FATAL' && !this.#isReady)) this.#problem = said
    if (this.#listener) this.#listener(line)
    else if (this.#lines.push(line) > LINES_KEPT) this.#lines.shift()
    return said.includes('ready to accept connections')
  }

  #signal(signal: (typeof END_SIGNALS)[number]): void {
    // On Windows, a signal from Node ends a process at once.
    if (process.platform !== 'win32') this.#child.kill(signal)
    else execFile(this.#programs.pgCtl, ['kill', signal.slice(3), String(this.pid)])
  }
}
