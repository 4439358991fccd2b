import { type Browser, type BrowserContextOptions, expect, type Page } from '@playwright/test'

import { signIn as sessionOf } from '../support/product.ts'
import { aBrowser, doesNotOverflow, isAccessible, PHONE, signIn } from './people.ts'
import { test, testServer } from './test-server.ts'

const messagesOf = (page: Page) => page.getByRole('region', { name: 'Messages', exact: true })
const threadOf = (page: Page) => page.getByRole('region', { name: 'Thread', exact: true })
const answersOf = (page: Page) => page.getByRole('region', { name: 'Answers', exact: true })
const answerBox = (page: Page) => page.getByRole('textbox', { name: 'Answer', exact: true })

async function opened(browser: Browser, email: string, options: BrowserContextOptions = {}): Promise<Page> {
  const page = await aBrowser(browser, options)
  await signIn(page, email)
  return page
}
/** A room of Maya and Tomas, and what each of them says there without a page. */
async function aRoom(name: string) {
  const [maya, tomas] = [
    await sessionOf(testServer.url, 'admin@demo.example'),
    await sessionOf(testServer.url, 'responder@demo.example'),
  ]
  const userIds = [(await tomas.call('GET', '/me')).body.user.uuid]
  const room = (await maya.call('POST', '/chat/rooms', { kind: 'WAR_ROOM', name, userIds })).body
  const sayAs =
    (by: typeof maya) =>
    async (text: string, given: object = {}) => {
      const clientId = crypto.randomUUID()
      const path = `/chat/rooms/${room.id}/messages`
      return (await by.call('POST', path, { clientId, text: `<p>${text}</p>`, ...given })).body
    }
  return { room, maya: sayAs(maya), tomas: sayAs(tomas) }
}

test('two people answer in a thread beside the room, and on a phone in its place', async ({ browser }) => {
  const { room, maya, tomas } = await aRoom('Pump room')
  const first = await maya('Where is the key?')
  await tomas('The generator runs')
  const tomasPage = await opened(browser, 'responder@demo.example')
  const mayaPage = await opened(browser, 'admin@demo.example', PHONE)
  await test.step('one opens the thread with a key and answers', async () => {
    await tomasPage.goto(`/chat/${room.id}`)
    await messagesOf(tomasPage).getByText('Where is the key?').hover()
    await messagesOf(tomasPage).getByRole('button', { name: 'Answer in thread' }).first().click()
    await expect(answerBox(tomasPage)).toBeFocused()
    await tomasPage.keyboard.type('In the drawer')
    await tomasPage.keyboard.press('Enter')
    await expect(answersOf(tomasPage).getByText('In the drawer')).toBeVisible()
    await expect(messagesOf(tomasPage).getByText('In the drawer')).toHaveCount(0)
    await expect(messagesOf(tomasPage).getByRole('button', { name: /1 answer/ })).toBeVisible()
    await isAccessible(tomasPage)
  })
  await test.step('the author finds it as unread in the list of threads', async () => {
    await mayaPage.goto('/chat')
    await mayaPage.getByRole('link', { name: /Threads.*1 unread thread/ }).click()
    await doesNotOverflow(mayaPage, 'the list of threads')
    await isAccessible(mayaPage)
    await mayaPage.getByRole('button', { name: /Where is the key\?/ }).click()
    await expect(answersOf(mayaPage).getByText('In the drawer')).toBeVisible()
    await expect(messagesOf(mayaPage)).toHaveCount(0)
    await doesNotOverflow(mayaPage, 'a thread')
    await isAccessible(mayaPage)
  })
  await test.step('an answer for everybody is in the room and in the thread', async () => {
    await answerBox(mayaPage).click()
    await mayaPage.keyboard.type('We have it')
    await mayaPage.getByRole('checkbox', { name: 'Also send to the chat' }).check()
    await mayaPage.getByRole('button', { name: 'Send', exact: true }).click()
    await expect(answersOf(tomasPage).getByText('We have it')).toBeVisible()
    await expect(messagesOf(tomasPage).getByText('We have it')).toBeVisible()
    await expect(messagesOf(tomasPage).getByRole('button', { name: /2 answers/ })).toBeVisible()
  })
  await test.step('a draft of the thread stays there', async () => {
    await answerBox(tomasPage).click()
    await tomasPage.keyboard.type('Unfinished')
    await tomasPage.keyboard.press('Escape')
    await expect(threadOf(tomasPage)).toHaveCount(0)
    await expect(tomasPage.getByRole('textbox', { name: 'Message', exact: true })).not.toContainText(
      'Unfinished',
    )
    await messagesOf(tomasPage)
      .getByRole('button', { name: /2 answers/ })
      .click()
    await expect(answerBox(tomasPage)).toContainText('Unfinished')
  })
  await test.step('a link to an answer opens its thread', async () => {
    const answer = await tomas('By link', { threadId: first.id })
    await mayaPage.goto(`/chat/${room.id}?message=${answer.id}`)
    await expect(answersOf(mayaPage).getByText('By link')).toBeVisible()
    await mayaPage.getByRole('button', { name: 'Back to the chat' }).click()
    await expect(messagesOf(mayaPage).getByText('Where is the key?')).toBeVisible()
    await expect(messagesOf(mayaPage).getByText('By link')).toHaveCount(0)
  })
  await tomasPage.close()
  await mayaPage.close()
})

test('mentions and saved messages are listed, and lead to their rooms', async ({ browser }) => {
  const { maya, tomas } = await aRoom('Valves')
  await maya('Keep this: valve 7 opens to the left')
  await tomas('Valve 7 is @admin@demo.example to decide')
  const page = await opened(browser, 'admin@demo.example')
  await page.goto('/chat?mentions')
  const mention = page.getByRole('button', { name: /Valve 7 is/ })
  await expect(mention).toContainText('Unread')
  await isAccessible(page)
  await mention.click()
  await expect(messagesOf(page).getByText('Valve 7 is')).toBeVisible()
  await messagesOf(page).getByText('Keep this').hover()
  const row = messagesOf(page).getByRole('article').filter({ hasText: 'Keep this' })
  await row.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Save' }).click()
  await expect(row.getByText('Saved')).toBeVisible()
  await page.getByRole('link', { name: 'Saved' }).click()
  await expect(page.getByRole('button', { name: /Keep this/ })).toBeVisible()
  await isAccessible(page)
  await page.getByRole('button', { name: 'Remove from saved' }).click()
  await expect(page.getByText('Messages that you save are listed here')).toBeVisible()
  await page.close()
})

test('a message is scheduled, changed and sent early, and another one comes at its time', async ({
  browser,
}) => {
  const { room } = await aRoom('Night shift')
  const page = await opened(browser, 'admin@demo.example')
  await page.goto(`/chat/${room.id}`)
  const composer = page.getByRole('textbox', { name: 'Message', exact: true })
  await composer.click()
  await page.keyboard.type('Good morning')
  await page.getByRole('button', { name: 'Schedule for later' }).click()
  await page.getByRole('menuitem', { name: /Tomorrow at 9:00/ }).click()
  await expect(page.getByText(/Your message will be sent on/)).toBeVisible()
  await expect(composer).toHaveText('')
  await expect(messagesOf(page).getByText('Good morning')).toHaveCount(0)
  await page.getByRole('link', { name: 'Scheduled' }).click()
  const list = page.getByRole('region', { name: 'Scheduled', exact: true })
  await expect(list.getByText('Good morning')).toBeVisible()
  await isAccessible(page)
  const phone = await opened(browser, 'admin@demo.example', PHONE)
  await phone.goto('/chat?scheduled')
  await expect(phone.getByText('Good morning')).toBeVisible()
  await doesNotOverflow(phone, 'the list of scheduled messages')
  await isAccessible(phone)
  await phone.close()
  await list.getByRole('button', { name: 'Edit scheduled message' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: 'Message', exact: true }).click()
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type('Good morning, all')
  await dialog.getByLabel('Send at').fill('2020-01-01T09:00')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog.getByText('Please choose a time in the future.').first()).toBeVisible()
  await isAccessible(page)
  const nextYear = new Date().getFullYear() + 1
  await dialog.getByLabel('Send at').fill(`${nextYear}-01-02T09:00`)
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(list.getByText('Good morning, all')).toBeVisible()
  await list.getByRole('button', { name: 'Send now' }).click()
  await expect(page.getByText('Messages that you send later are listed here')).toBeVisible()
  await page.goto(`/chat/${room.id}`)
  await expect(messagesOf(page).getByText('Good morning, all')).toBeVisible()
  const { call } = await sessionOf(testServer.url, 'admin@demo.example')
  await call('POST', `/chat/rooms/${room.id}/scheduled`, {
    clientId: crypto.randomUUID(),
    text: '<p>At its time</p>',
    sendAt: new Date(Date.now() + 1_500).toISOString(),
  })
  await expect(messagesOf(page).getByText('At its time')).toBeVisible({ timeout: 20_000 })
  await page.close()
})
