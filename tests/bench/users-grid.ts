import type { Page } from '@playwright/test'

import { type Noted, sitDown } from './browser.ts'
import { median } from './measure.ts'
import { absolute, ms, type Result } from './report.ts'
import type { Stage } from './stage.ts'

const NAME = 'users-grid'
const ROUNDS = 5

/** An action on the table, and the content that shows its completion. */
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
      await page.getByRole('combobox', { name: /^Rows per page/ }).click()
      await page.getByRole('option', { name: '100' }).click()
      await settled(page)
      await page.locator('.MuiDataGrid-row').first().hover()
      for (let turn = 0; turn < 12; turn += 1) await page.mouse.wheel(0, 400)
    },
  },
]
/** True once the requested rows are shown. */
const settled = (page: Page) =>
  page.locator('[aria-busy=false] .MuiDataGrid-row').first().waitFor({ state: 'visible' })

/**
 * Responsiveness of the table of 10,000 users in a browser: no task over 100 ms, and the latency of keys and clicks.
 */
export async function usersGrid(stage: Stage): Promise<Result[]> {
  const bench = await stage.bench()
  const seen = new Map(STEPS.map(({ what }) => [what, [] as (Noted & { took: number })[]]))
  for (let round = 0; round < ROUNDS; round += 1) {
    const { page, noted, close } = await sitDown(bench)
    try {
      await page.getByText('Current State').waitFor()
      await page.waitForLoadState('networkidle')
      await noted()
      for (const { what, act } of STEPS) {
        const began = performance.now()
        await act(page)
        const took = performance.now() - began
        seen.get(what)!.push({ took, ...(await noted()) })
      }
    } finally {
      await close()
    }
  }
  return [...seen].flatMap(([what, times]) => {
    const longest = median(times.map(({ longTasks }) => Math.max(0, ...longTasks)))
    const interaction = median(times.map((time) => Math.max(0, ...time.interactions)))
    return [
      absolute(NAME, what, ms(median(times.map(({ took }) => took)))),
      absolute(NAME, '  its longest task', ms(longest), '≤ 100 ms', longest <= 100),
      absolute(NAME, '  its slowest interaction', ms(interaction), '≤ 100 ms', interaction <= 100),
    ]
  })
}
