import { act, screen, waitFor, within } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { expect, test } from 'vitest'

import type { ConfigItem } from '#contract/config-items/schema.ts'
import { answer, API, aProblem, FakeSocket, open, server, signedIn } from '#tests/support/client.tsx'
import { aConfigItem, connected } from '#tests/support/client-console.ts'
import { receive } from '#tests/support/client-lists.ts'

// Preloaded, so that the first test does not wait for these modules.
import '#src/app/App.tsx'
import '#src/config-items/OrganisationSettingsPage.tsx'

const PATH = '/config/enterpriseConfigDetails'

/** Opens the settings page; `state` holds the server's item. */
async function opened(first: ConfigItem) {
  signedIn('ADMIN')
  const state = { current: first, fetches: 0 }
  server.use(
    http.get(`${API}${PATH}`, () => {
      state.fetches += 1
      return HttpResponse.json([state.current])
    }),
  )
  const user = open('/settings/organisation')
  const heading = await screen.findByText(first.databaseKey, { selector: 'code' })
  const row = within(heading.closest('li')!)
  const edit = () => user.click(row.getByRole('button', { name: `Edit ${first.databaseKey}` }))
  const save = () => user.click(row.getByRole('button', { name: 'Save' }))
  return { user, row, state, edit, save }
}

test('an administrator changes what is left to them, and reverts it', async () => {
  const item = aConfigItem('nameCharacters')
  const { user, row, edit, save } = await opened(item)
  const own = { ...item, currentValue: 'EXTENDED', isEnterpriseCustom: true }
  const bodies = receive('put', PATH, ({ valueJson }) => (valueJson === 'null' ? item : own))
  expect(row.getByText('Default')).toBeVisible()
  expect(row.queryByText('Organization Admin')).toBeNull()
  await edit()
  await user.click(row.getByRole('combobox'))
  await user.click(screen.getByRole('option', { name: 'EXTENDED' }))
  await save()
  expect(await screen.findByText('nameCharacters has been saved.')).toBeVisible()
  expect(row.getByText('EXTENDED')).toBeVisible()
  expect(row.getByText('Enterprise')).toBeVisible()
  await edit()
  await user.click(row.getByRole('button', { name: 'Revert' }))
  expect(await screen.findByText('nameCharacters has its inherited value again.')).toBeVisible()
  expect(row.getByText('Default')).toBeVisible()
  expect(bodies).toEqual([
    { databaseKey: 'nameCharacters', valueJson: '"EXTENDED"' },
    { databaseKey: 'nameCharacters', valueJson: 'null' },
  ])
})

test('what is out of range is refused at the item, before and after it is sent, and stays as it was typed', async () => {
  const { user, row, edit, save } = await opened(aConfigItem('statementOfPrivilege'))
  const bodies = receive('put', PATH, () => aProblem('Nobody may say that.'), 400)
  await edit()
  const input = row.getByRole('textbox')
  await user.click(input)
  await user.paste('x'.repeat(1_001))
  await save()
  expect(input).toHaveAccessibleDescription('Maximum length of 1000 characters exceeded.')
  expect(bodies).toEqual([])
  await user.clear(input)
  await user.paste('Privileged')
  await save()
  await waitFor(() => expect(input).toHaveAccessibleDescription('Nobody may say that.'))
  expect(input).toHaveValue('Privileged')
  expect(row.getByRole('button', { name: 'Save' })).toBeEnabled()
})

test('what staff change shows without a reload, and leaves alone what is being typed', async () => {
  const item = aConfigItem('statementOfPrivilege')
  const { user, row, state, edit } = await opened(item)
  await connected(() => state.fetches)
  // The server closes the sockets of an organisation whose configuration changed.
  const changeElsewhere = async (currentValue: string) => {
    state.current = { ...item, currentValue, isEnterpriseCustom: true }
    const socket = FakeSocket.last!
    act(() => void socket.dispatchEvent(new CloseEvent('close', { code: 4002 })))
    await waitFor(() => expect(FakeSocket.last).not.toBe(socket))
    await connected(() => state.fetches)
  }
  await changeElsewhere('Theirs')
  expect(await row.findByText('Theirs')).toBeVisible()
  await edit()
  const input = row.getByRole('textbox')
  await user.clear(input)
  await user.paste('Ours')
  await changeElsewhere('Theirs again')
  expect(await row.findByText(/in the meantime. Its value is now: Theirs again/)).toBeVisible()
  expect(input).toHaveValue('Ours')
})

test('people who administer nothing do not find the page', async () => {
  signedIn('USER')
  answer('get', PATH, [aConfigItem('nameCharacters')])
  open('/settings/organisation')
  await screen.findByRole('navigation', { name: 'Main menu' })
  await waitFor(() => expect(screen.queryByText('nameCharacters')).toBeNull())
  expect(screen.queryByRole('link', { name: 'Organization' })).toBeNull()
})
