import { expect } from '@playwright/test'

import { aBrowser, isAccessible, PHONE, signIn } from './people.ts'
import { test } from './test-server.ts'

const TITLE = 'Booking servers encrypted: “pay or lose it” & <more>'

test('two people run an incident from its declaration to its report', async ({ browser }) => {
  const ana = await aBrowser(browser)
  const ben = await aBrowser(browser, PHONE)
  await signIn(ana, 'admin@demo.example')
  await signIn(ben, 'responder@demo.example')
  await expect(ana.getByText('Safe', { exact: true })).toBeVisible()
  await isAccessible(ana)

  await test.step('one declares it, with a task for the other', async () => {
    await ana.getByRole('link', { name: /Create Incident/ }).click()
    await expect(ana).toHaveURL(/\/incidents\/create$/)
    await isAccessible(ana)
    await ana.getByRole('button', { name: 'Create Incident' }).click()
    await expect(ana.getByText('A title is required.')).toBeVisible()
    await ana.getByRole('textbox', { name: /^Title/ }).fill(TITLE)
    await ana.getByRole('textbox', { name: 'Description' }).click()
    await ana.keyboard.press('Control+End')
    await ana.keyboard.type('Shut everything that is still up.')
    await ana.getByRole('button', { name: 'Add task' }).click()
    const task = ana.getByRole('form', { name: 'Add task' })
    await task.getByRole('textbox', { name: /^Title/ }).fill('Call the insurer')
    await task.getByRole('textbox', { name: /^Description/ }).fill('Ask for the incident line.')
    await task.getByRole('combobox', { name: /^Assigned to/ }).fill('Tomas')
    await ana.getByRole('option', { name: /Tomas Okafor/ }).click()
    await task.getByRole('button', { name: 'Add task' }).click()
    await ana.getByRole('button', { name: 'Create Incident' }).click()
    await expect(ana).toHaveURL(/\/incidents\/[0-9a-f-]{36}$/)
    await expect(ana.getByRole('heading', { name: TITLE })).toBeVisible()
    await isAccessible(ana)
  })

  await test.step('the other sees it on the dashboard without asking, and checks in', async () => {
    await expect(ben.getByText('Incident In Progress', { exact: true })).toBeVisible()
    await isAccessible(ben)
    await expect(ben.locator('link[rel=icon]')).toHaveAttribute('href', /^data:image\/svg/)
    await ben.getByRole('button', { name: 'Notifications, 1 unread' }).click()
    const told = ben.getByRole('dialog', { name: 'Notifications' })
    await isAccessible(ben)
    await told.getByRole('link', { name: /A task was assigned to you.*Call the insurer/s }).click()
    // The mark in the tab may also stand for a chat message.
    await expect(ben.getByRole('button', { name: 'Notifications', exact: true })).toBeVisible()
    await expect(ben.getByRole('heading', { name: TITLE })).toBeVisible()
    await isAccessible(ben)
    await ben.getByRole('button', { name: 'Check In' }).last().click()
    await expect(ben.getByRole('button', { name: 'Check In' })).toHaveCount(0)
    await expect(ana.getByText(/^1 of \d+ people checked in$/)).toBeVisible()
  })

  await test.step('the other works the task, and the first one sees it move', async () => {
    await ben.getByRole('button', { name: /Call the insurer/ }).click()
    await ben.getByRole('group', { name: 'Status' }).getByRole('button', { name: 'Complete' }).click()
    await expect(ana.getByRole('button', { name: /Call the insurer.*Complete/s })).toBeVisible()
  })

  await test.step('both say what happens', async () => {
    await ana.getByRole('button', { name: 'Add update' }).click()
    const update = ana.getByRole('form', { name: 'Add update' })
    await update
      .getByRole('textbox', { name: /^Update/ })
      .fill('Backups of Sunday are readable: 3 < 4 & fine.')
    await update.getByRole('button', { name: 'Add update' }).click()
    await expect(ben.getByText('Backups of Sunday are readable: 3 < 4 & fine.')).toBeVisible()
  })

  await test.step('it is resolved, analysed and reported', async () => {
    const address = ana.url()
    await ana.getByRole('button', { name: 'Resolve' }).click()
    await ana.getByRole('dialog').getByRole('button', { name: 'Resolve' }).click()
    await expect(ana).toHaveURL(/\/post-incident-analysis$/)
    await ana.goto('/')
    await expect(ana.getByText('Safe', { exact: true })).toBeVisible()
    await expect(ben.getByText('Resolved').first()).toBeVisible()
    await ana.goto(address)
    await ana.getByRole('link', { name: 'Add Post-Incident Analysis' }).click()
    await expect(ana.getByRole('heading', { name: 'Post-Incident Analysis' })).toBeVisible()
    await isAccessible(ana)
    await ana.getByRole('textbox', { name: 'Analysis' }).click()
    await ana.keyboard.type('Backups were tested in time.')
    await ana.getByRole('button', { name: 'Submit' }).click()
    await expect(ana.getByText('Backups were tested in time.')).toBeVisible()
    await expect(ana).toHaveURL(address)
    const downloading = ana.waitForEvent('download')
    await ana.getByRole('button', { name: 'Download report' }).click()
    const download = await downloading
    expect(download.suggestedFilename()).toMatch(/^Incident_Report_.*\.pdf$/)
  })
  await ana.close()
  await ben.close()
})
