import { readFile } from 'node:fs/promises'

import { expect, type Page } from '@playwright/test'

import { LINK_GONE, WRONG_PASSCODE } from '#contract/file-links/schema.ts'

import { addOrganisation } from '../support/product.ts'
import { aPdf } from '../support/samples.ts'
import { aBrowser, doesNotOverflow, isAccessible, PHONE, signIn } from './people.ts'
import { test, testServer } from './test-server.ts'

const PATH = '/secure-file-storage'
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const dialog = (page: Page, name: string) => page.getByRole('dialog', { name, exact: true })
const field = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true })
const pdfFile = (name: string, buffer: Buffer) => ({ name, mimeType: 'application/pdf', buffer })

async function choose(page: Page, name: string, action: string) {
  await button(page, `Actions for ${name}`).click()
  await page.getByRole('menuitem', { name: action, exact: true }).click()
}
/** Makes a link of a folder on its screen. Returns what is copied there. */
async function linkTo(page: Page, folder: string, label: string, direction?: string) {
  await choose(page, folder, 'Share by Link')
  const form = dialog(page, `Link to ${folder}`)
  await form.getByRole('textbox', { name: 'For whom' }).fill(label)
  if (direction) {
    await form.getByRole('combobox', { name: 'What it is for' }).click()
    await page.getByRole('option', { name: direction }).click()
  }
  await isAccessible(page)
  await form.getByRole('button', { name: 'Make Link' }).click()
  const made = dialog(page, 'The link is ready')
  const copied = async (name: string) => {
    const copy = made.getByRole('button', { name: `Copy: ${name}` })
    await copy.click()
    await expect(copy).toHaveText('Copied')
    return page.evaluate(() => navigator.clipboard.readText())
  }
  const link = { address: await copied('Address'), passcode: await copied('Passcode') }
  await isAccessible(page)
  await made.getByRole('button', { name: 'Done' }).click()
  return link
}

test('a folder is handed out, and taken into, by links for people without an account', async ({
  browser,
}) => {
  const code = `links-${crypto.randomUUID().slice(0, 8)}`
  const email = await addOrganisation(testServer.dataDir, code, {})
  const plan = aPdf('The way out')
  const ana = await aBrowser(browser)
  await ana.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  const visitor = await aBrowser(browser, { ...PHONE, colorScheme: 'dark' })
  let handedOut = { address: '', passcode: '' }

  await test.step('an administrator switches links on', async () => {
    await signIn(ana, email, code)
    await ana.goto('/settings/organisation')
    await button(ana, 'Edit fileLinksEnabled').click()
    await ana.getByRole('combobox', { name: 'fileLinksEnabled' }).click()
    await ana.getByRole('option', { name: 'Yes', exact: true }).click()
    await button(ana, 'Save').click()
    await expect(ana.getByText('fileLinksEnabled has been saved.')).toBeVisible()
  })

  await test.step('and makes a link of a folder', async () => {
    await ana.goto(PATH)
    await button(ana, 'New Folder').click()
    await field(ana, 'Folder name').fill('Harbor')
    await button(ana, 'Create').click()
    await button(ana, 'Harbor').click()
    await button(ana, 'Upload').click()
    const [chooser] = await Promise.all([
      ana.waitForEvent('filechooser'),
      ana.getByRole('menuitem', { name: 'Upload Files' }).click(),
    ])
    await chooser.setFiles(pdfFile('plan.pdf', plan))
    await expect(ana.getByText('1 file uploaded.')).toBeVisible()
    await ana.goto(PATH)
    handedOut = await linkTo(ana, 'Harbor', 'Fire brigade')
    expect(handedOut.address).toContain(`${testServer.url}/link#fl_`)
  })

  await test.step('which opens with its passcode only', async () => {
    await visitor.goto(handedOut.address)
    await expect(visitor.getByText(`Organisation ${code}`)).toBeVisible()
    await isAccessible(visitor)
    await field(visitor, 'Passcode').fill('not this one')
    await button(visitor, 'Open').click()
    await expect(visitor.getByText(WRONG_PASSCODE)).toBeVisible()
    await isAccessible(visitor)
    await field(visitor, 'Passcode').fill(handedOut.passcode)
    await button(visitor, 'Open').click()
    const [download] = await Promise.all([
      visitor.waitForEvent('download'),
      button(visitor, 'Download plan.pdf').click(),
    ])
    expect(download.suggestedFilename()).toBe('plan.pdf')
    expect((await readFile(await download.path())).equals(plan)).toBe(true)
    await isAccessible(visitor)
    await doesNotOverflow(visitor, 'the list of a link')
  })

  await test.step('a drop box takes a file', async () => {
    const dropBox = await linkTo(ana, 'Harbor', 'Press', 'Send files here')
    // The address differs in the fragment only: the page follows it without being loaded.
    await visitor.goto(dropBox.address)
    await field(visitor, 'Your name').fill('Bo of the press')
    await field(visitor, 'Passcode').fill(dropBox.passcode)
    await button(visitor, 'Open').click()
    await visitor.getByLabel('Choose files').setInputFiles(pdfFile('photo.pdf', aPdf('A photo')))
    await expect(visitor.getByRole('list', { name: 'Your files' })).toContainText('Sent')
    await isAccessible(visitor)
    await doesNotOverflow(visitor, 'the drop box')
  })

  await test.step('whose history says who sent it, from where and with what', async () => {
    await button(ana, 'Harbor').click()
    await choose(ana, 'photo.pdf', 'Details')
    const history = ana
      .getByRole('complementary', { name: 'Details' })
      .getByRole('list', { name: 'History' })
      .getByRole('listitem')
    await expect(history).toContainText('By link (Bo of the press, unverified)')
    await expect(history).toContainText(/127\.0\.0\.1 · Mozilla\/5\.0/)
    await isAccessible(ana)
  })

  await test.step('a link that is withdrawn says that it is over', async () => {
    await button(ana, 'Links').click()
    const links = dialog(ana, 'Links')
    await expect(links.getByRole('listitem').filter({ hasText: 'Fire brigade' })).toContainText('opened once')
    await isAccessible(ana)
    await links.getByRole('button', { name: 'Withdraw the link for Fire brigade' }).click()
    await dialog(ana, 'Withdraw this link?').getByRole('button', { name: 'Withdraw' }).click()
    await expect(links.getByRole('listitem').filter({ hasText: 'Fire brigade' })).toContainText('withdrawn')
    await visitor.goto(handedOut.address)
    await expect(visitor.getByRole('heading', { name: 'This link does not open' })).toBeVisible()
    await expect(visitor.getByText(LINK_GONE)).toBeVisible()
    await isAccessible(visitor)
  })
  await ana.close()
  await visitor.close()
})
