import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, test } from 'vitest'

import {
  at,
  aTask,
  aWhole,
  fill,
  hearing,
  listed,
  page,
  preparePages,
  refused,
  resolved,
  shown,
  uuid,
} from '#tests/support/client-incidents.ts'

preparePages()

const chosen = async (user: ReturnType<typeof page>['user'], item: string) => {
  await user.click(await screen.findByRole('button', { name: 'More actions' }))
  await user.click(await screen.findByRole('menuitem', { name: item }))
  return within(await screen.findByRole('dialog'))
}

describe('the severity', () => {
  test('is changed from the menu, with a reason', async () => {
    const { user, state } = page(aWhole())
    const asked = hearing(
      'patch',
      `/incident/${uuid(1)}`,
      () => (state.incident = aWhole({ severity: 'CRITICAL', version: 2 })),
    )
    await shown()
    const dialog = await chosen(user, 'Change severity')
    expect(dialog.getByRole('button', { name: 'Change severity' })).toBeDisabled()
    await user.click(dialog.getByRole('button', { name: 'Critical' }))
    await fill(user, dialog.getByRole('textbox', { name: /^Reason/ }), 'A second site.')
    await user.click(dialog.getByRole('button', { name: 'Change severity' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(asked.bodies).toEqual([{ severity: 'CRITICAL', reason: 'A second site.', version: 1 }])
    expect(await screen.findByText('Critical severity')).toBeVisible()
  })

  test('stays where somebody else changed it, with who did', async () => {
    const { user } = page(aWhole())
    hearing('patch', `/incident/${uuid(1)}`, () =>
      refused(409, 'Grace Hopper changed the severity meanwhile.', { code: 'stale' }),
    )
    await shown()
    const dialog = await chosen(user, 'Change severity')
    await user.click(dialog.getByRole('button', { name: 'Low' }))
    await user.click(dialog.getByRole('button', { name: 'Change severity' }))
    expect(await dialog.findByText('Grace Hopper changed the severity meanwhile.')).toBeVisible()
  })
})

describe('a resolved incident', () => {
  test('is reopened with a reason', async () => {
    const { user, state } = page(aWhole(resolved))
    const asked = hearing('post', `/incident/${uuid(1)}/reopen`, () => (state.incident = aWhole()))
    await shown()
    const dialog = await chosen(user, 'Reopen')
    expect(dialog.getByRole('button', { name: 'Reopen' })).toBeDisabled()
    await fill(user, dialog.getByRole('textbox', { name: /^Reason/ }), 'It burns again.')
    await user.click(dialog.getByRole('button', { name: 'Reopen' }))
    expect(await screen.findByText('Ongoing')).toBeVisible()
    expect(asked.bodies).toEqual([{ reason: 'It burns again.' }])
  })

  test('is not reopened by others than those who declared or resolved it', async () => {
    const others = { createdBy: 'other@x.example', resolvedBy: 'other@x.example' }
    const { user } = page(aWhole({ ...resolved, ...others }), 'USER')
    await shown()
    await user.click(screen.getByRole('button', { name: 'More actions' }))
    const items = await screen.findAllByRole('menuitem')
    expect(items.map(({ textContent }) => textContent)).toEqual(['Declare one like it'])
  })

  test('says that it was a false alarm, and why', async () => {
    page(aWhole({ ...resolved, outcome: 'FALSE_ALARM', outcomeReason: 'A test of the siren.' }))
    await shown()
    expect(screen.getAllByText('False alarm').length).toBeGreaterThan(0)
    expect(screen.queryByText('Resolved')).toBeNull()
    expect(screen.getByText(/A test of the siren\./)).toBeVisible()
  })
})

describe('a false alarm', () => {
  test('is chosen as the incident is resolved, and needs a reason', async () => {
    const { user, state } = page(aWhole())
    const asked = hearing('patch', `/incident/${uuid(1)}`, () => (state.incident = aWhole(resolved)))
    await shown()
    await user.click(screen.getByRole('button', { name: 'Resolve' }))
    const dialog = within(await screen.findByRole('dialog'))
    await user.click(dialog.getByRole('radio', { name: 'A false alarm' }))
    expect(dialog.getByRole('button', { name: 'Resolve' })).toBeDisabled()
    await fill(user, dialog.getByRole('textbox', { name: /false alarm/ }), 'A test.')
    await user.click(dialog.getByRole('button', { name: 'Resolve' }))
    await waitFor(() =>
      expect(asked.bodies).toEqual([{ isActive: false, outcome: 'FALSE_ALARM', outcomeReason: 'A test.' }]),
    )
    await at(`/incidents/${uuid(1)}`)
  })
})

describe('a duplicate', () => {
  test('is merged into another one in progress, with its open tasks', async () => {
    const { user } = page(aWhole({ activities: [aTask(2)] }))
    hearing('get', '/incident', () => ({
      data: [listed(1), listed(7, { title: 'Fire in hall 3' })],
      page: 0,
      size: 100,
      total: 2,
      people: [],
    }))
    hearing('get', `/incident/${uuid(7)}`, () => aWhole({ id: uuid(7), title: 'Fire in hall 3' }))
    const asked = hearing('post', `/incident/${uuid(1)}/merge`, () =>
      aWhole({ ...resolved, outcome: 'MERGED', mergedIntoId: uuid(7) }),
    )
    await shown()
    const dialog = await chosen(user, 'Merge as duplicate')
    await user.click(await dialog.findByRole('combobox', { name: /^Merge into/ }))
    expect(await screen.findAllByRole('option')).toHaveLength(1)
    await user.click(screen.getByRole('option', { name: 'INC-2026-014 Fire in hall 3' }))
    await fill(user, dialog.getByRole('textbox', { name: /^Reason/ }), 'The same fire.')
    expect(dialog.getByRole('checkbox', { name: 'Copy the open task' })).toBeChecked()
    await user.click(dialog.getByRole('button', { name: 'Merge' }))
    await at(`/incidents/${uuid(7)}`)
    expect(asked.bodies).toEqual([{ into: uuid(7), reason: 'The same fire.', copyTasks: true }])
  })

  test('and the one that goes on link to each other', async () => {
    page(
      aWhole({
        mergedInto: { id: uuid(7), number: 'INC-2026-001', title: 'Fire in hall 3' },
        duplicates: [{ id: uuid(8), number: 'INC-2026-002', title: 'Smoke' }],
      }),
    )
    await shown()
    expect(await screen.findByRole('link', { name: 'INC-2026-001 Fire in hall 3' })).toHaveAttribute(
      'href',
      `/incidents/${uuid(7)}`,
    )
    expect(screen.getByRole('link', { name: 'INC-2026-002 Smoke' })).toHaveAttribute(
      'href',
      `/incidents/${uuid(8)}`,
    )
  })
})

test('a changed title asks for its reason in the form', async () => {
  const { user, state } = page(aWhole({ targetedUsers: [] }))
  const asked = hearing('patch', `/incident/${uuid(1)}`, () => (state.incident = aWhole({ version: 2 })))
  await shown()
  await user.click(screen.getByRole('link', { name: 'Edit Incident' }))
  const title = await screen.findByRole('textbox', { name: /^Title/ })
  expect(screen.queryByRole('textbox', { name: /^Reason/ })).toBeNull()
  await user.type(title, ' and more')
  await fill(user, await screen.findByRole('textbox', { name: /^Reason/ }), 'A second network.')
  await user.click(screen.getByRole('button', { name: 'Save' }))
  await at(`/incidents/${uuid(1)}`)
  expect(asked.bodies[0]).toMatchObject({ reason: 'A second network.' })
})
