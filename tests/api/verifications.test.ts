import { afterEach, describe, expect, test, vi } from 'vitest'

import { LOCKED_OUT } from '#contract/sessions/schema.ts'
import { CODE_INCORRECT } from '#contract/verifications/schema.ts'
import { MINUTE, SECOND } from '#server/kit/core/clock.ts'
import { Refusal } from '#server/kit/core/refusal.ts'
import { requireVerification } from '#server/verifications/flows.ts'
import { type Caller, type Organisation, startTestServer } from '#tests/support/server.ts'
import { anAddress, appCode, later, signingIn, SIX_WRONG, wrong, statusesOf } from '#tests/support/sign-in.ts'

const server = await startTestServer({ TRUST_PROXY: '1' })
const { anOrganisation, aUser, inside, send } = server
const {
  confirm: confirmSignIn,
  upass,
  begin,
  mailsTo,
  mailedCode,
  enrol,
  eventsOf,
  verbsOf,
} = signingIn(server)
afterEach(() => void vi.restoreAllMocks())

const withApp = { auth2fa: true, auth2faType: 'TOTP' } as const
const required = { status: 403, body: { code: 'verification_required' } }
const incorrect = { status: 400, body: { code: 'invalid', message: CODE_INCORRECT } }
const confirm = (who: Pick<Caller, 'post'>, confirmationCode: string, enrols = false) =>
  who.post(`/sfs/2fa/confirm${enrols ? '?initConfirmation=true' : ''}`, { confirmationCode })

/** A signed-in person with an address of their own. */
async function signedInAs(...of: Parameters<typeof server.signedInAs>): Promise<Caller> {
  const me = await server.signedInAs(...of)
  me.headers['X-Forwarded-For'] = anAddress()
  return me
}

/** A person who signed in with an authenticator app. */
async function withAuthenticator(org: Organisation) {
  const user = await aUser(org)
  const { secret, recoveryCodes, session } = await enrol(org, user.email)
  const headers = {
    Authorization: `Bearer ${session.authenticationToken}`,
    'Enterprise-Code': org.code,
    'X-Forwarded-For': anAddress(),
  }
  const ask = (method: string) => (path: string, body?: unknown) => send(method, path, { headers, body })
  return {
    user,
    secret,
    recoveryCodes,
    who: { get: ask('GET'), post: ask('POST'), delete: ask('DELETE'), headers },
  }
}

describe('with an emailed code', () => {
  test('a session is verified for a quarter of an hour, and no other', async () => {
    const org = await anOrganisation()
    const me = await signedInAs(org)
    expect((await me.get('/sfs/2fa')).body).toEqual({
      secondFactorType: 'EMAIL',
      initialized: true,
      confirmationCodeExpiryTimestamp: null,
      newConfirmationCodeExpiryTimestamp: null,
      verifiedUntil: null,
      recoveryCodesLeft: 0,
    })
    const asked = await me.post('/sfs/2fa')
    expect(asked.status).toBe(200)
    expect(asked.body).toMatchObject({ secondFactorType: 'EMAIL', initialized: true, verifiedUntil: null })
    expect(asked.body.confirmationCodeExpiryTimestamp).not.toBeNull()
    const code = await mailedCode(me.email)
    expect(await confirm(me, wrong(code))).toMatchObject(incorrect)
    const verified = await confirm(me, code)
    expect(verified.status).toBe(200)
    expect(Object.keys(verified.body)).toEqual(['verifiedUntil'])
    const lasts = Date.parse(verified.body.verifiedUntil) - Date.now()
    expect(lasts).toBeGreaterThan(14 * MINUTE)
    expect(lasts).toBeLessThanOrEqual(15 * MINUTE)
    expect((await me.get('/sfs/2fa')).body).toMatchObject(verified.body)
    expect(await eventsOf(org, 'second-factors', 'verifications')).toMatchObject([
      { verb: 'code refused', record: me.uuid },
      { verb: 'passed', record: me.sessionId, actor: { name: me.email } },
    ])

    const demand = (sessionId: string) => inside(org, (db) => requireVerification(db, { sessionId }))
    await expect(demand(me.sessionId)).resolves.toBeUndefined()
    const other = await signedInAs(org)
    await expect(demand(other.sessionId)).rejects.toThrow(Refusal)
    later(15 * MINUTE + SECOND)
    await expect(demand(me.sessionId)).rejects.toMatchObject({
      status: 403,
      details: { code: 'verification_required' },
    })
    expect((await me.get('/me')).status).toBe(401)
  })

  test('a code works once, in its own session, for ten minutes', async () => {
    const org = await anOrganisation()
    const me = await signedInAs(org)
    const other = await signedInAs(org)
    await me.post('/sfs/2fa')
    const code = await mailedCode(me.email)
    expect(await confirm(other, code)).toMatchObject(incorrect)
    later(10 * MINUTE + SECOND)
    expect(await confirm(me, code)).toMatchObject(incorrect)
    later(9 * MINUTE)
    const answers = await Promise.all([confirm(me, code), confirm(me, code)])
    expect(statusesOf(answers)).toEqual([200, 400])
    expect(await confirm(me, code)).toMatchObject(incorrect)
  })

  test('another code is mailed after half a minute, and the one before is no longer taken', async () => {
    const org = await anOrganisation()
    const me = await signedInAs(org)
    await me.post('/sfs/2fa')
    const first = await mailedCode(me.email)
    const early = await me.post('/sfs/2fa')
    expect(early.status).toBe(429)
    expect(early.body.msUntilNextAttempt).toBeLessThanOrEqual(30 * SECOND)
    expect(await mailsTo(me.email)).toHaveLength(1)
    later(31 * SECOND)
    expect((await me.post('/sfs/2fa')).status).toBe(200)
    expect(await confirm(me, first)).toMatchObject(incorrect)
    expect((await confirm(me, await mailedCode(me.email))).status).toBe(200)
  })

  test('wrong codes lock out as those of a sign-in do, and count together with them', async () => {
    const org = await anOrganisation({ auth2fa: true, auth2faType: 'EMAIL' })
    const me = await signedInAs(org)
    const token = await begin(org, me.email)
    const signInCode = await mailedCode(me.email)
    for (let n = 0; n < 2; n += 1) expect((await confirmSignIn(token, wrong(signInCode))).status).toBe(401)
    await me.post('/sfs/2fa')
    const code = await mailedCode(me.email)
    for (let n = 0; n < 3; n += 1) expect(await confirm(me, wrong(code))).toMatchObject(incorrect)
    for (const reply of [await confirm(me, code), await confirmSignIn(token, signInCode)]) {
      expect(reply.status).toBe(429)
      expect(reply.body.message).toBe(LOCKED_OUT)
      expect(reply.body.msUntilNextAttempt).toBeGreaterThan(50 * SECOND)
      expect(reply.headers.get('retry-after')).toBeTruthy()
    }
    const mails = await mailsTo(me.email)
    later(31 * SECOND)
    const begun = await me.post('/sfs/2fa')
    expect([begun.status, begun.body.message]).toEqual([429, LOCKED_OUT])
    expect(begun.body.msUntilNextAttempt).toBeLessThanOrEqual(29 * SECOND)
    expect(await mailsTo(me.email)).toEqual(mails)
    // A lockout does not sign out.
    expect((await me.get('/me')).status).toBe(200)
    expect(await verbsOf(org, 'second-factors')).toContain('second-factors: locked out')
    later(MINUTE + SECOND)
    expect((await confirm(me, code)).status).toBe(200)
  })

  test('at the same moment wrong codes get five tries', async () => {
    const org = await anOrganisation()
    const me = await signedInAs(org)
    await me.post('/sfs/2fa')
    const bad = wrong(await mailedCode(me.email))
    const replies = await Promise.all(Array.from({ length: 30 }, () => confirm(me, bad)))
    expect(replies.filter(({ status }) => status === 400)).toHaveLength(5)
    expect(replies.filter(({ status }) => status === 429)).toHaveLength(25)
  })
})

describe('with an authenticator app', () => {
  test('a session is verified by its code, which works once here and at sign-in', async () => {
    const org = await anOrganisation(withApp)
    const { user, secret, who } = await withAuthenticator(org)
    const state = await who.get('/sfs/2fa')
    expect(state.body).toMatchObject({
      secondFactorType: 'TOTP',
      initialized: true,
      confirmationCodeExpiryTimestamp: null,
      recoveryCodesLeft: 10,
    })
    expect((await who.post('/sfs/2fa')).body).toMatchObject({ secondFactorType: 'TOTP', initialized: true })
    const aCode = expect.objectContaining({ subject: expect.stringContaining('Your code') })
    expect(await mailsTo(user.email)).not.toContainEqual(aCode)
    expect(await who.post('/sfs/2fa/initQR')).toMatchObject({
      status: 403,
      body: { message: 'An authenticator app is enrolled already.' },
    })
    later(MINUTE)
    expect(await confirm(who, SIX_WRONG)).toMatchObject(incorrect)
    const code = appCode(secret)
    expect((await confirm(who, code)).status).toBe(200)
    expect(await confirm(who, code)).toMatchObject(incorrect)
    expect((await confirmSignIn(await begin(org, user.email), code)).status).toBe(401)
  })

  test('secure files ask for the app where it is the second factor, though sign-in asks for none', async () => {
    const org = await anOrganisation({ auth2fa: false, auth2faType: 'TOTP', sfs2fa: true })
    const me = await signedInAs(org)
    expect(await me.get('/sfs')).toMatchObject(required)
    expect((await me.post('/sfs/2fa')).body).toMatchObject({ secondFactorType: 'TOTP', initialized: false })
    expect(await mailsTo(me.email)).toEqual([])
    const { secret } = (await me.post('/sfs/2fa/initQR')).body
    expect((await confirm(me, appCode(secret), true)).status).toBe(200)
    expect((await me.get('/sfs')).status).toBe(200)
    expect((await me.delete('/me/authenticator')).status).toBe(409)
  })

  test('a recovery code verifies too, once', async () => {
    const org = await anOrganisation(withApp)
    const { user, recoveryCodes, who } = await withAuthenticator(org)
    expect((await confirm(who, recoveryCodes[3]!)).status).toBe(200)
    expect(await confirm(who, recoveryCodes[3]!)).toMatchObject(incorrect)
    expect((await who.get('/sfs/2fa')).body.recoveryCodesLeft).toBe(9)
    expect((await mailsTo(user.email))[0]!.text).toContain('9 left')
  })

  test('one is enrolled here where the organisation asks for it', async () => {
    const org = await anOrganisation(withApp)
    const me = await signedInAs(org)
    expect((await me.post('/sfs/2fa')).body).toMatchObject({ secondFactorType: 'TOTP', initialized: false })
    const shown = await me.post('/sfs/2fa/initQR')
    expect(shown.body.qrCode).toMatch(/^data:image\/png;base64,/)
    expect((await me.post('/sfs/2fa/initQR')).body).toEqual(shown.body)
    expect(await confirm(me, appCode(shown.body.secret))).toMatchObject(incorrect)
    const enrolled = await confirm(me, appCode(shown.body.secret), true)
    expect(enrolled.status).toBe(200)
    expect(enrolled.body.recoveryCodes).toHaveLength(10)
    expect(await eventsOf(org, 'second-factors', 'verifications')).toMatchObject([
      { verb: 'code refused' },
      { verb: 'enrolled', record: me.uuid },
      { verb: 'passed' },
    ])
  })

  test('a session that could verify otherwise cannot bring an app of its own before it has', async () => {
    const org = await anOrganisation()
    const me = await signedInAs(org)
    expect(await me.post('/sfs/2fa/initQR')).toMatchObject(required)
    expect(await confirm(me, SIX_WRONG, true)).toMatchObject(required)
    await me.post('/sfs/2fa')
    expect((await confirm(me, await mailedCode(me.email))).status).toBe(200)
    const { secret } = (await me.post('/sfs/2fa/initQR')).body
    const enrolled = await confirm(me, appCode(secret), true)
    expect(enrolled.body.recoveryCodes).toHaveLength(10)
    expect((await me.get('/sfs/2fa')).body).toMatchObject({ secondFactorType: 'TOTP', initialized: true })
  })
})

describe('the tokens of a verified session', () => {
  const refresh = (refreshToken: string) =>
    send('POST', '/authentication/refreshToken', { body: { refreshToken } })
  async function signedIn(org: Organisation) {
    const { email } = await aUser(org)
    const session = (await upass(org, email)).body
    return { email, session, who: callerWith(org, session.authenticationToken) }
  }
  const callerWith = (org: Organisation, token: string) => {
    const headers = {
      Authorization: `Bearer ${token}`,
      'Enterprise-Code': org.code,
      'X-Forwarded-For': anAddress(),
    }
    return {
      get: (path: string) => send('GET', path, { headers }),
      post: (path: string, body?: unknown) => send('POST', path, { headers, body }),
    }
  }

  test('are replaced where its refresh token is sent, and the ones before refused', async () => {
    const org = await anOrganisation()
    const { email, session, who } = await signedIn(org)
    await who.post('/sfs/2fa')
    const code = await mailedCode(email)
    const { cueRefreshToken: refreshToken } = session
    const verified = await who.post('/sfs/2fa/confirm', { confirmationCode: code, refreshToken })
    expect(verified.status).toBe(200)
    expect((await who.get('/me')).status).toBe(401)
    const fresh = callerWith(org, verified.body.tokens.authenticationToken)
    expect((await fresh.get('/sfs/2fa')).body.verifiedUntil).toBe(verified.body.verifiedUntil)
    // After a lost response, the previous refresh token leads to its successor once more.
    const again = await refresh(refreshToken)
    expect(again.body.refreshToken).toBe(verified.body.tokens.refreshToken)
    const renewed = await refresh(verified.body.tokens.refreshToken)
    expect((await callerWith(org, renewed.body.authenticationToken).get('/me')).status).toBe(200)
    expect((await fresh.get('/me')).status).toBe(200)
    later(MINUTE)
    expect((await refresh(refreshToken)).status).toBe(401)
    expect((await callerWith(org, renewed.body.authenticationToken).get('/me')).status).toBe(401)
  })

  test('stay where none is sent, one of another session, or the code is wrong', async () => {
    const org = await anOrganisation()
    const { email, session, who } = await signedIn(org)
    const other = await signedIn(org)
    await who.post('/sfs/2fa')
    const code = await mailedCode(email)
    const { cueRefreshToken: refreshToken } = session
    const mistyped = { confirmationCode: wrong(code), refreshToken }
    expect(await who.post('/sfs/2fa/confirm', mistyped)).toMatchObject(incorrect)
    const foreign = { confirmationCode: code, refreshToken: other.session.cueRefreshToken }
    const verified = await who.post('/sfs/2fa/confirm', foreign)
    expect(Object.keys(verified.body)).toEqual(['verifiedUntil'])
    expect((await who.get('/me')).status).toBe(200)
    expect((await refresh(refreshToken)).status).toBe(200)
    expect((await refresh(other.session.cueRefreshToken)).status).toBe(200)
  })
})

describe('what needs a verification', () => {
  test('new recovery codes replace the old ones', async () => {
    const org = await anOrganisation(withApp)
    const { user, secret, recoveryCodes, who } = await withAuthenticator(org)
    expect(await who.post('/me/recoveryCodes')).toMatchObject(required)
    later(MINUTE)
    await confirm(who, appCode(secret))
    const renewed = await who.post('/me/recoveryCodes')
    expect(renewed.status).toBe(200)
    const codes = renewed.body.recoveryCodes as string[]
    expect(codes).toHaveLength(10)
    expect(codes.filter((code) => recoveryCodes.includes(code))).toEqual([])
    const token = await begin(org, user.email)
    expect((await confirmSignIn(token, recoveryCodes[0]!)).status).toBe(401)
    expect((await confirmSignIn(token, codes[0]!)).status).toBe(200)
    expect(await verbsOf(org, 'second-factors')).toContain('second-factors: recovery codes renewed')
    expect((await mailsTo(user.email)).map(({ subject }) => subject)).toContainEqual(
      expect.stringMatching(/^Recovery codes were renewed for Organisation /),
    )
  })

  test('the authenticator app is removed, unless the organisation asks for one', async () => {
    const org = await anOrganisation(withApp)
    const { user, secret, who } = await withAuthenticator(org)
    expect(await who.delete('/me/authenticator')).toMatchObject(required)
    later(MINUTE)
    await confirm(who, appCode(secret))
    expect((await who.delete('/me/authenticator')).status).toBe(409)
    await server.services.database.pool.query('update organisations set config = $1 where id = $2', [
      JSON.stringify({ auth2fa: false }),
      org.id,
    ])
    expect((await who.delete('/me/authenticator')).status).toBe(204)
    expect((await who.get('/sfs/2fa')).body).toMatchObject({
      secondFactorType: 'EMAIL',
      recoveryCodesLeft: 0,
    })
    expect((await who.delete('/me/authenticator')).status).toBe(409)
    expect((await who.post('/me/recoveryCodes')).status).toBe(409)
    expect(await verbsOf(org, 'second-factors')).toContain('second-factors: removed')
    // Enrolling and removing an app are mailed, so that neither goes unnoticed.
    expect((await mailsTo(user.email)).map(({ subject }) => subject)).toEqual([
      expect.stringMatching(/^The authenticator app was removed for Organisation /),
      expect.stringMatching(/^An authenticator app was set up for Organisation /),
    ])
    const kept = await inside(org, (db) => db.selectFrom('recovery_codes').selectAll().execute())
    expect(kept.filter((row) => row.user_id === user.uuid)).toEqual([])
  })

  test('is over with the session', async () => {
    const org = await anOrganisation()
    const me = await signedInAs(org)
    await me.post('/sfs/2fa')
    await confirm(me, await mailedCode(me.email))
    await me.post('/authentication/logout')
    const demanded = inside(org, (db) => requireVerification(db, { sessionId: me.sessionId }))
    await expect(demanded).rejects.toThrow(Refusal)
    expect((await me.get('/sfs/2fa')).status).toBe(401)
  })

  test('an API key has no session that could be verified', async () => {
    const org = await anOrganisation()
    const admin = await signedInAs(org, 'ADMIN')
    const { body } = await admin.post('/apiManagement/credentials', { name: 'Robot' })
    const headers = { 'X-Api-Key': body.key as string }
    for (const [method, path] of [
      ['GET', '/sfs/2fa'],
      ['POST', '/sfs/2fa'],
      ['POST', '/me/recoveryCodes'],
      ['DELETE', '/me/authenticator'],
    ] as const)
      expect((await send(method, path, { headers })).status).toBe(403)
    const demanded = inside(org, (db) => requireVerification(db, { sessionId: null }))
    await expect(demanded).rejects.toThrow(Refusal)
  })
})

test('an API key, or somebody else, does not learn of codes that wait', async () => {
  const org = await anOrganisation()
  const me = await signedInAs(org)
  await me.post('/sfs/2fa')
  const code = await mailedCode(me.email)
  const rows = await inside(org, (db) => db.selectFrom('verifications').selectAll().execute())
  expect(JSON.stringify(rows)).not.toContain(`"${code}"`)
  expect(JSON.stringify(await eventsOf(org, 'verifications', 'second-factors'))).not.toContain(code)
})
