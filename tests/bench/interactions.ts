import type { Page } from '@playwright/test'

import { type Desk, type Visit, visitEach } from './browser.ts'
import { absolute, ms, type Result } from './report.ts'
import type { Stage } from './stage.ts'

const BUDGET_MS = 100
/** Interactions per page, of which the worst counts. */
const COUNT = 40

/** Repeated actions on a page: one function per interaction, in turn. */
export interface Script extends Visit {
  readonly acts: readonly ((page: Page) => Promise<unknown>)[]
}

const press = (name: string | RegExp) => (page: Page) => page.getByRole('button', { name }).first().click()
/** Opens a menu or dialog, which may have to be loaded first. */
export const open = (name: string | RegExp, role: 'menu' | 'dialog') => async (page: Page) => {
  await press(name)(page)
  await page.getByRole(role).waitFor()
}
const openForm = (name: string) => async (page: Page) => {
  await press(name)(page)
  await page.getByRole('dialog').locator('input:focus').waitFor()
}
const openOrders = async (page: Page) => {
  await page.getByRole('combobox').first().click()
  await page.getByRole('listbox').waitFor()
}
/** Closes a menu or dialog. */
export const escape = async (page: Page) => {
  await page.keyboard.press('Escape')
  await page.locator('.MuiBackdrop-root').first().waitFor({ state: 'detached' })
}
const choose = (nth: number) => async (page: Page) => {
  await page.getByRole('option').nth(nth).click()
  await page.getByRole('listbox').waitFor({ state: 'detached' })
}
export const key = (name: string) => (page: Page) => page.keyboard.press(name)
export const typing = (word: string) => Array.from(word, key)
export const erasing = (word: string) => Array.from(word, () => key('Backspace'))
const field = (name: RegExp) => (page: Page) => page.getByPlaceholder(name).click()

const SCRIPTS: readonly Script[] = [
  {
    name: 'dashboard',
    path: () => '/',
    ready: (page) => page.getByText('Current State').waitFor(),
    acts: [
      open(/^Account of/, 'menu'),
      key('ArrowDown'),
      key('ArrowDown'),
      escape,
      press('Collapse menu'),
      press('Expand menu'),
      open(/^Notifications/, 'dialog'),
      escape,
    ],
  },
  {
    name: '10,000 incidents',
    path: () => '/incidents',
    ready: (page) => page.getByRole('article').first().waitFor(),
    acts: [
      field(/^Search incidents/),
      ...typing('printer'),
      ...erasing('printer'),
      press('Collapse menu'),
      press('Expand menu'),
      open(/^Account of/, 'menu'),
      escape,
      key('PageDown'),
    ],
  },
  {
    name: 'incident with 1,000 activities',
    path: ({ detailId }) => `/incidents/${detailId}`,
    ready: (page) => page.getByRole('button', { name: 'Tasks' }).waitFor(),
    acts: [
      press(/^Tasks/),
      press(/^Updates/),
      press(/^All/),
      openOrders,
      choose(3),
      (page) =>
        page
          .locator('button[aria-expanded="false"][aria-controls], main button[aria-expanded="false"]')
          .nth(1)
          .click(),
      (page) => page.locator('main button[aria-expanded="true"]').last().click(),
      openOrders,
      choose(0),
      key('PageDown'),
    ],
  },
  {
    name: '10,000 users',
    path: () => '/user-admin',
    ready: (page) => page.getByRole('row').nth(10).waitFor(),
    acts: [
      openForm('Add User'),
      ...typing('Ana'),
      key('Tab'),
      ...typing('Berg'),
      press('Cancel'),
      press(/Discard|Leave/),
      (page) => page.getByRole('columnheader', { name: 'Email' }).click(),
      press('Go to next page'),
      open(/^Actions for/, 'menu'),
      escape,
      field(/^Search users/),
      ...typing('han'),
      ...erasing('han'),
    ],
  },
]

export const interactions = (stage: Stage): Promise<Result[]> =>
  visitEach(stage, SCRIPTS, (desk, script) => worstOf(desk, script))

/** The longest of a script's interactions, as a figure of `line`. */
export async function worstOf(
  { page, noted }: Desk,
  script: Script,
  line = 'interactions',
): Promise<Result[]> {
  for (let done = 0; done < COUNT; done += 1) await script.acts[done % script.acts.length]!(page)
  const { interactions: all } = await noted()
  const [slowest] = all.toSorted((a, b) => b.duration - a.duration)
  const worst = slowest?.duration ?? 0
  return [
    absolute(
      line,
      `${script.name}: worst of ${COUNT}${slowest ? ` (${slowest.what})` : ''}`,
      all.length === 0 ? '< 16 ms' : ms(worst),
      `≤ ${BUDGET_MS} ms`,
      worst <= BUDGET_MS,
    ),
  ]
}
