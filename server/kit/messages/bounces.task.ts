import type { TaskOf } from '../processes/task.ts'
import { type Bounce, readBounce } from './bounce-report.ts'

/** A report; null for another mail, and undefined for one that cannot be read. */
export type ReadMail = Bounce | null | undefined

/** Reads mails of strangers. */
const read: TaskOf<readonly Uint8Array[], ReadMail[]> = async (sources) => {
  const mails: ReadMail[] = []
  for (const source of sources) mails.push(await readBounce(Buffer.from(source)).catch(() => undefined))
  return mails
}
export default read
