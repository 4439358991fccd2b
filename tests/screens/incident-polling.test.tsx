import { act, screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'

import { answer, aProblem, open, signedIn } from '#tests/support/client.tsx'
import { aWhole, feedOf, preparePages, resolved, serving, uuid } from '#tests/support/client-incidents.ts'

preparePages()

const pass = (seconds: number) => act(() => vi.advanceTimersByTimeAsync(seconds * 1_000))

/** Advances the clock from one request to the next. Returns the seconds. */
async function interval(asked: { readonly urls: readonly URL[] }): Promise<number> {
  const untilNext = async () => {
    const before = asked.urls.length
    for (let seconds = 0; ; seconds += 1) {
      // A pending request arrives after some event-loop turns.
      for (let n = 0; n < 20; n += 1) await act(() => new Promise((resolve) => setImmediate(resolve)))
      if (asked.urls.length > before || seconds > 400) return seconds
      await pass(1)
    }
  }
  await untilNext()
  return untilNext()
}

test.each([
  ['active', 10, 60, {}],
  ['resolved', 300, 300, resolved],
])(
  'that is %s is asked for every %i seconds while the socket is down, the team status every %i',
  async (_, seconds, teamSeconds, state) => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'] })
    answer('post', '/live/ticket', aProblem('Not now.'), 503)
    signedIn('ADMIN')
    feedOf([])
    const { asked, teamAsked } = serving(aWhole(state))
    open(`/incidents/${uuid(1)}`)
    await vi.waitFor(() => screen.getByRole('heading', { name: /^Ransomware/ }), { timeout: 60_000 })
    expect([await interval(asked), await interval(teamAsked)]).toEqual([seconds, teamSeconds])
  },
)
