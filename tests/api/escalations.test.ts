import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

import { afterEach, describe, expect, test, vi } from 'vitest'

import type { Escalation } from '#contract/notification-escalations/schema.ts'
import { MINUTE } from '#server/kit/core/clock.ts'
import { listOutbox } from '#server/kit/messages/outbox-messages.ts'
import { takeStep } from '#server/mass-notifications/escalation-steps.flows.ts'
import { declared } from '#tests/support/incidents.ts'
import { inDatabase, outboxOf, signIn, startProduct } from '#tests/support/product.ts'
import { type Caller, startTestServer } from '#tests/support/server.ts'
import { later } from '#tests/support/sign-in.ts'

const { aUser, anOrganisation, inside, services, signedInAs } = await startTestServer()
afterEach(() => vi.restoreAllMocks())

const PATH = '/massNotification'
const QUESTION = {
  answers: [
    { label: 'Can come', tone: 'GOOD' },
    { label: 'Cannot', tone: 'NEUTRAL' },
    { label: 'Need help', tone: 'ATTENTION' },
  ],
}
const step = (afterMinutes: number, to: 'PERSON' | 'DEPUTY' = 'PERSON', by = 'SMS') => ({
  afterMinutes,
  to,
  by,
})

const CONFIG = { contactsAndMassNotificationsEnabled: true, massNotifsMaxEvents: 100, groupsEnabled: true }
/** A group of three people with phones; of the first, the second is the deputy. */
async function aTeam(config: object = {}) {
  const org = await anOrganisation({ ...CONFIG, ...config })
  const admin = await signedInAs(org, 'ADMIN')
  const mark = crypto.randomUUID().slice(0, 8)
  const add = async (n: number, more: object = {}) => {
    const email = `p${n}-${mark}@out.example`
    const { status, body } = await admin.post('/useradmin/user', {
      email,
      firstName: ['Ana', 'Bo', 'Cy'][n],
      lastName: 'Costa',
      phoneNumber: `+1416555010${n}`,
      sendWelcomeSetPasswordEmail: false,
      ...more,
    })
    expect(status, JSON.stringify(body)).toBe(201)
    return { email, uuid: body.uuid as string }
  }
  const bo = await add(1)
  const ana = await add(0, { deputy: bo.email })
  const cy = await add(2)
  const emails = [ana, bo, cy].map(({ email }) => email)
  const group = await admin.post('/useradmin/group', {
    name: 'Crisis team',
    userIds: emails,
    isOrdered: true,
  })
  expect(group.status).toBe(201)
  const ask = (more: object = {}) =>
    admin.post(PATH, {
      title: 'Gate 2',
      emailMessage: 'Gate 2 is on fire',
      smsMessage: 'Fire at gate 2',
      types: ['EMAIL'],
      groupIds: [group.body.id],
      question: QUESTION,
      ...more,
    })
  const escalate = async (more: object) => {
    const { status, body } = await ask(more)
    expect(status, JSON.stringify(body)).toBe(201)
    return body.id as string
  }
  const escalationOf = async (id: string): Promise<Escalation> =>
    (await admin.get(`${PATH}/history/${id}/escalation`)).body
  /** Takes the step that is due some minutes after the send. */
  const takeAt = async (minutes: number, id: string, number: number) => {
    later(minutes * MINUTE)
    await inside(org, (db) => takeStep(services, db, { id, number }))
    // Sessions of now are over by then.
    vi.restoreAllMocks()
  }
  return { org, admin, ana, bo, cy, emails, group: group.body, ask, escalate, escalationOf, takeAt }
}

/** Messages to an address, oldest first. */
const messagesTo = async (to: string, mark = '') =>
  (await listOutbox(services)).filter((one) => one.to === to && one.text.includes(mark)).toReversed()
const linkIn = (text = '') => /http\S+\/answer\/\S+/.exec(text)?.[0] ?? ''
const linkOf = async (to: string) => linkIn((await messagesTo(to)).at(-1)?.text)
const answer = (link: string, index: number) =>
  fetch(link, { method: 'POST', body: new URLSearchParams({ answer: `${index}` }), redirect: 'manual' })
const usedOf = async (who: Caller) => 100 - (await who.get(PATH)).body.remainingEvents
/** SMS of an organisation, by its messages. */
const smsOf = (team: Awaited<ReturnType<typeof aTeam>>) =>
  inside(team.org, (db) =>
    db.selectFrom('messages').select(['recipient', 'recipient_place']).where('channel', '=', 'SMS').execute(),
  )

describe('a plan is refused at its field', () => {
  test.each([
    ['without steps', { steps: [] }, 'escalation.steps', 'add at least one step'],
    [
      'with seven steps',
      { steps: [1, 2, 3, 4, 5, 6, 7].map((n) => step(n)) },
      'escalation.steps',
      'at most 6',
    ],
    ['with equal times', { steps: [step(5), step(5)] }, 'escalation.steps.1.afterMinutes', 'come later'],
    ['with falling times', { steps: [step(5), step(4)] }, 'escalation.steps.1.afterMinutes', 'come later'],
    ['after no time', { steps: [step(0)] }, 'escalation.steps.0.afterMinutes', 'minutes from 1 to 1,440'],
    [
      'after two days',
      { steps: [step(2_880)] },
      'escalation.steps.0.afterMinutes',
      'minutes from 1 to 1,440',
    ],
    ['after half a minute', { steps: [step(0.5)] }, 'escalation.steps.0.afterMinutes', 'minutes from 1'],
    ['for ever', { steps: [step(5)], rounds: 4 }, 'escalation.rounds', 'an escalation has to end'],
    ['never', { steps: [step(5)], rounds: 0 }, 'escalation.rounds', 'an escalation has to end'],
    [
      'without a pause',
      { steps: [step(5)], rounds: 2, pauseMinutes: 0 },
      'escalation.pauseMinutes',
      'minutes',
    ],
    ['by post', { steps: [step(5, 'PERSON', 'POST')] }, 'escalation.steps.0.by', 'Please choose one of'],
    [
      'to a deputy who cannot answer',
      { steps: [step(5, 'DEPUTY', 'VOICE_CALL')] },
      'escalation.steps.0.by',
      'A deputy cannot answer a call here.',
    ],
  ])('%s', async (_, escalation, field, message) => {
    const { ask } = await aTeam()
    const { status, body } = await ask({ escalation })
    expect(status).toBe(400)
    expect(body.fields[field]).toContain(message)
  })

  test('without a question, and beyond the question', async () => {
    const { admin, ask } = await aTeam({ massNotifsAnswerDays: 1 })
    const without = await ask({ question: null, escalation: { steps: [step(5)] } })
    expect([without.status, without.body.fields.escalation]).toMatchObject([
      400,
      expect.stringContaining('needs a question'),
    ])
    const long = await ask({ escalation: { steps: [step(5)], rounds: 3, pauseMinutes: 1_000 } })
    expect([long.status, long.body.fields.escalation]).toMatchObject([
      400,
      expect.stringContaining('after the question has ended'),
    ])
    expect(await usedOf(admin)).toBe(0)
  })

  test('whose channel has no words', async () => {
    const { ask } = await aTeam()
    const { status, body } = await ask({ smsMessage: null, escalation: { steps: [step(5)] } })
    expect([status, Object.keys(body.fields)]).toEqual([400, ['smsMessage']])
  })
})

describe('an escalation', () => {
  test('asks those who have not answered by the next channel, once, and takes that from the quota', async () => {
    const team = await aTeam()
    const { admin, emails, escalate, escalationOf, takeAt } = team
    const id = await escalate({ escalation: { steps: [step(5), step(10)] } })
    expect(await usedOf(admin)).toBe(3)
    expect(await escalationOf(id)).toMatchObject({
      next: { round: 1, asked: 'PERSON', types: ['SMS'], people: 3 },
      ended: null,
      steps: [],
    })
    expect((await answer(await linkOf(emails[0]!), 0)).status).toBe(303)
    expect((await escalationOf(id)).next?.people).toBe(2)
    await takeAt(4, id, 0)
    expect(await smsOf(team)).toEqual([])
    await takeAt(5, id, 0)
    await takeAt(5, id, 0)
    const asked = (await smsOf(team)).map(({ recipient }) => recipient).toSorted()
    expect(asked).toEqual(['+14165550101', '+14165550102'])
    expect(await usedOf(admin)).toBe(5)
    const { steps, next } = await escalationOf(id)
    expect(steps).toMatchObject([{ number: 0, asked: 'PERSON', types: ['SMS'], people: 2, skipped: 0 }])
    expect(next).toMatchObject({ people: 2 })
    const { body: messages } = await admin.get(`${PATH}/history/${id}/recipients/1`)
    expect(messages.map((one: { type: string }) => one.type)).toEqual(['EMAIL', 'SMS'])
  })

  test('repeats its rounds with the pause between them, and ends after the last step', async () => {
    const team = await aTeam()
    const { escalate, escalationOf, takeAt, admin } = team
    const id = await escalate({ escalation: { steps: [step(5), step(8)], rounds: 2, pauseMinutes: 20 } })
    const start = Date.parse((await admin.get(`${PATH}/history/${id}`)).body.createTimestamp)
    const due: number[] = []
    for (const number of [0, 1, 2, 3]) {
      const minutes = Math.round((Date.parse((await escalationOf(id)).next!.at) - start) / MINUTE)
      due.push(minutes)
      await takeAt(minutes + 0.01, id, number)
    }
    expect(due).toEqual([5, 8, 28, 31])
    expect(await escalationOf(id)).toMatchObject({ next: null, ended: 'DONE' })
    expect((await escalationOf(id)).steps.map(({ round }) => round)).toEqual([2, 2, 1, 1])
    expect(await smsOf(team)).toHaveLength(12)
  })

  test('ends with the last answer, also one on behalf', async () => {
    const { admin, emails, escalate, escalationOf, takeAt } = await aTeam()
    const id = await escalate({ escalation: { steps: [step(5)] } })
    await answer(await linkOf(emails[0]!), 0)
    await answer(await linkOf(emails[1]!), 1)
    const onBehalf = { person: 2, answer: 0, reason: 'By radio' }
    expect((await admin.post(`${PATH}/history/${id}/answers`, onBehalf)).status).toBe(204)
    expect(await escalationOf(id)).toMatchObject({ next: null, ended: 'ANSWERED', steps: [] })
    await takeAt(6, id, 0)
    expect((await escalationOf(id)).steps).toEqual([])
  })

  test.each([
    ['closing the question', 'close', 'CLOSED'],
    ['cancelling its messages', 'cancel', 'CANCELLED'],
    ['stopping it', 'escalation/stop', 'STOPPED'],
  ])('ends by %s, and nobody is asked again', async (_, path, ended) => {
    const team = await aTeam()
    const { admin, org, escalate, escalationOf, takeAt } = team
    const id = await escalate({ escalation: { steps: [step(5)] } })
    const end = () => admin.post(`${PATH}/history/${id}/${path}`)
    expect([(await end()).status, (await end()).status].every((status) => status < 300)).toBe(true)
    expect(await escalationOf(id)).toMatchObject({ next: null, ended, endedBy: admin.email })
    await takeAt(6, id, 0)
    expect(await smsOf(team)).toEqual([])
    const verbs = await inside(org, (db) =>
      db.selectFrom('events').select('verb').where('record', '=', id).execute(),
    )
    const stopped = verbs.filter(({ verb }) => verb === 'escalation stopped')
    expect(stopped).toHaveLength(ended === 'STOPPED' ? 1 : 0)
  })

  test('asks only as many as the quota allows, and names the others', async () => {
    const team = await aTeam({ massNotifsMaxEvents: 4 })
    const { escalate, escalationOf, takeAt } = team
    const id = await escalate({ escalation: { steps: [step(5)] } })
    await takeAt(5, id, 0)
    expect(await smsOf(team)).toHaveLength(1)
    expect((await escalationOf(id)).steps).toMatchObject([
      { people: 1, skipped: 2, skips: [{ reason: 'QUOTA' }, { reason: 'QUOTA' }] },
    ])
  })

  test('is told once in the incident, with its number of people', async () => {
    const { org, admin, escalate, takeAt } = await aTeam()
    const incident = await declared(admin)
    const id = await escalate({ incidentId: incident.id, escalation: { steps: [step(5)] } })
    await takeAt(5, id, 0)
    const events = await inside(org, (db) =>
      db
        .selectFrom('events')
        .select(['changes'])
        .where('parent', '=', incident.id)
        .where('verb', '=', 'escalated')
        .execute(),
    )
    expect(events).toMatchObject([{ changes: { peopleNotified: { to: 3 }, step: { to: 1 } } }])
  })

  test('of another organisation does not exist, and a notification without one has none', async () => {
    const { escalate, admin, ask } = await aTeam()
    const other = await aTeam()
    const id = await escalate({ escalation: { steps: [step(5)] } })
    expect((await other.admin.get(`${PATH}/history/${id}/escalation`)).status).toBe(404)
    expect((await other.admin.post(`${PATH}/history/${id}/escalation/stop`)).status).toBe(404)
    const { body } = await ask()
    expect((await admin.get(`${PATH}/history/${body.id}/escalation`)).body).toBeNull()
    expect((await admin.post(`${PATH}/history/${body.id}/escalation/stop`)).status).toBe(409)
  })
})

describe('a deputy', () => {
  test('is asked by a link of their own, whose answer is one on behalf of the person', async () => {
    const team = await aTeam()
    const { admin, ana, bo, escalate, escalationOf, takeAt } = team
    const id = await escalate({ escalation: { steps: [step(5, 'DEPUTY', 'EMAIL')] } })
    const own = await linkOf(bo.email)
    await takeAt(5, id, 0)
    const mail = (await messagesTo(bo.email, 'as deputy of')).at(-1)!
    expect(mail.text).toContain('You are asked as deputy of Ana Costa.')
    expect(mail.html).toContain('You are asked as deputy of Ana Costa.')
    const link = linkIn(mail.text)
    expect(link).not.toBe(own)
    const page = await (await fetch(link)).text()
    expect(page).toContain('You are asked as deputy of <bdi>Ana Costa</bdi>.')
    expect(page).toContain('This link is for <bdi>Bo Costa</bdi>.')
    expect((await answer(link, 0)).status).toBe(303)
    expect(await (await fetch(link)).text()).toMatch(/Answer for\s+<bdi>Ana Costa<\/bdi>/)
    const { body } = await admin.get(`${PATH}/history/${id}/respondents`)
    const answersOf = (email: string) => body.find((one: { email: string }) => one.email === email).answers
    expect(answersOf(ana.email)).toMatchObject([
      { channel: 'ON_BEHALF', answeredBy: 'Bo Costa', reason: 'As deputy: Link', answer: 0 },
    ])
    expect(answersOf(bo.email)).toEqual([])
    const skips = (await escalationOf(id)).steps[0]!
    expect(skips).toMatchObject({
      people: 1,
      skipped: 2,
      skips: [{ reason: 'NO_DEPUTY' }, { reason: 'NO_DEPUTY' }],
    })
    const { body: messages } = await admin.get(`${PATH}/history/${id}/recipients/0`)
    expect(messages).toMatchObject([{ deputy: null }, { deputy: 'Bo Costa', address: bo.email }])
  })

  test('cannot answer for somebody who has answered', async () => {
    const { ana, bo, escalate, takeAt } = await aTeam()
    const id = await escalate({ escalation: { steps: [step(5, 'DEPUTY', 'EMAIL')] } })
    const own = await linkOf(ana.email)
    await takeAt(5, id, 0)
    const link = linkIn((await messagesTo(bo.email, 'as deputy of')).at(-1)!.text)
    await answer(own, 1)
    expect((await answer(link, 0)).status).toBe(409)
    expect(await (await fetch(link)).text()).toMatch(/Answer of\s+<bdi>Ana Costa<\/bdi>: <strong><bdi>Cannot/)
  })

  test('who is archived is skipped with the reason, and circles end', async () => {
    const { admin, ana, bo, cy, escalate, escalationOf, takeAt } = await aTeam()
    const change = async (uuid: string, firstName: string, deputy: string | null) => {
      const changed = { firstName, lastName: 'Costa', deputy }
      expect((await admin.put(`/useradmin/user/${uuid}`, changed)).status).toBe(200)
    }
    await change(bo.uuid, 'Bo', ana.email)
    await change(cy.uuid, 'Cy', bo.email)
    const id = await escalate({
      escalation: { steps: [step(5, 'DEPUTY', 'EMAIL'), step(6, 'DEPUTY', 'EMAIL')] },
    })
    await takeAt(5, id, 0)
    expect((await escalationOf(id)).steps[0]).toMatchObject({ people: 3, skipped: 0 })
    expect((await admin.delete(`/useradmin/user/${bo.uuid}`)).status).toBe(204)
    await takeAt(6.01, id, 1)
    expect((await escalationOf(id)).steps[0]).toMatchObject({
      people: 1,
      skipped: 2,
      skips: [{ reason: 'DEPUTY_ARCHIVED' }, { reason: 'DEPUTY_ARCHIVED' }],
    })
    expect(await escalationOf(id)).toMatchObject({ ended: 'DONE' })
  })

  test('is refused at the field of a user when it is nobody of here, oneself, external or archived', async () => {
    const { org, admin, ana, bo, cy } = await aTeam()
    const other = await aTeam()
    const external = await aUser(org, { type: 'EXTERNAL' })
    await admin.delete(`/useradmin/user/${cy.uuid}`)
    const put = (deputy: unknown) =>
      admin.put(`/useradmin/user/${bo.uuid}`, { firstName: 'Bo', lastName: 'Costa', deputy })
    for (const deputy of [
      other.ana.email,
      bo.email,
      external.email,
      cy.email,
      'nobody',
      7,
      'x'.repeat(300),
    ]) {
      const { status, body } = await put(deputy)
      expect([status, Object.keys(body.fields)], String(deputy)).toEqual([400, ['deputy']])
    }
    expect((await put(ana.email.toUpperCase())).body).toMatchObject({ deputy: ana.email })
    expect((await put('')).body).toMatchObject({ deputy: null })
    const created = await admin.post('/useradmin/user', {
      email: `new@${crypto.randomUUID()}.example`,
      firstName: 'New',
      lastName: 'Person',
      deputy: other.ana.email,
    })
    expect([created.status, Object.keys(created.body.fields)]).toEqual([400, ['deputy']])
  })

  test('stays when a program that does not know of deputies changes the user, and is imported', async () => {
    const { admin, ana, bo } = await aTeam()
    const kept = await admin.put(`/useradmin/user/${ana.uuid}`, { firstName: 'Anna', lastName: 'Costa' })
    expect(kept.body).toMatchObject({ firstName: 'Anna', deputy: bo.email })
    const mark = crypto.randomUUID()
    const row = (n: number, deputy: string | null) => ({
      firstName: 'Row',
      lastName: 'Person',
      email: `${n}-${mark}@out.example`,
      deputy,
      sendWelcomeSetPasswordEmail: false,
    })
    const wrong = await admin.post('/useradmin/users', [row(1, bo.email), row(2, 'nobody@out.example')])
    expect([wrong.status, Object.keys(wrong.body.fields)]).toEqual([400, ['1.deputy']])
    const { body } = await admin.post('/useradmin/users', [row(1, `2-${mark}@out.example`), row(2, bo.email)])
    expect(body.created).toMatchObject([{ deputy: `2-${mark}@out.example` }, { deputy: bo.email }])
  })
})

describe('a group that is asked in order', () => {
  test('is asked one by one until somebody can come', async () => {
    const team = await aTeam()
    const { admin, emails, escalate, escalationOf, takeAt } = team
    const id = await escalate({ inOrderMinutes: 5 })
    expect(await usedOf(admin)).toBe(1)
    const asked = async () => {
      const counts = await Promise.all(emails.map((email) => messagesTo(email)))
      return counts.map(({ length }) => length)
    }
    expect(await asked()).toEqual([1, 0, 0])
    expect((await escalationOf(id)).next).toMatchObject({ asked: 'NEXT', people: 1 })
    await takeAt(5, id, 0)
    expect(await asked()).toEqual([1, 1, 0])
    expect((await admin.get(`${PATH}/history/${id}`)).body).toMatchObject({
      notifiedCount: 2,
      question: { askedCount: 2 },
    })
    await answer(await linkOf(emails[1]!), 0)
    expect(await escalationOf(id)).toMatchObject({ next: null, ended: 'ANSWERED' })
    await takeAt(20, id, 1)
    expect(await asked()).toEqual([1, 1, 0])
  })

  test('goes on at once when the one who was asked cannot, skips whom it cannot ask, and ends with the list', async () => {
    const { admin, bo, emails, escalate, escalationOf } = await aTeam()
    const id = await escalate({ inOrderMinutes: 1_000 })
    expect((await admin.delete(`/useradmin/user/${bo.uuid}`)).status).toBe(204)
    await answer(await linkOf(emails[0]!), 1)
    await vi.waitFor(async () => expect((await escalationOf(id)).ended).toBe('DONE'), { timeout: 20_000 })
    expect((await escalationOf(id)).steps).toMatchObject([
      { asked: 'NEXT', people: 1, skipped: 1, skips: [{ name: 'Bo Costa', reason: 'MEMBER_ARCHIVED' }] },
    ])
    expect(await messagesTo(emails[2]!)).toHaveLength(1)
  })

  test('needs one group with an order, and a question', async () => {
    const { admin, emails, group, ask } = await aTeam()
    const problemOf = async (more: object) => {
      const { status, body } = await ask({ inOrderMinutes: 5, ...more })
      return [status, body.fields?.inOrderMinutes]
    }
    expect(await problemOf({ question: null })).toEqual([400, expect.stringContaining('needs a question')])
    expect(await problemOf({ escalation: { steps: [step(5)] } })).toEqual([
      400,
      expect.stringContaining('no further steps'),
    ])
    await admin.post('/contact', [{ name: 'Di', email: 'di@out.example', phone: null, list: 'Board' }])
    expect(await problemOf({ contactListIds: ['Board'] })).toEqual([
      400,
      expect.stringContaining('exactly one'),
    ])
    expect(await problemOf({ inOrderMinutes: 0 })).toEqual([400, expect.stringContaining('minutes')])
    const { name } = group
    await admin.put(`/useradmin/group/${group.id}`, { name, userIds: emails, isOrdered: false })
    expect(await problemOf({})).toEqual([400, expect.stringContaining('has no order')])
  })

  test('keeps its order, also when a program that does not know of it changes the members', async () => {
    const { admin, emails, group } = await aTeam()
    const orderOf = async () => (await admin.get(`/useradmin/group/${group.id}`)).body.userIds
    const [ana, bo, cy] = emails
    const { name } = group
    const put = (body: object) => admin.put(`/useradmin/group/${group.id}`, { name, ...body })
    expect((await put({ userIds: [cy, ana, bo], isOrdered: true })).body.userIds).toEqual([cy, ana, bo])
    const shown = await admin.get(`/useradmin/group/${group.id}/members?range=[0,1]`)
    expect(shown.body.map((one: { email: string }) => one.email)).toEqual([cy, ana])
    await put({ userIds: [ana, cy, admin.email] })
    expect(await orderOf()).toEqual([cy, ana, admin.email])
  })
})

describe('a template', () => {
  test('keeps the plan, which needs a question', async () => {
    const { admin } = await aTeam()
    const plan = { steps: [step(5, 'PERSON', 'VOICE_CALL'), step(10, 'DEPUTY')], rounds: 3, pauseMinutes: 10 }
    const words = { title: 'Fire', level: 'CRITICAL', smsMessage: 'Fire', emailMessage: null }
    const refused = await admin.post(`${PATH}/template`, { ...words, escalation: plan })
    expect([refused.status, Object.keys(refused.body.fields)]).toEqual([400, ['escalation']])
    const { status, body } = await admin.post(`${PATH}/template`, {
      ...words,
      question: QUESTION,
      escalation: plan,
    })
    expect([status, body.escalation]).toEqual([201, plan])
    const kept = await admin.put(`${PATH}/template/${body.id}`, {
      ...words,
      question: QUESTION,
      title: 'Smoke',
    })
    expect(kept.body).toMatchObject({ title: 'Smoke', escalation: plan })
    const wrong = await admin.put(`${PATH}/template/${body.id}`, {
      ...words,
      question: QUESTION,
      escalation: { steps: [step(5), step(1)] },
    })
    expect([wrong.status, Object.keys(wrong.body.fields)]).toEqual([400, ['escalation.steps.1.afterMinutes']])
  })
})

describe('a step', () => {
  test.each(['commit', 'committed'] as const)(
    'is taken once although the process is killed at the %s',
    { timeout: 180_000 },
    async (moment) => {
      const folder = await mkdtemp(join(tmpdir(), 'muster-escalation-'))
      const file = join(folder, 'kill-point.json')
      const point = pathToFileURL(join(import.meta.dirname, '../support/kill-point.ts')).href
      const data = join(folder, 'data')
      const first = await startProduct({ KILL_POINT: file, NODE_OPTIONS: `--import=${point}` }, data)
      let second
      try {
        const { call } = await signIn(first.url, 'admin@demo.example')
        const [list] = (await call('GET', '/contact/lists')).body
        const sent = await call('POST', PATH, {
          smsMessage: 'Escalated once',
          types: ['SMS'],
          contactListIds: [list.name],
          question: QUESTION,
          escalation: { steps: [step(1), step(60)] },
        })
        expect(sent.status, JSON.stringify(sent.body)).toBe(201)
        const messages = async ({ url }: { readonly url: string }) =>
          (await outboxOf({ url })).filter(({ text }) => text.includes('Escalated once')).length
        const before = await messages(first)
        await writeFile(file, JSON.stringify({ statement: 'insert into "notification_steps"', moment }))
        await inDatabase(data, async (client) => {
          await client.query(
            `update notification_escalations set next_timestamp = now() - interval '1 second'`,
          )
          await client.query(`update pgboss.job set start_after = now() where name = 'escalations'`)
        })
        await vi.waitFor(() => expect(() => process.kill(first.pid, 0)).toThrow('ESRCH'), { timeout: 30_000 })
        await rm(file)
        second = await startProduct({}, data)
        const { url } = second
        await vi.waitFor(async () => expect(await messages({ url })).toBe(2 * before), { timeout: 60_000 })
        const again = await signIn(url, 'admin@demo.example')
        const { body } = await again.call('GET', `${PATH}/history/${sent.body.id}/escalation`)
        expect(body.steps).toMatchObject([{ number: 0, people: before }])
        expect(body.next).not.toBeNull()
        const waiting = await inDatabase(data, async (client) => {
          const { rows } = await client.query(
            `select data -> 'data' ->> 'number' as number from pgboss.job where name = 'escalations' and state = 'created'`,
          )
          return rows.map(({ number }) => number as string)
        })
        expect(waiting).toEqual(['1'])
      } finally {
        await first.stop()
        await second?.stop()
        await rm(folder, { recursive: true, force: true })
      }
    },
  )
})
