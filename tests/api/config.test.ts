import { describe, expect, test } from 'vitest'

import { startTestServer } from '#tests/support/server.ts'

const { anOrganisation, send, services, signedInAs } = await startTestServer()

describe('the registry', () => {
  test('tells everybody where an organisation is, by its code, and nothing else of it', async () => {
    for (const { code } of [await anOrganisation(), await anOrganisation()]) {
      const { status, body, headers } = await send('GET', `/registry/${code}`)
      expect([status, body]).toEqual([200, { code, apiUrl: `${services.publicUrl()}/api` }])
      expect(headers.get('content-type')).toContain('application/json')
      // The address leads to the organisation's API.
      expect((await fetch(`${body.apiUrl}/config/public/${code}`)).status).toBe(200)
    }
    const shouted = await send('GET', `/registry/${(await anOrganisation()).code.toUpperCase()}`)
    expect(shouted.status).toBe(200)
  })

  test.each(['nobody', '%20', "x'%20or%20'1'='1", '..%2Fapi'])('knows no %s', async (code) => {
    const { status, body } = await send('GET', `/registry/${code}`)
    expect([400, 404]).toContain(status)
    expect(Object.keys(body)).toContain('message')
  })
})

describe('the configuration', () => {
  test('that everybody may see is its name and three values', async () => {
    const { code } = await anOrganisation(
      { multiIncident: true, statementOfPrivilege: 'Ours alone.' },
      { displayName: 'Harbour Authority' },
    )
    const { status, body } = await send('GET', `/config/public/${code}`)
    expect([status, body]).toEqual([
      200,
      { displayName: 'Harbour Authority', streamApiKey: '', multiIncident: true, manageAdminToolId: '' },
    ])
    expect((await send('GET', '/config/public/nobody')).status).toBe(404)
  })

  test('of a fresh organisation is what the specification says, for who is signed in', async () => {
    const person = await signedInAs(await anOrganisation(), 'BUSINESS_USER')
    const { body } = await person.get('/config')
    expect(body).toMatchObject({
      auth2fa: false,
      auth2faType: 'TOTP',
      maxFileSize: 100,
      maxFileUploadsAtOnce: 50,
      allowedFileExtensions: 'PDF DOC DOCX TXT JPG JPEG PNG WEBP HEIC XLS XLSX PPT PPTX MOV MP3 MP4'.split(
        ' ',
      ),
      sfs2fa: false,
      messageHistoryEditTimeout: 15,
      dialInEnabled: false,
      playbookEnabled: true,
      playbookMaxTemplates: 3,
      maxActivitiesPerPlaybook: 150,
      maxActivitiesPerIncident: 1_000,
      groupsEnabled: true,
      contactsAndMassNotificationsEnabled: false,
      contactsUploadMaxLimit: 100,
      massNotifsSmsMessageLimit: 100,
      playbooksSharingEnabled: false,
      twilioAllowedCountryCodes: ['CA', 'US'],
      twilioFromPhoneNumber: '',
      markAsPrivilegedEnabled: false,
      statementOfPrivilege: '',
    })
    // Includes the public configuration.
    expect(body).toMatchObject({ displayName: expect.any(String), streamApiKey: '', multiIncident: false })
    // Quotas are visible to the provider only.
    expect(Object.keys(body)).not.toContain('massNotifsMaxEvents')
    expect(Object.keys(body)).not.toContain('fileQuotaMegabytes')
    expect((await send('GET', '/config')).status).toBe(401)
  })

  test("is the organisation's own where it has one, then everybody's, then the default", async () => {
    const [own, other] = [await anOrganisation({ maxFileSize: 5 }), await anOrganisation()]
    const sizeFor = async (org: typeof own) => (await (await signedInAs(org)).get('/config')).body.maxFileSize
    const { directory } = services.database
    expect([await sizeFor(own), await sizeFor(other)]).toEqual([5, 100])
    await directory
      .insertInto('global_config')
      .values({ key: 'maxFileSize', value: JSON.stringify(20) })
      .execute()
    expect([await sizeFor(own), await sizeFor(other)]).toEqual([5, 20])
    await directory.deleteFrom('global_config').execute()
  })
})
