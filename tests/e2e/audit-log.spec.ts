import { readFile } from 'node:fs/promises'

import { expect } from '@playwright/test'

import { aBrowser, isAccessible, signIn } from './people.ts'
import { test } from './test-server.ts'

test('an administrator finds who did something, keeps it as a file and verifies the log', async ({
  browser,
}, { retry }) => {
  // A second attempt finds the group of the first.
  const group = `Evidence keepers ${retry + 1}`
  const admin = await aBrowser(browser, { acceptDownloads: true })
  await signIn(admin, 'admin@demo.example')
  await admin.getByRole('link', { name: 'Groups' }).click()
  await admin.getByRole('button', { name: 'Create Group' }).click()
  const form = admin.getByRole('region', { name: 'Create Group' })
  await form.getByRole('textbox', { name: /^Group Name/ }).fill(group)
  const picker = form.getByRole('combobox', { name: /Add people/ })
  await picker.fill('kimura')
  await admin.getByRole('option', { name: /Hana Kimura/ }).click()
  await picker.press('Escape')
  await form.getByRole('button', { name: 'Create Group' }).click()
  await expect(admin.getByText('Group created successfully.')).toBeVisible()

  await admin.getByRole('link', { name: 'Audit Log' }).click()
  const row = admin.getByRole('row', { name: new RegExp(`Group created ${group} Maya Lindqvist`) })
  await expect(row).toBeVisible()
  await isAccessible(admin)

  await test.step('narrowed by kind and person', async () => {
    await admin.getByRole('button', { name: 'Kind of record' }).click()
    await isAccessible(admin)
    await admin.getByRole('menuitemradio', { name: 'Group', exact: true }).click()
    await expect(admin).toHaveURL(/noun%22%3A%22groups/)
    await admin.getByRole('button', { name: 'Who', exact: true }).click()
    await admin.getByRole('textbox', { name: 'Find' }).fill('lindq')
    await admin.getByRole('menuitemradio', { name: /Maya Lindqvist/ }).click()
    await expect(admin.getByRole('button', { name: 'Who: Maya Lindqvist' })).toBeVisible()
    await expect(row).toBeVisible()
  })

  await test.step('read in full', async () => {
    await row.getByRole('button', { name: 'Group created', exact: true }).click()
    const event = admin.getByRole('dialog', { name: 'Group created' })
    await expect(event.getByRole('row', { name: /Members hana\.kimura@demo\.example/ })).toBeVisible()
    await isAccessible(admin)
    await event.getByRole('button', { name: 'Close' }).click()
  })

  await test.step('kept as a file', async () => {
    const [file] = await Promise.all([
      admin.waitForEvent('download'),
      admin.getByRole('button', { name: 'Export CSV' }).click(),
    ])
    expect(file.suggestedFilename()).toMatch(/^audit-log-demo-\d{4}-\d\d-\d\d\.csv$/)
    const text = await readFile(await file.path(), 'utf8')
    expect(text).toContain(`admin@demo.example,Person,Group created,${group}`)
    expect(text).not.toContain('Incident')
  })

  await test.step('verified', async () => {
    await admin.getByRole('button', { name: 'Verify' }).click()
    const dialog = admin.getByRole('dialog', { name: 'Verify the audit log' })
    await expect(dialog.getByText('The audit log is whole.')).toBeVisible()
    await isAccessible(admin)
    await dialog.getByRole('button', { name: 'Close' }).click()
  })
  await admin.close()
})
