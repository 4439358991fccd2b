import { afterEach, describe, expect, test, vi } from 'vitest'

import { INVALID_CODE, SIGN_IN_OVER } from '#contract/sessions/schema.ts'
import { MINUTE } from '#server/kit/core/clock.ts'
import { newToken, tokenHash } from '#server/kit/security/secrets.ts'
import { insertStaffSession } from '#server/staff/store.ts'
import { startTestServer } from '#tests/support/server.ts'
import { anAddress, appCode, later, signingIn, statusesOf, stopClock, wrong } from '#tests/support/sign-in.ts'

const muster = await startTestServer({ TRUST_PROXY: '1', STAFF_SECOND_FACTOR: 'required' })
const { mailsTo } = signingIn(muster)
afterEach(() => void vi.restoreAllMocks())

const post = (path: string, body: object, address = anAddress()) =>
  muster.send('POST', `/management-api/management${path}`, {
    body,
    headers: { 'X-Forwarded-For': address },
  })
const me = (token: string) =>
  muster.send('GET', '/management-api/management/me', { headers: { Authorization: `Bearer ${token}` } })
const admin = await muster.signedInAsStaff()

/** Requests a link by mail and opens it. */
async function open(email: string) {
  expect((await post('/login', { email, feUrl: muster.url })).status).toBe(200)
  const link = new URL(/https?:\S+/.exec((await mailsTo(email))[0]!.text)![0])
  return post('/session', { id: link.searchParams.get('id') })
}
const confirm = (token: string, code: string, { enrols = false, address = anAddress() } = {}) =>
  post(
    `/session/confirm${enrols ? '?initConfirmation=true' : ''}`,
    { temporaryAuthenticationToken: token, confirmationCode: code },
    address,
  )
const initQR = (temporaryAuthenticationToken: string) =>
  post('/session/initQR', { temporaryAuthenticationToken })

let counter = 0
/** An invited member, with the pending sign-in of their link. */
async function invited() {
  const email = `member${(counter += 1)}@provider.example`
  const { body } = await admin.post('/staff', { email, role: 'SUPPORT' })
  const { body: pending } = await open(email)
  return { id: body.id as string, email, pending, token: pending.temporaryAuthenticationToken as string }
}
async function enrolled() {
  const member = await invited()
  const { secret } = (await initQR(member.token)).body
  const { body } = await confirm(member.token, appCode(secret, -1), { enrols: true })
  return { ...member, secret: secret as string, session: body }
}

describe('the first sign-in', () => {
  test('opens nothing before an authenticator app is enrolled, and tells the recovery codes once', async () => {
    const { email, pending, token } = await invited()
    expect(pending).toEqual({
      isSuccess: false,
      email,
      temporaryAuthenticationToken: expect.any(String),
      initialized: false,
    })
    expect((await me(token)).status).toBe(401)
    const { body: enrolment } = await initQR(token)
    expect(enrolment.qrCode).toMatch(/^data:image\/png;base64,/)
    expect((await initQR(token)).body.secret).toBe(enrolment.secret)
    // A wrong code, and a correct one without enrolment.
    const code = appCode(enrolment.secret)
    expect((await confirm(token, wrong(code), { enrols: true })).status).toBe(401)
    expect((await confirm(token, code)).status).toBe(401)
    const { status, body } = await confirm(token, code, { enrols: true })
    expect(status).toBe(200)
    expect(body).toMatchObject({ email, role: 'SUPPORT', token: expect.stringMatching(/^mc_/) })
    expect(new Set(body.recoveryCodes).size).toBe(10)
    expect((await me(body.token)).body).toMatchObject({ email, hasAuthenticator: true })
    const again = await confirm(token, appCode(enrolment.secret, 1), { enrols: true })
    expect([again.status, again.body.message]).toEqual([401, SIGN_IN_OVER])
  })

  test('is over after twenty minutes', async () => {
    const { token } = await invited()
    later(20 * MINUTE + 1_000)
    expect((await initQR(token)).body).toMatchObject({ code: 'sign_in_over' })
  })

  test.each(['', 'x', 'A'.repeat(43), 'A'.repeat(500)])('has no token %j', async (token) => {
    expect((await initQR(token)).status).toBe(401)
    expect((await confirm(token, '123456')).status).toBe(401)
  })

  test('enrols one app of two that are confirmed at once', async () => {
    const { token } = await invited()
    const { secret } = (await initQR(token)).body
    const code = appCode(secret)
    const replies = await Promise.all([1, 2].map(() => confirm(token, code, { enrols: true })))
    expect(statusesOf(replies)).toEqual([200, 401])
  })
})

describe('an enrolled app', () => {
  test('is asked for after each link, and a code is taken once', async () => {
    const { email, secret } = await enrolled()
    const { body } = await open(email)
    expect(body.initialized).toBe(true)
    expect((await initQR(body.temporaryAuthenticationToken)).status).toBe(409)
    stopClock(60_000)
    const code = appCode(secret)
    const first = await confirm(body.temporaryAuthenticationToken, code)
    expect(first.status).toBe(200)
    expect(first.body.recoveryCodes).toBeUndefined()
    const next = await open(email)
    const again = await confirm(next.body.temporaryAuthenticationToken, code)
    expect([again.status, again.body.message]).toEqual([401, INVALID_CODE])
  })

  test('is replaced by a recovery code once, which is mailed and in the log', async () => {
    const { id, email, session } = await enrolled()
    const [code] = session.recoveryCodes
    const { body } = await open(email)
    expect((await confirm(body.temporaryAuthenticationToken, code)).status).toBe(200)
    expect((await mailsTo(email))[0]!.subject).toBe(
      'A recovery code was used for the Muster management console',
    )
    const next = await open(email)
    expect((await confirm(next.body.temporaryAuthenticationToken, code)).status).toBe(401)
    const { body: log } = await admin.get('/auditLog')
    expect(log).toContainEqual(
      expect.objectContaining({ noun: 'second-factors', record: id, verb: 'recovery code used' }),
    )
  })

  test('locks out after five wrong codes, a right one and a new link too, until the minute is over', async () => {
    const { email, secret } = await enrolled()
    const { body } = await open(email)
    const token = body.temporaryAuthenticationToken
    stopClock(60_000)
    const code = appCode(secret)
    const tries = []
    for (let n = 0; n < 5; n += 1) tries.push((await confirm(token, wrong(code))).status)
    expect(tries).toEqual([401, 401, 401, 401, 401])
    const refused = await confirm(token, code)
    expect([refused.status, refused.body.msUntilNextAttempt > 0]).toEqual([429, true])
    expect((await open(email)).status).toBe(429)
    stopClock(60_000 + MINUTE + 1_000)
    expect((await confirm(token, appCode(secret))).status).toBe(200)
  })

  test('of another member is reset by an administrator: signed out, told by mail, enrolled anew', async () => {
    const { id, email, session } = await enrolled()
    const reset = () => admin.delete(`/staff/${id}/authenticator`)
    const support = await muster.signedInAsStaff(undefined, 'SUPPORT')
    expect((await support.delete(`/staff/${id}/authenticator`)).status).toBe(403)
    expect((await reset()).status).toBe(204)
    expect((await me(session.token)).status).toBe(401)
    expect((await mailsTo(email))[0]!.subject).toMatch(/was reset$/)
    expect((await open(email)).body.initialized).toBe(false)
    expect((await reset()).status).toBe(409)
    expect((await admin.delete(`/staff/${admin.id}/authenticator`)).status).toBe(409)
    const { body: log } = await admin.get('/auditLog')
    expect(log).toContainEqual(
      expect.objectContaining({
        noun: 'second-factors',
        record: id,
        verb: 'removed',
        actor: expect.objectContaining({ name: admin.email }),
      }),
    )
  })
})

test('a session that began without a second factor is closed where one is required', async () => {
  const token = `mc_${newToken()}`
  const system = { kind: 'system', id: null, name: 'test' } as const
  await muster.services.database.withProvider(system, (db) =>
    insertStaffSession(db, {
      hash: tokenHash(token),
      staff_id: admin.id,
      create_timestamp: new Date().toISOString(),
      expires_timestamp: new Date(Date.now() + 3_600_000).toISOString(),
      has_second_factor: false,
    }),
  )
  expect((await me(token)).status).toBe(401)
})
