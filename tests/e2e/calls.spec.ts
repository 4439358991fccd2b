import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'

import { type Browser, chromium, expect as expectation, type Page, test } from '@playwright/test'

import { type Arrived, arrivedAt, CALLING_FLAGS, watchLines } from '../support/calling.ts'
import { findChromium } from '../support/chromium.ts'
import { DEMO_PASSWORD, type Product, signIn as sessionOf, startProduct } from '../support/product.ts'

const LAUNCH = { executablePath: findChromium(), args: CALLING_FLAGS }
test.use({ launchOptions: LAUNCH })
// Every picture is drawn, sent and read by one processor.
test.setTimeout(600_000)
const expect = expectation.configure({ timeout: 60_000 })

const ROOM = 'Headquarters'
const [MAYA, TOMAS, INGRID, HANA, MATEO, ERIK] = [
  'admin@demo.example',
  'responder@demo.example',
  'planner@demo.example',
  'hana.kimura@demo.example',
  'mateo.fernandez@demo.example',
  'erik.solberg@demo.example',
] as const

/** A port that a product can have again after it was killed. */
async function freePort(): Promise<string> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return String(port)
}

/** Somebody's browser, with the room open. */
async function open(browser: Browser, url: string, email: string): Promise<Page> {
  const context = await browser.newContext({ baseURL: url, viewport: { width: 1_280, height: 720 } })
  await watchLines(context)
  const page = await context.newPage()
  await page.goto('/')
  await page.getByLabel('Organization code').fill('demo')
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByLabel('Email', { exact: true }).fill(email)
  await page.getByLabel('Password', { exact: true }).fill(DEMO_PASSWORD)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(page.getByRole('navigation').first()).toBeVisible()
  await page.goto('/chat')
  await page.getByRole('link', { name: ROOM }).click()
  await expect(page.getByRole('textbox', { name: 'Message', exact: true })).toBeVisible()
  return page
}

const windowOf = (page: Page) => page.getByRole('region', { name: `Call in ${ROOM}` })
const tileOf = (page: Page, name: string) => windowOf(page).getByRole('listitem').filter({ hasText: name })
const messagesOf = (page: Page) => page.getByRole('region', { name: 'Messages', exact: true })
const bannerOf = (page: Page) => messagesOf(page).getByText('Call started')

async function start(page: Page) {
  await page.getByRole('button', { name: 'Start a call' }).click()
  await expect(windowOf(page)).toBeVisible()
}
async function join(page: Page) {
  await messagesOf(page).getByRole('button', { name: 'Join Call' }).click()
  await expect(windowOf(page)).toBeVisible()
}
/** With the camera on and the window minimised: in six pages the drawing costs more than all else. */
async function joinQuietly(page: Page) {
  await page.setViewportSize({ width: 900, height: 480 })
  await join(page)
  await showCamera(page)
  await windowOf(page).getByRole('button', { name: 'Minimise' }).click()
}
async function showCamera(page: Page) {
  await windowOf(page).getByRole('button', { name: 'Turn camera on' }).click()
  await expect(windowOf(page).getByRole('button', { name: 'Turn camera off' })).toBeVisible()
}

/** Everybody sees the others' pictures move and hears them, from now on. */
async function seeAndHearEachOther(pages: readonly Page[], { isSeen = true } = {}) {
  const isUp = ({ state, frames, energy }: Arrived) =>
    state === 'connected' && energy > 0 && (frames > 0 || !isSeen)
  for (const page of pages) {
    let before: Arrived[] = []
    await expect
      .poll(async () => {
        before = await arrivedAt(page)
        return before.length === pages.length - 1 && before.every(isUp)
      })
      .toBe(true)
    await expect
      .poll(async () => {
        const now = await arrivedAt(page)
        return now.filter(
          ({ frames, energy }, at) => energy > before[at]!.energy && (frames > before[at]!.frames || !isSeen),
        ).length
      })
      .toBe(pages.length - 1)
  }
}

/** Who is in the room's call, by the server. */
async function inCall(url: string): Promise<string[]> {
  const { call } = await sessionOf(url, MAYA)
  const { body: rooms } = await call('GET', '/chat/rooms')
  const { callDetails } = rooms.find(({ name }: { name: string }) => name === ROOM)
  return (callDetails?.participants ?? []).map(({ name }: { name: string }) => name)
}

/** Resolves when the server has answered this many of the page's signs of life, all of them as one of the call's. */
function answers(page: Page, count: number): Promise<void> {
  return new Promise((resolve, reject) => {
    let left = count
    page.on('websocket', (socket) =>
      socket.on('framereceived', ({ payload }) => {
        const frame = JSON.parse(String(payload)) as { type: string; isIn?: boolean }
        if (frame.type !== 'call-here') return
        if (frame.isIn === false) reject(new Error('The server took the page for gone.'))
        else if (--left === 0) resolve()
      }),
    )
  })
}

test('two, three and six people see and hear each other', async ({ browser }) => {
  const product = await startProduct()
  const { url } = product
  try {
    const maya = await open(browser, url, MAYA)
    const tomas = await open(browser, url, TOMAS)
    await test.step('one starts with one press, another joins with one', async () => {
      await start(maya)
      await expect(windowOf(maya).getByText('Nobody else is here yet.')).toBeVisible()
      await join(tomas)
      await seeAndHearEachOther([maya, tomas], { isSeen: false })
      await showCamera(maya)
      await showCamera(tomas)
      await seeAndHearEachOther([maya, tomas])
      await expect(windowOf(maya).getByLabel('The camera of Tomas Okafor')).toBeVisible()
    })

    await test.step('who is muted is known to be', async () => {
      await windowOf(tomas).press('m')
      await expect(windowOf(tomas).getByRole('button', { name: 'Unmute' })).toBeVisible()
      await expect(tileOf(maya, 'Tomas Okafor')).toContainText('Muted')
      await windowOf(tomas).press('m')
      await expect(tileOf(maya, 'Tomas Okafor')).not.toContainText('Muted')
    })

    await test.step('somebody joins later', async () => {
      const ingrid = await open(browser, url, INGRID)
      await join(ingrid)
      await showCamera(ingrid)
      await seeAndHearEachOther([maya, tomas, ingrid])
      await windowOf(ingrid).getByRole('button', { name: 'Leave Call' }).click()
      await expect(ingrid.getByText(`You left the call “${ROOM}”.`)).toBeVisible()
      await expect(tileOf(maya, 'Ingrid Bauer')).toHaveCount(0)
      await ingrid.context().close()
    })

    await test.step('six people', async () => {
      const others = [INGRID, HANA, MATEO, ERIK]
      const pages = [maya, tomas]
      await windowOf(tomas).getByRole('button', { name: 'Minimise' }).click()
      for (const email of others) {
        const page = await open(browser, url, email)
        await joinQuietly(page)
        pages.push(page)
      }
      await seeAndHearEachOther(pages)
      await expect(windowOf(maya).getByRole('listitem')).toHaveCount(6)
      for (const name of ['Tomas Okafor', 'Ingrid Bauer', 'Hana Kimura', 'Mateo Fernández', 'Erik Solberg'])
        await expect(windowOf(maya).getByLabel(`The camera of ${name}`)).toBeVisible()
      expect(await inCall(url)).toHaveLength(6)
    })

    await test.step('the last one who leaves ends the call', async () => {
      for (const context of browser.contexts())
        for (const page of context.pages()) if (page !== maya) await page.close()
      await expect(windowOf(maya).getByText('Nobody else is here yet.')).toBeVisible({ timeout: 15_000 })
      await windowOf(maya).getByRole('button', { name: 'Leave Call' }).click()
      await expect(messagesOf(maya).getByText('Call ended')).toBeVisible()
    })
  } finally {
    for (const context of browser.contexts()) await context.close()
    await product.stop()
  }
})

test('a call goes on while a browser dies, a device is offline and the server restarts', async ({
  browser,
}) => {
  const env = { PORT: await freePort() }
  let product: Product = await startProduct(env)
  const { url, dataDir } = product
  const doomed = await chromium.launchServer(LAUNCH)
  try {
    const maya = await open(browser, url, MAYA)
    const tomas = await open(browser, url, TOMAS)
    await start(maya)
    await join(tomas)

    await test.step('the banner follows a browser that is killed', async () => {
      const ingrid = await open(await chromium.connect(doomed.wsEndpoint()), url, INGRID)
      await join(ingrid)
      await expect.poll(() => inCall(url)).toHaveLength(3)
      await doomed.kill()
      await expect(tileOf(maya, 'Ingrid Bauer')).toHaveCount(0)
      await expect.poll(() => inCall(url)).toHaveLength(2)
    })

    await test.step('going offline leaves; one press joins again', async () => {
      await tomas.context().setOffline(true)
      await expect(tomas.getByRole('heading', { name: 'Device Offline' })).toBeVisible()
      await expect(tileOf(maya, 'Tomas Okafor')).toHaveCount(0)
      await tomas.context().setOffline(false)
      await expect(tomas.getByRole('button', { name: 'Join again' })).toBeVisible({ timeout: 20_000 })
      await expect(windowOf(tomas)).toHaveCount(0)
      expect(await inCall(url)).toHaveLength(1)
      await tomas.getByRole('button', { name: 'Join again' }).click()
      await expect(windowOf(tomas)).toBeVisible()
      await seeAndHearEachOther([maya, tomas], { isSeen: false })
    })

    await test.step('the server restarts, and the same call is shown again', async () => {
      await showCamera(maya)
      await showCamera(tomas)
      await seeAndHearEachOther([maya, tomas])
      const backAgain = [maya, tomas].map((page) => answers(page, 8))
      await product.kill('SIGKILL')
      await expect(windowOf(maya).getByText('The server cannot be reached at the moment.')).toBeVisible()
      await seeAndHearEachOther([maya, tomas])
      product = await startProduct(env, dataDir)
      await Promise.all(backAgain)
      expect(await inCall(url)).toHaveLength(2)
      await expect(bannerOf(tomas)).toBeVisible()
      await seeAndHearEachOther([maya, tomas])
      const ingrid = await open(browser, url, INGRID)
      await join(ingrid)
      await showCamera(ingrid)
      await seeAndHearEachOther([maya, tomas, ingrid])
    })
  } finally {
    await doomed.close().catch(() => undefined)
    for (const context of browser.contexts()) await context.close()
    await product.stop()
  }
})
