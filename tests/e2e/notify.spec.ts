import { expect, type Page } from '@playwright/test'

import { outboxOf } from '../support/product.ts'
import { aBrowser, isAccessible, PHONE, signIn } from './people.ts'
import { test, testServer } from './test-server.ts'

const number = async (page: Page) =>
  Number(
    /has ([\d,]+) remaining/
      .exec(await page.getByText(/remaining notifications\.$/).innerText())![1]!
      .replace(',', ''),
  )

for (const [where, options] of [
  ['at a desk', {}],
  ['on a phone', PHONE],
] as const)
  test(`somebody notifies everybody ${where}: each person once in each way`, async ({ browser }) => {
    const page = await aBrowser(browser, options)
    await signIn(page, 'admin@demo.example')
    await page
      .getByRole('main')
      .getByRole('link', { name: /^Mass Notifications/ })
      .click()
    await expect(page.getByText('Berth 2 is closed until further notice.').first()).toBeVisible()
    await isAccessible(page)
    const remaining = await number(page)
    await page.getByRole('link', { name: /^Send notification/ }).click()
    await expect(page.getByRole('checkbox', { name: /^Suppliers/ })).toBeVisible()

    const words = `Gate A is blocked (${where}).`
    await page.getByRole('combobox', { name: 'Template' }).click()
    await page.getByRole('option', { name: /^Sailings cancelled/ }).click()
    const sms = page.getByRole('textbox', { name: /^SMS/ })
    await expect(sms).toHaveValue(/^All sailings are cancelled/)
    await sms.fill(words)
    await page.getByRole('checkbox', { name: 'Automated Voice' }).check()
    // One supplier is in two lists and chosen individually as well; one member of the crisis team has no phone.
    for (const name of [/^Harbour and authorities/, /^Suppliers/, /^Crisis team/])
      await page.getByRole('checkbox', { name }).check()
    const find = page.getByRole('combobox', { name: /^Find contacts/ })
    for (const name of ['bluewater', 'bélanger']) {
      await find.fill(name)
      await expect(page.getByRole('option')).toHaveCount(1)
      await find.press('Enter')
    }
    await find.press('Escape')
    await expect(page.getByText('Up to 14 people')).toBeVisible()
    await expect(page.getByText(/^1 group has users without a valid phone/)).toBeVisible()
    await expect(page.getByText(/^The phone number of 1 contact is pending/)).toBeVisible()
    await isAccessible(page)
    await page.getByRole('button', { name: 'View All: Contacts' }).click()
    const people = page.getByRole('dialog', { name: /^Contacts to be notified/ })
    await expect(people.getByRole('row', { name: /Bluewater Fuels/ })).toContainText(
      /Harbour and authorities.*Suppliers.*Targeted/,
    )
    await isAccessible(page)
    await people.getByRole('button', { name: 'Close' }).click()

    await page.getByRole('button', { name: 'Send Notification' }).click()
    await expect(page.getByText('Notification sent.')).toBeVisible()
    await expect(page).toHaveURL(/\/mass-notifications$/)
    // 9 contacts by three channels, and 5 members of whom 4 have a phone.
    await expect(
      page.getByText(`Your organization has ${remaining - 9 * 3 - 5 - 4 - 4} remaining notifications.`),
    ).toBeVisible()

    await page.getByText(words).first().click()
    await expect(page).toHaveURL(/\/mass-notifications\/history\//)
    const deliveries = page.getByRole('table', { name: 'Deliveries' })
    await expect(deliveries.getByRole('row', { name: /^Email 14 0 0/ })).toBeVisible()
    const reachable = 7 + 4
    for (const type of ['SMS', 'Automated Voice'])
      await expect(
        deliveries.getByRole('row', { name: new RegExp(`^${type} ${reachable} 0 0`) }),
      ).toBeVisible()
    await isAccessible(page)
    await page.getByRole('button', { name: 'View All: Group members notified' }).click()
    const members = page.getByRole('dialog', { name: /^Group members notified/ })
    await expect(members.getByText('Crisis team').first()).toBeVisible()

    const sent = await outboxOf(testServer)
    const ofThis = (channel: string, text: string) =>
      sent.filter((one) => one.channel === channel && one.text === text).map(({ to }) => to)
    const texts = ofThis('SMS', `[ALERT: Critical] ${words}`)
    const calls = ofThis('VOICE_CALL', words)
    for (const all of [texts, calls]) {
      expect(all).toHaveLength(reachable)
      expect(new Set(all).size).toBe(reachable)
      expect(all).toContain('+19025550121')
    }
    await page.close()
  })

test('an organization without a subscription is told so, and cannot send', async ({ browser }) => {
  const page = await aBrowser(browser)
  await signIn(page, 'admin@demo-east.example', 'demo-east')
  await page.goto('/mass-notifications/send')
  await expect(
    page.getByText('Your organization is currently not subscribed to Mass Notifications.').first(),
  ).toBeVisible()
  await expect(page.getByRole('button', { name: 'Send Notification' })).toBeDisabled()
  await isAccessible(page)
  await page.close()
})
