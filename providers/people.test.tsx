import { act, render, screen } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'

import { API, aProblem, change, FakeSocket, server, signedIn } from '#tests/support/client.tsx'
import { peopleAre } from '#tests/support/client-people.ts'
import { aListedUser } from '#tests/support/client-users.ts'

import { live } from './live.ts'
import { people, usePeople } from './people.ts'

const person = (firstName: string) =>
  aListedUser({ firstName, lastName: 'Silva', email: `${firstName.toLowerCase()}@demo.example` })
const [ana, bo] = [person('Ana'), person('Bo')]
const stops: (() => void)[] = []
beforeEach(() => {
  signedIn()
  stops.push(people.start())
})
afterEach(() => {
  for (const stop of stops.splice(0)) stop()
})

function Names({ of }: { of: readonly string[] }) {
  const { nameOf } = usePeople()
  return <output>{of.map(nameOf).join(', ')}</output>
}
/** A response that the test releases. */
function lateAnswer() {
  const asked = Promise.withResolvers<void>()
  const { promise, resolve } = Promise.withResolvers<Response>()
  const answers = () => {
    asked.resolve()
    return promise
  }
  server.use(http.get(`${API}/authentication/users/named`, answers, { once: true }))
  return { asked: asked.promise, resolve }
}
const says = (names: string) => screen.findByText(names)
async function connect() {
  const before = FakeSocket.last
  stops.push(live.start())
  await vi.waitFor(() => {
    expect(FakeSocket.last).not.toBe(before)
    expect(FakeSocket.last!.sent).toHaveLength(1)
  })
  act(() => FakeSocket.last!.say({ type: 'ready', sequence: 1 }))
}
const userChanged = (record: string, sequence = 2) =>
  act(() =>
    FakeSocket.last!.say({ type: 'event', sequence, noun: 'users', record, verb: 'updated', parent: null }),
  )

test('whoever is shown is asked for in one call, each once, and keys not at all', async () => {
  const { named } = peopleAre([ana, bo])
  render(<Names of={[ana.email, bo.email, ana.email, 'Key @ night', 'Monitoring']} />)
  expect(screen.getByRole('status')).toHaveTextContent('…, …, …, Key @ night, Monitoring')
  render(<Names of={['nobody@demo.example', bo.email]} />)
  await says('Ana Silva, Bo Silva, Ana Silva, Key @ night, Monitoring')
  await says('nobody@demo.example, Bo Silva')
  expect(named.flat().toSorted()).toEqual([ana.email, bo.email, 'nobody@demo.example'])
})

test('whom a record brought is not asked for', async () => {
  const { named } = peopleAre([ana, bo])
  people.learn([ana])
  render(<Names of={[ana.email, bo.email]} />)
  expect(screen.getByRole('status')).toHaveTextContent('Ana Silva, …')
  await says('Ana Silva, Bo Silva')
  expect(named).toEqual([[bo.email]])
})

test('many are asked for a hundred at a time, and long addresses fewer, for proxies', async () => {
  const { named } = peopleAre([])
  const many = Array.from({ length: 150 }, (_, n) => `p${n}@demo.example`)
  const long = Array.from({ length: 60 }, (_, n) => `${'x'.repeat(60)}${n}@${'y'.repeat(60)}.example`)
  render(<Names of={many} />)
  await says(many.join(', '))
  expect(named.map(({ length }) => length)).toEqual([100, 50])
  render(<Names of={long} />)
  await says(long.join(', '))
  const asked = named.slice(2)
  expect(asked.flat()).toEqual(long)
  for (const emails of asked) expect(encodeURIComponent(emails.join(',')).length).toBeLessThan(6_100)
})

test('who changed is asked for again when the socket tells of it, and nobody else', async () => {
  await connect()
  const before = peopleAre([ana, bo])
  render(<Names of={[ana.email, bo.email]} />)
  await says('Ana Silva, Bo Silva')
  expect(before.named).toHaveLength(1)
  const { named } = peopleAre([{ ...ana, lastName: 'Costa' }, bo])
  userChanged(ana.uuid)
  await says('Ana Costa, Bo Silva')
  expect(named).toEqual([[ana.email]])
})

test('who was not known is asked for again when somebody changes', async () => {
  await connect()
  peopleAre([])
  render(<Names of={[ana.email]} />)
  await says(ana.email)
  peopleAre([ana])
  userChanged(ana.uuid)
  await says('Ana Silva')
})

test('an answer that is older than a change is asked for again', async () => {
  await connect()
  const late = lateAnswer()
  render(<Names of={[ana.email]} />)
  await late.asked
  const { named } = peopleAre([{ ...ana, lastName: 'Costa' }])
  userChanged(ana.uuid)
  late.resolve(HttpResponse.json({ people: [ana] }))
  await says('Ana Costa')
  expect(named).toEqual([[ana.email]])
})

test('a call that failed leaves the address, asks no more, and is made again when the socket is back', async () => {
  await connect()
  let calls = 0
  server.use(
    http.get(`${API}/authentication/users/named`, () => {
      calls++
      return HttpResponse.json(aProblem('Not now.'), { status: 503 })
    }),
  )
  const { rerender } = render(<Names of={[ana.email]} />)
  await says(ana.email)
  rerender(<Names of={[ana.email, ana.email]} />)
  await says(`${ana.email}, ${ana.email}`)
  const asked = calls
  act(() => void FakeSocket.last!.dispatchEvent(new CloseEvent('close', { code: 1006 })))
  expect(live.status()).toBe('down')
  expect(calls).toBe(asked)
  peopleAre([ana])
  const before = FakeSocket.last
  act(() => void window.dispatchEvent(new Event('online')))
  await vi.waitFor(() => {
    expect(FakeSocket.last).not.toBe(before)
    expect(FakeSocket.last!.sent).toHaveLength(1)
  })
  act(() => FakeSocket.last!.say({ type: 'ready', sequence: 1 }))
  await says('Ana Silva, Ana Silva')
})

test('everybody is forgotten with the session, and a late answer to it with them', async () => {
  const late = lateAnswer()
  people.learn([bo])
  render(<Names of={[ana.email, bo.email]} />)
  expect(screen.getByRole('status')).toHaveTextContent('…, Bo Silva')
  await late.asked
  act(() => change({ tokens: null, user: null, permissions: null, uuid: null }))
  expect(screen.getByRole('status')).toHaveTextContent('…, …')
  const { named } = peopleAre([bo])
  late.resolve(HttpResponse.json({ people: [ana] }))
  act(() => void signedIn('USER'))
  await says(`${ana.email}, Bo Silva`)
  expect(named).toEqual([[ana.email, bo.email]])
})
