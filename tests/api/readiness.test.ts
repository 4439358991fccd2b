import { sql } from 'kysely'
import { afterEach, describe, expect, test, vi } from 'vitest'

import { isWorkingTime } from '#contract/readiness/rules.ts'
import type { CommunicationTest, Gap, ReadinessPerson, TestPlan } from '#contract/readiness/schema.ts'
import { clock, DAY } from '#server/kit/core/clock.ts'
import { listOutbox } from '#server/kit/messages/outbox-messages.ts'
import { type Caller, type Organisation, startTestServer } from '#tests/support/server.ts'

const muster = await startTestServer()
const { anOrganisation, aUser, inside, services, signedInAs } = muster

afterEach(() => void vi.restoreAllMocks())

const SUBSCRIBED = {
  contactsAndMassNotificationsEnabled: true,
  groupsEnabled: true,
  massNotifsMaxEvents: 100,
  massNotifsQuotaWarnings: [],
}
const board = async (who: Caller) => (await who.get('/readiness')).body
const testsOf = async (who: Caller): Promise<CommunicationTest[]> => (await who.get('/readiness/tests')).body
const peopleWith = async (who: Caller, filter: object): Promise<ReadinessPerson[]> =>
  (await who.get(`/readiness/people?filter=${encodeURIComponent(JSON.stringify(filter))}`)).body
const emailsWith = async (who: Caller, gap: Gap) => (await peopleWith(who, { gap })).map(({ email }) => email)

const change = (org: Organisation, uuid: string, values: object) =>
  inside(org, (db) => db.updateTable('users').set(values).where('id', '=', uuid).execute())
/** A person with a phone number, who has signed in. */
async function aReadyPerson(org: Organisation, phone: string | null, more: object = {}) {
  const one = await aUser(org)
  await change(org, one.uuid, { phone_number: phone, last_login_timestamp: clock.timestamp(), ...more })
  return one
}
/** A message that came to its end, with the attempt of a carrier. */
const aMessage = (
  org: Organisation,
  recipient: string,
  {
    state,
    ago = 0,
    code = null,
    channel = 'SMS',
  }: { state: string; ago?: number; code?: string | null; channel?: string },
) =>
  inside(org, async (db) => {
    const id = crypto.randomUUID()
    const at = new Date(clock.now() - ago).toISOString()
    await sql`insert into messages (organisation_id, id, channel, recipient, text, state, create_timestamp, done_timestamp)
      values (current_organisation(), ${id}, ${channel}, ${recipient}, 'Hello', ${state}, ${at}, ${at})`.execute(
      db,
    )
    await sql`insert into message_attempts (organisation_id, message_id, number, carrier, state, code, reason,
        create_timestamp, update_timestamp)
      values (current_organisation(), ${id}, 1, 'test', ${state}, ${code}, 'Because', ${at}, ${at})`.execute(
      db,
    )
  })
/** An address that is not tried since 4 May 2026. */
const suppressed = (org: Organisation, address: string, reason: string) =>
  inside(org, (db) =>
    sql`insert into suppressions (organisation_id, kind, address, reason, carrier, create_timestamp)
      values (current_organisation(), ${reason === 'BOUNCED' ? 'EMAIL' : 'PHONE'}, ${address}, ${reason}, 'test',
        '2026-05-04T23:30:00Z')`.execute(db),
  )
async function aGroup(who: Caller, name: string, people: readonly { readonly email: string }[]) {
  const made = await who.post('/useradmin/group', { name, userIds: people.map(({ email }) => email) })
  expect(made.status).toBe(201)
  return made.body.id as string
}
const sentTo = async (...emails: string[]) =>
  (await listOutbox(services)).filter(({ to, channel }) => emails.includes(to) && channel === 'EMAIL')
/** The link of a person in the newest mail to them, opened and answered. */
async function answers(email: string) {
  const [mail] = await sentTo(email)
  const path = /\/answer\/[0-9a-z-]+/.exec(mail!.text)![0]
  const page = await fetch(muster.url + path)
  const answer = await fetch(muster.url + path, {
    method: 'POST',
    body: new URLSearchParams({ answer: '0', note: '' }),
    redirect: 'manual',
  })
  expect([page.status, answer.status]).toEqual([200, 303])
  return page.text()
}

describe('the board', () => {
  test('counts people by what proves that they are reached, and numbers that nothing proves', async () => {
    const org = await anOrganisation(SUBSCRIBED)
    const admin = await signedInAs(org, 'ADMIN')
    await aReadyPerson(org, '+14165550101')
    await aReadyPerson(org, '+14165550102')
    await aReadyPerson(org, '+14165550103', { second_phone_number: '+14165550104' })
    await aReadyPerson(org, null)
    await aMessage(org, '+14165550101', { state: 'DELIVERED' })
    await aMessage(org, '+14165550102', { state: 'DELIVERED', ago: 100 * DAY })
    // Neither external people, wall screens nor archived ones are counted.
    await aUser(org, { type: 'EXTERNAL' })
    await aReadyPerson(org, null, { dashboard_user: true })
    await aUser(org, { active: false })
    expect(await board(admin)).toMatchObject({
      people: 5,
      proved: 1,
      addressed: 2,
      lacking: 2,
      withoutNumber: 2,
      numbers: 4,
      numbersUnproved: 2,
      bounced: 0,
      neverSignedIn: 1,
      invitable: 0,
      secondFactor: null,
      playbooks: { count: 0, due: 0 },
      lastExerciseTimestamp: null,
      lastTestTimestamp: null,
      canTest: true,
    })
  })

  test('names addresses that are not tried, with the reason and the way back, until they are allowed again', async () => {
    const org = await anOrganisation(SUBSCRIBED)
    const admin = await signedInAs(org, 'ADMIN')
    const gone = await aReadyPerson(org, '+14165550111')
    const stopped = await aReadyPerson(org, '+14165550112')
    const failed = await aReadyPerson(org, '+14165550114')
    const back = await aReadyPerson(org, '+14165550113')
    // Kept in the case that was imported; suppressions are in lower case.
    await change(org, gone.uuid, { email: gone.email.toUpperCase() })
    await suppressed(org, gone.email, 'BOUNCED')
    await suppressed(org, '+14165550112', 'STOPPED')
    await suppressed(org, '+14165550113', 'NO_SUCH_NUMBER')
    // A failure that suppresses nothing, and a mail that was accepted later, change nothing.
    await aMessage(org, failed.email, { state: 'FAILED', code: '4.2.2', channel: 'EMAIL' })
    await aMessage(org, gone.email, { state: 'DELIVERED', channel: 'EMAIL' })
    expect((await board(admin)).bounced).toBe(3)
    const found = await peopleWith(admin, { gap: 'BOUNCED' })
    expect(found.map(({ email, bounce }) => [email.toLowerCase(), bounce])).toEqual(
      expect.arrayContaining([
        [
          gone.email,
          {
            address: gone.email,
            reason:
              'Not tried: this mailbox did not exist on 2026-05-04. Correct the address, or have an administrator allow it again.',
          },
        ],
        [
          stopped.email,
          {
            address: '+14165550112',
            reason:
              'Not tried: this person has unsubscribed from SMS (STOP) on 2026-05-04. START from that phone ends it, or an administrator.',
          },
        ],
      ]),
    )
    const [lifted] = (await admin.post('/suppression/find', { addresses: ['+14165550113'] })).body
    expect((await admin.post(`/suppression/${lifted.id}/lift`, { reason: 'A new phone' })).status).toBe(204)
    expect(await emailsWith(admin, 'BOUNCED')).not.toContain(back.email)
    expect((await board(admin)).bounced).toBe(2)
  })

  test('names who never signed in, and who has no second factor where one is needed', async () => {
    const org = await anOrganisation({ ...SUBSCRIBED, auth2fa: true, auth2faType: 'TOTP' })
    const admin = await signedInAs(org, 'ADMIN')
    await change(org, admin.uuid, { last_login_timestamp: clock.timestamp() })
    await inside(org, (db) =>
      sql`insert into authenticators (organisation_id, user_id, secret, last_step, create_timestamp)
        values (current_organisation(), ${admin.uuid}, '\\x00', 0, now())`.execute(db),
    )
    const lacking = await aReadyPerson(org, null)
    const never = await aUser(org)
    await change(org, never.uuid, { password_hash: null })
    expect(await board(admin)).toMatchObject({
      secondFactor: 'TOTP',
      withoutSecondFactor: 1,
      neverSignedIn: 1,
      invitable: 1,
    })
    expect(await emailsWith(admin, 'NO_SECOND_FACTOR')).toEqual([lacking.email])
    expect(await emailsWith(admin, 'NEVER_SIGNED_IN')).toEqual([never.email])
  })

  test('sends the activation again to those who never signed in, and to nobody else', async () => {
    const org = await anOrganisation(SUBSCRIBED)
    const admin = await signedInAs(org, 'ADMIN')
    const waiting = await aUser(org)
    await change(org, waiting.uuid, { password_hash: null })
    const other = await aUser(org)
    const sent = await admin.post('/readiness/activations', {})
    expect([sent.status, sent.body]).toEqual([200, { sent: 1, refused: 0, next: null }])
    expect(await sentTo(waiting.email)).toHaveLength(1)
    expect(await sentTo(other.email)).toHaveLength(0)
    expect((await admin.post('/readiness/activations', { after: waiting.uuid })).body.sent).toBe(0)
  })

  test('knows the last exercise and the playbooks past their review', async () => {
    const org = await anOrganisation(SUBSCRIBED)
    const admin = await signedInAs(org, 'ADMIN')
    const exercise = await admin.post('/incident', { title: 'Drill', fullText: '<p>x</p>', isTabletop: true })
    const past = new Date(clock.now() - 3 * DAY).toISOString().slice(0, 10)
    for (const reviewDate of [past, null])
      await admin.post('/playbook/template', {
        name: `Fire ${reviewDate}`,
        activities: [{ type: 'HEADING', title: 'First' }],
        reviewDate,
      })
    const found = await board(admin)
    expect(found).toMatchObject({
      lastExerciseTimestamp: exercise.body.createTimestamp,
      playbooks: { count: 2, due: 1 },
    })
  })

  test('counts the members of each group, the worst group first, and pages them', async () => {
    const org = await anOrganisation(SUBSCRIBED)
    const admin = await signedInAs(org, 'ADMIN')
    const proved = await aReadyPerson(org, '+14165550121')
    const without = await aReadyPerson(org, null)
    await aMessage(org, '+14165550121', { state: 'DELIVERED' })
    await aGroup(admin, 'Good', [proved])
    const bad = await aGroup(admin, 'Bad', [proved, without])
    const whole = await admin.get('/readiness/groups')
    expect(whole.body).toMatchObject([
      { name: 'Bad', people: 2, proved: 1, addressed: 0, lacking: 1 },
      { name: 'Good', people: 1, proved: 1, addressed: 0, lacking: 0 },
    ])
    const page = await admin.get('/readiness/groups?range=[1,1]')
    expect(page.body).toMatchObject([{ name: 'Good' }])
    expect(page.headers.get('content-range')).toMatch(/\/2$/)
    const found = await admin.get(`/readiness/groups?filter=${encodeURIComponent('{"q":"bAD"}')}`)
    expect(found.body).toMatchObject([{ name: 'Bad' }])
    const members = await peopleWith(admin, { groupId: bad, reach: 'LACKING' })
    expect(members).toMatchObject([{ email: without.email, gaps: ['NO_NUMBER'] }])
  })

  test('shows nothing of another organisation, and nothing to people who do not administer', async () => {
    const theirs = await anOrganisation(SUBSCRIBED)
    const their = await signedInAs(theirs, 'ADMIN')
    const person = await aReadyPerson(theirs, '+14165550131')
    const group = await aGroup(their, 'Theirs', [person])
    const test = (await their.post('/readiness/tests', { everybody: true, types: ['EMAIL'] })).body.id
    const org = await anOrganisation(SUBSCRIBED)
    const admin = await signedInAs(org, 'ADMIN')
    expect((await board(admin)).people).toBe(1)
    expect((await admin.get('/readiness/groups')).body).toEqual([])
    expect(await peopleWith(admin, { groupId: group })).toEqual([])
    expect(await testsOf(admin)).toEqual([])
    expect((await admin.get(`/readiness/tests/${test}/groups`)).status).toBe(404)
    for (const role of ['USER', 'BUSINESS_USER', 'PLAYBOOK_MANAGER'] as const)
      expect((await (await signedInAs(org, role)).get('/readiness')).status).toBe(403)
  })

  test('says that a filter or a page is wrong', async () => {
    const admin = await signedInAs(await anOrganisation(SUBSCRIBED), 'ADMIN')
    for (const query of [
      'filter={"gap":"NONE"}',
      'filter={"groupId":"1; drop"}',
      'range=[5,1]',
      'sort=["x","ASC"]',
    ])
      expect((await admin.get(`/readiness/people?${encodeURI(query)}`)).status).toBe(400)
    expect(await peopleWith(admin, { q: "%_' \\ \u202e" })).toEqual([])
  })
})

describe('a communication test', () => {
  async function aTeam(config: object = {}) {
    const org = await anOrganisation({ ...SUBSCRIBED, ...config })
    const admin = await signedInAs(org, 'ADMIN')
    const bo = await aReadyPerson(org, '+14165550141')
    const cy = await aReadyPerson(org, null)
    const external = await aUser(org, { type: 'EXTERNAL' })
    return { org, admin, bo, cy, external }
  }

  test('goes to everybody, is marked as a test everywhere, and keeps its result', async () => {
    const { admin, bo, cy, external } = await aTeam()
    const group = await aGroup(admin, 'Fleet', [bo])
    const started = await admin.post('/readiness/tests', { everybody: true, types: ['EMAIL', 'SMS'] })
    expect([started.status, started.body]).toMatchObject([
      201,
      {
        state: 'SENT',
        isPlanned: false,
        groupNames: [],
        asked: 3,
        answered: 0,
        medianSeconds: null,
        isOpen: true,
      },
    ])
    const mails = await sentTo(admin.email, bo.email, cy.email, external.email)
    expect(mails.map(({ to }) => to).toSorted()).toEqual([admin.email, bo.email, cy.email].toSorted())
    expect(mails[0]!.subject).toMatch(/^TEST: communication test of/)
    expect(mails[0]!.text).toMatch(/TEST: this is a communication test/)
    const [sms] = (await listOutbox(services)).filter(({ to }) => to === '+14165550141')
    expect(sms!.text).toMatch(/\] TEST: nothing has happened/)
    expect(await answers(bo.email)).toMatch(/<div class="exercise">TEST<\/div>/)
    const [test] = await testsOf(admin)
    expect(test).toMatchObject({ asked: 3, answered: 1, notReached: 0 })
    expect(test!.medianSeconds).toBeLessThan(60)
    const groups = await admin.get(`/readiness/tests/${test!.id}/groups`)
    expect(groups.body).toMatchObject([{ id: group, name: 'Fleet', asked: 1, answered: 1 }])
    const kept = (await admin.get(`/massNotification/history/${test!.notificationId}`)).body
    expect(kept).toMatchObject({ isTest: true, isExercise: false, level: 'LOW' })
    expect((await board(admin)).lastTestTimestamp).toBe(kept.createTimestamp)
    expect((await board(admin)).proved).toBe(1)
    // Each mail and each SMS costs one.
    expect((await admin.get('/massNotification')).body.remainingEvents).toBe(96)
    const followed = await admin.post('/massNotification', {
      title: 'Once more',
      emailMessage: 'Please answer.',
      types: ['EMAIL'],
      followUp: { notificationId: test!.notificationId, standing: 'NO_ANSWER' },
    })
    expect(followed.body).toMatchObject({ isTest: true, title: 'TEST: Once more', notifiedCount: 2 })
  })

  test('goes to the members of groups alone, and is refused without whom or how', async () => {
    const { admin, bo, cy } = await aTeam()
    const group = await aGroup(admin, 'Fleet', [bo])
    const started = await admin.post('/readiness/tests', { groupIds: [group], types: ['EMAIL'] })
    expect(started.body).toMatchObject({ groupNames: ['Fleet'], asked: 1 })
    expect(await sentTo(cy.email)).toEqual([])
    const nobody = await admin.post('/readiness/tests', { types: [] })
    expect([nobody.status, Object.keys(nobody.body.fields)]).toEqual([400, ['types', 'groupIds']])
    const gone = await admin.post('/readiness/tests', { groupIds: [crypto.randomUUID()], types: ['EMAIL'] })
    expect([gone.status, Object.keys(gone.body.fields)]).toEqual([400, ['groupIds.0']])
    expect(await testsOf(admin)).toHaveLength(1)
  })

  test('takes from the quota, needs the subscription, and sends nothing otherwise', async () => {
    const poor = await aTeam({ massNotifsMaxEvents: 2 })
    const refused = await poor.admin.post('/readiness/tests', { everybody: true, types: ['EMAIL'] })
    expect([refused.status, refused.body.code]).toEqual([409, 'quota_exceeded'])
    const off = await aTeam({ contactsAndMassNotificationsEnabled: false })
    expect((await off.admin.post('/readiness/tests', { everybody: true, types: ['EMAIL'] })).status).toBe(403)
    expect([await testsOf(poor.admin), await testsOf(off.admin)]).toEqual([[], []])
  })

  test('above the number waits for a second person, and is theirs to send', async () => {
    const { org, admin } = await aTeam({ massNotifsApprovalAbove: 2 })
    const alone = await admin.post('/readiness/tests', { everybody: true, types: ['EMAIL'] })
    expect(alone.status).toBe(409)
    const second = await signedInAs(org, 'ADMIN')
    const started = await admin.post('/readiness/tests', { everybody: true, types: ['EMAIL'] })
    expect(started.body).toMatchObject({ state: 'WAITING', notificationId: null, asked: 0 })
    const approved = await second.post(`/massNotification/approval/${started.body.approvalId}/approve`)
    expect(approved.body.state).toBe('APPROVED')
    expect(await testsOf(admin)).toMatchObject([
      { state: 'SENT', asked: 4, notificationId: approved.body.notificationId },
    ])
    const history = await admin.get(`/massNotification/history/${approved.body.notificationId}`)
    expect(history.body).toMatchObject({ isTest: true, approvedBy: second.email })
    const next = await admin.post('/readiness/tests', { everybody: true, types: ['EMAIL'] })
    await second.post(`/massNotification/approval/${next.body.approvalId}/refuse`, { reason: 'Not now' })
    expect((await testsOf(admin))[0]).toMatchObject({ state: 'NOT_APPROVED' })
    expect((await board(admin)).testProblem).toMatch(/did not approve/)
  })
})

describe('a plan', () => {
  const ZONE = 'America/Toronto'
  /** The plan of an organisation, its next moment, and the job of that moment. */
  function planOf(org: Organisation, admin: Caller, whom: object) {
    const set = (more: object = {}) =>
      admin.put('/readiness/plan', { enabled: true, ...whom, types: ['EMAIL'], version: 0, ...more })
    const nextOf = () =>
      inside(org, async (db) => {
        const { rows } = await sql<{ at: string }>`
          select next_timestamp as at from communication_test_plans`.execute(db)
        return rows[0]?.at ?? null
      })
    /** Runs the job as often as said, with the clock so long after its moment, and sets the clock back. */
    const run = async (times = 1, after = 0) => {
      const at = (await nextOf())!
      const moved = vi.spyOn(clock, 'now').mockReturnValue(Date.parse(at) + after)
      await inside(org, (db) =>
        services.jobs.enqueue(db, 'communication-tests', ...Array.from({ length: times }, () => ({ at }))),
      )
      await vi.waitFor(async () => expect(await nextOf()).not.toBe(at), { timeout: 20_000, interval: 100 })
      moved.mockRestore()
      return at
    }
    return { set, nextOf, run }
  }
  async function aPlan(config: object = {}, whom: object = { everybody: true }) {
    const org = await anOrganisation({ ...SUBSCRIBED, timeZone: ZONE, ...config })
    const admin = await signedInAs(org, 'ADMIN')
    return { org, admin, ...planOf(org, admin, whom) }
  }

  test('draws a moment of the working hours, and tells the month alone', async () => {
    const { admin, set, nextOf } = await aPlan()
    const saved = await set()
    const next = (await nextOf())!
    expect(isWorkingTime(Date.parse(next), ZONE)).toBe(true)
    expect(saved.body).toEqual({
      enabled: true,
      everybody: true,
      groups: [],
      groupsGone: 0,
      types: ['EMAIL'],
      setBy: admin.email,
      version: 1,
      nextMonth: next.slice(0, 7),
    } satisfies TestPlan)
    // Saving again brings it no nearer.
    await set({ version: 1, types: ['EMAIL', 'SMS'] })
    expect(await nextOf()).toBe(next)
    const off = await set({ version: 2, enabled: false })
    expect([off.body.nextMonth, await nextOf()]).toEqual([null, null])
  })

  test('is not overwritten by somebody who saw another one, nor set to what could not be sent', async () => {
    const { set } = await aPlan()
    const both = await Promise.all([set(), set()])
    expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409])
    expect((await set({ version: 7 })).status).toBe(409)
    const wrong = await set({ version: 1, everybody: false, groupIds: [crypto.randomUUID()] })
    expect([wrong.status, Object.keys(wrong.body.fields)]).toEqual([400, ['groupIds.0']])
  })

  test('sends one test each month in the name of the person who set it, however often its job runs', async () => {
    const { admin, set, nextOf, run } = await aPlan()
    await set()
    const first = await run(3)
    expect(await testsOf(admin)).toMatchObject([{ isPlanned: true, state: 'SENT', createdBy: admin.email }])
    expect(await sentTo(admin.email)).toHaveLength(1)
    const second = (await nextOf())!
    expect(second.slice(0, 7)).toBe(monthAfter(first))
    expect(isWorkingTime(Date.parse(second), ZONE)).toBe(true)
    await run()
    expect(await testsOf(admin)).toHaveLength(2)
    expect(((await nextOf()) as string).slice(0, 7)).toBe(monthAfter(second))
  })

  test('that was due while nothing ran waits for the next working hours', async () => {
    const { admin, set, nextOf, run } = await aPlan()
    await set()
    const at = Date.parse((await nextOf())!)
    // Midnight of that day in the zone is at most 15 hours later.
    const late = Array.from({ length: 16 }, (_, n) => n * 3_600_000).find(
      (ms) => !isWorkingTime(at + ms, ZONE),
    )!
    await run(1, late)
    expect(await testsOf(admin)).toEqual([])
    expect(isWorkingTime(Date.parse((await nextOf())!), ZONE)).toBe(true)
    await run()
    expect(await testsOf(admin)).toHaveLength(1)
  })

  test('goes on with the groups that are left, and says when none is', async () => {
    const org = await anOrganisation(SUBSCRIBED)
    const admin = await signedInAs(org, 'ADMIN')
    const one = await aReadyPerson(org, null)
    const [kept, gone] = [await aGroup(admin, 'Kept', [one]), await aGroup(admin, 'Gone', [one])]
    const { set, run, nextOf } = planOf(org, admin, { groupIds: [kept, gone] })
    await set()
    await admin.delete(`/useradmin/group/${gone}`)
    expect((await admin.get('/readiness/plan')).body).toMatchObject({
      groups: [{ name: 'Kept' }],
      groupsGone: 1,
    })
    await run()
    expect(await testsOf(admin)).toMatchObject([{ groupNames: ['Kept'], asked: 1 }])
    await admin.delete(`/useradmin/group/${kept}`)
    await run()
    expect((await testsOf(admin))[0]).toMatchObject({
      state: 'FAILED',
      problem: 'None of the selected groups exists any more. Please select others.',
    })
    expect((await board(admin)).testProblem).toMatch(/None of the selected groups/)
    expect(await nextOf()).not.toBeNull()
  })

  test('is kept back, with the reason, once the person may no longer notify or the quota is used up', async () => {
    const { org, set, run } = await aPlan()
    await set()
    const other = await signedInAs(org, 'ADMIN')
    await inside(org, (db) =>
      db.insertInto('mass_notification_usage').values({ used: 100, questions: 0 }).execute(),
    )
    await run()
    expect((await testsOf(other))[0]).toMatchObject({
      state: 'FAILED',
      problem: expect.stringMatching(/remaining/),
    })
    await inside(org, (db) =>
      db.updateTable('users').set({ active: false }).where('id', '<>', other.uuid).execute(),
    )
    await run()
    expect((await testsOf(other))[0]).toMatchObject({ problem: expect.stringMatching(/Save the plan again/) })
  })
})

/** The month after that of a time, such as 2027-01. */
function monthAfter(at: string): string {
  const [year, month] = at.split('-').map(Number)
  return new Date(Date.UTC(year!, month, 1)).toISOString().slice(0, 7)
}
