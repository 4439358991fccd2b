import type { Client } from 'pg'

import type { OpenedPlaybook } from '#contract/playbooks/schema.ts'

import { type Product, startProduct } from '../support/product.ts'
import {
  databaseIn,
  inside,
  makeOrganisation,
  makePerson,
  type Organisation,
  signInAs,
  withClient,
} from './fixture.ts'
import { drive, interleave, type Load, requestJson, type Target } from './measure.ts'
import { absolute, compare, ms, type Result } from './report.ts'

const NAME = 'playbooks'
const MANY = 5_000
const FEW = 30
/** Headings and tasks of an ordinary playbook, and of the longest one. */
const ITEMS = 30
const LONGEST = 300
const ROUNDS = 7
const ONE_BY_ONE: Load = { requests: 20, concurrency: 1 }

const pageOf = (query: Readonly<Record<string, unknown>>): string =>
  `?${new URLSearchParams(Object.entries(query).map(([name, value]) => [name, JSON.stringify(value)]))}`
const FIRST = { range: [0, 29] }
const LISTS = [
  ['the first page', `/playbook/templates${pageOf(FIRST)}`],
  ['those of no category', `/playbook/templates${pageOf({ ...FIRST, filter: { categoryId: null } })}`],
  ['searched', `/playbook/templates${pageOf({ ...FIRST, filter: { q: 'network seven7' } })}`],
  ['the picker', `/playbook/templates${pageOf({ range: [0, 19], filter: { q: 'playbook 47' } })}`],
  ['the categories', '/playbook/categories?withPlaybooks=false'],
] as const

/** Adds playbooks, a tenth of which are in one of ten categories. */
async function addPlaybooks(client: Client, organisation: Organisation, count: number): Promise<void> {
  await inside(client, organisation, async () => {
    await client.query(`insert into playbook_categories (name, name_key, create_timestamp, update_timestamp)
      select 'Category ' || n, 'category ' || n, now(), now() from generate_series(1, 10) n`)
    await client.query(
      `insert into playbooks (name, category_id, description, activities, activities_count, words, created_by, create_timestamp,
         updated_by, update_timestamp)
       select 'Playbook ' || n, c.id, 'What to do in case ' || n || '.', (
           select jsonb_agg(jsonb_build_object('id', gen_random_uuid(), 'type', case when i % 6 = 0 then 'HEADING' else 'TASK' end,
             'title', 'Step ' || i || (array[' network', ' people', ' press'])[1 + (n + i) % 3],
             'description', case when i % 6 = 0 then '' else 'Do what is written in section ' || md5((n * i)::text) end,
             'priority', 'MEDIUM', 'idealTitleToExecute', null, 'expectedTimeToComplete', null,
             'attachedFileIds', '[]'::jsonb, 'index', i) order by i)
           from generate_series(0, $2::int - 1) i), $2,
         (select array_to_tsvector(array['playbook', n::text, 'what', 'to', 'do', 'step', 'network', 'people', 'press', 'section',
            'seven' || n % 50, ':' || current_organisation()] || array_agg(md5((n * i)::text))) from generate_series(0, $2::int - 1) i),
         'bench', now() - n * interval '1 minute', 'bench',
         now() - n * interval '1 minute'
       from generate_series(1, $1::int) n
         left join playbook_categories c on n % 10 = 0 and c.name = 'Category ' || (1 + n / 10 % 10)`,
      [count, ITEMS],
    )
  })
  await client.query('vacuum analyze')
}

interface Furnished {
  readonly product: Product
  readonly target: (path: string) => Target
}
async function furnish(count: number): Promise<Furnished> {
  const product = await startProduct({ DEMO: '0' })
  const { organisation, person } = await withClient(databaseIn(product.dataDir), async (client) => {
    const organisation = await makeOrganisation(client, 'bench', {
      playbookMaxTemplates: 10_000,
      maxActivitiesPerPlaybook: LONGEST,
    })
    await addPlaybooks(client, organisation, count)
    return { organisation, person: await makePerson(client, organisation, 'planner') }
  })
  const { headers } = await signInAs(product.url, organisation, person)
  return { product, target: (path) => ({ pid: product.pid, url: `${product.url}/api${path}`, headers }) }
}

const item = (n: number) =>
  n % 12 === 0
    ? { type: 'HEADING', title: `Phase ${n / 12 + 1}` }
    : { type: 'TASK', title: `Step ${n}`, description: `What step ${n} is, in some words of its own.` }

/** Opens and saves the longest playbook, with items moved each time. */
async function longest({ target }: Furnished): Promise<Result[]> {
  const body = { name: 'The longest', activities: Array.from({ length: LONGEST }, (_, n) => item(n)) }
  let playbook = await requestJson<OpenedPlaybook>({
    ...target('/playbook/template'),
    method: 'POST',
    body: () => JSON.stringify(body),
  })
  const one = target(`/playbook/template/${playbook.id}`)
  const opened = await drive(one, ONE_BY_ONE)
  const times: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const activities = [...playbook.activities.slice(1), playbook.activities[0]!]
    const began = performance.now()
    playbook = await requestJson<OpenedPlaybook>({
      ...one,
      method: 'PUT',
      body: () => JSON.stringify({ ...playbook, activities }),
    })
    times.push(performance.now() - began)
  }
  const saved = times.toSorted((a, b) => a - b)[Math.floor(ROUNDS / 2)]!
  return [
    absolute(
      NAME,
      `a playbook of ${LONGEST} items is opened: p50`,
      ms(opened.p50),
      '≤ 100 ms',
      opened.p50 <= 100,
    ),
    absolute(NAME, `a playbook of ${LONGEST} items is saved: p50`, ms(saved), '≤ 200 ms', saved <= 200),
  ]
}

/** Lists, search and picker with 5,000 playbooks against those with a page of them, and the longest playbook. */
export async function playbooks(): Promise<Result[]> {
  const [many, few] = [await furnish(MANY), await furnish(FEW)]
  try {
    const results: Result[] = []
    for (const [what, path] of LISTS) {
      for (const side of [many, few]) await requestJson(side.target(path))
      const { large, small } = await interleave(ROUNDS, {
        large: () => drive(many.target(path), ONE_BY_ONE),
        small: () => drive(few.target(path), ONE_BY_ONE),
      })
      const line = `${what}, of 5,000 playbooks against ${FEW}: p50`
      results.push(compare(NAME, line, 'p50', [large, small], 3))
    }
    return [...results, ...(await longest(many))]
  } finally {
    await many.product.stop()
    await few.product.stop()
  }
}
