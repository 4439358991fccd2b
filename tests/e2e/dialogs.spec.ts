import { expect, type Page } from '@playwright/test'

import { duringAnIncident } from './incident.ts'
import { aBrowser, doesNotOverflow, holdsAnywhere, isAccessible, signIn } from './people.ts'
import { test, testServer } from './test-server.ts'

/** Pages, the button that opens a dialog there, and the dialog's name. */
const DIALOGS = [
  ['/user-admin', 'Add User', /User/],
  ['/settings/api-keys', 'Create API Key', /API Key/],
  ['/secure-file-storage', 'New Folder', /older/],
  ['/mass-notifications/contacts', 'Import Contacts', /Contacts/],
  ['/mass-notifications/contacts', 'Imports', /Imports/],
] as const

/** Accessible, readable in the dark and in forced colours, and as wide as the narrowest phone. */
async function dialogHolds(page: Page, what: string): Promise<void> {
  await holdsAnywhere(page, what)
  await page.setViewportSize({ width: 320, height: 640 })
  const dialog = page.getByRole('dialog').last()
  const { x, width } = (await dialog.boundingBox())!
  expect(x, what).toBeGreaterThanOrEqual(0)
  expect(x + width, what).toBeLessThanOrEqual(320)
  await page.setViewportSize({ width: 1440, height: 900 })
}

test('the dialogs of administration hold on a small phone, in the dark and in forced colours', async ({
  browser,
}) => {
  const page = await aBrowser(browser)
  await signIn(page, 'admin@demo.example')
  for (const [path, press, name] of DIALOGS)
    await test.step(`${press} of ${path}`, async () => {
      await page.goto(path)
      await page.getByRole('main').getByRole('button', { name: press, exact: true }).first().click()
      await expect(page.getByRole('dialog', { name })).toBeVisible()
      await dialogHolds(page, press)
    })
  await page.close()
})

test('the lists of messages of all rooms hold on a small phone, in the dark and in forced colours', async ({
  browser,
}) => {
  const page = await aBrowser(browser)
  await signIn(page, 'admin@demo.example')
  for (const list of ['threads', 'scheduled', 'saved', 'mentions']) {
    await page.goto(`/chat?${list}`)
    await expect(page.getByRole('main')).toBeVisible()
    await page.waitForLoadState('networkidle')
    await holdsAnywhere(page, `the list of ${list}`)
  }
  await page.close()
})

test('the dialogs of an incident hold on a small phone, in the dark and in forced colours', async ({
  browser,
}) => {
  const page = await aBrowser(browser)
  await signIn(page, 'admin@demo.example')
  await duringAnIncident(async (incident) => {
    await page.goto(testServer.url + incident)
    await page.getByRole('button', { name: 'Attachments', exact: true }).first().click()
    await expect(page.getByRole('dialog')).toBeVisible()
    await dialogHolds(page, 'attachments')
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await doesNotOverflow(page, incident)
    await isAccessible(page)
  })
  await page.close()
})
