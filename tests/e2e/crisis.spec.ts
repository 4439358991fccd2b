import { expect, type Locator, type Page } from '@playwright/test'

import { PALETTE } from '../../src/kit/theme/palette.ts'
import { signIn as signInByHttp } from '../support/product.ts'
import { duringAnIncident } from './incident.ts'
import { aBrowser, PHONE, signIn } from './people.ts'
import { test, testServer } from './test-server.ts'

const FOOT = 844
/** Minimum size of a touch target, in pixels. */
const THUMB = 44
/** True if touches hit the element anywhere in a square of `THUMB` px around its centre. */
const isHitByThumb = (element: Locator): Promise<boolean> =>
  element.evaluate((found, size) => {
    const { x, y, width, height } = found.getBoundingClientRect()
    const reach = size / 2 - 1
    return [-reach, 0, reach].every((right) =>
      [-reach, 0, reach].every((down) =>
        found.contains(document.elementFromPoint(x + width / 2 + right, y + height / 2 + down)),
      ),
    )
  }, THUMB)
const HEBREW = 'המים יורדים.'

const boxOf = async (element: Locator) => {
  await expect(element).toBeVisible()
  return (await element.boundingBox())!
}
const fillOf = (element: Locator): Promise<string> =>
  element.evaluate((found) => getComputedStyle(found).backgroundColor)
/** A colour of the palette, as browsers serialise it. */
const rgb = (hex: string) => {
  const [red, green, blue] = [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16))
  return `rgb(${red}, ${green}, ${blue})`
}

/** Expects a dialog at the foot of the screen, as high as its content. */
async function isSheet(page: Page): Promise<void> {
  const paper = page.getByRole('dialog').last()
  await expect
    .poll(async () => Math.round((await boxOf(paper)).y + (await boxOf(paper)).height), 'its foot')
    .toBe(FOOT)
  const { height, width } = await boxOf(paper)
  expect(width).toBe(390)
  expect(height).toBeLessThan(FOOT * 0.75)
  for (const button of await paper.getByRole('button').all())
    await expect(button).toBeInViewport({ ratio: 1 })
}

test("on a phone an incident's composer is within reach, and what cannot be taken back stands apart", async ({
  browser,
}) => {
  const page = await aBrowser(browser, PHONE)
  await signIn(page, 'admin@demo.example')
  await duringAnIncident(async (path) => {
    await page.goto(path)
    const checkIn = page.getByRole('button', { name: 'Check In' }).last()
    await test.step('a thumb hits each button of the header', async () => {
      for (const name of [/^Open menu/, /^Notifications/, /^Account of/])
        await expect
          .poll(() => isHitByThumb(page.getByRole('banner').getByRole('button', { name })), `${name}`)
          .toBe(true)
    })
    await test.step('checking in has the foot of the screen at first', async () => {
      const { y, height } = await boxOf(checkIn)
      expect(height).toBeGreaterThanOrEqual(THUMB - 2)
      expect(y + height).toBeGreaterThan(FOOT - 120)
    })
    await test.step('then the composer, wherever the page is scrolled to', async () => {
      await checkIn.click()
      const add = page.getByRole('button', { name: 'Add update' })
      await expect.poll(async () => (await boxOf(add)).y).toBeGreaterThan(FOOT - 140)
      const before = await boxOf(add)
      expect(before.height).toBeGreaterThanOrEqual(THUMB)
      await page.evaluate(() => scrollTo(0, document.body.scrollHeight))
      expect((await boxOf(add)).y).toBe(before.y)
      await expect(add).toBeInViewport({ ratio: 1 })
      await expect(page.getByRole('button', { name: 'Add task' })).toBeInViewport({ ratio: 1 })
    })
    await test.step('the call is in words, and Resolve the last in the menu of the rest', async () => {
      await page.evaluate(() => scrollTo(0, 0))
      await expect(page.getByRole('button', { name: 'Call everybody' })).toHaveText('Call everybody')
      await page.getByRole('button', { name: 'More actions' }).click()
      await expect(page.getByRole('menuitem').last()).toHaveText('Resolve')
    })
    await test.step('a dialog that asks is a sheet', async () => {
      await page.getByRole('menuitem', { name: 'Resolve' }).click()
      await isSheet(page)
      await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
      await expect(page.getByRole('dialog')).toHaveCount(0)
    })
    await test.step('and one of one field', async () => {
      await page.getByRole('button', { name: /^Account of/ }).click()
      await page.getByRole('menuitem', { name: /Phone Number/ }).click()
      await expect(page.getByRole('dialog').getByRole('textbox')).toBeVisible()
      await isSheet(page)
    })
  })
  await page.close()
})

for (const scheme of ['light', 'dark'] as const)
  test(`an incident is its red, and what is unread is blue, in the ${scheme}`, async ({ browser }) => {
    const page = await aBrowser(browser, { ...PHONE, colorScheme: scheme })
    await signIn(page, 'admin@demo.example')
    await duringAnIncident(
      async () => {
        const banner = page.getByRole('region', { name: 'Current State' })
        await expect(banner).toHaveAttribute('data-tone', 'error')
        await expect.poll(() => fillOf(banner)).toBe(rgb(PALETTE.light.incident))
        const bell = page.getByRole('button', { name: /^Notifications, \d+ unread$/ })
        await expect(bell).toBeVisible()
        expect(await fillOf(bell.getByText(/^\d+\+?$/))).toBe(rgb(PALETTE[scheme].action))
        // The banner already shows the incident, so the strip is hidden.
        const strip = page.getByRole('banner').getByRole('link', { name: /^Active incident/ })
        expect(await strip.filter({ visible: true }).count()).toBe(0)
        await page.goto('/groups')
        const shown = strip.filter({ visible: true })
        await expect(shown).toHaveCount(1)
        expect(await fillOf(shown)).toBe(rgb(PALETTE.light.incident))
        expect((await boxOf(shown)).height).toBeGreaterThanOrEqual(THUMB)
      },
      { by: 'responder@demo.example', assignedTo: 'admin@demo.example' },
    )
    await page.close()
  })

/** The side of its block on which a text starts. */
const sideOf = (text: Locator): Promise<'left' | 'right'> =>
  text.evaluate((element, words) => {
    const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT)
    const nodes: Node[] = []
    for (let one = walker.nextNode(); one; one = walker.nextNode()) nodes.push(one)
    const node = nodes.find(({ textContent }) => textContent?.includes(words))!
    const start = node.textContent!.indexOf(words)
    const range = document.createRange()
    range.setStart(node, start)
    range.setEnd(node, start + words.length)
    const block = (node.parentElement!.closest('p, li, div') ?? element).getBoundingClientRect()
    const letters = range.getBoundingClientRect()
    return letters.left - block.left > block.right - letters.right ? 'right' : 'left'
  }, HEBREW)

test('paragraphs that begin from the right stand there, beside others; an edited message outlives a reload', async ({
  browser,
}) => {
  const page = await aBrowser(browser)
  await signIn(page, 'admin@demo.example')
  const { call } = await signInByHttp(testServer.url, 'admin@demo.example')
  const mixed = `The water is falling.\n${HEBREW}\nAll clear.`

  await test.step('in the feed and on the dashboard', () =>
    duringAnIncident(
      async (path) => {
        const latest = page.getByRole('region', { name: /latest update/i }).getByText(HEBREW)
        await expect.poll(() => sideOf(latest)).toBe('right')
        await page.goto(path)
        const texts = page.getByRole('main').getByText(HEBREW)
        await expect(texts.first()).toBeVisible()
        for (const text of await texts.filter({ visible: true }).all())
          // oxlint-disable-next-line no-await-in-loop -- one page, one measure after the other
          expect(await sideOf(text)).toBe('right')
      },
      { update: mixed },
    ))

  await test.step('in a playbook', async () => {
    const playbook = {
      name: 'Two languages',
      description: mixed,
      activities: [{ type: 'TASK', title: 'Pump', description: mixed }],
    }
    const { status, body } = await call('POST', '/playbook/template', playbook)
    expect(status, JSON.stringify(body)).toBe(201)
    await page.goto(`/playbooks/${body.id}`)
    const text = page.getByRole('main').getByText(HEBREW).first()
    await expect(text).toBeVisible()
    expect(await sideOf(text)).toBe('right')
  })

  await test.step('and in the chat', async () => {
    const room = await call('POST', '/chat/rooms', {
      kind: 'WAR_ROOM',
      name: 'Two languages',
      description: null,
      userIds: [],
    })
    expect(room.status, JSON.stringify(room.body)).toBe(201)
    await page.goto(`/chat/${room.body.id}`)
    await page.getByRole('textbox', { name: 'Message', exact: true }).click()
    await page.keyboard.type('The water is falling.')
    await page.keyboard.press('Shift+Enter')
    await page.keyboard.type(HEBREW)
    await page.keyboard.press('Enter')
    const message = page.getByRole('article').getByText(HEBREW)
    await expect(message).toBeVisible()
    expect(await sideOf(message)).toBe('right')
  })

  await test.step('where what is typed in an edited message is there again after a reload', async () => {
    await page.getByRole('article').last().hover()
    await page.getByRole('article').last().getByRole('button', { name: 'Edit' }).click()
    const field = page.getByRole('textbox', { name: 'Edited message' })
    await field.click()
    await page.keyboard.press('Control+End')
    await page.keyboard.type(' Half a thought')
    await expect(field).toContainText('Half a thought')
    await page.reload()
    await expect(field).toContainText('Half a thought')
    await expect(page.getByText(/^What you typed before the page was reloaded is back/)).toBeVisible()
    await page.getByRole('article').getByRole('button', { name: 'Submit' }).click()
    await expect(page.getByRole('article').getByText('Half a thought')).toBeVisible()
    await expect(field).toHaveCount(0)
  })
  await page.close()
})
