import { readFile } from 'node:fs/promises'

import { expect } from '@playwright/test'

import { outboxOf } from '../support/product.ts'
import { aBrowser, isAccessible, mailTo, signIn } from './people.ts'
import { test, testServer } from './test-server.ts'

test('an administrator adds a person, who sets a password and signs in', async ({ browser }) => {
  const admin = await aBrowser(browser)
  await signIn(admin, 'admin@demo.example')
  await admin.getByRole('link', { name: 'Users' }).click()
  await expect(admin).toHaveURL(/\/user-admin/)
  await isAccessible(admin)
  await admin.getByRole('button', { name: /Add User|Create User/ }).click()
  const dialog = admin.getByRole('dialog')
  await dialog.getByRole('textbox', { name: /^First Name/ }).fill('Zoë')
  await dialog.getByRole('textbox', { name: /^Last Name/ }).fill('Ångström')
  await dialog.getByRole('textbox', { name: /^Email/ }).fill('zoe@demo.example')
  await isAccessible(admin)
  await dialog.getByRole('button', { name: /Add|Create|Save/ }).click()
  await expect(admin.getByText('User created successfully.')).toBeVisible()

  const [mail] = await outboxOf(testServer)
  expect(mail!.to).toBe('zoe@demo.example')
  const zoe = await aBrowser(browser)
  await zoe.goto(/https?:\S+\/set-password\S+/.exec(mail!.text)![0])
  await expect(zoe.getByLabel('New password')).toBeVisible()
  await isAccessible(zoe)
  await zoe.getByLabel('New password').fill('Northern-lights-4')
  await zoe.getByLabel('Confirm password').fill('Northern-lights-4')
  await zoe.getByRole('button', { name: 'Set password' }).click()
  await zoe.getByRole('button', { name: 'Sign in' }).click()
  await zoe.getByLabel('Email', { exact: true }).fill('zoe@demo.example')
  await zoe.getByLabel('Password', { exact: true }).fill('Northern-lights-4')
  await zoe.getByRole('button', { name: 'Sign in' }).click()
  await zoe.getByRole('button', { name: 'I Agree' }).click()
  await expect(zoe.getByText('Current State')).toBeVisible()

  await test.step('and is cut off at once when archived', async () => {
    await admin
      .getByRole('searchbox')
      .or(admin.getByLabel(/Search/))
      .first()
      .fill('zoe@')
    const row = admin.getByRole('row', { name: /zoe@demo\.example/ })
    await row.click({ button: 'right' })
    await admin.getByRole('menuitem', { name: 'Deactivate' }).click()
    await admin
      .getByRole('dialog')
      .getByRole('button', { name: /Deactivate|Submit/ })
      .click()
    await expect(admin.getByText('zoe@demo.example has been deactivated.')).toBeVisible()
    await expect(zoe.getByLabel('Password', { exact: true })).toBeVisible()
  })
  await admin.close()
  await zoe.close()
})

test('an administrator imports users from a file, who are mailed, and exports the list', async ({
  browser,
}) => {
  const admin = await aBrowser(browser, { acceptDownloads: true })
  await signIn(admin, 'admin@demo-east.example', 'demo-east')
  await admin.getByRole('link', { name: 'Users' }).click()
  await admin.getByRole('button', { name: 'Import Users' }).click()
  const dialog = admin.getByRole('dialog', { name: /^Import Users/ })
  const [template] = await Promise.all([
    admin.waitForEvent('download'),
    dialog.getByRole('button', { name: 'Download Template' }).click(),
  ])
  const headings = (await readFile(await template.path(), 'utf8')).replace('\uFEFF', '').trim()
  const choose = (...rows: string[]) =>
    dialog.getByLabel('CSV or Excel file').setInputFiles({
      name: 'crew.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from([headings, ...rows].join('\r\n')),
    })
  await choose('Ewan,Mac Neil,ewan@,,USER,NO,,')
  await expect(dialog.getByText('Invalid email address (ewan@) found in row 2).')).toBeVisible()
  await isAccessible(admin)
  await choose(
    'Ewan,MacNeil,ewan@demo-east.example,+1 902 423 0130,USER,NO,Sydney,Terminal',
    'Morag,Àrd,morag@partner.example,,BUSINESS_USER,YES,"Sydney, NS",',
    'Samuel,Adeyemi,admin@demo-east.example,,USER,NO,,',
  )
  await dialog.getByRole('button', { name: 'Continue' }).click()
  await expect(dialog.getByText('2 users will be added.')).toBeVisible()
  await isAccessible(admin)
  await dialog.getByRole('button', { name: 'Import 2 Users' }).click()
  await expect(dialog.getByText('2 users were added.')).toBeVisible()
  await expect(dialog.getByText('admin@demo-east.example is a user already')).toBeVisible()
  await dialog.getByRole('button', { name: 'Done' }).click()
  await expect(admin.getByRole('row', { name: /Morag Àrd .* External Sent Activation Email/ })).toBeVisible()
  expect(await mailTo('ewan@demo-east.example')).toContain('/set-password?')

  const [list] = await Promise.all([
    admin.waitForEvent('download'),
    admin.getByRole('button', { name: 'Export CSV' }).click(),
  ])
  expect(await readFile(await list.path(), 'utf8')).toContain(
    `Morag Àrd,morag@partner.example,,Business User,External,Sent Activation Email,"Sydney, NS",,`,
  )

  await admin.getByLabel('Actions for Ewan MacNeil').click()
  await admin.getByRole('menuitem', { name: 'View History' }).click()
  const history = admin.getByRole('dialog', { name: 'History of Ewan MacNeil' })
  await expect(history.getByRole('listitem')).toHaveCount(2)
  await expect(history.getByText('by Samuel Adeyemi').first()).toBeVisible()
  await isAccessible(admin)
  await admin.close()
})

test('an administrator makes a group, changes it and deletes it', async ({ browser }) => {
  const admin = await aBrowser(browser)
  await signIn(admin, 'admin@demo.example')
  await admin.getByRole('link', { name: 'Groups' }).click()
  await expect(admin.getByRole('heading', { name: 'Crisis team' })).toBeVisible()
  await isAccessible(admin)
  await admin.getByRole('button', { name: 'Create Group' }).click()
  const form = admin.getByRole('region', { name: 'Create Group' })
  const save = form.getByRole('button', { name: 'Create Group' })
  // Waits for the fields, whose arrival moves the button.
  await expect(form.getByRole('textbox', { name: /^Group Name/ })).toBeVisible()
  await save.click()
  await expect(form.getByText('Group name is required.')).toBeVisible()
  await expect(form.getByText('At least one team member is required.')).toBeVisible()
  await form.getByRole('textbox', { name: /^Group Name/ }).fill('Night watch')
  const picker = form.getByRole('combobox', { name: /Add people/ })
  await picker.fill('kimura')
  await admin.getByRole('option', { name: /Hana Kimura/ }).click()
  await picker.fill('operations')
  await picker.press('Enter')
  await picker.press('Escape')
  await isAccessible(admin)
  await save.click()
  await expect(admin.getByText('Group created successfully.')).toBeVisible()
  const group = admin.getByRole('region', { name: 'Night watch' })
  await expect(group.getByRole('listitem')).toHaveCount(2)
  await expect(admin.getByRole('link', { name: 'Night watch 2 members' })).toBeVisible()

  await test.step('and is asked before what was typed is lost', async () => {
    await group.getByRole('button', { name: 'Edit' }).click()
    const description = admin.getByRole('textbox', { name: 'Description' })
    await description.fill('From ten to six')
    await admin.getByRole('link', { name: /^Crisis team/ }).click()
    await admin.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
    await expect(description).toHaveValue('From ten to six')
    await admin.getByRole('button', { name: 'Save' }).click()
    await expect(admin.getByText('Group updated successfully.')).toBeVisible()
    await expect(group.getByText('From ten to six')).toBeVisible()
  })

  await group.getByRole('button', { name: 'Delete' }).click()
  const question = admin.getByRole('dialog', { name: 'Delete group?' })
  await expect(question.getByText(/^Night watch will be/)).toBeVisible()
  await question.getByRole('button', { name: 'Delete' }).click()
  await expect(admin.getByText('Night watch has been deleted.')).toBeVisible()
  await expect(admin.getByRole('link', { name: /Night watch/ })).toHaveCount(0)
  await admin.close()
})

test('an administrator makes an API key, uses it and deletes it', async ({ browser }) => {
  const admin = await aBrowser(browser)
  await admin.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await signIn(admin, 'admin@demo-east.example', 'demo-east')
  await admin.getByRole('link', { name: 'API Keys' }).click()
  await expect(admin.getByText('No API keys created yet.')).toBeVisible()
  await isAccessible(admin)
  await admin.getByRole('button', { name: 'Create API Key' }).first().click()
  const dialog = admin.getByRole('dialog')
  await dialog.getByRole('button', { name: /Create/ }).click()
  await expect(dialog.getByText('Please name this API key.')).toBeVisible()
  await dialog.getByRole('textbox', { name: /^Name/ }).fill('Pager bridge')
  await dialog.getByRole('button', { name: /Create/ }).click()
  const copy = admin.getByRole('dialog', { name: 'Copy API Key' })
  await expect(copy).toBeVisible()
  await expect(admin.getByText('Created API key.')).toBeVisible()
  await isAccessible(admin)
  await copy.getByRole('button', { name: /Copy/ }).click()
  const key = await admin.evaluate(() => navigator.clipboard.readText())
  await copy.getByRole('button', { name: /Done|Close/ }).click()

  const use = () => fetch(`${testServer.url}/api/incident`, { headers: { 'X-Api-Key': key } })
  expect((await use()).status).toBe(200)
  const row = admin.getByRole('grid').getByRole('row', { name: /Pager bridge/ })
  await row.click({ button: 'right' })
  await admin.getByRole('menuitem', { name: 'Delete API Key' }).click()
  await expect(admin.getByRole('heading', { name: 'Delete API Key?' })).toBeVisible()
  await admin
    .getByRole('dialog')
    .getByRole('button', { name: /Delete|Submit/ })
    .click()
  await expect(admin.getByText('Deleted API key.')).toBeVisible()
  expect((await use()).status).toBe(401)
  await admin.close()
})

test('an administrator changes a channel and its members', async ({ browser }) => {
  const admin = await aBrowser(browser)
  await signIn(admin, 'admin@demo.example')
  await admin.goto('/messaging-admin')
  const row = (name: string) => admin.getByRole('row', { name: new RegExp(`^${name}`) })
  await expect(row('Headquarters')).toBeVisible()
  await expect(row('Headquarters').getByRole('button')).toHaveCount(0)
  const act = async (name: string) => {
    await admin.getByLabel('Actions for Pier 3 repairs').click()
    await admin.getByRole('menuitem', { name }).click()
  }
  await act('Edit')
  const form = admin.getByRole('dialog', { name: 'Edit Channel' })
  await form.getByRole('textbox', { name: /^Description/ }).fill('Until the ferry lands again.')
  await isAccessible(admin)
  await form.getByRole('button', { name: 'Save' }).click()
  await expect(admin.getByText('Channel updated successfully.')).toBeVisible()
  await expect(row('Pier 3 repairs')).toContainText('Until the ferry lands again.')
  await act('Manage Members')
  const members = admin.getByRole('dialog', { name: 'Members of Pier 3 repairs' })
  await members.getByRole('combobox', { name: /Add people/ }).fill('kimura')
  await admin.getByRole('option', { name: /Hana Kimura/ }).click()
  await members.getByRole('button', { name: 'Add 1 person' }).click()
  await members.getByRole('button', { name: 'Make Hana Kimura a moderator' }).click()
  await expect(members.getByText('Moderator', { exact: true })).toBeVisible()
  await isAccessible(admin)
  await members.getByRole('button', { name: 'Remove Hana Kimura', exact: true }).click()
  await expect(members.getByText('Hana Kimura')).toHaveCount(0)
  await admin.close()
})
