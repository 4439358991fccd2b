import { QueryClient } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'

import { signedIn } from '#tests/support/client.tsx'

import { shareQueries, Tabs } from './tabs.ts'

const stops: (() => void)[] = []
beforeEach(() => void vi.useFakeTimers())
afterEach(() => {
  for (const stop of stops.splice(0)) stop()
})

function openTab() {
  const tab = new Tabs()
  const close = tab.start()
  stops.push(close)
  return { tab, close }
}
const pass = (seconds: number) => vi.advanceTimersByTime(seconds * 1_000)

test('the tab that was opened last is the one that asks', () => {
  const first = openTab()
  const second = openTab()
  pass(1)
  expect([first.tab.isActive(), second.tab.isActive()]).toEqual([false, true])
  pass(3_600)
  expect([first.tab.isActive(), second.tab.isActive()]).toEqual([false, true])
})

test('the one that is looked at takes over', () => {
  const first = openTab()
  const second = openTab()
  pass(1)
  vi.spyOn(document, 'hidden', 'get').mockReturnValue(true)
  document.dispatchEvent(new Event('visibilitychange'))
  pass(1)
  expect([first.tab.isActive(), second.tab.isActive()]).toEqual([false, true])
})

test('another takes over at once from one that is closed', () => {
  const first = openTab()
  const second = openTab()
  pass(1)
  second.close()
  pass(1)
  expect(first.tab.isActive()).toBe(true)
})

test('another takes over within ten seconds or so from one that died', () => {
  const { tab } = openTab()
  localStorage.setItem('muster.tab', `somebody ${Date.now()}`)
  pass(9)
  expect(tab.isActive()).toBe(false)
  pass(2)
  expect(tab.isActive()).toBe(true)
})

test('a tab of its own asks from the start', () => {
  expect(openTab().tab.isActive()).toBe(true)
})

test('what one tab heard is shown in the others, and is not sent round again', async () => {
  vi.useRealTimers()
  signedIn()
  const [asking, other] = [new QueryClient(), new QueryClient()]
  const sent = vi.spyOn(BroadcastChannel.prototype, 'postMessage')
  stops.push(
    shareQueries(asking, () => true),
    shareQueries(other, () => true),
  )
  other.setQueryData(['dashboard'], 'old')
  await asking.fetchQuery({ queryKey: ['dashboard'], queryFn: () => 'new' })
  await asking.fetchQuery({ queryKey: ['incidents', 'list'], queryFn: () => 'not shared' })
  await vi.waitFor(() => expect(other.getQueryData(['dashboard'])).toBe('new'))
  expect(other.getQueryData(['incidents', 'list'])).toBeUndefined()
  expect(sent).toHaveBeenCalledTimes(1)
})

test('nothing is sent round while the socket tells everybody', async () => {
  signedIn()
  const client = new QueryClient()
  const sent = vi.spyOn(BroadcastChannel.prototype, 'postMessage')
  stops.push(shareQueries(client, () => false))
  await client.fetchQuery({ queryKey: ['dashboard'], queryFn: () => 'new' })
  expect(sent).not.toHaveBeenCalled()
})
