import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

import { expect, type Page } from '@playwright/test'
import { unzipSync } from 'fflate'
import { Secret, TOTP } from 'otpauth'

import { addOrganisation, DEMO_PASSWORD, signIn as signInOver } from '../support/product.ts'
import {
  aDocx,
  aHostileDocx,
  aHostilePdf,
  aLockedPdf,
  aLongDocx,
  anXls,
  anXlsx,
  aPdf,
  aPng,
} from '../support/samples.ts'
import { aBrowser, isAccessible, mailTo, PHONE, signIn } from './people.ts'
import { test, testServer } from './test-server.ts'

const PATH = '/secure-file-storage'
/** An organisation code that no other attempt has used. */
const aCode = () => `files-${crypto.randomUUID().slice(0, 8)}`
const FORMATS = ['PDF', 'DOCX', 'TXT', 'PNG', 'XLS', 'XLSX', 'CSV']
const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true })
const dialog = (page: Page, name: string) => page.getByRole('dialog', { name, exact: true })
const grid = (page: Page) => page.getByRole('grid', { name: 'Files and folders' })
const row = (page: Page, name: string) => grid(page).getByRole('row').filter({ hasText: name })
const path = (page: Page) => page.getByRole('navigation', { name: 'Folders above' })
const uploads = (page: Page) => page.getByRole('region', { name: 'Uploads' })

async function choose(page: Page, name: string, action: string) {
  await button(page, `Actions for ${name}`).click()
  await page.getByRole('menuitem', { name: action, exact: true }).click()
}
async function openFolder(page: Page, name: string) {
  await row(page, name).getByRole('button', { name }).first().click()
  await expect(path(page).getByRole('heading', { name })).toBeVisible()
}
async function saved(page: Page, press: () => Promise<void>): Promise<{ name: string; bytes: Buffer }> {
  const [download] = await Promise.all([page.waitForEvent('download'), press()])
  // The browser saves the file itself: the page does not collect it first.
  expect(download.url()).toContain(`${testServer.url}/api/sfs/content/`)
  return { name: download.suggestedFilename(), bytes: await readFile(await download.path()) }
}
/** Drops local files and folders in the middle of the page. */
async function drop(page: Page, ...files: readonly string[]) {
  const session = await page.context().newCDPSession(page)
  const at = { x: 700, y: 500, data: { items: [], files: [...files], dragOperationsMask: 1 } }
  const drag = (type: 'dragEnter' | 'dragOver' | 'drop') =>
    session.send('Input.dispatchDragEvent', { type, ...at })
  // Files dropped before the page handles the drag are lost.
  await expect(async () => {
    await drag('dragEnter')
    await drag('dragOver')
    await expect(page.getByText('Drop files and folders to upload them here.')).toBeVisible({
      timeout: 1_000,
    })
  }).toPass()
  await drag('dragOver')
  await drag('drop')
  await session.detach()
}
/** Writes files below a new folder. Returns the folder. */
async function onDisk(files: Readonly<Record<string, Uint8Array | string>>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'muster-drop-'))
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true })
    await writeFile(join(folder, name), content)
  }
  return folder
}

/** True for a canvas that is not blank. */
const isDrawn = (canvas: HTMLCanvasElement): boolean => {
  const { data } = canvas.getContext('2d')!.getImageData(0, 0, canvas.width, canvas.height)
  return data.some((value, at) => at % 4 === 0 && value < 100 && data[at + 3]! > 0)
}

test('files open only after a second factor', async ({ browser }) => {
  const [mailed, demanded] = [aCode(), aCode()]
  const byMail = await addOrganisation(testServer.dataDir, mailed, {
    sfs2fa: true,
    auth2faType: 'EMAIL',
  })
  const page = await aBrowser(browser, { reducedMotion: 'reduce' })
  await signIn(page, byMail, mailed)

  await test.step('who gives up sees the dashboard', async () => {
    await page.goto(PATH)
    await expect(dialog(page, 'Two-Factor Verification')).toBeVisible()
    await button(page, 'Cancel').click()
    await expect(page).toHaveURL(testServer.url + '/')
  })
  await test.step('an emailed code opens them', async () => {
    await page.getByRole('link', { name: /^Secure File Storage/ }).click()
    const field = page.getByLabel('Confirmation code')
    await expect(field).toBeFocused()
    await isAccessible(page)
    await page.keyboard.type(/code (\d{4})\b/.exec(await mailTo(byMail))![1]!)
    await page.keyboard.press('Enter')
    await expect(page.getByText('No files or folders to show.')).toBeVisible()
    await isAccessible(page)
  })
  await page.close()

  await test.step('where an app is demanded, it is set up from here', async () => {
    const config = { sfs2fa: true, auth2fa: false, auth2faType: 'TOTP' } as const
    const byApp = await addOrganisation(testServer.dataDir, demanded, config)
    const phone = await aBrowser(browser, { ...PHONE, reducedMotion: 'reduce', colorScheme: 'dark' })
    await phone.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await signIn(phone, byApp, demanded)
    await phone.goto(PATH)
    await expect(phone.getByText(/^Your organization asks for codes of an authenticator app/)).toBeVisible()
    await isAccessible(phone)
    await button(phone, 'Copy setup key').click()
    await expect(button(phone, 'Copied')).toBeVisible()
    const secret = Secret.fromBase32(await phone.evaluate(() => navigator.clipboard.readText()))
    await phone.getByLabel('Passcode').fill(new TOTP({ secret }).generate())
    await button(phone, 'Verify').click()
    await phone.getByLabel('I have saved these codes').check()
    await button(phone, 'Done').click()
    await expect(phone.getByText('No files or folders to show.')).toBeVisible()
    await isAccessible(phone)
    await phone.close()
  })
})

test('files are kept for a group, shown, changed, deleted and brought back', async ({ browser }) => {
  const code = aCode()
  const email = await addOrganisation(
    testServer.dataDir,
    code,
    { allowedFileExtensions: [...FORMATS] as never, groupsEnabled: true },
    ['USER'],
  )
  const colleague = `user@${code}.example`
  const ana = await aBrowser(browser)
  const ben = await aBrowser(browser, { ...PHONE, colorScheme: 'dark' })
  const [pdf, newer] = [aPdf('Page one', 'Page two'), aPdf('Page one', 'Page two', 'Page three')]
  const { call } = await signInOver(testServer.url, email, DEMO_PASSWORD, code)
  const group = { name: 'Harbor team', description: null, userIds: [email] }
  expect((await call('POST', '/useradmin/group', group)).status).toBe(201)
  const folder = await onDisk({
    'plan.pdf': pdf,
    'letter.docx': await aDocx('Dear captain', 'Please stay in the harbor.'),
    'crew.xlsx': anXlsx({ Crew: [['Name'], ['Ada']], Ships: [['Ferry'], ['Aurora']] }),
    'duty.xls': anXls([
      ['Watch', 'Crew'],
      ['Night', 7],
    ]),
    'phones.csv': 'name,number\nBridge,101\n',
    'quay.png': aPng(320, 200),
    'notes.txt': 'Meet at pier 1.\n',
    'Drawings/deck.pdf': aPdf('Deck'),
    'Drawings/Old/hold.txt': 'Nothing in here.\n',
  })
  const onThisComputer = (name: string) => join(folder, name)
  try {
    await signIn(ana, email, code)
    await signIn(ben, colleague, code)

    await test.step('a folder is made', async () => {
      await ana.goto(PATH)
      await expect(ana.getByText('No files or folders to show.')).toBeVisible()
      await isAccessible(ana)
      await button(ana, 'New Folder').click()
      await ana.getByRole('textbox', { name: 'Folder name' }).fill('Harbor')
      await isAccessible(ana)
      await button(ana, 'Create').click()
      await expect(row(ana, 'Harbor')).toContainText('Folder, All Users')
      await ben.goto(PATH)
      await expect(ben.getByText('Folder, All Users')).toBeVisible()
      await isAccessible(ben)
    })

    await test.step('several files and a folder are dropped', async () => {
      await openFolder(ana, 'Harbor')
      const names = [
        'plan.pdf',
        'letter.docx',
        'crew.xlsx',
        'duty.xls',
        'phones.csv',
        'quay.png',
        'notes.txt',
      ]
      await drop(ana, ...names.map(onThisComputer), onThisComputer('Drawings'))
      await expect(uploads(ana).getByText('9 files uploaded.')).toBeVisible()
      await isAccessible(ana)
      await uploads(ana).getByRole('button', { name: 'Close the list of uploads' }).click()
      for (const name of [...names, 'Drawings']) await expect(row(ana, name)).toBeVisible()
    })

    await test.step('it is kept for a group, and the other person sees nothing of it', async () => {
      await path(ana).getByRole('link', { name: 'Files' }).click()
      await choose(ana, 'Harbor', 'Edit Access')
      const form = dialog(ana, 'Edit Access')
      await form.getByRole('radio', { name: /^Group Users/ }).check()
      await form.getByRole('checkbox', { name: 'Harbor team' }).check()
      await isAccessible(ana)
      await form.getByRole('button', { name: 'Save' }).click()
      await expect(row(ana, 'Harbor')).toContainText('Private Folder, Group Users')
      await ben.goto(PATH)
      await expect(ben.getByText('No files or folders to show.')).toBeVisible()
      await ben.getByRole('searchbox', { name: 'Search all files' }).fill('plan')
      await expect(ben.getByText('No file or folder matches these words.')).toBeVisible()
    })

    await test.step('each format is shown, from one to the next', async () => {
      await openFolder(ana, 'Harbor')
      await row(ana, 'crew.xlsx').getByRole('button', { name: 'crew.xlsx' }).first().click()
      const shown = (name: string) => dialog(ana, name)
      await shown('crew.xlsx').getByRole('tab', { name: 'Ships' }).click()
      await expect(shown('crew.xlsx').getByRole('cell', { name: 'Aurora' })).toBeVisible()
      await isAccessible(ana)
      await button(ana, 'Next file').click()
      await expect(shown('duty.xls').getByRole('cell', { name: 'Night' })).toBeVisible()
      await button(ana, 'Next file').click()
      await expect(
        shown('letter.docx').getByText('This document preview may be missing styling and formatting.'),
      ).toBeVisible()
      const page = shown('letter.docx').frameLocator('iframe')
      await expect(page.getByText('Please stay in the harbor.')).toBeVisible()
      await isAccessible(ana)
      await button(ana, 'Next file').click()
      await expect(shown('notes.txt').getByText('Meet at pier 1.')).toBeVisible()
      await isAccessible(ana)
      await ana.keyboard.press('ArrowRight')
      await expect(shown('phones.csv').getByRole('cell', { name: '101' })).toBeVisible()
      await ana.keyboard.press('ArrowRight')
      const pages = shown('plan.pdf')
        .getByRole('group', { name: /^Page \d of 2$/ })
        .locator('canvas')
      await expect(pages).toHaveCount(2)
      await expect.poll(() => pages.first().evaluate(isDrawn as never)).toBe(true)
      await isAccessible(ana)
      await button(ana, 'Next file').click()
      await expect
        .poll(() =>
          shown('quay.png')
            .getByRole('img')
            .evaluate((image) => (image as HTMLImageElement).naturalWidth),
        )
        .toBe(320)
      await isAccessible(ana)
      await expect(button(ana, 'Next file')).toBeDisabled()
      await button(ana, 'Close the preview').click()
    })

    await test.step('files are renamed, moved and replaced by a new version', async () => {
      await choose(ana, 'notes.txt', 'Rename')
      await ana.getByRole('textbox', { name: 'New name' }).fill('meeting point')
      await isAccessible(ana)
      await dialog(ana, 'Rename notes.txt').getByRole('button', { name: 'Rename' }).click()
      await expect(row(ana, 'meeting point.txt')).toBeVisible()
      await choose(ana, 'meeting point.txt', 'Move')
      const tree = dialog(ana, 'Move meeting point.txt')
      await tree.getByRole('button', { name: 'Show the folders in Harbor' }).click()
      await tree.getByRole('radio', { name: 'Drawings' }).check()
      await isAccessible(ana)
      await tree.getByRole('button', { name: 'Move Here' }).click()
      // The open dialog hides the rows.
      await expect(tree).toBeHidden()
      await expect(row(ana, 'meeting point.txt')).toHaveCount(0)
      await expect(async () => {
        // After a requested move, another drag would take the row that moves into this place.
        await Promise.all([
          ana.waitForRequest('**/sfs/move', { timeout: 15_000 }),
          row(ana, 'phones.csv').dragTo(row(ana, 'Drawings')),
        ])
      }).toPass()
      await expect(row(ana, 'phones.csv')).toHaveCount(0)
      await expect(row(ana, 'plan.pdf')).toBeVisible()
      await writeFile(onThisComputer('plan.pdf'), newer)
      const [chooser] = await Promise.all([
        ana.waitForEvent('filechooser'),
        button(ana, 'Upload')
          .click()
          .then(() => ana.getByRole('menuitem', { name: 'Upload Files' }).click()),
      ])
      await chooser.setFiles(onThisComputer('plan.pdf'))
      await dialog(ana, '“plan.pdf” is already there').getByRole('button', { name: 'Replace' }).click()
      await expect(uploads(ana).getByText('Uploaded as version 2.')).toBeVisible()
      await uploads(ana).getByRole('button', { name: 'Close the list of uploads' }).click()
    })

    await test.step('both versions are downloaded byte for byte, and several files in an archive', async () => {
      const current = await saved(ana, () => choose(ana, 'plan.pdf', 'Download'))
      expect(current.name).toBe('plan.pdf')
      expect(current.bytes.equals(newer)).toBe(true)
      await choose(ana, 'plan.pdf', 'Details')
      const details = ana.getByRole('complementary', { name: 'Details' })
      // Sizes of the specification.
      expect((await details.boundingBox())!.width).toBe(300)
      expect((await row(ana, 'plan.pdf').boundingBox())!.height).toBe(45)
      const before = await saved(ana, () =>
        details.getByRole('button', { name: 'Download version 1' }).click(),
      )
      expect(before.bytes.equals(pdf)).toBe(true)
      await isAccessible(ana)
      await row(ana, 'Drawings').getByRole('checkbox').check()
      await row(ana, 'quay.png').getByRole('checkbox').check()
      const archive = await saved(ana, () => button(ana, 'Download as ZIP').click())
      expect(
        Object.keys(unzipSync(archive.bytes))
          .filter((name) => !name.endsWith('/'))
          .sort(),
      ).toEqual([
        'Drawings/Old/hold.txt',
        'Drawings/deck.pdf',
        'Drawings/meeting point.txt',
        'Drawings/phones.csv',
        'quay.png',
      ])
      await button(ana, 'Clear selection').click()
    })

    await test.step('what is on hold stays as it is', async () => {
      const details = ana.getByRole('complementary', { name: 'Details' })
      await details.getByRole('switch', { name: 'Legal hold' }).click()
      await expect(
        details.getByText('This is on legal hold. It can be neither changed nor deleted.'),
      ).toBeVisible()
      // The list hears of it a moment later.
      await expect(row(ana, 'plan.pdf').getByRole('img', { name: 'On legal hold' })).toBeVisible()
      await button(ana, 'Actions for plan.pdf').click()
      await expect(ana.getByRole('menuitem', { name: 'Download', exact: true })).toBeVisible()
      await expect(ana.getByRole('menuitem', { name: 'Delete', exact: true })).toHaveCount(0)
      await ana.keyboard.press('Escape')
      await details.getByRole('switch', { name: 'Legal hold' }).click()
      await expect(details.getByText('This is on legal hold.')).toHaveCount(0)
      await details.getByRole('button', { name: 'Close the details' }).click()
    })

    await test.step('what is searched for says where it lies', async () => {
      await ana.getByRole('searchbox', { name: 'Search all files' }).fill('deck')
      await row(ana, 'deck.pdf').getByRole('link', { name: 'Files / Harbor / Drawings' }).click()
      await expect(path(ana).getByRole('heading', { name: 'Drawings' })).toBeVisible()
      await path(ana).getByRole('link', { name: 'Harbor' }).click()
      await expect(row(ana, 'Drawings')).toBeVisible()
    })

    await test.step('a folder is deleted once its name is typed, with a file, and restored', async () => {
      await row(ana, 'Drawings').getByRole('checkbox').check()
      await row(ana, 'quay.png').getByRole('checkbox').check()
      await button(ana, 'Delete').click()
      const question = dialog(ana, 'Delete 2 items?')
      await question.getByRole('textbox').fill('drawings')
      await question.getByRole('button', { name: 'Delete' }).click()
      await expect(question.getByText('Typed name must match the folder name exactly.')).toBeVisible()
      await isAccessible(ana)
      await question.getByRole('textbox').fill('Drawings')
      await question.getByRole('button', { name: 'Delete' }).click()
      await expect(ana.getByText('Deleted 2 items.')).toBeVisible()
      await expect(row(ana, 'Drawings')).toHaveCount(0)
      await button(ana, 'Deleted Files').click()
      await expect(button(ana, 'Restore “Drawings”')).toBeVisible()
      await isAccessible(ana)
      await button(ana, 'Restore “Drawings”').click()
      await button(ana, 'Restore “quay.png”').click()
      await expect(dialog(ana, 'Deleted files').getByText(/^Nothing was deleted/)).toBeVisible()
      await dialog(ana, 'Deleted files').getByRole('button', { name: 'Close' }).click()
      await openFolder(ana, 'Drawings')
      await expect(row(ana, 'meeting point.txt')).toBeVisible()
    })

    await test.step('who can open a folder is said when it is dropped into the root', async () => {
      await path(ana).getByRole('link', { name: 'Files' }).click()
      // Files are dropped into the visible folder.
      await expect(row(ana, 'Harbor')).toBeVisible()
      await drop(ana, onThisComputer('Drawings'))
      await expect(
        ana.getByText('Everybody in the organization can open “Drawings”, which you uploaded.'),
      ).toBeVisible()
      // Toasts cover the list of uploads for some seconds.
      await expect(ana.getByText('was restored.')).toHaveCount(0)
      await isAccessible(ana)
      await uploads(ana).getByRole('button', { name: 'Close the list of uploads' }).click()
    })

    await test.step('on a phone', async () => {
      await ben.getByRole('searchbox', { name: 'Search all files' }).fill('')
      const file = { name: 'photo.png', mimeType: 'image/png', buffer: aPng(64, 64) }
      await button(ben, 'Upload').click()
      const [chooser] = await Promise.all([
        ben.waitForEvent('filechooser'),
        ben.getByRole('menuitem', { name: 'Upload Files' }).click(),
      ])
      await chooser.setFiles(file)
      await expect(uploads(ben).getByText('1 file uploaded.')).toBeVisible()
      await isAccessible(ben)
      await uploads(ben).getByRole('button', { name: 'Close the list of uploads' }).click()
      await button(ben, 'photo.png').click()
      await expect(dialog(ben, 'photo.png').getByRole('img')).toBeVisible()
      await isAccessible(ben)
      await button(ben, 'Close the preview').click()
      await choose(ben, 'photo.png', 'Details')
      await expect(dialog(ben, 'Details').getByText('PNG file')).toBeVisible()
      await isAccessible(ben)
      await dialog(ben, 'Details').getByRole('button', { name: 'Close the details' }).click()
    })
  } finally {
    await rm(folder, { recursive: true })
  }
  await ana.close()
  await ben.close()
})

test('a PDF is shown page by page, and what cannot be shown is said', async ({ browser }) => {
  const BROKEN = 'An error occurred parsing the document, please download the file to view.'
  const folder = await onDisk({
    'a report.pdf': aPdf(...Array.from({ length: 12 }, (_, at) => `Page ${at + 1}`)),
    'b orders.pdf': aPdf('Close the gate'),
    'c broken.pdf': '%PDF-1.7\nThis is the end of it.\n',
    'd locked.pdf': aLockedPdf(),
    'e broken.docx': aLongDocx(100),
    'f large.docx': aLongDocx(40_000_000),
    'g bomb.docx': aLongDocx(300_000_000),
    'h letter.docx': await aDocx('Dear captain'),
  })
  const names = await readdir(folder)
  const code = aCode()
  const email = await addOrganisation(testServer.dataDir, code, {
    allowedFileExtensions: [...FORMATS] as never,
  })
  const page = await aBrowser(browser, { reducedMotion: 'reduce' })
  const shown = (name: string) => dialog(page, name)
  const pageOf = (name: string, number: number, total: number) =>
    shown(name)
      .getByRole('group', { name: `Page ${number} of ${total}`, exact: true })
      .locator('canvas')
  try {
    await signIn(page, email, code)
    await page.goto(PATH)
    await expect(page.getByText('No files or folders to show.')).toBeVisible()
    await drop(page, ...names.map((name) => join(folder, name)))
    await expect(uploads(page).getByText('8 files uploaded.')).toBeVisible()
    await uploads(page).getByRole('button', { name: 'Close the list of uploads' }).click()

    await test.step('its pages are drawn as they come into sight', async () => {
      await row(page, 'a report.pdf').getByRole('button', { name: 'a report.pdf' }).first().click()
      const first = pageOf('a report.pdf', 1, 12)
      await expect.poll(() => first.evaluate(isDrawn as never)).toBe(true)
      await expect(pageOf('a report.pdf', 12, 12)).toHaveCount(0)
      const field = shown('a report.pdf').getByLabel('Page', { exact: true })
      await expect(field).toHaveValue('1')
      await isAccessible(page)
      await field.fill('12')
      await field.press('Enter')
      const last = pageOf('a report.pdf', 12, 12)
      await expect.poll(() => last.evaluate(isDrawn as never)).toBe(true)
      await expect(first).toHaveCount(0)
      await field.fill('13')
      await field.press('Enter')
      await expect(field).not.toHaveValue('13')
      await shown('a report.pdf').getByRole('region', { name: 'Document' }).press('Home')
      await expect(field).toHaveValue('1')
    })
    await test.step('it is enlarged', async () => {
      const width = async () => (await pageOf('a report.pdf', 1, 12).boundingBox())!.width
      const before = await width()
      await shown('a report.pdf').getByRole('button', { name: 'Zoom in' }).click()
      await expect(shown('a report.pdf').getByText('Zoom: 125 %')).toBeVisible()
      expect(await width()).toBeGreaterThan(before)
    })
    await test.step('the next file and the one before are a button away', async () => {
      await button(page, 'Next file').click()
      const only = pageOf('b orders.pdf', 1, 1)
      await expect.poll(() => only.evaluate(isDrawn as never)).toBe(true)
      await button(page, 'Previous file').click()
      await expect(pageOf('a report.pdf', 1, 12)).toBeVisible()
      await expect(button(page, 'Previous file')).toBeDisabled()
      await button(page, 'Next file').click()
    })
    await test.step('a file that is broken or unpacks to too much is not shown, and one with a password asks for it', async () => {
      for (const name of ['c broken.pdf', 'd locked.pdf', 'e broken.docx', 'f large.docx', 'g bomb.docx']) {
        await button(page, 'Next file').click()
        if (name === 'd locked.pdf') {
          await expect(shown(name).getByRole('textbox', { name: 'Password', exact: true })).toBeFocused()
          await isAccessible(page)
        } else await expect(shown(name).getByText(BROKEN)).toBeVisible()
        await expect(page.locator('iframe')).toHaveCount(0)
      }
      await isAccessible(page)
      await expect(shown('g bomb.docx').getByRole('button', { name: 'Download' })).toBeEnabled()
    })
    await test.step('the page goes on to the next one', async () => {
      await button(page, 'Next file').click()
      const frame = shown('h letter.docx').frameLocator('iframe')
      await expect(frame.getByText('Dear captain')).toBeVisible()
      // The conversion's own frame is gone.
      await expect(page.locator('iframe')).toHaveCount(1)
    })
  } finally {
    await rm(folder, { recursive: true })
  }
  await page.close()
})

/** True for a canvas with a green pixel. */
const hasGreen = (canvas: HTMLCanvasElement): boolean => {
  const { data } = canvas.getContext('2d')!.getImageData(0, 0, canvas.width, canvas.height)
  return data.some((value, at) => at % 4 === 1 && value > 200 && data[at - 1]! < 50 && data[at + 1]! < 50)
}

test('a PDF is drawn with what it does not carry, searched, and opened by its password', async ({
  browser,
}) => {
  const folder = join(import.meta.dirname, '../support/files')
  const [letters, picture, locked] = ['fonts-not-embedded.pdf', 'jpeg2000.pdf', 'password.pdf'] as const
  const code = aCode()
  const email = await addOrganisation(testServer.dataDir, code, { allowedFileExtensions: ['PDF'] as never })
  const page = await aBrowser(browser, { reducedMotion: 'reduce' })
  const only = (name: string) => dialog(page, name).getByRole('group', { name: 'Page 1 of 1' })
  await signIn(page, email, code)
  await page.goto(PATH)
  await expect(page.getByText('No files or folders to show.')).toBeVisible()
  await drop(page, ...[letters, picture, locked].map((name) => join(folder, name)))
  await expect(uploads(page).getByText('3 files uploaded.')).toBeVisible()
  await uploads(page).getByRole('button', { name: 'Close the list of uploads' }).click()

  await test.step('Japanese text in a font that the file lacks is drawn, read and found', async () => {
    await row(page, letters).getByRole('button', { name: letters }).first().click()
    await expect
      .poll(() =>
        only(letters)
          .locator('canvas')
          .evaluate(isDrawn as never),
      )
      .toBe(true)
    await expect(only(letters).getByText('あいうえお')).toBeAttached()
    await page.keyboard.press('Control+f')
    await page.getByRole('textbox', { name: 'Search in this document' }).fill('うえ')
    await expect(page.getByRole('search').getByText('1 of 1')).toBeVisible()
    const marks = () =>
      page.evaluate(() =>
        [...CSS.highlights.get('pdf-current-match')!].map(
          (range) => range instanceof Range && range.toString(),
        ),
      )
    await expect.poll(marks).toEqual(['うえ'])
    await isAccessible(page)
    await page.keyboard.press('Escape')
    await expect(page.getByRole('search')).toHaveCount(0)
  })
  await test.step('a picture in JPEG 2000 is drawn', async () => {
    await button(page, 'Next file').click()
    await expect
      .poll(() =>
        only(picture)
          .locator('canvas')
          .evaluate(hasGreen as never),
      )
      .toBe(true)
    await isAccessible(page)
  })
  await test.step('a document with a password is shown to who knows it', async () => {
    await button(page, 'Next file').click()
    const field = dialog(page, locked).getByRole('textbox', { name: 'Password', exact: true })
    await field.fill('wrong')
    await field.press('Enter')
    await expect(dialog(page, locked).getByText('This password does not open the document.')).toBeVisible()
    await field.fill('abc')
    await field.press('Enter')
    await expect(only(locked)).toBeVisible()
    await expect(field).toHaveCount(0)
  })
  await page.close()
})

test('nothing in a file runs, and nothing is fetched for it', async ({ browser }) => {
  const fetched: string[] = []
  const host = createServer(({ url }, response) => {
    fetched.push(url ?? '')
    response.end()
  }).listen(0, '127.0.0.1')
  await once(host, 'listening')
  const evil = `http://127.0.0.1:${(host.address() as AddressInfo).port}`
  const script = `<script>top.ran=1;fetch("${evil}/script")</script><img src="${evil}/image.png" onerror="top.ran=1">`
  const svg = `<svg xmlns="http://www.w3.org/2000/svg"><script>top.ran=1</script><image href="${evil}/svg.png"/></svg>`
  const folder = await onDisk({
    'drawing.png': svg,
    'drawing.svg': svg,
    'page.html': `<html><body>${script}</body></html>`,
    'letter.docx': aHostileDocx(evil),
    'list.csv': `name,link\n${script.replaceAll('"', "'")},=HYPERLINK('${evil}')\n`,
    'page.txt': `<html><body>${script}</body></html>`,
    'plan.pdf': aHostilePdf(evil),
    'table.xls': anXls([[script]]),
    'table.xlsx': anXlsx({ Table: [[script]] }),
  })
  const code = aCode()
  const email = await addOrganisation(testServer.dataDir, code, {
    allowedFileExtensions: [...FORMATS] as never,
  })
  const page = await aBrowser(browser)
  const asked: string[] = []
  page.context().on('request', (request) => asked.push(request.url()))
  page.on('dialog', () => fetched.push('a dialog of the browser'))
  try {
    await signIn(page, email, code)
    await page.goto(PATH)
    await expect(page.getByText('No files or folders to show.')).toBeVisible()
    const names = ['drawing.png', 'drawing.svg', 'page.html', 'letter.docx', 'list.csv', 'page.txt']
    await drop(page, ...[...names, 'plan.pdf', 'table.xls', 'table.xlsx'].map((name) => join(folder, name)))
    // Disguised files and formats that can run scripts are refused.
    await expect(uploads(page).getByText('3 uploads failed.')).toBeVisible()
    await uploads(page).getByRole('button', { name: 'Close the list of uploads' }).click()
    await row(page, 'letter.docx').getByRole('button', { name: 'letter.docx' }).first().click()
    const frame = dialog(page, 'letter.docx').frameLocator('iframe')
    await expect(frame.getByText('Harmless words.')).toBeVisible()
    await frame.getByText('press me').click()
    await button(page, 'Next file').click()
    await expect(dialog(page, 'list.csv').getByRole('cell', { name: /^<script>/ })).toBeVisible()
    await button(page, 'Next file').click()
    await expect(dialog(page, 'page.txt').getByText('<script>')).toBeVisible()
    await button(page, 'Next file').click()
    const drawn = dialog(page, 'plan.pdf').getByRole('group', { name: 'Page 1 of 1' })
    await expect.poll(() => drawn.locator('canvas').evaluate(isDrawn as never)).toBe(true)
    await drawn.click()
    for (const name of ['table.xls', 'table.xlsx']) {
      await button(page, 'Next file').click()
      await expect(dialog(page, name).getByRole('cell', { name: /^<script>/ })).toBeVisible()
    }
    await button(page, 'Close the preview').click()

    // Opens the content by its address, as a page of its own.
    await row(page, 'page.txt').getByRole('button', { name: 'page.txt' }).first().click()
    await expect(dialog(page, 'page.txt').getByText('<script>')).toBeVisible()
    const content = asked.findLast((url) => url.includes('/sfs/content/'))!
    await page.goto(content)
    await expect(page.getByText('<script>')).toBeVisible()
    expect(await page.evaluate(() => 'ran' in window)).toBe(false)
  } finally {
    await rm(folder, { recursive: true })
    host.close()
  }
  const strange = asked.filter((url) => !url.startsWith(testServer.url) && !/^(?:blob|data|about):/.test(url))
  expect({ fetched, strange }).toEqual({ fetched: [], strange: [] })
  expect(page.context().pages()).toHaveLength(1)
  await page.close()
})
