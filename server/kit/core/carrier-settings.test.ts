import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { describe, expect, test } from 'vitest'

import { readSettings } from './settings.ts'

const HTTP = {
  name: 'acme',
  kind: 'http',
  url: 'https://api.acme.example/messages',
  headers: { Authorization: 'Key ${ACME_KEY}' },
  body: { to: '{{to}}', text: '{{text}}' },
  answer: { id: 'id' },
}
const TWILIO = {
  name: 'twilio',
  kind: 'twilio',
  accountSid: 'AC1',
  authToken: '${TOKEN}',
  from: '+14165550100',
}
const ENV = { ACME_KEY: 'a "key"', TOKEN: 'secret' }
const read = (carriers: unknown, env: Record<string, string> = ENV) =>
  readSettings({
    ...env,
    CARRIERS: typeof carriers === 'string' ? carriers : JSON.stringify(carriers, null, 1),
  })

describe('carriers in an order', () => {
  test('are read with their secrets from the environment, and let a public server start', () => {
    const settings = read([HTTP, TWILIO], { ...ENV, HOST: '0.0.0.0', SMTP_URL: 'smtp://mail.example' })
    expect(settings.keptInOutbox).toEqual([])
    expect(settings.twilio).toBeNull()
    expect(settings.carriers).toMatchObject([
      { name: 'acme', headers: { Authorization: 'Key a "key"' } },
      { name: 'twilio', authToken: 'secret' },
    ])
    expect(readSettings({}).carriers).toBeNull()
  })

  test('are read from a file, which the sentence names', () => {
    const file = join(mkdtempSync(join(tmpdir(), 'carriers-')), 'carriers.json')
    writeFileSync(file, JSON.stringify([HTTP]))
    expect(read(file).carriers).toHaveLength(1)
    writeFileSync(file, '[\n{"name": "acme",\n}]')
    expect(() => read(file)).toThrow(`The file ${file} of the setting CARRIERS is wrong: line 3 is not JSON.`)
    expect(() => read(`${file}.none`)).toThrow('cannot be read: ENOENT.')
  })

  test.each([
    ['[]', 'must be a list of 1 to 20 carriers.'],
    ['{}', 'must be a list of 1 to 20 carriers.'],
    ['[', 'line 1 is not JSON.'],
    [[TWILIO, null], 'carrier 2: it must be twilio, http or simulator.'],
    [[{ ...HTTP, kind: 'pigeon' }], 'line 4, carrier 1 (acme): kind must be twilio, http or simulator.'],
    [[TWILIO, { ...HTTP, name: 'Acme' }], 'line 10, carrier 2 (Acme): name must be lower-case letters'],
    [[TWILIO, TWILIO], 'carrier 2 (twilio): name is that of another carrier.'],
    [[{ ...TWILIO, from: '416' }], 'line 7, carrier 1 (twilio): from must be a phone number'],
    [[{ ...TWILIO, prefixes: ['44'] }], 'prefixes.0 must be a plus sign and digits, such as +44.'],
    [[{ ...TWILIO, colour: 1 }], 'carrier 1 (twilio): colour is not known.'],
    [[{ ...HTTP, ratePerSecond: 0 }], 'ratePerSecond must be a number from 1 to 1000.'],
    [[{ ...HTTP, url: 'http://api.acme.example/' }], 'url must begin with https://'],
    [[{ ...HTTP, url: 'https://10.0.0.7/' }], 'url must begin with https://'],
    [[{ ...HTTP, url: 'file:///etc/passwd', allowPrivate: true }], 'url must begin with https://'],
    [[{ ...HTTP, url: 'https://{{id}}.example/' }], 'url must have its host'],
    [[{ ...HTTP, body: { to: '{{to}}' } }], 'body must have the placeholder {{text}}.'],
    [
      [{ ...HTTP, body: { ...HTTP.body, x: '{{secret}}' } }],
      'the placeholder {{secret}}, which nothing fills in',
    ],
    [[{ ...HTTP, answer: { id: 'a..b' } }], 'answer.id must be a path such as messages.0.id.'],
    [[{ ...HTTP, callback: { secret: 'short' } }], 'callback.secret must be at least 16 characters.'],
    [[{ ...HTTP, callback: { secret: 'with / and a blank' } }], 'callback must have a secret of letters'],
    [
      [{ ...HTTP, lookup: { url: 'https://a.example/', id: 'id' } }],
      'lookup must have {{id}} in its address.',
    ],
  ])('%j are refused in a sentence', (carriers, sentence) => {
    expect(() => read(carriers)).toThrow(sentence)
    expect(() => read(carriers)).toThrow('The setting CARRIERS is wrong: ')
  })

  test('never name a secret, and say which one is missing', () => {
    const { ACME_KEY: _, ...env } = ENV
    expect(() => read([HTTP], env)).toThrow(
      'carrier 1 (acme): it names the environment variable ACME_KEY, which is not set.',
    )
    expect(() => read([HTTP], { ...ENV, SMS: 'off' })).toThrow('SMS is off, although CARRIERS is set.')
  })
})
