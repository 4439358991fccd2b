import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, test } from 'vitest'

import { AWARE_LATER, type Duty, type DutyClock, PROOF_REQUIRED } from '#contract/duties/schema.ts'
import { answer, type open } from '#tests/support/client.tsx'
import {
  aWhole,
  fill,
  GRACE,
  hearing,
  minutesAgo,
  page,
  preparePages,
  refused,
  uuid,
} from '#tests/support/client-incidents.ts'

preparePages()

const EARLY: Pick<Duty, 'id' | 'name' | 'hours' | 'filedTo' | 'hint'> = {
  id: uuid(50),
  name: 'Early warning',
  hours: 24,
  filedTo: 'CSIRT',
  hint: 'NIS2, Article 23.',
}
const aClock = (changes: Partial<DutyClock> = {}): DutyClock => ({
  id: uuid(60),
  incidentId: uuid(1),
  dutyId: EARLY.id,
  name: 'Early warning',
  filedTo: 'CSIRT',
  hint: 'NIS2, Article 23.',
  state: 'RUNNING',
  awareTimestamp: minutesAgo(60),
  dueTimestamp: minutesAgo(-23 * 60 - 5),
  holder: { email: GRACE.email, firstName: GRACE.firstName, lastName: GRACE.lastName },
  startedBy: GRACE.email,
  startTimestamp: minutesAgo(50),
  draft: '',
  filedTimestamp: null,
  filedBy: null,
  reference: null,
  link: null,
  files: [],
  reason: null,
  updatedBy: GRACE.email,
  updateTimestamp: minutesAgo(50),
  version: 1,
  ...changes,
})
const having = (clocks: DutyClock[], startable: object[] = []) =>
  answer('get', '/incident/:id/duties', { clocks, startable })
const tab = async (user: ReturnType<typeof open>) =>
  user.click(await screen.findByRole('tab', { name: 'Duties' }))

describe('the duties to report an incident', () => {
  test('start from a time of awareness that is no future one', async () => {
    having([], [EARLY])
    const sent = hearing('post', `/incident/${uuid(1)}/duties`, () => ({ clocks: [aClock()], startable: [] }))
    const { user } = page(aWhole())
    await tab(user)
    await user.click(await screen.findByRole('button', { name: 'Start clocks' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Start the clocks' }))
    expect(dialog.getByRole('checkbox', { name: /^Early warning · 24 hours/ })).toBeChecked()
    const aware = dialog.getByRole('textbox', { name: 'Aware since' })
    await fill(user, aware, '2099-05-02 14:00')
    await user.click(dialog.getByRole('button', { name: 'Start clocks' }))
    expect(await dialog.findByText(AWARE_LATER)).toBeVisible()
    expect(sent.bodies).toEqual([])
    await user.clear(aware)
    await fill(user, aware, '2026-05-02 14:00')
    await user.click(dialog.getByRole('button', { name: 'Start clocks' }))
    await waitFor(() => expect(sent.bodies).toHaveLength(1))
    expect(sent.bodies[0]).toMatchObject({
      awareTimestamp: new Date('2026-05-02T14:00').toISOString(),
      dutyIds: [EARLY.id],
      holder: null,
    })
  })

  test('say in words what remains, and ask for a proof of what was filed', async () => {
    having([
      aClock(),
      aClock({ id: uuid(61), name: 'Insurer', dueTimestamp: minutesAgo(-9) }),
      aClock({ id: uuid(62), name: 'Police', dueTimestamp: minutesAgo(61) }),
      aClock({ id: uuid(63), name: 'Press', state: 'NOT_NEEDED', reason: 'Nobody asked.' }),
    ])
    const sent = hearing('post', `/incident/duty/${uuid(60)}/filed`, () =>
      refused(400, PROOF_REQUIRED, { fields: { reference: PROOF_REQUIRED } }),
    )
    const { user } = page(aWhole())
    await tab(user)
    const early = within(await screen.findByRole('region', { name: 'Early warning' }))
    expect(early.getByText(/^23 h.* left$/)).toBeVisible()
    expect(
      within(screen.getByRole('region', { name: 'Insurer' })).getByText(/^Only \d+ min left$/),
    ).toBeVisible()
    expect(within(screen.getByRole('region', { name: 'Police' })).getByText(/^Over by 1 h/)).toBeVisible()
    const press = within(screen.getByRole('region', { name: 'Press' }))
    expect(press.getByText('Nobody asked.')).toBeVisible()
    expect(press.getByRole('button', { name: 'Let it run again: Press' })).toBeVisible()
    await user.click(early.getByRole('button', { name: 'Mark as filed: Early warning' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'What was filed: Early warning' }))
    await user.click(dialog.getByRole('button', { name: 'Mark as filed' }))
    expect(await dialog.findByText(PROOF_REQUIRED)).toBeVisible()
    expect(sent.bodies[0]).toMatchObject({ reference: '', link: null, fileIds: [], version: 1 })
  })

  test('are only read by people who change no incidents', async () => {
    having([aClock({ draft: '<p>Pumps failed.</p>' })], [EARLY])
    const { user } = page(aWhole(), 'BUSINESS_USER')
    await tab(user)
    const early = within(await screen.findByRole('region', { name: 'Early warning' }))
    expect(early.getByText('Pumps failed.')).toBeVisible()
    expect(early.queryByRole('button')).toBeNull()
    expect(screen.queryByRole('button', { name: 'Start another clock' })).toBeNull()
  })
})
