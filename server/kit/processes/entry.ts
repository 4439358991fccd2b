import { Worker } from 'node:worker_threads'

import { Refusal } from '../core/refusal.ts'
import type { Answer, Request, TaskOf } from './task.ts'

const [, , seconds, residentMegabytes] = process.argv.map(Number)
/** Ends a process that has too much memory, or whose server was killed, even in an endless loop. */
const WATCH = `
  const end = () => process.kill(process.pid, 'SIGKILL')
  setTimeout(end, ${seconds! * 1_000})
  setInterval(() => { if (process.memoryUsage.rss() > ${residentMegabytes! * 1_048_576}) end() }, 50)`
new Worker(WATCH, { eval: true, execArgv: [] }).unref()

const send = (answer: Answer) => void process.send!(answer)

// The listener keeps the process alive until its parent has received everything and ends it.
process.on('message', ({ module, task }: Request) => {
  answer(module, task).then(send, (error: unknown) =>
    send({ fault: error instanceof Error ? String(error.stack) : String(error) }),
  )
})
process.once('disconnect', () => process.exit())

async function answer(module: string, task: unknown): Promise<Answer> {
  const { default: run } = (await import(module)) as { default: TaskOf<unknown, unknown> }
  try {
    return { result: await run(task) }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return { status: error.status, sentence: error.message, details: error.details }
  }
}
