import type { Page } from '@playwright/test'

import { type Desk, type Visit, visitEach } from './browser.ts'
import { absolute, ms, type Result } from './report.ts'
import type { Stage } from './stage.ts'

/** Longest task allowed while scrolling. */
export const BUDGET_MS = 50
/** Pixels per turn of the wheel, which turns with every other frame. */
const TURN = 400
const TURNS_AT_ONCE = 5
/** Pixels after which an endless feed counts as scrolled. */
const FAR_ENOUGH = 60_000

const PAGES: readonly Visit[] = [
  {
    name: '1,000 activities',
    path: ({ detailId }) => `/incidents/${detailId}`,
    ready: (page) => page.locator('[data-activity]').first().waitFor(),
  },
  {
    name: '10,000 incidents',
    path: () => '/incidents',
    ready: (page) => page.getByRole('article').first().waitFor(),
  },
]

/** The longest tasks of a page while it is scrolled to its end with the wheel for the first time. */
export const scrolling = (stage: Stage): Promise<Result[]> => visitEach(stage, PAGES, scroll)

export const twoPictures = (page: Page) =>
  page.evaluate(
    () => new Promise<void>((drawn) => requestAnimationFrame(() => requestAnimationFrame(() => drawn()))),
  )
const placeOf = (page: Page) => page.evaluate(() => window.scrollY)

/** Turns the wheel until the end of the page. Returns the scrolled pixels. */
async function toTheEnd(page: Page): Promise<number> {
  let last = await placeOf(page)
  for (let still = 0; still < 3 && last < FAR_ENOUGH;) {
    for (let turn = 0; turn < TURNS_AT_ONCE; turn += 1) {
      await page.mouse.wheel(0, TURN)
      await twoPictures(page)
    }
    const now = await placeOf(page)
    still = now === last ? still + 1 : 0
    last = now
  }
  return last
}

interface Traced {
  readonly ph: string
  readonly name: string
  readonly pid: number
  readonly tid: number
  /** Processor time in microseconds. */
  readonly tdur?: number
  readonly args: { readonly name?: string }
}
/**
 * Processor time of each task of the page's main thread, in milliseconds. Elapsed time would include waiting for other
 * processes.
 */
export async function tasksOf(page: Page, work: () => Promise<unknown>): Promise<number[]> {
  const browser = page.context().browser()!
  await browser.startTracing(page, { categories: ['toplevel', '__metadata'] })
  await work()
  const { traceEvents } = JSON.parse(String(await browser.stopTracing())) as { traceEvents: Traced[] }
  const threadOf = ({ pid, tid }: Traced) => `${pid} ${tid}`
  const main = new Set(
    traceEvents
      .filter(({ name, args }) => name === 'thread_name' && args.name === 'CrRendererMain')
      .map(threadOf),
  )
  return traceEvents
    .filter((event) => event.ph === 'X' && event.name.endsWith('RunTask') && main.has(threadOf(event)))
    .map(({ tdur = 0 }) => tdur / 1_000)
}

async function scroll({ page, noted }: Desk, { name }: Visit): Promise<Result[]> {
  await page.mouse.move(600, 500)
  let passed = 0
  const tasks = await tasksOf(page, async () => {
    passed = await toTheEnd(page)
  })
  const { longTasks } = await noted()
  const worst = Math.max(...tasks)
  const over = tasks.filter((task) => task > BUDGET_MS).length
  const clock = longTasks.length === 0 ? 'none' : `${longTasks.length}, worst ${ms(Math.max(...longTasks))}`
  return [
    absolute(
      'scrolling',
      `${name}, ${passed.toLocaleString('en-US')} px: worst of ${tasks.length} tasks, CPU`,
      ms(worst),
      `≤ ${BUDGET_MS} ms`,
      over === 0,
    ),
    absolute('scrolling', `the same: long tasks by the clock`, clock),
  ]
}
