import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

import { describe, expect, onTestFinished, test } from 'vitest'

import { readSettings } from './settings.ts'

const SMTP = { SMTP_URL: 'smtp://mail.example' }
const TWILIO = { TWILIO_ACCOUNT_SID: 'AC1', TWILIO_AUTH_TOKEN: 'secret', TWILIO_FROM: '+14165550100' }
const PUBLIC = { HOST: '0.0.0.0' }

describe('a telephone provider', () => {
  test('is used where all that it needs is set', () => {
    expect(readSettings({}).twilio).toBeNull()
    expect(readSettings({ ...TWILIO, TWILIO_BASE_URL: '' }).twilio).toEqual({
      accountSid: 'AC1',
      authToken: 'secret',
      from: '+14165550100',
      baseUrl: 'https://api.twilio.com',
    })
    const elsewhere = readSettings({ ...TWILIO, TWILIO_BASE_URL: 'http://127.0.0.1:9/' })
    expect(elsewhere.twilio!.baseUrl).toBe('http://127.0.0.1:9')
  })

  test.each([
    [
      { ...TWILIO, TWILIO_FROM: '' },
      'TWILIO_FROM is missing, although TWILIO_ACCOUNT_SID and TWILIO_AUTH_TOKEN are set.',
    ],
    [
      { TWILIO_BASE_URL: 'https://x.example' },
      'TWILIO_ACCOUNT_SID, TWILIO_AUTH_TOKEN and TWILIO_FROM are missing, although TWILIO_BASE_URL is set.',
    ],
    [
      { ...TWILIO, TWILIO_FROM: '416 555 0100' },
      'The setting TWILIO_FROM is wrong: must be a phone number, as a plus sign and digits.',
    ],
  ])('%j is refused in a sentence', (env, sentence) => {
    expect(() => readSettings(env)).toThrow(sentence)
  })
})

describe('a mailbox of mails that came back', () => {
  test('is a URL with a user and a password, which no sentence repeats', () => {
    const url = 'imaps://bounces%40muster.example:secret@imap.example.com:993/INBOX'
    expect(readSettings({ BOUNCES_IMAP_URL: url }).bouncesUrl).toBe(url)
    expect(readSettings({}).bouncesUrl).toBeNull()
    for (const wrong of [url.replace('imaps', 'https'), 'imaps://imap.example.com', 'secret'])
      expect(() => readSettings({ BOUNCES_IMAP_URL: wrong })).toThrow(
        'The setting BOUNCES_IMAP_URL is wrong: must be a URL such as imaps://user:password@imap.example.com/INBOX.',
      )
  })
})

describe('a Jitsi', () => {
  const JITSI = { JITSI_DOMAIN: 'Meet.Example.com', JITSI_APP_ID: 'muster', JITSI_APP_SECRET: 'shared' }
  test('carries calls where all that it needs is set', () => {
    expect(readSettings({}).jitsi).toBeNull()
    expect(readSettings(JITSI).jitsi).toEqual({
      domain: 'meet.example.com',
      appId: 'muster',
      appSecret: 'shared',
    })
  })

  test.each([
    [
      { JITSI_DOMAIN: 'meet.example.com' },
      'JITSI_APP_ID and JITSI_APP_SECRET are missing, although JITSI_DOMAIN is set.',
    ],
    [
      { ...JITSI, JITSI_DOMAIN: "meet.example.com; script-src 'unsafe-inline'" },
      'The setting JITSI_DOMAIN is wrong: must be a host name, such as meet.example.com.',
    ],
    [
      { ...JITSI, JITSI_DOMAIN: 'https://meet.example.com' },
      'The setting JITSI_DOMAIN is wrong: must be a host name, such as meet.example.com.',
    ],
  ])('%j is refused in a sentence', (env, sentence) => {
    expect(() => readSettings(env)).toThrow(sentence)
  })
})

describe('where others can reach the server', () => {
  test.each([
    [
      {},
      'mail, SMS and voice calls would only be kept in the outbox. Set SMTP_URL, TWILIO_ACCOUNT_SID, TWILIO_AUTH_TOKEN and TWILIO_FROM so',
    ],
    [SMTP, 'but SMS and voice calls would only be kept'],
    [TWILIO, 'but mail would only be kept in the outbox. Set SMTP_URL so'],
  ])('no transport may be an outbox: with %j', (env, sentence) => {
    expect(() => readSettings({ ...PUBLIC, ...env })).toThrow(sentence)
    expect(readSettings({ ...PUBLIC, ...env, ALLOW_OUTBOX: '1' }).host).toBe('0.0.0.0')
    expect(readSettings({ ...env, HOST: '::1' }).host).toBe('::1')
  })

  test('SMS and voice calls may be off, and then mail alone is needed', () => {
    const settings = readSettings({ ...PUBLIC, ...SMTP, SMS: 'off' })
    expect(settings).toMatchObject({ host: '0.0.0.0', offersSms: false, keptInOutbox: [] })
    expect(() => readSettings({ ...PUBLIC, SMS: 'off' })).toThrow(
      'but mail would only be kept in the outbox. Set SMTP_URL so',
    )
    expect(() => readSettings({ ...TWILIO, SMS: 'off' })).toThrow('SMS is off, although TWILIO_ACCOUNT_SID')
    expect(() => readSettings({ SMS: 'on' })).toThrow('The setting SMS is wrong: must be off, or not set.')
  })

  test.each(['muster', 'Muster <muster>', 'a@b.example, c@d.example', 'A\nB <a@b.example>'])(
    'MAIL_FROM is no %j',
    (from) => expect(() => readSettings({ MAIL_FROM: from })).toThrow('The setting MAIL_FROM is wrong'),
  )

  test('it may listen when every message is sent', () => {
    expect(readSettings({ ...PUBLIC, ...SMTP, ...TWILIO })).toMatchObject({ host: '0.0.0.0' })
  })
})

describe('a public address of the product', () => {
  const BEHIND = { PUBLIC_URL: 'https://muster.example' }
  test('needs services for every message, or a word that the outbox is wanted', () => {
    expect(() => readSettings(BEHIND)).toThrow(
      'The setting PUBLIC_URL is https://muster.example, which others can reach, but mail, SMS and voice calls would',
    )
    expect(() => readSettings({ ...BEHIND, ...SMTP })).toThrow('but SMS and voice calls would only be kept')
    expect(readSettings({ ...BEHIND, ...SMTP, ...TWILIO }).keptInOutbox).toEqual([])
    expect(readSettings({ ...BEHIND, ALLOW_OUTBOX: '1' }).keptInOutbox).toHaveLength(3)
  })

  test.each(['http://localhost:8080', 'http://127.0.0.1', 'http://[::1]:3000', 'http://muster.localhost'])(
    'is not %s',
    (url) => expect(readSettings({ PUBLIC_URL: url }).demo).toBe(true),
  )

  test.each([
    [{}, true, true],
    [{ ...BEHIND, ALLOW_OUTBOX: '1' }, false, false],
    [{ DATABASE_URL: 'postgresql://db/muster' }, false, false],
    [{ DATABASE_URL: 'postgresql://db/muster', DEMO: '1' }, true, true],
    // Without demonstration data, with one staff account.
    [{ DEMO: '0' }, false, true],
  ])('or a database server makes no demonstration unless told: %j', (env, demo, hasStaff) => {
    const settings = readSettings(env)
    expect(settings.demo).toBe(demo)
    expect(settings.staffEmails).toEqual(hasStaff ? ['staff@muster.example'] : [])
  })

  test('may know the other installations of its provider', () => {
    const of = (CONSOLE_ENVIRONMENTS: string) => readSettings({ CONSOLE_ENVIRONMENTS }).environments
    expect(of('Staging=https://staging.example/, Production CA-1=https://ca.example')).toEqual({
      Staging: 'https://staging.example',
      'Production CA-1': 'https://ca.example',
    })
    for (const wrong of [
      'Elsewhere=https://a.example',
      'Staging',
      'Staging=javascript:1',
      'Local=https://a.example',
    ])
      expect(() => of(wrong)).toThrow('CONSOLE_ENVIRONMENTS')
  })
})

describe('a converter of documents', () => {
  test('is a program by its whole path', () => {
    expect(readSettings({}).officeConverter).toBeNull()
    expect(readSettings({ OFFICE_CONVERTER: '/bin/sh' }).officeConverter).toBe('/bin/sh')
    for (const path of ['/nowhere/soffice', 'sh', '/bin', import.meta.filename])
      expect(() => readSettings({ OFFICE_CONVERTER: path })).toThrow(
        'The setting OFFICE_CONVERTER is wrong: must be the path of a program, such as /usr/bin/soffice.',
      )
  })
})

describe('a plan of backups', () => {
  test('is a folder and a key file, together', async () => {
    const keyFile = join(await mkdtemp(join(tmpdir(), 'muster-key-')), 'key')
    onTestFinished(() => rm(dirname(keyFile), { recursive: true }))
    await writeFile(keyFile, '# public key\nage1something\n')
    expect(readSettings({}).backups).toBeNull()
    const given = { BACKUP_TO: '/backups', BACKUP_KEY_FILE: keyFile }
    expect(readSettings(given).backups).toEqual({
      folder: '/backups',
      keyFile,
      hours: 2,
      minutes: 0,
      keep: 7,
    })
    expect(readSettings({ ...given, BACKUP_AT: '23:45', BACKUP_KEEP: '30' }).backups).toMatchObject({
      hours: 23,
      minutes: 45,
      keep: 30,
    })
    for (const [wrong, sentence] of [
      [{ BACKUP_TO: '/backups' }, 'BACKUP_KEY_FILE is missing, although BACKUP_TO is set.'],
      [{ BACKUP_KEY_FILE: keyFile }, 'BACKUP_TO is missing, although BACKUP_KEY_FILE is set.'],
      [{ ...given, BACKUP_TO: 'backups' }, 'The setting BACKUP_TO is wrong: must be the path of a folder'],
      [{ ...given, BACKUP_KEY_FILE: import.meta.filename }, 'The setting BACKUP_KEY_FILE is wrong'],
      [{ ...given, BACKUP_AT: '24:00' }, 'The setting BACKUP_AT is wrong: must be a time of the day'],
      [{ ...given, BACKUP_KEEP: '0' }, 'The setting BACKUP_KEEP is wrong: must be a number from 1 to 999'],
    ] as const)
      expect(() => readSettings(wrong)).toThrow(sentence)
  })
})
