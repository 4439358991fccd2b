import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

import { CALLING_FLAGS } from '../support/calling.ts'
import { findChromium } from '../support/chromium.ts'
import { addOrganisation, signIn as sessionOf } from '../support/product.ts'
import {
  answers,
  callsOf,
  expect,
  leave,
  MAYA,
  messagesOf,
  open,
  openTab,
  returnButton,
  ROOM,
  start,
  windowOf,
} from './in-call.ts'
import { isAccessible } from './people.ts'
import { test, testServer } from './test-server.ts'

test.use({ launchOptions: { executablePath: findChromium(), args: CALLING_FLAGS }, actionTimeout: 120_000 })
test.setTimeout(300_000)

/** Another room of the demonstration, without a call. Returns its id. */
async function otherRoom(name: string): Promise<string> {
  const { call } = await sessionOf(testServer.url, MAYA)
  const { body } = await call('POST', '/chat/rooms', { kind: 'WAR_ROOM', name })
  return String(body.id)
}

test('another tab knows of the call, and starts another one only when asked', async ({ browser }) => {
  const other = `Pier ${crypto.randomUUID().slice(0, 8)}`
  const otherId = await otherRoom(other)
  const room = await callsOf(testServer.url)
  const first = await open(browser, testServer.url, MAYA)
  const second = await openTab(first.context())
  const otherWindow = second.getByRole('region', { name: `Call in ${other}` })

  await test.step('it shows the way back, for as long as the call lasts', async () => {
    await expect(returnButton(second)).toBeHidden()
    await start(first)
    await expect(returnButton(second)).toBeVisible()
    await expect(messagesOf(second).getByRole('button', { name: 'Return to Call' })).toBeVisible()
    // Two seconds each: longer than the silence after which a tab counts as closed.
    await answers(first, 6)
    await expect(returnButton(second)).toBeVisible()
    const third = await openTab(first.context())
    await expect(returnButton(third)).toBeVisible()
    await third.close()
  })

  const ask = second.getByRole('dialog', { name: 'Start/Join Another Call' })
  await test.step('another call is not started without leaving this one', async () => {
    await second.goto(`/chat/${otherId}`)
    await expect(returnButton(second)).toBeVisible()
    await second.getByRole('button', { name: 'Start a call' }).click()
    await expect(ask).toContainText(`You are in the call “${ROOM}”.`)
    await isAccessible(second)
    await ask.getByRole('button', { name: 'Cancel' }).click()
    await expect(ask).toBeHidden()
    await answers(first, 1)
    expect(await room.people()).toEqual(['Maya Lindqvist'])
    await expect(windowOf(first)).toBeVisible()
    await expect(otherWindow).toHaveCount(0)
  })

  await test.step('leaving it starts the other, and the first tab shows the way there', async () => {
    await second.getByRole('button', { name: 'Start a call' }).click()
    await ask.getByRole('button', { name: 'Leave and Start' }).click()
    await expect(otherWindow).toBeVisible()
    await expect(windowOf(first)).toHaveCount(0)
    await expect.poll(room.current).toBeNull()
    await expect(messagesOf(first).getByText('Call ended').last()).toBeVisible()
    await expect(returnButton(first)).toHaveAttribute('title', other)
    await otherWindow.getByRole('button', { name: 'Leave Call' }).click()
    await expect(returnButton(first)).toBeHidden()
  })
  await first.context().close()
})

test('nothing that carries a call loads before one begins', async ({ browser }) => {
  const page = await open(browser, testServer.url, MAYA)
  const requested = new Set<string>()
  page.on('request', (request) => requested.add(request.url()))
  await page.goto('/')
  await expect(page.getByText('Current State')).toBeVisible()
  await page.getByRole('link', { name: 'Messaging' }).first().click()
  await page.getByRole('link', { name: ROOM }).click()
  await page.getByRole('button', { name: 'More about calls' }).click()
  await expect(page.getByRole('menuitem', { name: /^Check devices/ })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('button', { name: 'Start a call' })).toBeVisible()

  const texts = async (): Promise<string[]> => {
    const scripts = [...requested].filter((url) => new URL(url).pathname.endsWith('.js'))
    return Promise.all(scripts.map(async (url) => (await page.request.get(url)).text()))
  }
  const carrying = async (words: string) => (await texts()).filter((script) => script.includes(words)).length
  const ENGINE = 'new RTCPeerConnection('
  const JITSI = 'external_api.js'
  expect((await texts()).length).toBeGreaterThan(5)
  expect(await carrying(ENGINE)).toBe(0)
  expect(await carrying(JITSI)).toBe(0)

  await start(page)
  await expect.poll(() => carrying(ENGINE)).toBe(1)
  expect(await carrying(JITSI)).toBe(0)
  await leave(page)
  await page.context().close()
})

/** Jitsi's list of telephone numbers, and its conference mapper. */
async function aTelephoneService() {
  const numbers = {
    message: 'Dial-In numbers:',
    numbers: {
      CA: ['+1 833-555-0100', '+1 416-555-0100'],
      FR: ['+33 800 000 000'],
      US: ['+1 800-555-0101'],
    },
    numbersEnabled: true,
  }
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url!, 'http://telephone')
    const conference = searchParams.get('conference')
    const answer = pathname === '/numbers' ? numbers : conference && { conference, id: 5_550_142 }
    response.writeHead(answer ? 200 : 404, { 'Content-Type': 'application/json' })
    response.end(JSON.stringify(answer))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const stop = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
  return { url: `http://127.0.0.1:${port}`, stop }
}

test('what a call opens is accessible; it is joined by telephone, and goes on without that', async ({
  browser,
}) => {
  const telephone = await aTelephoneService()
  const code = `dial-${crypto.randomUUID().slice(0, 8)}`
  const email = await addOrganisation(testServer.dataDir, code, {
    dialInEnabled: true,
    callDialInNumbersUrl: `${telephone.url}/numbers`,
    callDialInMapperUrl: `${telephone.url}/mapper`,
  })
  const page = await open(browser, testServer.url, email, { viewport: { width: 1_280, height: 720 } }, code)
  const details = page.getByRole('dialog', { name: 'Dial-In Details' })

  await test.step('devices, before the call', async () => {
    await page.getByRole('button', { name: 'More about calls' }).click()
    await page.getByRole('menuitem', { name: /^Check devices/ }).click()
    const devices = page.getByRole('dialog', { name: 'Microphone, camera and speaker' })
    await devices.getByRole('button', { name: 'Show my camera' }).click()
    await expect(devices.getByLabel('Your camera')).toBeVisible()
    await isAccessible(page)
    await devices.getByRole('button', { name: 'Done' }).click()
    await expect(devices).toBeHidden()
  })

  await test.step('people', async () => {
    await start(page)
    await windowOf(page).getByRole('button', { name: 'People' }).click()
    await expect(windowOf(page).getByText('1 person in this call')).toBeVisible()
    await page.mouse.move(0, 0)
    await expect(page.getByRole('tooltip')).toHaveCount(0)
    await isAccessible(page)
  })

  await test.step('telephone', async () => {
    await windowOf(page).getByRole('button', { name: 'Dial-In Details' }).click()
    await expect(details.getByText('5550142#')).toBeVisible()
    await expect(details.getByRole('term')).toHaveText([
      'PIN',
      'Canada · Toll-free',
      'United States · Toll-free',
    ])
    await expect(details.getByRole('link')).toHaveText(['+1 833-555-0100', '+1 800-555-0101'])
    await isAccessible(page)
    await details.getByRole('button', { name: 'Close' }).last().click()
  })

  await test.step('its service is gone, and the call goes on', async () => {
    await telephone.stop()
    await leave(page)
    await expect(messagesOf(page).getByText('Call ended')).toBeVisible()
    await start(page)
    await messagesOf(page).getByRole('button', { name: 'Dial-In Details' }).click()
    await expect(details.getByText(/^The telephone numbers could not be loaded/)).toBeVisible()
    await expect(details.getByText(/^\d{9}#$/)).toBeVisible()
    await page.mouse.move(0, 0)
    await expect(page.getByRole('tooltip')).toHaveCount(0)
    await isAccessible(page)
    await details.getByRole('button', { name: 'Close' }).last().click()
    await answers(page, 2)
    await expect(windowOf(page)).toBeVisible()
    await leave(page)
    await expect(messagesOf(page).getByText('Call ended')).toHaveCount(2)
  })
  await page.context().close()
})
