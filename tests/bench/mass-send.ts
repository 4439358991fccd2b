import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

import type { ClientConfig } from 'pg'

import { type Product, startProduct } from '../support/product.ts'
import { ACCOUNT, FakeTwilio, FROM, TOKEN } from '../support/twilio.ts'
import { databaseIn, makeOrganisation, makePerson, type Person, signInAs, withClient } from './fixture.ts'
import type { Floor } from './floor-process.ts'
import { requestJson, cpuOf, interleave, median, type Sample, send } from './measure.ts'
import { startOutbox } from './outbox-floor.ts'
import { absolute, compare, ms, type Result } from './report.ts'
import { SECRET_KEY } from './stage.ts'

const MESSAGE = 'Gate 2 is closed. Use gate 1.'
const CONTACTS_AT_ONCE = 1_000

/** A notification that is measured. */
export interface MassSend {
  /** Name of its lines. */
  readonly name: string
  readonly people: number
  readonly types: readonly ('SMS' | 'VOICE_CALL')[]
  readonly rounds: number
}
const THOUSAND: MassSend = { name: 'mass-send', people: 1_000, types: ['SMS'], rounds: 7 }
/** Numbers of people, all valid. */
export const numbersOf = (people: number): string[] =>
  Array.from({ length: people }, (_, n) => `+1902${2_000_000 + n}`)

/** A person who may notify so many people. */
export async function furnish(
  product: Product,
  connection: ClientConfig,
  { people }: Pick<MassSend, 'people'>,
): Promise<Person> {
  const made = await withClient(connection, async (client) => {
    const organisation = await makeOrganisation(client, `mass-${crypto.randomUUID().slice(0, 8)}`)
    await client.query('begin; set local role muster_provider')
    await client.query('update organisations set config = $2 where id = $1', [
      organisation.id,
      JSON.stringify({
        contactsAndMassNotificationsEnabled: true,
        contactsUploadMaxLimit: people,
        massNotifsMaxEvents: 10_000_000,
      }),
    ])
    await client.query('commit')
    return { organisation, person: await makePerson(client, organisation, 'admin') }
  })
  const admin = await signInAs(product.url, made.organisation, made.person)
  const contacts = numbersOf(people).map((phone, n) => ({
    name: `Person ${n}`,
    email: `person${n}@example.org`,
    phone,
    list: 'Everybody',
  }))
  for (let from = 0; from < people; from += CONTACTS_AT_ONCE)
    await requestJson({
      url: `${product.url}/api/contact`,
      method: 'POST',
      headers: admin.headers,
      body: () => JSON.stringify(contacts.slice(from, from + CONTACTS_AT_ONCE)),
    })
  return admin
}

interface Side {
  readonly pid: number
  /** Number of messages of a round. */
  readonly messages: number
  /** Sends a notification. */
  readonly begin: () => Promise<unknown>
}
/** Messages that the provider did not accept, or accepted twice, of those that it should have accepted once. */
export function wrongOf(
  accepted: FakeTwilio['accepted'],
  expected: number,
): { missing: number; doubled: number } {
  const different = new Set(accepted.map(({ kind, to }) => `${kind} ${to}`)).size
  return { missing: expected - different, doubled: accepted.length - different }
}
const ROUND_MAX_MS = 60_000

/** One round: from the request to the last call of the provider, each number exactly once. */
async function round(
  twilio: FakeTwilio,
  { pid, begin, messages }: Side,
  accepted: number[],
  wrong: { missing: number; doubled: number },
): Promise<Sample> {
  twilio.accepted.length = 0
  const before = cpuOf(pid)
  const began = performance.now()
  await begin()
  accepted.push(performance.now() - began)
  while (twilio.accepted.length < messages && performance.now() - began < ROUND_MAX_MS) await sleep(2)
  const took = twilio.accepted.at(-1)!.at - began
  // Pending records belong to this round, and must not fall into the next one of the other side.
  await sleep(300)
  const { missing, doubled } = wrongOf(twilio.accepted, messages)
  wrong.missing += missing
  wrong.doubled += doubled
  return { cpu: cpuOf(pid) - before, p50: took, p99: took }
}

/** Measures sends, compared with a plain loop that selects, posts and updates rows. */
export async function measureSends(sends: MassSend): Promise<Result[]> {
  const { name, people, types, rounds } = sends
  const messages = people * types.length
  const twilio = new FakeTwilio()
  const settings = await twilio.start()
  const product = await startProduct({ DEMO: '0', SECRET_KEY, ...settings })
  let floor: Floor | undefined
  try {
    const connection = databaseIn(product.dataDir)
    const admin = await furnish(product, connection, sends)
    floor = await startOutbox({
      connection,
      url: `${settings['TWILIO_BASE_URL']}2010-04-01/Accounts/${ACCOUNT}/Messages.json`,
      authorization: `Basic ${Buffer.from(`${ACCOUNT}:${TOKEN}`).toString('base64')}`,
      from: FROM,
      numbers: numbersOf(messages),
      text: `[ALERT: Normal] ${MESSAGE}`,
    })
    const sides: { readonly [side in 'product' | 'floor']: Side } = {
      product: {
        pid: product.pid,
        messages,
        begin: () => requestJson(sending(product, admin, types)),
      },
      floor: { pid: floor.pid, messages, begin: () => send({ url: floor!.url, headers: {} }) },
    }
    const accepted: number[] = []
    const wrong = { missing: 0, doubled: 0 }
    const samples = await interleave(rounds, {
      product: () => round(twilio, sides.product, accepted, wrong),
      floor: () => round(twilio, sides.floor, [], wrong),
    })
    const both = [samples.product, samples.floor] as const
    const answer = median(accepted.slice(-rounds))
    const perSecond = messages / (median(samples.product.map(({ p50 }) => p50)) / 1_000)
    return [
      compare(name, 'to the last provider call', 'p50', both, 1.5),
      absolute(name, 'messages a second', perSecond.toFixed(0)),
      people > THOUSAND.people
        ? absolute(name, 'accepted after', ms(answer))
        : absolute(name, 'accepted after', ms(answer), '≤ 50 ms', answer <= 50),
      compare(name, 'processor time', 'cpu', both, null),
      absolute(
        name,
        'missing, doubled',
        `${wrong.missing}, ${wrong.doubled}`,
        'none',
        wrong.missing + wrong.doubled === 0,
      ),
    ]
  } finally {
    await floor?.stop()
    await product.stop()
    twilio.stop()
  }
}

const KILLS = 5

/** Kills the product with `kill -9` while it sends, restarts it, and checks who received messages. */
async function killed(): Promise<Result> {
  const twilio = new FakeTwilio()
  const settings = await twilio.start()
  const folder = await mkdtemp(join(tmpdir(), 'muster-mass-send-'))
  const start = () => startProduct({ DEMO: '0', ...settings }, folder)
  let product = await start()
  const wrong = { missing: 0, doubled: 0 }
  let inDoubt = 0
  try {
    for (let kill = 0; kill < KILLS; kill += 1) {
      const admin = await furnish(product, databaseIn(folder), THOUSAND)
      twilio.accepted.length = 0
      await requestJson(sending(product, admin, THOUSAND.types))
      const after = Math.floor(THOUSAND.people * (0.1 + 0.8 * Math.random()))
      while (twilio.accepted.length < after) await sleep(1)
      await product.kill('SIGKILL')
      twilio.asked.length = 0
      product = await start()
      const began = performance.now()
      while (!(await isDone(folder)) && performance.now() - began < 60_000) await sleep(100)
      inDoubt += twilio.asked.filter((asked) => asked.startsWith('GET')).length
      const { missing, doubled } = wrongOf(twilio.accepted, THOUSAND.people)
      wrong.missing += missing
      wrong.doubled += doubled
    }
  } finally {
    await product.stop()
    twilio.stop()
    await rm(folder, { recursive: true, force: true })
  }
  return absolute(
    THOUSAND.name,
    `kill -9 while sending, ${KILLS} times: missing, doubled`,
    `${wrong.missing}, ${wrong.doubled} of ${inDoubt} in doubt`,
    'none',
    wrong.missing + wrong.doubled === 0,
  )
}

export const isDone = (folder: string): Promise<boolean> =>
  withClient(databaseIn(folder), async (client) => {
    const { rows } = await client.query("select from messages where state in ('QUEUED', 'SENDING') limit 1")
    return rows.length === 0
  })

const sending = (product: Product, { headers }: Person, types: MassSend['types']) =>
  ({
    url: `${product.url}/api/massNotification?populateNotified=false`,
    method: 'POST',
    headers,
    body: () => JSON.stringify({ types, smsMessage: MESSAGE, contactListIds: ['Everybody'] }),
  }) as const

/**
 * A notification to a thousand numbers, compared with a plain loop that selects, posts and updates rows. Both use one
 * database and one local provider that responds immediately.
 */
export const massSend = async (): Promise<Result[]> => [...(await measureSends(THOUSAND)), await killed()]
