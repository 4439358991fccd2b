import type { Page } from '@playwright/test'

import { type Desk, sitDown } from './browser.ts'
import { absolute, ms, type Result } from './report.ts'
import type { Place, Stage } from './stage.ts'

/** Nothing may keep the page longer than this while somebody scrolls. */
const BUDGET_MS = 50
/** Pixels of one turn of the wheel, and how often it is turned. */
const TURN = 400
const TURN_EVERY_MS = 30
const TURNS_AT_ONCE = 5
/** A feed without an end in sight is followed so far. */
const FAR_ENOUGH = 60_000

interface Scrolled {
  readonly name: string
  readonly path: (place: Place) => string
  /** Seen once there is something to scroll. */
  readonly ready: (page: Page) => Promise<unknown>
}
const PAGES: readonly Scrolled[] = [
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

/** The longest tasks of a page while somebody scrolls to its end with the wheel, the first time that it is opened. */
export async function scrolling(stage: Stage): Promise<Result[]> {
  const at = await stage.embedded()
  const desk = await sitDown(at)
  try {
    const results: Result[] = []
    for (const one of PAGES) results.push(...(await scroll(desk, at, one)))
    return results
  } finally {
    await desk.close()
  }
}

const placeOf = (page: Page) => page.evaluate(() => window.scrollY)

/** Turns the wheel until there is nothing more below. Answers how many pixels went by. */
async function toTheEnd(page: Page): Promise<number> {
  let last = await placeOf(page)
  for (let still = 0; still < 3 && last < FAR_ENOUGH;) {
    for (let turn = 0; turn < TURNS_AT_ONCE; turn += 1) {
      await page.mouse.wheel(0, TURN)
      await page.waitForTimeout(TURN_EVERY_MS)
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
 * The processor time of each task of the page's own thread, in milliseconds. Where others use the same processors, the
 * time on the clock tells mostly of them.
 */
async function tasksOf(page: Page, work: () => Promise<unknown>): Promise<number[]> {
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

async function scroll({ page, noted }: Desk, at: Place, { name, path, ready }: Scrolled): Promise<Result[]> {
  await page.goto(path(at))
  await ready(page)
  await page.waitForLoadState('networkidle')
  await page.mouse.move(600, 500)
  await noted()
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
