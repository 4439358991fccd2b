import { afterEach, beforeEach, expect, test, vi } from 'vitest'

const NAMES = ['localStorage', 'sessionStorage'] as const
const known = NAMES.map((name) => [name, Object.getOwnPropertyDescriptor(window, name)!] as const)
const refuse = () => {
  throw new DOMException('Access is denied for this document.', 'SecurityError')
}
/** The module in a browser with disabled storage. */
async function closed() {
  for (const name of NAMES) Object.defineProperty(window, name, { configurable: true, get: refuse })
  vi.stubGlobal('BroadcastChannel', refuse)
  vi.resetModules()
  return import('./storage.ts')
}
beforeEach(() => {
  localStorage.clear()
  vi.resetModules()
})
afterEach(() => {
  for (const [name, descriptor] of known) Object.defineProperty(window, name, descriptor)
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

test('a browser that keeps nothing is given what it wrote as long as the page lives', async () => {
  const { storage, tabStorage, openChannel } = await closed()
  storage.write('muster.kept a', 'one')
  storage.write('muster.kept b', 'two')
  tabStorage.write('muster.kept a', 'three')
  expect([storage.read('muster.kept a'), tabStorage.read('muster.kept a')]).toEqual(['one', 'three'])
  expect(storage.keys('muster.kept ')).toEqual(['muster.kept a', 'muster.kept b'])
  storage.write('muster.kept a', null)
  expect(storage.read('muster.kept a')).toBeNull()
  expect(storage.keys('muster.kept ')).toEqual(['muster.kept b'])
  expect(storage.isLasting()).toBe(false)
  expect(openChannel('muster')).toBeNull()
})

test('somebody signs in to a browser that keeps nothing, and stays signed in on the page', async () => {
  await closed()
  const session = await import('./session.ts')
  const config = { displayName: 'Demo', streamApiKey: '', multiIncident: false, manageAdminToolId: '' }
  session.chooseOrganisation({ code: 'demo', apiUrl: '/api', config })
  session.beginSession({ authenticationToken: 'token', cueRefreshToken: 'r', uuid: 'ada' } as never)
  expect(session.rereadSession()).toMatchObject({ organisation: { code: 'demo' }, uuid: 'ada' })
  session.endSession('left')
  expect(session.rereadSession()).toMatchObject({ tokens: null, ending: 'left' })
})

test('libraries find no storage instead of one that throws', async () => {
  await closed()
  expect(window.localStorage).toBeUndefined()
  expect(window.sessionStorage).toBeUndefined()
  // react-admin accesses the storage outside of any `try` while it loads.
  const { localStorageStore } = await import('react-admin')
  const store = localStorageStore('1', 'demo')
  store.setItem('theme', 'dark')
  expect(store.getItem('theme')).toBe('dark')
})

test('what a full storage refuses is kept in memory, and goes to the storage with the next write', async () => {
  const { storage } = await import('./storage.ts')
  storage.write('draft', 'stored')
  const full = vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
    throw new DOMException('Full.', 'QuotaExceededError')
  })
  storage.write('draft', 'longer')
  expect([storage.read('draft'), localStorage.getItem('draft')]).toEqual(['longer', 'stored'])
  full.mockRestore()
  storage.write('draft', 'longest')
  expect([storage.read('draft'), localStorage.getItem('draft')]).toEqual(['longest', 'longest'])
  expect(storage.isLasting()).toBe(true)
})
