import { sql } from 'kysely'
import { afterEach, describe, expect, test, vi } from 'vitest'

import { type Answer, STANDINGS } from '#contract/notification-questions/schema.ts'
import { DAY } from '#server/kit/core/clock.ts'
import { listOutbox } from '#server/kit/messages/outbox-messages.ts'
import { declared } from '#tests/support/incidents.ts'
import { newsOf } from '#tests/support/news.ts'
import { type Organisation, startTestServer } from '#tests/support/server.ts'
import { later } from '#tests/support/sign-in.ts'

const { aUser, anOrganisation, inside, services, signedInAs, signedInAsStaff, url } = await startTestServer()
afterEach(() => vi.restoreAllMocks())

const PATH = '/massNotification'
const SAFE: Answer[] = [
  { label: 'Safe', tone: 'GOOD' },
  { label: 'Need help', tone: 'ATTENTION' },
  { label: 'Not affected', tone: 'NEUTRAL' },
]
const CONTACTS = [
  { name: 'Ana', email: 'ana@example.org', phone: '+14165550101', list: 'Board' },
  { name: 'Bo', email: 'bo@example.org', phone: '+14165550102', list: 'Board' },
  // Shares the number of Ana.
  { name: 'Cy', email: 'cy@example.org', phone: '+14165550101', list: 'Board' },
]

async function aTeam(contacts: readonly object[] = CONTACTS) {
  const org = await anOrganisation({
    contactsAndMassNotificationsEnabled: true,
    contactsUploadMaxLimit: 1_000,
    massNotifsMaxEvents: 2_000,
  })
  const admin = await signedInAs(org, 'ADMIN')
  expect((await admin.post('/contact', contacts)).status).toBe(201)
  const ask = (more: object = {}) =>
    admin.post(PATH, {
      title: 'Gate 2',
      emailMessage: 'Gate 2 is on fire',
      smsMessage: 'Fire at gate 2',
      types: ['EMAIL', 'SMS'],
      contactListIds: ['Board'],
      question: { answers: SAFE },
      ...more,
    })
  const detail = async (id: string) => (await admin.get(`${PATH}/history/${id}`)).body
  const people = async (id: string, filter: object = {}, range: readonly number[] = [0, 99]) => {
    const query = new URLSearchParams({ filter: JSON.stringify(filter), range: JSON.stringify(range) })
    return admin.get(`${PATH}/history/${id}/respondents?${query}`)
  }
  return { org, admin, ask, detail, people }
}

/** The links that people got, by address. */
async function linksOf(to: string): Promise<string[]> {
  const mails = (await listOutbox(services)).filter((one) => one.to === to)
  return mails.flatMap(({ text }) => /http\S+\/answer\/\S+/.exec(text) ?? [])
}
/** Asks one team, and returns the link of a person. */
async function asked(name = 'ana', more: object = {}) {
  const team = await aTeam(
    CONTACTS.map((contact) => ({ ...contact, email: `${crypto.randomUUID()}-${contact.email}` })),
  )
  const sent = await team.ask(more)
  expect(sent.status).toBe(201)
  const email = (sent.body.notifiedUserHistoryData as { email: string }[])
    .map((one) => one.email)
    .find((one) => one.includes(`-${name}@`))!
  const [link] = await linksOf(email)
  return { ...team, id: sent.body.id as string, email, link: link! }
}
const answer = (link: string, fields: Record<string, string>) =>
  fetch(link, { method: 'POST', body: new URLSearchParams(fields), redirect: 'manual' })
const pageOf = async (link: string) => (await fetch(link)).text()

describe('a question is refused at its field', () => {
  test.each([
    ['one answer', [SAFE[0]], 'question.answers', 'A question needs at least 2 answers.'],
    ['no answers', [], 'question.answers', 'A question needs at least 2 answers.'],
    [
      'more than six',
      Array.from({ length: 7 }, (_, n) => ({ label: `${n}`, tone: 'GOOD' })),
      'question.answers',
      'A question has at most 6 answers.',
    ],
    [
      'equal answers, without case and blanks',
      [SAFE[0], { label: ' S AFE ', tone: 'NEUTRAL' }],
      'question.answers.1.label',
      'This answer exists already.',
    ],
    [
      'a long answer',
      [SAFE[0], { label: 'x'.repeat(41), tone: 'NEUTRAL' }],
      'question.answers.1.label',
      'An answer has at most 40 characters.',
    ],
    [
      'an empty answer',
      [SAFE[0], { label: ' \u200b ', tone: 'NEUTRAL' }],
      'question.answers.1.label',
      'Please enter an answer.',
    ],
    [
      'a tone that is none',
      [SAFE[0], { label: 'No', tone: 'LOUD' }],
      'question.answers.1.tone',
      'Please choose one of: GOOD, NEUTRAL, ATTENTION.',
    ],
  ])('with %s', async (_, answers, field, message) => {
    const { admin, ask } = await aTeam()
    const refused = await ask({ question: { answers } })
    expect([refused.status, refused.body.fields]).toEqual([400, { [field]: message }])
    const template = { title: 'Fire', level: 'LOW', question: { answers } }
    const kept = await admin.post(`${PATH}/template`, template)
    expect([kept.status, kept.body.fields]).toEqual([400, { [field]: message }])
    expect((await admin.get(`${PATH}/history`)).body).toEqual([])
  })

  test('a confirmation has one answer, and calls alone carry no link', async () => {
    const { ask } = await aTeam()
    const two = await ask({ question: { kind: 'CONFIRMATION', answers: SAFE.slice(0, 2) } })
    expect(two.body.fields).toEqual({ 'question.answers': 'A confirmation has exactly one answer.' })
    const call = await ask({ types: ['VOICE_CALL'] })
    expect(call.body.fields).toEqual({
      question: 'A question needs email or SMS: an automated voice call carries no link.',
    })
    const question = { kind: 'CONFIRMATION', answers: [{ label: 'Read and understood', tone: 'GOOD' }] }
    expect((await ask({ question })).body.question).toMatchObject(question)
  })

  test('a template keeps its question', async () => {
    const { admin } = await aTeam()
    const question = { kind: 'CHOICE', answers: SAFE }
    const { body } = await admin.post(`${PATH}/template`, { title: 'Fire', level: 'LOW', question })
    expect(body.question).toEqual(question)
    const none = await admin.put(`${PATH}/template/${body.id}`, { title: 'Fire', level: 'LOW' })
    expect(none.body.question).toBeNull()
  })
})

describe('a link', () => {
  test('is each person’s own, in email and SMS, equal in both, and absent without a question', async () => {
    const { ask, org } = await aTeam()
    await ask()
    const kept = (await listOutbox(services)).filter(({ text }) => text.includes(`Organisation ${org.code}`))
    expect(kept).toHaveLength(3)
    const phones = (await listOutbox(services)).filter(
      ({ channel, text }) => channel === 'SMS' && text.includes('Fire at gate 2'),
    )
    const links = kept.map(({ text }) => /http\S+\/answer\/\S+/.exec(text)![0])
    expect(new Set(links).size).toBe(3)
    // Two people share a number: each link is sent to it.
    expect(
      phones.filter(({ text }) => links.some((link) => text.endsWith(`\nAnswer: ${link}`))),
    ).toHaveLength(3)
    for (const [n, { html }] of kept.entries())
      expect(html).toContain(`<a href="${links[n]}">${links[n]}</a>`)
    await ask({ question: null, emailMessage: 'Without' })
    const without = (await listOutbox(services)).filter(({ text }) => text.startsWith('Without'))
    expect(without.map(({ text }) => text.includes('/answer/'))).toEqual([false, false, false])
  })

  test('is short: 22 characters for the first questions', async () => {
    const { link } = await asked()
    expect(link.slice(link.lastIndexOf('/') + 1)).toMatch(/^[0-9a-z]{1,2}-1-[0-9a-z]-[0-9a-z]{13}$/)
  })

  test('of one person answers for nobody else, nor in another organisation', async () => {
    const [mine, theirs] = [await asked(), await asked()]
    const [organisation, question, person, signature] = mine.link
      .slice(mine.link.lastIndexOf('/') + 1)
      .split('-')
    const base = mine.link.slice(0, mine.link.lastIndexOf('/') + 1)
    const [other] = theirs.link.slice(theirs.link.lastIndexOf('/') + 1).split('-')
    const forged = [
      `${organisation}-${question}-1-${signature}`,
      `${other}-${question}-${person}-${signature}`,
      `${organisation}-2-${person}-${signature}`,
      `${organisation}-${question}-${person}-${'0'.repeat(13)}`,
      `${organisation}-${question}-zzzz-${signature}`,
      `zzzzzz-${question}-${person}-${signature}`,
      'nothing',
      'z'.repeat(2_000),
    ]
    for (const token of forged) {
      const opened = await fetch(base + token)
      expect([opened.status, opened.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8'])
      expect((await answer(base + token, { answer: '0' })).status).toBe(404)
    }
    for (const { detail, id } of [mine, theirs]) expect((await detail(id)).result.answers).toEqual([0, 0, 0])
  })

  test('that is wrong too often waits a minute, while right ones from the address still answer', async () => {
    const { link } = await asked()
    const wrong = `${link.slice(0, -1)}${link.endsWith('0') ? '1' : '0'}`
    const statuses = new Set<number>()
    for (let n = 0; n < 70; n += 1) statuses.add((await fetch(wrong)).status)
    expect(statuses).toContain(429)
    expect((await answer(link, { answer: '0' })).status).toBe(303)
    later(61_000)
    expect((await fetch(wrong)).status).toBe(404)
  })
})

describe('the answer page', () => {
  test('has the message, the answers and nothing from elsewhere, in less than 15 KB', async () => {
    const { link } = await asked('ana', { title: '<b>Gate</b> 2' })
    const opened = await fetch(link)
    const text = await opened.text()
    expect(text.length).toBeLessThan(15_000)
    expect(text).toContain('Gate 2 is on fire')
    expect(text).toContain('&lt;b&gt;Gate&lt;/b&gt; 2')
    expect(text).not.toMatch(/<script|EXERCISE/)
    expect(opened.headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src 'nonce-/)
    expect(opened.headers.get('cache-control')).toBe('no-store')
    expect(opened.headers.get('referrer-policy')).toBe('no-referrer')
    expect(opened.headers.get('x-robots-tag')).toBe('noindex')
    expect([...text.matchAll(/value="(\d)"/g)].map(([, n]) => n)).toEqual(['0', '1', '2'])
  })

  test('answers by POST only: opening it changes nothing', async () => {
    const { detail, id, link } = await asked()
    for (const method of ['GET', 'HEAD'])
      expect((await fetch(`${link}?answer=0`, { method })).status).toBe(200)
    expect((await detail(id)).question.answeredCount).toBe(0)
  })

  test('is opened by a scanner of mail in each of a thousand mails, and nobody has answered', async () => {
    const { ask, detail } = await aTeam(
      Array.from({ length: 1_000 }, (_, n) => ({
        name: `Scanned ${n}`,
        email: `p${n}@scanned.example`,
        list: 'Board',
      })),
    )
    const { body } = await ask({ types: ['EMAIL'] })
    const mails = await listOutbox(services, { to: '@scanned.example' })
    expect(mails).toHaveLength(1_000)
    // Links of both parts of a mail, asked for as scanners and previews do.
    const visits: RequestInit[] = [
      { method: 'HEAD' },
      { method: 'GET', headers: { 'Sec-Purpose': 'prefetch;prerender', Purpose: 'prefetch' } },
      { method: 'GET', headers: { 'User-Agent': 'Mozilla/5.0 (compatible; scanner)' } },
    ]
    const seen = new Set<string>()
    for (const { text, html } of mails) {
      const found = new Set(
        [...(text + html).matchAll(/http[^\s"<>]+\/answer\/[^\s"<>]+/g)].map(([link]) => link),
      )
      expect(found.size).toBe(1)
      for (const link of found) {
        seen.add(link)
        // oxlint-disable-next-line no-await-in-loop -- the server meets one scanner, not a flood
        const answers = await Promise.all(visits.map((visit) => fetch(link, visit)))
        expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
      }
    }
    expect(seen.size).toBe(1_000)
    expect(await detail(body.id)).toMatchObject({
      question: { answeredCount: 0 },
      result: { answers: [0, 0, 0], standings: { NO_ANSWER: 1_000, ANSWERED: 0 } },
    })
  })

  test('takes an answer and a changed one, keeps both, and repeats count once', async () => {
    const { detail, people, id, link, email } = await asked()
    const first = await answer(link, { answer: '1', note: ' Floor 3\r\nroom 12 ' })
    expect([first.status, new URL(first.headers.get('location')!, link).href]).toEqual([303, link])
    expect(await pageOf(link)).toMatch(/Your answer: <strong><bdi>Need help<\/bdi><\/strong>/)
    await answer(link, { answer: '1', note: 'Floor 3\nroom 12' })
    expect((await detail(id)).result).toEqual({
      answers: [0, 1, 0],
      standings: { ATTENTION: 1, NOT_REACHED: 0, NO_ANSWER: 2, ANSWERED: 0 },
    })
    await answer(link, { answer: '0', note: '' })
    expect((await detail(id)).result.answers).toEqual([1, 0, 0])
    const { body } = await people(id, { answer: 0 })
    expect(body).toMatchObject([
      {
        email,
        standing: 'ANSWERED',
        answers: [
          { answer: 0, note: '', channel: 'LINK', answeredBy: null, reason: null },
          { answer: 1, note: 'Floor 3\nroom 12' },
        ],
      },
    ])
    expect(body[0].answers).toHaveLength(2)
  })

  test.each([
    ['no answer', { note: 'Hello' }, 'Please enter an answer.'],
    ['an answer that is none', { answer: '7' }, 'This question has no such answer.'],
    ['a long note', { answer: '0', note: 'x'.repeat(281) }, 'A note has at most 280 characters.'],
  ])('says what is wrong with %s, and keeps what was typed', async (_, fields, message) => {
    const { detail, id, link } = await asked()
    const refused = await answer(link, fields)
    expect(refused.status).toBe(400)
    const text = await refused.text()
    expect(text).toContain(message)
    if ('note' in fields) expect(text).toContain(fields.note)
    expect((await detail(id)).question.answeredCount).toBe(0)
  })

  test('shows and keeps a hostile note and hostile labels as text', async () => {
    const label = '"><img src=x onerror=alert(1)>'
    const { admin, link, id } = await asked('ana', {
      question: { answers: [{ label, tone: 'GOOD' }, SAFE[1]] },
    })
    const note = '</textarea><script>alert(1)</script>\u202e=cmd|calc\u0000😀'
    expect((await answer(link, { answer: '0', note })).status).toBe(303)
    const text = await pageOf(link)
    expect(text).not.toContain('<img')
    expect(text).not.toContain('<script')
    const csv = await admin.get(`${PATH}/history/${id}/recipients.csv`)
    expect(csv.text).toContain('</textarea><script>alert(1)</script>')
  })

  test('a form that is too large, or no form, is refused', async () => {
    const { link } = await asked()
    expect((await answer(link, { answer: '0', note: 'x'.repeat(9_000) })).status).toBe(413)
    const json = await fetch(link, {
      method: 'POST',
      body: '{"answer":0}',
      headers: { 'Content-Type': 'application/json' },
    })
    expect(json.status).toBe(400)
  })

  test('takes twenty answers of a person in a minute', async () => {
    const { link } = await asked()
    const statuses: number[] = []
    for (let n = 0; n < 22; n += 1) statuses.push((await answer(link, { answer: String(n % 2) })).status)
    expect(statuses.slice(0, 20)).toEqual(Array.from({ length: 20 }, () => 303))
    expect(statuses[20]).toBe(429)
  })

  test('takes no answer after the end, and says whom to ask', async () => {
    const { admin, detail, id, link } = await asked()
    await answer(link, { answer: '0' })
    later(7 * DAY + 1_000)
    const text = await pageOf(link)
    expect(text).toContain('This question is closed and takes no more answers.')
    expect(text).toContain(admin.email)
    expect(text).not.toContain('<button')
    expect(text).toContain('Your answer: <strong><bdi>Safe')
    expect((await answer(link, { answer: '1' })).status).toBe(409)
    vi.restoreAllMocks()
    expect((await detail(id)).result.answers).toEqual([1, 0, 0])
  })

  test('takes no answer once it is closed, which is done once', async () => {
    const { admin, detail, id, link, org } = await asked()
    expect((await admin.post(`${PATH}/history/${id}/close`)).status).toBe(204)
    expect((await admin.post(`${PATH}/history/${id}/close`)).status).toBe(204)
    expect((await answer(link, { answer: '0' })).status).toBe(409)
    expect((await detail(id)).question).toMatchObject({
      isOpen: false,
      closedBy: admin.email,
      answeredCount: 0,
    })
    expect(await verbsOf(org)).toEqual(['sent', 'question closed'])
  })

  test('does not exist while the organisation is suspended', async () => {
    const { org, link } = await asked()
    const staff = await signedInAsStaff()
    await staff.post(`/enterprise/${org.id}/suspend`)
    expect((await fetch(link)).status).toBe(404)
    expect((await answer(link, { answer: '0' })).status).toBe(404)
    await staff.post(`/enterprise/${org.id}/reactivate`)
  })

  test('says EXERCISE where the incident is one, and so does what follows it up', async () => {
    const { admin, ask, org } = await aTeam()
    const email = `eve@${org.code}.example`
    await aUser(org, { email })
    const incident = await declared(admin, { isTabletop: true })
    const sent = await ask({ contactListIds: [], waitingIncidentId: incident.id })
    expect([sent.status, sent.body.isExercise]).toEqual([201, true])
    const [link] = await linksOf(email)
    expect(await pageOf(link!)).toContain('<div class="exercise">EXERCISE</div>')
    const followUp = { notificationId: sent.body.id, standing: 'NO_ANSWER' }
    expect((await ask({ contactListIds: [], question: null, followUp })).body.isExercise).toBe(true)
  })
})

const verbsOf = (org: Organisation) =>
  inside(org, async (db) => {
    const rows = await db
      .selectFrom('events')
      .select('verb')
      .where('noun', '=', 'mass-notifications')
      .orderBy('sequence')
      .execute()
    return rows.map(({ verb }) => verb)
  })

describe('on behalf of a person', () => {
  const path = (id: string) => `${PATH}/history/${id}/answers`

  test('an answer is entered with a reason, and kept with who did it', async () => {
    const { admin, detail, people, id, org, link } = await asked()
    const entered = { person: 0, answer: 1, reason: 'By telephone', note: 'Broken arm' }
    expect((await admin.post(path(id), entered)).status).toBe(204)
    expect((await detail(id)).result.standings.ATTENTION).toBe(1)
    const { body } = await people(id, { standing: 'ATTENTION' })
    expect(body[0].answers).toMatchObject([
      {
        answer: 1,
        note: 'Broken arm',
        channel: 'ON_BEHALF',
        answeredBy: admin.email,
        reason: 'By telephone',
      },
    ])
    expect(await verbsOf(org)).toEqual(['sent', 'answered on behalf'])
    expect(await pageOf(link)).toContain('Entered for you: <strong><bdi>Need help')
    // Their own answer is newer.
    await answer(link, { answer: '0' })
    expect((await detail(id)).result.answers).toEqual([1, 0, 0])
  })

  test.each([
    ['without a reason', { reason: ' ' }, 400],
    ['for nobody', { person: 99 }, 400],
    ['for somebody beyond numbers', { person: 99_999_999_999 }, 400],
    ['that the question lacks', { answer: 3 }, 400],
    ['with a long note', { note: 'x'.repeat(281) }, 400],
  ])('an answer %s is refused', async (_, changes, status) => {
    const { admin, detail, id } = await asked()
    const refused = await admin.post(path(id), { person: 0, answer: 0, reason: 'Told me', ...changes })
    expect(refused.status).toBe(status)
    expect((await detail(id)).question.answeredCount).toBe(0)
  })

  test('no answer is entered once the question is closed, or where there is none', async () => {
    const { admin, ask, id } = await asked()
    await admin.post(`${PATH}/history/${id}/close`)
    const body = { person: 0, answer: 0, reason: 'Told me' }
    expect((await admin.post(path(id), body)).status).toBe(409)
    const plain = (await ask({ question: null })).body.id
    expect((await admin.post(path(plain), body)).status).toBe(409)
    expect((await admin.post(`${PATH}/history/${plain}/close`)).status).toBe(409)
    expect((await admin.get(`${PATH}/history/${plain}/respondents`)).status).toBe(409)
  })
})

describe('what came of it', () => {
  test('leads with calls for attention, then not reached, no answer, and the rest', async () => {
    const { admin, people, id, link } = await asked('ana')
    await answer(link, { answer: '0' })
    await admin.post(`${PATH}/history/${id}/answers`, { person: 2, answer: 1, reason: 'Saw them' })
    await inside(admin.organisation, (db) =>
      db
        .updateTable('messages')
        .set({ state: 'FAILED', reason: 'No such mailbox' })
        .where('recipient_place', '=', 1)
        .execute(),
    )
    const { body } = await people(id)
    expect(body.map(({ name, standing }: Record<string, string>) => `${name} ${standing}`)).toEqual([
      'Cy ATTENTION',
      'Bo NOT_REACHED',
      'Ana ANSWERED',
    ])
    expect(body[1].messages).toContainEqual({
      type: 'EMAIL',
      state: 'FAILED',
      problem: null,
      reason: 'No such mailbox',
      doneTimestamp: expect.any(String),
    })
    const found = await people(id, { q: 'bo@' })
    expect([found.body.length, found.headers.get('content-range')]).toEqual([1, 'items 0-0/1'])
    const beyond = await people(id, {}, [50, 60])
    expect([beyond.body, beyond.headers.get('content-range')]).toEqual([[], 'items */3'])
    const csv = (await admin.get(`${PATH}/history/${id}/recipients.csv`)).text.split('\r\n')
    expect(csv[0]).toContain('Answer,Note,Answered at,Answered by way of,Entered by,Reason')
    expect(csv.find((line) => line.includes('Cy'))).toContain(`Need help,,`)
    expect(csv.find((line) => line.includes('Cy'))).toContain(`On behalf,${admin.email},Saw them`)
    const [listed] = (await admin.get(`${PATH}/history?range=[0,9]`)).body
    expect(listed.question).toMatchObject({ askedCount: 3, answeredCount: 2 })
  })

  test('who answers was reached, and who was asked by somebody else was not by that', async () => {
    const { admin, id, link } = await asked('ana')
    await admin.post(`${PATH}/history/${id}/answers`, { person: 2, answer: 1, reason: 'Saw them' })
    await answer(link, { answer: '0' })
    const path = `${PATH}/history/${id}`
    expect((await admin.get(path)).body).toMatchObject({ sentCount: 3, reachedCount: 1 })
    const { body } = await admin.get(`${path}/recipients?filter={"outcome":"REACHED"}`)
    expect(body.map(({ name }: { name: string }) => name)).toEqual(['Ana'])
  })

  test.each(STANDINGS)('a message to people of %s goes to them alone', async (standing) => {
    const { admin, ask, id, link } = await asked('ana')
    await answer(link, { answer: '0' })
    await admin.post(`${PATH}/history/${id}/answers`, { person: 2, answer: 1, reason: 'Saw them' })
    const followUp = { notificationId: id, standing }
    const reach = await admin.post(`${PATH}/reach`, { followUp })
    const expected = { ATTENTION: ['Cy'], NOT_REACHED: [], NO_ANSWER: ['Bo'], ANSWERED: ['Ana'] }[standing]
    expect(reach.body.waiting).toBe(expected.length)
    const sent = await ask({ contactListIds: [], followUp, question: null })
    expect(sent.status).toBe(expected.length > 0 ? 201 : 400)
    if (expected.length > 0)
      expect(sent.body.notifiedUserHistoryData.map(({ name }: { name: string }) => name)).toEqual(expected)
  })

  test('nobody follows up a question of another organisation', async () => {
    const { id } = await asked()
    const { ask } = await aTeam()
    const refused = await ask({ followUp: { notificationId: id, standing: 'NO_ANSWER' } })
    expect(refused.status).toBe(404)
  })

  test('cancelling stops what waits, with who did it as the reason', async () => {
    const { admin, detail, people, id, org } = await asked()
    await inside(org, (db) => db.updateTable('messages').set({ state: 'QUEUED' }).execute())
    await inside(org, (db) =>
      db.updateTable('mass_notifications').set({ sent_count: null, not_reached_count: null }).execute(),
    )
    expect((await admin.post(`${PATH}/history/${id}/cancel`)).body).toEqual({ cancelled: 6 })
    expect(await detail(id)).toMatchObject({ waitingCount: 0, notReachedCount: 3 })
    expect((await people(id)).body[0].messages[0].reason).toBe(`Cancelled by ${admin.email}.`)
    expect(await verbsOf(org)).toEqual(['sent', 'delivered', 'cancelled'])
    expect((await admin.post(`${PATH}/history/${id}/cancel`)).body).toEqual({ cancelled: 0 })
  })

  test('answers are told live, many of them at once and once more', async () => {
    const { admin, id, ask } = await asked()
    const { body } = await ask()
    const links = (
      await Promise.all(
        (body.notifiedUserHistoryData as { email: string }[]).map(({ email }) => linksOf(email)),
      )
    ).map(([newest]) => newest!)
    const news = await newsOf(url, admin)
    for (const choice of ['0', '1', '0', '2'])
      await Promise.all(links.map((link) => answer(link, { answer: choice })))
    await vi.waitFor(() => expect(news.filter(({ record }) => record === body.id)).toHaveLength(2), 5_000)
    expect(news.filter(({ record }) => record === id)).toEqual([])
    expect(news[0]).toMatchObject({ type: 'event', noun: 'mass-notifications', parent: null })
    expect(JSON.stringify(news)).not.toContain('Safe')
  })
})

test('ten thousand people are counted and paged on the server', async () => {
  const org = await anOrganisation({
    contactsAndMassNotificationsEnabled: true,
    contactsUploadMaxLimit: 10_000,
    massNotifsMaxEvents: 20_000,
  })
  const admin = await signedInAs(org, 'ADMIN')
  const contacts = Array.from({ length: 10_000 }, (_, n) => ({
    name: `Person ${n}`,
    email: `p${n}@crowd.example`,
    list: 'Crowd',
  }))
  expect((await admin.post('/contact', contacts)).status).toBe(201)
  const sent = await admin.post(`${PATH}?populateNotified=false`, {
    title: 'Storm',
    emailMessage: 'How are you?',
    types: ['EMAIL'],
    contactListIds: ['Crowd'],
    question: { answers: SAFE },
  })
  expect(sent.status).toBe(201)
  const { id } = sent.body
  await inside(org, async (db) => {
    await sql`insert into notification_answers (notification_id, person, answer, note, channel, create_timestamp)
      select ${id}::uuid, n, case when n < 10 then 1 else 0 end, '', 'LINK', now() from generate_series(0, 3999) n`.execute(
      db,
    )
    await sql`update notification_recipients p set answer_id = a.id from notification_answers a
      where a.notification_id = p.notification_id and a.person = p.place`.execute(db)
  })
  const { body } = await admin.get(`${PATH}/history/${id}?populateNotified=false`)
  expect(body.question).toMatchObject({ askedCount: 10_000, answeredCount: 4_000 })
  expect(body.result).toEqual({
    answers: [3_990, 10, 0],
    standings: { ATTENTION: 10, NOT_REACHED: 0, NO_ANSWER: 6_000, ANSWERED: 3_990 },
  })
  const filter = JSON.stringify({ standing: 'NO_ANSWER' })
  const query = new URLSearchParams({ filter, range: '[5990,6049]' })
  const page = await admin.get(`${PATH}/history/${id}/respondents?${query}`)
  expect([page.body.length, page.headers.get('content-range')]).toEqual([10, 'items 5990-5999/6000'])
})
