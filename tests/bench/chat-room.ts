import type { Page } from '@playwright/test'

import { type Product, startProduct } from '../support/product.ts'
import { type Desk, sitDown } from './browser.ts'
import { makeRoom } from './chat-people.ts'
import {
  addUsers,
  databaseIn,
  inside,
  makeOrganisation,
  makePerson,
  signInAs,
  withClient,
} from './fixture.ts'
import { erasing, escape, key, open, type Script, typing, worstOf } from './interactions.ts'
import { median } from './measure.ts'
import { absolute, ms, type Result } from './report.ts'
import { BUDGET_MS, tasksOf, twoPictures } from './scrolling.ts'
import type { BenchProduct } from './stage.ts'

const NAME = 'chat-room'
const MESSAGES = 50_000
const PEOPLE = 1_000
const MEMBERS = 30
/** Messages that are scrolled up through, in total and per part. */
const SCROLLED = 2_000
const PART = 500
/** Pixels per turn of the wheel. */
const TURN = 400
const OPENINGS = 5
/** The message to find, long before the loaded ones. */
const SOUGHT = 12_345

type Desked = Pick<BenchProduct, 'product' | 'large' | 'admin'>

const messagesOf = (page: Page) => page.getByRole('region', { name: 'Messages', exact: true })
const messageOf = (page: Page, sequence: number) => messagesOf(page).getByText(`No${sequence}x `)

/** Creates a room with messages of one to four sentences, all read by the administrator. Returns its id. */
async function fillRoom({ product, large, admin }: Desked): Promise<string> {
  return withClient(databaseIn(product.dataDir), async (client) => {
    const members = await inside(client, large, async () => {
      const found = await client.query<{ id: string; email: string }>(
        `select id, email from users where active and type = 'INTERNAL' and id <> $1 order by id limit $2`,
        [admin.id, MEMBERS],
      )
      return found.rows.map((person) => ({ ...person, headers: {} }))
    })
    const roomId = await makeRoom(product.url, admin, members)
    await inside(client, large, async () => {
      await client.query(
        `insert into room_messages (room_id, sequence, user_id, client_id, html, plain, create_timestamp,
           update_timestamp, words, change_sequence)
         select $1, n, case when n % 12 = 0 then $2 else ($3::uuid[])[1 + n / 3 % $4] end, gen_random_uuid(),
           '<p>' || text || '</p>', text, at, at,
           array_to_tsvector(array['no' || n || 'x', 'pumps', 'hall', ':' || $5::uuid]), 1
         from (
           select n, now() - ($6 - n) * interval '1 minute' as at,
             'No' || n || 'x ' || repeat('The pumps of hall ' || n % 7 || ' are checked again. ', (1 + n % 4)::int) as text
           from generate_series(1, $6::bigint) n
         ) message`,
        [roomId, admin.id, members.map(({ id }) => id), MEMBERS, large.id, MESSAGES],
      )
      await client.query(
        `update rooms set last_sequence = $2, last_message_timestamp = now() where id = $1`,
        [roomId, MESSAGES],
      )
      await client.query('update room_members set read_sequence = $2 where room_id = $1', [roomId, MESSAGES])
    })
    await client.query('analyze room_messages')
    return roomId
  })
}

/** Milliseconds from the navigation until the newest message is in the page. */
async function openRoom(page: Page, roomId: string): Promise<number> {
  const begin = performance.now()
  await page.goto(`/chat/${roomId}`)
  await messageOf(page, MESSAGES).waitFor()
  const took = performance.now() - begin
  await page.waitForLoadState('networkidle')
  return took
}

/** The number of the first message in the layout. */
const firstShown = (page: Page): Promise<number> =>
  messagesOf(page).evaluate((area) =>
    Math.min(...[...area.textContent.matchAll(/No(\d+)x /g)].map(([, number]) => Number(number))),
  )
async function scrollUpTo(page: Page, sequence: number): Promise<void> {
  while ((await firstShown(page)) > sequence) {
    await page.mouse.wheel(0, -TURN)
    await twoPictures(page)
  }
}

/** The longest tasks while scrolling up, in parts: later ones have more messages loaded. */
async function scrollUp({ page, noted }: Desk): Promise<Result[]> {
  await messagesOf(page).hover()
  await noted()
  const worst: number[] = []
  const tooLong: number[] = []
  let count = 0
  for (let scrolled = PART; scrolled <= SCROLLED; scrolled += PART) {
    const tasks = await tasksOf(page, () => scrollUpTo(page, MESSAGES - scrolled))
    worst.push(Math.max(...tasks))
    tooLong.push(...tasks.filter((task) => task > BUDGET_MS))
    count += tasks.length
  }
  const { longTasks } = await noted()
  const clock = longTasks.length === 0 ? 'none' : `${longTasks.length}, worst ${ms(Math.max(...longTasks))}`
  const elements = await page.evaluate(() => document.querySelectorAll('*').length)
  return [
    absolute(
      NAME,
      `up through ${SCROLLED} messages: worst of ${count} tasks, CPU`,
      ms(Math.max(...worst)),
      `≤ ${BUDGET_MS} ms`,
      tooLong.length === 0,
    ),
    absolute(NAME, `the same, worst of each ${PART}`, worst.map(ms).join(', ')),
    absolute(NAME, 'the same: long tasks by the clock', clock),
    absolute(NAME, 'elements of the page then', String(elements)),
  ]
}

const newest = (page: Page) => messagesOf(page).getByRole('article').last()
const onNewest = (name: string) => async (page: Page) => {
  await newest(page).hover()
  await newest(page).getByRole('button', { name, exact: true }).click()
}
const editor = (page: Page) => page.getByRole('textbox', { name: 'Message', exact: true }).click()
const SCRIPT: Script = {
  name: `room of ${MESSAGES} messages`,
  path: () => '',
  ready: () => Promise.resolve(),
  acts: [
    editor,
    ...typing('pumps'),
    ...erasing('pumps'),
    async (page) => {
      await onNewest('More actions')(page)
      await page.getByRole('menu').waitFor()
    },
    key('ArrowDown'),
    escape,
    async (page) => {
      await onNewest('Add reaction')(page)
      await page.getByRole('dialog').waitFor()
    },
    (page) => page.getByRole('dialog').getByRole('button', { name: '👍' }).first().click(),
    async (page) => {
      await newest(page).getByRole('button', { name: /^👍/, pressed: true }).click()
      await newest(page).getByRole('button', { name: /^👍/ }).waitFor({ state: 'detached' })
    },
    open(/^Account of/, 'menu'),
    escape,
  ],
}

/** Milliseconds from the last key of a search to its result, and from the click on it until the message is in view. */
async function findMessage(page: Page): Promise<Result[]> {
  await page.getByRole('button', { name: 'Search', exact: true }).click()
  const field = page.getByRole('searchbox', { name: 'Words in messages and file names' })
  await field.waitFor()
  const found = page.getByRole('status').getByRole('button', { name: new RegExp(`No${SOUGHT}x`) })
  let begin = performance.now()
  await field.fill(`no${SOUGHT}x`)
  await found.waitFor()
  const searched = performance.now() - begin
  begin = performance.now()
  await found.click()
  await messageOf(page, SOUGHT).waitFor()
  const jumped = performance.now() - begin
  return [
    absolute(NAME, 'one message searched, with the 500 ms after the last key', ms(searched)),
    absolute(NAME, 'from the press on it until it is shown', ms(jumped)),
  ]
}

/** A product with one organisation, which takes less time than the stage of the other lines. */
async function withPeople(product: Product): Promise<Desked> {
  const made = await withClient(databaseIn(product.dataDir), async (client) => {
    const large = await makeOrganisation(client, 'large')
    const admin = await makePerson(client, large, 'admin')
    await addUsers(client, large, PEOPLE)
    return { large, admin }
  })
  return { product, large: made.large, admin: await signInAs(product.url, made.large, made.admin) }
}

/** A room of 50,000 messages in a browser: opened, scrolled, used and searched. */
export async function chatRoom(): Promise<Result[]> {
  const product = await startProduct({ DEMO: '0' })
  try {
    const bench = await withPeople(product)
    const roomId = await fillRoom(bench)
    return await useRoom(await sitDown(bench), roomId)
  } finally {
    await product.stop()
  }
}
async function useRoom(desk: Desk, roomId: string): Promise<Result[]> {
  const { page } = desk
  try {
    // The first opening fills the browser's cache.
    const openings: number[] = []
    for (let n = 0; n <= OPENINGS; n += 1) openings.push(await openRoom(page, roomId))
    const opened = absolute(
      NAME,
      'from the navigation until messages are shown',
      ms(median(openings.slice(1))),
    )
    const scrolled = await scrollUp(desk)
    await page.getByRole('button', { name: 'To the latest message' }).click()
    await messageOf(page, MESSAGES).waitFor()
    await desk.noted()
    const used = await worstOf(desk, SCRIPT, NAME)
    return [opened, ...scrolled, ...used, ...(await findMessage(page))]
  } finally {
    await desk.close()
  }
}
