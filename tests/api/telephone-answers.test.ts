import { afterAll, describe, expect, test } from 'vitest'

import type { Respondent } from '#contract/mass-notifications/schema.ts'
import type { Answer } from '#contract/notification-questions/schema.ts'
import { declared } from '#tests/support/incidents.ts'
import { startTestServer } from '#tests/support/server.ts'
import { FakeTwilio, FROM, signed } from '#tests/support/twilio.ts'

const PUBLIC = 'https://muster.example.com'
const PATH = '/massNotification'
const twilio = new FakeTwilio()
const env = await twilio.start()
afterAll(() => twilio.stop())
/** A server that the carrier can call, and one that it cannot. */
const open = await startTestServer({ ...env, PUBLIC_URL: PUBLIC, ALLOW_OUTBOX: '1' })
const closed = await startTestServer(env)

const SAFE: Answer[] = [
  { label: 'Safe', tone: 'GOOD' },
  { label: 'Need help', tone: 'ATTENTION' },
]
let counter = 0
/** An unused number. */
const aNumber = () => `+1416558${String(1_000 + (counter += 1)).slice(-4)}`

/** An organisation of a server, with a person for each number, and a way to ask them. */
async function aTeam(server: typeof open, numbers: readonly string[], config: object = {}) {
  const org = await server.anOrganisation({ contactsAndMassNotificationsEnabled: true, ...config })
  const admin = await server.signedInAs(org, 'ADMIN')
  const rows = numbers.map((phone, n) => ({ name: `P${n}`, email: `p${n}@example.org`, phone, list: 'All' }))
  expect((await admin.post('/contact', rows)).status).toBe(201)
  const ask = async (more: object = {}) => {
    const words = { types: ['SMS'], smsMessage: 'Fire at gate 2', contactListIds: ['All'] }
    const sent = await admin.post(PATH, { ...words, question: { answers: SAFE }, ...more })
    expect(sent.status).toBe(201)
    const { id } = sent.body as { id: string }
    const waiting = async () => (await admin.get(`${PATH}/history/${id}`)).body.waitingCount
    await expect.poll(waiting).toBe(0)
    const people = async () => {
      const { body } = await admin.get(`${PATH}/history/${id}/respondents?range=[0,99]`)
      return (body as Respondent[]).toSorted((a, b) => a.person - b.person)
    }
    return { id, people }
  }
  return { org, admin, ask }
}

interface Sms {
  readonly from: string
  readonly text: string
  readonly to?: string
  readonly sid?: string
  readonly signature?: string
}
/** An SMS as the carrier hands it over. */
async function reply({ from, text, to = FROM, sid = `SM${crypto.randomUUID()}`, signature }: Sms) {
  const form = { MessageSid: sid, From: from, To: to, Body: text }
  const path = '/carriers/twilio/sms'
  const response = await fetch(`${open.url}${path}`, {
    method: 'POST',
    headers: { 'X-Twilio-Signature': signature ?? signed(`${PUBLIC}${path}`, form) },
    body: new URLSearchParams(form),
  })
  return response.status
}
const answersOf = (people: readonly Respondent[]) =>
  people.map(({ answers: [given], replies }) => [
    given ? `${given.channel} ${given.answer} ${given.note}`.trim() : null,
    ...replies.map(({ text }) => text),
  ])

describe('a reply by SMS', () => {
  test('is asked for in the SMS, and is the answer of the person, with a note', async () => {
    const [ana, bo, cy] = [aNumber(), aNumber(), aNumber()]
    const { ask, admin } = await aTeam(open, [ana, bo, cy])
    const { people, id } = await ask()
    expect(twilio.to(ana)[0]!.words).toMatch(
      /^\[ALERT: Normal\] Fire at gate 2\nAnswer: https:\S+\nReply 1 Safe, 2 Need help$/,
    )
    expect((await admin.get(PATH)).body.takesReplies).toBe(true)
    expect(await reply({ from: ana, text: '1' })).toBe(200)
    expect(await reply({ from: bo, text: '2 please hurry' })).toBe(200)
    expect(await reply({ from: cy, text: 'Who is this?' })).toBe(200)
    expect(answersOf(await people())).toEqual([['SMS 0'], ['SMS 1 please hurry'], [null, 'Who is this?']])
    const { body } = await admin.get(`${PATH}/history/${id}`)
    expect(body).toMatchObject({ reachedCount: 2, question: { answeredCount: 2 } })
    expect(await reply({ from: cy, text: '=Answer me' })).toBe(200)
    const { text: csv } = await admin.get(`${PATH}/history/${id}/recipients.csv`)
    expect(csv).toMatch(/,Reason,Wrote by SMS\r\n/)
    // A leading apostrophe keeps spreadsheets from calculating a cell.
    expect(csv).toMatch(/P2,.*"Who is this\?\n'?=Answer me"/)
    expect(csv.match(/Who is this/g)).toHaveLength(1)
  })

  test('calls for help in the incident that the question is about', async () => {
    const ana = aNumber()
    const { ask, admin } = await aTeam(open, [ana])
    const incident = await declared(admin)
    await ask({ incidentId: incident.id })
    await reply({ from: ana, text: '2 Stairs B' })
    expect((await admin.get(`/incident/${incident.id}/help`)).body).toMatchObject({
      total: 1,
      data: [{ name: 'P0', label: 'Need help', note: 'Stairs B' }],
    })
  })

  test('is taken once, and a changed mind counts', async () => {
    const ana = aNumber()
    const { ask } = await aTeam(open, [ana])
    const { people } = await ask()
    const sid = 'SM1'
    await Promise.all([1, 2, 3].map(() => reply({ from: ana, text: 'need help', sid })))
    await reply({ from: ana, text: '1' })
    await reply({ from: ana, text: 'need help', sid })
    const [person] = await people()
    expect(person!.answers.map(({ answer }) => answer)).toEqual([0, 1])
  })

  test('is for the newest open question, also of another organisation', async () => {
    const ana = aNumber()
    const first = await aTeam(open, [ana])
    const second = await aTeam(open, [ana])
    const older = await first.ask()
    const newer = await second.ask()
    await reply({ from: ana, text: '2' })
    expect(answersOf([...(await older.people()), ...(await newer.people())])).toEqual([[null], ['SMS 1']])
    await second.admin.post(`${PATH}/history/${newer.id}/close`)
    await reply({ from: ana, text: '1' })
    expect(answersOf(await older.people())).toEqual([['SMS 0']])
  })

  test('goes by the number that it was sent to', async () => {
    const ana = aNumber()
    const own = await aTeam(open, [ana], { twilioFromPhoneNumber: '+14165550199' })
    const { people } = await own.ask()
    await reply({ from: ana, text: '1' })
    expect(answersOf(await people())).toEqual([[null]])
    await reply({ from: ana, text: '1', to: '+14165550199' })
    expect(answersOf(await people())).toEqual([['SMS 0']])
  })

  test('from a number of two people counts for both only where it calls for attention', async () => {
    const shared = aNumber()
    const { ask } = await aTeam(open, [shared, shared])
    const { people } = await ask()
    await reply({ from: shared, text: '1' })
    expect(answersOf(await people())).toEqual([
      [null, '1'],
      [null, '1'],
    ])
    await reply({ from: shared, text: '2' })
    expect(answersOf(await people())).toEqual([
      ['SMS 1', '1'],
      ['SMS 1', '1'],
    ])
  })

  test('that unsubscribes is no answer', async () => {
    const ana = aNumber()
    const { ask } = await aTeam(open, [ana])
    const { people } = await ask({ question: { answers: [{ label: 'Stop', tone: 'GOOD' }, SAFE[1]] } })
    await reply({ from: ana, text: 'STOP' })
    expect(answersOf(await people())).toEqual([[null, 'STOP']])
  })

  test('from a number that nobody knows is in the provider’s log, without the number', async () => {
    const stranger = aNumber()
    expect(await reply({ from: stranger, text: 'Hello\u0000 there' })).toBe(200)
    const system = { kind: 'system', id: null, name: 'test' } as const
    const rows = await open.services.database.withProvider(system, (db) =>
      db.selectFrom('events').select(['verb', 'changes']).where('noun', '=', 'replies').execute(),
    )
    expect(rows).toContainEqual({
      verb: 'unknown number',
      changes: expect.objectContaining({ text: { from: null, to: 'Hello there' } }) as object,
    })
    expect(JSON.stringify(rows)).not.toContain(stranger)
    const staff = await open.signedInAsStaff()
    expect((await staff.get('/auditLog')).body).toContainEqual(expect.objectContaining({ noun: 'replies' }))
  })

  test('that is forged is refused', async () => {
    const ana = aNumber()
    const { ask } = await aTeam(open, [ana])
    const { people } = await ask()
    expect(await reply({ from: ana, text: '2', signature: 'x' })).toBe(403)
    expect(answersOf(await people())).toEqual([[null]])
  })
})

describe('a key of a call', () => {
  /** A key as the carrier hands it over, in the call to a number. */
  async function press(number: string, Digits: string, more: { path?: string; signature?: string } = {}) {
    const { words } = twilio.to(number).at(-1)!
    const address = more.path ?? /action="([^"]+)"/.exec(words)![1]!
    const form = { CallSid: 'CA1', Digits }
    const response = await fetch(address.replace(PUBLIC, open.url), {
      method: 'POST',
      headers: { 'X-Twilio-Signature': more.signature ?? signed(address, form) },
      body: new URLSearchParams(form),
    })
    return { status: response.status, text: await response.text() }
  }

  test('answers, a wrong one is asked again, and both are read out in the language', async () => {
    const [ana, bo] = [aNumber(), aNumber()]
    const { ask, admin } = await aTeam(open, [ana, bo], { voiceLanguage: 'fr-CA' })
    const { people, id } = await ask({ types: ['VOICE_CALL'] })
    expect((await admin.get(PATH)).body.takesKeys).toBe(true)
    const { words } = twilio.to(ana)[0]!
    expect(words).toMatch(
      /<Response><Gather input="dtmf" numDigits="1" timeout="8" action="https:[^"]+" method="POST">/,
    )
    const said = 'Fire at gate 2\nAppuyez sur 1 pour Safe. Appuyez sur 2 pour Need help.'
    expect(words.split(`<Say language="fr-CA">${said}</Say>`)).toHaveLength(3)
    for (const wrong of ['3', '0', '*', '', '12', '٣']) {
      const { status, text } = await press(ana, wrong)
      expect([status, text]).toEqual([200, expect.stringContaining('<Gather')])
      expect(text).toContain(
        'Cette touche ne correspond à aucune réponse. Appuyez sur 1 pour Safe. Appuyez sur 2 pour Need help.',
      )
    }
    expect(answersOf(await people())).toEqual([[null], [null]])
    const { text } = await press(ana, '2')
    expect(text).toContain('<Say language="fr-CA">Merci. Votre réponse est : Need help.</Say>')
    expect(text).not.toContain('<Gather')
    await press(ana, '2')
    expect(answersOf(await people())).toEqual([['VOICE_CALL 1'], [null]])
    expect((await people())[0]!.answers).toHaveLength(1)
    await admin.post(`${PATH}/history/${id}/close`)
    expect((await press(bo, '1')).text).toContain('Cette question n’accepte plus de réponses.')
    expect(answersOf(await people())).toEqual([['VOICE_CALL 1'], [null]])
  })

  test('that is forged, or of no call with a question, answers nothing', async () => {
    const ana = aNumber()
    const { ask, org } = await aTeam(open, [ana])
    const { people } = await ask({ types: ['VOICE_CALL'] })
    expect((await press(ana, '1', { signature: 'x' })).status).toBe(403)
    const other = await open.anOrganisation()
    const [messageId] = /[^/]+$/.exec(/action="([^"]+)"/.exec(twilio.to(ana)[0]!.words)![1]!)!
    for (const path of [`${other.id}/${messageId}`, `${org.id}/${crypto.randomUUID()}`, 'x/y']) {
      const { status, text } = await press(ana, '1', { path: `${PUBLIC}/carriers/twilio/keys/${path}` })
      expect([status, text.includes('<Gather')]).toEqual([200, false])
    }
    expect(answersOf(await people())).toEqual([[null]])
  })

  test('a question by calls alone is refused where keys cannot come in', async () => {
    const { admin } = await aTeam(closed, [aNumber()])
    const words = { types: ['VOICE_CALL'], smsMessage: 'Fire', contactListIds: ['All'] }
    const refused = await admin.post(PATH, { ...words, question: { answers: SAFE } })
    expect([refused.status, refused.body.fields]).toEqual([
      400,
      { question: 'A question needs email or SMS: an automated voice call carries no link.' },
    ])
  })
})

test('where the carrier cannot call, it is asked for replies while a question is open', async () => {
  const ana = aNumber()
  const { ask, admin, org } = await aTeam(closed, [ana])
  const { people, id } = await ask()
  const looks = async () => {
    const { rows } = await closed.services.database.pool.query<{ id: string }>(
      `select id from pgboss.job
       where name = 'texts-replies' and state = 'created' and data ->> 'organisationId' = $1`,
      [org.id],
    )
    return rows.length
  }
  const makeDue = () =>
    closed.services.database.pool.query(
      `update pgboss.job set start_after = now() where name = 'texts-replies' and state = 'created'`,
    )
  expect(await looks()).toBe(1)
  twilio.receive(ana, '2 roof')
  twilio.receive(aNumber(), 'not ours')
  await makeDue()
  await expect.poll(async () => answersOf(await people())).toEqual([['SMS 1 roof']])
  await expect.poll(looks).toBe(1)
  twilio.receive(ana, '1')
  await makeDue()
  await expect.poll(async () => answersOf(await people())).toEqual([['SMS 0']])
  expect((await people())[0]!.answers).toHaveLength(2)
  await admin.post(`${PATH}/history/${id}/close`)
  await expect.poll(looks).toBe(1)
  await makeDue()
  await expect.poll(looks).toBe(0)
})
