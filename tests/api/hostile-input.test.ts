import { connect } from 'node:net'

import { describe, expect, test } from 'vitest'

import { BODY_LIMIT, BODY_LIMIT_LISTS, isJson, pathOf } from '#contract/kit/endpoint.ts'
import { saysSomething } from '#contract/incidents/schema.ts'
import { APIS } from '#server/nouns.ts'

import { startTestServer } from '../support/server.ts'
import { largestBody, plainValueOf, textFieldsOf, withField } from '../support/text-fields.ts'

const muster = await startTestServer()
const organisation = await muster.anOrganisation({
  contactsAndMassNotificationsEnabled: true,
  groupsEnabled: true,
  multiIncident: true,
  playbooksSharingEnabled: true,
})
await muster.anOrganisation({}, { parentId: organisation.id })
const admin = await muster.signedInAs(organisation, 'ADMIN')

const MEGABYTE = 1_048_576
const AWKWARD = [
  '<', '>', '&', '"', "'", '\\', '/', '@', '.', '-', '(', ' ', '\t', '\n', '\u0000', '\u200b', '\u202e', 'e\u0301', '😀', '\ud800',
] // prettier-ignore
/** Characters and markup that parsers may stumble over. */
const MARKUP = ['<', '<a x=y ', "<a x='", '<p><', '&lt;', '&', '\n ', '😀', 'http://', '](']
const nameOf = (character: string) =>
  Array.from(character, (one) => `U+${one.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`).join(
    ' ',
  )
const repeated = (character: string, length: number) =>
  character.repeat(Math.ceil(length / character.length)).slice(0, length)

const endpoints = Object.entries(APIS).flatMap(([noun, api]) =>
  Object.entries(api).map(([name, endpoint]) => ({ name: `${noun}.${name}`, endpoint })),
)
const withBody = endpoints.flatMap(({ name, endpoint }) =>
  endpoint.body && isJson(endpoint.body) ? [{ name, endpoint, body: endpoint.body }] : [],
)
const params = {
  id: '00000000-0000-4000-8000-000000000000',
  uuid: '00000000-0000-4000-8000-000000000000',
  code: 'none',
  name: 'Nobody',
}

test('there are endpoints and texts to try', () => {
  expect(withBody.length).toBeGreaterThan(20)
  expect(withBody.flatMap(({ body }) => textFieldsOf(body)).length).toBeGreaterThan(60)
})

describe.each(withBody)('the body of $name', ({ endpoint, body }) => {
  test('has a bound for everything in it, and what it takes fits its limit', () => {
    const limit = endpoint.bodyLimit ?? BODY_LIMIT
    expect(largestBody(body)).not.toBeNaN()
    expect(limit).toBeLessThanOrEqual(BODY_LIMIT_LISTS)
    // Only bodies with lists of thousands may be longer than the limit.
    if (limit < BODY_LIMIT_LISTS) expect(largestBody(body)).toBeLessThanOrEqual(limit)
  })

  // A check that is not linear would take minutes for one of these.
  test('refuses a megabyte of any awkward character in any text', () => {
    const value = plainValueOf(body)
    for (const character of AWKWARD) {
      const long = repeated(character, MEGABYTE)
      for (const { path } of textFieldsOf(body)) {
        // Optional texts of nothing but space count as empty.
        if (long.trim() === '') continue
        const parsed = body.safeParse(withField(value, path, long))
        expect(parsed.success, `${path.join('.')} with ${nameOf(character)}`).toBe(false)
      }
    }
  })
})

test('whether rich text says anything is decided in linear time', () => {
  for (const part of ['<', '<p', '&nbsp', '<p><', '&', '< >'])
    expect(saysSomething(part.repeat(MEGABYTE / 4))).toBe(part !== '< >')
})

const withText = withBody.filter(({ body }) => textFieldsOf(body).length > 0)
describe.each(withText)('sent to $name, a megabyte of text', ({ endpoint, body }) => {
  const path = pathOf(endpoint, params)
  const send = (sent: string) =>
    muster
      .send(endpoint.method, path, {
        headers: { ...admin.headers, 'Content-Type': 'application/json' },
        raw: sent,
      })
      .then(({ status }) => status)
      // The server refuses before it has read the body, which resets the connection.
      .catch(() => 413)

  test('is refused', async () => {
    const fields = textFieldsOf(body)
    // Bodies beyond the limit are not read.
    const status = (endpoint.bodyLimit ?? BODY_LIMIT) > MEGABYTE ? 400 : 413
    const all = AWKWARD.join('')
    const long = repeated(
      all,
      Math.floor((MEGABYTE / fields.length / JSON.stringify(all).length) * all.length),
    )
    const sent = JSON.stringify(
      fields.reduce((value, { path: field }) => withField(value, field, long), plainValueOf(body)),
    )
    expect(await send(sent)).toBe(status)
  })

  test('as much of it as each text takes, breaks nothing', async () => {
    const value = plainValueOf(body)
    const fields = textFieldsOf(body).filter(({ max }) => (max ?? 0) > 1_000)
    for (const character of MARKUP)
      for (const { path: field, max } of fields) {
        const sent = JSON.stringify(withField(value, field, repeated(character, max!)))
        expect(await send(sent), `${field.join('.')} with ${nameOf(character)}`).toBeLessThan(500)
      }
  })
})

/** First line of the response to a request that announces a body and never sends it. */
function answerBeforeBody(headers: Record<string, string>): Promise<string> {
  const { port } = new URL(muster.url)
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), '127.0.0.1')
    const lines = Object.entries({
      Host: `127.0.0.1:${port}`,
      'Content-Type': 'application/json',
      ...headers,
    })
    socket.write(
      `POST /api/incident HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`,
    )
    socket.once('data', (data) => {
      resolve(String(data).split('\r\n')[0]!)
      socket.destroy()
    })
    socket.once('error', reject)
  })
}

describe('a long body is not read before its sender is proven', () => {
  const madeUp = `mk_${Buffer.alloc(16, 7).toString('base64url')}_${Buffer.alloc(32, 7).toString('base64url')}`
  const long = { 'Content-Length': String(5 * MEGABYTE) }
  const inChunks = { 'Transfer-Encoding': 'chunked' }
  const { headers: ofAdmin } = admin

  test.each([
    ['a made-up API key', { 'X-Api-Key': madeUp }],
    ['nobody', {}],
    ['a session of another organisation', { ...ofAdmin, 'Enterprise-Code': 'another' }],
  ])('of %s', async (_, headers) => {
    for (const announced of [long, inChunks])
      expect(await answerBeforeBody({ ...headers, ...announced })).toMatch(/ 401 /)
  })

  test('of somebody without the permission', async () => {
    const reader = await muster.signedInAs(organisation, 'BUSINESS_USER')
    for (const announced of [long, inChunks])
      expect(await answerBeforeBody({ ...reader.headers, ...announced })).toMatch(/ 403 /)
  })

  test('and beyond its limit of nobody', async () => {
    const huge = { 'Content-Length': String(BODY_LIMIT_LISTS + 1) }
    expect(await answerBeforeBody({ ...ofAdmin, ...huge })).toMatch(/ 413 /)
    expect(await answerBeforeBody({ 'X-Api-Key': madeUp, ...huge })).toMatch(/ 401 /)
  })
})
