import { readFile } from 'node:fs/promises'

import { expect, type Page } from '@playwright/test'

import { EXE, PDF, PNG } from '../support/files.ts'
import { aBrowser, isAccessible, PHONE, signIn } from './people.ts'
import { test } from './test-server.ts'

const TITLE = 'Flood in the machine hall'
const NAME = 'Évacuation – plan of the hall, second floor.pdf'
const pdf = Buffer.concat([PDF, Buffer.alloc(3_000_000, '% water level\n')])
const asFile = (name: string, buffer: Buffer, mimeType = 'application/pdf') => ({ name, mimeType, buffer })

async function choose(page: Page, press: () => Promise<void>, ...files: ReturnType<typeof asFile>[]) {
  const [chooser] = await Promise.all([page.waitForEvent('filechooser'), press()])
  await chooser.setFiles(files)
}
async function saved(page: Page, press: () => Promise<void>): Promise<{ name: string; bytes: Buffer }> {
  const [download] = await Promise.all([page.waitForEvent('download'), press()])
  // The browser saves the file itself: the page does not collect it first.
  expect(download.url()).toContain('/api/fa/content/')
  return { name: download.suggestedFilename(), bytes: await readFile(await download.path()) }
}

test('two people share files in an incident', async ({ browser }) => {
  const ana = await aBrowser(browser)
  const ben = await aBrowser(browser, { ...PHONE, colorScheme: 'dark' })
  await signIn(ana, 'admin@demo.example')
  await signIn(ben, 'responder@demo.example')
  await ana.getByRole('link', { name: /Create Incident/ }).click()
  await ana.getByRole('textbox', { name: /^Title/ }).fill(TITLE)
  await ana.getByRole('button', { name: 'Create Incident' }).click()
  await expect(ana.getByRole('heading', { name: TITLE })).toBeVisible()
  await ben.goto(new URL(ana.url()).pathname)
  await ben.getByRole('tab', { name: 'Files' }).click()
  await expect(ben.getByText('Plans, photos and logs that belong here. There are none yet.')).toBeVisible()
  await isAccessible(ben)

  await test.step('one adds a plan; what is not what it says is refused and stays', async () => {
    await ana.getByRole('button', { name: 'Attachments' }).click()
    const dialog = ana.getByRole('dialog', { name: 'Attachments' })
    await isAccessible(ana)
    const press = () => dialog.getByRole('button', { name: 'Choose files' }).click()
    await choose(ana, press, asFile('tool.exe', EXE))
    await expect(dialog.getByText('Sorry, this file format is not supported.')).toBeVisible()
    await choose(ana, press, asFile(NAME, pdf), asFile('invoice.pdf', EXE))
    await dialog.getByRole('button', { name: 'Upload' }).click()
    await expect(dialog.getByText('Upload failed. Sorry, this file format is not supported.')).toBeVisible()
    await expect(dialog.getByRole('list', { name: 'Attached files' }).getByText(NAME)).toBeVisible()
    await expect(dialog.getByRole('button', { name: 'Retry Upload' })).toBeEnabled()
    await isAccessible(ana)
    await dialog.getByRole('button', { name: 'Remove “invoice.pdf” from the selection' }).click()
    await dialog.getByRole('button', { name: 'Close' }).click()
  })

  await test.step('the other sees it at once, and downloads the same bytes', async () => {
    const press = () => ben.getByRole('button', { name: `Download “${NAME}”` }).click()
    const got = await saved(ben, press)
    expect(got.name).toBe(NAME)
    expect(got.bytes.equals(pdf)).toBe(true)
    await isAccessible(ben)
  })

  await test.step('the other attaches a photo to an update, and the first one downloads it from there', async () => {
    await ben.getByRole('tab', { name: 'Story' }).click()
    await ben.getByRole('button', { name: 'Add update' }).click()
    const form = ben.getByRole('form', { name: 'Add update' })
    await form.getByRole('textbox', { name: 'Update', exact: true }).fill('The pump, as it is now.')
    await choose(ben, () => form.getByRole('button', { name: 'Attach files' }).click(), {
      ...asFile('pump.png', PNG, 'image/png'),
    })
    await expect(form.getByRole('button', { name: 'Download “pump.png”' })).toBeVisible()
    await isAccessible(ben)
    await form.getByRole('button', { name: 'Add update' }).click()
    await expect(ana.getByText('The pump, as it is now.')).toBeVisible()
    const chip = ana.getByRole('list', { name: 'Files of this task or update' })
    const got = await saved(ana, () => chip.getByRole('button', { name: 'Download “pump.png”' }).click())
    expect(got.bytes.equals(PNG)).toBe(true)
    await isAccessible(ana)
    await chip.getByRole('button', { name: 'Open “pump.png”' }).click()
    const shown = ana.getByRole('dialog', { name: 'pump.png' })
    await expect
      .poll(() => shown.getByRole('img').evaluate((image) => (image as HTMLImageElement).naturalWidth))
      .toBe(1)
    await isAccessible(ana)
    await shown.getByRole('button', { name: 'Close the preview' }).click()
  })

  await test.step('one deletes the plan, and it is gone for the other', async () => {
    await ben.getByRole('tab', { name: 'Files' }).click()
    await expect(ben.getByRole('button', { name: `Delete “${NAME}”` })).toHaveCount(0)
    await ana.getByRole('button', { name: `Delete “${NAME}”` }).click()
    await ana.getByRole('dialog', { name: 'Delete file?' }).getByRole('button', { name: 'Delete' }).click()
    await expect(ben.getByText(NAME)).toHaveCount(0)
    await expect(ben.getByRole('list', { name: 'Attached files' }).getByText('pump.png')).toBeVisible()
  })

  await test.step('once it is resolved, files are only read', async () => {
    await ana.getByRole('button', { name: 'Resolve' }).click()
    await ana.getByRole('dialog').getByRole('button', { name: 'Resolve' }).click()
    await expect(ana).toHaveURL(/\/post-incident-analysis$/)
    await expect(ben.getByRole('button', { name: 'Delete “pump.png”' })).toHaveCount(0)
    await ben.getByRole('button', { name: 'Attachments' }).click()
    const dialog = ben.getByRole('dialog', { name: 'Attachments' })
    await expect(dialog.getByText('pump.png')).toBeVisible()
    await expect(dialog.getByRole('button', { name: 'Upload' })).toHaveCount(0)
  })
  await ana.close()
  await ben.close()
})
