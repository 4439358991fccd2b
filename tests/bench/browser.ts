import { type Browser, chromium, type Page } from '@playwright/test'

import { CHROMIUM_FLAGS, findChromium } from '../support/chromium.ts'
import { PASSWORD } from './fixture.ts'
import type { Result } from './report.ts'
import type { BenchProduct, Stage } from './stage.ts'

/** A click or key, in milliseconds until the next frame, with what it was on. */
interface Interaction {
  readonly duration: number
  readonly what: string
}

/** A page's measurements since the previous reading, in milliseconds. */
export interface Noted {
  /** Tasks that blocked the page for 50 ms or more. */
  readonly longTasks: readonly number[]
  /** Clicks and keys that took 16 ms or longer. */
  readonly interactions: readonly Interaction[]
}

/** A browser on a running product, signed in as an administrator of the large organisation. */
export interface Desk {
  readonly page: Page
  /** Measurements since the previous call. */
  readonly noted: () => Promise<Noted>
  readonly close: () => Promise<void>
}

/** Runs in the page before its own scripts. */
function watch() {
  const found = { longTasks: [] as number[], interactions: [] as Interaction[] }
  Object.assign(window, { noted: found })
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) found.longTasks.push(duration)
  }).observe({ type: 'longtask', buffered: true })
  new PerformanceObserver((list) => {
    for (const { interactionId, name, duration, target } of list.getEntries() as PerformanceEventTiming[])
      if (interactionId > 0) {
        const on = target instanceof Element ? (target.ariaLabel ?? target.textContent.slice(0, 30)) : ''
        found.interactions.push({ duration, what: `${name} ${on}`.trim() })
      }
  }).observe({ type: 'event', durationThreshold: 16, buffered: true } as PerformanceObserverInit)
}

/**
 * Draws every frame. A headless browser skips frames while nobody looks, and an interaction then lasts until the next
 * one: interactions of a room seemed to take 168 ms instead of 24.
 */
async function lookAt(page: Page): Promise<void> {
  const devtools = await page.context().newCDPSession(page)
  // The browser sends a frame once the previous one is acknowledged.
  devtools.on('Page.screencastFrame', ({ sessionId }) => {
    devtools.send('Page.screencastFrameAck', { sessionId }).catch(() => {})
  })
  await devtools.send('Page.startScreencast', { format: 'jpeg', quality: 1, maxWidth: 16, maxHeight: 16 })
}

/** Opens a browser and signs the administrator in. */
export async function sitDown({
  product,
  large,
  admin,
}: Pick<BenchProduct, 'product' | 'large' | 'admin'>): Promise<Desk> {
  const browser: Browser = await chromium.launch({ executablePath: findChromium(), args: CHROMIUM_FLAGS })
  try {
    const page = await browser.newPage({ baseURL: product.url, viewport: { width: 1440, height: 900 } })
    await page.addInitScript(watch)
    await lookAt(page)
    await page.goto('/')
    await page.getByLabel('Organization code').fill(large.code)
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByLabel('Email', { exact: true }).fill(admin.email)
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('navigation').first().waitFor()
    return {
      page,
      noted: async () => {
        // Entries are reported with the next frame.
        await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 200)))
        return page.evaluate(() => {
          const { noted } = window as unknown as {
            noted: { longTasks: number[]; interactions: Interaction[] }
          }
          return { longTasks: noted.longTasks.splice(0), interactions: noted.interactions.splice(0) }
        })
      },
      close: () => browser.close(),
    }
  } catch (error) {
    await browser.close()
    throw error
  }
}

/** A measured page. */
export interface Visit {
  readonly name: string
  readonly path: (bench: BenchProduct) => string
  /** Resolves once the page can be used. */
  readonly ready: (page: Page) => Promise<unknown>
}

/** Opens each page and measures it once it is loaded and quiet; loading is not measured. */
export async function visitEach<V extends Visit>(
  stage: Stage,
  visits: readonly V[],
  measure: (desk: Desk, visit: V) => Promise<Result[]>,
): Promise<Result[]> {
  const bench = await stage.bench()
  const desk = await sitDown(bench)
  const { page, noted, close } = desk
  try {
    const results: Result[] = []
    for (const visit of visits) {
      await page.goto(visit.path(bench))
      await visit.ready(page)
      await page.waitForLoadState('networkidle')
      await noted()
      results.push(...(await measure(desk, visit)))
    }
    return results
  } finally {
    await close()
  }
}
