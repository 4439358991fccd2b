import { LIMIT_REACHED, type Limited, LIMITS } from '#contract/kit/limits.ts'

import { clock, MINUTE } from '../core/clock.ts'
import { Refusal } from '../core/refusal.ts'

const SENTENCES: { readonly [limit in Limited]: string } = {
  messages: 'Too many messages were sent in a minute.',
  broadcasts: 'Too many notifications were sent in a minute.',
  searches: 'There were too many searches in a minute.',
  'whole lists': 'Too many whole lists were requested in a minute.',
  documents: 'Too many files were requested in a minute.',
  thumbnails: 'Too many pictures were requested in a minute.',
}

/**
 * Counts each caller's requests in the current minute, in this process. In memory, because a limit protects the process
 * that answers, and a search must not cost a write.
 */
export function makeLimits() {
  let end = 0
  const counts = new Map<string, number>()
  return {
    /** @throws Refusal 429 above the limit, with the time until the minute ends */
    take(limit: Limited, callerId: string): void {
      const now = clock.now()
      // The clock of tests may go back.
      if (now >= end || end - now > MINUTE) {
        counts.clear()
        end = now + MINUTE
      }
      const key = `${limit} ${callerId}`
      const count = counts.get(key) ?? 0
      if (count >= LIMITS[limit])
        throw new Refusal(429, SENTENCES[limit], { code: LIMIT_REACHED, msUntilNextAttempt: end - now })
      counts.set(key, count + 1)
    },
  }
}
export type Limits = ReturnType<typeof makeLimits>
