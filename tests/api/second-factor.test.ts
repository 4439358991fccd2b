import { Secret, URI } from 'otpauth'
import { PNG } from 'pngjs'
import { afterEach, describe, expect, test, vi } from 'vitest'

import { INVALID_CODE, SIGN_IN_OVER } from '#contract/sessions/schema.ts'
import { MINUTE, SECOND } from '#server/kit/core/clock.ts'
import { sealToken } from '#server/kit/security/secrets.ts'
import { startTestServer } from '#tests/support/server.ts'
import {
  anAddress,
  appCode,
  later,
  signingIn,
  SIX_WRONG,
  stopClock,
  statusesOf,
} from '#tests/support/sign-in.ts'

const server = await startTestServer({ TRUST_PROXY: '1' })
const { anOrganisation, aUser, inside, send, signedInAs } = server
const { upass, confirm, resend, initQR, mailsTo, mailedCode, enrol, begin, as, eventsOf, verbsOf } =
  signingIn(server)
afterEach(() => void vi.restoreAllMocks())

const withApp = { auth2fa: true, auth2faType: 'TOTP' } as const
const withEmail = { auth2fa: true, auth2faType: 'EMAIL' } as const
const invalid = { code: 'unauthenticated', message: INVALID_CODE }
const over = { code: 'sign_in_over', message: SIGN_IN_OVER }

describe('an emailed code', () => {
  async function waiting() {
    const org = await anOrganisation(withEmail)
    const user = await aUser(org)
    const { status, body } = await upass(org, user.email)
    expect(status).toBe(200)
    return { org, user, body, token: body.temporaryAuthenticationToken as string }
  }

  test('is asked for instead of a session, and mailed at once', async () => {
    const { org, user, body } = await waiting()
    expect(Object.keys(body).sort()).toEqual([
      'confirmationCodeExpiryTimestamp',
      'initialized',
      'isSuccess',
      'newConfirmationCodeExpiryTimestamp',
      'secondFactorType',
      'temporaryAuthenticationToken',
    ])
    expect(body).toMatchObject({ isSuccess: false, initialized: true, secondFactorType: 'EMAIL' })
    const fromNow = (time: string) => Date.parse(time) - Date.now()
    expect(fromNow(body.confirmationCodeExpiryTimestamp)).toBeLessThanOrEqual(10 * MINUTE)
    expect(fromNow(body.confirmationCodeExpiryTimestamp)).toBeGreaterThan(9 * MINUTE)
    expect(fromNow(body.newConfirmationCodeExpiryTimestamp)).toBeLessThanOrEqual(30 * SECOND)
    const [mail, ...others] = await mailsTo(user.email)
    expect(others).toEqual([])
    expect(mail!.text.match(/\b\d{4}\b/g)).toHaveLength(1)
    expect(mail!.html).toContain(await mailedCode(user.email))
    expect(await verbsOf(org, 'sessions')).toEqual([])
    const [row] = await inside(org, (db) => db.selectFrom('users').selectAll().execute())
    expect(row!.last_login_timestamp).toBeNull()
  })

  test('signs in, once', async () => {
    const { org, user, token } = await waiting()
    const code = await mailedCode(user.email)
    const { status, body } = await confirm(token, code)
    expect(status).toBe(200)
    expect(body).toMatchObject({ isSuccess: true, uuid: user.uuid, user: { email: user.email } })
    expect(body.recoveryCodes).toBeUndefined()
    expect((await as(org, body).get('/me')).status).toBe(200)
    expect(await confirm(token, code)).toMatchObject({ status: 401, body: over })
    expect(await resend(token)).toMatchObject({ status: 401, body: over })
    expect(await eventsOf(org, 'sessions')).toMatchObject([{ verb: 'started', actor: { name: user.email } }])
  })

  test('may be typed in groups', async () => {
    const { user, token } = await waiting()
    const code = await mailedCode(user.email)
    expect((await confirm(token, ` ${code.slice(0, 2)}-${code.slice(2)} `)).status).toBe(200)
  })

  test('ends after ten minutes', async () => {
    const { user, token } = await waiting()
    const code = await mailedCode(user.email)
    later(10 * MINUTE + SECOND)
    expect(await confirm(token, code)).toMatchObject({ status: 401, body: invalid })
    later(10 * MINUTE - SECOND)
    expect((await confirm(token, code)).status).toBe(200)
  })

  test('that has ended can be asked for again, until the sign-in itself is over', async () => {
    const { user, token } = await waiting()
    later(19 * MINUTE)
    expect((await resend(token)).status).toBe(200)
    const code = await mailedCode(user.email)
    later(19 * MINUTE + 20 * MINUTE + SECOND)
    expect(await confirm(token, code)).toMatchObject({ status: 401, body: over })
    expect(await resend(token)).toMatchObject({ status: 401, body: over })
    later(19 * MINUTE + 10 * MINUTE - SECOND)
    expect((await confirm(token, code)).status).toBe(200)
  })

  test('gives way to another one, which can be asked for after half a minute', async () => {
    const { user, body, token } = await waiting()
    const early = await resend(token)
    expect(early.status).toBe(429)
    expect(early.body.msUntilNextAttempt).toBeGreaterThan(25 * SECOND)
    expect(Number(early.headers.get('retry-after'))).toBeGreaterThan(25)
    const first = await mailedCode(user.email)
    later(31 * SECOND)
    const again = await resend(token)
    expect(again.status).toBe(200)
    for (const name of ['confirmationCodeExpiryTimestamp', 'newConfirmationCodeExpiryTimestamp'])
      expect(Date.parse(again.body[name]) - Date.parse(body[name])).toBeGreaterThanOrEqual(30 * SECOND)
    expect(Object.keys(again.body)).toHaveLength(2)
    const second = await mailedCode(user.email)
    expect(second).not.toBe(first)
    expect((await resend(token)).status).toBe(429)
    // A new code extends the pending sign-in to its own validity.
    later(10 * MINUTE + 20 * SECOND)
    expect(await confirm(token, first)).toMatchObject({ status: 401, body: invalid })
    expect((await confirm(token, second)).status).toBe(200)
  })

  test('is good for its own sign-in only', async () => {
    const { org, user, token } = await waiting()
    const code = await mailedCode(user.email)
    const other = await aUser(org)
    const othersToken = await begin(org, other.email)
    const mySecond = await begin(org, user.email)
    const othersCode = await mailedCode(other.email)
    if (othersCode !== code) {
      expect((await confirm(othersToken, code)).body).toEqual(invalid)
      expect((await confirm(token, othersCode)).body).toEqual(invalid)
    }
    expect((await mailedCode(user.email)) === code || (await confirm(mySecond, code)).status === 401).toBe(
      true,
    )
    expect((await confirm(token, code)).status).toBe(200)
    expect((await confirm(othersToken, othersCode)).status).toBe(200)
  })

  test('at the same moment twice signs in once', async () => {
    const { org, user, token } = await waiting()
    const code = await mailedCode(user.email)
    const answers = await Promise.all([1, 2, 3, 4].map(() => confirm(token, code)))
    expect(statusesOf(answers)).toEqual([200, 401, 401, 401])
    expect(await verbsOf(org, 'sessions')).toEqual(['sessions: started'])
  })

  test('is not mailed more than ten times a minute to one person', async () => {
    const org = await anOrganisation(withEmail)
    const user = await aUser(org)
    for (let n = 0; n < 10; n += 1) expect((await upass(org, user.email)).status).toBe(200)
    const refused = await upass(org, user.email)
    expect(refused.status).toBe(429)
    expect(refused.body.msUntilNextAttempt).toBeGreaterThan(0)
    expect(await mailsTo(user.email)).toHaveLength(10)
    later(MINUTE + SECOND)
    expect((await upass(org, user.email)).status).toBe(200)
  })

  test('is nothing that the database tells', async () => {
    const { org, user, token } = await waiting()
    const code = await mailedCode(user.email)
    const rows = await inside(org, (db) => db.selectFrom('pending_sign_ins').selectAll().execute())
    const text = JSON.stringify(rows)
    expect(text).not.toContain(token)
    expect(text).not.toContain(`"${code}"`)
    expect(rows[0]!.code_hash).toMatch(/^[0-9a-f]{64}$/)
  })
})

describe('an authenticator app', () => {
  test('is enrolled by the first sign-in', async () => {
    const org = await anOrganisation(withApp)
    const user = await aUser(org)
    const begun = await upass(org, user.email)
    expect(begun.body).toMatchObject({
      isSuccess: false,
      initialized: false,
      secondFactorType: 'TOTP',
      confirmationCodeExpiryTimestamp: null,
      newConfirmationCodeExpiryTimestamp: null,
    })
    const token = begun.body.temporaryAuthenticationToken as string
    const shown = await initQR(token)
    expect(shown.status).toBe(200)
    const { secret, qrCode } = shown.body as { secret: string; qrCode: string }
    expect(Secret.fromBase32(secret).bytes).toHaveLength(20)
    const image = PNG.sync.read(Buffer.from(qrCode.replace('data:image/png;base64,', ''), 'base64'))
    expect(image.width).toBe(image.height)
    expect(image.width).toBeGreaterThan(200)
    expect((await initQR(token)).body).toEqual(shown.body)

    expect((await confirm(token, SIX_WRONG, { enrols: true })).body).toEqual(invalid)
    expect((await confirm(token, appCode(secret))).body).toEqual(invalid)
    const code = appCode(secret)
    const { status, body } = await confirm(token, code, { enrols: true })
    expect(status).toBe(200)
    expect(body).toMatchObject({ isSuccess: true, uuid: user.uuid })
    expect(new Set(body.recoveryCodes).size).toBe(10)
    for (const recoveryCode of body.recoveryCodes) expect(recoveryCode).toMatch(/^\d{10}$/)
    expect(await verbsOf(org, 'second-factors')).toEqual([
      'second-factors: code refused',
      'second-factors: code refused',
      'second-factors: enrolled',
    ])

    const next = await upass(org, user.email)
    expect(next.body).toMatchObject({ isSuccess: false, initialized: true, secondFactorType: 'TOTP' })
    const again = next.body.temporaryAuthenticationToken as string
    expect(await initQR(again)).toMatchObject({ status: 409 })
    expect((await confirm(again, code)).body).toEqual(invalid)
    later(30 * SECOND)
    const signedIn = await confirm(again, appCode(secret))
    expect(signedIn.status).toBe(200)
    expect(signedIn.body.recoveryCodes).toBeUndefined()
  })

  test('is named by its code as one of Muster', async () => {
    const org = await anOrganisation(withApp)
    const user = await aUser(org)
    const { sealed, uri } = await inside(org, async () => {
      const { enrolmentUri, newSecret } = await import('#server/second-factors/flows.ts')
      const secret = newSecret(server.services, user.uuid)
      const person = {
        kind: 'person' as const,
        id: user.uuid,
        email: user.email,
        firstName: 'Ana',
        organisation: { code: org.code, displayName: 'Org' },
      }
      return { sealed: secret, uri: enrolmentUri(server.services, secret, person) }
    })
    expect(uri).toMatch(/^otpauth:\/\/totp\/Muster:/)
    const read = URI.parse(uri)
    expect(read.issuer).toBe('Muster')
    expect(read.label).toContain(user.email)
    expect(server.services.secrets.open(sealed, user.uuid)).toBe(read.secret.base32)
    expect(() => server.services.secrets.open(sealed, crypto.randomUUID())).toThrow()
    expect(sealed.toString('latin1')).not.toContain(read.secret.base32)
  })

  test('has a clock of its own, half a minute off at most', async () => {
    const org = await anOrganisation(withApp)
    const user = await aUser(org)
    const { secret } = await enrol(org, user.email)
    stopClock(5 * MINUTE)
    const token = await begin(org, user.email)
    for (const off of [-3, -2, 2, 3]) expect((await confirm(token, appCode(secret, off))).status).toBe(401)
    expect((await confirm(token, appCode(secret, -1))).status).toBe(200)
    // Later codes are still valid, earlier ones are not.
    expect((await confirm(await begin(org, user.email), appCode(secret, 1))).status).toBe(200)
    expect((await confirm(await begin(org, user.email), appCode(secret))).status).toBe(401)
  })

  test('shows codes that work once, also in two sign-ins at the same moment', async () => {
    const org = await anOrganisation(withApp)
    const user = await aUser(org)
    const { secret } = await enrol(org, user.email)
    later(MINUTE)
    const tokens = [await begin(org, user.email), await begin(org, user.email), await begin(org, user.email)]
    const code = appCode(secret)
    const answers = await Promise.all(tokens.map((token) => confirm(token, code)))
    expect(statusesOf(answers)).toEqual([200, 401, 401])
  })

  test('of somebody else is of no use', async () => {
    const org = await anOrganisation(withApp)
    const [ana, bo] = [await aUser(org), await aUser(org)]
    const [anas, bos] = [await enrol(org, ana.email), await enrol(org, bo.email)]
    later(MINUTE)
    const token = await begin(org, ana.email)
    expect((await confirm(token, appCode(bos.secret))).body).toEqual(invalid)
    expect((await confirm(token, bos.recoveryCodes[0]!)).body).toEqual(invalid)
    expect((await confirm(token, appCode(anas.secret))).status).toBe(200)
  })

  test('is enrolled with a secret that another sign-in of the same person does not learn', async () => {
    const org = await anOrganisation(withApp)
    const user = await aUser(org)
    const [one, two] = [await begin(org, user.email), await begin(org, user.email)]
    const [first, second] = [(await initQR(one)).body.secret, (await initQR(two)).body.secret]
    expect(first).not.toBe(second)
    expect((await confirm(one, appCode(second), { enrols: true })).status).toBe(401)
    expect((await confirm(one, appCode(first), { enrols: true })).status).toBe(200)
    expect((await initQR(two)).status).toBe(409)
    expect((await confirm(two, appCode(second), { enrols: true })).status).toBe(401)
  })

  test('is enrolled once, whatever happens at the same moment', async () => {
    const org = await anOrganisation(withApp)
    const user = await aUser(org)
    const tokens = [await begin(org, user.email), await begin(org, user.email)]
    const secrets = await Promise.all(tokens.map(async (token) => (await initQR(token)).body.secret))
    const answers = await Promise.all(
      tokens.map((token, n) => confirm(token, appCode(secrets[n]), { enrols: true })),
    )
    expect(statusesOf(answers)).toEqual([200, 401])
    const verbs = await verbsOf(org, 'second-factors')
    expect(verbs.filter((verb) => verb.endsWith('enrolled'))).toHaveLength(1)
  })

  test('needs its secret to be shown before', async () => {
    const org = await anOrganisation(withApp)
    const user = await aUser(org)
    const token = await begin(org, user.email)
    expect((await confirm(token, SIX_WRONG, { enrols: true })).body).toEqual(invalid)
  })

  test('has no codes to be mailed, and an emailed code nothing to enrol', async () => {
    const [org, mailing] = [await anOrganisation(withApp), await anOrganisation(withEmail)]
    const [user, mailed] = [await aUser(org), await aUser(mailing)]
    expect((await resend(await begin(org, user.email))).status).toBe(400)
    expect((await initQR(await begin(mailing, mailed.email))).status).toBe(400)
    expect(await mailsTo(user.email)).toEqual([])
  })
})

describe('a recovery code', () => {
  test('takes the place of the app once, and the person is told', async () => {
    const org = await anOrganisation(withApp)
    const user = await aUser(org)
    const { recoveryCodes } = await enrol(org, user.email)
    const [first, second] = recoveryCodes as [string, string]
    const grouped = `${first.slice(0, 5)} ${first.slice(5)}`
    expect((await confirm(await begin(org, user.email), grouped)).status).toBe(200)
    const [mail] = await mailsTo(user.email)
    expect(mail!.subject).toMatch(/recovery code was used/i)
    expect(mail!.text).toMatch(/A recovery code was used .*, 9 left/)
    const token = await begin(org, user.email)
    expect((await confirm(token, first)).body).toEqual(invalid)
    expect((await confirm(token, second)).status).toBe(200)
    expect(await eventsOf(org, 'second-factors')).toMatchObject([
      { verb: 'enrolled' },
      { verb: 'recovery code used', changes: { left: { from: 10, to: 9 } } },
      { verb: 'code refused' },
      { verb: 'recovery code used', changes: { left: { from: 9, to: 8 } } },
    ])
    const kept = await inside(org, (db) => db.selectFrom('recovery_codes').selectAll().execute())
    expect(JSON.stringify(kept)).not.toContain(first)
  })

  test('at the same moment in two sign-ins works in one', async () => {
    const org = await anOrganisation(withApp)
    const user = await aUser(org)
    const [code] = (await enrol(org, user.email)).recoveryCodes
    const tokens = [await begin(org, user.email), await begin(org, user.email)]
    const answers = await Promise.all(tokens.map((token) => confirm(token, code!)))
    expect(statusesOf(answers)).toEqual([200, 401])
  })
})

describe('a temporary token', () => {
  test('opens nothing by itself', async () => {
    const org = await anOrganisation(withApp)
    const user = await aUser(org)
    const token = await begin(org, user.email)
    const headers = { Authorization: `Bearer ${token}`, 'Enterprise-Code': org.code }
    for (const path of ['/me', '/incident', '/sfs/2fa'])
      expect((await send('GET', path, { headers })).status).toBe(401)
    const refreshed = await send('POST', '/authentication/refreshToken', { body: { refreshToken: token } })
    expect(refreshed.status).toBe(401)
  })

  test('that is not genuine, or of another organisation, is over', async () => {
    const [org, other] = [await anOrganisation(withEmail), await anOrganisation(withEmail)]
    const user = await aUser(org)
    const token = await begin(org, user.email)
    const code = await mailedCode(user.email)
    const moved = token.replace(/_[\w-]{22}_/, /_[\w-]{22}_/.exec(sealToken('mp', other.id).token)![0])
    for (const bad of ['', 'garbage', moved, sealToken('mp', org.id).token, token.replace('mp_', 'mr_')]) {
      expect(await confirm(bad, code), bad).toMatchObject({ status: 401, body: over })
      expect((await resend(bad)).status).toBe(401)
      expect((await initQR(bad)).status).toBe(401)
    }
    expect((await confirm(token, code)).status).toBe(200)
  })

  test('ends when its user is archived, banned, or has set another password', async () => {
    const org = await anOrganisation(withEmail)
    const admin = await signedInAs(org, 'ADMIN')
    const [archived, banned, changed] = [await aUser(org), await aUser(org), await aUser(org)]
    const tokens = []
    for (const { email } of [archived, banned, changed]) tokens.push(await begin(org, email))
    await admin.delete(`/useradmin/user/${archived.uuid}`)
    await inside(org, async (db) => {
      await db.updateTable('users').set({ banned: true }).where('id', '=', banned.uuid).execute()
      const { setPassword } = await import('#server/sessions/passwords.flows.ts')
      await setPassword(db, changed.uuid, 'another hash')
    })
    for (const [n, { email }] of [archived, banned, changed].entries())
      expect(await confirm(tokens[n]!, await mailedCode(email))).toMatchObject({ status: 401, body: over })
    // Reactivation does not restore the pending sign-in.
    await admin.post(`/useradmin/user/${archived.uuid}`)
    expect((await confirm(tokens[0]!, await mailedCode(archived.email))).status).toBe(401)
  })

  test.each([
    [{}, ['confirmationCode', 'temporaryAuthenticationToken']],
    [{ confirmationCode: '12a4', temporaryAuthenticationToken: 'x' }, ['confirmationCode']],
    [{ confirmationCode: 1234, temporaryAuthenticationToken: 'x' }, ['confirmationCode']],
    [{ confirmationCode: '1'.repeat(41), temporaryAuthenticationToken: 'x' }, ['confirmationCode']],
    [
      { confirmationCode: '1234', temporaryAuthenticationToken: 'x'.repeat(501) },
      ['temporaryAuthenticationToken'],
    ],
  ])('%j is bad input', async (body, fields) => {
    const answer = await send('POST', '/authentication/confirm', { body })
    expect(answer.status).toBe(400)
    expect(Object.keys(answer.body.fields)).toEqual(fields)
  })
})

test('a wrong password is refused as ever where a second factor is asked for, and no code is mailed', async () => {
  const org = await anOrganisation(withEmail)
  const user = await aUser(org)
  const address = anAddress()
  const refused = [
    await upass(org, user.email, { password: 'Wrong-horse-9', address }),
    await upass(org, 'nobody@example.com', { address }),
  ]
  expect(refused.map(({ status }) => status)).toEqual([401, 401])
  expect(refused[0]!.body).toEqual(refused[1]!.body)
  expect(await mailsTo(user.email)).toEqual([])
})
