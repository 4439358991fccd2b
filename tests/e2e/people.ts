import { AxeBuilder } from '@axe-core/playwright'
import { type Browser, type BrowserContextOptions, expect, type Page } from '@playwright/test'

import { DEMO_PASSWORD, outboxOf } from '../support/product.ts'
import { testServer } from './test-server.ts'

export const PHONE: BrowserContextOptions = {
  viewport: { width: 390, height: 844 },
  hasTouch: true,
  isMobile: true,
}

/** Messages of the console about answers that are no success, and about a connection that a story takes away. */
const EXPECTED = /status of (4\d\d|5\d\d)|net::ERR_(INTERNET_DISCONNECTED|CONNECTION_RESET)/

/** A browser context of one person. The story fails on page errors and console errors. */
export async function aBrowser(browser: Browser, options: BrowserContextOptions = {}): Promise<Page> {
  const context = await browser.newContext({
    baseURL: testServer.url,
    viewport: { width: 1440, height: 900 },
    ...options,
  })
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('console', (message) => {
    if (message.type() === 'error' && !EXPECTED.test(message.text())) complaints.push(message.text())
  })
  page.on('close', () => expect(complaints).toEqual([]))
  return page
}

/** Enters the organisation, then email address and password. */
export async function giveCredentials(
  page: Page,
  email: string,
  organisation: string,
  password = DEMO_PASSWORD,
): Promise<void> {
  await page.goto('/')
  await page.getByLabel('Organization code').fill(organisation)
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByLabel('Email', { exact: true }).fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

/** Signs in through the form. */
export async function signIn(
  page: Page,
  email: string,
  organisation = 'demo',
  password = DEMO_PASSWORD,
): Promise<void> {
  await giveCredentials(page, email, organisation, password)
  await expect(page.getByRole('navigation').first()).toBeVisible()
}

/** The text of the newest mail to an address, from the outbox. */
export async function mailTo(email: string): Promise<string> {
  return (await outboxOf(testServer)).find(({ to }) => to === email)?.text ?? ''
}

async function findsNothing(page: Page, axe: AxeBuilder): Promise<void> {
  // Repeats the check while the page changes, because text that fades in has less contrast than its final state.
  await expect(async () => {
    await page.waitForFunction(() =>
      document
        .getAnimations()
        .every(
          ({ playState, effect }) =>
            playState !== 'running' || effect?.getComputedTiming().iterations === Infinity,
        ),
    )
    // Pages have no frames, so axe needs no blank page to combine results.
    const { violations } = await axe.setLegacyMode().analyze()
    expect(
      violations.map(
        (found) => `${found.id}: ${found.nodes.map((node) => node.target.join(' ')).join(', ')}`,
      ),
    ).toEqual([])
  }).toPass({ timeout: 30_000 })
}

/** Expects no accessibility violations. */
export const isAccessible = (page: Page): Promise<void> =>
  findsNothing(
    page,
    new AxeBuilder({ page }).withTags([
      'wcag2a',
      'wcag2aa',
      'wcag21a',
      'wcag21aa',
      'wcag22aa',
      'best-practice',
    ]),
  )

/** Checks only rules about colour, for a page whose accessibility is checked elsewhere. */
export async function isReadable(page: Page): Promise<void> {
  // Colours in transition are not final.
  await page.evaluate(() =>
    Promise.all(
      document
        .getAnimations()
        .filter((animation) => animation instanceof CSSTransition)
        // One that is cancelled, such as of an element that goes, rejects.
        .map(({ finished }) => finished.catch(() => undefined)),
    ),
  )
  await findsNothing(page, new AxeBuilder({ page }).withRules(['color-contrast', 'link-in-text-block']))
}

/** Expects no horizontal scrolling. */
export async function doesNotOverflow(page: Page, what: string): Promise<void> {
  // Compares with the viewport, because a phone's window widens with its content.
  await expect
    .poll(() => page.evaluate(() => document.documentElement.scrollWidth), `${what} scrolls sideways`)
    .toBeLessThanOrEqual(page.viewportSize()!.width)
}

/** Expects that a page as it stands fits 320 px, can be used in the dark, and has edges in forced colours. */
export async function holdsAnywhere(page: Page, what: string): Promise<void> {
  const size = page.viewportSize()!
  await page.setViewportSize({ width: 320, height: 640 })
  await doesNotOverflow(page, what)
  await isAccessible(page)
  await page.emulateMedia({ colorScheme: 'dark' })
  await isReadable(page)
  await page.emulateMedia({ forcedColors: 'active' })
  expect(await withoutEdge(page), what).toEqual([])
  await page.emulateMedia({ colorScheme: 'light', forcedColors: 'none' })
  await page.setViewportSize(size)
}

/** Filled elements without an edge in forced colours. */
export const withoutEdge = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [
      ...document.querySelectorAll(
        '.MuiButton-contained, .MuiFab-root, .MuiChip-filled, .MuiLinearProgress-root, [role="meter"]',
      ),
    ]
      .filter((filled) => filled.checkVisibility() && getComputedStyle(filled).borderTopWidth === '0px')
      .map((filled) => filled.outerHTML.slice(0, 200)),
  )
