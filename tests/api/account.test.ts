import { readdir } from 'node:fs/promises'
import { join } from 'node:path'

import { pino } from 'pino'
import sharp from 'sharp'
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest'

import { clock, HOUR } from '#server/kit/core/clock.ts'
import { ActivityLog } from '#server/users/activity.flows.ts'
import { holdVerification, updateVerification } from '#server/verifications/store.ts'

import { type Caller, PASSWORD, startTestServer } from '../support/server.ts'

const muster = await startTestServer()
const organisation = await muster.anOrganisation()
const OTHERS = 'Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0'
const PHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1'

const aPerson = () => muster.signedInAs(organisation)
const signIn = (email: string, password = PASSWORD, userAgent = OTHERS) =>
  muster.send('POST', '/authentication/upass', {
    headers: { 'User-Agent': userAgent },
    body: { email, password, enterpriseCode: organisation.code },
  })
/** Signs in once more, as from another device. */
async function aDevice(email: string, userAgent = OTHERS, password = PASSWORD) {
  const { status, body } = await signIn(email, password, userAgent)
  expect(status).toBe(200)
  const headers = {
    Authorization: `Bearer ${body.authenticationToken}`,
    'Enterprise-Code': organisation.code,
    'User-Agent': userAgent,
  }
  return {
    headers,
    refreshToken: body.cueRefreshToken as string,
    get: (path: string) => muster.send('GET', path, { headers }),
  }
}
async function send(caller: Caller, path: string, bytes: Uint8Array | string, name = 'me.png') {
  const form = new FormData()
  form.append('file', new File([bytes as BlobPart], name))
  const response = await fetch(`${muster.url}/api${path}`, {
    method: 'POST',
    headers: caller.headers,
    body: form,
  })
  const content = Buffer.from(await response.arrayBuffer())
  const isJson = response.headers.get('content-type')?.includes('json')
  return {
    status: response.status,
    headers: response.headers,
    content,
    body: isJson ? JSON.parse(content.toString()) : undefined,
  }
}
const save = (caller: Caller, bytes: Uint8Array | string, name?: string) =>
  send(caller, '/profileImage', bytes, name)
const preview = (caller: Caller, bytes: Uint8Array | string, name?: string) =>
  send(caller, '/profileImage/convertedImagePreview', bytes, name)
const fetchPicture = (url: string) => fetch(new URL(url, muster.url))
const me = async (caller: Caller) => (await caller.get('/me')).body.user
const eventsOf = (caller: Caller) =>
  muster.inside(organisation, (db) =>
    db
      .selectFrom('events')
      .select(['verb', 'changes', 'actor'])
      .where('noun', '=', 'users')
      .where('record', '=', caller.uuid)
      .orderBy('sequence')
      .execute(),
  )
async function blobFiles(): Promise<number> {
  const entries = await readdir(join(muster.dataDir, 'files'), {
    recursive: true,
    withFileTypes: true,
  }).catch(() => [])
  return entries.filter((entry) => entry.isFile()).length
}

afterEach(() => vi.restoreAllMocks())

describe('what people change of themselves', () => {
  test('a phone number is kept as a plus sign and digits, echoed and noted', async () => {
    const person = await aPerson()
    const { status, body } = await person.patch('/me', { phoneNumber: '+1 (416) 555-0123' })
    expect(status).toBe(200)
    expect(body).toMatchObject({ uuid: person.uuid, phoneNumber: '+14165550123' })
    expect((await me(person)).phoneNumber).toBe('+14165550123')
    expect(await eventsOf(person)).toMatchObject([
      {
        verb: 'updated',
        actor: { id: person.uuid },
        changes: { phoneNumber: { from: null, to: '+14165550123' } },
      },
    ])
    await person.patch('/me', { phoneNumber: '+14165550123' })
    expect(await eventsOf(person)).toHaveLength(1)
  })

  test.each(['+1', ' +1 ', '', '+', null])('%j takes the number away', async (phoneNumber) => {
    const person = await aPerson()
    await person.patch('/me', { phoneNumber: '+14165550123' })
    expect((await person.patch('/me', { phoneNumber })).body.phoneNumber).toBeNull()
  })

  test.each([
    '+1 234',
    '020 7946 0960',
    '+14165550123456789',
    '+999123456789',
    'call me',
    7,
    {},
    ['+14165550123'],
  ])('%j is no number, and the one before stays', async (phoneNumber) => {
    const person = await aPerson()
    await person.patch('/me', { phoneNumber: '+14165550123' })
    const { status, body } = await person.patch('/me', { phoneNumber })
    const sentence = 'Please enter a valid phone number.'
    expect({ status, body }).toMatchObject({
      status: 400,
      body: { message: sentence, fields: { phoneNumber: sentence } },
    })
    expect((await me(person)).phoneNumber).toBe('+14165550123')
  })

  test('an administrator whose form is older than the number is told so', async () => {
    const admin = await muster.signedInAs(organisation, 'ADMIN')
    const person = await aPerson()
    const { body: form } = await admin.get(`/useradmin/user/${person.uuid}`)
    await person.patch('/me', { phoneNumber: '+14165550123' })
    const reply = await admin.put(`/useradmin/user/${person.uuid}`, { ...form, location: 'Ottawa' })
    expect(reply).toMatchObject({ status: 409, body: { code: 'stale' } })
  })

  test('the terms are accepted once, and not taken back', async () => {
    const person = await aPerson()
    await muster.inside(organisation, (db) =>
      db.updateTable('users').set({ accepted_terms: false }).where('id', '=', person.uuid).execute(),
    )
    expect((await me(person)).acceptedTerms).toBe(false)
    expect((await person.patch('/me', { acceptedTerms: true })).body.acceptedTerms).toBe(true)
    for (const acceptedTerms of [false, null, 'true', 1])
      expect((await person.patch('/me', { acceptedTerms })).status).toBe(400)
    await person.patch('/me', { acceptedTerms: true })
    expect((await me(person)).acceptedTerms).toBe(true)
    expect((await eventsOf(person)).map(({ verb }) => verb)).toEqual(['terms accepted'])
  })

  test('what is not theirs to change stays', async () => {
    const person = await aPerson()
    const before = await me(person)
    const reply = await person.patch('/me', {
      role: 'ADMIN',
      type: 'EXTERNAL',
      email: 'other@example.org',
      firstName: 'Eve',
      permissions: ['user-admin'],
      password_hash: 'x',
      uuid: crypto.randomUUID(),
      active: false,
    })
    expect(reply).toMatchObject({ status: 200, body: before })
    expect(await me(person)).toEqual(before)
    expect((await person.get('/me')).body.userPermissions).not.toContain('user-admin')
  })
})

describe('the password', () => {
  const NEW = 'Other-horse-10'
  const change = (caller: Caller, password: unknown) => caller.patch('/me/changePassword', { password })

  test('is changed: the new one signs in, the old one does not', async () => {
    const person = await aPerson()
    expect((await change(person, NEW)).status).toBe(204)
    expect((await signIn(person.email)).status).toBe(401)
    expect((await signIn(person.email, NEW)).status).toBe(200)
    const [event] = await eventsOf(person)
    expect(event).toMatchObject({ verb: 'password set', actor: { kind: 'person', id: person.uuid } })
    expect(JSON.stringify(event)).not.toContain('argon2')
  })

  test('ends the other sessions and keeps this one', async () => {
    const person = await aPerson()
    const device = await aDevice(person.email)
    const stranger = await aPerson()
    await change(person, NEW)
    expect((await person.get('/me')).status).toBe(200)
    expect((await device.get('/me')).status).toBe(401)
    const refreshed = await muster.send('POST', '/authentication/refreshToken', {
      body: { refreshToken: device.refreshToken },
    })
    expect(refreshed.status).toBe(401)
    expect((await stranger.get('/me')).status).toBe(200)
  })

  test('is told by mail, without the password', async () => {
    const person = await aPerson()
    await change(person, NEW)
    const outbox = await muster.send('GET', '/outbox', { headers: { Accept: 'application/json' } })
    const mail = outbox.body.find(({ to }: { to: string }) => to === person.email)
    expect(mail).toMatchObject({ subject: 'Your password was changed' })
    expect(mail.text).toContain('127.0.0.1')
    expect(JSON.stringify(mail)).not.toContain(NEW)
  })

  const REUSED = "Please choose a password you haven't used before."
  test('is not the present one, nor one of the last five', async () => {
    const person = await aPerson()
    expect(await change(person, PASSWORD)).toMatchObject({
      status: 400,
      body: { message: REUSED, fields: { password: REUSED } },
    })
    const others = [1, 2, 3, 4, 5].map((n) => `Other-horse-${n}`)
    for (const password of others.slice(0, 4)) expect((await change(person, password)).status).toBe(204)
    for (const password of [PASSWORD, ...others.slice(0, 4)])
      expect((await change(person, password)).status, password).toBe(400)
    expect((await change(person, others[4])).status).toBe(204)
    // The sixth password back may be used again.
    expect((await change(person, PASSWORD)).status).toBe(204)
  })

  test('is not one that many people have', async () => {
    const person = await aPerson()
    const reply = await change(person, 'P@ssw0rd')
    expect(reply).toMatchObject({
      status: 400,
      body: { message: 'Please choose a password that is harder to guess.' },
    })
    expect((await signIn(person.email)).status).toBe(200)
  })

  test.each([
    ['Aa1!xyz', 'Password must be at least 8 characters long.'],
    [`Aa1!${'x'.repeat(252)}`, 'Password cannot be more than 255 characters long.'],
    ['AAAA111!', 'Password must contain at least 1 lowercase letter.'],
    ['aaaa111!', 'Password must contain at least 1 uppercase letter.'],
    ['Aaaaaaa!', 'Password must contain at least 1 number.'],
    ['Aaaaaaa1', 'Password must contain at least 1 special character.'],
    ['Abcdefg1!<', 'Password cannot contain any of the characters <>^()/\\|\'".'],
  ])('%s is refused with the message of its rule', async (password, message) => {
    const person = await aPerson()
    expect(await change(person, password)).toMatchObject({
      status: 400,
      body: { message, fields: { password: message } },
    })
  })

  test.each(['Password1!', 'Summer2026!', 'Lovelace-7'])(
    'is not as easily guessed as %s',
    async (password) => {
      const person = await muster.signedInAs(organisation, 'USER', { firstName: 'Ada', lastName: 'Lovelace' })
      const message = 'Please choose a password that is harder to guess.'
      expect(await change(person, password)).toMatchObject({
        status: 400,
        body: { message, fields: { password: message } },
      })
    },
  )

  describe('more than ten minutes after the sign-in', () => {
    const longAgo = (caller: Caller, minutes = 11) =>
      muster.inside(organisation, (db) =>
        db
          .updateTable('sessions')
          .set({ create_timestamp: new Date(Date.now() - minutes * 60_000).toISOString() })
          .where('id', '=', caller.sessionId)
          .execute(),
      )
    async function aWhileAgo() {
      const person = await aPerson()
      await longAgo(person)
      return person
    }
    const prove = (caller: Caller, currentPassword: unknown) =>
      caller.patch('/me/changePassword', { password: NEW, currentPassword })
    const WRONG = 'The current password is not correct.'

    test('needs the current password or a verification', async () => {
      const person = await aWhileAgo()
      const refused = await change(person, NEW)
      expect([refused.status, refused.body.code]).toEqual([403, 'verification_required'])
      expect((await signIn(person.email)).status).toBe(200)
      expect((await prove(person, PASSWORD)).status).toBe(204)
      expect((await signIn(person.email, NEW)).status).toBe(200)
    })

    test('needs neither within them', async () => {
      const person = await aPerson()
      await longAgo(person, 9)
      expect((await change(person, NEW)).status).toBe(204)
    })

    test('takes a verification of the session', async () => {
      const person = await aWhileAgo()
      await muster.inside(organisation, async (db) => {
        await holdVerification(db, person.sessionId)
        const verifiedUntil = new Date(Date.now() + 60_000).toISOString()
        await updateVerification(db, person.sessionId, { verifiedUntil })
      })
      expect((await change(person, NEW)).status).toBe(204)
    })

    test('refuses a wrong current password at its field, also right after signing in', async () => {
      for (const person of [await aWhileAgo(), await aPerson()]) {
        expect(await prove(person, 'Wrong-horse-9')).toMatchObject({
          status: 400,
          body: { message: WRONG, fields: { currentPassword: WRONG } },
        })
        expect((await signIn(person.email)).status).toBe(200)
      }
    })

    test.each(['', 7, null, 'x'.repeat(1_001)])('takes no %j for one', async (given) => {
      expect(await prove(await aWhileAgo(), given)).toMatchObject({
        status: 400,
        body: { fields: { currentPassword: WRONG } },
      })
    })

    test('counts wrong ones like those of a sign-in', async () => {
      const org = await muster.anOrganisation()
      const person = await muster.signedInAs(org)
      for (let n = 0; n < 10; n += 1) expect((await prove(person, 'Wrong-horse-9')).status).toBe(400)
      for (const reply of [
        await prove(person, PASSWORD),
        await muster.send('POST', '/authentication/upass', {
          body: { email: person.email, password: PASSWORD, enterpriseCode: org.code },
        }),
      ]) {
        expect(reply.status).toBe(429)
        expect(reply.body.msUntilNextAttempt).toBeGreaterThan(0)
      }
      const refused = await muster.inside(org, (db) =>
        db.selectFrom('events').select('verb').where('noun', '=', 'sign-ins').execute(),
      )
      expect(refused.map(({ verb }) => verb)).toEqual([...Array<string>(10).fill('refused'), 'locked out'])
    })

    test('does not say whether a new password was used before', async () => {
      expect((await change(await aWhileAgo(), PASSWORD)).status).toBe(403)
    })
  })

  test.each(['Aa1!wxyz', `Aa1!${'x'.repeat(251)}`])('%s is just long, or short, enough', async (password) => {
    expect((await change(await aPerson(), password)).status).toBe(204)
  })

  test('changed twice at the same moment is changed once', async () => {
    const person = await aPerson()
    const replies = await Promise.all([change(person, 'Other-horse-11'), change(person, 'Other-horse-12')])
    expect(replies.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([204, 409])
  })
})

describe('devices', () => {
  test('are listed with what they are, this one first', async () => {
    const person = await aPerson()
    await aDevice(person.email, OTHERS)
    await aDevice(person.email, PHONE)
    const stranger = await aPerson()
    await aDevice(stranger.email)
    const { status, body } = await person.get('/me/sessions')
    expect(status).toBe(200)
    expect(body.map(({ name, kind, current }: any) => [name, kind, current])).toEqual([
      [null, 'UNKNOWN', true],
      ['Safari on iPhone', 'MOBILE', false],
      ['Firefox on Linux', 'DESKTOP', false],
    ])
    expect(body[0].id).toBe(person.sessionId)
    expect(body[1].address).toBe('127.0.0.1')
    expect(body[1].lastActiveTimestamp >= body[1].createTimestamp).toBe(true)
    expect(Object.keys(body[0]).sort()).toEqual([
      'address',
      'createTimestamp',
      'current',
      'id',
      'kind',
      'lastActiveTimestamp',
      'name',
    ])
  })

  test('that signed out, or have not been used for longer than their tokens live, are gone', async () => {
    const person = await aPerson()
    const left = await aDevice(person.email)
    await aDevice(person.email, PHONE)
    await muster.send('POST', '/authentication/logout', { headers: left.headers })
    expect((await person.get('/me/sessions')).body).toHaveLength(2)
    const later = Date.now() + 12 * HOUR + 1
    vi.spyOn(clock, 'now').mockImplementation(() => later)
    const { token } = await muster.services.tokens.issueAccess({
      userId: person.uuid,
      organisationId: organisation.id,
      sessionId: person.sessionId,
    })
    const headers = { ...person.headers, Authorization: `Bearer ${token}` }
    const { body } = await muster.send('GET', '/me/sessions', { headers })
    expect(body.map(({ current }: any) => current)).toEqual([true])
  })

  test('say when they were last used', async () => {
    const person = await aPerson()
    await aDevice(person.email)
    const later = new Date(Date.now() + 10 * 60_000).toISOString()
    const other = async () => (await person.get('/me/sessions')).body.find(({ current }: any) => !current)
    const { id, lastActiveTimestamp } = await other()
    expect(lastActiveTimestamp < later).toBe(true)
    const log = new ActivityLog(muster.services.database, pino({ level: 'silent' }))
    vi.spyOn(clock, 'timestamp').mockReturnValueOnce(later)
    log.seen({
      ...person,
      id: person.uuid,
      organisation: { ...organisation, displayName: '' },
      sessionId: id,
    })
    await log.stop()
    expect((await other()).lastActiveTimestamp).toBe(later)
  })

  test('are signed out one by one', async () => {
    const person = await aPerson()
    const one = await aDevice(person.email)
    const other = await aDevice(person.email, PHONE)
    const { body } = await person.get('/me/sessions')
    const { id } = body.find(({ name }: any) => name === 'Firefox on Linux')
    expect((await person.delete(`/me/sessions/${id}`)).status).toBe(204)
    expect((await one.get('/me')).status).toBe(401)
    expect((await other.get('/me')).status).toBe(200)
    expect((await person.delete(`/me/sessions/${id}`)).status).toBe(404)
    expect((await person.get('/me/sessions')).body).toHaveLength(2)
  })

  test('are signed out all but this one', async () => {
    const person = await aPerson()
    const devices = [await aDevice(person.email), await aDevice(person.email, PHONE)]
    const stranger = await aPerson()
    expect((await person.delete('/me/sessions')).status).toBe(204)
    for (const device of devices) expect((await device.get('/me')).status).toBe(401)
    expect((await person.get('/me')).status).toBe(200)
    expect((await stranger.get('/me')).status).toBe(200)
  })

  test("of other people are nobody's to see or to end", async () => {
    const person = await aPerson()
    const stranger = await aPerson()
    const admin = await muster.signedInAs(organisation, 'ADMIN')
    for (const caller of [person, admin]) {
      expect((await caller.delete(`/me/sessions/${stranger.sessionId}`)).status).toBe(404)
      const { body } = await caller.get('/me/sessions')
      expect(body.map(({ id }: any) => id)).not.toContain(stranger.sessionId)
    }
    expect((await stranger.get('/me')).status).toBe(200)
  })
})

describe('the picture', () => {
  const solid = (color: string, width = 40, height = 30) =>
    sharp({ create: { width, height, channels: 3, background: color } })
  let red: Buffer
  let blue: Buffer
  beforeAll(async () => {
    red = await solid('#ff0000').png().toBuffer()
    blue = await solid('#0000ff').jpeg().toBuffer()
  })
  /** Reads type and size from the first bytes, because our converter reads no WebP. */
  const sizeOf = (webp: Buffer) => {
    expect(webp.toString('latin1', 0, 4) + webp.toString('latin1', 8, 15)).toBe('RIFFWEBPVP8')
    expect(webp.toString('latin1', 12, 16)).toBe('VP8 ')
    return [webp.readUInt16LE(26) & 0x3fff, webp.readUInt16LE(28) & 0x3fff]
  }
  /** 24 bits, one colour. */
  const bmp = (width: number, height: number) => {
    const rowSize = Math.ceil((width * 3) / 4) * 4
    const file = Buffer.alloc(54 + rowSize * height, 0x7f)
    file.fill(0, 0, 54)
    file.write('BM')
    file.writeUInt32LE(54, 10)
    file.writeUInt32LE(40, 14)
    file.writeInt32LE(width, 18)
    file.writeInt32LE(height, 22)
    file.writeUInt16LE(24, 28)
    return file
  }

  test('is saved, shown to whoever has its address, and told in /me and the directory', async () => {
    const person = await aPerson()
    const { status, body } = await save(person, red)
    expect(status).toBe(200)
    expect(body.url).toMatch(/^\/api\/profileImage\/mi_[\w-]{60,}$/)
    const shown = await fetchPicture(body.url)
    expect(shown.status).toBe(200)
    expect(Object.fromEntries(shown.headers)).toMatchObject({
      'content-type': 'image/webp',
      'cache-control': 'private, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
    })
    expect(shown.headers.get('content-disposition')).toMatch(/^inline;/)
    expect(sizeOf(Buffer.from(await shown.arrayBuffer()))).toEqual([512, 512])
    expect((await me(person)).profileImageUrl).toBe(body.url)
    const colleague = await aPerson()
    const { users } = (await colleague.get('/authentication/users')).body
    expect(users.find(({ uuid }: any) => uuid === person.uuid).profileImageUrl).toBe(body.url)
    expect((await eventsOf(person)).map(({ verb }) => verb)).toEqual(['picture changed'])
  })

  test('is not on the disk as anybody could see it', async () => {
    const person = await aPerson()
    const before = await blobFiles()
    const { content } = await preview(person, red)
    await save(person, red)
    const files = await readdir(join(muster.dataDir, 'files'), { recursive: true, withFileTypes: true })
    const { readFile } = await import('node:fs/promises')
    for (const file of files.filter((entry) => entry.isFile())) {
      const bytes = await readFile(join(file.parentPath, file.name))
      expect(bytes.includes(content.subarray(0, 30))).toBe(false)
    }
    expect(await blobFiles()).toBe(before + 1)
  })

  test('replaced by another one is gone, with its address and its bytes', async () => {
    const person = await aPerson()
    const first = (await save(person, red)).body.url
    const before = await blobFiles()
    const second = (await save(person, blue)).body.url
    expect(second).not.toBe(first)
    expect((await fetchPicture(first)).status).toBe(404)
    expect((await fetchPicture(second)).status).toBe(200)
    await expect.poll(blobFiles).toBe(before)
  })

  test('removed is gone, and what is not there can be removed too', async () => {
    const person = await aPerson()
    const { url } = (await save(person, red)).body
    expect((await person.delete('/profileImage')).status).toBe(204)
    expect((await fetchPicture(url)).status).toBe(404)
    expect((await me(person)).profileImageUrl).toBeNull()
    expect((await person.delete('/profileImage')).status).toBe(204)
    expect((await eventsOf(person)).map(({ verb }) => verb)).toEqual(['picture changed', 'picture removed'])
  })

  test('saved twice at the same moment is one picture', async () => {
    const person = await aPerson()
    const replies = await Promise.all([save(person, red), save(person, blue), save(person, red)])
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200])
    const shown = await Promise.all(replies.map(({ body }) => fetchPicture(body.url)))
    expect(shown.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 404, 404])
  })

  test('is seen before it is saved, as it will be, and nothing is kept of that', async () => {
    const person = await aPerson()
    const { url } = (await save(person, red)).body
    const before = await blobFiles()
    const { status, headers, content } = await preview(person, blue)
    expect(status).toBe(200)
    expect(headers.get('content-type')).toBe('image/webp')
    expect(headers.get('cache-control')).toBe('private, no-store')
    expect(sizeOf(content)).toEqual([512, 512])
    expect((await me(person)).profileImageUrl).toBe(url)
    expect(await blobFiles()).toBe(before)
    const saved = (await save(person, blue)).body.url
    expect(Buffer.from(await (await fetchPicture(saved)).arrayBuffer()).equals(content)).toBe(true)
  })

  test.each([
    ['JPEG', () => blue, 'x.jpg'],
    ['PNG', () => red, 'x.png'],
    ['BMP', () => bmp(33, 21), 'x.bmp'],
    ['JPEG that is called otherwise', () => blue, 'x.txt'],
  ])('may be a %s', async (_, bytes, name) => {
    const { status, content } = await preview(await aPerson(), bytes(), name)
    expect(status).toBe(200)
    expect(sizeOf(content)).toEqual([512, 512])
  })

  test('stands upright and says nothing of where and with what it was taken', async () => {
    const person = await aPerson()
    // Red above blue, stored rotated by 270°.
    const halves = await sharp({ create: { width: 60, height: 60, channels: 3, background: '#ff0000' } })
      .composite([{ input: await solid('#0000ff', 60, 30).png().toBuffer(), left: 0, top: 30 }])
      .rotate(270)
      .jpeg()
      .toBuffer()
    const camera = await sharp(halves)
      .withExif({
        IFD0: { Make: 'SecretCamera', Copyright: 'SecretOwner' },
        IFD3: { GPSLatitude: '45/1 25/1 0/1' },
      })
      .withMetadata({ orientation: 6 })
      .jpeg()
      .toBuffer()
    expect(camera.includes('SecretCamera')).toBe(true)
    const { content } = await preview(person, camera)
    expect(content.includes('Secret')).toBe(false)
    for (const chunk of ['EXIF', 'XMP ', 'ICCP']) expect(content.includes(chunk)).toBe(false)
    const upright = (await preview(person, await sharp(halves).rotate(90).png().toBuffer())).content
    expect(sizeOf(content)).toEqual([512, 512])
    // A result of the upright picture is nearly as long; one that is still rotated would not be.
    expect(Math.abs(content.length - upright.length)).toBeLessThan(200)
  })

  const NOT_TAKEN = 'Please choose a JPEG, PNG or BMP image.'
  test.each([
    ['a GIF', 'GIF89a\u0001\u0000\u0001\u0000', 'x.gif'],
    ['an SVG', '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>', 'x.svg'],
    ['an SVG that is called PNG', '<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"/>', 'x.png'],
    ['text that is called PNG', 'not an image at all', 'x.png'],
    ['a WebP', 'RIFF\u0004\u0000\u0000\u0000WEBPVP8 ', 'x.webp'],
    ['a PDF', '%PDF-1.7', 'x.jpg'],
    ['a page', '<html><script>alert(1)</script>', 'x.bmp'],
    ['nothing', '', 'x.png'],
  ])('is not %s', async (_, bytes, name) => {
    const person = await aPerson()
    for (const reply of [await preview(person, bytes, name), await save(person, bytes, name)])
      expect(reply).toMatchObject({ status: 415, body: { message: NOT_TAKEN } })
    expect((await me(person)).profileImageUrl).toBeNull()
  })

  const BROKEN = 'An unexpected error occurred while converting the image.'
  test.each<[string, () => Buffer | Promise<Buffer>]>([
    [
      'a PNG that breaks off',
      async () =>
        (await solid('#00ff00', 600, 600).png({ compressionLevel: 0 }).toBuffer()).subarray(0, 300_000),
    ],
    [
      'a JPEG that breaks off',
      async () => (await solid('#00ff00', 600, 600).jpeg().toBuffer()).subarray(0, 2_000),
    ],
    ['the beginning of a PNG', () => red.subarray(0, 8)],
    ['the beginning of a BMP', () => Buffer.from('BM')],
    ['a BMP that breaks off', () => bmp(100, 100).subarray(0, 20_000)],
    [
      'a PNG whose bytes were changed',
      () => {
        const bytes = Buffer.from(red)
        bytes.fill(0xff, 45, 60)
        return bytes
      },
    ],
  ])('is not %s', async (_, bytes) => {
    const person = await aPerson()
    const { url } = (await save(person, red)).body
    expect(await save(person, await bytes())).toMatchObject({ status: 400, body: { message: BROKEN } })
    expect((await me(person)).profileImageUrl).toBe(url)
  })

  test('is not a BMP that says it is huge', async () => {
    const file = bmp(10, 10)
    file.writeInt32LE(60_000, 18)
    file.writeInt32LE(60_000, 22)
    const reply = await save(await aPerson(), file)
    expect(reply).toMatchObject({ status: 400, body: { message: /too many pixels/ } })
  })

  test('is not more pixels than a machine has memory for, in a few bytes', async () => {
    const bomb = await solid('#000000', 16_000, 16_000).png({ compressionLevel: 9, palette: true }).toBuffer()
    expect(bomb.length).toBeLessThan(1_000_000)
    const before = process.memoryUsage().rss
    const reply = await save(await aPerson(), bomb)
    expect(reply).toMatchObject({ status: 400, body: { message: /too many pixels/ } })
    expect(process.memoryUsage().rss - before).toBeLessThan(100_000_000)
    // Converting pictures takes longer than refusing them.
  }, 120_000)

  test('that is also something else is only a picture afterwards', async () => {
    const polyglot = Buffer.concat([
      blue,
      Buffer.from('<script>alert(document.domain)</script>PK\u0003\u0004'),
    ])
    const { status, content } = await preview(await aPerson(), polyglot)
    expect(status).toBe(200)
    expect(content.includes('script')).toBe(false)
    expect(content.includes('PK\u0003\u0004')).toBe(false)
  })

  test('is at most 7 MB, and the one before stays', async () => {
    const person = await aPerson()
    const { url } = (await save(person, red)).body
    const pad = (bytes: number) => Buffer.concat([blue, Buffer.alloc(bytes - blue.length)])
    const most = 7 * 1024 * 1024
    for (const size of [most + 1, 8 * 1024 * 1024, 20 * 1024 * 1024]) {
      const reply = await save(person, pad(size))
      expect(reply).toMatchObject({ status: 413, body: { message: 'The image must be less than 7 MB.' } })
    }
    expect((await me(person)).profileImageUrl).toBe(url)
    expect((await save(person, pad(most))).status).toBe(200)
  })

  test('has to be sent', async () => {
    const person = await aPerson()
    const form = new FormData()
    form.append('other', 'text')
    const response = await fetch(`${muster.url}/api/profileImage`, {
      method: 'POST',
      headers: person.headers,
      body: form,
    })
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ message: 'Please choose a file.' })
  })

  test.each([
    'x',
    'mi_x',
    `mi_${'A'.repeat(22)}_${'A'.repeat(43)}`,
    '..%2f..%2fme',
    '%00',
    `mk_${'A'.repeat(22)}_${'A'.repeat(43)}`,
  ])('is not found at %s', async (token) => {
    const response = await fetch(`${muster.url}/api/profileImage/${token}`)
    expect(response.status).toBe(404)
    expect(await response.json()).toMatchObject({ code: 'not_found' })
  })

  test("cannot be reached through another organisation's name", async () => {
    const { url } = (await save(await aPerson(), red)).body
    const elsewhere = await muster.anOrganisation()
    const name = Buffer.from(elsewhere.id.replaceAll('-', ''), 'hex').toString('base64url')
    expect((await fetchPicture(url.replace(/mi_[\w-]{22}_/, `mi_${name}_`))).status).toBe(404)
  })
})
