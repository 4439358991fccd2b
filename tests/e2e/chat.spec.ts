import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'

import { type Browser, expect, type Page } from '@playwright/test'

import { DEMO_PASSWORD, type Product, signIn as sessionOf, startProduct } from '../support/product.ts'
import { PHONE } from './people.ts'
import { test, testServer } from './test-server.ts'

const ROOM = 'Night shift: payroll & “backups”'

/** A fixed port, so that a killed product can restart on it. */
async function freePort(): Promise<string> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return String(port)
}

async function open(browser: Browser, url: string, email: string, options = {}): Promise<Page> {
  const context = await browser.newContext({
    baseURL: url,
    viewport: { width: 1440, height: 900 },
    ...options,
  })
  const page = await context.newPage()
  await page.goto('/')
  await page.getByLabel('Organization code').fill('demo')
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByLabel('Email', { exact: true }).fill(email)
  await page.getByLabel('Password', { exact: true }).fill(DEMO_PASSWORD)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(page.getByRole('navigation').first()).toBeVisible()
  return page
}

const composerOf = (page: Page) => page.getByRole('textbox', { name: 'Message', exact: true })
const messagesOf = (page: Page) => page.getByRole('region', { name: 'Messages', exact: true })
async function say(page: Page, words: string) {
  await composerOf(page).click()
  await page.keyboard.type(words)
  await page.keyboard.press('Enter')
}
const goTo = async (page: Page, room: string) => {
  await page.goto('/chat')
  await page.getByRole('navigation', { name: 'Chats' }).getByRole('link', { name: room }).click()
  await expect(composerOf(page)).toBeVisible()
}

/** All numbered lines of the room on this page, from first to last. */
async function linesOf(page: Page): Promise<string[]> {
  const seen: string[] = []
  const area = messagesOf(page)
  const collect = async () => {
    const shown = await area.evaluate((element) =>
      [...element.querySelectorAll('[role=listitem]')]
        .toSorted((a, b) => Number(a.getAttribute('data-index')) - Number(b.getAttribute('data-index')))
        .flatMap((row) => /line \d+/.exec(row.textContent ?? '') ?? []),
    )
    for (const line of shown) if (!seen.includes(line)) seen.push(line)
    const twice = shown.filter((line, index) => shown.indexOf(line) !== index)
    expect(twice).toEqual([])
  }
  await expect
    .poll(
      async () => {
        await area.evaluate((element) => (element.scrollTop = 0))
        return area.textContent()
      },
      { timeout: 60_000 },
    )
    .toContain('line 1 ')
  for (;;) {
    await collect()
    const moved = await area.evaluate((element) => {
      const before = element.scrollTop
      element.scrollTop += element.clientHeight / 2
      return element.scrollTop > before
    })
    if (!moved) break
    await page.waitForFunction(() => new Promise((resolve) => requestAnimationFrame(() => resolve(true))))
  }
  return seen
}

test('three people talk while one is offline, the server restarts and one is removed', async ({
  browser,
}) => {
  const env = { PORT: await freePort() }
  let product: Product = await startProduct(env)
  const { url, dataDir } = product
  try {
    const maya = await open(browser, url, 'admin@demo.example')
    const tomas = await open(browser, url, 'responder@demo.example')
    const hana = await open(browser, url, 'hana.kimura@demo.example', PHONE)
    await test.step('one makes a war room with two others', async () => {
      await maya.goto('/chat')
      await maya.getByRole('button', { name: 'Create a war room' }).click()
      await maya.getByRole('textbox', { name: /name/i }).first().fill(ROOM)
      for (const name of ['Tomas Okafor', 'Hana Kimura']) {
        await maya.getByRole('combobox').first().fill(name)
        await maya.getByRole('option', { name }).click()
      }
      await maya
        .getByRole('button', { name: /^Create/ })
        .last()
        .click()
      await expect(maya.getByRole('heading', { name: ROOM })).toBeVisible()
    })

    await test.step('the others see it without asking', async () => {
      await goTo(tomas, ROOM)
      await goTo(hana, ROOM)
      await say(maya, 'line 1 of the night')
      await expect(messagesOf(tomas).getByText('line 1 of the night')).toBeVisible()
      await expect(messagesOf(hana).getByText('line 1 of the night')).toBeVisible()
    })

    const address = new URL(maya.url())
    const roomId = address.pathname.split('/').at(-1)!
    await test.step('one is offline for two hundred messages, and the server restarts in the middle', async () => {
      await hana.context().setOffline(true)
      const send = async (from: number, to: number) => {
        const { call } = await sessionOf(url, 'admin@demo.example')
        for (let line = from; line <= to; line++) {
          const body = { clientId: crypto.randomUUID(), text: `<p>line ${line} of the night</p>` }
          expect((await call('POST', `/chat/rooms/${roomId}/messages`, body)).status).toBe(201)
        }
      }
      await send(2, 100)
      await product.kill('SIGKILL')
      product = await startProduct(env, dataDir)
      await send(101, 201)
      await hana.context().setOffline(false)
      for (const page of [maya, tomas, hana])
        await expect(messagesOf(page).getByText('line 201 of the night')).toBeVisible({ timeout: 60_000 })
      await say(hana, 'line 202 of the night')
      const all = Array.from({ length: 202 }, (_, n) => `line ${n + 1}`)
      for (const page of [maya, tomas, hana]) {
        await expect(messagesOf(page).getByText('line 202 of the night')).toBeVisible()
        expect(await linesOf(page)).toEqual(all)
      }
    })

    await test.step('who is removed loses the room in open pages', async () => {
      const { call, session } = await sessionOf(url, 'hana.kimura@demo.example')
      const { call: asMaya } = await sessionOf(url, 'admin@demo.example')
      expect((await asMaya('DELETE', `/chat/rooms/${roomId}/members/${session.uuid}`)).status).toBe(204)
      await expect(hana.getByText('This chat does not exist, or you are no longer in it.')).toBeVisible()
      await say(maya, 'Not for Hana')
      await expect(messagesOf(tomas).getByText('Not for Hana')).toBeVisible()
      await hana.goto('/chat')
      await expect(hana.getByRole('link', { name: 'Headquarters' })).toBeVisible()
      await expect(hana.getByRole('link', { name: ROOM })).toHaveCount(0)
      expect((await call('GET', `/chat/rooms/${roomId}/messages`)).status).toBe(404)
    })
  } finally {
    for (const context of browser.contexts()) await context.close()
    await product.stop()
  }
})

test('opening a room asks for twenty messages with one call, however short they are', async ({ browser }) => {
  const { call } = await sessionOf(testServer.url, 'admin@demo.example')
  const made = await call('POST', '/chat/rooms', { kind: 'WAR_ROOM', name: 'Short words', userIds: [] })
  const { id } = made.body as { id: string }
  for (let line = 1; line <= 50; line++) {
    const body = { clientId: crypto.randomUUID(), text: `<p>line ${line} </p>` }
    expect((await call('POST', `/chat/rooms/${id}/messages`, body)).status).toBe(201)
  }
  // A height at which the rows next to the first loaded one are visible.
  const page = await open(browser, testServer.url, 'admin@demo.example', {
    viewport: { width: 1440, height: 700 },
  })
  try {
    const asked: string[] = []
    page.on('request', (request) => {
      const { pathname, search } = new URL(request.url())
      if (pathname.endsWith(`/chat/rooms/${id}/messages`)) asked.push(search)
    })
    await page.goto(`/chat/${id}`)
    const area = messagesOf(page)
    await expect(area.getByText('line 50', { exact: true })).toBeInViewport()
    await page.waitForLoadState('networkidle')
    expect(asked).toEqual([''])
    await area.hover()
    await page.mouse.wheel(0, -400)
    await expect.poll(() => asked).toEqual(['', '?before=31'])
    // The view stays where it was, below those that came.
    await expect(area.getByText('line 30', { exact: true })).toBeAttached()
    await expect(area.getByText('line 31', { exact: true })).toBeInViewport()
    await expect(async () => {
      await page.mouse.wheel(0, -400)
      await expect(area.getByText('line 1', { exact: true })).toBeInViewport({ timeout: 100 })
    }).toPass()
    expect(asked).toEqual(['', '?before=31', '?before=11'])
  } finally {
    await page.context().close()
  }
})

test('on a phone the newest message stays in sight while one writes', async ({ browser }) => {
  const { call } = await sessionOf(testServer.url, 'admin@demo.example')
  const made = await call('POST', '/chat/rooms', { kind: 'WAR_ROOM', name: 'Small screens', userIds: [] })
  const { id } = made.body as { id: string }
  for (let line = 1; line <= 20; line++) {
    const body = { clientId: crypto.randomUUID(), text: `<p>line ${line}</p>` }
    expect((await call('POST', `/chat/rooms/${id}/messages`, body)).status).toBe(201)
  }
  const page = await open(browser, testServer.url, 'admin@demo.example', PHONE)
  try {
    // The screen keeps its height while the keyboard takes a part of it.
    await page.addInitScript(() => Object.defineProperty(screen, 'height', { value: 844 }))
    await page.goto(`/chat/${id}`)
    const last = messagesOf(page).getByText('line 20', { exact: true })
    await expect(last).toBeInViewport()
    await page.getByRole('textbox', { name: 'Message', exact: true }).click()
    for (let line = 0; line < 6; line++) await page.keyboard.press('Shift+Enter')
    await expect(last).toBeInViewport({ ratio: 1 })
    await page.setViewportSize({ width: 390, height: 470 })
    await expect(last).toBeInViewport({ ratio: 1 })
    // One bar is left above the messages, and none below the composer.
    await expect(page.getByRole('banner')).toBeHidden()
    await expect(page.getByRole('button', { name: 'Send' })).toBeInViewport({ ratio: 1 })
    const height = await messagesOf(page).evaluate((area) => area.clientHeight)
    expect(height).toBeGreaterThan(200)
    await page.setViewportSize({ width: 390, height: 844 })
    await expect(page.getByRole('banner')).toBeVisible()
  } finally {
    await page.context().close()
  }
})

test('a room loads twenty messages, and older ones above the reader who scrolls up', async ({ browser }) => {
  const { call } = await sessionOf(testServer.url, 'admin@demo.example')
  const made = await call('POST', '/chat/rooms', { kind: 'WAR_ROOM', name: 'Twenty at a time', userIds: [] })
  const { id } = made.body as { id: string }
  for (let line = 1; line <= 50; line++) {
    const text = `<p>line ${line} ${'of a long report '.repeat(60)}</p>`
    const body = { clientId: crypto.randomUUID(), text }
    expect((await call('POST', `/chat/rooms/${id}/messages`, body)).status).toBe(201)
  }
  const page = await open(browser, testServer.url, 'admin@demo.example')
  try {
    const loaded: number[][] = []
    page.on('response', async (response) => {
      if (!response.url().includes(`/chat/rooms/${id}/messages`) || response.request().method() !== 'GET')
        return
      const { messages } = (await response.json()) as { messages: { sequence: number }[] }
      loaded.push(messages.map(({ sequence }) => sequence))
    })
    const sequences = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, n) => from + n)
    await page.goto(`/chat/${id}`)
    const area = messagesOf(page)
    await expect(area.getByText('line 50 of')).toBeInViewport()
    expect(loaded[0]).toEqual(sequences(31, 50))

    await area.hover()
    await page.mouse.wheel(0, -1)
    /** Scrolls up until this many pages are loaded. Returns how far the middle row moved apart from the scrolling. */
    const scrollUp = async (pages: number): Promise<number> => {
      let furthest = 0
      await expect(async () => {
        const moved = await area.evaluate(async (element) => {
          const top = element.getBoundingClientRect().top
          const rows = [...element.querySelectorAll<HTMLElement>('[role=listitem]')]
          const row = rows.find((one) => one.getBoundingClientRect().bottom > top + element.clientHeight / 2)!
          const text = row.textContent
          const before = row.getBoundingClientRect().top
          const turn = Math.min(120, element.scrollTop)
          element.scrollBy(0, -turn)
          // Long enough for an older page to load.
          await new Promise((resolve) => setTimeout(resolve, 250))
          const after = [...element.querySelectorAll<HTMLElement>('[role=listitem]')].find(
            ({ textContent }) => textContent === text,
          )!
          return after.getBoundingClientRect().top - before - turn
        })
        furthest = Math.max(furthest, Math.abs(moved))
        expect(loaded.length).toBeGreaterThanOrEqual(pages)
      }).toPass({ intervals: [0], timeout: 120_000 })
      return furthest
    }
    expect(await scrollUp(2)).toBeLessThan(2)
    expect(loaded[1]).toEqual(sequences(11, 30))
    expect(await scrollUp(3)).toBeLessThan(2)
    expect(loaded).toEqual([sequences(31, 50), sequences(11, 30), sequences(1, 10)])
    expect(await linesOf(page)).toEqual(sequences(1, 50).map((line) => `line ${line}`))
  } finally {
    await page.context().close()
  }
})
