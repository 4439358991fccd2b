import { type Browser, expect, type Page } from '@playwright/test'

import { FakeChatService } from '../support/hosted-chat.ts'
import { aHostedOrganisation } from '../support/hosted-organisation.ts'
import { DEMO_PASSWORD, signIn, startProduct } from '../support/product.ts'
import { aBrowser, giveCredentials, isAccessible } from './people.ts'
import { test } from './test-server.ts'

const ROOM = 'Flood on pier 3'
const composerOf = (page: Page) => page.getByRole('textbox', { name: 'Message', exact: true })
const messagesOf = (page: Page) => page.getByRole('region', { name: 'Messages', exact: true })
const messageOf = (page: Page, words: string) =>
  messagesOf(page).getByRole('listitem').filter({ hasText: words })
/** A room in the list beside the chat; unread ones stand in the empty middle as well. */
const inChats = (page: Page, name: string | RegExp) =>
  page.getByRole('navigation', { name: 'Chats' }).getByRole('link', { name })
async function say(page: Page, words: string) {
  await composerOf(page).click()
  await page.keyboard.type(words)
  await page.keyboard.press('Enter')
}
async function open(browser: Browser, baseURL: string, code: string, email: string): Promise<Page> {
  const page = await aBrowser(browser, { baseURL })
  await giveCredentials(page, email, code, DEMO_PASSWORD)
  await expect(page.getByRole('navigation').first()).toBeVisible()
  await page.goto('/chat')
  return page
}

test('people of an organisation with a hosted chat service talk there, on the same screens', async ({
  browser,
}) => {
  const service = new FakeChatService()
  const product = await startProduct(await service.start())
  try {
    const { code, admin, member } = await aHostedOrganisation(product)
    const ada = await open(browser, product.url, code, admin)
    const ben = await open(browser, product.url, code, member)

    await test.step('in Headquarters, live', async () => {
      await inChats(ada, 'Headquarters').click()
      await say(ada, 'Everybody here?')
      await expect(inChats(ben, /Headquarters/)).toContainText('1')
      await inChats(ben, /Headquarters/).click()
      await expect(messageOf(ben, 'Everybody here?')).toBeVisible()
      await say(ben, 'I am')
      await expect(messageOf(ada, 'I am')).toBeVisible()
      await isAccessible(ada)
    })

    await test.step('in a new war room, which its members have at once', async () => {
      await ada.getByRole('button', { name: 'Create a war room' }).click()
      await ada.getByRole('textbox', { name: /name/i }).first().fill(ROOM)
      await ada.getByRole('combobox').first().fill('Okri')
      await ada.getByRole('option', { name: 'Ben Okri' }).click()
      await ada
        .getByRole('button', { name: /^Create/ })
        .last()
        .click()
      await expect(ada.getByRole('heading', { name: ROOM })).toBeVisible()
      await inChats(ben, ROOM).click()
      await say(ada, 'The pumps run')
      await expect(messageOf(ben, 'The pumps run')).toBeVisible()
    })

    await test.step('answers, reacts, edits and deletes', async () => {
      const theirs = messageOf(ben, 'The pumps run')
      await theirs.hover()
      await theirs.getByRole('button', { name: 'Reply' }).click()
      await say(ben, 'Since when?')
      await expect(messageOf(ada, 'Since when?')).toContainText('The pumps run')
      const mine = messageOf(ada, 'The pumps run').first()
      await mine.hover()
      await mine.getByRole('button', { name: 'Edit' }).click()
      const editor = mine.getByRole('textbox')
      await expect(editor).toBeFocused()
      await ada.keyboard.press('End')
      await ada.keyboard.type(' again')
      await mine.getByRole('button', { name: 'Submit' }).click()
      await expect(messageOf(ben, 'The pumps run again').first()).toBeVisible()
    })

    await test.step('find their mentions in the bell, and the messages from there', async () => {
      const bell = ben.getByRole('button', { name: /^Notifications/ })
      const told = ben.getByRole('dialog', { name: 'Notifications' })
      await ben.goto('/')
      await say(ada, `@${member} is the gate shut?`)
      await expect(messageOf(ada, '@Ben Okri is the gate shut?')).toBeVisible()
      await expect(bell).toHaveAccessibleName('Notifications, 1 unread')
      await bell.click()
      await told.getByRole('link', { name: /Ada Lovelace mentioned you.*Flood on pier 3/s }).click()
      await expect(ben).toHaveURL(/\/chat\/.*\?message=/)
      await expect(messageOf(ben, 'is the gate shut?')).toBeVisible()
      await expect(bell).toHaveAccessibleName('Notifications')

      // A message read on arrival does not stay unread.
      await say(ada, `@${member} and the doors?`)
      await expect(messageOf(ben, 'and the doors?')).toBeVisible()
      await bell.click()
      await expect(told.getByRole('link', { name: /mentioned you/ })).toHaveCount(2)
      await expect(told.getByText('Unread', { exact: true })).toHaveCount(0)
      await isAccessible(ben)
      await ben.keyboard.press('Escape')

      const mine = messageOf(ada, 'and the doors?')
      await mine.hover()
      await mine.getByRole('button', { name: 'More actions' }).click()
      await ada.getByRole('menuitem', { name: 'Delete' }).click()
      await ada.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
      await expect(messageOf(ben, 'and the doors?')).toHaveCount(0)
      await expect(async () => {
        await ben.reload()
        await bell.click()
        await expect(told.getByRole('link', { name: /mentioned you/ })).toHaveCount(1)
      }).toPass({ timeout: 60_000 })
      await ben.keyboard.press('Escape')
    })

    await test.step('finds everything after the connection was lost', async () => {
      service.dropSockets()
      await say(ada, 'After the break')
      await expect(messageOf(ben, 'After the break')).toBeVisible({ timeout: 30_000 })
      await ben.reload()
      await expect(messageOf(ben, 'After the break')).toBeVisible()
      await expect(messageOf(ben, 'The pumps run again').first()).toBeVisible()
    })

    await test.step('and who is taken out of the room loses it', async () => {
      const { uuid } = (await signIn(product.url, member, DEMO_PASSWORD, code)).session
      const { call } = await signIn(product.url, admin, DEMO_PASSWORD, code)
      const id = new URL(ada.url()).pathname.split('/').at(-1)
      expect((await call('DELETE', `/chat/rooms/${id}/members/${uuid}`)).status).toBe(204)
      await expect(ben.getByText('This chat does not exist, or you are no longer in it.')).toBeVisible()
      await expect(inChats(ben, ROOM)).toHaveCount(0)
    })
  } finally {
    for (const context of browser.contexts()) await context.close()
    await product.stop()
    service.stop()
  }
})
