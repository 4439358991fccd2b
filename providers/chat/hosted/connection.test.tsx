import { expect, test, vi } from 'vitest'

import { HttpProblem, NO_ANSWER } from '../../problem.ts'
import { openConnection } from './connection.tsx'

const account = (token: () => Promise<string>) => ({
  apiKey: 'a-public-key',
  userId: 'ana',
  token,
  // Nothing listens on the port of this address.
  options: { baseURL: 'http://127.0.0.1:9' },
})

test('a refused token ends the attempt with its refusal', async () => {
  const refusal = new HttpProblem('This account is archived.', 403)
  const attempt = openConnection(account(() => Promise.reject(refusal)))
  await expect(attempt).rejects.toBe(refusal)
})

test('a service that does not answer ends the attempt after the time of its client', async () => {
  vi.useFakeTimers()
  try {
    const attempt = openConnection(account(() => new Promise(() => {})))
    const failure = expect(attempt).rejects.toMatchObject({ message: NO_ANSWER, status: 0 })
    await vi.advanceTimersByTimeAsync(16_000)
    await failure
  } finally {
    vi.useRealTimers()
  }
})
