import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'

import { chromium, type Page } from '@playwright/test'

import { CALLING_FLAGS } from '../support/calling.ts'
import { findChromium } from '../support/chromium.ts'
import { type Product, startProduct } from '../support/product.ts'
import {
  answers,
  callsOf,
  ERIK,
  expect,
  HANA,
  INGRID,
  join,
  lastSignOf,
  leave,
  MATEO,
  MAYA,
  messagesOf,
  open,
  ROOM,
  seeAndHearEachOther,
  showCamera,
  start,
  tileOf,
  TOMAS,
  windowOf,
} from './in-call.ts'
import { test } from './test-server.ts'

const LAUNCH = { executablePath: findChromium(), args: CALLING_FLAGS }
test.use({ launchOptions: LAUNCH, actionTimeout: 120_000 })
// One processor draws, encodes and decodes all pictures.
test.setTimeout(300_000)

/** With six pages, drawing is the most expensive part. */
const SMALL = { viewport: { width: 900, height: 480 } }

const minimise = (page: Page) => windowOf(page).getByRole('button', { name: 'Minimise' }).click()

/** Records a measurement in the results of the run. */
function note(description: string) {
  test.info().annotations.push({ type: 'measured', description })
  console.log(description)
}

/** A fixed port, so that a killed product can restart on it. */
async function freePort(): Promise<string> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return String(port)
}

test('two, three and six people see and hear each other', async ({ browser }) => {
  const product = await startProduct()
  const { url } = product
  try {
    const room = await callsOf(url)
    // Opens all pages before the call, because loading pages delay the others' heartbeats on a slow machine.
    const maya = await open(browser, url, MAYA)
    const others: Page[] = []
    for (const email of [TOMAS, INGRID, HANA, MATEO, ERIK])
      others.push(await open(browser, url, email, SMALL))
    const [tomas, ingrid] = others as [Page, Page]
    await test.step('one starts with one press, another joins with one', async () => {
      await start(maya)
      await expect(windowOf(maya).getByText('Nobody else is here yet.')).toBeVisible()
      await join(tomas)
      await seeAndHearEachOther([maya, tomas], { isSeen: false })
      await Promise.all([showCamera(maya), showCamera(tomas)])
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
      await join(ingrid)
      await showCamera(ingrid)
      await seeAndHearEachOther([maya, tomas, ingrid])
      await leave(ingrid)
      await expect(ingrid.getByText(`You left the call “${ROOM}”.`)).toBeVisible()
      await expect(tileOf(maya, 'Ingrid Bauer')).toHaveCount(0)
      await ingrid.getByRole('button', { name: 'Dismiss' }).click()
    })

    await test.step('six people', async () => {
      await minimise(tomas)
      for (const page of others.slice(1)) {
        await join(page)
        await showCamera(page)
        await minimise(page)
      }
      await seeAndHearEachOther([maya, ...others])
      await expect(windowOf(maya).getByRole('listitem')).toHaveCount(6)
      for (const name of ['Tomas Okafor', 'Ingrid Bauer', 'Hana Kimura', 'Mateo Fernández', 'Erik Solberg'])
        await expect(windowOf(maya).getByLabel(`The camera of ${name}`)).toBeVisible()
      expect(await room.people()).toHaveLength(6)
    })

    await test.step('the last one who leaves ends the call', async () => {
      for (const page of others) await page.close()
      await expect(windowOf(maya).getByText('Nobody else is here yet.')).toBeVisible()
      await leave(maya)
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
    const room = await callsOf(url)
    const maya = await open(browser, url, MAYA)
    const tomas = await open(browser, url, TOMAS, SMALL)
    const hana = await open(browser, url, HANA, SMALL)
    const ingrid = await open(await chromium.connect(doomed.wsEndpoint()), url, INGRID, SMALL)
    await start(maya)
    await join(tomas)

    await test.step('the banner follows a browser that is killed', async () => {
      await join(ingrid)
      await expect.poll(room.people).toHaveLength(3)
      const { callId: id } = (await room.current())!
      await answers(ingrid, 1)
      await doomed.kill()
      await expect(tileOf(maya, 'Ingrid Bauer')).toHaveCount(0)
      const left = await room.leftAt(id, 'Ingrid Bauer')
      const seconds = (left - lastSignOf(ingrid)) / 1_000
      note(`A killed browser left the call ${seconds.toFixed(1)} s after its last sign of life.`)
      expect(await room.people()).toHaveLength(2)
    })

    await test.step('going offline leaves; one press joins again', async () => {
      await tomas.context().setOffline(true)
      await expect(tomas.getByRole('heading', { name: 'Device Offline' })).toBeVisible()
      await expect(tileOf(maya, 'Tomas Okafor')).toHaveCount(0)
      await tomas.context().setOffline(false)
      await expect(tomas.getByRole('button', { name: 'Join again' })).toBeVisible()
      await expect(windowOf(tomas)).toHaveCount(0)
      expect(await room.people()).toHaveLength(1)
      await tomas.getByRole('button', { name: 'Join again' }).click()
      await expect(windowOf(tomas)).toBeVisible()
      await seeAndHearEachOther([maya, tomas], { isSeen: false })
    })

    await test.step('the server restarts, and the same call is shown again', async () => {
      await Promise.all([showCamera(maya), showCamera(tomas)])
      await seeAndHearEachOther([maya, tomas])
      await product.kill('SIGKILL')
      await expect(windowOf(maya).getByText('The server cannot be reached at the moment.')).toBeVisible()
      await seeAndHearEachOther([maya, tomas])
      const backAgain = Promise.all([answers(maya, 8), answers(tomas, 8)])
      product = await startProduct(env, dataDir)
      await backAgain
      expect(await room.people()).toHaveLength(2)
      await expect(messagesOf(tomas).getByText('Call started')).toBeVisible()
      await seeAndHearEachOther([maya, tomas])
      await join(hana)
      await showCamera(hana)
      await seeAndHearEachOther([maya, tomas, hana])
    })
  } finally {
    await doomed.close().catch(() => undefined)
    for (const context of browser.contexts()) await context.close()
    await product.stop()
  }
})
