import { act, screen, waitFor, within } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { describe, expect, test, vi } from 'vitest'

import type { ApiKey } from '#contract/api-keys/schema.ts'
import { answer, API, aProblem, open, server, signedIn } from '#tests/support/client.tsx'
import { receive, serveList } from '#tests/support/client-lists.ts'

const PATH = '/apiManagement/credentials'
const aKey = (changes: Partial<ApiKey> = {}): ApiKey => ({
  id: crypto.randomUUID(),
  name: 'CI',
  visibleKeyPart: 'a1B2',
  ipAddressRestricted: false,
  allowedIpAddresses: [],
  numberOfRequestsMade: 1234,
  lastUsedTimestamp: null,
  expiresTimestamp: null,
  mayImportUsers: false,
  createTimestamp: '2026-01-05T10:00:00.000Z',
  ...changes,
})
const KEYS = [
  aKey(),
  aKey({
    name: 'Pager',
    visibleKeyPart: 'Zz99',
    ipAddressRestricted: true,
    allowedIpAddresses: ['10.0.0.1', '10.0.0.2'],
    numberOfRequestsMade: 7,
  }),
]

function opened(rows: () => readonly ApiKey[] = () => KEYS) {
  signedIn()
  const asked = serveList(PATH, rows)
  return { asked, user: open('/settings/api-keys') }
}
/** A cell of the table, because the chart names the keys as well. */
const cell = async (name: string) => within(await screen.findByRole('grid')).findByText(name)
const dialog = (name: string) => screen.findByRole('dialog', { name })

describe('the table', () => {
  test('shows each key, masked, with its addresses and requests', async () => {
    opened()
    await cell('Pager')
    for (const name of ['Name', 'Key', 'IP Addresses Allowed', 'Requests', 'Expires', 'Created At'])
      expect(screen.getAllByText(name)[0]).toBeVisible()
    const [ci, pager] = screen.getAllByRole('row').slice(1)
    expect(ci).toHaveTextContent('CI••••a1B2Any1,234–Never')
    expect(pager).toHaveTextContent('Pager••••Zz9910.0.0.1, 10.0.0.27')
    expect(screen.getByRole('heading', { level: 1, name: 'API Keys' })).toBeVisible()
  })

  test('is asked for at the start and every 5 minutes', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true })
    const { asked } = opened()
    await cell('Pager')
    const before = asked.length
    await act(() => vi.advanceTimersByTimeAsync(290_000))
    expect(asked.length).toBe(before)
    await act(() => vi.advanceTimersByTimeAsync(20_000))
    await waitFor(() => expect(asked.length).toBe(before + 1))
  })

  test('filters', async () => {
    const { asked, user } = opened()
    await cell('Pager')
    await user.type(screen.getByRole('searchbox', { name: 'Filter API keys' }), 'pag')
    await waitFor(() => expect(asked.at(-1)?.filter).toEqual({ q: 'pag' }))
    await waitFor(() => expect(screen.queryAllByText('CI')).toEqual([]))
  })

  test('says so while there is none, without a chart', async () => {
    opened(() => [])
    expect(await screen.findByText('No API keys created yet.')).toBeVisible()
    expect(screen.queryByText('Usage Metrics')).toBeNull()
    expect(screen.getAllByRole('button', { name: 'Create API Key' })).toHaveLength(1)
  })

  test('says when it does not come', async () => {
    signedIn()
    answer('get', PATH, {}, 500)
    open('/settings/api-keys')
    expect(await screen.findByRole('alert')).toHaveTextContent('An unexpected error occurred.')
  })
})

test('says of each key when it ends, and clearly once it has', async () => {
  const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()
  opened(() => [
    aKey({ name: 'Old', expiresTimestamp: inDays(-1) }),
    aKey({ name: 'Soon', expiresTimestamp: inDays(2.5) }),
    aKey({ name: 'Later', expiresTimestamp: inDays(90) }),
  ])
  const row = async (name: string) => (await cell(name)).closest('[role=row]')!
  expect(await row('Old')).toHaveTextContent('Expired')
  expect(await row('Soon')).toHaveTextContent('3 days left')
  expect((await row('Later')).querySelectorAll('time')).toHaveLength(2)
  expect(await row('Later')).not.toHaveTextContent('left')
})

test('the chart has a bar and a line of a table for each key', async () => {
  opened()
  expect(await screen.findByRole('heading', { name: 'Usage Metrics' })).toBeVisible()
  expect(
    screen.getByRole('img', { name: 'Bar chart of the requests made with each API key.' }),
  ).toBeInTheDocument()
  const table = screen.getByRole('table', { name: 'Usage Metrics' })
  expect(within(table).getByRole('row', { name: 'CI 1,234' })).toBeInTheDocument()
  expect(within(table).getByRole('row', { name: 'Pager 7' })).toBeInTheDocument()
})

describe('creating', () => {
  const begun = async () => {
    let rows: readonly ApiKey[] = KEYS
    const { user } = opened(() => rows)
    const bodies = receive('post', PATH, (body) => {
      const made = aKey({ ...body, visibleKeyPart: 'cret', numberOfRequestsMade: 0 })
      rows = [made, ...rows]
      return { ...made, key: 'mk_whole_secret' }
    })
    await user.click(await screen.findByRole('button', { name: 'Create API Key' }))
    const form = await dialog('Create API Key')
    const submit = () => user.click(within(form).getByRole('button', { name: 'Create API Key' }))
    return { user, bodies, form, submit }
  }

  test('sends a key without restriction, and shows it once', async () => {
    const { user, bodies, submit } = await begun()
    await user.type(await screen.findByLabelText(/^Name/), ' Deploy ')
    await submit()
    expect(await screen.findByText('Created API key.')).toBeVisible()
    expect(bodies).toEqual([
      {
        name: 'Deploy',
        ipAddressRestricted: false,
        allowedIpAddresses: [],
        expiresTimestamp: null,
        mayImportUsers: false,
      },
    ])
    const copy = await dialog('Copy API Key')
    expect(within(copy).getByRole('alert')).toHaveTextContent('It is not shown again.')
    expect(within(copy).getByLabelText('API key')).toHaveValue('mk_whole_secret')

    await user.click(document.querySelector('.MuiDialog-container')!)
    await user.keyboard('{Escape}')
    expect(copy).toBeVisible()
    await user.click(within(copy).getByRole('button', { name: 'Done' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(await cell('Deploy')).toBeVisible()
    expect(document.body).not.toHaveTextContent('mk_whole_secret')
  })

  test('copies the key and says so for three seconds', async () => {
    const { user, submit } = await begun()
    await user.type(await screen.findByLabelText(/^Name/), 'Deploy')
    await submit()
    await user.click(await screen.findByRole('button', { name: 'Copy' }))
    expect(await screen.findByRole('button', { name: 'Copied' })).toBeVisible()
    expect(await navigator.clipboard.readText()).toBe('mk_whole_secret')
    expect(await screen.findByRole('button', { name: 'Copy' })).toBeVisible()
  })

  test('lists addresses: Enter adds, a button removes', async () => {
    const { user, bodies, form, submit } = await begun()
    await user.type(await screen.findByLabelText(/^Name/), 'Office')
    await user.click(screen.getByRole('switch', { name: 'Restrict IP Addresses' }))
    expect(screen.getByText('No API addresses to show.')).toBeVisible()
    const box = screen.getByLabelText('IP address')
    await user.type(box, '10.0.0.1{Enter}')
    await user.type(box, ' 2001:DB8::1{Enter}')
    await user.type(box, '10.0.0.1{Enter}')
    expect(bodies).toEqual([])
    expect(
      within(form)
        .getAllByRole('listitem')
        .map((item) => item.textContent),
    ).toEqual(['10.0.0.1', '2001:db8::1'])
    await user.click(screen.getByRole('button', { name: 'Remove 10.0.0.1' }))
    await user.type(box, '10.0.0.0/24')
    await submit()
    await waitFor(() => expect(bodies).toHaveLength(1))
    expect(bodies[0]).toEqual({
      name: 'Office',
      ipAddressRestricted: true,
      allowedIpAddresses: ['2001:db8::1', '10.0.0.0/24'],
      expiresTimestamp: null,
      mayImportUsers: false,
    })
  })

  test('says what is missing or wrong', async () => {
    const { user, bodies, submit } = await begun()
    await user.click(screen.getByRole('switch', { name: 'Restrict IP Addresses' }))
    await submit()
    expect(await screen.findByText('Please name this API key.')).toBeVisible()
    await user.type(await screen.findByLabelText(/^Name/), 'Office')
    await submit()
    expect(await screen.findByText('Provide at least one IP address.')).toBeVisible()
    await user.type(screen.getByLabelText('IP address'), '999.1.1.1{Enter}')
    expect(await screen.findByText('Please enter a valid IP address.')).toBeVisible()
    await submit()
    expect(screen.getByText('Please enter a valid IP address.')).toBeVisible()
    expect(bodies).toEqual([])
  })

  test('sends when the key expires, and takes no time that has passed', async () => {
    const { user, bodies, submit } = await begun()
    await user.type(await screen.findByLabelText(/^Name/), 'Trial')
    await user.type(screen.getByLabelText('Expires'), '2020-01-01T10:00')
    await submit()
    expect(await screen.findByText('Please choose a time in the future.')).toBeVisible()
    expect(bodies).toEqual([])
    await user.clear(screen.getByLabelText('Expires'))
    await user.type(screen.getByLabelText('Expires'), '2099-01-01T10:00')
    await submit()
    await waitFor(() => expect(bodies).toHaveLength(1))
    expect(bodies[0]).toMatchObject({ expiresTimestamp: new Date('2099-01-01T10:00').toISOString() })
  })

  test('shows at the name that it is in use', async () => {
    const { user, submit } = await begun()
    const taken = 'This name is already in use.'
    answer('post', PATH, { ...aProblem(taken, 'conflict'), fields: { name: taken } }, 409)
    await user.type(await screen.findByLabelText(/^Name/), 'CI')
    await submit()
    expect(await screen.findByText(taken)).toBeVisible()
    expect(screen.getByLabelText(/^Name/)).toHaveAccessibleDescription(taken)
  })
})

describe('deleting', () => {
  const asked = async () => {
    const { user } = opened()
    await user.pointer({ keys: '[MouseRight]', target: await cell('Pager') })
    await user.click(await screen.findByRole('menuitem', { name: 'Delete API Key' }))
    return { user, question: await dialog('Delete API Key?') }
  }

  test('names the key, and deletes it', async () => {
    const { user, question } = await asked()
    expect(question).toHaveTextContent('Pager will be permanently deleted.')
    const gone = vi.fn<() => void>()
    server.use(
      http.delete(`${API}${PATH}/${KEYS[1]!.id}`, () => {
        gone()
        return new HttpResponse(null, { status: 204 })
      }),
    )
    await user.click(within(question).getByRole('button', { name: 'Delete API Key' }))
    expect(await screen.findByText('Deleted API key.')).toBeVisible()
    expect(gone).toHaveBeenCalledOnce()
  })

  test('cancelled keeps it', async () => {
    const { user, question } = await asked()
    await user.click(within(question).getByRole('button', { name: 'Cancel' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(await cell('Pager')).toBeVisible()
  })

  test('says when it failed', async () => {
    const { user, question } = await asked()
    answer('delete', `${PATH}/${KEYS[1]!.id}`, {}, 500)
    await user.click(within(question).getByRole('button', { name: 'Delete API Key' }))
    expect(await screen.findByText('An unexpected error occurred.')).toBeVisible()
  })

  test('is offered below once a key is selected', async () => {
    const { user } = opened()
    await user.click(await cell('Pager'))
    expect(await screen.findByRole('button', { name: 'Delete API Key' })).toBeVisible()
  })
})

test('somebody without the permission finds no page', async () => {
  signedIn('USER')
  open('/settings/api-keys')
  expect(await screen.findByText('Current State')).toBeVisible()
})
