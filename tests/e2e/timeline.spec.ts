import { expect, type Page } from '@playwright/test'

import { signIn as apiOf } from '../support/product.ts'
import { duringAnIncident } from './incident.ts'
import { aBrowser, isAccessible, PHONE, signIn } from './people.ts'
import { test, testServer } from './test-server.ts'

const MESSAGE = 'Two pumps are out of order'
const timelineOf = (page: Page) => page.getByRole('tabpanel', { name: 'Timeline' })
const decisionsOf = (page: Page) => page.getByRole('tabpanel', { name: 'Decisions' })

/** Posts a message into a room of two people. Returns the path of the message. */
async function aMessage(): Promise<string> {
  const admin = await apiOf(testServer.url, 'admin@demo.example')
  const responder = await apiOf(testServer.url, 'responder@demo.example')
  const { user } = (await responder.call('GET', '/me')).body
  const room = await admin.call('POST', '/chat/rooms', {
    kind: 'WAR_ROOM',
    name: `Pumps ${Date.now()}`,
    userIds: [user.uuid],
  })
  expect(room.status, JSON.stringify(room.body)).toBe(201)
  const body = { clientId: crypto.randomUUID(), text: `<p>${MESSAGE}</p>` }
  const message = await responder.call('POST', `/chat/rooms/${room.body.id}/messages`, body)
  expect(message.status, JSON.stringify(message.body)).toBe(201)
  return `/chat/${room.body.id}?message=${message.body.id}`
}

async function writesEntries(page: Page): Promise<void> {
  const timeline = timelineOf(page)
  await expect(timeline.getByText(/^Incident declared/)).toBeVisible()
  await isAccessible(page)
  await timeline.getByRole('textbox', { name: 'What happened?' }).fill('The gate was shut')
  await timeline.getByRole('textbox', { name: 'When it happened, if not now' }).fill('yesterday 14:05')
  await isAccessible(page)
  await timeline.getByRole('button', { name: 'Add entry' }).click()
  const row = timeline.getByRole('listitem').filter({ hasText: 'The gate was shut' })
  await expect(row).toContainText(/2:05 PM|14:05/)
  await expect(row).toContainText('recorded')
  await row.getByRole('button', { name: /The gate was shut/ }).click()
  await page.getByRole('menuitem', { name: 'Edit' }).click()
  const dialog = page.getByRole('dialog', { name: 'Edit the entry' })
  await isAccessible(page)
  await dialog.getByRole('textbox', { name: 'What happened?' }).fill('The west gate was shut')
  await dialog.getByRole('button', { name: 'Save' }).click()
  const changed = timeline.getByRole('listitem').filter({ hasText: 'The west gate was shut' })
  await expect(changed).toContainText('changed')
  await changed.getByRole('button', { name: /west gate/ }).click()
  await page.getByRole('menuitem', { name: 'History' }).click()
  await expect(page.getByRole('dialog')).toContainText('The gate was shut')
  await isAccessible(page)
  await page.getByRole('button', { name: 'Close' }).click()
  await timeline.getByRole('button', { name: /^Entries 1$/ }).click()
  await expect(timeline.getByText(/^Incident declared/)).toHaveCount(0)
  await expect(changed).toBeVisible()
  await changed.getByRole('button', { name: /west gate/ }).click()
  await page.getByRole('menuitem', { name: 'Remove' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
  await expect(changed).toContainText('Removed by')
  await isAccessible(page)
  await timeline.getByRole('button', { name: 'Show all' }).click()
  await expect(timeline.getByText(/^Incident declared/)).toBeVisible()
}

async function makesAnEntryOf(page: Page, message: string, incident: string): Promise<void> {
  await page.goto(message)
  const messages = page.getByRole('region', { name: 'Messages', exact: true })
  await messages.getByText(MESSAGE).hover()
  await messages.getByRole('button', { name: 'More actions' }).last().click()
  await page.getByRole('menuitem', { name: 'Add to Incident' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add to an incident' })
  await dialog.getByRole('radio', { name: 'Timeline entry' }).click()
  await isAccessible(page)
  await dialog.getByRole('button', { name: 'Add', exact: true }).click()
  await page.getByRole('link', { name: 'Timeline of an incident' }).click()
  await expect(page).toHaveURL(`${incident}?view=timeline`)
  const entry = timelineOf(page).getByRole('listitem').filter({ hasText: MESSAGE })
  await expect(entry.getByRole('link', { name: 'From the chat' })).toHaveAttribute('href', message)
}

async function proposes(page: Page, title: string): Promise<void> {
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: 'What has to be decided?' }).fill(title)
  await dialog.getByRole('combobox', { name: 'Who decides' }).fill('Tomas')
  await page.getByRole('option', { name: /Tomas Okafor/ }).click()
  await dialog.getByRole('textbox', { name: 'Options' }).fill('Close it now\nWait until noon')
  await isAccessible(page)
  await dialog.getByRole('button', { name: 'Propose' }).click()
  await expect(dialog).toHaveCount(0)
}

async function confirms(page: Page, name: RegExp): Promise<void> {
  const item = decisionsOf(page).getByRole('listitem').filter({ hasText: name })
  await expect(item).toContainText('waits for you')
  await item.getByRole('button', { name: 'Confirm' }).click()
  const dialog = page.getByRole('dialog', { name: /^Confirm D/ })
  await dialog.getByRole('button', { name: 'Close it now' }).click()
  await dialog.getByRole('textbox', { name: 'Accepted risk' }).fill('A day without bookings')
  await isAccessible(page)
  await dialog.getByRole('button', { name: 'Confirm' }).click()
  await expect(item).toContainText('Decided')
}

test('people keep the timeline of an incident and decide', async ({ browser }) => {
  await duringAnIncident(async (path) => {
    const maya = await aBrowser(browser)
    const tomas = await aBrowser(browser, PHONE)
    await signIn(maya, 'admin@demo.example')
    await signIn(tomas, 'responder@demo.example')

    await test.step('one writes, changes, filters and removes an entry by hand', async () => {
      await maya.goto(`${path}?view=timeline`)
      await writesEntries(maya)
    })

    await test.step('the other does on a phone, and the first one sees it without asking', async () => {
      await tomas.goto(`${path}?view=timeline`)
      const timeline = timelineOf(tomas)
      await timeline.getByRole('textbox', { name: 'What happened?' }).fill('Drivers wait outside')
      await isAccessible(tomas)
      await timeline.getByRole('button', { name: 'Add entry' }).click()
      await expect(timeline.getByText('Drivers wait outside')).toBeVisible()
      await expect(timelineOf(maya).getByText('Drivers wait outside')).toBeVisible()
    })

    await test.step('a message becomes an entry, and each leads to the other', async () => {
      await makesAnEntryOf(maya, await aMessage(), path)
    })

    await test.step('a decision is proposed, and confirmed by who decides, on a phone', async () => {
      await maya.getByRole('tab', { name: 'Decisions' }).click()
      await isAccessible(maya)
      await maya.getByRole('button', { name: 'Propose decision' }).click()
      await proposes(maya, 'Close the site')
      await tomas.goto(`${path}?view=decisions`)
      await isAccessible(tomas)
      await confirms(tomas, /D1 Close the site/)
      await isAccessible(tomas)
      await expect(decisionsOf(maya).getByRole('listitem').first()).toContainText('Decided')
    })

    await test.step('another one supersedes it, and both say so', async () => {
      await decisionsOf(maya)
        .getByRole('button', { name: /D1 Close the site/ })
        .click()
      await isAccessible(maya)
      await decisionsOf(maya).getByRole('button', { name: 'Supersede' }).click()
      await proposes(maya, 'Open the site')
      await confirms(tomas, /D2 Open the site/)
      await expect(decisionsOf(maya).getByText('Superseded by D2')).toBeVisible()
      await isAccessible(maya)
      await maya.getByRole('tab', { name: 'Timeline' }).click()
      await expect(timelineOf(maya).getByText('Decision D1 superseded by D2: Close the site')).toBeVisible()
    })
    await maya.close()
    await tomas.close()
  })
})
