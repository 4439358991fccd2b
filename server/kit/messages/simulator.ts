import { sql } from 'kysely'

import { suppressionOfCode } from '#contract/suppressions/rules.ts'

import { clock, MINUTE, SECOND } from '../core/clock.ts'
import type { Database, OrgDb } from '../database/db.ts'
import type { Job, Jobs } from '../jobs/jobs.ts'
import { type ConfirmationHooks, takeConfirmations } from './confirmations.ts'
import type { ReplyHooks } from './inbound.ts'
import { note } from './ledger.ts'
import { type Carrier, type Channel, type Outcome, type Share, shareNotification } from './messages.ts'

const NAME = 'Simulator'
/** Beginning of the ids that the simulator gives. */
export const SIMULATED = 'SIM-'
/** Number that replies go to where the organisation has none of its own. */
const OURS = '+15005550006'

/** Event of a message some time after it was taken. */
interface Act {
  readonly after: number
  readonly does: 'delivers' | 'fails' | 'bounces' | 'replies'
  /** Words of a reply. In a call its first letter is the key. */
  readonly text?: string
}
/** The script of an address: the reason of a refusal, or what follows. */
type Script = { readonly refused: Failure } | { readonly acts: readonly Act[] }
interface Failure {
  readonly code: string
  readonly reason: string
}

const DELIVERS: Act = { after: 2 * SECOND, does: 'delivers' }
const replies = (after: number, text: string): readonly Act[] => [DELIVERS, { after, does: 'replies', text }]
/** Scripts of fictional numbers (+1 ??? 555 0110 to 0199) by their last digit. */
const BY_DIGIT: { readonly [digit: string]: Script } = {
  0: { acts: [DELIVERS] },
  1: { acts: replies(8 * SECOND, '1') },
  2: { acts: replies(12 * SECOND, '2') },
  3: { acts: [{ after: MINUTE, does: 'delivers' }] },
  4: { refused: { code: '21211', reason: 'This number does not exist. (simulated)' } },
  5: { acts: [{ after: 5 * SECOND, does: 'fails' }] },
  6: { acts: replies(20 * SECOND, 'Who is asking?') },
  7: { acts: replies(10 * SECOND, 'STOP') },
  8: { acts: replies(16 * SECOND, '1 All well here') },
  9: { acts: [] },
}
const OFF: Failure = { code: '30003', reason: 'The phone is off or out of reach. (simulated)' }
const NO_MAILBOX: Failure = { code: '5.1.1', reason: '550 5.1.1 There is no such mailbox. (simulated)' }

/** The script of an address; undefined for one that the outbox keeps. */
export function scriptOf(channel: Channel, recipient: string): Script | undefined {
  if (channel !== 'EMAIL') {
    const digit = /^\+1\d{3}55501[1-9](\d)$/.exec(recipient)?.[1]
    return digit === undefined ? undefined : BY_DIGIT[digit]
  }
  const tag = /\+(\w{1,20})@/.exec(recipient)?.[1]
  if (tag === 'refused') return { refused: NO_MAILBOX }
  if (tag === 'bounces') return { acts: [{ after: 5 * SECOND, does: 'bounces' }] }
  return tag === 'delivered' ? { acts: [DELIVERS] } : undefined
}

const TAKE = 'simulator'
const ACT = 'simulator-acts'

interface Acting extends Act {
  readonly ids: readonly string[]
}
/** Dependencies of the simulator. */
export interface SimulatorParts {
  readonly database: Database
  readonly jobs: Jobs
  readonly hooks: ConfirmationHooks
  readonly replies: ReplyHooks
}

/** Plays messages of the outbox to scripted addresses, after the commit. */
export const simulate = (jobs: Pick<Jobs, 'enqueue'>, db: OrgDb, shares: readonly Share[]): Promise<void> =>
  jobs.enqueue(db, TAKE, ...shares)

/** Registers the simulator: a carrier without a network, whose reports and replies take the ways of real ones. */
export function handleSimulations(parts: SimulatorParts): void {
  parts.jobs.handle<Share>(TAKE, (job) => take(parts, job))
  parts.jobs.handle<Acting>(ACT, (job) => act(parts, job), { parallel: 5 })
}

const insideOf =
  ({ database }: SimulatorParts, organisationId: string) =>
  <T>(work: (db: OrgDb) => Promise<T>) =>
    database.withOrganisation(
      { organisationId, actor: () => ({ kind: 'system', id: null, name: 'simulator' }) },
      work,
    )

interface Played {
  readonly id: string
  readonly channel: Channel
  readonly recipient: string
  readonly sender: string | null
  readonly provider_id: string | null
}
const PLAYED = sql.raw('m.id, m.channel, m.recipient, c.sender, m.provider_id')

/** Takes the scripted messages of a share out of the outbox. Those of an earlier attempt are taken already. */
async function take(parts: SimulatorParts, { organisationId, data: share }: Job<Share>): Promise<void> {
  await insideOf(
    parts,
    organisationId,
  )(async (db) => {
    await shareNotification(db, share.notificationId)
    const { rows } = await sql<Played>`
      select ${PLAYED} from messages m left join message_contents c on c.id = m.content_id
      where m.notification_id = ${share.notificationId} and m.id between ${share.first} and ${share.last}
        and m.state = 'KEPT'
      order by m.id for update of m`.execute(db)
    const played = rows.flatMap((one) => {
      const script = scriptOf(one.channel, one.recipient)
      return script ? [{ ...one, script }] : []
    })
    if (played.length === 0) return
    const ids = played.map(({ id }) => id)
    // The prefix keeps them in the outbox, refused ones too.
    await db
      .updateTable('messages')
      .set({ state: 'SENDING', provider_id: sql`${SIMULATED} || id` })
      .where('id', 'in', ids)
      .execute()
    const at = clock.timestamp()
    const outcomes = played.map(({ id, script }) => {
      const outcome: Outcome =
        'refused' in script
          ? { state: 'FAILED', ...script.refused, suppression: suppressionOfCode(script.refused.code) }
          : { state: 'SENT', providerId: `${SIMULATED}${id}` }
      return { id, outcome, at }
    })
    await note(db, NAME, outcomes)
    await parts.hooks.confirmed?.(db, [share.notificationId])
    for (const { ids: some, ...next } of actsOf(played))
      await parts.jobs.enqueueAt(db, ACT, new Date(Date.parse(at) + next.after).toISOString(), {
        ...next,
        ids: some,
      })
  })
}

/**
 * The simulator as a carrier among others: addresses without a script are delivered. Acts that are enqueued twice change
 * nothing.
 */
export const simulatorCarrier = (name: string, jobs: Pick<Jobs, 'enqueueAt'>): Carrier => ({
  name,
  parallel: 5,
  together: 20,
  async send({ id, channel, recipient, organisationId }, inside) {
    const script = scriptOf(channel, recipient) ?? { acts: [DELIVERS] }
    if ('refused' in script) return { state: 'FAILED', ...script.refused }
    const at = clock.now()
    if (organisationId !== null)
      await inside(async (db) => {
        for (const one of script.acts)
          await jobs.enqueueAt(db, ACT, new Date(at + one.after).toISOString(), { ...one, ids: [id] })
      })
    return { state: 'SENT', providerId: `${SIMULATED}${id}` }
  },
})

/** The acts of messages, equal ones together. */
function actsOf(played: readonly { readonly id: string; readonly script: Script }[]): Acting[] {
  const all = new Map<string, Act & { ids: string[] }>()
  for (const { id, script } of played)
    for (const one of 'acts' in script ? script.acts : []) {
      const key = JSON.stringify(one)
      const known = all.get(key) ?? { ...one, ids: [] }
      known.ids.push(id)
      all.set(key, known)
    }
  return [...all.values()]
}

async function act(parts: SimulatorParts, { organisationId, data }: Job<Acting>): Promise<void> {
  const inside = insideOf(parts, organisationId)
  if (data.does !== 'replies') {
    const state = data.does === 'delivers' ? ('DELIVERED' as const) : ('FAILED' as const)
    const why = { delivers: { code: null, reason: null }, fails: OFF, bounces: NO_MAILBOX }[data.does]
    const reports = data.ids.map((messageId) => ({
      messageId,
      carrier: NAME,
      providerId: `${SIMULATED}${messageId}`,
      state,
      ...why,
      suppression: suppressionOfCode(why.code),
    }))
    await inside((db) => takeConfirmations(db, parts.hooks, reports))
    return
  }
  const { rows } = await inside((db) =>
    sql<Played>`select ${PLAYED} from messages m left join message_contents c on c.id = m.content_id
      where m.id = any(${data.ids}::uuid[]) order by m.id`.execute(db),
  )
  const text = data.text ?? ''
  for (const { id, channel, recipient, sender } of rows)
    if (channel === 'VOICE_CALL') await parts.replies.press(organisationId, id, text.slice(0, 1))
    else
      await parts.replies.take({
        carrier: NAME,
        providerId: `${SIMULATED}${id}`,
        from: recipient,
        to: sender ?? OURS,
        text,
      })
}
