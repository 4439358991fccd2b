import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { beforeEach, describe, expect, test } from 'vitest'

import { answer, API, aProblem, open, server, signedIn } from '#tests/support/client.tsx'
import { aWhole, page, preparePages, shown, uuid } from '#tests/support/client-incidents.ts'
import { serveList } from '#tests/support/client-lists.ts'
import { serveNotifying } from '#tests/support/client-notifications.ts'
import { aListedUser } from '#tests/support/client-users.ts'
import { readingTables } from '#tests/support/client-tables.ts'

/** A configuration whose response the test delays. */
function lateConfig(config: object) {
  const { promise, resolve } = Promise.withResolvers<void>()
  let isRefused = false
  server.use(
    http.get(`${API}/config`, async () => {
      await promise
      return isRefused
        ? HttpResponse.json(aProblem('The configuration is not there.'), { status: 403 })
        : HttpResponse.json(config)
    }),
  )
  const answers = (refused: boolean) => {
    isRefused = refused
    resolve()
  }
  return { arrives: () => answers(false), fails: () => answers(true) }
}
const dialogNamed = async (name: RegExp | string) => within(await screen.findByRole('dialog', { name }))
type Dialog = Awaited<ReturnType<typeof dialogNamed>>
const waits = (dialog: Dialog) => dialog.findByRole('status', { name: 'Loading…' })
const csv = (lines: readonly string[], name: string) => new File([lines.join('\n')], name)

beforeEach(readingTables)

describe('a file of contacts', () => {
  const HEADINGS = 'Name,Email Address,Phone Number,Contact List'
  const rows = Array.from({ length: 150 }, (_, n) => `Ana,ana${n}@example.org,,City`)
  async function opened() {
    signedIn()
    answer('get', '/contact/lists', [{ name: 'City', count: 1 }])
    answer('get', '/contact/asList', [])
    const user = open('/mass-notifications/contacts')
    await screen.findByRole('link', { name: /^City/ })
    await user.click(await screen.findByRole('button', { name: 'Import Contacts' }))
    return { user, dialog: await dialogNamed(/^Import Contacts/) }
  }

  test('is chosen once the limit is known, and measured by that', async () => {
    const config = lateConfig({ contactsUploadMaxLimit: 20_000 })
    const { dialog } = await opened()
    await waits(dialog)
    expect(dialog.queryByLabelText('CSV or Excel file')).not.toBeInTheDocument()
    expect(dialog.getByRole('button', { name: 'Continue' })).toBeDisabled()
    config.arrives()
    const field = await dialog.findByLabelText('CSV or Excel file')
    fireEvent.change(field, { target: { files: [csv([HEADINGS, ...rows], 'contacts.csv')] } })
    expect(await dialog.findByText('contacts.csv: 150 contacts')).toBeVisible()
  })

  test('waits behind a failure that can be tried again', async () => {
    const config = lateConfig({ contactsUploadMaxLimit: 20_000 })
    const { user, dialog } = await opened()
    config.fails()
    expect(await dialog.findByText('The configuration is not there.')).toBeVisible()
    config.arrives()
    await user.click(dialog.getByRole('button', { name: 'Try again' }))
    expect(await dialog.findByText(/^At most 20,?000 contacts/)).toBeVisible()
  })
})

describe('users', () => {
  const ana = aListedUser({ firstName: 'Ana', lastName: 'Silva', email: 'ana@demo.example' })
  beforeEach(() => {
    signedIn()
    answer('get', '/useradmin/roles', [{ role: 'USER', visibleName: 'User', description: 'Works.' }])
    serveList('/useradmin/users', () => [ana])
  })

  test('of a file have the names that the organisation takes', async () => {
    const config = lateConfig({ nameCharacters: 'EXTENDED' })
    answer('post', '/useradmin/users/existing', { emails: [] })
    const user = open('/user-admin')
    await screen.findByText('ana@demo.example')
    await user.click(screen.getByRole('button', { name: 'Import Users' }))
    const dialog = await dialogNamed(/^Import Users/)
    await waits(dialog)
    config.arrives()
    const lines = [
      'First Name,Last Name,Email Address,Phone Number,Role,External,Location,Department',
      "Anne-Marie,O'Neill,am@demo.example,,,,,",
    ]
    const field = await dialog.findByLabelText('CSV or Excel file')
    fireEvent.change(field, { target: { files: [csv(lines, 'users.csv')] } })
    expect(await dialog.findByText('users.csv: 1 user')).toBeVisible()
  })

  test('are typed once it is known which names and phone countries there are', async () => {
    const config = lateConfig({ nameCharacters: 'EXTENDED', twilioAllowedCountryCodes: ['NO'] })
    open('/user-admin?create=1')
    const dialog = await dialogNamed(/User/)
    await waits(dialog)
    expect(dialog.queryByRole('textbox')).not.toBeInTheDocument()
    config.arrives()
    const field = await dialog.findByRole('textbox', { name: /^First Name/ })
    expect(dialog.getByRole('combobox', { name: 'Country' })).toHaveTextContent('NO')
    fireEvent.change(field, { target: { value: 'Anne-Marie' } })
    fireEvent.change(dialog.getByRole('textbox', { name: /^Last Name/ }), { target: { value: '<Silva>' } })
    fireEvent.submit(field.closest('form')!)
    // Only the last name is invalid; the hyphen is allowed.
    await waitFor(() => expect(dialog.getByRole('textbox', { name: /^Last Name/ })).toBeInvalid())
    expect(field).toBeValid()
  })

  test('wait behind a failure that can be tried again', async () => {
    const config = lateConfig({ nameCharacters: 'EXTENDED' })
    const user = open('/user-admin?create=1')
    const dialog = await dialogNamed(/User/)
    config.fails()
    const retry = await dialog.findByRole('button', { name: 'Try again' })
    config.arrives()
    await user.click(retry)
    expect(await dialog.findByRole('textbox', { name: /^First Name/ })).toBeVisible()
  })
})

describe('the words of a notification', () => {
  test('are typed into a template once their limit is known', async () => {
    signedIn()
    serveList('/massNotification/templates', () => [])
    const config = lateConfig({ massNotifsSmsMessageLimit: 300 })
    open('/mass-notifications/templates?create=1')
    expect(await screen.findByRole('status', { name: 'Loading…' })).toBeVisible()
    expect(screen.queryByRole('textbox', { name: /^SMS/ })).not.toBeInTheDocument()
    config.arrives()
    const sms = await screen.findByRole('textbox', { name: /^SMS/ })
    expect(sms).toHaveAccessibleDescription('300 characters remaining')
  })

  test('are typed and sent once their limit is known', async () => {
    signedIn()
    serveNotifying()
    const config = lateConfig({ massNotifsSmsMessageLimit: 300, groupsEnabled: true })
    open('/mass-notifications/send')
    await screen.findByRole('heading', { name: 'Send Notification' })
    expect(screen.queryByRole('textbox', { name: /^SMS/ })).not.toBeInTheDocument()
    config.arrives()
    expect(await screen.findByRole('textbox', { name: /^SMS/ })).toBeInTheDocument()
  })
})

test('a phone number is typed once its countries are known', async () => {
  signedIn()
  const config = lateConfig({ twilioAllowedCountryCodes: ['NO'] })
  const user = open('/')
  await user.click(await screen.findByRole('button', { name: /account/i }))
  await user.click(await screen.findByRole('menuitem', { name: /Phone Number/ }))
  const dialog = await dialogNamed('Set Phone Number')
  await waits(dialog)
  expect(dialog.getByRole('button', { name: 'Save' })).toBeDisabled()
  config.arrives()
  await dialog.findByRole('textbox', { name: 'Phone number' })
  expect(dialog.getByRole('combobox', { name: /Country/ })).toHaveTextContent('NO')
  expect(dialog.getByRole('button', { name: 'Save' })).toBeEnabled()
})

describe('attachments', () => {
  preparePages()
  // More than the 7 MB that apply without a limit from the server.
  const large = () => new File([new Uint8Array(8_000_000)], 'plan.odt')
  async function opened() {
    answer('get', `/fa/INCIDENT/${uuid(1)}`, [])
    const { user } = page(aWhole())
    await shown()
    await user.click(screen.getByRole('tab', { name: 'Files' }))
    await user.click(await screen.findByRole('button', { name: 'Attachments' }))
    const dialog = await dialogNamed('Attachments')
    const choose = (...files: File[]) =>
      fireEvent.change(screen.getByRole('dialog').querySelector('input[type="file"]')!, { target: { files } })
    return { user, dialog, choose }
  }

  test('that are chosen before the limits are known wait for them', async () => {
    const config = lateConfig({ maxFileSize: 20, allowedFileExtensions: ['ODT'] })
    const { dialog, choose } = await opened()
    choose(large())
    choose(new File(['x'], 'virus.exe'))
    expect(dialog.queryByText(/^Sorry/)).not.toBeInTheDocument()
    expect(dialog.queryByText(/each/)).not.toBeInTheDocument()
    config.arrives()
    expect(await dialog.findByRole('button', { name: /plan\.odt.*from the selection$/ })).toBeVisible()
    expect(await dialog.findByText('Sorry, this file format is not supported.')).toBeVisible()
    expect(await dialog.findByText(/20 MB each/)).toBeVisible()
  })

  test('say why they wait in vain, and are taken when they are chosen again', async () => {
    const config = lateConfig({ maxFileSize: 20, allowedFileExtensions: ['ODT'] })
    const { dialog, choose } = await opened()
    choose(large())
    config.fails()
    expect(await dialog.findByText('The configuration is not there.')).toBeVisible()
    config.arrives()
    choose(large())
    expect(await dialog.findByRole('button', { name: /plan\.odt.*from the selection$/ })).toBeVisible()
    expect(dialog.queryByText('The configuration is not there.')).not.toBeInTheDocument()
  })
})
