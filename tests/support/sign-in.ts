import { Secret, TOTP } from 'otpauth'
import { expect, vi } from 'vitest'

import { clock } from '#server/kit/core/clock.ts'
import { listOutbox } from '#server/kit/messages/outbox-messages.ts'

import { type Organisation, PASSWORD, type TestServer } from './server.ts'

let addresses = 0
/** A new client address. */
export const anAddress = (): string => {
  addresses += 1
  return `198.18.${Math.floor(addresses / 250)}.${(addresses % 250) + 1}`
}

/** Moves the server's clock; `vi.restoreAllMocks` resets it. */
export const later = (ms: number) => vi.spyOn(clock, 'now').mockImplementation(() => Date.now() + ms)

/** Stops the server's clock, so that no TOTP step passes between two calls. */
export const stopClock = (ms = 0) => vi.spyOn(clock, 'now').mockReturnValue(Date.now() + ms)

/** The app's code, `steps` steps of 30 seconds ahead or back. */
export const appCode = (secret: string, steps = 0): string =>
  new TOTP({ secret: Secret.fromBase32(secret), digits: 6, period: 30 }).generate({
    timestamp: clock.now() + steps * 30_000,
  })
/** Another code of the same length. */
export const wrong = (code: string): string =>
  String((Number(code) + 1) % 10 ** code.length).padStart(code.length, '0')

/** The statuses of responses, sorted. */
export const statusesOf = (replies: readonly { status: number }[]): number[] =>
  replies.map(({ status }) => status).toSorted((a, b) => a - b)

export const SIX_WRONG = '000000'

/** Sign-in calls for a test server that trusts its proxy, each with a client address. */
export function signingIn({ send, services, inside }: TestServer) {
  const post = (path: string, body: object, address: string, headers: Record<string, string> = {}) =>
    send('POST', path, { body, headers: { 'X-Forwarded-For': address, ...headers } })

  const upass = (
    org: Organisation,
    email: string,
    { password = PASSWORD, address = anAddress() }: { password?: string; address?: string } = {},
  ) => post('/authentication/upass', { email, password, enterpriseCode: org.code }, address)
  const confirm = (
    temporaryAuthenticationToken: string,
    confirmationCode: string,
    {
      enrols = false,
      address = anAddress(),
      headers = {},
    }: { enrols?: boolean; address?: string; headers?: Record<string, string> } = {},
  ) =>
    post(
      `/authentication/confirm${enrols ? '?initConfirmation=true' : ''}`,
      { confirmationCode, temporaryAuthenticationToken },
      address,
      headers,
    )
  const resend = (temporaryAuthenticationToken: string) =>
    post('/authentication/resend', { temporaryAuthenticationToken }, anAddress())
  const initQR = (temporaryAuthenticationToken: string) =>
    post('/authentication/initQR', { temporaryAuthenticationToken }, anAddress())

  /** Mails to an address, newest first. */
  const mailsTo = async (email: string) => (await listOutbox(services)).filter(({ to }) => to === email)
  /** The code in the newest mail that has one. */
  async function mailedCode(email: string): Promise<string> {
    for (const { text } of await mailsTo(email)) {
      const code = /code (\d{4})\b/.exec(text)?.[1]
      if (code) return code
    }
    throw new Error(`No code was mailed to ${email}.`)
  }

  /** Signs a person in for the first time and enrols an authenticator app. */
  async function enrol(org: Organisation, email: string) {
    const begun = await upass(org, email)
    expect(begun.body).toMatchObject({ isSuccess: false, initialized: false, secondFactorType: 'TOTP' })
    const token = begun.body.temporaryAuthenticationToken as string
    const { secret } = (await initQR(token)).body as { secret: string }
    const { status, body } = await confirm(token, appCode(secret), { enrols: true })
    expect(status).toBe(200)
    return { secret, recoveryCodes: body.recoveryCodes as string[], session: body }
  }
  /** A sign-in with a correct password, pending its code. Returns the token. */
  const begin = async (org: Organisation, email: string): Promise<string> =>
    (await upass(org, email)).body.temporaryAuthenticationToken as string

  const as = (org: Organisation, session: { authenticationToken: string }) => {
    const headers = {
      Authorization: `Bearer ${session.authenticationToken}`,
      'Enterprise-Code': org.code,
    }
    return { get: (path: string) => send('GET', path, { headers }), headers }
  }
  const eventsOf = (org: Organisation, ...nouns: string[]) =>
    inside(org, (db) =>
      db
        .selectFrom('events')
        .select(['noun', 'verb', 'record', 'changes', 'actor'])
        .where('noun', 'in', nouns)
        .orderBy('sequence')
        .execute(),
    )
  const verbsOf = async (org: Organisation, ...nouns: string[]) =>
    (await eventsOf(org, ...nouns)).map(({ noun, verb }) => `${noun}: ${verb}`)

  return { upass, confirm, resend, initQR, mailsTo, mailedCode, enrol, begin, as, eventsOf, verbsOf, post }
}
