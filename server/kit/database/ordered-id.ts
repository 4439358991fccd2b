import { randomUUID } from 'node:crypto'

const COUNTER_MAX = 0xfff
let last = 0
let counter = 0

/** A UUID (version 7) that sorts after every one that this process made before, also within one millisecond. */
export function orderedId(): string {
  const now = Math.max(Date.now(), last)
  counter = now === last ? counter + 1 : 0
  last = counter > COUNTER_MAX ? now + 1 : now
  if (counter > COUNTER_MAX) counter = 0
  const time = last.toString(16).padStart(12, '0')
  const sequence = counter.toString(16).padStart(3, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-7${sequence}${randomUUID().slice(18)}`
}
