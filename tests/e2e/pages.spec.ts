import { expect, test } from '@playwright/test'

import { aBrowser, isAccessible, isReadable, PHONE, signIn } from './people.ts'

const PAGES = [
  '/',
  '/incidents',
  '/incidents/create',
  '/mass-notifications',
  '/mass-notifications/contacts',
  '/mass-notifications/templates',
  '/mass-notifications/send',
  '/user-admin',
  '/groups',
  '/messaging-admin',
  '/audit-log',
  '/settings/api-keys',
]

for (const [name, options] of [
  ['at a desk', {}],
  ['on a phone', PHONE],
] as const)
  test(`every page can be used ${name}, in the light and in the dark`, async ({ browser }) => {
    const page = await aBrowser(browser, options)
    await page.goto('/')
    await expect(page.getByLabel('Organization code')).toBeVisible()
    await isAccessible(page)
    await signIn(page, 'admin@demo.example')
    for (const path of PAGES) {
      await page.emulateMedia({ colorScheme: 'light' })
      await page.goto(path)
      await expect(page.getByRole('main')).toBeVisible()
      await page.waitForLoadState('networkidle')
      await isAccessible(page)
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
      expect(overflow, `${path} scrolls sideways`).toBeLessThanOrEqual(0)
      await page.emulateMedia({ colorScheme: 'dark' })
      await expect(page.locator('html')).toHaveAttribute('data-scheme', 'dark')
      await isReadable(page)
    }
    await page.close()
  })

test('every page fits 320 px, and forced colours keep what is current and what can be pressed', async ({
  browser,
}) => {
  const page = await aBrowser(browser, { ...PHONE, viewport: { width: 320, height: 640 } })
  await signIn(page, 'admin@demo.example')
  for (const path of [...PAGES, '/chat', '/files', '/playbooks']) {
    await page.goto(path)
    await expect(page.getByRole('main')).toBeVisible()
    await page.waitForLoadState('networkidle')
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
    expect(overflow, `${path} scrolls sideways`).toBeLessThanOrEqual(0)
  }
  await page.close()

  const desk = await aBrowser(browser, { forcedColors: 'active' })
  await signIn(desk, 'admin@demo.example')
  await desk.goto('/user-admin')
  const frameOf = (name: string) =>
    desk
      .getByRole('navigation')
      .first()
      .getByRole('link', { name })
      .evaluate((link) => getComputedStyle(link).outlineStyle)
  await expect.poll(() => frameOf('Users')).toBe('solid')
  expect(await frameOf('Groups')).toBe('none')
  const edgeOf = (name: string) =>
    desk
      .getByRole('main')
      .getByText(name, { exact: true })
      .evaluate((label) => getComputedStyle(label.closest('.MuiButtonBase-root')!).borderTopWidth)
  expect(await edgeOf('Add User')).toBe('1px')
  await desk.goto('/incidents')
  expect(await edgeOf('Create Incident')).toBe('1px')
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

test('without a network nothing is shown as if it were true', async ({ browser }) => {
  const page = await aBrowser(browser)
  await signIn(page, 'admin@demo.example')
  await page.waitForLoadState('networkidle')
  await page.context().setOffline(true)
  await expect(page.getByText('Please check your Internet connection.')).toBeVisible()
  await expect(page.getByText('Current State')).toBeHidden()
  await page.context().setOffline(false)
  await expect(page.getByText('Current State')).toBeVisible()
  await page.close()
})
