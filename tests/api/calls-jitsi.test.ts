import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

import { createSigner, createVerifier } from 'fast-jwt'
import sharp from 'sharp'
import { afterAll, afterEach, describe, expect, test, vi } from 'vitest'

import type { CallEngine } from '#contract/calls/schema.ts'
import { iceServers } from '#server/calls/engine.flows.ts'
import { clock, HOUR } from '#server/kit/core/clock.ts'

import { startedCall } from '../support/calls.ts'
import { madeRoom } from '../support/chat.ts'
import { type Caller, startTestServer } from '../support/server.ts'

const SECRET = 'the shared secret of the tests'
const muster = await startTestServer({
  JITSI_DOMAIN: 'meet.example.com',
  JITSI_APP_ID: 'muster',
  JITSI_APP_SECRET: SECRET,
})
const plain = await startTestServer()
const token = async (who: Caller, roomId: string): Promise<string> =>
  (await who.get(`/jitsi/accessToken?channelId=${roomId}`)).body.accessToken

/** Uploads a profile picture. Returns its address. */
async function savePicture({ headers }: Caller, { url }: typeof muster): Promise<string> {
  const create = { width: 64, height: 64, channels: 3, background: 'red' } as const
  const form = new FormData()
  form.append('file', new File([await sharp({ create }).png().toBuffer()], 'me.png'))
  const response = await fetch(`${url}/api/profileImage`, { method: 'POST', headers, body: form })
  return ((await response.json()) as { url: string }).url
}

afterEach(() => void vi.restoreAllMocks())

/** The checks of a Jitsi on the token of its room, by another library than the server's. */
const asks = { allowedAud: 'muster', allowedIss: 'muster', allowedSub: 'meet.example.com' }
const opens = (jwt: string, room: string, wanted: object = {}): boolean => {
  try {
    const read = createVerifier({ key: SECRET, algorithms: ['HS256'], ...asks, ...wanted })(jwt) as {
      room: string
    }
    return read.room === room
  } catch {
    return false
  }
}

describe('the token of a call', () => {
  test('opens its room as who asked, with the rights that they have there', async () => {
    const org = await muster.anOrganisation()
    const ana = await muster.signedInAs(org, 'USER', { firstName: 'Ana', lastName: 'Roy' })
    const ben = await muster.signedInAs(org, 'USER', { firstName: 'Ben' })
    const room = await madeRoom(ana, { userIds: [ben.uuid] })
    const { engine } = await startedCall(ana, room.id)
    const { domain, room: name } = engine as CallEngine & { kind: 'jitsi' }
    expect(domain).toBe('meet.example.com')
    expect(name).not.toContain('/')
    const jwt = await token(ana, room.id)
    expect(opens(jwt, name)).toBe(true)
    const read = createVerifier({ key: SECRET, algorithms: ['HS256'], ...asks })(jwt) as {
      exp: number
      nbf: number
      context: { user: object }
    }
    expect(read).toMatchObject({ aud: 'muster', iss: 'muster', sub: 'meet.example.com', room: name })
    expect(read.context.user).toEqual({ id: ana.uuid, name: 'Ana Roy', email: ana.email, moderator: 'true' })
    expect(read.exp * 1_000).toBeGreaterThan(Date.now() + HOUR)
    expect(read.nbf * 1_000).toBeLessThanOrEqual(Date.now())
    const others = createVerifier({ key: SECRET })(await token(ben, room.id)) as typeof read
    expect(others.context.user).toMatchObject({ id: ben.uuid, moderator: 'false' })
  })

  test('names the picture of who asked by an address that the pages of the Jitsi can show', async () => {
    const ana = await muster.signedInAs(await muster.anOrganisation())
    const url = await savePicture(ana, muster)
    const room = await madeRoom(ana)
    await startedCall(ana, room.id)
    const read = createVerifier({ key: SECRET })(await token(ana, room.id)) as {
      context: { user: { avatar: string } }
    }
    const { avatar } = read.context.user
    expect(avatar).toBe(`${muster.url}${url}`)
    const shown = await fetch(avatar)
    expect(shown.status).toBe(200)
    expect(shown.headers.get('content-type')).toBe('image/webp')
    expect(shown.headers.get('cross-origin-resource-policy')).toBe('cross-origin')
    const other = await ana.get('/me')
    expect(other.headers.get('cross-origin-resource-policy')).toBe('same-origin')
    const elsewhere = await plain.signedInAs(await plain.anOrganisation())
    const picture = await fetch(`${plain.url}${await savePicture(elsewhere, plain)}`)
    expect(picture.headers.get('cross-origin-resource-policy')).toBe('same-origin')
  })

  test.each([
    ['another key', (jwt: string, room: string) => opens(jwt, room, { key: 'another secret' })],
    ['another audience', (jwt: string, room: string) => opens(jwt, room, { allowedAud: 'other' })],
    ['another issuer', (jwt: string, room: string) => opens(jwt, room, { allowedIss: 'other' })],
    ['another Jitsi', (jwt: string, room: string) => opens(jwt, room, { allowedSub: 'other.example.com' })],
    ['another room', (jwt: string, room: string) => opens(jwt, `${room}0`)],
    ['another algorithm', (jwt: string, room: string) => opens(jwt, room, { algorithms: ['HS512'] })],
    [
      'a time after its end',
      (jwt: string, room: string) => opens(jwt, room, { clockTimestamp: Date.now() + 5 * HOUR }),
    ],
    [
      'a time before its beginning',
      (jwt: string, room: string) => opens(jwt, room, { clockTimestamp: Date.now() - HOUR }),
    ],
    [
      'a claim that was changed',
      (jwt: string, room: string) => {
        const [head, , signature] = jwt.split('.')
        const [, body] = createSigner({ key: 'x' })({ ...asks, room }).split('.')
        return opens([head, body, signature].join('.'), room)
      },
    ],
  ])('is refused with %s', async (_, isOpen) => {
    const org = await muster.anOrganisation()
    const ana = await muster.signedInAs(org)
    const room = await madeRoom(ana)
    const { engine } = await startedCall(ana, room.id)
    const { room: name } = engine as CallEngine & { kind: 'jitsi' }
    const jwt = await token(ana, room.id)
    expect(opens(jwt, name)).toBe(true)
    expect(isOpen(jwt, name)).toBe(false)
  })

  test('names a room of one organisation and one channel', async () => {
    const names = new Set<string>()
    for (const org of [await muster.anOrganisation(), await muster.anOrganisation()]) {
      const ana = await muster.signedInAs(org)
      for (const room of [await madeRoom(ana), await madeRoom(ana)]) {
        const { engine } = await startedCall(ana, room.id)
        const { room: name } = engine as CallEngine & { kind: 'jitsi' }
        expect(name).toContain(org.id)
        names.add(name)
      }
    }
    expect(names.size).toBe(4)
  })

  test('is for members while there is a call, and where there is a Jitsi', async () => {
    const org = await muster.anOrganisation()
    const [ana, ben] = [await muster.signedInAs(org), await muster.signedInAs(org)]
    const room = await madeRoom(ana)
    const ask = (who: Caller) => who.get(`/jitsi/accessToken?channelId=${room.id}`)
    expect((await ask(ana)).status).toBe(409)
    await startedCall(ana, room.id)
    expect((await ask(ana)).status).toBe(200)
    expect((await ask(ben)).status).toBe(404)
    const stranger = await muster.signedInAs(await muster.anOrganisation())
    expect((await ask(stranger)).status).toBe(404)
    const elsewhere = await plain.signedInAs(await plain.anOrganisation())
    const there = await madeRoom(elsewhere)
    await startedCall(elsewhere, there.id)
    expect((await elsewhere.get(`/jitsi/accessToken?channelId=${there.id}`)).status).toBe(409)
  })

  test('is without a room that of the call that the caller is in', async () => {
    const ana = await muster.signedInAs(await muster.anOrganisation())
    const ask = () => ana.get('/jitsi/accessToken')
    const outside = await ask()
    expect([outside.status, outside.body.message]).toEqual([409, 'You are not in a call.'])
    const [first, second] = [await madeRoom(ana), await madeRoom(ana)]
    const before = await startedCall(ana, first.id)
    await ana.delete(`/calls/${before.call.callId}/participants/${before.participantId}`)
    const { engine, call, participantId } = await startedCall(ana, second.id)
    const { room } = engine as CallEngine & { kind: 'jitsi' }
    expect(opens((await ask()).body.accessToken, room)).toBe(true)
    await ana.delete(`/calls/${call.callId}/participants/${participantId}`)
    expect((await ask()).status).toBe(409)
  })

  test('is not limited to twelve people, who have their own limits there', async () => {
    const ana = await muster.signedInAs(await muster.anOrganisation())
    const room = await madeRoom(ana)
    for (let n = 0; n < 13; n += 1) await startedCall(ana, room.id)
  })
})

test('credentials of TURN servers end by themselves, as coturn reads them', () => {
  vi.spyOn(clock, 'now').mockReturnValue(1_700_000_000_000)
  const config = {
    callStunServers: [],
    callTurnServers: ['turn:turn.example.com:3478?transport=udp', 'turns:turn.example.com:5349'],
    callTurnSecret: 'north',
  }
  // printf %s 1700014400:me | openssl dgst -sha1 -hmac north -binary | base64
  expect(iceServers(config, 'me')).toEqual([
    {
      urls: ['turn:turn.example.com:3478?transport=udp', 'turns:turn.example.com:5349'],
      username: '1700014400:me',
      credential: 'pnevzvkc5JznoBAQ52tbUJ+CJL4=',
    },
  ])
})

describe('dial-in', () => {
  let answer: { status?: number; body: string; headers?: Record<string, string> } = { body: '[]' }
  const asked: string[] = []
  const telephone = createServer((request, response) => {
    asked.push(request.url ?? '')
    const {
      status = 200,
      body,
      headers = {},
    } = request.url?.startsWith('/numbers') ? answer : { body: '{"id":"55501"}' }
    response.writeHead(status, headers).end(body)
  })
  const listening = new Promise<void>((resolve) => void telephone.listen(0, '127.0.0.1', resolve))
  afterAll(() => void telephone.close())

  async function aCall(given: (base: string) => object = () => ({}), on = plain) {
    await listening
    const base = `http://127.0.0.1:${(telephone.address() as AddressInfo).port}`
    const config = { dialInEnabled: true, callDialInNumbersUrl: `${base}/numbers?room=x`, ...given(base) }
    const org = await on.anOrganisation(config)
    const ana = await on.signedInAs(org)
    const room = await madeRoom(ana)
    const { call } = await startedCall(ana, room.id)
    return { ana, room, call, dialIn: () => ana.get(`/calls/${call.callId}/dial-in`) }
  }
  const CANADA = { countryCode: 'CA', tollFree: true, formattedNumber: '+1 833-555-0100' }
  const STATES = { countryCode: 'US', tollFree: true, formattedNumber: '+1 800-555-0101' }

  test.each([
    ['one by one', [CANADA, STATES, { ...CANADA, tollFree: false }, { ...CANADA, countryCode: 'FR' }]],
    [
      'one by one, within an object',
      { numbersEnabled: true, numbers: [CANADA, STATES, null, { tollFree: 1 }] },
    ],
    [
      'by country',
      {
        message: 'Dial',
        numbers: {
          CA: ['+1 833-555-0100', '+1 416-555-0100'],
          US: ['+1 800-555-0101'],
          FR: ['+33 800 000 000'],
        },
      },
    ],
  ])('shows the toll-free numbers of Canada and the United States that are listed %s', async (_, body) => {
    answer = { body: JSON.stringify(body) }
    const { call, dialIn } = await aCall()
    expect(await dialIn()).toMatchObject({
      status: 200,
      body: { pin: call.meetingId, numbers: [CANADA, STATES] },
    })
  })

  test.each([
    ['fails', { status: 500, body: JSON.stringify([CANADA]) }],
    ['answers something else', { body: '<html>' }],
    ['answers nothing known', { body: '{"a":1}' }],
    ['leads elsewhere', { status: 302, body: '', headers: { Location: 'http://127.0.0.1:1/' } }],
    ['answers too much', { body: JSON.stringify([CANADA, 'x'.repeat(300_000)]) }],
  ])('shows no numbers where the service %s', async (_, given) => {
    answer = given
    const { call, dialIn } = await aCall()
    expect(await dialIn()).toMatchObject({ status: 200, body: { pin: call.meetingId, numbers: [] } })
  })

  test('shows the number that the conference mapper has for the call, which is its meeting id from then on', async () => {
    answer = { body: '[]' }
    const { ana, room, dialIn } = await aCall((base) => ({ callDialInMapperUrl: `${base}/mapper?x=1` }))
    expect((await dialIn()).body.pin).toBe('55501')
    expect(asked.some((url) => url.startsWith('/mapper?x=1&conference=muster-'))).toBe(true)
    expect((await ana.get(`/chat/rooms/${room.id}`)).body.callDetails.meetingId).toBe('55501')
  })

  test('names the room to a conference mapper by the domain of the Jitsi', async () => {
    const { room, dialIn } = await aCall((base) => ({ callDialInMapperUrl: `${base}/mapper` }), muster)
    expect((await dialIn()).body.pin).toBe('55501')
    const conference = new URL(asked.at(-1)!, 'http://mapper').searchParams.get('conference')
    expect(conference).toMatch(new RegExp(`^muster-.+-${room.id}@conference\\.meet\\.example\\.com$`))
  })

  test('is refused where the organisation has none, and once the call has ended', async () => {
    const { dialIn, ana, call } = await aCall(() => ({ dialInEnabled: false }))
    expect((await dialIn()).status).toBe(403)
    const other = await aCall()
    await other.ana.delete(`/calls/${other.call.callId}`)
    expect((await other.dialIn()).status).toBe(409)
    expect((await ana.get(`/calls/${call.callId}`)).status).toBe(200)
  })
})
