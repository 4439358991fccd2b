import { act, screen, waitFor, within } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { beforeEach, describe, expect, test } from 'vitest'

import type { PersonMessage, Recipient, SentNotification } from '#contract/mass-notifications/schema.ts'
import { answer, API, aProblem, FakeSocket, laidOut, open, server, signedIn } from '#tests/support/client.tsx'
import { linesOf, onAPhone, savedFiles, serveList } from '#tests/support/client-lists.ts'
import {
  aNotification,
  aRecipient,
  serveNotifying,
  serveRecipients,
} from '#tests/support/client-notifications.ts'

const PATH = '/massNotification/history'
const grid = async () => within(await screen.findByRole('grid', { name: 'Notification History' }))
const region = async (name: string) => within(await screen.findByRole('region', { name }))
const dialog = async (name: RegExp) => within(await screen.findByRole('dialog', { name }))

beforeEach(() => {
  signedIn()
  serveNotifying()
})

function opened(rows: () => readonly SentNotification[] = () => [], path = '/mass-notifications') {
  const asked = serveList(PATH, () => rows().map((row) => ({ ...row })))
  return { asked, user: open(path) }
}
/** Records requests for features. */
function requests() {
  const names: (string | null)[] = []
  server.use(
    http.post(`${API}/feature/upgrade`, ({ request }) => {
      names.push(new URL(request.url).searchParams.get('name'))
      return new HttpResponse(null, { status: 204 })
    }),
  )
  return names
}

describe('what remains', () => {
  test('is said', async () => {
    opened()
    expect(await screen.findByText('Your organization has 500 remaining notifications.')).toBeVisible()
    expect(screen.queryByRole('button', { name: 'Request an increase' })).toBeNull()
  })

  test('is low: more can be asked for', async () => {
    serveNotifying({ quota: { remainingEvents: 3 } })
    const asked = requests()
    const { user } = opened()
    expect(await screen.findByText('Your organization has 3 remaining notifications.')).toBeVisible()
    await user.click(screen.getByRole('button', { name: 'Request an increase' }))
    expect(await screen.findByText(/^Thank you for your request/)).toBeVisible()
    expect(asked).toEqual(['MORE_NOTIFICATIONS'])
  })

  test('is nothing without a subscription, which can be asked for', async () => {
    serveNotifying({ quota: { subscribed: false } })
    const asked = requests()
    const { user } = opened()
    expect(
      await screen.findByText('Your organization is currently not subscribed to Mass Notifications.'),
    ).toBeVisible()
    await user.click(screen.getByRole('button', { name: 'Request access' }))
    await waitFor(() => expect(asked).toEqual(['MASS_NOTIFICATIONS']))
  })

  test('cannot be found out: it can be asked for again', async () => {
    answer('get', '/massNotification', aProblem('x'), 403)
    const { user } = opened()
    const banner = await screen.findByText('Something went wrong fetching')
    serveNotifying()
    await user.click(within(banner).getByRole('button', { name: 'Try again' }))
    expect(await screen.findByText(/has 500 remaining/)).toBeVisible()
  })
})

test('three tiles lead to sending, templates and contacts', async () => {
  opened()
  const tiles = within(await screen.findByRole('navigation', { name: 'Shortcuts' })).getAllByRole('link')
  expect(tiles.map((tile) => [tile.querySelector('strong')?.textContent, tile.getAttribute('href')])).toEqual(
    [
      ['Send notification', '/mass-notifications/send'],
      ['Notifications manager', '/mass-notifications/templates'],
      ['Contacts', '/mass-notifications/contacts'],
    ],
  )
})

describe('the history', () => {
  const many = Array.from({ length: 30 }, (_, index) =>
    aNotification({ emailMessage: `Message ${index}`, smsMessage: null }),
  )

  test('shows what was sent, newest first, ten at a time', async () => {
    const rows = [
      aNotification({
        types: ['EMAIL', 'VOICE_CALL'],
        level: 'CRITICAL',
        notifiedCount: 1_234,
        notReachedCount: 3,
        waitingCount: 2,
      }),
      aNotification({ emailMessage: null, smsMessage: null, level: 'LOW' }),
    ]
    const { asked } = opened(() => rows)
    const shown = await grid()
    expect(shown.getAllByRole('columnheader').map(({ textContent }) => textContent)).toEqual([
      'Event Level',
      'Message',
      'Type',
      'Notified Contacts',
      'Sent At',
    ])
    const [, first, second] = shown.getAllByRole('row')
    expect(within(first!).getByText('Berth 2 is closed. / Use berth 1.')).toBeVisible()
    expect(within(first!).getByText('3 not reached')).toBeVisible()
    expect(within(first!).getByText('2 waiting')).toBeVisible()
    expect(within(second!).queryByText(/not reached/)).toBeNull()
    for (const words of ['Critical', 'Email, Voice', '1,234'])
      expect(within(first!).getByText(words)).toBeVisible()
    expect(within(second!).getByText('No message to show.')).toBeVisible()
    expect(asked).toEqual([{ sort: ['createTimestamp', 'DESC'], range: [0, 9], filter: {} }])
  })

  test('has pages of 10, 25, 50 and 100', async () => {
    const { asked, user } = opened(() => many)
    await grid()
    await user.click(screen.getByRole('combobox', { name: /^Rows per page/ }))
    expect(screen.getAllByRole('option').map(({ textContent }) => textContent)).toEqual([
      '10',
      '25',
      '50',
      '100',
    ])
    await user.click(screen.getByRole('option', { name: '25' }))
    expect(await screen.findByText('Message 24')).toBeVisible()
    expect(asked.at(-1)?.range).toEqual([0, 24])
    expect(location.search).toBe('?perPage=25')
  })

  test('is searched by the server, and asked for again', async () => {
    const { asked, user } = opened(() => many)
    await grid()
    await user.click(screen.getByPlaceholderText('Filter notifications...'))
    await user.paste('message 17')
    expect(await screen.findByText('1–1 of 1')).toBeVisible()
    expect(asked.at(-1)?.filter).toEqual({ q: 'message 17' })
    const before = asked.length
    await user.click(screen.getByRole('button', { name: 'Refresh' }))
    await waitFor(() => expect(asked.length).toBeGreaterThan(before))
  })

  test('is empty at first', async () => {
    opened()
    expect(await screen.findByText('No notifications sent yet.')).toBeVisible()
  })

  test('that does not come says so', async () => {
    answer('get', PATH, aProblem('Broken.'), 500)
    open('/mass-notifications')
    expect(await screen.findByText('Something went wrong fetching')).toBeVisible()
    expect(screen.getByRole('button', { name: 'Try again' })).toBeVisible()
  })

  test('grows as the live socket tells', async () => {
    let rows = [aNotification()]
    opened(() => rows)
    await grid()
    rows = [aNotification({ emailMessage: 'News from elsewhere', smsMessage: null }), ...rows]
    serveNotifying({ quota: { remainingEvents: 499 } })
    act(() => {
      FakeSocket.last!.say({ type: 'ready', sequence: 1 })
      FakeSocket.last!.say({
        type: 'event',
        sequence: 2,
        noun: 'mass-notifications',
        record: rows[0]!.id,
        verb: 'sent',
        parent: null,
      })
    })
    expect(await screen.findByText('News from elsewhere')).toBeVisible()
    expect(await screen.findByText(/has 499 remaining/)).toBeVisible()
  })

  test('leads from a row to the whole notification, and back', async () => {
    const one = aNotification()
    answer('get', `${PATH}/${one.id}`, one)
    const { user } = opened(() => [one])
    const row = (await grid()).getByText('Email, SMS')
    // Only an awaited act waits for the page to load.
    await act(() => user.click(row))
    expect(location.pathname).toBe(`/mass-notifications/history/${one.id}`)
    expect((await region('Message')).getByText('Berth 2 is closed.')).toBeVisible()
    await user.click(screen.getByRole('link', { name: 'Back to Notification History' }))
    expect((await grid()).getByRole('link', { name: /^Berth 2/ })).toHaveAttribute(
      'href',
      `/mass-notifications/history/${one.id}`,
    )
  })

  test('is a list of cards on a phone', async () => {
    onAPhone()
    const one = aNotification()
    opened(() => [one])
    expect(await screen.findByRole('link', { name: 'Berth 2 is closed. / Use berth 1.' })).toHaveAttribute(
      'href',
      `/mass-notifications/history/${one.id}`,
    )
    expect(screen.getByText('Email, SMS')).toBeVisible()
  })
})

describe('one notification', () => {
  const shown = (changes: Parameters<typeof aNotification>[0], recipients: Recipient[] = []) => {
    const one = aNotification(changes)
    answer('get', `${PATH}/${one.id}`, one)
    serveRecipients(one.id, recipients)
    return open(`/mass-notifications/history/${one.id}`)
  }

  test('says everything of what was sent', async () => {
    const crew = { shqGroupId: crypto.randomUUID(), shqGroupName: 'Crew', lists: [] }
    const user = shown(
      {
        types: ['EMAIL', 'SMS', 'VOICE_CALL'],
        level: 'CRITICAL',
        contactIds: ['ana.costa@out.example', 'gone@out.example'],
        groupNames: ['Crew'],
        createdBy: 'Pager bridge',
        contactCount: 2,
        memberCount: 2,
        contactNames: ['Ana Costa', 'gone@out.example'],
        deliveries: [
          { type: 'EMAIL', sent: 3, delivered: 0, waiting: 0, failed: 1 },
          { type: 'SMS', sent: 2, delivered: 0, waiting: 1, failed: 0 },
          { type: 'VOICE_CALL', sent: 0, delivered: 0, waiting: 3, failed: 0 },
        ],
      },
      [
        aRecipient('Ana Costa', { targeted: true }),
        aRecipient('Bo', { phone: null }),
        aRecipient('Cy', crew),
        aRecipient('Dee', { ...crew, email: null, shqGroupName: null }),
      ],
    )
    const message = await region('Message')
    for (const words of ['Berth closed', 'Berth 2 is closed.', 'Use berth 1.'])
      expect(message.getByText(words)).toBeVisible()
    const details = await region('Details')
    for (const words of ['Critical', 'Pager bridge', 'Email, SMS, Automated Voice', /Jan 5, 2026/])
      expect(details.getByText(words)).toBeVisible()
    const rows = (await region('Deliveries')).getAllByRole('row')
    expect(rows.slice(1).map(({ textContent }) => textContent)).toEqual([
      'Email301',
      'SMS210',
      'Automated Voice030',
    ])
    const recipients = await region('Recipients')
    for (const name of ['Suppliers', 'Ana Costa', 'gone@out.example', 'Crew'])
      expect(recipients.getByText(name)).toBeVisible()
    expect(screen.queryByRole('link', { name: 'Manage Groups' })).toBeNull()

    await user.click(recipients.getByRole('button', { name: 'View All: Individual contacts notified' }))
    const contacts = await dialog(/^Individual contacts notified2$/)
    await contacts.findByRole('row', { name: /^Ana Costa/ })
    expect(contacts.getAllByRole('columnheader').map(({ textContent }) => textContent)).toEqual([
      'Name',
      'Email',
      'Phone Number',
      'Included Via',
      'Delivery',
    ])
    expect(contacts.getByRole('row', { name: /^Ana Costa/ })).toHaveTextContent(
      /SuppliersTargetedEmail: SentDetails$/,
    )
    expect(contacts.getByRole('row', { name: /^Bo/ })).not.toHaveTextContent('Targeted')
    await user.click(contacts.getByPlaceholderText('Filter contacts...'))
    await user.paste('nobody like this')
    expect(await contacts.findByText('No contacts to show.')).toBeVisible()
    await user.click(contacts.getByRole('button', { name: 'Close' }))

    await user.click(recipients.getByRole('button', { name: 'View All: Group members notified' }))
    const members = await dialog(/^Group members notified/)
    expect(await members.findByRole('row', { name: /^Cy/ })).toHaveTextContent(/CrewEmail: SentDetails$/)
    expect(members.getAllByRole('columnheader').at(-2)).toHaveTextContent('Group')
    expect(members.getByRole('row', { name: /^Dee/ })).toHaveTextContent(
      /No email address to show\..*No group to show\.Email: SentDetails$/,
    )
  })

  const ana = aRecipient('Ana Costa', {
    outcome: 'NOT_REACHED',
    messages: [
      { type: 'EMAIL', state: 'FAILED', problem: null, reason: '550 No such mailbox', doneTimestamp: null },
      { type: 'SMS', state: 'NOT_SENT', problem: 'NO_DIAL_CODE', reason: null, doneTimestamp: null },
    ],
  })

  const waiting = (name: string) =>
    aRecipient(name, {
      outcome: 'WAITING',
      messages: [
        {
          type: 'EMAIL',
          state: 'WAITING',
          problem: null,
          reason: 'The mail server cannot be reached',
          doneTimestamp: null,
        },
      ],
    })
  const figure = (within: Awaited<ReturnType<typeof region>>, label: string) =>
    within.getAllByText(label).find(({ tagName }) => tagName === 'DT')?.nextElementSibling

  test('names who was not reached while others still wait, apart and with the reasons', async () => {
    shown({ sentCount: 1_200, waitingCount: 1, notReachedCount: 1 }, [ana, waiting('Wim'), aRecipient('Bo')])
    const deliveries = await region('Deliveries')
    expect(figure(deliveries, 'Sent')).toHaveTextContent('1,200')
    expect(figure(deliveries, 'Waiting')).toHaveTextContent('1')
    expect(figure(deliveries, 'Not reached')).toHaveTextContent('1')
    const missed = await screen.findByRole('region', { name: 'Not reached' })
    expect(missed).toHaveTextContent(
      /Ana CostaEmail: Failed: 550 No such mailboxSMS: Not sent: the phone number has no dial codeDetails$/,
    )
    expect(screen.getByRole('region', { name: 'Waiting' })).toHaveTextContent(
      /WimEmail: Waiting: The mail server cannot be reachedDetails$/,
    )
    expect(deliveries.queryByText('Bo')).toBeNull()
    expect(deliveries.queryByText('Reached')).toBeNull()
  })

  test('tells sent from reached, and opens what the carriers said of one person', async () => {
    const reached = aRecipient('Bo', { outcome: 'REACHED' })
    const user = shown({ sentCount: 12, reachedCount: 5, notReachedCount: 1 }, [ana, reached])
    const deliveries = await region('Deliveries')
    expect(figure(deliveries, 'Sent')).toHaveTextContent('7')
    expect(figure(deliveries, 'Reached')).toHaveTextContent('5')
    const message: PersonMessage = {
      type: 'SMS',
      address: '+19025550100',
      state: 'FAILED',
      reason: 'The phone is off or out of reach. (Twilio 30003)',
      createTimestamp: '2026-01-05T10:00:00.000Z',
      doneTimestamp: '2026-01-05T10:02:00.000Z',
      deputy: null,
      attempts: [
        {
          carrier: 'Twilio',
          providerId: 'SM123',
          state: 'FAILED',
          code: '30003',
          reason: 'The phone is off or out of reach. (Twilio 30003)',
          tries: 1,
          createTimestamp: '2026-01-05T10:00:01.000Z',
          updateTimestamp: '2026-01-05T10:02:00.000Z',
        },
      ],
    }
    server.use(
      http.get(`${API}/massNotification/history/:id/recipients/0`, () => HttpResponse.json([message])),
    )
    await user.click(await screen.findByRole('button', { name: 'Messages to Ana Costa' }))
    const opened = within(await screen.findByRole('dialog', { name: 'Messages to Ana Costa' }))
    const attempts = await opened.findByRole('list', { name: 'Attempts' })
    expect(attempts).toHaveTextContent(/Handed over.*Failed.*out of reach.*Twilio: SM123/)
  })

  test('has everybody who was not reached in a dialog where they are many', async () => {
    const missed = Array.from({ length: 7 }, (_, n) => ({
      ...ana,
      name: `Person ${n}`,
      email: `p${n}@x.example`,
    }))
    const user = shown({ notReachedCount: 7 }, missed)
    const first = within(await screen.findByRole('region', { name: 'Not reached' }))
    expect(first.getAllByRole('listitem')).toHaveLength(5)
    await user.click(first.getByRole('button', { name: 'View All: Not reached' }))
    expect(await (await dialog(/^Not reached7$/)).findByRole('row', { name: /^Person 6/ })).toBeVisible()
  })

  test('shows thousands of recipients a hundred at a time', async () => {
    laidOut()
    const everybody = Array.from({ length: 250 }, (_, n) => aRecipient(`Person ${n}`))
    const user = shown({ contactCount: 250 }, everybody)
    await user.click(
      (await region('Recipients')).getByRole('button', { name: 'View All: Individual contacts notified' }),
    )
    const contacts = await dialog(/^Individual contacts notified250$/)
    const table = await contacts.findByRole('table')
    expect(table).toHaveAttribute('aria-rowcount', '101')
    await user.click(contacts.getByRole('button', { name: 'Show 100 more' }))
    await waitFor(() => expect(table).toHaveAttribute('aria-rowcount', '201'))
    await user.click(contacts.getByRole('button', { name: 'Show 100 more' }))
    await waitFor(() => expect(table).toHaveAttribute('aria-rowcount', '251'))
    expect(contacts.queryByRole('button', { name: 'Show 100 more' })).toBeNull()
  })

  test('saves its recipients as a file', async () => {
    const files = savedFiles()
    server.use(
      http.get(
        `${API}${PATH}/:id/recipients.csv`,
        () =>
          new HttpResponse('Outcome,Name\r\nNot reached,Ana', {
            headers: { 'Content-Disposition': 'attachment; filename="notification-2026-01-05.csv"' },
          }),
      ),
    )
    const user = shown({})
    await user.click((await region('Deliveries')).getByRole('button', { name: 'Download recipients' }))
    await waitFor(() => expect(files.map(({ name }) => name)).toEqual(['notification-2026-01-05.csv']))
    expect(await linesOf(files[0]!)).toEqual(['Outcome,Name', 'Not reached,Ana'])
  })

  test.each([
    [
      'by SMS only, to a group',
      { title: null, emailMessage: null, contactListIds: [] },
      [
        'No email subject was set',
        'No email message was set',
        'No contact lists were selected',
        'No contacts were selected',
        'No groups were selected',
      ],
    ],
    ['by email only', { smsMessage: null }, ['No SMS message was set', 'No contacts were selected']],
  ])('%s: what is missing is said in italics', async (_, changes, notes) => {
    shown(changes)
    await region('Message')
    const italics = [...document.querySelectorAll('main em')].map(({ textContent }) => textContent)
    expect(italics).toEqual(expect.arrayContaining(notes))
  })

  test('that cannot be read says so', async () => {
    answer('get', `${PATH}/7`, aProblem('Broken.'), 500)
    open('/mass-notifications/history/7')
    expect(await screen.findByText('Something went wrong reading notification')).toBeVisible()
  })

  test('that does not exist says so', async () => {
    answer('get', `${PATH}/7`, aProblem('This notification does not exist.', 'not_found'), 404)
    open('/mass-notifications/history/7')
    expect(await screen.findByText('This notification does not exist.')).toBeVisible()
  })
})

describe('access', () => {
  test('the dashboard has a tile, and the menu its entries, for those who may', async () => {
    const user = open('/')
    const main = within(await screen.findByRole('main'))
    const tile = await main.findByRole('link', { name: /^Mass Notifications/ })
    expect(tile).toHaveAttribute('href', '/mass-notifications')
    const menu = within(await screen.findByRole('navigation', { name: 'Main menu' }))
    await user.click(menu.getByRole('link', { name: 'Send Notification' }))
    expect(await screen.findByRole('heading', { level: 1, name: 'Send Notification' })).toBeVisible()
  })

  test.each(['/mass-notifications', '/mass-notifications/send', '/mass-notifications/history/7'])(
    '%s is for nobody else',
    async (path) => {
      signedIn('USER')
      open(path)
      await waitFor(() => expect(location.pathname).toBe('/'))
      expect(await screen.findByRole('region', { name: 'Current State' })).toBeVisible()
      expect(screen.queryByRole('link', { name: /Mass Notifications|Send Notification/ })).toBeNull()
    },
  )
})
