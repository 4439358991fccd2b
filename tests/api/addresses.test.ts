import { describe, expect, test } from 'vitest'

import { INVALID_EMAIL } from '#contract/kit/text.ts'
import { PASSWORD, startTestServer } from '#tests/support/server.ts'

const { anOrganisation, aUser, send, signedInAs } = await startTestServer()

const COMPOSED = 'jos\u00e9@example.org'
const DECOMPOSED = 'Jose\u0301@example.org'
const LOOK_ALIKES = ['\u0130smail@example.org', '\u0131smail@example.org', '\uff49smail@example.org']

const aTeam = async () => {
  const org = await anOrganisation({ contactsAndMassNotificationsEnabled: true, auth2fa: false })
  return { org, admin: await signedInAs(org, 'ADMIN') }
}

describe('an address', () => {
  test('is found in whichever way its letters are composed', async () => {
    const { org, admin } = await aTeam()
    await aUser(org, { email: COMPOSED })
    const again = { firstName: 'Ana', lastName: 'Silva', email: DECOMPOSED }
    expect((await admin.post('/useradmin/user', again)).status).toBe(409)
    const { status } = await send('POST', '/authentication/upass', {
      body: { email: DECOMPOSED, password: PASSWORD, enterpriseCode: org.code },
    })
    expect(status).toBe(200)
    const contact = (email: string) => ({ name: 'Ana', email, phone: null, list: 'Board' })
    const added = await admin.post('/contact', [contact(DECOMPOSED), contact(COMPOSED)])
    expect(added.body).toMatchObject({ created: 1 })
  })

  test.each(LOOK_ALIKES)('%j is refused wherever it enters', async (email) => {
    const { org, admin } = await aTeam()
    const user = { firstName: 'Ana', lastName: 'Silva', email }
    const refused = { status: 400, body: { fields: { email: INVALID_EMAIL } } }
    expect(await admin.post('/useradmin/user', user)).toMatchObject(refused)
    const signIn = { email, password: PASSWORD, enterpriseCode: org.code }
    expect(await send('POST', '/authentication/upass', { body: signIn })).toMatchObject(refused)
    const rows = [{ ...user, role: 'USER', external: 'No' }]
    expect((await admin.post('/useradmin/users', rows)).status).toBe(400)
    const contacts = [{ name: 'Ana', email, phone: null, list: 'Board' }]
    expect((await admin.post('/contact', contacts)).status).toBe(400)
  })
})
