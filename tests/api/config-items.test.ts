import { describe, expect, test } from 'vitest'

import { CONFIG, CONFIG_KEYS } from '#contract/config/catalogue.ts'
import { PREVIEWED_EXTENSIONS } from '#contract/files/rules.ts'
import { changeItem } from '#server/config-items/flows.ts'
import { PROVIDER_ID } from '#server/kit/database/db.ts'

import { startTestServer } from '../support/server.ts'

const muster = await startTestServer()
const PATH = '/config/enterpriseConfigDetails'
const GLOBAL = '/config/globalOverriddenConfigDetails'
const staff = await muster.signedInAsStaff()
const json = (value: unknown) => JSON.stringify(value)

describe("an organisation's administrator", () => {
  test('sees the items that are left to administrators, and no others', async () => {
    const admin = await muster.signedInAs(await muster.anOrganisation(), 'ADMIN')
    const { status, body } = await admin.get(PATH)
    expect(status).toBe(200)
    const open = CONFIG_KEYS.filter((key) => CONFIG[key].modifyAccess === 'ORGANIZATION_ADMIN')
    expect(body.map((item: { databaseKey: string }) => item.databaseKey)).toEqual(open)
    expect(body[0]).toEqual({
      databaseKey: 'nameCharacters',
      description: CONFIG.nameCharacters.description,
      groupTag: 'Users',
      type: 'ENUM',
      visibility: 'FRONTEND_WITH_AUTH',
      modifyAccess: 'ORGANIZATION_ADMIN',
      isSecret: false,
      hasValue: true,
      currentValue: 'STANDARD',
      defaultValue: 'STANDARD',
      globalOverriddenValue: null,
      isGlobalOverridden: false,
      isEnterpriseCustom: false,
      lastChange: null,
      differingCount: null,
    })
  })

  test('changes one, which holds at once, is audited with both values, and goes back with an empty value', async () => {
    const organisation = await muster.anOrganisation()
    const admin = await muster.signedInAs(organisation, 'ADMIN')
    const nobody = await muster.signedInAs(organisation)
    const put = (valueJson: string) => admin.put(PATH, { databaseKey: 'statementOfPrivilege', valueJson })
    const current = async () => (await nobody.get('/config')).body.statementOfPrivilege
    const changed = await put(json('Ours alone.'))
    expect([changed.status, changed.body.currentValue, changed.body.isEnterpriseCustom]).toEqual([
      200,
      'Ours alone.',
      true,
    ])
    expect(await current()).toBe('Ours alone.')
    await put(json('Ours alone.'))
    expect((await put(json(''))).body).toMatchObject({ currentValue: '', isEnterpriseCustom: false })
    expect(await current()).toBe('')
    const { body: log } = await admin.get('/useradmin/auditLog?filter={"noun":"config-items"}')
    const changes = log.map((event: { actor: { name: string }; changes: unknown }) => [
      event.actor.name,
      event.changes,
    ])
    expect(changes).toEqual([
      [admin.email, [{ field: 'statementOfPrivilege', from: 'Ours alone.', to: null }]],
      [admin.email, [{ field: 'statementOfPrivilege', from: null, to: 'Ours alone.' }]],
    ])
  })

  test.each(CONFIG_KEYS.filter((key) => CONFIG[key].modifyAccess !== 'ORGANIZATION_ADMIN'))(
    'cannot change %s',
    async (databaseKey) => {
      const admin = await muster.signedInAs(await muster.anOrganisation(), 'ADMIN')
      const { status } = await admin.put(PATH, { databaseKey, valueJson: json(CONFIG[databaseKey].default) })
      expect(status).toBe(403)
      expect((await admin.put(PATH, { databaseKey, valueJson: 'null' })).status).toBe(403)
    },
  )
})

describe('a value', () => {
  test.each([
    ['nameCharacters', 'EXTENDED'],
    ['nameCharacters', '{"a":1'],
    ['nameCharacters', '["STANDARD"]'],
    ['nameCharacters', '"standard"'],
    ['nameCharacters', 'true'],
    ['statementOfPrivilege', '5'],
    ['statementOfPrivilege', json('x'.repeat(1_001))],
    ['statementOfPrivilege', json('a\u0000b')],
    ['statementOfPrivilege', '{"toString":1}'],
    ['statementOfPrivilege', '[['.repeat(10_000)],
    ['statementOfPrivilege', ''],
  ] as const)('of %s is not %s', async (databaseKey, valueJson) => {
    const admin = await muster.signedInAs(await muster.anOrganisation(), 'ADMIN')
    const { status, body } = await admin.put(PATH, { databaseKey, valueJson })
    expect(status).toBe(400)
    expect(Object.keys(body.fields)).toEqual(['valueJson'])
  })

  test.each(['__proto__', 'constructor', 'nothing', '', 7])('of %s does not exist', async (databaseKey) => {
    const admin = await muster.signedInAs(await muster.anOrganisation(), 'ADMIN')
    const { status, body } = await admin.put(PATH, { databaseKey, valueJson: '1' })
    expect([status, Object.keys(body.fields)]).toEqual([400, ['databaseKey']])
  })

  test.each([
    ['auth2fa', '1'],
    ['auth2fa', '"true"'],
    ['maxFileSize', '0'],
    ['maxFileSize', '5121'],
    ['maxFileSize', '1.5'],
    ['maxFileSize', '1e999'],
    ['maxFileSize', '"7"'],
    ['maxFileSize', '-1'],
    ['auth2faType', '"SMS"'],
    ['allowedFileExtensions', '["EXE"]'],
    ['allowedFileExtensions', '["PDF","PDF"]'],
    ['allowedFileExtensions', '"PDF"'],
    ['twilioAllowedCountryCodes', '[]'],
    ['twilioAllowedCountryCodes', '["ca"]'],
    ['twilioAllowedCountryCodes', '["ZZ"]'],
    ['twilioAllowedCountryCodes', '[1]'],
    ['twilioFromPhoneNumber', '"12345"'],
    ['massNotifsQuotaWarnings', '["a"]'],
    ['massNotifsQuotaWarnings', '[0]'],
    ['massNotifsQuotaWarnings', '[1,2,3,4,5,6,7,8,9,10,11]'],
    ['manageAdminToolId', '"<script>"'],
  ] as const)('of %s is not %s, in any scope', async (databaseKey, valueJson) => {
    const change = { databaseKey, valueJson }
    const { id } = await muster.anOrganisation()
    for (const path of [GLOBAL, `/config/enterpriseConfigDetails/${id}`]) {
      const { status, body } = await staff.put(path, change)
      expect([status, Object.keys(body.fields)]).toEqual([400, ['valueJson']])
    }
  })

  test('says who changed it last, and how many organizations differ', async () => {
    const { id } = await muster.anOrganisation()
    const path = `/config/enterpriseConfigDetails/${id}`
    const item = async (of: string) =>
      (await staff.get(of)).body.find(
        ({ databaseKey }: { databaseKey: string }) => databaseKey === 'dialInEnabled',
      )
    expect(await item(path)).toMatchObject({ lastChange: null, differingCount: null })
    const before = (await item(GLOBAL)).differingCount
    const saved = await staff.put(path, { databaseKey: 'dialInEnabled', valueJson: 'true' })
    expect(saved.body.lastChange.by).toBe(staff.email)
    expect(await item(path)).toMatchObject({ lastChange: { by: staff.email, timestamp: expect.any(String) } })
    expect((await item(GLOBAL)).differingCount).toBe(before + 1)
    const colleague = await muster.signedInAsStaff()
    const global = await colleague.put(GLOBAL, { databaseKey: 'dialInEnabled', valueJson: 'true' })
    expect(global.body).toMatchObject({ lastChange: { by: colleague.email }, differingCount: before + 1 })
    expect((await item(GLOBAL)).lastChange.by).toBe(colleague.email)
    expect((await item(path)).lastChange.by).toBe(staff.email)
    await staff.delete(`${GLOBAL}/dialInEnabled`)
  })

  test('allows every format that has a preview', async () => {
    const { id } = await muster.anOrganisation()
    const formats = PREVIEWED_EXTENSIONS.map((one) => one.toUpperCase())
    const { status } = await staff.put(`/config/enterpriseConfigDetails/${id}`, {
      databaseKey: 'allowedFileExtensions',
      valueJson: json(formats),
    })
    expect(status).toBe(200)
  })

  test.each(CONFIG_KEYS)('%s takes its own default, and stores what it was given', async (databaseKey) => {
    const organisation = await muster.anOrganisation()
    const value = CONFIG[databaseKey].default
    const item = await muster.inside(organisation, (db) =>
      changeItem(db, { databaseKey, valueJson: json(value) }, () => true),
    )
    expect(item.currentValue).toEqual(value)
    expect(item.isEnterpriseCustom).toBe(value !== '')
  })
})

describe('a value for all organisations', () => {
  test('holds where an organisation has none of its own, until it is taken back', async () => {
    const [own, other] = [await muster.anOrganisation({ maxFileSize: 5 }), await muster.anOrganisation()]
    const sizes = async () => {
      const people = [await muster.signedInAs(own), await muster.signedInAs(other)]
      return Promise.all(people.map(async (person) => (await person.get('/config')).body.maxFileSize))
    }
    const set = await staff.put(GLOBAL, { databaseKey: 'maxFileSize', valueJson: '20' })
    expect(set.body).toMatchObject({
      currentValue: 20,
      defaultValue: 100,
      globalOverriddenValue: 20,
      isGlobalOverridden: true,
      isEnterpriseCustom: false,
    })
    expect(await sizes()).toEqual([5, 20])
    const { body } = await staff.get(`/config/enterpriseConfigDetails/${own.id}`)
    expect(
      body.find(({ databaseKey }: { databaseKey: string }) => databaseKey === 'maxFileSize'),
    ).toMatchObject({
      currentValue: 5,
      globalOverriddenValue: 20,
      isGlobalOverridden: true,
      isEnterpriseCustom: true,
    })
    const back = await staff.delete(`${GLOBAL}/maxFileSize`)
    expect(back.body).toMatchObject({ currentValue: 100, isGlobalOverridden: false })
    expect(await sizes()).toEqual([5, 100])
  })

  test('is audited in the stream of the provider, once for each change', async () => {
    const put = (valueJson: string) => staff.put(GLOBAL, { databaseKey: 'fileQuotaMegabytes', valueJson })
    for (const valueJson of ['5', '5', '6']) await put(valueJson)
    await staff.delete(`${GLOBAL}/fileQuotaMegabytes`)
    const events = await muster.services.database.withProvider(
      { kind: 'system', id: null, name: 'test' },
      (db) =>
        db
          .selectFrom('events')
          .select(['actor', 'verb', 'changes'])
          .where('noun', '=', 'config-items')
          .where('record', '=', 'fileQuotaMegabytes')
          .orderBy('sequence')
          .execute(),
    )
    expect(
      events
        .filter(({ actor }) => actor.name === staff.email)
        .map(({ actor, verb, changes }) => [actor.name, verb, changes['fileQuotaMegabytes']]),
    ).toEqual([
      [staff.email, 'changed', { from: null, to: 5 }],
      [staff.email, 'changed', { from: 5, to: 6 }],
      [staff.email, 'changed', { from: 6, to: null }],
    ])
  })

  test('is never nothing, except for a text', async () => {
    const put = (databaseKey: string, valueJson: string) => staff.put(GLOBAL, { databaseKey, valueJson })
    expect((await put('maxFileSize', 'null')).status).toBe(400)
    expect((await put('maxFileSize', '""')).status).toBe(400)
    expect((await put('statementOfPrivilege', 'null')).status).toBe(400)
    const { body } = await put('statementOfPrivilege', '""')
    expect(body).toMatchObject({ currentValue: '', isGlobalOverridden: true })
    await staff.delete(`${GLOBAL}/statementOfPrivilege`)
  })
})

describe('staff of the provider', () => {
  test('see every item, and change one organisation alone, in whose log they stand with both values', async () => {
    const [ours, theirs] = [await muster.anOrganisation(), await muster.anOrganisation()]
    const path = `/config/enterpriseConfigDetails/${ours.id}`
    const { body } = await staff.get(path)
    expect(body.map(({ databaseKey }: { databaseKey: string }) => databaseKey)).toEqual(CONFIG_KEYS)
    const change = { databaseKey: 'twilioAllowedCountryCodes', valueJson: '["CA","DE"]' }
    expect((await staff.put(path, change)).body).toMatchObject({
      currentValue: ['CA', 'DE'],
      isEnterpriseCustom: true,
    })
    const admins = [await muster.signedInAs(ours, 'ADMIN'), await muster.signedInAs(theirs, 'ADMIN')]
    const values = await Promise.all(
      admins.map(async (admin) => (await admin.get('/config')).body.twilioAllowedCountryCodes),
    )
    expect(values).toEqual([
      ['CA', 'DE'],
      ['CA', 'US'],
    ])
    const { body: log } = await admins[0]!.get('/useradmin/auditLog?filter={"noun":"config-items"}')
    expect(log).toMatchObject([
      {
        actor: { kind: 'staff', name: staff.email },
        record: 'twilioAllowedCountryCodes',
        changes: [{ field: 'twilioAllowedCountryCodes', from: null, to: 'CA, DE' }],
      },
    ])
    const back = await staff.put(path, { databaseKey: 'twilioAllowedCountryCodes', valueJson: 'null' })
    expect(back.body).toMatchObject({ currentValue: ['CA', 'US'], isEnterpriseCustom: false })
  })

  test('do not change what only a release changes, in any scope', async () => {
    const { id } = await muster.anOrganisation()
    const change = { databaseKey: 'streamApiKey', valueJson: '"abc"' }
    expect((await staff.put(GLOBAL, change)).status).toBe(403)
    expect((await staff.delete(`${GLOBAL}/streamApiKey`)).status).toBe(403)
    expect((await staff.put(`/config/enterpriseConfigDetails/${id}`, change)).status).toBe(403)
  })

  test('find nothing of an organisation that does not exist, nor of the provider', async () => {
    for (const id of [crypto.randomUUID(), PROVIDER_ID]) {
      const path = `/config/enterpriseConfigDetails/${id}`
      expect((await staff.get(path)).status).toBe(404)
      expect((await staff.put(path, { databaseKey: 'maxFileSize', valueJson: '7' })).status).toBe(404)
    }
    expect((await staff.get('/config/enterpriseConfigDetails/7')).status).toBe(400)
    expect((await staff.delete(`${GLOBAL}/__proto__`)).status).toBe(400)
  })
})

test('a secret is used, but neither shown nor written to the log, in any scope', async () => {
  const secrets = CONFIG_KEYS.filter((key) => 'isSecret' in CONFIG[key])
  expect(secrets).toEqual(CONFIG_KEYS.filter((key) => /secret|password|token/i.test(key)))
  const [organisation, databaseKey] = [await muster.anOrganisation(), secrets[0]!]
  const admin = await muster.signedInAs(organisation, 'ADMIN')
  const path = `/config/enterpriseConfigDetails/${organisation.id}`
  const answers = [
    await staff.put(path, { databaseKey, valueJson: '"north-north"' }),
    await staff.put(path, { databaseKey, valueJson: '"south-south"' }),
    await staff.get(path),
    await staff.put(GLOBAL, { databaseKey, valueJson: '"west-west"' }),
    await staff.get(GLOBAL),
    await admin.get('/useradmin/auditLog?filter={"noun":"config-items"}'),
    await staff.get('/auditLog'),
  ]
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
  expect(answers[1]!.body).toMatchObject({
    isSecret: true,
    hasValue: true,
    currentValue: '',
    isEnterpriseCustom: true,
  })
  expect(json(answers.map(({ body }) => body))).not.toMatch(/north|south|west-/)
  const changes = answers[5]!.body.map((event: { changes: unknown }) => event.changes)
  expect(changes).toEqual([
    [{ field: databaseKey, from: '•••', to: '•••' }],
    [{ field: databaseKey, from: null, to: '•••' }],
  ])
  const stored = await muster.inside(organisation, (db) =>
    db.selectFrom('organisations').select('config').executeTakeFirstOrThrow(),
  )
  expect(stored.config).toMatchObject({ [databaseKey]: 'south-south' })
  const reverted = await staff.delete(`${GLOBAL}/${databaseKey}`)
  expect(reverted.body).toMatchObject({ hasValue: false, currentValue: '' })
})

test('an organisation changes its own configuration and no other column or row', async () => {
  const [ours, theirs] = [await muster.anOrganisation(), await muster.anOrganisation()]
  const { numUpdatedRows } = await muster.inside(ours, (db) =>
    db
      .updateTable('organisations')
      .set({ config: json({ maxFileSize: 1 }) as never })
      .where('id', '=', theirs.id)
      .executeTakeFirst(),
  )
  expect(Number(numUpdatedRows)).toBe(0)
  await expect(
    muster.inside(ours, (db) => db.updateTable('organisations').set({ max_users: 9_999 }).execute()),
  ).rejects.toThrow('permission denied')
})
