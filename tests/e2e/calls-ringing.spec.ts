import { type Browser, expect, type Page } from '@playwright/test'

import { CALLING_FLAGS } from '../support/calling.ts'
import { findChromium } from '../support/chromium.ts'
import { signIn as sessionOf } from '../support/product.ts'
import { aBrowser, doesNotOverflow, isAccessible, isReadable, PHONE, signIn } from './people.ts'
import { test, testServer } from './test-server.ts'

test.use({ launchOptions: { executablePath: findChromium(), args: CALLING_FLAGS } })

const MAYA = { email: 'admin@demo.example', name: 'Maya Lindqvist' }
const TOMAS = { email: 'responder@demo.example', name: 'Tomas Okafor' }

/** The direct message between the two. Returns its id. */
async function directMessage(): Promise<string> {
  const tomas = await sessionOf(testServer.url, TOMAS.email)
  const maya = await sessionOf(testServer.url, MAYA.email)
  const { body } = await maya.call('POST', '/chat/rooms', {
    kind: 'DIRECT_MESSAGE',
    userIds: [tomas.session.uuid],
  })
  return String(body.id)
}
async function personWith(browser: Browser, email: string, options = {}): Promise<Page> {
  const page = await aBrowser(browser, options)
  await signIn(page, email)
  return page
}

const ringOf = (page: Page) => page.getByRole('alertdialog', { name: 'Incoming call' })
const messagesOf = (page: Page) => page.getByRole('region', { name: 'Messages', exact: true })
const lastBanner = (page: Page) =>
  messagesOf(page)
    .getByText(/^Call (started|ended)$/)
    .last()
const returnButton = (page: Page) =>
  page.getByRole('banner').first().getByRole('button', { name: 'Return to Call' })
const leave = (page: Page) => page.getByRole('button', { name: 'Leave Call' }).click()

/** Calls until the other page rings, because it starts listening shortly after it opens. */
async function call(page: Page, other: Page) {
  await page.getByRole('button', { name: 'Start a call' }).click()
  await expect(returnButton(page)).toBeVisible()
  await expect(ringOf(other)).toBeVisible()
}

test('a direct message calls, is declined, is answered, and tells who missed it', async ({ browser }) => {
  const room = await directMessage()
  const maya = await personWith(browser, MAYA.email)
  const tomas = await personWith(browser, TOMAS.email)
  await maya.goto(`/chat/${room}`)

  await test.step('it rings on any page of the other, and is declined', async () => {
    await call(maya, tomas)
    await expect(ringOf(tomas)).toContainText(MAYA.name)
    await isAccessible(tomas)
    await ringOf(tomas).getByRole('button', { name: 'Decline' }).click()
    await expect(ringOf(tomas)).toBeHidden()
    await leave(maya)
    await expect(lastBanner(maya)).toHaveText('Call ended')
    await expect(messagesOf(maya).getByText('Nobody else joined')).toBeVisible()
  })

  await test.step('it is answered where the other is, who comes back to it from elsewhere', async () => {
    await call(maya, tomas)
    await ringOf(tomas).getByRole('button', { name: 'Join' }).click()
    await expect(ringOf(tomas)).toBeHidden()
    await expect(returnButton(tomas)).toBeVisible()
    await expect(lastBanner(maya)).toHaveText('Call started')
    await expect(messagesOf(maya).getByText(`In this call: ${MAYA.name}, ${TOMAS.name}`)).toBeAttached()
    await isAccessible(maya)
    await maya.getByRole('button', { name: 'Enlarge' }).click()
    await expect(maya.getByRole('dialog', { name: `Call in ${TOMAS.name}` })).toBeVisible()
    await isAccessible(maya)
    await maya.getByRole('button', { name: 'Move to the side' }).click()
    await tomas.getByRole('link', { name: 'Messaging' }).first().click()
    await tomas.getByRole('link', { name: MAYA.name }).first().click()
    await messagesOf(tomas).getByRole('button', { name: 'Return to Call' }).click()
    await expect(returnButton(tomas)).toBeVisible()
  })

  await test.step('it ends with the last of them', async () => {
    await leave(tomas)
    await expect(messagesOf(tomas).getByRole('button', { name: 'Join Call' })).toBeVisible()
    await leave(maya)
    for (const page of [maya, tomas]) {
      await expect(lastBanner(page)).toHaveText('Call ended')
      await expect(returnButton(page)).toBeHidden()
    }
  })

  await test.step('it rings above a dialog, by whose keyboard it is reached, and in another tab until it is answered', async () => {
    const other = await tomas.context().newPage()
    await other.goto('/')
    await expect(other.getByRole('navigation').first()).toBeVisible()
    await tomas.getByRole('button', { name: 'Find a chat' }).click()
    const box = tomas.getByRole('combobox')
    await box.fill('Head')
    await maya.goto(`/chat/${room}`)
    await call(maya, tomas)
    await expect(ringOf(other)).toBeVisible()
    await expect(box).toBeFocused()
    await isAccessible(tomas)
    const join = ringOf(tomas).getByRole('button', { name: 'Join' })
    await expect(async () => {
      await tomas.keyboard.press('Tab')
      await expect(join).toBeFocused({ timeout: 100 })
    }).toPass()
    await tomas.keyboard.press('Enter')
    await expect(ringOf(other)).toBeHidden()
    await expect(box).toBeVisible()
    // The first Escape closes the field's list.
    await expect(async () => {
      await tomas.keyboard.press('Escape')
      await expect(box).toBeHidden({ timeout: 500 })
    }).toPass()
    await expect(returnButton(tomas)).toBeVisible()
    await leave(tomas)
    await leave(maya)
    await other.close()
  })

  await test.step('who does not answer finds it among the notifications, and the message from there', async () => {
    await tomas.goto('/')
    await maya.goto(`/chat/${room}`)
    await call(maya, tomas)
    await leave(maya)
    await expect(ringOf(tomas)).toBeHidden()
    await tomas.getByRole('button', { name: /^Notifications, \d+ unread/ }).click()
    await tomas
      .getByRole('dialog', { name: 'Notifications' })
      .getByRole('link', { name: /call/i })
      .first()
      .click()
    await expect(tomas).toHaveURL(new RegExp(`/chat/${room}\\?message=`))
    await expect(lastBanner(tomas)).toHaveText('Call ended')
  })
  await maya.close()
  await tomas.close()
})

test('on a phone a call rings across the page, and is brought back from the header', async ({ browser }) => {
  const room = await directMessage()
  const maya = await personWith(browser, MAYA.email)
  const tomas = await personWith(browser, TOMAS.email, { ...PHONE, colorScheme: 'dark' })
  await maya.goto(`/chat/${room}`)
  await call(maya, tomas)
  await isReadable(tomas)
  for (const name of ['Join', 'Decline']) {
    const box = await ringOf(tomas).getByRole('button', { name }).boundingBox()
    expect(box!.height).toBeGreaterThanOrEqual(44)
  }
  await ringOf(tomas).getByRole('button', { name: 'Join' }).click()
  await expect(tomas.getByRole('dialog', { name: `Call in ${MAYA.name}` })).toBeVisible()
  await isAccessible(tomas)
  await tomas.getByRole('button', { name: 'Minimise' }).click()
  await expect(returnButton(tomas)).toBeVisible()
  await tomas.setViewportSize({ width: 320, height: 640 })
  await doesNotOverflow(tomas, 'the page beside a call')
  await isAccessible(tomas)
  await returnButton(tomas).click()
  await leave(tomas)
  await expect(returnButton(tomas)).toBeHidden()
  await leave(maya)
  await tomas.goto(`/chat/${room}`)
  await tomas.getByRole('button', { name: 'More about calls' }).click()
  const devices = tomas.getByRole('menuitem', { name: /^Check devices/ })
  await expect(devices).toBeVisible()
  // The explanation is not cut off.
  expect(await devices.evaluate(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)).toBe(false)
  await maya.close()
  await tomas.close()
})
