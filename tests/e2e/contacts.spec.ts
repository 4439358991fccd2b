import { readFile } from 'node:fs/promises'

import { expect } from '@playwright/test'

import { aBrowser, isAccessible, PHONE, signIn } from './people.ts'
import { test } from './test-server.ts'

for (const [name, options] of [
  ['at a desk', {}],
  ['on a phone', PHONE],
] as const)
  test(`an administrator imports contacts and prepares a template ${name}`, async ({ browser }) => {
    const phone = options === PHONE
    const admin = await aBrowser(browser, { ...options, acceptDownloads: true })
    const toast = (words: string) => admin.getByRole('status').getByText(words)
    const list = `Pilots ${name}`
    await signIn(admin, 'admin@demo.example')
    const follow = async (link: string) => {
      if (phone) await admin.getByRole('button', { name: 'Open menu' }).click()
      await admin.getByRole('link', { name: link, exact: true }).click()
    }

    await test.step('from a file that is put right first', async () => {
      await follow('Contacts')
      await expect(admin.getByRole('list', { name: 'Contact Lists' })).toBeVisible()
      if (!phone)
        await expect(admin.getByText('Select a contact list, or search for contacts.')).toBeVisible()
      await isAccessible(admin)
      await admin.getByRole('button', { name: 'Import Contacts' }).click()
      const dialog = admin.getByRole('dialog', { name: /^Import Contacts/ })
      const [template] = await Promise.all([
        admin.waitForEvent('download'),
        dialog.getByRole('button', { name: 'Download Template' }).click(),
      ])
      const headings = (await readFile(await template.path(), 'utf8')).replace('\uFEFF', '').trim()
      const choose = (...rows: string[]) =>
        dialog.getByLabel('CSV or Excel file').setInputFiles({
          name: 'pilots.csv',
          mimeType: 'text/csv',
          buffer: Buffer.from([headings, ...rows].join('\r\n')),
        })
      await choose(`Ewan MacNeil,ewan@pilots.example,,${list}`, 'Morag,,,')
      await expect(
        dialog.getByText('A contact is missing an email address from row 3.', { exact: true }),
      ).toBeVisible()
      await expect(dialog.getByText('A contact () was not assigned a contact list (in row 3).')).toBeVisible()
      await isAccessible(admin)
      await choose(
        `Ewan MacNeil,EWAN@pilots.example,+1 (902) 423-0130,${list}`,
        `محمد الفارسي,mohammed@pilots.example,5550123,${list}`,
        `Morag Àrd,morag@pilots.example,,${list}`,
      )
      await expect(dialog.getByText('pilots.csv: 3 contacts')).toBeVisible()
      await dialog.getByRole('button', { name: 'Continue' }).click()
      await expect(dialog.getByRole('row')).toHaveCount(4)
      await expect(dialog.getByText('Invalid phone number (5550123) found in row 3.')).toBeVisible()
      await isAccessible(admin)
      await dialog.getByRole('button', { name: 'Import 3 Contacts' }).click()
      await expect(dialog.getByRole('status')).toHaveText(
        /^Imported contacts successfully\.\s*3 contacts were (added|brought up to date)\.\s*$/,
      )
      await isAccessible(admin)
      await dialog.getByRole('button', { name: 'Done' }).click()
      await expect(admin.getByRole('link', { name: `${list} 3 contact(s)` })).toBeVisible()
    })

    await test.step('finds them by list and by name, also after a reload', async () => {
      await admin.getByRole('link', { name: `${list} 3 contact(s)` }).click()
      const contacts = phone
        ? admin.getByRole('list', { name: list })
        : admin.getByRole('grid', { name: list })
      const ewan = contacts.getByRole(phone ? 'listitem' : 'row').filter({ hasText: 'Ewan MacNeil' })
      await expect(ewan.getByText('+1 902 423 0130')).toBeVisible()
      await expect(ewan.getByRole('img', { name: 'Valid', exact: true })).toBeVisible()
      await expect(contacts.getByRole('img', { name: 'Invalid' })).toHaveCount(1)
      await isAccessible(admin)
      await admin.reload()
      await expect(ewan).toBeVisible()
      await admin.getByRole('searchbox', { name: 'Search contacts' }).fill('ewan@pilots')
      await expect(admin.getByRole('heading', { name: 'Search results' })).toBeVisible()
      const results = admin.getByRole(phone ? 'list' : 'grid', { name: 'Search results' })
      await expect(results.getByText(list, { exact: true })).toBeVisible()
      await isAccessible(admin)
      await admin.getByRole('button', { name: 'Clear search' }).click()
    })

    await test.step('removes one of them', async () => {
      await admin.getByLabel('Actions for Morag Àrd').click()
      await admin.getByRole('menuitem', { name: 'Remove Contact' }).click()
      const question = admin.getByRole('dialog', { name: 'Remove contact?' })
      await expect(question.getByText(/^Morag Àrd will be removed/)).toBeVisible()
      await isAccessible(admin)
      await question.getByRole('button', { name: 'Remove Contact' }).click()
      await expect(toast('Morag Àrd has been removed.')).toBeVisible()
      await expect(admin.getByLabel('Actions for Morag Àrd')).toHaveCount(0)
    })

    const title = `Fog ${name}`
    await test.step('and prepares what they will be told', async () => {
      await follow('Notification Templates')
      await admin.getByRole('button', { name: 'Create Notification Template' }).click()
      const form = admin.getByRole('region', { name: 'Create Notification Template' })
      await form.getByRole('button', { name: 'Save' }).click()
      await expect(form.getByText('Title is required.')).toBeVisible()
      await expect(toast('Title is required.')).toBeVisible()
      await isAccessible(admin)
      await form.getByRole('textbox', { name: /^Title/ }).fill(title)
      await form.getByRole('combobox', { name: 'Event Level' }).click()
      await admin.getByRole('option', { name: 'Critical' }).click()
      await form.getByRole('textbox', { name: 'Email Message' }).fill('No ship leaves.\nStay moored.')
      const sms = form.getByRole('textbox', { name: 'SMS/Automated Voice Message' })
      await sms.fill('x'.repeat(101))
      await expect(form.getByText('Maximum of 100 characters exceeded.')).toBeVisible()
      await sms.fill('No ship leaves.')
      await expect(form.getByText('85 characters remaining')).toBeVisible()
      await isAccessible(admin)
      await form.getByRole('button', { name: 'Save' }).click()
      await expect(toast('Notification template created.')).toBeVisible()
      const shown = admin.getByRole('region', { name: title })
      await expect(shown.getByText('Stay moored.')).toBeVisible()
      await expect(shown.getByText('Critical')).toBeVisible()
      await isAccessible(admin)
    })

    await test.step('which is asked for before it is thrown away', async () => {
      const shown = admin.getByRole('region', { name: title })
      await shown.getByRole('button', { name: 'Edit' }).click()
      const email = admin.getByRole('textbox', { name: 'Email Message' })
      await email.fill('Stay')
      await admin.getByRole('button', { name: 'Cancel' }).click()
      await admin.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
      await expect(email).toHaveValue('Stay')
      await admin.getByRole('button', { name: 'Save' }).click()
      await expect(toast('Notification template updated.')).toBeVisible()
      await shown.getByRole('button', { name: 'Delete' }).click()
      await admin
        .getByRole('dialog', { name: 'Delete notification template?' })
        .getByRole('button', { name: 'Delete' })
        .click()
      await expect(toast(`${title} has been deleted.`)).toBeVisible()
      await expect(admin.getByRole('link', { name: new RegExp(`^${title}`) })).toHaveCount(0)
    })

    await test.step('before the list is deleted', async () => {
      await follow('Contacts')
      await admin.getByRole('link', { name: `${list} 2 contact(s)` }).click()
      await admin.getByRole('button', { name: 'Delete List' }).click()
      await isAccessible(admin)
      await admin.getByRole('dialog').getByRole('button', { name: 'Delete List' }).click()
      await expect(toast(`${list} has been deleted.`)).toBeVisible()
      await expect(admin.getByRole('list', { name: 'Contact Lists' })).toBeVisible()
      await expect(admin.getByRole('link', { name: new RegExp(`^${list}`) })).toHaveCount(0)
    })
    await admin.close()
  })
