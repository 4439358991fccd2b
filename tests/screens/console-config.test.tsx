import { screen, waitFor, within } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { beforeEach, describe, expect, test } from 'vitest'

import type { ConfigItem } from '#contract/config-items/schema.ts'
import { answer, API, aProblem, open, server } from '#tests/support/client.tsx'
import {
  aConfigItem,
  aDetail,
  anOrganisation,
  connected,
  counted,
  staffSignedIn,
} from '#tests/support/client-console.ts'
import { receive } from '#tests/support/client-lists.ts'

const GLOBAL = '/config/globalOverriddenConfigDetails'
const bank = anOrganisation()
const ENTERPRISE = `/config/enterpriseConfigDetails/${bank.id}`
beforeEach(() => {
  staffSignedIn()
  answer('get', `/enterprise/${bank.id}`, aDetail(bank))
})

const row = async (key: string) => {
  const name = await screen.findByText(key, { selector: 'code, h3' })
  return within(name.closest('li')!)
}
function opened(items: readonly ConfigItem[], where: 'global' | 'enterprise' = 'global') {
  answer('get', where === 'global' ? GLOBAL : ENTERPRISE, [...items])
  const user = open(where === 'global' ? '/management/config' : `/management/config/${bank.id}`)
  const edit = async (key: string) => {
    await user.click(await screen.findByRole('button', { name: `Edit ${key}` }))
    return row(key)
  }
  const save = async (key: string) => user.click((await row(key)).getByRole('button', { name: 'Save' }))
  return { user, edit, save }
}
/** Stores saved values in the scripted server's scope. */
const saved = (item: ConfigItem, where: 'global' | 'enterprise' = 'global') =>
  receive('put', where === 'global' ? GLOBAL : ENTERPRISE, ({ valueJson }) => {
    const value = JSON.parse(String(valueJson)) as ConfigItem['currentValue'] | null
    return { ...item, currentValue: value ?? item.defaultValue, isGlobalOverridden: where === 'global' }
  })

describe('the items', () => {
  test('stand in their groups, each with its value, where that comes from, and who sees and changes it', async () => {
    opened(
      [
        aConfigItem('auth2fa'),
        aConfigItem('auth2faType', {
          currentValue: 'EMAIL',
          globalOverriddenValue: 'EMAIL',
          isGlobalOverridden: true,
        }),
        aConfigItem('multiIncident', {
          currentValue: true,
          isEnterpriseCustom: true,
          isGlobalOverridden: true,
        }),
        aConfigItem('statementOfPrivilege'),
        aConfigItem('chatRetentionDays'),
        aConfigItem('streamApiKey'),
        aConfigItem('massNotifsQuotaWarnings', { currentValue: [] }),
      ],
      'enterprise',
    )
    const signIn = within(await screen.findByRole('region', { name: 'Sign-in' }))
    expect(signIn.getAllByRole('heading', { level: 3 }).map(({ textContent }) => textContent)).toEqual([
      'Second factor at sign-in',
      'Kind of second factor',
    ])
    expect(signIn.getByText('auth2faType')).toBeVisible()
    const expected = {
      auth2fa: ['Default', 'Requires Auth', 'Environment Admin', 'No'],
      auth2faType: ['Global', 'Requires Auth', 'EMAIL'],
      multiIncident: ['Enterprise', 'Public', 'Yes'],
      statementOfPrivilege: ['Default', 'Requires Auth', 'Organization Admin', 'No value.'],
      chatRetentionDays: ['Default', 'Backend Only', '0'],
      streamApiKey: ['Default', 'Public', 'Development Team Only', 'No value.'],
      massNotifsQuotaWarnings: ['Default', 'Requires Auth', 'Empty list.'],
    }
    for (const [key, words] of Object.entries(expected))
      for (const text of words) expect((await row(key)).getByText(text)).toBeVisible()
  })

  test('say who changed them last, and which organizations differ', async () => {
    const changed = aConfigItem('groupsEnabled', {
      lastChange: { by: 'ada@muster.example', timestamp: new Date().toISOString() },
      differingCount: 2,
    })
    const urls = counted('/enterprises', [bank], { 'Content-Range': 'items 0-0/1' })
    const { user } = opened([changed, aConfigItem('auth2fa', { differingCount: 0 })])
    const groups = await row('groupsEnabled')
    expect(groups.getByText(/^Last changed by ada@muster\.example,/)).toHaveTextContent(/just now/i)
    expect((await row('auth2fa')).queryByRole('button', { name: /differ/ })).toBeNull()
    await user.click(groups.getByRole('button', { name: '2 organizations differ' }))
    const dialog = within(
      await screen.findByRole('dialog', { name: 'Organizations with their own value of “Groups”' }),
    )
    expect(await dialog.findByRole('link', { name: bank.enterprise.displayName })).toHaveAttribute(
      'href',
      `/management/config/${bank.id}?q=groupsEnabled`,
    )
    expect(urls[0]!.searchParams.get('filter')).toBe(JSON.stringify({ ownConfigKey: 'groupsEnabled' }))
  })

  test('that only a new version changes, or that are of an unknown type, cannot be edited', async () => {
    opened([aConfigItem('streamApiKey'), { ...aConfigItem('auth2fa'), databaseKey: 'fromTheFuture' }])
    expect((await row('streamApiKey')).getByTitle('Only a new version changes this item.')).toBeVisible()
    expect((await row('fromTheFuture')).getByText('Config type not supported.')).toBeVisible()
    expect(screen.queryByRole('button', { name: /^Edit/ })).toBeNull()
  })

  test('are found by what their descriptions say', async () => {
    const { user } = opened([aConfigItem('auth2fa'), aConfigItem('multiIncident')])
    await row('auth2fa')
    const search = screen.getByRole('searchbox', { name: 'Search by title, key, group or description' })
    await user.type(search, 'second factor')
    await waitFor(() => expect(screen.queryByText('multiIncident')).toBeNull())
    expect(screen.getByText('auth2fa')).toBeVisible()
    await user.type(search, ' of nobody')
    expect(await screen.findByText('No configuration item matches.')).toBeVisible()
  })
})

describe('an editor', () => {
  test('offers yes and no', async () => {
    const item = aConfigItem('auth2fa')
    const bodies = saved(item)
    const { user, edit, save } = opened([item])
    const editor = await edit('auth2fa')
    await user.click(editor.getByRole('combobox'))
    await user.click(screen.getByRole('option', { name: 'Yes' }))
    await save('auth2fa')
    expect(await screen.findByText('auth2fa has been saved.')).toBeVisible()
    expect(bodies).toEqual([{ databaseKey: 'auth2fa', valueJson: 'true' }])
    expect((await row('auth2fa')).getByText('Global')).toBeVisible()
    expect((await row('auth2fa')).getByText('Yes')).toBeVisible()
  })

  test('offers the choices of an enumeration', async () => {
    const item = aConfigItem('auth2faType')
    const bodies = saved(item)
    const { user, edit, save } = opened([item])
    await user.click((await edit('auth2faType')).getByRole('combobox'))
    expect(screen.getAllByRole('option').map(({ textContent }) => textContent)).toEqual(['TOTP', 'EMAIL'])
    await user.click(screen.getByRole('option', { name: 'EMAIL' }))
    await save('auth2faType')
    await waitFor(() => expect(bodies).toEqual([{ databaseKey: 'auth2faType', valueJson: '"EMAIL"' }]))
  })

  test('takes a number as people write it, and refuses none, another one and one that is out of range', async () => {
    const item = aConfigItem('chatRetentionDays')
    const bodies = saved(item)
    const { user, edit, save } = opened([item])
    const editor = await edit('chatRetentionDays')
    const input = editor.getByRole('textbox', { name: 'chatRetentionDays' })
    await user.clear(input)
    expect(editor.getByRole('button', { name: 'Save' })).toBeDisabled()
    for (const wrong of ['40000', '-4', '4.5', '4x']) {
      await user.clear(input)
      await user.type(input, wrong)
      expect(input).toHaveValue(wrong)
      await save('chatRetentionDays')
      expect(await editor.findByText('Please enter a whole number from 0 to 36500.')).toBeVisible()
    }
    expect(bodies).toEqual([])
    await user.clear(input)
    await user.type(input, '1,825')
    await save('chatRetentionDays')
    await waitFor(() => expect(bodies).toEqual([{ databaseKey: 'chatRetentionDays', valueJson: '1825' }]))
  })

  test('takes a list of numbers, the last one without Enter, too', async () => {
    const item = aConfigItem('massNotifsQuotaWarnings')
    const bodies = saved(item)
    const { user, edit, save } = opened([item])
    const editor = await edit('massNotifsQuotaWarnings')
    const input = editor.getByRole('combobox')
    await user.type(input, '50{Enter}2.5')
    await save('massNotifsQuotaWarnings')
    expect(await editor.findByText(/^Please enter a whole number/)).toBeVisible()
    expect(bodies).toEqual([])
    await user.click(input)
    await user.keyboard('{Backspace}25')
    await save('massNotifsQuotaWarnings')
    await waitFor(() =>
      expect(bodies).toEqual([{ databaseKey: 'massNotifsQuotaWarnings', valueJson: '[100,50,25]' }]),
    )
  })

  test('replaces a secret without showing one', async () => {
    const item = aConfigItem('callTurnSecret', { hasValue: true, isGlobalOverridden: true })
    const bodies = saved(item)
    const { user, edit, save } = opened([item])
    expect((await row('callTurnSecret')).getByText('Set, and not shown.')).toBeVisible()
    const editor = await edit('callTurnSecret')
    const input = editor.getByLabelText('callTurnSecret')
    expect(input).toHaveValue('')
    expect(input).toHaveAttribute('type', 'password')
    expect(editor.getByRole('button', { name: 'Save' })).toBeDisabled()
    await user.type(input, 'north')
    await save('callTurnSecret')
    await waitFor(() => expect(bodies).toEqual([{ databaseKey: 'callTurnSecret', valueJson: '"north"' }]))
  })

  test('says at a list of texts which entry is wrong', async () => {
    const item = aConfigItem('twilioAllowedCountryCodes')
    const bodies = saved(item)
    const { user, edit, save } = opened([item])
    const editor = await edit('twilioAllowedCountryCodes')
    await user.type(editor.getByRole('combobox'), 'Mexico{Enter}')
    await save('twilioAllowedCountryCodes')
    expect(
      await editor.findByText('Please enter countries as two capital letters, such as CA.'),
    ).toBeVisible()
    await user.type(editor.getByRole('combobox'), '{Backspace}MX{Enter}')
    await save('twilioAllowedCountryCodes')
    await waitFor(() =>
      expect(bodies).toEqual([{ databaseKey: 'twilioAllowedCountryCodes', valueJson: '["CA","US","MX"]' }]),
    )
  })

  test.each(['Cancel', '{Escape}'])('changes nothing with %s', async (way) => {
    const item = aConfigItem('chatRetentionDays')
    const bodies = saved(item)
    const { user, edit } = opened([item])
    const editor = await edit('chatRetentionDays')
    await user.type(editor.getByRole('textbox'), '9')
    if (way === 'Cancel') await user.click(editor.getByRole('button', { name: 'Cancel' }))
    else await user.keyboard(way)
    expect(await editor.findByRole('button', { name: 'Edit chatRetentionDays' })).toBeVisible()
    expect(editor.getByText('0')).toBeVisible()
    expect(bodies).toEqual([])
  })

  test.each([
    [400, aProblem('Please enter a value.'), 'Please enter a value.'],
    [500, {}, 'The configuration could not be saved.'],
  ])('stays open with what was typed when saving fails with %i', async (status, body, words) => {
    const { user, edit, save } = opened([aConfigItem('statementOfPrivilege')])
    answer('put', GLOBAL, body, status)
    const editor = await edit('statementOfPrivilege')
    await user.type(editor.getByRole('textbox'), 'Privileged')
    await save('statementOfPrivilege')
    expect(await editor.findByText(words)).toBeVisible()
    expect(editor.getByRole('textbox')).toHaveValue('Privileged')
  })
})

describe('the inherited value', () => {
  test('returns to all organizations with the default', async () => {
    const own = aConfigItem('auth2fa', {
      currentValue: true,
      globalOverriddenValue: true,
      isGlobalOverridden: true,
    })
    const { user, edit } = opened([own, aConfigItem('multiIncident')])
    expect((await edit('multiIncident')).getByRole('button', { name: 'Revert' })).toBeDisabled()
    answer('delete', `${GLOBAL}/auth2fa`, aConfigItem('auth2fa'))
    await user.click((await edit('auth2fa')).getByRole('button', { name: 'Revert' }))
    expect(await screen.findByText('auth2fa has its inherited value again.')).toBeVisible()
    expect((await row('auth2fa')).getByText('Default')).toBeVisible()
    expect((await row('auth2fa')).getByText('No')).toBeVisible()
  })

  test('returns to one organization, also where a text is emptied', async () => {
    const changes = { currentValue: 'Ours', isEnterpriseCustom: true }
    const own = aConfigItem('statementOfPrivilege', changes)
    const bodies: unknown[] = []
    server.use(
      http.put(`${API}${ENTERPRISE}`, async ({ request }) => {
        bodies.push(await request.json())
        const values = { currentValue: 'All', globalOverriddenValue: 'All', isGlobalOverridden: true }
        return HttpResponse.json(aConfigItem('statementOfPrivilege', values))
      }),
    )
    const { user, edit, save } = opened([own], 'enterprise')
    expect((await row('statementOfPrivilege')).getByText('Enterprise')).toBeVisible()
    await user.clear((await edit('statementOfPrivilege')).getByRole('textbox'))
    await save('statementOfPrivilege')
    expect(await (await row('statementOfPrivilege')).findByText('Global')).toBeVisible()
    expect((await row('statementOfPrivilege')).getByText('All')).toBeVisible()
    expect(bodies).toEqual([{ databaseKey: 'statementOfPrivilege', valueJson: 'null' }])
  })
})

describe.each(['global', 'enterprise'] as const)('what somebody else changes on the page of %s', (where) => {
  async function live(item: ConfigItem) {
    let [current, fetches] = [item, 0]
    server.use(
      http.get(`${API}${where === 'global' ? GLOBAL : ENTERPRISE}`, () => {
        fetches += 1
        return HttpResponse.json([current])
      }),
    )
    const user = open(where === 'global' ? '/management/config' : `/management/config/${bank.id}`)
    await row(item.databaseKey)
    const hint = await connected(() => fetches)
    const changeElsewhere = (currentValue: ConfigItem['currentValue']) => {
      current = { ...item, currentValue, isGlobalOverridden: true }
      hint('config-items')
    }
    return { user, changeElsewhere }
  }

  test('shows without a reload', async () => {
    const { changeElsewhere } = await live(aConfigItem('chatRetentionDays'))
    expect((await row('chatRetentionDays')).getByText('Default')).toBeVisible()
    changeElsewhere(30)
    expect(await (await row('chatRetentionDays')).findByText('30')).toBeVisible()
    expect((await row('chatRetentionDays')).getByText('Global')).toBeVisible()
  })

  test('leaves alone what is being typed, and says what the value is now', async () => {
    const item = aConfigItem('chatRetentionDays')
    const { user, changeElsewhere } = await live(item)
    const bodies = saved(item, where)
    await user.click(await screen.findByRole('button', { name: 'Edit chatRetentionDays' }))
    const editor = await row('chatRetentionDays')
    const input = editor.getByRole('textbox', { name: 'chatRetentionDays' })
    await user.clear(input)
    await user.type(input, '365')
    changeElsewhere(30)
    expect(await editor.findByRole('alert')).toHaveTextContent(
      'This item was changed in the meantime. Its value is now: 30',
    )
    expect(input).toHaveValue('365')
    await user.click(editor.getByRole('button', { name: 'Save' }))
    await waitFor(() => expect(bodies).toEqual([{ databaseKey: 'chatRetentionDays', valueJson: '365' }]))
  })
})

test('the pages of all organizations and of one lead to each other', async () => {
  answer('get', GLOBAL, [aConfigItem('auth2fa')])
  const { user } = opened([aConfigItem('auth2fa')], 'enterprise')
  expect(await screen.findByRole('heading', { level: 1, name: 'Harbour Bank Configurations' })).toBeVisible()
  expect(screen.getByRole('link', { name: 'Back' })).toHaveAttribute('href', '/management/organizations')
  await user.click(screen.getByRole('link', { name: 'Manage Global Configurations' }))
  expect(await screen.findByRole('heading', { level: 1, name: 'Global Configurations' })).toBeVisible()
  expect(screen.getByRole('link', { name: 'Manage Enterprise Configurations' })).toHaveAttribute(
    'href',
    '/management/organizations',
  )
})
