import { chromium, type Page } from '@playwright/test'

import { CHROMIUM_FLAGS, findChromium } from '../support/chromium.ts'
import { PASSWORD } from './fixture.ts'
import { median } from './measure.ts'
import { absolute, ms, type Result } from './report.ts'
import type { Place, Stage } from './stage.ts'

const NAME = 'users-grid'
const ROUNDS = 5

/** What the page did, in milliseconds, since this was asked last. */
interface Done {
  /** The longest that the page could not answer. */
  readonly longest: number
  /** The longest from a key or a click to what was drawn because of it. */
  readonly interaction: number
}
/** Has a page keep its long tasks and the times of its interactions. */
const watch = () => {
  const kept = { tasks: [] as number[], events: [] as number[] }
  Object.assign(globalThis, { kept })
  new PerformanceObserver((list) =>
    kept.tasks.push(...list.getEntries().map((entry) => entry.duration)),
  ).observe({
    type: 'longtask',
    buffered: true,
  })
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as (PerformanceEntry & { interactionId: number })[])
      if (entry.interactionId > 0) kept.events.push(entry.duration)
  }).observe({ type: 'event', buffered: true, durationThreshold: 16 } as PerformanceObserverInit)
}
const doneBy = (page: Page): Promise<Done> =>
  page.evaluate(() => {
    const { kept } = globalThis as unknown as { kept: { tasks: number[]; events: number[] } }
    const most = (values: number[]) => Math.max(0, ...values.splice(0))
    return { longest: most(kept.tasks), interaction: most(kept.events) }
  })

async function signIn(page: Page, { large, admin }: Place): Promise<void> {
  await page.goto('/')
  await page.getByLabel('Organization code').fill(large.code)
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByLabel('Email', { exact: true }).fill(admin.email)
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByRole('button', { name: 'Sign in' }).click()
  const agree = page.getByRole('button', { name: 'I Agree' })
  const dashboard = page.getByText('Current State')
  await agree.or(dashboard).first().waitFor()
  if (await agree.isVisible()) await agree.click()
  await dashboard.waitFor()
}

/** What somebody does with the table, and what it shows once it is done. */
const STEPS: readonly { readonly what: string; readonly act: (page: Page) => Promise<void> }[] = [
  {
    what: 'the first 50 of 10,000 rows, from the menu',
    act: async (page) => {
      await page.getByRole('link', { name: 'Users' }).click()
      await page.getByText(/^1–50 of [\d,]{5,}$/).waitFor()
      await page.locator('.MuiDataGrid-row').first().waitFor()
    },
  },
  {
    what: 'sorted by a column',
    act: async (page) => {
      await page.getByRole('columnheader', { name: 'Email' }).click()
      await page.waitForURL(/sort=/)
      await settled(page)
    },
  },
  {
    what: 'searched, after the last letter',
    act: async (page) => {
      await page.getByRole('searchbox').pressSequentially('han ber', { delay: 60 })
      await page.waitForURL(/q=han/)
      await settled(page)
    },
  },
  {
    what: 'narrowed to a role',
    act: async (page) => {
      await page.getByRole('searchbox').fill('')
      await page.waitForURL((url) => !url.search.includes('q='))
      await page.getByRole('button', { name: 'Role', exact: true }).click()
      await page.getByRole('menuitemradio', { name: 'Business User' }).click()
      await page.waitForURL(/role=/)
      await settled(page)
      await page.getByRole('button', { name: 'Clear filter: Role' }).click()
      await settled(page)
    },
  },
  {
    what: 'the last page',
    act: async (page) => {
      await page.getByRole('button', { name: 'Go to last page' }).click()
      await page.waitForURL(/page=/)
      await settled(page)
    },
  },
  {
    what: 'scrolled through 100 rows',
    act: async (page) => {
      await page.getByRole('button', { name: 'Go to first page' }).click()
      await settled(page)
      await page.getByRole('button', { name: /^Rows per page/ }).click()
      await page.getByRole('menuitemradio', { name: '100' }).click()
      await settled(page)
      await page.locator('.MuiDataGrid-row').first().hover()
      for (let turn = 0; turn < 12; turn += 1) await page.mouse.wheel(0, 400)
    },
  },
]
/** The rows are those that were asked for. */
const settled = (page: Page) =>
  page.locator('[aria-busy=false] .MuiDataGrid-row').first().waitFor({ state: 'visible' })

/** How the table of 10,000 users answers in a browser: no task over 100 ms, each key and click drawn soon. */
export async function usersGrid(stage: Stage): Promise<Result[]> {
  const place = await stage.embedded()
  const browser = await chromium.launch({ executablePath: findChromium(), args: CHROMIUM_FLAGS })
  try {
    const seen = new Map(STEPS.map(({ what }) => [what, [] as (Done & { took: number })[]]))
    for (let round = 0; round < ROUNDS; round += 1) {
      const context = await browser.newContext({
        baseURL: place.product.url,
        viewport: { width: 1440, height: 900 },
      })
      const page = await context.newPage()
      await page.addInitScript(watch)
      await signIn(page, place)
      await doneBy(page)
      for (const { what, act } of STEPS) {
        const began = performance.now()
        await act(page)
        const took = performance.now() - began
        seen.get(what)!.push({ took, ...(await doneBy(page)) })
      }
      await context.close()
    }
    return [...seen].flatMap(([what, times]) => {
      const longest = median(times.map((time) => time.longest))
      const interaction = median(times.map((time) => time.interaction))
      return [
        absolute(NAME, what, ms(median(times.map(({ took }) => took)))),
        absolute(NAME, '  its longest task', ms(longest), '≤ 100 ms', longest <= 100),
        absolute(NAME, '  its slowest interaction', ms(interaction), '≤ 100 ms', interaction <= 100),
      ]
    })
  } finally {
    await browser.close()
  }
}
