import { type Browser, expect, type Page } from '@playwright/test'
import sharp from 'sharp'

import { signIn as signInOverHttp } from '../support/product.ts'
import { aBrowser, giveCredentials, isAccessible, mailTo, signIn } from './people.ts'
import { test, testServer } from './test-server.ts'

const PASSWORD = 'Northern-lights-4'
const OTHER_PASSWORD = 'Southern-cross-5'

/** No animations, so that checks see the final state. */
const CALM = { reducedMotion: 'reduce' } as const

const overHttp = () => signInOverHttp(testServer.url, 'admin@demo.example')

/** A new person who has set their first password. */
async function aNewcomer(firstName: string, lastName: string, email: string): Promise<void> {
  const { call } = await overHttp()
  expect((await call('POST', '/useradmin/user', { firstName, lastName, email })).status).toBe(201)
  const link = new URL(/https?:\S+\/set-password\S+/.exec(await mailTo(email))![0])
  const [userId, enterpriseCode, oneTimePasscode] = ['u', 'e', 't'].map((name) => link.searchParams.get(name))
  const given = { newPassword: PASSWORD, enterpriseCode, userId, oneTimePasscode }
  expect((await call('POST', '/authentication/changePassword', given)).status).toBe(204)
}

async function choose(page: Page, entry: string | RegExp) {
  await page.getByRole('button', { name: /^Account of/ }).click()
  await page.getByRole('menuitem', { name: entry }).click()
  // Axe measures contrast, which a fading menu lacks.
  await expect(page.locator('.MuiMenu-paper')).toBeHidden()
}

/** A colleague who looks at the team of an incident. */
async function aColleague(browser: Browser): Promise<Page> {
  const { call } = await overHttp()
  const { data } = (await call('GET', '/incident')).body as { data: { id: string; isTargeted: boolean }[] }
  const page = await aBrowser(browser, CALM)
  await signIn(page, 'planner@demo.example')
  await page.goto(`/incidents/${data.find(({ isTargeted }) => !isTargeted)!.id}`)
  return page
}

test('somebody new accepts the terms, and changes their password and picture', async ({ browser }) => {
  await aNewcomer('Nora', 'Okafor', 'nora@demo.example')
  const nora = await aBrowser(browser, CALM)
  await test.step('the terms come first', async () => {
    await giveCredentials(nora, 'nora@demo.example', 'demo', PASSWORD)
    const terms = nora.getByRole('dialog', { name: 'Action Required' })
    await expect(terms).toBeVisible()
    await isAccessible(nora)
    await nora.keyboard.press('Escape')
    await nora.reload()
    await expect(terms).toBeVisible()
    for (const path of ['/terms', '/privacy'])
      expect((await nora.request.get(path, { headers: { Accept: 'text/html' } })).status()).toBe(200)
    await terms.getByRole('button', { name: 'I Agree' }).click()
    await expect(nora.getByText('Terms accepted successfully.')).toBeVisible()
    await expect(terms).toBeHidden()
  })

  await test.step('colleagues see the new picture at once', async () => {
    const colleague = await aColleague(browser)
    const row = colleague.getByRole('row', { name: /Nora Okafor/ })
    await expect(row).toContainText('NO')
    await choose(nora, 'Manage Avatar')
    const dialog = nora.getByRole('dialog', { name: 'Manage Avatar' })
    await isAccessible(nora)
    const file = (name: string, buffer: Buffer) => ({ name, mimeType: 'image/png', buffer })
    const chooser = dialog.locator('input[type=file]')
    await chooser.setInputFiles(file('text.png', Buffer.from('no image')))
    await expect(dialog.getByText('Please choose a JPEG, PNG or BMP image.')).toBeVisible()
    const image = sharp({ create: { width: 900, height: 600, channels: 3, background: '#2f5d62' } })
    await chooser.setInputFiles(file('me.png', await image.png().toBuffer()))
    await expect(dialog.getByRole('img', { name: 'Your picture as it will be' })).toBeVisible()
    await isAccessible(nora)
    await dialog.getByRole('button', { name: 'Save' }).click()
    await expect(nora.getByText('Your picture was saved.')).toBeVisible()
    for (const where of [nora.getByRole('button', { name: 'Account of Nora Okafor' }), row]) {
      await expect(where.locator('img')).toBeVisible()
      await expect
        .poll(() => where.locator('img').evaluate((img: HTMLImageElement) => img.naturalWidth))
        .toBe(512)
    }
    await colleague.close()
  })

  await test.step('the phone number', async () => {
    await choose(nora, 'Set Phone Number')
    const dialog = nora.getByRole('dialog', { name: 'Set Phone Number' })
    const field = dialog.getByRole('textbox', { name: 'Phone number' })
    await field.fill('+1 234')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await expect(dialog.getByText('Please enter a valid phone number.')).toBeVisible()
    await isAccessible(nora)
    await field.fill('(416) 555-0123')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await expect(nora.getByText('Your phone number was saved.')).toBeVisible()
    await nora.getByRole('button', { name: /^Account of/ }).click()
    await expect(nora.getByRole('menuitem', { name: '+1 416 555 0123' })).toBeVisible()
    await isAccessible(nora)
    await nora.keyboard.press('Escape')
  })

  await test.step('the password', async () => {
    await choose(nora, 'Change Password')
    const dialog = nora.getByRole('dialog', { name: 'Change Password' })
    const give = async (password: string) => {
      await dialog.getByLabel('New password').fill(password)
      await dialog.getByLabel('Confirm password').fill(password)
      await dialog.getByRole('button', { name: 'Change Password' }).click()
    }
    await give(PASSWORD)
    await expect(dialog.getByText("Please choose a password you haven't used before.")).toBeVisible()
    await isAccessible(nora)
    await give(OTHER_PASSWORD)
    await expect(nora.getByText('Your password was changed.')).toBeVisible()
    expect(await mailTo('nora@demo.example')).toContain('was changed')
    await choose(nora, 'Sign Out')
    const sign = async (password: string) => {
      await nora.getByLabel('Email', { exact: true }).fill('nora@demo.example')
      await nora.getByLabel('Password', { exact: true }).fill(password)
      await nora.getByRole('button', { name: 'Sign in' }).click()
    }
    await sign(PASSWORD)
    await expect(nora.getByText('The email address or password is incorrect.')).toBeVisible()
    await sign(OTHER_PASSWORD)
    await expect(nora.getByText('Current State')).toBeVisible()
    await expect(nora.getByRole('button', { name: 'Account of Nora Okafor' }).locator('img')).toBeVisible()
    await expect(nora.getByRole('dialog')).toHaveCount(0)
  })
  await nora.close()
})

test('somebody signs out another device', async ({ browser }) => {
  const before = await aBrowser(browser, CALM)
  await signIn(before, 'planner@demo.example')
  const here = await aBrowser(browser, CALM)
  await signIn(here, 'planner@demo.example')
  await choose(here, 'Devices')
  const dialog = here.getByRole('dialog', { name: 'Devices' })
  await expect(dialog.getByText('This device')).toBeVisible()
  await dialog.getByRole('button', { name: 'Sign Out All Other Devices' }).click()
  await here.getByRole('button', { name: 'Sign Out', exact: true }).click()
  await expect(dialog.getByText('You are signed in nowhere else.')).toBeVisible()
  await expect(before.getByText('Your session has ended. Please sign in again.')).toBeVisible()
  await before.close()

  const there = await aBrowser(browser, CALM)
  await signIn(there, 'planner@demo.example')
  const other = dialog.getByRole('button', { name: /^Sign out this device/ })
  await expect(other).toHaveCount(1)
  await isAccessible(here)
  await other.click()
  await here.getByRole('button', { name: 'Sign Out', exact: true }).click()
  await expect(there.getByText('Your session has ended. Please sign in again.')).toBeVisible()
  await expect(dialog.getByText('You are signed in nowhere else.')).toBeVisible()
  await dialog.getByRole('button', { name: 'Close' }).click()
  await here.reload()
  await expect(here.getByText('Current State')).toBeVisible()
  await here.close()
  await there.close()
})
