import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { chromium, expect, type Page } from '@playwright/test'

import { CHROMIUM_FLAGS, findChromium } from '../support/chromium.ts'

import { aBrowser, doesNotOverflow, isAccessible, signIn } from './people.ts'
import { test, testServer } from './test-server.ts'

/** Serves `/meta.json` with a version. */
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
  const updateNow = page.getByRole('button', { name: 'Update Now' })
  for (const width of [1440, 390, 320]) {
    await page.setViewportSize({ width, height: 640 })
    await expect(updateNow).toBeInViewport({ ratio: 1 })
    await doesNotOverflow(page, `a page of ${width} px`)
  }
  await page.evaluate(async () => {
    const cache = await caches.open('old')
    await cache.put('/old', new Response('old'))
  })
  const reloaded = page.waitForEvent('load')
  await updateNow.click()
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

test('the header is 72 pixels high, and what is said stands at the bottom right', async ({ browser }) => {
  const page = await aBrowser(browser)
  await signIn(page, 'admin@demo.example')
  await page.goto('/incidents')
  await expect(page.getByRole('heading', { level: 1, name: 'Incidents' })).toBeVisible()
  expect((await page.getByRole('banner').boundingBox())?.height).toBe(72)
  await page.route('**/api/me', (route) =>
    route.request().method() === 'PATCH' ? route.fulfill({ status: 500, json: {} }) : route.continue(),
  )
  await page.getByRole('button', { name: /^Account of/ }).click()
  await page.getByRole('menuitem', { name: /Phone Number/ }).click()
  const toast = page.getByText('Something went wrong.')
  // The toast disappears after three seconds, so a busy machine may need another attempt.
  await expect(async () => {
    await page.getByRole('textbox', { name: 'Phone number' }).fill('+1 416 555 0123')
    await page.getByRole('button', { name: 'Save' }).click()
    await expect(toast).toBeVisible({ timeout: 3_000 })
  }).toPass({ timeout: 30_000 })
  const { x, y } = (await toast.boundingBox())!
  expect(x).toBeGreaterThan(720)
  expect(y).toBeGreaterThan(450)
  await page.close()
})

test('an error that nothing else caught can be left by loading again, or by signing in again', async ({
  browser,
}) => {
  // A plain context, because this story causes an error itself.
  const context = await browser.newContext({ baseURL: testServer.url })
  const page = await context.newPage()
  await signIn(page, 'admin@demo.example')
  await expect(page.getByText('Current State')).toBeVisible()
  const spoiled = '**/api/dashboard'
  const spoil = async () => {
    await page.route(spoiled, async (route) => {
      const dashboard = (await (await route.fetch()).json()) as object
      const activeIncident = { id: 'x', title: {}, isTabletop: false }
      await route.fulfill({ json: { ...dashboard, incidentsCount: 1, activeIncident } })
    })
    await page.reload()
    await expect(page.getByRole('heading', { name: 'Oops!' })).toBeVisible()
  }
  await spoil()
  await page.unroute(spoiled)
  await page.getByRole('link', { name: 'click to reload the page.' }).click()
  await expect(page.getByText('Current State')).toBeVisible()
  await spoil()
  await page.getByRole('link', { name: 'Sign back in.' }).click()
  await expect(page.getByLabel('Email', { exact: true })).toBeVisible()
  await expect(page).toHaveURL(/\/login$/)
  await context.close()
})

test('a browser whose cookies and site data are blocked is worked in as long as the page is open', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'muster-browser-'))
  const preferences = { profile: { default_content_setting_values: { cookies: 2 } } }
  await mkdir(join(folder, 'Default'))
  await writeFile(join(folder, 'Default/Preferences'), JSON.stringify(preferences))
  const context = await chromium.launchPersistentContext(folder, {
    executablePath: findChromium(),
    args: CHROMIUM_FLAGS,
    baseURL: testServer.url,
    viewport: { width: 1440, height: 900 },
  })
  try {
    const page = await context.newPage()
    const errors: string[] = []
    page.on('pageerror', (error) => errors.push(error.message))
    await signIn(page, 'admin@demo.example')
    await expect(page.getByText('Current State')).toBeVisible()
    const menu = page.getByRole('navigation', { name: 'Main menu' })
    for (const [name, heading] of [
      ['Incidents', 'Incidents'],
      ['Files', 'Files'],
      ['Users', 'User Administration'],
      ['Messaging', 'Messaging'],
    ] as const) {
      await menu.getByRole('link', { name, exact: true }).first().click()
      await expect(page.getByRole('heading', { name: heading }).first()).toBeVisible()
    }
    await page.getByRole('button', { name: /^Account of/ }).click()
    await page.getByRole('menuitem', { name: 'Sign Out' }).click()
    await expect(page.getByLabel('Email', { exact: true })).toBeVisible()
    expect(errors).toEqual([])
  } finally {
    await context.close()
    await rm(folder, { recursive: true, force: true })
  }
})

test('while the database is away the page tries again, and a form keeps what was typed', async ({
  browser,
}) => {
  const page = await aBrowser(browser)
  await signIn(page, 'admin@demo.example')
  await expect(page.getByText('Current State')).toBeVisible()
  let isAway = true
  const message = 'The server cannot reach its database at the moment. Please try again in a moment.'
  await page.route('**/api/**', (route) =>
    isAway
      ? route.fulfill({
          status: 503,
          json: { code: 'database_unavailable', message, msUntilNextAttempt: 2_000 },
        })
      : route.continue(),
  )
  await page.getByRole('link', { name: 'Incidents', exact: true }).first().click()
  const notice = page.getByText('The server is not available. Trying again…')
  await expect(notice).toBeVisible()
  await isAccessible(page)
  isAway = false
  await expect(page.getByText('Booking system encrypted by ransomware')).toBeVisible()
  await expect(notice).toBeHidden()
  await page.getByRole('link', { name: 'Users' }).click()
  await page.getByRole('button', { name: /Add User|Create User/ }).click()
  const dialog = page.getByRole('dialog')
  const firstName = dialog.getByRole('textbox', { name: /^First Name/ })
  await firstName.fill('Grace')
  await dialog.getByRole('textbox', { name: /^Last Name/ }).fill('Hopper')
  await dialog.getByRole('textbox', { name: /^Email/ }).fill('grace@demo.example')
  isAway = true
  await dialog.getByRole('button', { name: /Add|Create|Save/ }).click()
  await expect(dialog.getByText(message)).toBeVisible()
  await expect(firstName).toHaveValue('Grace')
  isAway = false
  await dialog.getByRole('button', { name: /Add|Create|Save/ }).click()
  await expect(page.getByText('User created successfully.')).toBeVisible()
  await page.close()
})
