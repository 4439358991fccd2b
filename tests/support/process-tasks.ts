import { buffer } from 'node:stream/consumers'

import { Refusal } from '#server/kit/core/refusal.ts'
import type { TaskOf } from '#server/kit/processes/task.ts'

/** Tasks of a process, by name. */
const run: TaskOf<string, unknown> = async (act) => {
  if (act === 'endless') for (;;);
  if (act === 'too large')
    for (const kept: number[][] = []; ;) kept.push(Array.from({ length: 1_000 }, () => 1.5))
  if (act === 'too large outside of the heap')
    for (const kept: Buffer[] = []; kept.length < 192;) kept.push(Buffer.alloc(16_777_216, 1))
  if (act === 'refuse') throw new Refusal(400, 'Line 3 is wrong.', { fields: { content: 'Line 3' } })
  if (act === 'fail') throw new Error('A fault of ours.')
  if (act === 'secrets') return process.env['SECRET_KEY'] ?? null
  if (act === 'read') return (await buffer(process.stdin)).length
  return Buffer.from('done')
}
export default run
