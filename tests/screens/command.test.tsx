import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, test } from 'vitest'

import type { Command, HeldRole, NextUpdate, RoleHolding } from '#contract/incident-roles/schema.ts'
import { receive, serveList, onAPhone } from '#tests/support/client-lists.ts'
import { answer, open, signedIn } from '#tests/support/client.tsx'
import {
  aWhole,
  fill,
  GONE,
  GRACE,
  hearing,
  ME,
  minutesAgo,
  page,
  preparePages,
  refused,
  uuid,
} from '#tests/support/client-incidents.ts'

preparePages()

const holderOf = (
  { uuid: id, email, firstName, lastName }: Pick<typeof GRACE, 'uuid' | 'email' | 'firstName' | 'lastName'>,
  isActive = true,
) => ({
  uuid: id,
  email,
  firstName,
  lastName,
  isActive,
})
const COMMANDER: HeldRole = {
  id: uuid(501),
  name: 'Commander',
  description: 'Leads, and decides what is done.',
  isRetired: false,
  duty: 'COMMAND',
  holder: null,
  fromTimestamp: null,
}
const SCRIBE: HeldRole = { ...COMMANDER, id: uuid(502), name: 'Scribe', description: null, duty: null }
const held = (role: HeldRole, holder = holderOf(GRACE)): HeldRole => ({
  ...role,
  holder,
  fromTimestamp: minutesAgo(5),
})
const NO_NEXT: NextUpdate = { dueTimestamp: null, setBy: null, minutes: 0, canSet: false, version: 1 }
const inMinutes = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString()
const commandWith = (roles: readonly HeldRole[], next: Partial<NextUpdate> = {}): Command => ({
  isActive: true,
  roles: [...roles],
  nextUpdate: { ...NO_NEXT, ...next },
})
const leading = (...states: Command[]) =>
  hearing('get', `/incident/${uuid(1)}/command`, ({ times }) => ({
    ...states[Math.min(times, states.length) - 1]!,
  }))
const strip = async () => within(await screen.findByRole('region', { name: 'Command' }))
const dialog = async () => within(await screen.findByRole('dialog'))

describe('the strip of an incident', () => {
  test('says who leads, and marks a holder whose account is not in use any more', async () => {
    leading(commandWith([held(COMMANDER), held(SCRIBE, holderOf(GONE, false))]))
    page(aWhole(), 'BUSINESS_USER')
    expect(await (await strip()).findByRole('button', { name: 'Commander: Grace Hopper' })).toBeVisible()
    expect((await strip()).getByTitle('no longer active')).toBeInTheDocument()
    expect((await strip()).queryByRole('button', { name: 'Assign' })).toBeNull()
  })

  test('folds to the first role and a count on a phone', async () => {
    onAPhone()
    leading(commandWith([held(COMMANDER), held(SCRIBE)]))
    const { user } = page(aWhole())
    const more = await (await strip()).findByRole('button', { name: '+1 role' })
    expect((await strip()).queryByRole('button', { name: /^Scribe/ })).toBeNull()
    await user.click(more)
    expect((await strip()).getByRole('button', { name: 'Scribe: Grace Hopper' })).toBeVisible()
  })

  test('is nothing for external people, and offers to try again after a failure', async () => {
    const asked = hearing('get', `/incident/${uuid(1)}/command`, ({ times }) =>
      times === 1 ? refused(403, 'You do not have permission to do this.') : commandWith([held(COMMANDER)]),
    )
    page(aWhole())
    await screen.findByRole('heading', { name: 'Ransomware in the payment network' })
    await waitFor(() => expect(asked.urls).toHaveLength(1))
    expect(screen.queryByRole('region', { name: 'Command' })).toBeNull()
    expect(screen.queryByText('The roles of this incident could not be loaded.')).toBeNull()
  })

  test('assigns a role to the viewer', async () => {
    leading(commandWith([COMMANDER, SCRIBE]), commandWith([held(COMMANDER, holderOf(ME)), SCRIBE]))
    const sent = hearing('put', `/incident/${uuid(1)}/command/role/${COMMANDER.id}`, () =>
      held(COMMANDER, holderOf(ME)),
    )
    const { user } = page(aWhole())
    expect(await (await strip()).findByText('No commander yet')).toBeVisible()
    await user.click((await strip()).getByRole('button', { name: 'Assign' }))
    await user.click((await dialog()).getByRole('button', { name: 'Assign' }))
    expect(await (await dialog()).findByText('Please choose a person.')).toBeVisible()
    expect(sent.bodies).toEqual([])
    await user.click((await dialog()).getByRole('button', { name: 'Take it myself' }))
    await user.click((await dialog()).getByRole('button', { name: 'Assign' }))
    await waitFor(() => expect(sent.bodies).toEqual([{ holder: ME.email, heldBy: null, statement: null }]))
    expect(await (await strip()).findByRole('button', { name: /^Commander: / })).toBeVisible()
  })

  test('shows the holders with their statements, and says who holds the role after a conflict', async () => {
    leading(commandWith([held(COMMANDER)]))
    const holding: RoleHolding = {
      id: uuid(601),
      title: 'Commander',
      holder: holderOf(GRACE),
      fromTimestamp: minutesAgo(5),
      untilTimestamp: null,
      givenBy: GRACE.email,
      statement: 'Feed B is down.',
    }
    const asked = hearing('get', `/incident/${uuid(1)}/command/holdings`, () => ({
      data: [holding],
      total: 1,
    }))
    const sent = hearing('put', `/incident/${uuid(1)}/command/role/${COMMANDER.id}`, () =>
      refused(409, 'Berta Board holds Commander now.'),
    )
    const { user } = page(aWhole())
    await user.click(await (await strip()).findByRole('button', { name: 'Commander: Grace Hopper' }))
    expect(await (await dialog()).findByText('Feed B is down.')).toBeVisible()
    expect(asked.urls[0]!.searchParams.get('roleId')).toBe(COMMANDER.id)
    await user.click((await dialog()).getByRole('button', { name: 'Hand over' }))
    const form = within(await screen.findByRole('dialog', { name: 'Hand over Commander' }))
    await user.click(form.getByRole('button', { name: 'Take it myself' }))
    await fill(user, form.getByRole('textbox', { name: /^Statement/ }), ' Taking over. ')
    await user.click(form.getByRole('button', { name: 'Hand over' }))
    expect(await form.findByText('Berta Board holds Commander now.')).toBeVisible()
    expect(sent.bodies).toEqual([{ holder: ME.email, heldBy: GRACE.email, statement: 'Taking over.' }])
    expect(form.getByRole('textbox', { name: /^Statement/ })).toHaveValue(' Taking over. ')
  })

  test('releases a role after a question', async () => {
    leading(commandWith([held(COMMANDER)]))
    hearing('get', `/incident/${uuid(1)}/command/holdings`, () => ({ data: [], total: 0 }))
    const sent = hearing('post', `/incident/${uuid(1)}/command/role/${COMMANDER.id}/release`, () => COMMANDER)
    const { user } = page(aWhole())
    await user.click(await (await strip()).findByRole('button', { name: 'Commander: Grace Hopper' }))
    await user.click(await (await dialog()).findByRole('button', { name: 'Release' }))
    const asked = within(await screen.findByRole('dialog', { name: 'Release the role Commander?' }))
    await user.click(asked.getByRole('button', { name: 'Release' }))
    await waitFor(() => expect(sent.bodies).toEqual([{ heldBy: GRACE.email }]))
  })
})

describe('the next update', () => {
  test.each([
    [12, 'Next update in 12 min'],
    [3, 'Next update in 3 min'],
    [125, 'Next update in 2 h 5 min'],
    [-8.5, 'Next update 8 min late'],
  ])('in %d minutes is said as "%s"', async (minutes, words) => {
    leading(commandWith([], { dueTimestamp: inMinutes(minutes), minutes: 30 }))
    page(aWhole())
    expect(await (await strip()).findByText(words)).toBeVisible()
  })

  test('is set by those who may, and refused times stand at the field', async () => {
    leading(commandWith([], { canSet: true, minutes: 30, dueTimestamp: inMinutes(20) }))
    const sent = hearing('put', `/incident/${uuid(1)}/command/nextUpdate`, () => ({
      ...NO_NEXT,
      dueTimestamp: inMinutes(90),
    }))
    const { user } = page(aWhole())
    await user.click(await (await strip()).findByRole('button', { name: 'Next update in 20 min' }))
    const field = (await dialog()).getByRole('textbox', { name: 'Time of the next update' })
    await user.clear(field)
    await user.click((await dialog()).getByRole('button', { name: 'Set time' }))
    expect(await (await dialog()).findByText('Please enter a time.')).toBeVisible()
    await fill(user, field, '2020-01-01 10:00')
    await user.click((await dialog()).getByRole('button', { name: 'Set time' }))
    expect(await (await dialog()).findByText('Please choose a time in the future.')).toBeVisible()
    expect(sent.bodies).toEqual([])
    await user.clear(field)
    await fill(user, field, '2099-01-01 10:00')
    await user.click((await dialog()).getByRole('button', { name: 'Set time' }))
    await waitFor(() => expect(sent.bodies).toHaveLength(1))
    expect(sent.bodies[0]).toEqual({
      dueTimestamp: new Date('2099-01-01T10:00').toISOString(),
      version: 1,
    })
  })
})

describe('the list of roles', () => {
  const row = {
    id: COMMANDER.id,
    name: 'Commander',
    description: 'Leads.',
    position: 10,
    isRetired: false,
    heldCount: 1,
    updateTimestamp: minutesAgo(60),
    version: 3,
  }

  test('is edited by administrators; a place in the order may be typed', async () => {
    signedIn()
    serveList('/incidentRoles', () => [row])
    const sent = receive('put', `/incidentRole/${row.id}`, () => ({ ...row, position: 15 }))
    const user = open(`/incident-roles?edit=${row.id}`)
    const form = within(await screen.findByRole('dialog', { name: 'Edit role' }))
    const place = await form.findByRole('textbox', { name: 'Order' })
    expect(place).toHaveValue('10')
    await user.clear(place)
    await fill(user, place, 'first')
    await user.click(form.getByRole('button', { name: 'Save' }))
    expect(await form.findByText('Please enter a whole number up to 9999.')).toBeVisible()
    await user.clear(place)
    await fill(user, place, '15')
    await user.click(form.getByRole('button', { name: 'Save' }))
    await waitFor(() => expect(sent).toHaveLength(1))
  })

  test('says why a role that is held stays', async () => {
    signedIn()
    serveList('/incidentRoles', () => [row])
    answer(
      'delete',
      `/incidentRole/${row.id}`,
      {
        code: 'conflict',
        message: 'Somebody holds Commander in a running incident. Please retire it instead.',
      },
      409,
    )
    const user = open('/incident-roles')
    await user.click(await screen.findByRole('button', { name: 'Actions for Commander' }))
    await user.click(await screen.findByRole('menuitem', { name: 'Delete' }))
    await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Delete' }))
    expect(await screen.findByText(/Please retire it instead\./)).toBeVisible()
  })
})
