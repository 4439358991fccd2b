import {
  type IssuedWebhook,
  type NewWebhook,
  TEST_TYPE,
  TOO_MANY_WEBHOOKS,
  type Webhook,
  type WebhookDelivery,
  WEBHOOKS_MAX,
} from '#contract/webhooks/schema.ts'
import { clock } from '#server/kit/core/clock.ts'
import { demand, notFound, wrongField } from '#server/kit/core/refusal.ts'
import { lockFor, type OrgDb } from '#server/kit/database/db.ts'
import { record } from '#server/kit/events/events.ts'
import type { Caller } from '#server/kit/http/serve.ts'
import { newToken } from '#server/kit/security/secrets.ts'
import type { Services } from '#server/kit/services.ts'

import { testBodyOf } from './payload.content.ts'
import { refusedUrl } from './request.flows.ts'
import { secretOwner, SWITCHED_OFF, TRIED_FOR } from './sending.flows.ts'
import {
  countWebhooks,
  findDelivery,
  findNewest,
  giveUp,
  hasWaitingTest,
  insertDeliveries,
  updateNext,
  updateWaiting,
  webhooks,
} from './store.ts'

type Parts = Pick<Services, 'secrets' | 'settings'>
type By = Pick<Caller, 'organisation'>

const THIS_DELIVERY = 'This delivery'
const TEST_WAITS = 'A test is on its way already. Its outcome will stand among the deliveries.'
const WAITS = 'This delivery waits to be sent already.'

/** @throws Refusal 400 at the field for an address that may not be called */
function demandUrl(url: string, settings: Parts['settings']): void {
  const problem = refusedUrl(url, settings)
  if (problem !== undefined) throw wrongField('url', problem)
}
/** Values of a webhook that begins to send now. */
const beginning = async (db: OrgDb) => ({
  eventSequence: await findNewest(db),
  failures: 0,
  offTimestamp: null,
  nextTimestamp: clock.timestamp(),
})

/**
 * Adds a webhook. Only this response contains its secret.
 * @throws Refusal 400 at the address, 409
 */
export async function createWebhook(
  { secrets, settings }: Parts,
  db: OrgDb,
  { organisation }: By,
  given: NewWebhook,
): Promise<IssuedWebhook> {
  demandUrl(given.url, settings)
  await lockFor(db, 'webhooks')
  demand((await countWebhooks(db)) < WEBHOOKS_MAX, 409, TOO_MANY_WEBHOOKS)
  const secret = `mw_${newToken()}`
  const sealed = secrets.seal(secret, secretOwner(organisation.id))
  const webhook = await webhooks.create(db, { ...given, secret: sealed, ...(await beginning(db)) })
  return { ...webhook, secret }
}

/**
 * Changes a webhook. Switched on, it begins with what happens from then on; switched off, it gives up what waits.
 * @throws Refusal 400 at the address, 404, 409
 */
export async function changeWebhook(
  { settings }: Pick<Parts, 'settings'>,
  db: OrgDb,
  id: string,
  { version, ...values }: NewWebhook & { readonly version?: number | undefined },
): Promise<Webhook> {
  demandUrl(values.url, settings)
  const before = await webhooks.hold(db, id, version)
  const begins = values.isOn && !before.isOn ? await beginning(db) : {}
  if (before.isOn && !values.isOn) await giveUp(db, id, SWITCHED_OFF)
  const after = await webhooks.update(db, before, { ...values, ...begins })
  // Another address may answer at once.
  if (after.url !== before.url) await updateNext(db, id, clock.timestamp())
  return after
}

const soon = () => {
  const now = clock.now()
  return { due: new Date(now).toISOString(), expire: new Date(now + TRIED_FOR).toISOString() }
}
async function openDelivery(db: OrgDb, webhookId: string, id: string): Promise<WebhookDelivery> {
  const delivery = await findDelivery(db, webhookId, id)
  if (!delivery) throw notFound(THIS_DELIVERY)
  return delivery
}

/**
 * Sends a test, once.
 * @throws Refusal 404, 409 while another one waits
 */
export async function sendTest(db: OrgDb, { organisation }: By, id: string): Promise<WebhookDelivery> {
  await webhooks.hold(db, id)
  demand(!(await hasWaitingTest(db, id)), 409, TEST_WAITS)
  const deliveryId = crypto.randomUUID()
  const { due, expire } = soon()
  await insertDeliveries(db, [
    {
      id: deliveryId,
      webhookId: id,
      type: TEST_TYPE,
      body: testBodyOf({ id: deliveryId, organisation: organisation.code }, due),
      incidentId: null,
      occurredTimestamp: due,
      dueTimestamp: due,
      expireTimestamp: expire,
    },
  ])
  await updateNext(db, id, due)
  record(db, { noun: 'webhooks', record: id, verb: 'tested' })
  return openDelivery(db, id, deliveryId)
}

/**
 * Sends a delivery again under its id.
 * @throws Refusal 404, 409 while it waits
 */
export async function resend(db: OrgDb, id: string, deliveryId: string): Promise<WebhookDelivery> {
  await webhooks.hold(db, id)
  const before = await openDelivery(db, id, deliveryId)
  demand(before.state !== 'WAITING', 409, WAITS)
  const { due, expire } = soon()
  await updateWaiting(db, deliveryId, { due, expire })
  await updateNext(db, id, due)
  record(db, { noun: 'webhooks', record: id, verb: 'sent again' })
  return openDelivery(db, id, deliveryId)
}
