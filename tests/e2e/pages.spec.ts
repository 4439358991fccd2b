import { expect, type Page } from '@playwright/test'

import { duringAnIncident } from './incident.ts'
import {
  aBrowser,
  doesNotOverflow,
  holdsAnywhere,
  isAccessible,
  isReadable,
  PHONE,
  signIn,
  withoutEdge,
} from './people.ts'
import { test, testServer } from './test-server.ts'

const WORK = [
  '/',
  '/incidents',
  '/incidents/create',
  '/follow-ups',
  '/chat',
  '/playbooks',
  '/secure-file-storage',
]
const NOTIFICATIONS = [
  '/mass-notifications',
  '/mass-notifications/contacts',
  '/mass-notifications/templates',
  '/mass-notifications/send',
  '/readiness',
]
const ADMINISTRATION = [
  '/user-admin',
  '/groups',
  '/duties',
  '/messaging-admin',
  '/audit-log',
  '/settings/api-keys',
  '/settings/declarations',
  '/settings/webhooks',
  '/settings/incident-kinds',
  '/settings/incident-fields',
]

async function openPage(page: Page, path: string): Promise<void> {
  await page.goto(path)
  await expect(page).toHaveURL(testServer.url + path)
  await expect(page.getByRole('main')).toBeVisible()
  await page.waitForLoadState('networkidle')
}

async function walk(page: Page, path: string): Promise<void> {
  await page.emulateMedia({ colorScheme: 'light' })
  await openPage(page, path)
  await isAccessible(page)
  await doesNotOverflow(page, path)
  await page.emulateMedia({ colorScheme: 'dark' })
  await expect(page.locator('html')).toHaveAttribute('data-scheme', 'dark')
  await isReadable(page)
}

for (const [name, options] of [
  ['at a desk', {}],
  ['on a phone', PHONE],
] as const)
  test.describe(`${name}, in the light and in the dark`, () => {
    test('the page of the sign-in can be used', async ({ browser }) => {
      const page = await aBrowser(browser, options)
      await page.goto('/')
      await expect(page.getByLabel('Organization code')).toBeVisible()
      await isAccessible(page)
      await page.close()
    })
    for (const [what, paths] of [
      ['work', WORK],
      ['notifications', NOTIFICATIONS],
      ['administration', ADMINISTRATION],
    ] as const)
      test(`every page of ${what} can be used`, async ({ browser }) => {
        const page = await aBrowser(browser, options)
        await signIn(page, 'admin@demo.example')
        for (const path of paths) await walk(page, path)
        await page.close()
      })
    test('the dashboard and the page of an incident can be used', async ({ browser }) => {
      const page = await aBrowser(browser, options)
      await signIn(page, 'admin@demo.example')
      await duringAnIncident(async (incident) => {
        for (const path of ['/', incident]) await walk(page, path)
      })
      await page.close()
    })
  })

test('every page fits 320 px, also during an incident, with its form and a dialog', async ({ browser }) => {
  const page = await aBrowser(browser, { ...PHONE, viewport: { width: 320, height: 640 } })
  await signIn(page, 'admin@demo.example')
  for (const path of [...WORK, ...NOTIFICATIONS, ...ADMINISTRATION]) {
    await openPage(page, path)
    await doesNotOverflow(page, path)
  }
  await page.goto('/audit-log')
  await page.getByRole('button', { name: 'Kind of record' }).click()
  const choices = page.getByRole('dialog', { name: 'Kind of record' })
  await expect(choices.getByRole('menuitemradio', { name: 'All' })).toBeVisible()
  await expect(choices).toBeInViewport({ ratio: 1 })
  await duringAnIncident(async (incident) => {
    for (const path of ['/', '/chat', `${incident}/edit`, incident]) {
      await openPage(page, path)
      await doesNotOverflow(page, path)
    }
    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: 'Resolve' }).click()
    const dialog = page.getByRole('dialog')
    await expect(dialog).toBeVisible()
    await doesNotOverflow(page, 'the dialog')
    for (const button of await dialog.getByRole('button').all())
      await expect(button).toBeInViewport({ ratio: 1 })
  })
  await page.close()
})

test('the largest text of a phone fits every page', async ({ browser }) => {
  // The policy of the pages keeps the style of the story out.
  const page = await aBrowser(browser, { ...PHONE, bypassCSP: true })
  await signIn(page, 'admin@demo.example')
  await page.addInitScript(() =>
    document.addEventListener('DOMContentLoaded', () =>
      document.documentElement.style.setProperty('font-size', '200%', 'important'),
    ),
  )
  const isLarge = async () =>
    expect(await page.evaluate(() => getComputedStyle(document.body).fontSize)).toBe('28px')
  for (const path of [...WORK, ...NOTIFICATIONS, ...ADMINISTRATION]) {
    await openPage(page, path)
    await isLarge()
    await doesNotOverflow(page, path)
    for (const link of await page.getByRole('navigation', { name: 'Most used' }).getByRole('link').all())
      await expect(link).toBeInViewport({ ratio: 1 })
  }
  await duringAnIncident(async (incident) => {
    for (const path of ['/', `${incident}/edit`, incident]) {
      await openPage(page, path)
      await isLarge()
      await doesNotOverflow(page, path)
    }
  })
  await page.close()
})

test('playbooks, the finder and the list of shortcuts hold on a small phone, in the dark and in forced colours', async ({
  browser,
}) => {
  const page = await aBrowser(browser)
  await signIn(page, 'admin@demo.example')
  await openPage(page, '/playbooks')
  await page.getByRole('navigation', { name: 'Playbooks' }).getByRole('link').first().click()
  await expect(page.getByRole('button', { name: 'Start', exact: true })).toBeVisible()
  await holdsAnywhere(page, 'a playbook')
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  await expect(page.getByRole('textbox', { name: /^Playbook name/ })).toBeVisible()
  await holdsAnywhere(page, 'its editor')
  await openPage(page, '/')
  await page.keyboard.press('ControlOrMeta+k')
  await page.getByRole('dialog').getByRole('combobox').fill('crisis')
  await expect(page.getByRole('option').first()).toBeVisible()
  await holdsAnywhere(page, 'the finder')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await page.keyboard.press('?')
  await expect(page.getByRole('dialog')).toBeVisible()
  await holdsAnywhere(page, 'the shortcuts')
  await page.close()
})

test('forced colours keep what is current and what is filled', async ({ browser }) => {
  const desk = await aBrowser(browser, { forcedColors: 'active' })
  await signIn(desk, 'admin@demo.example')
  await openPage(desk, '/user-admin')
  const frameOf = (name: string) =>
    desk
      .getByRole('navigation')
      .first()
      .getByRole('link', { name })
      .evaluate((link) => getComputedStyle(link).outlineStyle)
  await expect.poll(() => frameOf('Users')).toBe('solid')
  expect(await frameOf('Groups')).toBe('none')
  const addUser = desk.getByRole('main').getByRole('button', { name: 'Add User' })
  expect(await addUser.evaluate((button) => getComputedStyle(button).borderTopWidth)).toBe('1px')
  for (const path of ['/incidents', '/chat', '/secure-file-storage']) {
    await openPage(desk, path)
    expect(await withoutEdge(desk), path).toEqual([])
  }

  await test.step('the meter of the quota, too', async () => {
    await openPage(desk, '/mass-notifications/send')
    await desk.getByRole('checkbox', { name: 'Automated Voice' }).check()
    await desk.getByRole('checkbox', { name: /^Suppliers/ }).check()
    const meter = desk.getByRole('meter')
    await expect(meter).toBeVisible()
    expect(await withoutEdge(desk)).toEqual([])
    const [whole, used] = await meter.evaluate((element) =>
      [element, element.firstElementChild!].map((part) => getComputedStyle(part).backgroundColor),
    )
    expect(used).not.toBe(whole)
  })

  await test.step("and an incident's progress", () =>
    duringAnIncident(async (incident) => {
      for (const path of ['/', incident]) {
        await openPage(desk, path)
        expect(await withoutEdge(desk), path).toEqual([])
      }
      const bar = desk.locator('.MuiLinearProgress-root').first()
      await expect(bar).toBeVisible()
      // Forced colours draw the ring's track in the colour of its value, which would make every ring look complete.
      await expect(desk.locator('.MuiCircularProgress-root[aria-hidden]').first()).toBeHidden()
    }))
  await desk.close()
})

test('what does not exist leads home, and a page that is not allowed to one that is', async ({ browser }) => {
  const board = await aBrowser(browser)
  await signIn(board, 'board@demo.example')
  await expect(board).toHaveURL(/\/chat$/)
  for (const path of ['/no-such-page', '/user-admin', '/settings/api-keys', '/incidents/create']) {
    await board.goto(path)
    await expect(board).toHaveURL(/\/chat$/)
  }
  await expect(board.getByRole('link', { name: 'Users' })).toHaveCount(0)
  await board.close()
})

test('without a network nothing is shown as if it were true, and parts load once it is back', async ({
  browser,
}) => {
  const page = await aBrowser(browser)
  await page.clock.install()
  await signIn(page, 'admin@demo.example')
  await expect(page.getByText('Current State')).toBeVisible()
  await page.context().setOffline(true)
  await expect(page.getByText('Please check your Internet connection.')).toBeVisible()
  await expect(page.getByText('Current State')).toBeHidden()
  // Parts that follow the first view are due now.
  await page.clock.fastForward(10_000)
  await page.context().setOffline(false)
  await expect(page.getByText('Current State')).toBeVisible()
  await page.getByRole('link', { name: 'Incidents', exact: true }).first().click()
  await expect(page.getByRole('heading', { name: 'Incidents' })).toBeVisible()
  await page.close()
})

test('a page that was opened while the server could not be reached appears once it can', async ({
  browser,
}) => {
  const page = await aBrowser(browser)
  await signIn(page, 'admin@demo.example')
  await expect(page.getByText('Current State')).toBeVisible()
  await page.waitForLoadState('networkidle')
  // The browser takes itself to be online.
  let failures = 0
  page.on('requestfailed', () => (failures += 1))
  await page.route('**/*', (route) => route.abort('connectionreset'))
  await page
    .getByRole('link', { name: /^Playbooks/ })
    .first()
    .click()
  await expect.poll(() => failures).toBeGreaterThan(0)
  await expect(page.getByText('Oops!')).toBeHidden()
  await page.unroute('**/*')
  await expect(page.getByRole('button', { name: 'Create Category' })).toBeVisible({ timeout: 30_000 })
  await page.close()
})
