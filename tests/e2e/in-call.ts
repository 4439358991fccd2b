import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  expect as expectation,
  type Page,
} from '@playwright/test'

import type { CallRecord } from '#contract/calls/schema.ts'
import type { Room } from '#contract/chat/schema.ts'
import { fullName } from '#contract/kit/names.ts'

import { type Arrived, arrivedAt, callingBrowser } from '../support/calling.ts'
import { signIn as sessionOf } from '../support/product.ts'

/** On a busy machine the connections of six people come up within a minute. */
export const expect = expectation.configure({ timeout: 120_000 })

/** A room of the demonstration. */
export const ROOM = 'Headquarters'
export const [MAYA, TOMAS, INGRID, HANA, MATEO, ERIK] = [
  'admin@demo.example',
  'responder@demo.example',
  'planner@demo.example',
  'hana.kimura@demo.example',
  'mateo.fernandez@demo.example',
  'erik.solberg@demo.example',
] as const

export const windowOf = (page: Page) => page.getByRole('region', { name: `Call in ${ROOM}` })
export const tileOf = (page: Page, name: string) =>
  windowOf(page).getByRole('listitem').filter({ hasText: name })
export const messagesOf = (page: Page) => page.getByRole('region', { name: 'Messages', exact: true })
export const returnButton = (page: Page) =>
  page.getByRole('banner').first().getByRole('button', { name: 'Return to Call' })

/** The room's calls, as the server knows them. */
export async function callsOf(url: string) {
  const { call } = await sessionOf(url, MAYA)
  const { body: rooms } = await call('GET', '/chat/rooms')
  const { id: roomId } = (rooms as Room[]).find(({ name }) => name === ROOM)!
  const current = async () => ((await call('GET', `/chat/rooms/${roomId}`)).body as Room).callDetails
  return {
    current,
    /** Names of the participants in the current call. */
    people: async () => ((await current())?.participants ?? []).map(({ name }) => name),
    /** Time at which a person left a call. */
    async leftAt(id: string, name: string): Promise<number> {
      const { attendance } = (await call('GET', `/calls/${id}`)).body as CallRecord
      return Date.parse(attendance.find(({ person }) => fullName(person) === name)!.leftAt!)
    },
  }
}

/** A person's browser, with the room open. */
export async function open(
  browser: Browser,
  url: string,
  email: string,
  options: BrowserContextOptions = { viewport: { width: 1_280, height: 720 } },
  organisation = 'demo',
): Promise<Page> {
  const context = await callingBrowser(browser, url, email, options, organisation)
  return openTab(context)
}
/** Another tab of a person's browser, with the room open. */
export async function openTab(context: BrowserContext): Promise<Page> {
  const page = await context.newPage()
  followSigns(page)
  await openRoom(page)
  return page
}
async function openRoom(page: Page): Promise<void> {
  await page.goto('/chat')
  await page.getByRole('navigation', { name: 'Chats' }).getByRole('link', { name: ROOM }).click()
  await expect(page.getByRole('textbox', { name: 'Message', exact: true })).toBeVisible()
}

export async function start(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Start a call' }).click()
  await expect(windowOf(page)).toBeVisible()
}
export async function join(page: Page): Promise<void> {
  await messagesOf(page).getByRole('button', { name: 'Join Call' }).click()
  await expect(windowOf(page)).toBeVisible()
}
export const leave = (page: Page): Promise<void> =>
  windowOf(page).getByRole('button', { name: 'Leave Call' }).click()
export async function showCamera(page: Page): Promise<void> {
  await windowOf(page).getByRole('button', { name: 'Turn camera on' }).click()
  await expect(windowOf(page).getByRole('button', { name: 'Turn camera off' })).toBeVisible()
}

/** Waits until all participants see each other's pictures move and hear each other. */
export async function seeAndHearEachOther(pages: readonly Page[], { isSeen = true } = {}): Promise<void> {
  const lines = pages.length - 1
  const isUp = ({ state, frames, energy }: Arrived) =>
    state === 'connected' && energy > 0 && (frames > 0 || !isSeen)
  await Promise.all(
    pages.map(async (page) => {
      let before: Arrived[] = []
      const areUp = async () => {
        before = await arrivedAt(page)
        return before.length === lines && before.every(isUp)
      }
      const grown = async () => {
        const now = await arrivedAt(page)
        return now.filter(
          ({ frames, energy }, at) => energy > before[at]!.energy && (frames > before[at]!.frames || !isSeen),
        ).length
      }
      const intervals = [500, 1_000, 2_000]
      await expect.poll(areUp, { intervals }).toBe(true)
      await expect.poll(grown, { intervals }).toBe(lines)
    }),
  )
}

/** Responses of the server to the heartbeats of a page in a call. */
interface Signs {
  answered: number
  lastAt: number
  /** True after a response that the page is no longer in the call. */
  isGone: boolean
}
const signs = new WeakMap<Page, Signs>()
function followSigns(page: Page) {
  const known: Signs = { answered: 0, lastAt: 0, isGone: false }
  signs.set(page, known)
  page.on('websocket', (socket) =>
    socket.on('framereceived', ({ payload }) => {
      const frame = JSON.parse(String(payload)) as { type: string; isIn?: boolean }
      if (frame.type !== 'call-here') return
      known.isGone ||= frame.isIn === false
      known.answered++
      known.lastAt = Date.now()
    }),
  )
}
export const lastSignOf = (page: Page): number => signs.get(page)!.lastAt
/** Waits until the server has accepted this many more of the page's heartbeats. */
export async function answers(page: Page, count: number): Promise<void> {
  const known = signs.get(page)!
  known.isGone = false
  const until = known.answered + count
  await expect.poll(() => known.answered).toBeGreaterThanOrEqual(until)
  expect(known.isGone).toBe(false)
}
