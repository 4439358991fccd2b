import { SignJWT } from 'jose'
import { beforeAll, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'

import { deriveKey, readSecret } from '#server/kit/security/secrets.ts'
import { type Caller, startTestServer } from '#tests/support/server.ts'

const muster = await startTestServer()
let key: Buffer
let person: Caller
beforeAll(async () => {
  // Signs test tokens with the installation's own key, like the product's.
  key = deriveKey((await readSecret(null, muster.dataDir))!, 'access tokens')
  person = await muster.signedInAs(await muster.anOrganisation())
})

const seconds = (ms: number) => Math.floor(ms / 1_000)
function claimsOf(): Record<string, unknown> {
  const { uuid, organisation, sessionId } = person
  return {
    sub: uuid,
    org: organisation.id,
    sid: sessionId,
    exp: seconds(Date.now()) + 600,
    jti: crypto.randomUUID(),
  }
}
const sign = (claims: Record<string, unknown>, audience = 'access') =>
  new SignJWT(claims).setProtectedHeader({ alg: 'HS256' }).setAudience(audience).sign(key)
const without = (name: string) => {
  const { [name]: _, ...rest } = claimsOf()
  return rest
}

const me = async (token: string) =>
  (await muster.send('GET', '/me', { headers: { ...person.headers, Authorization: `Bearer ${token}` } }))
    .status

/** The live socket's response to a ticket: its first message, or the close code. */
const open = (ticket: string) =>
  new Promise<string | number>((resolve) => {
    const socket = new WebSocket(`${muster.url.replace('http', 'ws')}/api/live`)
    socket.on('open', () => socket.send(JSON.stringify({ ticket, after: null })))
    socket.on('message', (data: Buffer) => {
      resolve((JSON.parse(data.toString()) as { type: string }).type)
      socket.close()
    })
    socket.on('close', (code) => resolve(code))
  })

const LACKING = ['exp', 'sub', 'org', 'sid'].map((name) => [`lacks ${name}`, () => without(name)] as const)
const WRONG = [
  ['has an id that is none', () => ({ ...claimsOf(), sid: "x' or true --" })],
  ['has a number for an id', () => ({ ...claimsOf(), org: 7 })],
  ['is over', () => ({ ...claimsOf(), exp: seconds(Date.now()) - 1 })],
] as const

describe('a token with the right signature', () => {
  test('opens the door with everything that it needs', async () => {
    expect(await me(await sign(claimsOf()))).toBe(200)
    expect(await open(await sign(claimsOf(), 'live'))).toBe('ready')
  })

  test.each([...LACKING, ...WRONG])('is refused when it %s', async (_, claims) => {
    expect(await me(await sign(claims()))).toBe(401)
    expect(await open(await sign(claims(), 'live'))).toBe(4001)
  })

  test('is refused for another purpose, and a ticket without its id as well', async () => {
    expect(await me(await sign(claimsOf(), 'live'))).toBe(401)
    expect(await open(await sign(claimsOf()))).toBe(4001)
    expect(await open(await sign(without('jti'), 'live'))).toBe(4001)
  })
})
