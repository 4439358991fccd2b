import { expect, type Page } from '@playwright/test'
import { Secret, TOTP } from 'otpauth'

import type { Config } from '#contract/config/catalogue.ts'

import { addOrganisation, DEMO_PASSWORD } from '../support/product.ts'
import { aBrowser, doesNotOverflow, giveCredentials, isAccessible, mailTo, PHONE, signIn } from './people.ts'
import { test, testServer } from './test-server.ts'

const NEW_PASSWORD = 'Northern-lights-4'
const anOrganisation = (code: string, config: Partial<Config> = {}) =>
  addOrganisation(testServer.dataDir, code, config)
const WITH_APP: Partial<Config> = { auth2fa: true, auth2faType: 'TOTP' }
const WITH_MAIL: Partial<Config> = { auth2fa: true, auth2faType: 'EMAIL' }

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const isIn = async (page: Page) => {
  await expect(page.getByText('Current State')).toBeVisible()
  await expect(page).toHaveURL(/\/$/)
}
/** The app's code `steps` steps of 30 seconds ahead, because no code is accepted twice. */
const appCode = (secret: string, steps = 0) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + steps * 30_000 })

/** Completes the first sign-in of a person who has to set up an authenticator app. */
async function enrol(page: Page): Promise<{ secret: string; codes: string[] }> {
  await expect(page.getByRole('heading', { name: 'Set up your authenticator app' })).toBeFocused()
  await expect(page.getByRole('img', { name: /QR code/ })).toBeVisible()
  await isAccessible(page)
  await button(page, 'Copy setup key').click()
  await expect(button(page, 'Copied')).toBeVisible()
  const secret = await page.evaluate(() => navigator.clipboard.readText())
  await expect(page.getByText(secret.match(/.{4}/g)!.join(' '))).toBeVisible()
  await expect(button(page, 'Verify')).toBeDisabled()
  await page.getByLabel('Passcode').fill(appCode(secret))
  const confirming = page.waitForRequest(/\/authentication\/confirm/)
  await button(page, 'Verify').click()
  expect((await confirming).url()).toContain('initConfirmation=true')

  const list = page.getByRole('list', { name: 'Recovery codes' })
  await expect(list.getByRole('listitem')).toHaveCount(10)
  await isAccessible(page)
  const codes = await list.getByRole('listitem').allTextContents()
  const downloading = page.waitForEvent('download')
  await button(page, 'Download').click()
  const stream = await (await downloading).createReadStream()
  const file = (await stream.toArray()).join('')
  expect(codes.every((code) => file.includes(code))).toBe(true)
  await page.getByLabel('I have saved these codes').check()
  await button(page, 'Continue').click()
  await isIn(page)
  return { secret, codes }
}

for (const [name, options] of [
  ['at a desk', {}],
  ['on a phone in the dark', { ...PHONE, colorScheme: 'dark' }],
] as const)
  test(`every page before sign-in can be used ${name}`, async ({ browser }) => {
    const page = await aBrowser(browser, options)
    const look = async (path: string, title: string) => {
      await page.goto(path)
      await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible()
      await isAccessible(page)
      await doesNotOverflow(page, path)
    }
    await look('/setup', 'Find your organization')
    await look('/forgot-org-code', 'Forgot organization code')
    await look('/privacy', 'Privacy Policy')
    await look('/terms', 'Terms of Use')
    await page.goto('/setup')
    await page.getByLabel('Organization code').fill('demo')
    await button(page, 'Continue').click()
    await expect(page.getByLabel('Password', { exact: true })).toBeVisible()
    await look('/login', 'Sign in')
    await look('/forgot', 'Forgot Password')
    await page.close()
  })

test('signs in with an emailed code', async ({ browser }) => {
  const email = await anOrganisation('mailed', WITH_MAIL)
  const page = await aBrowser(browser, PHONE)
  await giveCredentials(page, email, 'mailed')
  await expect(page.getByLabel('Confirmation code')).toBeFocused()
  await expect(page.getByText(/^This code expires in (10:00|9:\d\d)\.$/)).toBeVisible()
  await expect(button(page, 'Resend')).toBeDisabled()
  await isAccessible(page)

  await test.step('a reload begins again with the password', async () => {
    await page.reload()
    await expect(page.getByLabel('Password', { exact: true })).toBeVisible()
    await expect(page.getByLabel('Confirmation code')).toHaveCount(0)
    await page.getByLabel('Email', { exact: true }).fill(email)
    await page.getByLabel('Password', { exact: true }).fill(DEMO_PASSWORD)
    await button(page, 'Sign in').click()
    await expect(page.getByLabel('Confirmation code')).toBeVisible()
  })

  const code = /code (\d{4})\b/.exec(await mailTo(email))![1]!
  await test.step('a wrong code is refused and kept', async () => {
    const wrong = code.replace(/\d$/, (digit) => String((Number(digit) + 1) % 10))
    await page.keyboard.type(wrong.slice(0, 3))
    await expect(button(page, 'Submit')).toBeDisabled()
    await page.keyboard.type(`x${wrong.slice(3)}`)
    await page.keyboard.press('Enter')
    await expect(page.getByText('The confirmation code you entered is invalid or has expired.')).toBeVisible()
    await expect(page.getByLabel('Confirmation code')).toHaveValue(wrong)
    await isAccessible(page)
  })

  // The refused code is selected, so typing replaces it.
  await page.keyboard.type(code)
  await expect(page.getByLabel('Confirmation code')).toHaveValue(code)
  await button(page, 'Submit').click()
  await isIn(page)
  await page.reload()
  await isIn(page)
  await page.close()
})

test('enrols an authenticator and signs in again with it, or with a recovery code', async ({ browser }) => {
  const email = await anOrganisation('apped', WITH_APP)
  const page = await aBrowser(browser)
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await giveCredentials(page, email, 'apped')
  const { secret, codes } = await enrol(page)
  await page.close()

  await test.step('signs in again with the app', async () => {
    const again = await aBrowser(browser)
    await giveCredentials(again, email, 'apped')
    await expect(again.getByLabel('Passcode')).toBeFocused()
    await expect(button(again, 'Resend')).toHaveCount(0)
    await isAccessible(again)
    await again.keyboard.type(appCode(secret, 1))
    await again.keyboard.press('Enter')
    await isIn(again)
    await again.close()
  })

  await test.step('signs in with a recovery code, once', async () => {
    const away = await aBrowser(browser, { ...PHONE, colorScheme: 'dark' })
    await giveCredentials(away, email, 'apped')
    await button(away, 'Use a recovery code').click()
    await expect(away.getByLabel('Recovery code')).toBeFocused()
    await isAccessible(away)
    await away.getByLabel('Recovery code').fill(codes[3]!)
    await button(away, 'Submit').click()
    await isIn(away)
    await away.close()

    const thief = await aBrowser(browser)
    await giveCredentials(thief, email, 'apped')
    await button(thief, 'Use a recovery code').click()
    await thief.getByLabel('Recovery code').fill(codes[3]!)
    await button(thief, 'Submit').click()
    await expect(
      thief.getByText('The confirmation code you entered is invalid or has expired.'),
    ).toBeVisible()
    await button(thief, 'Cancel').click()
    await expect(thief.getByLabel('Password', { exact: true })).toHaveValue('')
    await thief.close()
  })
})

test('forgets the password and sets a new one', async ({ browser }) => {
  const email = await anOrganisation('forgetful')
  const page = await aBrowser(browser, PHONE)
  await giveCredentials(page, email, 'forgetful', 'Forgotten-1')
  await expect(page.getByText('The email address or password is incorrect.')).toBeVisible()
  await page.getByRole('link', { name: 'Forgot Password' }).click()
  await expect(page.getByLabel('Email', { exact: true })).toHaveValue(email)
  await page.getByLabel('Email', { exact: true }).fill(` ${email.toUpperCase()} `)
  await button(page, 'Send link').click()
  await expect(page.getByRole('heading', { name: 'Check your email' })).toBeFocused()
  await isAccessible(page)

  const link = /https?:\/\/\S+\/set-password\S+/.exec(await mailTo(email))![0]
  await page.goto(link)
  await expect(page.getByRole('heading', { name: 'Set your password' })).toBeVisible()
  await isAccessible(page)
  const set = async (password: string) => {
    await page.getByLabel('New password').fill(password)
    await page.getByLabel('Confirm password').fill(password)
    await button(page, 'Set password').click()
  }
  await set(DEMO_PASSWORD)
  await expect(page.getByRole('alert')).toContainText("Please choose a password you haven't used before.")
  await expect(page.getByLabel('New password')).toHaveValue(DEMO_PASSWORD)
  await set('P@ssw0rd')
  await expect(page.getByRole('alert')).toContainText('Please choose a password that is harder to guess.')
  await set(NEW_PASSWORD)
  await expect(page.getByText('Your password was set', { exact: true })).toBeVisible()
  await isAccessible(page)
  await button(page, 'Sign in').click()
  await page.getByLabel('Email', { exact: true }).fill(email)
  await page.getByLabel('Password', { exact: true }).fill(NEW_PASSWORD)
  await button(page, 'Sign in').click()
  await isIn(page)

  await page.goto(link)
  await expect(page.getByRole('heading', { name: 'This link has expired' })).toBeVisible()
  await expect(page.getByText(/^Your authorization token has expired\. .*administrator/)).toBeVisible()
  await isAccessible(page)
  await page.close()
})

test('forgets the organization code', async ({ browser }) => {
  const email = await anOrganisation('long-forgotten')
  const page = await aBrowser(browser)
  await page.goto('/')
  await page.getByRole('link', { name: 'Forgot your organization code?' }).click()
  await expect(page).toHaveURL(/\/forgot-org-code$/)
  for (const address of ['nobody@nowhere.example', email]) {
    await page.getByLabel('Email', { exact: true }).fill(address)
    await button(page, 'Send code').click()
    await expect(page.getByText(`If there is an account for ${address},`)).toBeVisible()
    await isAccessible(page)
    await button(page, 'Send again or use another address').click()
  }
  expect(await mailTo('nobody@nowhere.example')).toBe('')
  await expect.poll(() => mailTo(email)).toContain('long-forgotten')
  await page.getByRole('link', { name: 'Back to organization code' }).click()
  await expect(page).toHaveURL(/\/setup$/)
  await page.getByLabel('Organization code').fill('long-forgotten')
  await button(page, 'Continue').click()
  await expect(page.getByLabel('Password', { exact: true })).toBeVisible()
  await page.close()
})

test('whoever is signed in can read the legal texts, and finds no form for the signed out', async ({
  browser,
}) => {
  const page = await aBrowser(browser)
  await signIn(page, 'responder@demo.example')
  await page.goto('/privacy')
  await expect(page.getByRole('heading', { level: 1, name: 'Privacy Policy' })).toBeVisible()
  await page.getByRole('link', { name: 'Back to Muster' }).click()
  await isIn(page)
  for (const path of ['/forgot', '/forgot-org-code', '/login', '/setup']) {
    await page.goto(path)
    await isIn(page)
  }
  await page.close()
})
