import { expect, type Page, test } from '@playwright/test'

import { aBrowser, isAccessible, signIn } from './people.ts'

/** A version file that says what it is told. */
async function serving(page: Page, version: string) {
  await page.context().route('**/meta.json', (route) => route.fulfill({ json: { version } }))
}

test('signing out of one tab signs out of all', async ({ browser }) => {
  const first = await aBrowser(browser)
  await signIn(first, 'admin@demo.example')
  const second = await first.context().newPage()
  await second.goto('/incidents')
  await expect(second.getByRole('heading', { name: 'Incidents' })).toBeVisible()
  await first.getByRole('button', { name: /^Account of/ }).click()
  await first.getByRole('menuitem', { name: 'Sign Out' }).click()
  await expect(first.getByLabel('Email', { exact: true })).toBeVisible()
  await expect(second.getByLabel('Email', { exact: true })).toBeVisible()
  await second.close()
  await first.close()
})

test('a newer version is offered, put off, and brought', async ({ browser }) => {
  const page = await aBrowser(browser)
  await page.clock.install()
  await signIn(page, 'admin@demo.example')
  await serving(page, '99.0.0')
  const asked = page.waitForResponse('**/meta.json')
  await page.clock.runFor('05:00')
  await asked
  await page.clock.runFor('01:01')
  const dialog = page.getByRole('dialog', { name: 'New Version Available' })
  await expect(dialog).toBeVisible()
  await isAccessible(page)
  await dialog.getByRole('button', { name: 'Dismiss' }).click()
  await page.evaluate(async () => {
    const cache = await caches.open('old')
    await cache.put('/old', new Response('old'))
  })
  const reloaded = page.waitForEvent('load')
  await page.getByRole('button', { name: 'Update Now' }).click()
  await reloaded
  await expect(page.getByText('Current State')).toBeVisible()
  expect(await page.evaluate(() => caches.keys())).toEqual([])
  await page.close()
})

test('a token that the server refuses is renewed without a word', async ({ browser }) => {
  const page = await aBrowser(browser)
  await signIn(page, 'admin@demo.example')
  await expect(page.getByText('Current State')).toBeVisible()
  let refused = 0
  await page.route('**/api/incident?*', async (route) => {
    if (refused++ === 0) await route.fulfill({ status: 401, json: { code: 'unauthenticated', message: '' } })
    else await route.continue()
  })
  const refreshed = page.waitForResponse('**/authentication/refreshToken')
  await page.getByRole('link', { name: 'Incidents', exact: true }).first().click()
  expect((await refreshed).status()).toBe(200)
  await expect(page.getByText('Booking system encrypted by ransomware')).toBeVisible()
  await page.close()
})
