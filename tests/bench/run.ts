import { availableParallelism, cpus, loadavg } from 'node:os'

import { auditLog } from './audit-log.ts'
import { backup } from './backup.ts'
import { incidentDetail, usersListCpu } from './calls.ts'
import { chat } from './chat.ts'
import { chatRoom } from './chat-room.ts'
import { chatFaults } from './chat-faults.ts'
import { fairness } from './fairness.ts'
import { files } from './files.ts'
import { freeze } from './freeze.ts'
import { growth } from './growth.ts'
import { imports } from './imports.ts'
import { interactions } from './interactions.ts'
import { kill } from './kill.ts'
import { live } from './live.ts'
import { heading, type Result, row } from './report.ts'
import { mutations } from './mutations.ts'
import { scrolling } from './scrolling.ts'
import { massSend } from './mass-send.ts'
import { previews } from './previews.ts'
import { reach } from './reach.ts'
import { NotHere, Stage } from './stage.ts'
import { sockets } from './sockets.ts'
import { start } from './start.ts'
import { storage } from './storage.ts'
import { writes } from './writes.ts'

/** Benchmark lines in order. */
const LINES: { readonly [name: string]: (stage: Stage) => Promise<Result[]> } = {
  'users-list-cpu': usersListCpu,
  'incident-detail': incidentDetail,
  'audit-log': auditLog,
  'mass-send': massSend,
  writes,
  live,
  sockets,
  chat,
  'chat-room': chatRoom,
  fairness,
  files,
  storage,
  interactions,
  scrolling,
  start,
}

/** Trials of several minutes, run only by name and alone. */
const TRIALS: { readonly [name: string]: (args: readonly string[]) => Promise<void> } = {
  backup,
  kill,
  'chat-faults': chatFaults,
  freeze,
  growth,
  imports,
  mutations,
  previews,
  reach,
}

const asked = process.argv.slice(2)
let isStopped = false
const trial = TRIALS[asked[0] ?? '']
if (trial) {
  await trial(asked.slice(1))
} else {
  await bench(asked.length > 0 ? asked : Object.keys(LINES))
}

async function bench(names: readonly string[]): Promise<void> {
  const unknown = names.filter((name) => !LINES[name])
  if (unknown.length > 0) {
    const known = [...Object.keys(LINES), ...Object.keys(TRIALS)].join(', ')
    console.error(`There is no line ${unknown.join(', ')}. Lines: ${known}`)
    process.exitCode = 1
    return
  }
  const stage = new Stage()
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => {
      isStopped = true
      void stage.close().finally(() => process.exit(1))
    })
  const began = performance.now()
  const cores = availableParallelism()
  console.log(`${cores} × ${cpus()[0]?.model.trim()}, Node ${process.version}`)
  // Shared caches raise even processor time, and a large program's more than a floor's.
  if (loadavg()[0]! > cores / 2) console.log(`Others are at work here (load ${loadavg()[0]!.toFixed(1)}).`)
  console.log()
  console.log(heading())
  try {
    for (const name of names) if (!isStopped) await one(name, stage)
  } finally {
    await stage.close()
  }
  console.log(`\nTook ${((performance.now() - began) / 1_000).toFixed(0)} s`)
}

async function one(name: string, stage: Stage): Promise<void> {
  try {
    for (const result of await LINES[name]!(stage)) console.log(row(result))
  } catch (error) {
    if (isStopped) return
    if (error instanceof NotHere) return console.log(`${name.padEnd(20)}skipped: ${error.message}`)
    console.error(`${name.padEnd(20)}could not be run`, error)
    process.exitCode = 1
  }
}
