import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, rmSync, statSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'

import type { Logger } from 'pino'

import { clock, DAY, HOUR, MINUTE, SECOND } from '../core/clock.ts'
import type { BackupPlan } from '../core/settings.ts'

/** State of planned backups, for the operator. */
export interface BackupState {
  /** Time of the newest backup in the folder; null for none. */
  readonly newestTimestamp: string | null
  /** Sentence about what has failed since; null for nothing. */
  readonly problem: string | null
}
export interface PlannedBackups {
  /** Null without a plan. */
  readonly state: () => BackupState | null
  readonly warnings: () => readonly string[]
  stop(): Promise<void>
}

const LOOK_EVERY = MINUTE
/** Pause after an attempt that failed. */
const AGAIN_AFTER = 15 * MINUTE
/** Age at which a daily backup is missed, however long the last one took. */
const LATE_AFTER = DAY + 4 * HOUR
/** Names of planned backups. Other files of the folder are left alone. */
const NAME = /^muster-(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d)Z\.backup$/
/** Longest output of the command that is kept. */
const SAID_MAX = 10_000

const nameAt = (at: number): string =>
  `muster-${new Date(at).toISOString().slice(0, 19).replaceAll(':', '-')}Z.backup`

/** Planned backups of a folder with their times, oldest first. */
function listBackups(folder: string): { path: string; at: number }[] {
  const found = readdirSync(folder).flatMap((name) => {
    const [, day, hours, minutes, seconds] = NAME.exec(name) ?? []
    const at = Date.parse(`${day}T${hours}:${minutes}:${seconds}Z`)
    return Number.isNaN(at) ? [] : [{ path: join(folder, name), at }]
  })
  return found.toSorted((a, b) => a.at - b.at)
}

/** The last time at or before `now` that the plan names, in the time zone of this machine. */
export function lastDue({ hours, minutes }: Pick<BackupPlan, 'hours' | 'minutes'>, now: number): number {
  const due = new Date(now)
  due.setHours(hours, minutes, 0, 0)
  if (due.getTime() > now) due.setDate(due.getDate() - 1)
  return due.getTime()
}

/**
 * Makes a backup daily, in a process of its own, and deletes all but the newest ones. A folder without a backup since
 * the last planned time gets one at once. Several processes may have the same folder: one makes it.
 * @param program path of the command
 */
export function planBackups(plan: BackupPlan | null, program: string, log: Logger): PlannedBackups {
  if (!plan) return { state: () => null, warnings: () => [], stop: async () => {} }
  const began = clock.now()
  let problem: string | null = null
  let newest: number | null = null
  let nextTry = 0
  let child: ChildProcess | undefined
  let running = Promise.resolve()

  async function look(): Promise<void> {
    try {
      await mkdir(plan!.folder, { recursive: true, mode: 0o700 })
      newest = listBackups(plan!.folder).at(-1)?.at ?? null
      const now = clock.now()
      if ((newest ?? 0) >= lastDue(plan!, now) || now < nextTry) return
      nextTry = now + AGAIN_AFTER
      problem = await make(join(plan!.folder, nameAt(now)))
    } catch (error) {
      problem = (error as Error).message
    }
    if (problem !== null) log.error({ problem }, 'the planned backup failed')
  }

  /** Returns the sentence of a command that failed; null after a backup. */
  async function make(path: string): Promise<string | null> {
    const args = [program, path, '--key-file', plan!.keyFile]
    child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'pipe'], windowsHide: true })
    let said = ''
    child.stderr!.on('data', (chunk: Buffer) => {
      said = (said + String(chunk)).slice(-SAID_MAX)
    })
    const [code] = (await once(child, 'close')) as [number | null]
    child = undefined
    if (!statSync(path, { throwIfNoEntry: false })) return said.trim() || `The command ended with ${code}.`
    // Kept, but it names files that are damaged.
    if (code !== 0) log.warn({ said }, 'the planned backup lacks files')
    const backups = listBackups(plan!.folder)
    newest = backups.at(-1)!.at
    for (const old of backups.slice(0, -plan!.keep)) rmSync(old.path, { force: true })
    log.info({ path }, 'the planned backup is made')
    return null
  }

  const next = () => {
    running = look()
  }
  const first = setTimeout(next, SECOND)
  const rounds = setInterval(() => {
    if (!child) next()
  }, LOOK_EVERY)
  for (const timer of [first, rounds]) timer.unref()
  const isLate = () => clock.now() - (newest ?? began) > LATE_AFTER
  return {
    state: () => ({ newestTimestamp: newest === null ? null : new Date(newest).toISOString(), problem }),
    warnings: () => [
      ...(problem === null ? [] : [`The planned backup failed: ${problem}`]),
      ...(isLate()
        ? [
            newest === null
              ? `There is no backup in ${plan.folder}.`
              : `The newest backup is of ${new Date(newest).toISOString()}: more than a day old.`,
          ]
        : []),
    ],
    stop: async () => {
      clearTimeout(first)
      clearInterval(rounds)
      child?.kill('SIGTERM')
      await running
    },
  }
}
