import { afterEach, describe, expect, test, vi } from 'vitest'

import { clock, DAY, HOUR } from '#server/kit/core/clock.ts'

import { startTestServer } from '../support/server.ts'

const muster = await startTestServer({ STAFF_EMAILS: 'ops@provider.example, Sales@Provider.example' })
afterEach(() => vi.restoreAllMocks())
const later = (ms: number) => {
  const now = Date.now()
  vi.spyOn(clock, 'now').mockImplementation(() => now + ms)
}

describe('a feature', () => {
  test('is asked for once a day, and the staff hears of it', async () => {
    const invited = await muster.signedInAsStaff()
    const organisation = await muster.anOrganisation()
    const [ana, ben] = [
      await muster.signedInAs(organisation, 'USER'),
      await muster.signedInAs(organisation, 'USER'),
    ]
    const first = await ana.post('/feature/upgrade?name=DIAL_IN')
    expect(first).toMatchObject({ status: 200, body: { name: 'DIAL_IN' } })
    const again = await ben.post('/feature/upgrade?name=DIAL_IN')
    expect(again).toMatchObject({
      status: 429,
      body: { message: 'This feature was already requested recently.' },
    })
    expect(again.body.msUntilNextAttempt).toBeGreaterThan(DAY - HOUR)
    expect((await ben.post('/feature/upgrade?name=MORE_USERS')).status).toBe(200)

    const mails = (await muster.send('GET', '/outbox', { headers: { Accept: 'application/json' } })).body as {
      to: string
      text: string
    }[]
    const theirs = mails.filter(({ text }) => text.includes(organisation.code))
    expect(theirs.map(({ to }) => to).sort()).toEqual([
      'ops@provider.example',
      'ops@provider.example',
      'sales@provider.example',
      'sales@provider.example',
      invited.email,
      invited.email,
    ])
    expect(theirs[0]!.text).toContain(ben.email)
  })

  test('can be asked for again on the next day', async () => {
    const ana = await muster.signedInAs(await muster.anOrganisation(), 'USER')
    await ana.post('/feature/upgrade?name=DIAL_IN')
    later(DAY)
    const token = await muster.services.tokens.issueAccess({
      userId: ana.uuid,
      organisationId: ana.organisation.id,
      sessionId: ana.sessionId,
    })
    const headers = { ...ana.headers, Authorization: `Bearer ${token.token}` }
    const reply = await muster.send('POST', '/feature/upgrade?name=DIAL_IN', { headers })
    expect(reply.status).toBe(200)
  })

  test('of two who ask at once one is told so', async () => {
    const ana = await muster.signedInAs(await muster.anOrganisation(), 'USER')
    const replies = await Promise.all(
      Array.from({ length: 5 }, () => ana.post('/feature/upgrade?name=DIAL_IN')),
    )
    expect(replies.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 429, 429, 429, 429])
  })

  test.each(['', '?name=', '?name=ROOT', '?name=dial_in', '?name=DIAL_IN&name=DIAL_IN'])(
    '%s is nothing that can be asked for',
    async (query) => {
      const ana = await muster.signedInAs(await muster.anOrganisation(), 'USER')
      const reply = await ana.post(`/feature/upgrade${query}`)
      expect(reply.status).toBe(400)
      expect(reply.body.fields).toHaveProperty('name')
    },
  )
})

test('a badge is there until it expires', async () => {
  const ana = await muster.signedInAs(await muster.anOrganisation(), 'USER')
  const { body } = await ana.get('/version/badges')
  expect(body).toEqual([{ path: '/playbooks', label: 'New', expiryTimestamp: expect.any(String) }])
  vi.spyOn(clock, 'now').mockImplementation(() => Date.parse(body[0].expiryTimestamp))
  // By then today's sessions have ended.
  const later = await muster.signedInAs(ana.organisation, 'USER')
  expect((await later.get('/version/badges')).body).toEqual([])
})

describe('child organisations', () => {
  test("are the caller's own, with their own limits", async () => {
    const parent = await muster.anOrganisation({ playbooksSharingEnabled: true })
    const [other, child, limited] = [
      await muster.anOrganisation({ playbooksSharingEnabled: true }),
      await muster.anOrganisation({}, { parentId: parent.id }),
      await muster.anOrganisation(
        { playbookMaxTemplates: 7, playbookEnabled: false },
        { parentId: parent.id },
      ),
    ]
    await muster.anOrganisation({}, { parentId: other.id })
    await muster.anOrganisation({}, { parentId: child.id })
    const { status, body } = await (
      await muster.signedInAs(parent, 'ADMIN')
    ).get('/crossEnterprises/enterprises')
    expect(status).toBe(200)
    expect(body).toHaveLength(2)
    expect(body).toContainEqual({
      enterpriseId: limited.id,
      enterpriseCode: limited.code,
      displayName: `Organisation ${limited.code}`,
      maxTemplates: 7,
      currentTemplates: 0,
      playbookEnabled: false,
    })
    expect(body).toContainEqual(expect.objectContaining({ enterpriseId: child.id, maxTemplates: 3 }))
  })

  test.each([
    ['without children', {}, false],
    ['where sharing is off', { playbooksSharingEnabled: false }, true],
  ])('are told to nobody %s', async (_, config, hasChild) => {
    const organisation = await muster.anOrganisation({ playbooksSharingEnabled: true, ...config })
    if (hasChild) await muster.anOrganisation({}, { parentId: organisation.id })
    const admin = await muster.signedInAs(organisation, 'ADMIN')
    expect((await admin.get('/crossEnterprises/enterprises')).status).toBe(403)
  })
})
