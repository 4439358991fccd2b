import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import type { UserEvent } from '@testing-library/user-event'
import { http, HttpResponse } from 'msw'
import { beforeEach, describe, expect, test } from 'vitest'

import { SMS_OFF } from '#contract/mass-notifications/schema.ts'
import { permissionsOf } from '#contract/users/rules.ts'
import {
  aDashboard,
  anIncident,
  answer,
  API,
  aProblem,
  aUser,
  open,
  pageReloads,
  server,
  sessionEnds,
  signedIn,
} from '#tests/support/client.tsx'
import { aWhole } from '#tests/support/client-incidents.ts'
import { receive, serveList } from '#tests/support/client-lists.ts'
import {
  aContact,
  aNotifiableGroup,
  aNotification,
  aTemplate,
  serveNotifying,
} from '#tests/support/client-notifications.ts'

const ana = aContact('Ana Costa', { lists: ['Board', 'Suppliers'] })
const bo = aContact('Bo Berg', { phone: '5550100', valid: false })
const cy = aContact('Cy Cruz', { lists: ['Board'], valid: null })
const dee = aContact('Dee Diaz', { lists: ['Press'], phone: null, valid: null })
const CONTACTS = [ana, bo, cy, dee]
const crew = aNotifiableGroup('Crew', { userCount: 5, userPhoneCount: 3 })
const staff = aNotifiableGroup('Staff')
const secret = aNotifiableGroup('Secret', { canAccess: false })

const submit = () => screen.findByRole('button', { name: 'Send Notification' })
const subject = () => screen.findByRole('textbox', { name: /^Email subject/ })
const emailMessage = () => screen.getByRole('textbox', { name: /^Email message/ })
const smsMessage = () => screen.getByRole('textbox', { name: /^SMS/ })
const check = (name: RegExp | string) => screen.findByRole('checkbox', { name })
const templates = () => screen.findByRole('combobox', { name: 'Template' })
const counter = async (name: string) => {
  const check3 = within(await screen.findByRole('region', { name: 'Check and send' }))
  return check3.getByText(name).nextElementSibling
}

beforeEach(() => {
  signedIn()
  serveList('/massNotification/history', () => [])
  serveNotifying({ contacts: CONTACTS, groups: [crew, secret, staff] })
})
const opened = () => open('/mass-notifications/send')

test('where SMS and calls are off, only email can be chosen', async () => {
  serveNotifying({ contacts: CONTACTS, quota: { types: ['EMAIL'] } })
  opened()
  expect(await screen.findByText(SMS_OFF)).toBeVisible()
  expect(await check('Email')).toBeChecked()
  for (const name of ['SMS', 'Automated Voice']) {
    expect(await check(name)).not.toBeChecked()
    expect(await check(name)).toBeDisabled()
  }
})

async function write(user: UserEvent, field: HTMLElement, words: string) {
  await user.click(field)
  await user.paste(words)
}
async function filled(user: UserEvent) {
  await write(user, await subject(), 'Berth closed')
  await write(user, emailMessage(), 'Use berth 1.')
  await write(user, smsMessage(), 'Berth 1, please.')
  await user.click(await check(/^Board/))
}
/** Accepts notifications and records them. */
/** The idempotency keys of the requests. */
let keys: (string | null)[] = []
beforeEach(() => {
  keys = []
})
function receiveSent(reply: () => Response = () => HttpResponse.json(aNotification(), { status: 201 })) {
  const bodies: Record<string, unknown>[] = []
  server.use(
    http.post(`${API}/massNotification`, async ({ request }) => {
      keys.push(request.headers.get('Idempotency-Key'))
      bodies.push((await request.json()) as Record<string, unknown>)
      return reply()
    }),
  )
  return bodies
}

describe('the form', () => {
  test('begins with email and SMS, level normal, and nobody', async () => {
    opened()
    expect(await check('Email')).toBeChecked()
    expect(await check('SMS')).toBeChecked()
    expect(await check('Automated Voice')).not.toBeChecked()
    expect(screen.getByRole('combobox', { name: 'Event Level' })).toHaveTextContent('Normal')
    expect(await check(/^Board/)).not.toBeChecked()
    expect(screen.getByText(/not for emergencies or situations where life is in danger/)).toBeVisible()
    expect(screen.getByText('Nobody selected')).toBeVisible()
  })

  test('lets only those fields be written that a chosen type uses', async () => {
    const user = opened()
    await user.click(await check('Email'))
    expect(await subject()).toBeDisabled()
    expect(emailMessage()).toBeDisabled()
    expect(smsMessage()).toBeEnabled()
    await user.click(await check('SMS'))
    expect(smsMessage()).toBeDisabled()
    await user.click(await check('Automated Voice'))
    expect(smsMessage()).toBeEnabled()
  })

  test('counts what is left of an SMS, as the configuration says', async () => {
    serveNotifying({ contacts: CONTACTS, config: { massNotifsSmsMessageLimit: 50 } })
    const user = opened()
    expect(await screen.findByText('50 characters remaining')).toBeVisible()
    await write(user, smsMessage(), 'x'.repeat(30))
    expect(screen.getByText('20 characters remaining')).toBeVisible()
    await write(user, smsMessage(), 'x'.repeat(21))
    expect(screen.getByText('Maximum of 50 characters exceeded.')).toBeVisible()
    expect(smsMessage()).toBeInvalid()
  })

  test('says at each field what is missing', async () => {
    const user = opened()
    const bodies = receiveSent()
    await user.click(await check(/^Board/))
    await user.click(await submit())
    expect(await subject()).toHaveAccessibleDescription('Email subject is required.')
    expect(await subject()).toHaveFocus()
    expect(emailMessage()).toHaveAccessibleDescription('Email message is a required field.')
    const required = 'SMS/automated voice message is a required field.'
    expect(smsMessage()).toHaveAccessibleDescription(expect.stringContaining(required))
    await user.click(await check('Email'))
    await write(user, smsMessage(), 'Berth 1, please.')
    await user.click(await submit())
    expect(await screen.findByText('Notification sent.')).toBeVisible()
    expect(bodies).toHaveLength(1)
  })

  test('takes subjects of 255 characters and no more', async () => {
    const user = opened()
    await filled(user)
    await user.clear(await subject())
    await write(user, await subject(), 'x'.repeat(256))
    await user.click(await submit())
    expect(await subject()).toHaveAccessibleDescription(/^Maximum length of 255 characters exceeded/)
  })

  test('asks before what was chosen or typed is lost', async () => {
    const user = opened()
    await user.click(await check(/^Board/))
    const menu = within(screen.getByRole('navigation', { name: 'Main menu' }))
    await user.click(menu.getByRole('link', { name: 'Mass Notifications' }))
    const question = within(await screen.findByRole('dialog'))
    await user.click(question.getByRole('button', { name: 'Cancel' }))
    expect(await check(/^Board/)).toBeChecked()
    expect(location.pathname).toBe('/mass-notifications/send')
  })
})

test.each([
  ['whose session ends', sessionEnds],
  ['that is reloaded', pageReloads],
])('a form %s is there again for the same person', async (_, leave) => {
  const user = opened()
  await filled(user)
  await leave()
  signedIn()
  opened()
  await waitFor(async () => expect(await subject()).toHaveValue('Berth closed'))
  expect(smsMessage()).toHaveValue('Berth 1, please.')
  expect(await check(/^Board/)).toBeChecked()
})

describe('a template', () => {
  const berth = aTemplate('Berth closed')
  const sailings = aTemplate('Sailings cancelled', { level: 'LOW', smsMessage: null })
  beforeEach(() => serveNotifying({ contacts: CONTACTS, templates: [berth, sailings] }))
  const choose = async (user: UserEvent, title: string) => {
    await user.click(await templates())
    await user.click(await screen.findByRole('option', { name: new RegExp(`^${title}`) }))
  }
  const question =
    'Selecting a template could overwrite the title and message fields. Do you want to apply this template?'

  test('is found by typing, and fills the form without a question', async () => {
    const user = opened()
    const field = await templates()
    expect(field).toHaveAttribute('placeholder', 'Filter templates...')
    await write(user, field, 'sail')
    expect(await screen.findAllByRole('option')).toHaveLength(1)
    expect(getComputedStyle(screen.getByRole('listbox')).maxHeight).toBe('194px')
    await user.clear(field)
    await user.click(await screen.findByRole('option', { name: /^Berth closed/ }))
    expect(await subject()).toHaveValue('Berth closed')
    expect(emailMessage()).toHaveValue('Berth closed by email')
    expect(smsMessage()).toHaveValue('Berth closed by SMS')
    expect(screen.getByRole('combobox', { name: 'Event Level' })).toHaveTextContent('Critical')
    expect(screen.queryByText(question)).toBeNull()
  })

  test.each([/^Email subject/, /^Email message/, /^SMS/])(
    'asks before it overwrites %s, and keeps it when told so',
    async (name) => {
      const user = opened()
      await write(user, await screen.findByRole('textbox', { name }), 'Mine')
      await choose(user, 'Sailings cancelled')
      const dialog = within(await screen.findByRole('dialog'))
      expect(dialog.getByText(question)).toBeVisible()
      await user.click(dialog.getByRole('button', { name: 'Cancel' }))
      await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
      expect(screen.getByRole('textbox', { name })).toHaveValue('Mine')
      expect(await templates()).toHaveValue('')
    },
  )

  test('replaces what another one gave, and taken away empties the fields', async () => {
    const user = opened()
    await choose(user, 'Berth closed')
    await choose(user, 'Sailings cancelled')
    await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Apply' }))
    await waitFor(() => expect(emailMessage()).toHaveValue('Sailings cancelled by email'))
    expect(smsMessage()).toHaveValue('')
    await user.click(await screen.findByRole('button', { name: 'Clear the template' }))
    expect(await subject()).toHaveValue('')
    expect(emailMessage()).toHaveValue('')
    expect(smsMessage()).toHaveValue('')
  })
})

describe('who is notified', () => {
  const contact = () => screen.findByRole('combobox', { name: /^Find contacts/ })

  test('is counted once, however often they were chosen, for each type', async () => {
    const user = opened()
    await user.click(await check(/^Board/))
    await user.click(await check(/^Suppliers/))
    await write(user, await contact(), 'costa')
    await user.click(await screen.findByRole('option', { name: /^Ana Costa/ }))
    expect(await counter('Contacts')).toHaveTextContent(/3$/)
    expect(await counter('Notifications needed')).toHaveTextContent('6')
    expect(await screen.findByText('3 people')).toBeVisible()
    expect(screen.getByText('6 of 500 remaining notifications')).toBeVisible()
    await user.click(screen.getByRole('button', { name: 'View All: Contacts' }))
    const dialog = within(await screen.findByRole('dialog', { name: /^Contacts to be notified/ }))
    await dialog.findByRole('row', { name: /^Ana/ })
    const rows = dialog.getAllByRole('row').slice(1)
    expect(rows.map(({ textContent }) => textContent)).toEqual([
      `Ana Costa${ana.email}+1 902 555 0100BoardSuppliersTargeted`,
      `Bo Berg${bo.email}5550100Suppliers`,
      `Cy Cruz${cy.email}+1 902 555 0100Board`,
    ])
  })

  test('are members of groups as well, by phone those who have one', async () => {
    const user = opened()
    await user.click(await check('Automated Voice'))
    await user.click(await check(/^Crew/))
    expect(await counter('Group members')).toHaveTextContent(/5$/)
    expect(await counter('Notifications needed')).toHaveTextContent('11')
    expect(screen.getByText('5 people')).toBeVisible()
    await user.click(await check(/^Staff/))
    expect(screen.getByText('Up to 10 people')).toBeVisible()
  })

  test('are members of groups by name, each once, once somebody asks who they are', async () => {
    const member = { phone: null, lists: [], targeted: false, shqGroupId: crew.id, shqGroupName: 'Crew' }
    const user = opened()
    const asked = receive(
      'post',
      '/massNotification/groups/members',
      () =>
        [
          { ...member, name: 'Eve Ek', email: 'eve@demo.example' },
          { ...member, name: 'Fay Fox', email: 'fay@demo.example', shqGroupName: 'Staff' },
        ] as never,
      200,
    )
    await user.click(await check(/^Crew/))
    await user.click(await check(/^Staff/))
    expect(asked).toEqual([])
    await user.click(screen.getByRole('button', { name: 'View All: Group members' }))
    const dialog = within(await screen.findByRole('dialog', { name: /^Group members to be notified10$/ }))
    expect(await dialog.findByRole('row', { name: /^Eve Ek.*Crew$/ })).toBeVisible()
    expect(dialog.getByRole('row', { name: /^Fay Fox.*Staff$/ })).toBeVisible()
    expect(asked).toEqual([{ groupIds: [crew.id, staff.id] }])
  })

  test('are said not to be known where the server does not answer', async () => {
    const user = opened()
    answer('post', '/massNotification/groups/members', aProblem('Please try again later.'), 400)
    await user.click(await check(/^Crew/))
    await user.click(screen.getByRole('button', { name: 'View All: Group members' }))
    const dialog = within(await screen.findByRole('dialog', { name: /^Group members to be notified/ }))
    expect(await dialog.findByText('Please try again later.')).toBeVisible()
  })

  test('and those whom a phone may not reach are told of', async () => {
    const user = opened()
    await user.click(await check(/^Board/))
    await user.click(await check(/^Suppliers/))
    await user.click(await check(/^Press/))
    await user.click(await check(/^Crew/))
    expect(await screen.findByText(/^The phone numbers of 2 contacts are pending validation/)).toBeVisible()
    expect(screen.getByText(/^1 contact has no phone number/)).toBeVisible()
    expect(screen.getByText(/^1 group has users without a valid phone.*Crew \(3 of 5\)\.$/)).toBeVisible()
    await user.click(await check('SMS'))
    expect(screen.queryByText(/phone number/)).toBeNull()
  })

  test('can be one of ten thousand contacts, found by typing and removed again', async () => {
    const contacts = Array.from({ length: 10_000 }, (_, n) => aContact(`Person ${n}`))
    serveNotifying({ contacts })
    const user = opened()
    await write(user, await contact(), 'person 9876')
    await user.click(await screen.findByRole('option', { name: /^Person 9876/ }))
    expect(screen.queryByRole('option', { name: /^Person 9876/ })).toBeNull()
    await user.keyboard('{Escape}')
    expect(screen.getByText('1 person')).toBeVisible()
    await user.click(screen.getByRole('button', { name: 'Remove Person 9876' }))
    expect(screen.getByText('Nobody selected')).toBeVisible()
  })

  test('cannot be a group without access', async () => {
    opened()
    expect(await check(/^Secret/)).toBeDisabled()
    expect(await check(/^Crew/)).toBeEnabled()
  })

  test('are no groups where the organisation has none', async () => {
    serveNotifying({ contacts: CONTACTS, config: { groupsEnabled: false } })
    opened()
    await check(/^Board/)
    expect(screen.queryByRole('group', { name: 'Groups' })).toBeNull()
    expect(screen.queryByRole('link', { name: 'Manage Groups' })).toBeNull()
  })

  test('Manage Groups is for those who administer them', async () => {
    opened()
    expect(await screen.findByRole('link', { name: 'Manage Groups' })).toHaveAttribute('href', '/groups')
  })

  test('and for nobody else', async () => {
    const all = permissionsOf(
      aUser(),
      { groupsEnabled: true, playbookEnabled: true, playbooksSharingEnabled: false, sfs2fa: false },
      false,
    )
    signedIn(
      'ADMIN',
      all.filter((permission) => permission !== 'group-admin'),
    )
    opened()
    await check(/^Crew/)
    expect(screen.queryByRole('link', { name: 'Manage Groups' })).toBeNull()
  })

  test('are many lists: they can be filtered, and those chosen are named', async () => {
    const contacts = Array.from({ length: 40 }, (_, n) => aContact(`Person ${n}`, { lists: [`List ${n}`] }))
    serveNotifying({ contacts })
    const user = opened()
    await user.click(await check(/^List 7 /))
    await write(user, screen.getByRole('searchbox', { name: 'Filter contact lists...' }), 'list 39')
    expect(screen.queryByRole('checkbox', { name: /^List 7 / })).toBeNull()
    await user.click(await check(/^List 39/))
    for (const name of ['List 7', 'List 39'])
      expect(screen.getByRole('img', { name: `Remove ${name}` })).toBeVisible()
  })
})

describe('sending is not possible', () => {
  test('before it is known what remains', async () => {
    server.use(http.get(`${API}/massNotification`, () => new Promise<never>(() => undefined)))
    const user = opened()
    await user.click(await check(/^Board/))
    expect(await submit()).toBeDisabled()
  })

  test('without a subscription', async () => {
    serveNotifying({ contacts: CONTACTS, quota: { subscribed: false } })
    const user = opened()
    await user.click(await check(/^Board/))
    expect(await submit()).toBeDisabled()
    expect(screen.getByRole('button', { name: 'Request access' })).toBeVisible()
  })

  test('to nobody, in no way, or to more than remain', async () => {
    serveNotifying({ contacts: CONTACTS, quota: { remainingEvents: 3 } })
    const user = opened()
    expect(
      await screen.findByText('Please select at least one contact list, contact or group.'),
    ).toBeVisible()
    expect(await submit()).toBeDisabled()
    await user.click(await check(/^Board/))
    expect(screen.getByText('This needs 4 notifications, and 3 remain.')).toBeVisible()
    expect(await submit()).toBeDisabled()
    await user.click(await check('SMS'))
    expect(await submit()).toBeEnabled()
    await user.click(await check('Email'))
    expect(screen.getByText('Please select at least one notification type.')).toBeVisible()
    expect(await submit()).toBeDisabled()
  })
})

describe('the message as it arrives', () => {
  const part = async (name: string) => within(await screen.findByRole('region', { name }))

  test('is shown by each chosen type while it is written', async () => {
    const user = opened()
    await filled(user)
    const email = await part('Email')
    for (const words of ['Tidewater', 'Berth closed', 'Use berth 1.'])
      expect(email.getByText(words)).toBeVisible()
    expect(email.getByText(/^Normal notification from Tidewater, sent by /)).toBeVisible()
    const sms = await part('SMS')
    expect(sms.getByText('[ALERT: Normal] Berth 1, please.')).toBeVisible()
    expect(sms.getByText('1 SMS of GSM-7: 34 of 160 characters')).toBeVisible()
    await write(user, smsMessage(), ' – soon')
    expect(sms.getByText('1 SMS of UCS-2: 39 of 70 characters')).toBeVisible()
    expect(
      sms.getByText('“–” is no letter of GSM-7: an SMS holds 70 characters instead of 160.'),
    ).toBeVisible()
    expect(screen.queryByRole('region', { name: 'Automated voice call' })).toBeNull()
    await user.click(await check('Automated Voice'))
    expect((await part('Automated voice call')).getByText('Berth 1, please. – soon')).toBeVisible()
    await user.click(await check('Email'))
    expect(screen.queryByRole('region', { name: 'Email' })).toBeNull()
  })
})

describe('to many', () => {
  const many = () => serveNotifying({ contacts: CONTACTS, config: { massNotifsConfirmAbove: 2 } })

  test('asks once more, with the counts and the words, for the number of people', async () => {
    many()
    const user = opened()
    const bodies = receiveSent()
    await filled(user)
    await user.click(await check(/^Suppliers/))
    expect(await screen.findByText('3 people')).toBeVisible()
    await user.click(await submit())
    const sheet = within(await screen.findByRole('dialog', { name: 'Send to 3 people?' }))
    expect(sheet.getByText('Email', { selector: 'dt' }).nextElementSibling).toHaveTextContent('3')
    expect(sheet.getByText('SMS', { selector: 'dt' }).nextElementSibling).toHaveTextContent('2')
    expect(sheet.getByText('[ALERT: Normal] Berth 1, please.')).toBeVisible()
    const button = sheet.getByRole('button', { name: 'Send Notification' })
    expect(button).toBeDisabled()
    await user.type(sheet.getByRole('textbox', { name: 'Type 3 to send' }), '2')
    expect(button).toBeDisabled()
    await user.clear(sheet.getByRole('textbox', { name: 'Type 3 to send' }))
    await user.type(sheet.getByRole('textbox', { name: 'Type 3 to send' }), '3')
    expect(bodies).toEqual([])
    await user.click(button)
    expect(await screen.findByText('Notification sent.')).toBeVisible()
    expect(bodies).toMatchObject([{ title: 'Berth closed', contactListIds: ['Board', 'Suppliers'] }])
  })

  test('is not sent where it is cancelled, and keeps everything', async () => {
    many()
    const user = opened()
    const bodies = receiveSent()
    await filled(user)
    await user.click(await check(/^Suppliers/))
    expect(await screen.findByText('3 people')).toBeVisible()
    await user.click(await submit())
    const sheet = within(await screen.findByRole('dialog', { name: 'Send to 3 people?' }))
    await user.click(sheet.getByRole('button', { name: 'Cancel' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(await subject()).toHaveValue('Berth closed')
    expect(bodies).toEqual([])
  })

  test('is not asked for as many as may be', async () => {
    many()
    const user = opened()
    const bodies = receiveSent()
    await filled(user)
    expect(await screen.findByText('2 people')).toBeVisible()
    await user.click(await submit())
    expect(await screen.findByText('Notification sent.')).toBeVisible()
    expect(bodies).toHaveLength(1)
  })
})

test('of 200 lists those that are looked for are in sight, and chosen ones by name', async () => {
  const lists = Array.from({ length: 200 }, (_, n) => `List ${String(n).padStart(3, '0')}`)
  serveNotifying({ contacts: [aContact('Ana', { lists })] })
  opened()
  await check(/^List 000/)
  const field = within(screen.getByRole('group', { name: 'Contact lists' }))
  // Roles and user events of 200 rows are slow in jsdom, so rows are counted by label and each action is one event.
  expect(field.getAllByText(/^List \d{3}$/)).toHaveLength(200)
  const filter = field.getByRole('searchbox', { name: 'Filter contact lists...' })
  fireEvent.change(filter, { target: { value: '187' } })
  expect(field.getAllByText(/^List \d{3}$/)).toHaveLength(1)
  fireEvent.click(field.getByRole('checkbox', { name: /^List 187/ }))
  fireEvent.change(filter, { target: { value: '' } })
  expect(field.getByText('1 selected')).toBeVisible()
  expect(field.getByRole('img', { name: 'Remove List 187' })).toBeVisible()
  fireEvent.click(field.getByRole('img', { name: 'Remove List 187' }))
  expect(field.queryByText('1 selected')).toBeNull()
})

test('of many chosen lists eight are shown, the others on request, and each can be taken away', async () => {
  const lists = Array.from({ length: 20 }, (_, n) => `List ${String(n).padStart(3, '0')}`)
  serveNotifying({ contacts: [aContact('Ana', { lists })] })
  opened()
  await check(/^List 000/)
  const field = within(screen.getByRole('group', { name: 'Contact lists' }))
  for (const box of field.getAllByRole('checkbox')) fireEvent.click(box)
  const chips = () => field.getAllByRole('img', { name: /^Remove List/ })
  expect(chips()).toHaveLength(8)
  fireEvent.click(field.getByRole('button', { name: 'Show 12 more' }))
  expect(chips()).toHaveLength(20)
  fireEvent.click(chips()[0]!)
  expect(field.getByText('19 selected')).toBeVisible()
  expect(await check(/^List 000/)).not.toBeChecked()
})

test('how much of what remains is needed is a meter', async () => {
  serveNotifying({ contacts: CONTACTS, quota: { remainingEvents: 8 } })
  const user = opened()
  await user.click(await check(/^Board/))
  const meter = await screen.findByRole('meter', { name: 'Notifications needed of those that remain' })
  expect(meter).toHaveAttribute('aria-valuenow', '4')
  expect(meter).toHaveAttribute('aria-valuemax', '8')
})

describe('a second person', () => {
  function askApproval() {
    const bodies: Record<string, unknown>[] = []
    server.use(
      http.post(`${API}/massNotification/approval`, async ({ request }) => {
        bodies.push((await request.json()) as Record<string, unknown>)
        return HttpResponse.json({ id: crypto.randomUUID() }, { status: 201 })
      }),
    )
    return bodies
  }

  test('is asked where the level wants it: the form says so before, and sends nothing', async () => {
    serveNotifying({ contacts: CONTACTS, config: { massNotifsApprovalOfCritical: true } })
    const asked = askApproval()
    const sent = receiveSent()
    const user = opened()
    await filled(user)
    expect(await screen.findByRole('button', { name: 'Send Notification' })).toBeVisible()
    await user.click(screen.getByRole('combobox', { name: 'Event Level' }))
    await user.click(await screen.findByRole('option', { name: 'Critical' }))
    expect(await screen.findByText(/A second person approves this notification/)).toBeVisible()
    await user.click(screen.getByRole('button', { name: 'Ask for Approval' }))
    expect(await screen.findByText('Others were asked to approve your notification.')).toBeVisible()
    expect(asked).toMatchObject([{ level: 'CRITICAL', title: 'Berth closed' }])
    expect(sent).toEqual([])
  })

  test('is asked above the number of people', async () => {
    serveNotifying({ contacts: CONTACTS, config: { massNotifsApprovalAbove: 1 } })
    askApproval()
    const user = opened()
    await filled(user)
    expect(await screen.findByRole('button', { name: 'Ask for Approval' })).toBeEnabled()
  })

  test('is asked once the server wants it, with everything that was typed', async () => {
    const asked = askApproval()
    receiveSent(() =>
      HttpResponse.json(
        { ...aProblem('A second person has to approve it.'), code: 'approval_required' },
        { status: 409 },
      ),
    )
    const user = opened()
    await filled(user)
    await user.click(await submit())
    await user.click(await screen.findByRole('button', { name: 'Ask for Approval' }))
    await waitFor(() => expect(asked).toHaveLength(1))
  })
})

test('a correction is prepared in a field that is folded at first', async () => {
  const sent = receiveSent()
  const user = opened()
  await filled(user)
  expect(screen.queryByLabelText('What is right')).toBeNull()
  await user.click(screen.getByRole('button', { name: 'Prepare a correction' }))
  await write(user, screen.getByLabelText('What is right'), 'It is berth 3.')
  await user.click(await submit())
  await waitFor(() => expect(sent).toMatchObject([{ correction: 'It is berth 3.' }]))
})

describe('sending', () => {
  test('shows that it sends, says so, empties the form and goes to the history', async () => {
    const user = opened()
    let letGo = () => undefined as void
    const held = new Promise<void>((resolve) => {
      letGo = resolve
    })
    const bodies: Record<string, unknown>[] = []
    server.use(
      http.post(`${API}/massNotification`, async ({ request }) => {
        bodies.push((await request.json()) as Record<string, unknown>)
        await held
        return HttpResponse.json(aNotification(), { status: 201 })
      }),
    )
    await filled(user)
    await user.click(await check(/^Crew/))
    const button = await submit()
    await user.dblClick(button)
    expect(await screen.findByRole('dialog', { name: 'Sending...' })).toBeVisible()
    await user.keyboard('{Escape}')
    expect(screen.getByRole('dialog', { name: 'Sending...' })).toBeVisible()
    letGo()
    expect(await screen.findByText('Notification sent.')).toBeVisible()
    expect(await subject()).toHaveValue('')
    expect(await check(/^Board/)).not.toBeChecked()
    expect(location.pathname).toBe('/mass-notifications/send')
    expect(bodies).toEqual([
      {
        title: 'Berth closed',
        emailMessage: 'Use berth 1.',
        smsMessage: 'Berth 1, please.',
        types: ['EMAIL', 'SMS'],
        level: 'NORMAL',
        contactListIds: ['Board'],
        contactIds: [],
        groupIds: [crew.id],
      },
    ])
    await waitFor(() => expect(location.pathname).toBe('/mass-notifications'))
  })

  test('leaves behind what no chosen type uses', async () => {
    const user = opened()
    const bodies = receiveSent()
    await filled(user)
    await user.click(await check('SMS'))
    await user.click(await submit())
    await screen.findByText('Notification sent.')
    expect(bodies).toMatchObject([{ types: ['EMAIL'], title: 'Berth closed', smsMessage: null }])
  })

  test('that fails keeps everything; the same again is the same request, another draft another one', async () => {
    const user = opened()
    let reply = () => HttpResponse.json(aProblem('The telephone line is cut.'), { status: 400 })
    receiveSent(() => reply())
    await filled(user)
    await user.click(await submit())
    expect(await screen.findByText('Error: The telephone line is cut.')).toBeVisible()
    expect(screen.queryByRole('dialog')).toBeNull()
    expect(await subject()).toHaveValue('Berth closed')
    expect(await check(/^Board/)).toBeChecked()
    reply = () => HttpResponse.error() as never
    await user.click(await submit())
    expect(await screen.findByText('Error: Please check your Internet connection.')).toBeVisible()
    reply = () => HttpResponse.json(aNotification(), { status: 201 }) as never
    await user.click(await check(/^Press/))
    await user.click(await submit())
    await screen.findByText('Notification sent.')
    // A refused request is over; one without a response was retried with its key.
    const [refused, lost, ...others] = keys
    expect(new Set([refused, lost, others.at(-1)]).size).toBe(3)
    expect(others.slice(0, -1)).toEqual([lost])
  })

  test('that is refused says why at the fields', async () => {
    const user = opened()
    const gone = 'This contact list does not exist.'
    receiveSent(() =>
      HttpResponse.json(
        { ...aProblem(gone), fields: { 'contactListIds.0': gone, smsMessage: 'Too rude.' } },
        { status: 400 },
      ),
    )
    await filled(user)
    await user.click(await submit())
    expect(await screen.findByText(`Error: ${gone}`)).toBeVisible()
    expect(within(screen.getByRole('group', { name: 'Contact lists' })).getByText(gone)).toBeVisible()
    expect(smsMessage()).toHaveAccessibleDescription(/^Too rude\./)
  })

  test('that would take more than remains by now is refused by the server', async () => {
    const user = opened()
    receiveSent(() => {
      answer('get', '/massNotification', { subscribed: true, remainingEvents: 1 })
      return HttpResponse.json(aProblem('Nothing was sent.', 'quota_exceeded'), { status: 409 })
    })
    await filled(user)
    await user.click(await submit())
    expect(await screen.findByText('Error: Nothing was sent.')).toBeVisible()
    expect(await screen.findByText('This needs 4 notifications, and 1 remain.')).toBeVisible()
  })
})

describe('about a running incident', () => {
  const incident = anIncident({ severity: 'CRITICAL' })
  const reaching = () => {
    server.use(
      http.post(`${API}/massNotification/reach`, async ({ request }) => {
        const { waitingIncidentId } = (await request.json()) as { waitingIncidentId: string | null }
        const waiting = waitingIncidentId === null ? 0 : 7
        const counts = { contacts: 0, doubtful: 0, withoutPhone: 0, emails: waiting, phones: 4 }
        return HttpResponse.json({
          ...counts,
          suppressed: { EMAIL: 0, SMS: 0, VOICE_CALL: 0 },
          waiting,
          waitingPhones: 4,
        })
      }),
    )
  }

  test('knows subject, level and those who have not checked in where it is opened from it', async () => {
    reaching()
    answer('get', '/incident/:id', aWhole({ id: incident.id, severity: 'CRITICAL' }))
    open(`/mass-notifications/send?incident=${incident.id}`)
    expect(await subject()).toHaveValue('Ransomware in the payment network (Critical severity)')
    expect(await check(/^Those who have not checked in/)).toBeChecked()
    expect(await screen.findByText('7 people')).toBeVisible()
    expect(await counter('Those who have not checked in')).toHaveTextContent('7')
    expect(screen.getByRole('combobox', { name: 'Event Level' })).toHaveTextContent('Critical')
  })

  test('takes its address and its whole team where it is opened to notify, and is about it', async () => {
    reaching()
    answer('get', '/incident/:id', aWhole({ id: incident.id, severity: 'CRITICAL' }))
    const sent = receive('post', '/massNotification', () => aNotification(), 201)
    const user = open(`/mass-notifications/send?about=${incident.id}`)
    expect(await check(/^Those who have not checked in/)).toBeChecked()
    expect(await check('Also those who have checked in')).toBeChecked()
    expect(await check(/^About the incident/)).toBeChecked()
    expect(emailMessage()).toHaveDisplayValue(new RegExp(`/incidents/${incident.id}$`))
    await user.click(await submit())
    await waitFor(() => expect(sent).toHaveLength(1))
    expect(sent[0]).toMatchObject({
      incidentId: incident.id,
      waitingIncidentId: incident.id,
      withCheckedIn: true,
    })
  })

  test('offers them where an incident runs, and sends to them', async () => {
    reaching()
    answer('get', '/dashboard', aDashboard([incident]))
    const sent = receive('post', '/massNotification', () => aNotification(), 201)
    const user = opened()
    const waiting = await check(/^Those who have not checked in/)
    expect(waiting).not.toBeChecked()
    await user.click(waiting)
    fireEvent.change(await subject(), { target: { value: 'Where are you?' } })
    fireEvent.change(emailMessage(), { target: { value: 'Please check in.' } })
    fireEvent.change(smsMessage(), { target: { value: 'Please check in.' } })
    await user.click(await submit())
    await waitFor(() => expect(sent).toHaveLength(1))
    expect(sent[0]).toMatchObject({ waitingIncidentId: incident.id, contactListIds: [] })
  })
})
