import { expect, test } from 'vitest'

import { clock } from '#server/kit/core/clock.ts'
import { again, declared, NEW } from '#tests/support/incidents.ts'
import { startTestServer } from '#tests/support/server.ts'

const { anOrganisation, inside, signedInAs } = await startTestServer()

const year = new Date(clock.now()).getUTCFullYear()

test('incidents and exercises are counted apart, for each organisation', async () => {
  const ana = await signedInAs(await anOrganisation({ multiIncident: true, timeZone: 'UTC' }))
  const numbers = [
    (await declared(ana)).number,
    (await declared(ana, { isTabletop: true })).number,
    (await declared(ana)).number,
  ]
  expect(numbers).toEqual([`INC-${year}-001`, `EXE-${year}-001`, `INC-${year}-002`])
  const other = await signedInAs(await anOrganisation({ multiIncident: true, timeZone: 'UTC' }))
  expect((await declared(other)).number).toBe(`INC-${year}-001`)
})

test('no number is given twice or left out, though several are declared at once and some are refused', async () => {
  const org = await anOrganisation({ multiIncident: true, timeZone: 'UTC' })
  const ana = await signedInAs(org)
  const refused = { ...NEW, targetedUsers: ['nobody@x.example'] }
  const replies = await Promise.all(
    Array.from({ length: 12 }, (_, n) => ana.post('/incident', n % 3 === 2 ? refused : NEW)),
  )
  const made = replies.filter(({ status }) => status === 201).map(({ body }) => String(body.number))
  expect(made.toSorted()).toEqual(Array.from({ length: 8 }, (_, n) => `INC-${year}-00${n + 1}`))
})

test('the year is that of the organisation’s zone', async () => {
  const zones = ['Pacific/Kiritimati', 'Pacific/Pago_Pago']
  const years = zones.map((timeZone) =>
    Number(new Intl.DateTimeFormat('en', { timeZone, year: 'numeric' }).format(clock.now())),
  )
  const numbers = await Promise.all(
    zones.map(
      async (timeZone) => (await declared(await signedInAs(await anOrganisation({ timeZone })))).number,
    ),
  )
  expect(numbers).toEqual(years.map((one) => `INC-${one}-001`))
})

test('an incident that becomes an exercise gets a number of its kind, and the search finds it', async () => {
  const org = await anOrganisation({ multiIncident: true, timeZone: 'UTC' })
  const ana = await signedInAs(org)
  const incident = await declared(ana)
  await declared(ana)
  await ana.patch(`/incident/${incident.id}`, { isTabletop: true })
  expect((await again(ana, incident)).number).toBe(`EXE-${year}-001`)
  const found = await ana.get(`/incident?searchWord=exe-${year}-001`)
  expect(found.body.data.map(({ id }: { id: string }) => id)).toEqual([incident.id])
  const [, changed] = await inside(org, (db) =>
    db.selectFrom('events').select('changes').where('record', '=', incident.id).orderBy('sequence').execute(),
  )
  expect(changed?.changes).toMatchObject({ number: { from: `INC-${year}-001`, to: `EXE-${year}-001` } })
})
