import { Refusal } from './kit/core/refusal.ts'
import { explain } from './kit/core/start-problems.ts'
import type { Undo } from './start.ts'

/**
 * Runs a command of the operator. A refusal is a sentence on standard error and exit code 1; the steps of `undo` are
 * taken at the end, in reverse.
 */
export async function runCommand(main: (undo: Undo) => Promise<void>): Promise<void> {
  const undo: Undo = []
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))
  try {
    await main(undo)
  } catch (error) {
    console.error(error instanceof Refusal ? error.message : explain(error))
    process.exitCode = 1
  } finally {
    for (const step of undo.toReversed()) await step()
  }
}
