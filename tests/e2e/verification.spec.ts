import { expect, type Page } from '@playwright/test'
import { Secret, TOTP } from 'otpauth'

import { addOrganisation } from '../support/product.ts'
import { aBrowser, isAccessible, mailTo, PHONE, signIn } from './people.ts'
import { test, testServer } from './test-server.ts'

/** No animations, so that checks see the final state. */
const CALM = { reducedMotion: 'reduce' } as const

const anOrganisation = (code: string) => addOrganisation(testServer.dataDir, code, { auth2fa: false })
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const dialog = (page: Page, name: string) => page.getByRole('dialog', { name, exact: true })
/** The app's code `steps` steps of 30 seconds ahead, because no code is accepted twice. */
const appCode = (secret: string, steps = 0) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + steps * 30_000 })
const another = (code: string) => code.replace(/\d$/, (digit) => String((Number(digit) + 1) % 10))

async function openSecondFactor(page: Page) {
  await page.getByRole('button', { name: /^Account of/ }).click()
  await page.getByRole('menuitem', { name: 'Two-Factor Sign-In' }).click()
  await expect(page.locator('.MuiMenu-paper')).toBeHidden()
}
/** Saves the recovery codes of the dialog. */
async function saveCodes(page: Page): Promise<string[]> {
  const shown = dialog(page, 'Save your recovery codes').getByRole('list', { name: 'Recovery codes' })
  await expect(shown.getByRole('listitem')).toHaveCount(10)
  await isAccessible(page)
  const codes = await shown.getByRole('listitem').allTextContents()
  const downloading = page.waitForEvent('download')
  await button(page, 'Download .txt').click()
  const file = (await (await (await downloading).createReadStream()).toArray()).join('')
  expect(codes.every((code) => file.includes(code))).toBe(true)
  await page.getByLabel('I have saved these codes').check()
  await button(page, 'Done').click()
  return codes
}

test('sets up an authenticator app by choice, and confirms with it after signing in again', async ({
  browser,
}) => {
  const email = await anOrganisation('by-choice')
  const page = await aBrowser(browser, CALM)
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await signIn(page, email, 'by-choice')
  await openSecondFactor(page)
  await expect(page.getByText('Your organization asks for no second factor at sign-in.')).toBeVisible()
  await isAccessible(page)

  await test.step('an emailed code comes first', async () => {
    await button(page, 'Set up authenticator app').click()
    const field = page.getByLabel('Confirmation code')
    await expect(field).toBeFocused()
    await isAccessible(page)
    const code = /code (\d{4})\b/.exec(await mailTo(email))![1]!
    await page.keyboard.type(another(code))
    await button(page, 'Verify').click()
    await expect(page.getByText('The code entered was incorrect.')).toBeVisible()
    await expect(field).toHaveValue('')
    await expect(field).toBeFocused()
    await button(page, 'Request new code').click()
    await expect(
      page.getByText(/^Please wait 0 minutes and \d+ seconds? before requesting again$/),
    ).toBeVisible()
    await isAccessible(page)
    await page.keyboard.type(code)
    await page.keyboard.press('Enter')
  })
  const secret = await test.step('then the app', async () => {
    await expect(dialog(page, 'Set up authenticator app')).toBeVisible()
    await isAccessible(page)
    await button(page, 'Copy setup key').click()
    await expect(button(page, 'Copied')).toBeVisible()
    const copied = await page.evaluate(() => navigator.clipboard.readText())
    await page.getByLabel('Passcode').fill(appCode(copied))
    await button(page, 'Verify').click()
    return copied
  })
  const codes = await saveCodes(page)
  await expect(page.getByText('10 left')).toBeVisible()
  await isAccessible(page)
  await page.close()

  const phone = await aBrowser(browser, { ...PHONE, ...CALM, colorScheme: 'dark' })
  await signIn(phone, email, 'by-choice')
  await openSecondFactor(phone)
  await test.step('new recovery codes are confirmed with the app', async () => {
    await button(phone, 'New recovery codes').click()
    await dialog(phone, 'Make new recovery codes?')
      .getByRole('button', { name: 'New recovery codes' })
      .click()
    await expect(phone.getByLabel('Passcode')).toBeFocused()
    await expect(button(phone, 'Request new code')).toHaveCount(0)
    await isAccessible(phone)
    await phone.keyboard.type(appCode(secret, 1))
    await button(phone, 'Verify').click()
    expect((await saveCodes(phone)).filter((code) => codes.includes(code))).toEqual([])
  })
  await test.step('the app is removed', async () => {
    await button(phone, 'Remove authenticator app').click()
    await dialog(phone, 'Remove your authenticator app?')
      .getByRole('button', { name: 'Remove', exact: true })
      .click()
    await expect(phone.getByText('Not set up')).toBeVisible()
  })
  await phone.close()
})
