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

const NAME = 'mass-send'
const RECIPIENTS = 1_000
const ROUNDS = 7
const MESSAGE = 'Gate 2 is closed. Use gate 1.'
const NUMBERS = Array.from({ length: RECIPIENTS }, (_, n) => `+1902555${String(n).padStart(4, '0')}`)
const CONFIG = {
  contactsAndMassNotificationsEnabled: true,
  contactsUploadMaxLimit: RECIPIENTS,
  massNotifsMaxEvents: 1_000_000,
}

/** A person who may notify a thousand people. */
async function furnish(product: Product, connection: ClientConfig): Promise<Person> {
  const made = await withClient(connection, async (client) => {
    const organisation = await makeOrganisation(client, `mass-${crypto.randomUUID().slice(0, 8)}`)
    await client.query('begin; set local role muster_provider')
    await client.query('update organisations set config = $2 where id = $1', [
      organisation.id,
      JSON.stringify(CONFIG),
    ])
    await client.query('commit')
    return { organisation, person: await makePerson(client, organisation, 'admin') }
  })
  const admin = await signInAs(product.url, made.organisation, made.person)
  const contacts = NUMBERS.map((phone, n) => ({
    name: `Person ${n}`,
    email: `person${n}@example.org`,
    phone,
    list: 'Everybody',
  }))
  await requestJson({
    url: `${product.url}/api/contact`,
    method: 'POST',
    headers: admin.headers,
    body: () => JSON.stringify(contacts),
  })
  return admin
}

interface Side {
  readonly pid: number
  /** Sends a notification to a thousand people. */
  readonly begin: () => Promise<unknown>
}

/** One round: from the request to the last call of the provider, each number exactly once. */
async function round(
  twilio: FakeTwilio,
  { pid, begin }: Side,
  accepted: number[],
  wrong: { missing: number; doubled: number },
): Promise<Sample> {
  twilio.accepted.length = 0
  const before = cpuOf(pid)
  const began = performance.now()
  await begin()
  accepted.push(performance.now() - began)
  while (twilio.accepted.length < RECIPIENTS && performance.now() - began < 60_000) await sleep(2)
  const took = twilio.accepted.at(-1)!.at - began
  // Pending records belong to this round, and must not fall into the next one of the other side.
  await sleep(300)
  const counts = Map.groupBy(twilio.accepted, ({ to }) => to)
  wrong.missing += NUMBERS.filter((number) => !counts.has(number)).length
  wrong.doubled += twilio.accepted.length - counts.size
  return { cpu: cpuOf(pid) - before, p50: took, p99: took }
}

async function measure(): Promise<Result[]> {
  const twilio = new FakeTwilio()
  const settings = await twilio.start()
  const product = await startProduct({ DEMO: '0', SECRET_KEY, ...settings })
  let floor: Floor | undefined
  try {
    const connection = databaseIn(product.dataDir)
    const admin = await furnish(product, connection)
    floor = await startOutbox({
      connection,
      url: `${settings['TWILIO_BASE_URL']}2010-04-01/Accounts/${ACCOUNT}/Messages.json`,
      authorization: `Basic ${Buffer.from(`${ACCOUNT}:${TOKEN}`).toString('base64')}`,
      from: FROM,
      numbers: NUMBERS,
      text: `[ALERT: Normal] ${MESSAGE}`,
    })
    const sides: { readonly [side in 'product' | 'floor']: Side } = {
      product: {
        pid: product.pid,
        begin: () => requestJson(sending(product, admin)),
      },
      floor: { pid: floor.pid, begin: () => send({ url: floor!.url, headers: {} }) },
    }
    const accepted: number[] = []
    const wrong = { missing: 0, doubled: 0 }
    const samples = await interleave(ROUNDS, {
      product: () => round(twilio, sides.product, accepted, wrong),
      floor: () => round(twilio, sides.floor, [], wrong),
    })
    const both = [samples.product, samples.floor] as const
    const answer = median(accepted.slice(-ROUNDS))
    return [
      compare(NAME, 'to the last provider call', 'p50', both, 1.5),
      absolute(NAME, 'accepted after', ms(answer), '≤ 50 ms', answer <= 50),
      compare(NAME, 'processor time', 'cpu', both, null),
      absolute(
        NAME,
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
      const admin = await furnish(product, databaseIn(folder))
      twilio.accepted.length = 0
      await requestJson(sending(product, admin))
      const after = Math.floor(RECIPIENTS * (0.1 + 0.8 * Math.random()))
      while (twilio.accepted.length < after) await sleep(1)
      await product.kill('SIGKILL')
      twilio.asked.length = 0
      product = await start()
      const began = performance.now()
      while (!(await isDone(folder)) && performance.now() - began < 60_000) await sleep(100)
      inDoubt += twilio.asked.filter((asked) => asked.startsWith('GET')).length
      const counts = Map.groupBy(twilio.accepted, ({ to }) => to)
      wrong.missing += NUMBERS.filter((number) => !counts.has(number)).length
      wrong.doubled += twilio.accepted.length - counts.size
    }
  } finally {
    await product.stop()
    twilio.stop()
    await rm(folder, { recursive: true, force: true })
  }
  return absolute(
    NAME,
    `kill -9 while sending, ${KILLS} times: missing, doubled`,
    `${wrong.missing}, ${wrong.doubled} of ${inDoubt} in doubt`,
    'none',
    wrong.missing + wrong.doubled === 0,
  )
}

const isDone = (folder: string): Promise<boolean> =>
  withClient(databaseIn(folder), async (client) => {
    const { rows } = await client.query("select from messages where state in ('QUEUED', 'SENDING') limit 1")
    return rows.length === 0
  })

const sending = (product: Product, { headers }: Person) =>
  ({
    url: `${product.url}/api/massNotification?populateNotified=false`,
    method: 'POST',
    headers,
    body: () => JSON.stringify({ types: ['SMS'], smsMessage: MESSAGE, contactListIds: ['Everybody'] }),
  }) as const

/**
 * A notification to a thousand numbers, compared with a plain loop that selects, posts and updates rows. Both use one
 * database and one local provider that responds immediately.
 */
export const massSend = async (): Promise<Result[]> => [...(await measure()), await killed()]
