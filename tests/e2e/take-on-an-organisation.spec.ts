import { expect, type Page } from '@playwright/test'
import { Secret, TOTP } from 'otpauth'

import { outboxOf, type Product, startProduct } from '../support/product.ts'
import { aBrowser, giveCredentials, holdsAnywhere, isAccessible, PHONE } from './people.ts'
import { test } from './test-server.ts'

const STAFF = 'staff@muster.example'
const COLLEAGUE = 'colleague@muster.example'
const REASON = 'Ticket 4711: Jonas cannot sign in'
const ADMINISTRATOR = 'ingrid@harbour.example'
const PASSWORD = 'Northern-lights-4'

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const field = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true })
/** The newest mail to an address that matches a pattern. */
async function inMail(product: Product, to: string, pattern: RegExp): Promise<string> {
  let found: RegExpExecArray | null = null
  await expect(async () => {
    const mails = (await outboxOf(product)).filter((mail) => mail.to === to)
    found = mails.map(({ text }) => pattern.exec(text)).find((match) => match !== null) ?? null
    expect(found).not.toBeNull()
  }).toPass()
  return found![1] ?? found![0]
}
/** Chooses an action of the only organisation. */
async function choose(page: Page, action: string): Promise<void> {
  await button(page, 'Actions for Harbour Authority').click()
  await page.getByRole('menuitem', { name: action, exact: true }).click()
}
/** The app's code, `steps` steps of 30 seconds ahead or back. */
const appCode = (secret: string, steps = 0): string =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + steps * 30_000 })
async function askForLink(page: Page, email: string): Promise<void> {
  await field(page, 'Email').fill(email)
  await button(page, 'Send Magic Link').click()
  await expect(page.getByText('Check your inbox!')).toBeVisible()
  await expect(page.getByText('You can now close this tab.')).toBeVisible()
}
/** Signs a member of staff in with the mailed link. */
async function signInToConsole(page: Page, product: Product, email: string): Promise<void> {
  await askForLink(page, email)
  await page.goto(await inMail(product, email, /https?:\/\/\S+\/management\?id=\S+/))
  await expect(page.getByRole('heading', { name: 'Organizations', level: 1 })).toBeVisible()
  await expect(page).toHaveURL(/\/management\/organizations$/)
}
async function setItem(page: Page, key: string, value: string): Promise<void> {
  await button(page, `Edit ${key}`).click()
  await page.getByRole('combobox', { name: key }).click()
  await page.getByRole('option', { name: value, exact: true }).click()
  await button(page, 'Save').click()
  await expect(page.getByText(`${key} has been saved.`)).toBeVisible()
}

test('staff take on an organisation, whose administrator fills in the welcome package and signs in', async ({
  browser,
}) => {
  const product = await startProduct({ DEMO: '0' })
  try {
    const staff = await aBrowser(browser, { baseURL: product.url })
    await test.step('staff sign in by the mail', async () => {
      await staff.goto('/management/config')
      await expect(staff).toHaveURL(/\/management-login$/)
      await expect(field(staff, 'Email')).toBeVisible()
      await isAccessible(staff)
      await signInToConsole(staff, product, STAFF)
      await isAccessible(staff)
    })

    let secret = ''
    await test.step('and set up an authenticator app', async () => {
      await button(staff, 'Set up authenticator app').click()
      const dialog = staff.getByRole('dialog')
      secret = (await dialog.locator('code').innerText()).replace(/\s/g, '')
      await isAccessible(staff)
      // The previous code, so that the next sign-in can use the current one.
      await dialog.getByLabel('Passcode').fill(appCode(secret, -1))
      await dialog.getByRole('button', { name: 'Verify' }).click()
      await dialog.getByRole('checkbox', { name: 'I have saved these codes' }).check()
      await isAccessible(staff)
      await dialog.getByRole('button', { name: 'Done' }).click()
      await expect(button(staff, 'Set up authenticator app')).toHaveCount(0)
    })

    await test.step('they create the organisation', async () => {
      await button(staff, 'Create Organization').click()
      const dialog = staff.getByRole('dialog')
      await dialog.getByRole('button', { name: 'Create Organization' }).click()
      await expect(dialog.getByText("Please enter the organization's name.")).toBeVisible()
      await expect(dialog.getByText('Please select a subscription level.')).toBeVisible()
      await field(staff, 'Name').fill('Harbour Authority')
      await field(staff, 'Domain').fill('harbour.example')
      await field(staff, 'Administrator first name').fill('Ingrid')
      await field(staff, 'Administrator last name').fill('Dahl')
      await field(staff, 'Administrator email').fill(ADMINISTRATOR)
      await dialog.getByRole('combobox', { name: 'Subscription level' }).click()
      await staff.getByRole('option', { name: 'Small Team', exact: true }).click()
      await isAccessible(staff)
      await dialog.getByRole('button', { name: 'Create Organization' }).click()
      await expect(dialog.getByText('Organization created!')).toBeVisible()
      const created = staff.getByRole('dialog', { name: 'Harbour Authority' })
      await expect(created.getByText('harbour-authority', { exact: true })).toBeVisible()
      await isAccessible(staff)
      await created.getByRole('link', { name: 'Open organization' }).click()
      await expect(staff.getByRole('region', { name: 'Contract' })).toContainText('harbour-authority')
      await expect(staff.getByRole('region', { name: 'Usage' })).toContainText('1 of 50')
      await expect(staff.getByRole('region', { name: 'Recent acts of staff' })).toContainText(STAFF)
      await isAccessible(staff)
      await holdsAnywhere(staff, 'the page of an organization')
      await staff.getByRole('link', { name: 'Organizations', exact: true }).click()
      await expect(staff.getByRole('row', { name: /Harbour Authority.*harbour\.example/ })).toBeVisible()
    })

    await test.step('with a second factor by email', async () => {
      await choose(staff, 'Configure')
      await expect(
        staff.getByRole('heading', { name: 'Harbour Authority Configurations', level: 1 }),
      ).toBeVisible()
      await isAccessible(staff)
      await holdsAnywhere(staff, 'the configuration of an organization')
      await setItem(staff, 'auth2fa', 'Yes')
      await setItem(staff, 'auth2faType', 'EMAIL')
      await staff.getByRole('link', { name: 'Organizations', exact: true }).click()
    })

    await test.step('and send the welcome package', async () => {
      await choose(staff, 'Send Welcome Package')
      await isAccessible(staff)
      await button(staff, 'Send Welcome Package').click()
      await expect(staff.getByText(`Welcome package sent to ${ADMINISTRATOR}.`)).toBeVisible()
    })

    const admin = await aBrowser(browser, { baseURL: product.url, ...PHONE })
    await test.step('the administrator fills it in, on a phone', async () => {
      await admin.goto(await inMail(product, ADMINISTRATOR, /https?:\/\/\S+\/welcome\S+/))
      await expect(admin.getByLabel('Org Code')).toHaveValue('harbour-authority')
      await isAccessible(admin)
      await button(admin, 'Get Started').click()
      await button(admin, 'Create User').click()
      await field(admin, 'First name').fill('Jonas')
      await field(admin, 'Last name').fill('Berg')
      await field(admin, 'Email').fill('jonas@harbour.example')
      await button(admin, 'Save').click()
      await expect(admin.getByText('jonas@harbour.example')).toBeVisible()
      await isAccessible(admin)
      for (const step of ['War Rooms', 'File Folders', 'Confirmation']) {
        await button(admin, 'Continue').click()
        await expect(admin.getByRole('heading', { name: step, level: 1 })).toBeVisible()
        await isAccessible(admin)
      }
      await button(admin, 'Mark Complete').click()
      await expect(button(admin, 'Marked Complete!')).toBeDisabled()
    })

    await test.step('sets a password and signs in with the mailed code', async () => {
      await admin.goto(await inMail(product, ADMINISTRATOR, /https?:\/\/\S+\/set-password\S+/))
      await admin.getByLabel('New password', { exact: true }).fill(PASSWORD)
      await admin.getByLabel('Confirm password', { exact: true }).fill(PASSWORD)
      await button(admin, 'Set password').click()
      await expect(admin.getByText('Your password was set')).toBeVisible()
      await admin.evaluate(() => localStorage.clear())
      await giveCredentials(admin, ADMINISTRATOR, 'harbour-authority', PASSWORD)
      await expect(admin.getByLabel('Confirmation code')).toBeFocused()
      await admin.keyboard.type(await inMail(product, ADMINISTRATOR, /code (\d{4})\b/))
      await button(admin, 'Submit').click()
      await button(admin, 'I Agree').click()
      await expect(admin.getByText('Current State')).toBeVisible()
    })

    await test.step('and finds the users there', async () => {
      await admin.goto('/user-admin')
      await expect(admin.getByText('jonas@harbour.example')).toBeVisible()
      await expect(admin.getByText(ADMINISTRATOR).first()).toBeVisible()
    })

    await test.step('staff see its state, and invite a colleague', async () => {
      await staff.getByRole('link', { name: 'Incidents', exact: true }).click()
      await expect(staff.getByRole('row', { name: /Harbour Authority.*Safe/ })).toBeVisible()
      await isAccessible(staff)
      for (const [name, heading] of [
        ['Roles & Permissions', 'Roles & Permissions'],
        ['Instance', 'Instance'],
        ['Audit Log', 'Audit Log'],
        ['Staff', 'Staff'],
      ] as const) {
        await staff.getByRole('link', { name, exact: true }).click()
        await expect(staff.getByRole('heading', { name: heading, level: 1 })).toBeVisible()
        await isAccessible(staff)
      }
      await button(staff, 'Invite Staff').click()
      await field(staff, 'Email').fill(COLLEAGUE)
      await staff.getByRole('dialog').getByRole('button', { name: 'Invite Staff' }).click()
      await expect(staff.getByText('Invitation sent.')).toBeVisible()
      await button(staff, 'Sign Out').click()
      await expect(staff).toHaveURL(/\/management-login$/)
    })

    await test.step('with the app, they suspend the organisation, delete it, and take both back', async () => {
      await askForLink(staff, STAFF)
      await staff.goto(await inMail(product, STAFF, /https?:\/\/\S+\/management\?id=\S+/))
      await expect(staff.getByRole('heading', { name: "Confirm it's you" })).toBeVisible()
      await isAccessible(staff)
      await staff.getByLabel('Passcode').fill(appCode(secret))
      await button(staff, 'Submit').click()
      await choose(staff, 'Suspend')
      await staff.getByRole('dialog').getByRole('button', { name: 'Suspend' }).click()
      await expect(staff.getByRole('row', { name: /Harbour Authority.*Suspended/ })).toBeVisible()
      await isAccessible(staff)
      await expect(admin).toHaveURL(/\/login$/)
      await field(admin, 'Email').fill(ADMINISTRATOR)
      await admin.getByLabel('Password', { exact: true }).fill(PASSWORD)
      await button(admin, 'Sign in').click()
      await expect(admin.getByText('Your organization cannot be used at the moment.')).toBeVisible()
      await choose(staff, 'Resume')
      await expect(staff.getByRole('row', { name: /Harbour Authority.*Active/ })).toBeVisible()
      await choose(staff, 'Delete')
      await staff.getByRole('dialog').getByRole('textbox').fill('Harbour Authority')
      await staff.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
      await expect(staff.getByText('Organization deleted!')).toBeVisible()
      await expect(staff.getByText(/^Harbour Authority will be deleted on/)).toBeVisible()
      await isAccessible(staff)
      await button(staff, 'Undo deleting Harbour Authority').click()
      await expect(staff.getByText('Harbour Authority is back.')).toBeVisible()
      await expect(staff.getByRole('row', { name: /Harbour Authority.*Active/ })).toBeVisible()
      await button(admin, 'Sign in').click()
      await expect(admin.getByLabel('Confirmation code')).toBeFocused()
      await admin.getByLabel('Confirmation code').fill(await inMail(product, ADMINISTRATOR, /code (\d{4})\b/))
      await button(admin, 'Submit').click()
      await expect(admin.getByText('jonas@harbour.example')).toBeVisible()
    })

    const colleague = await aBrowser(browser, { baseURL: product.url })
    await test.step('who says why before the people are shown', async () => {
      await colleague.goto(await inMail(product, COLLEAGUE, /https?:\/\/\S+\/management-login/))
      await signInToConsole(colleague, product, COLLEAGUE)
      await choose(colleague, 'Manage Users')
      await expect(
        colleague.getByRole('heading', { name: 'Users of Harbour Authority', level: 1 }),
      ).toBeVisible()
      await expect(colleague.getByText('Why do you need to look into this organization?')).toBeVisible()
      await expect(colleague.getByText('jonas@harbour.example')).toHaveCount(0)
      await isAccessible(colleague)
      await button(colleague, 'Open for one hour').click()
      await expect(
        colleague.getByText('Please say why you need to look into this organization.'),
      ).toBeVisible()
      await field(colleague, 'Reason').fill(REASON)
      await button(colleague, 'Open for one hour').click()
      await expect(colleague.getByText(`Open to you because: ${REASON}.`)).toBeVisible()
      await expect(colleague.getByText('jonas@harbour.example')).toBeVisible()
      await isAccessible(colleague)
    })

    await test.step('of which the administrator is told', async () => {
      await inMail(product, ADMINISTRATOR, new RegExp(REASON))
      await admin.goto('/audit-log')
      await expect(admin.getByText(COLLEAGUE).first()).toBeVisible()
    })

    await test.step('on a phone the row of places shows where one is', async () => {
      await colleague.setViewportSize({ width: 390, height: 844 })
      await colleague.goto('/management/staff')
      const here = colleague.getByRole('navigation').getByRole('link', { name: 'Staff', exact: true })
      await expect(here).toHaveAttribute('aria-current', 'page')
      await expect(here).toBeInViewport({ ratio: 1 })
    })
    await colleague.close()
    await admin.close()
    await staff.close()
  } finally {
    await product.stop()
  }
})
