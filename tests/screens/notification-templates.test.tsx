import { act, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, test, vi } from 'vitest'

import { SMS_OFF } from '#contract/mass-notifications/schema.ts'
import type { NotificationTemplate } from '#contract/notification-templates/schema.ts'
import { answer, aProblem, FakeSocket, open, pageReloads, signedIn } from '#tests/support/client.tsx'
import { onAPhone, receive, serveList } from '#tests/support/client-lists.ts'

const PATH = '/massNotification/templates'
const TEMPLATE = '/massNotification/template'
const PAGE = '/mass-notifications/templates'

function aTemplate(title: string, changes: Partial<NotificationTemplate> = {}): NotificationTemplate {
  return {
    id: crypto.randomUUID(),
    title,
    level: 'NORMAL',
    smsMessage: null,
    emailMessage: null,
    question: null,
    escalation: null,
    language: null,
    updateTimestamp: '2026-01-02T03:04:00.000Z',
    version: 1,
    ...changes,
  }
}
const clear = aTemplate('All clear', { smsMessage: 'Go back inside.' })
const leave = aTemplate('Evacuate', {
  level: 'CRITICAL',
  emailMessage: 'Leave now.\nMeet at car park B.',
  updateTimestamp: '2026-01-03T05:06:00.000Z',
})

beforeEach(() => {
  signedIn()
  answer('get', '/config', { massNotifsSmsMessageLimit: 100 })
})

function opened(path = PAGE, templates: () => readonly NotificationTemplate[] = () => [clear, leave]) {
  const asked = serveList(PATH, templates)
  return { asked, user: open(path) }
}
const list = () => screen.findByRole('list', { name: 'Notification Templates' })
const entry = (name: RegExp) => screen.findByRole('link', { name })
const detail = async (name: string) => within(await screen.findByRole('region', { name }))
const button = (name: string) => screen.findByRole('button', { name })
const field = (label: RegExp) => screen.findByLabelText(label)
const dialog = async (name: string) => within(await screen.findByRole('dialog', { name }))
// By selector, because a closing dialog may still hide the toast from assistive technology, and on a slow
// machine for its whole life.
const toast = (words: string) => screen.findByText(words, { selector: 'output *' })
const isGone = () => waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())

describe('notification templates', () => {
  test('stand in a list with when they were changed, and the first one beside it, to read', async () => {
    const { asked } = opened()
    const entries = within(await list()).getAllByRole('link')
    expect(entries.map(({ textContent }) => textContent)).toEqual([
      'All clearUpdated at: Jan 2, 2026, 03:04 AM',
      'EvacuateUpdated at: Jan 3, 2026, 05:06 AM',
    ])
    expect(asked[0]).toEqual({ sort: ['title', 'ASC'], range: [0, 49], filter: {} })
    const shown = await detail('All clear')
    expect(shown.getByText('Normal')).toBeVisible()
    expect(shown.getByText('No email message was set')).toBeVisible()
    expect(shown.getByText('Go back inside.')).toBeVisible()
    expect(screen.queryByRole('textbox')).toBeNull()
  })

  test('are shown one after the other, by an address that can be shared', async () => {
    const { user } = opened()
    await user.click(await entry(/^Evacuate/))
    const shown = await detail('Evacuate')
    expect(shown.getByText('Critical')).toBeVisible()
    expect(shown.getByText(/Meet at car park B/)).toBeVisible()
    expect(shown.getByText('No SMS message was set')).toBeVisible()
    expect(new URLSearchParams(location.search).get('show')).toBe(leave.id)
  })

  test('are found beyond the first page by their address', async () => {
    const many = Array.from({ length: 60 }, (_, n) => aTemplate(`Template ${String(n).padStart(2, '0')}`))
    opened(`${PAGE}?show=${many[55]!.id}`, () => many)
    expect(await screen.findByRole('region', { name: 'Template 55' })).toBeVisible()
  })

  test('of which one on another page is open are listed with that one first, as after it was added', async () => {
    const many = Array.from({ length: 60 }, (_, n) => aTemplate(`Template ${String(n).padStart(2, '0')}`))
    const { user } = opened(`${PAGE}?show=${many[55]!.id}`, () => many)
    expect(await entry(/^Template 55/)).toHaveAttribute('aria-current', 'true')
    const names = within(await list())
      .getAllByRole('link')
      .map(({ textContent }) => textContent.slice(0, 11))
    expect(names.slice(0, 2)).toEqual(['Template 55', 'Template 00'])
    expect(names).toHaveLength(51)
    await user.click(await entry(/^Template 03/))
    await waitFor(() => expect(screen.queryByRole('link', { name: /^Template 55/ })).toBeNull())
  })

  test('that do not exist say so', async () => {
    opened(`${PAGE}?show=${crypto.randomUUID()}`)
    expect(await screen.findByText('This does not exist any more.')).toBeVisible()
  })

  test('none yet: says so', async () => {
    const { user } = opened(PAGE, () => [])
    expect(await screen.findByText('No notifications created yet.')).toBeVisible()
    await user.click(await button('Create Notification Template'))
    expect(await field(/^Title/)).toBeVisible()
  })

  test('change here when somebody changes them elsewhere', async () => {
    let templates: readonly NotificationTemplate[] = [clear]
    opened(PAGE, () => templates)
    await detail('All clear')
    templates = [{ ...clear, title: 'All is well' }]
    act(() => {
      FakeSocket.last!.say({ type: 'ready', sequence: 1 })
      FakeSocket.last!.say({
        type: 'event',
        sequence: 2,
        noun: 'notification-templates',
        record: clear.id,
        verb: 'updated',
        parent: null,
      })
    })
    expect(await entry(/^All is well/)).toBeVisible()
  })

  test('are for nobody without the permission', async () => {
    signedIn('USER')
    opened()
    await waitFor(() => expect(location.pathname).toBe('/'))
    expect(screen.queryByRole('link', { name: 'Notification Templates' })).toBeNull()
    expect(screen.queryByText('Mass Notifications')).toBeNull()
  })

  test('stand in the menu between the contacts and sending', async () => {
    opened()
    const menu = within(await screen.findByRole('navigation', { name: 'Main menu' }))
    const names = menu.getAllByRole('link').map(({ textContent }) => textContent)
    const first = names.indexOf('Mass Notifications')
    expect(names.slice(first, first + 4)).toEqual([
      'Mass Notifications',
      'Contacts',
      'Notification Templates',
      'Send Notification',
    ])
  })
})

test('where SMS are off, form and template say so', async () => {
  answer('get', '/config', { massNotifsSmsMessageLimit: 100, offersSms: false })
  const { user } = opened(`${PAGE}?create=1`)
  await field(/^Title/)
  await waitFor(async () =>
    expect(await field(/^SMS/)).toHaveAccessibleDescription(`${SMS_OFF} 100 characters remaining`),
  )
  await user.click(await button('Cancel'))
  await user.click(await entry(/All clear/))
  expect((await detail('All clear')).getByText(SMS_OFF)).toBeVisible()
})

describe('a new template', () => {
  const creating = async () => {
    const { user } = opened(`${PAGE}?create=1`)
    return { user, title: await field(/^Title/) }
  }

  test('keeps a question of one’s own, and says at the answer what it lacks', async () => {
    const { user, title } = await creating()
    const question = {
      kind: 'CHOICE' as const,
      answers: [
        { label: 'At home', tone: 'GOOD' as const },
        { label: 'On the way', tone: 'NEUTRAL' as const },
      ],
    }
    const made = aTemplate('a', { question })
    const bodies = receive('post', TEMPLATE, () => ({ ...made }))
    serveList(PATH, () => [made])
    await user.type(title, 'a')
    await user.click(await button('Own answers'))
    const [first, second] = [await field(/^Answer 1$/), await field(/^Answer 2$/)]
    expect(first).not.toHaveAccessibleDescription()
    await user.click(await button('Save'))
    await waitFor(() => expect(first).toHaveAccessibleDescription('Please enter an answer.'))
    expect(bodies).toEqual([])
    await user.type(first, 'At home')
    await user.type(second, 'On the way')
    await user.click(await button('Save'))
    expect(await toast('Notification template created.')).toBeVisible()
    expect(bodies).toMatchObject([{ title: 'a', question }])
    const shown = await detail('a')
    expect(shown.getByText('At home')).toBeVisible()
    expect(shown.getByText('On the way')).toBeVisible()
  })

  test('is sent with its words trimmed and its level in upper case', async () => {
    const { user, title } = await creating()
    const made = aTemplate('a', { level: 'LOW' })
    const bodies = receive('post', TEMPLATE, () => ({ ...made }))
    serveList(PATH, () => [made])
    expect(await field(/^SMS\/Automated Voice Message/)).toHaveAccessibleDescription(
      '100 characters remaining',
    )
    await user.type(title, ' a ')
    await user.type(await field(/^Email Message/), ' b ')
    await user.type(await field(/^SMS/), ' c ')
    expect(await field(/^SMS/)).toHaveAccessibleDescription('99 characters remaining')
    await user.click(screen.getByRole('combobox', { name: 'Event Level' }))
    expect(screen.getAllByRole('option').map(({ textContent }) => textContent)).toEqual([
      'Critical',
      'Normal',
      'Low',
    ])
    await user.click(screen.getByRole('option', { name: 'Low' }))
    await user.click(await button('Save'))
    expect(await toast('Notification template created.')).toBeVisible()
    expect(bodies).toEqual([
      {
        title: 'a',
        level: 'LOW',
        emailMessage: 'b',
        smsMessage: 'c',
        question: null,
        escalation: null,
        language: null,
      },
    ])
    expect((await detail('a')).getByText('Low')).toBeVisible()
  })

  test('says that it needs a title as soon as there is none, and once more when it is saved', async () => {
    const { user, title } = await creating()
    await user.type(title, 'x')
    expect(title).toHaveAccessibleDescription('The subject of the email as well.')
    await user.type(title, '{Backspace}')
    await waitFor(() => expect(title).toHaveAccessibleDescription('Title is required.'))
    expect(screen.getAllByText('Title is required.')).toHaveLength(1)
    await user.click(await button('Save'))
    expect(await toast('Title is required.')).toBeVisible()
    expect(title).toHaveFocus()
    await user.type(title, ' ')
    expect(title).toHaveAccessibleDescription('Title is required.')
  })

  test('keeps what is typed over a reload', async () => {
    const { user, title } = await creating()
    await user.type(title, 'Flood')
    await user.type(await field(/^SMS/), 'Go up.')
    await pageReloads()
    open(`${PAGE}?create=1`)
    expect(await screen.findByText(/^What you typed before the page was reloaded is back/)).toBeVisible()
    expect(await field(/^Title/)).toHaveValue('Flood')
    expect(await field(/^SMS/)).toHaveValue('Go up.')
  })

  test('counts what is left of an SMS by the configuration of the organisation, and refuses more', async () => {
    answer('get', '/config', { massNotifsSmsMessageLimit: 5 })
    const { user } = await creating()
    const sms = await field(/^SMS/)
    await waitFor(() => expect(sms).toHaveAccessibleDescription('5 characters remaining'))
    await user.type(sms, '12345 ')
    expect(sms).toHaveAccessibleDescription('0 characters remaining')
    await user.type(sms, '7')
    await waitFor(() => expect(sms).toHaveAccessibleDescription('Maximum of 5 characters exceeded.'))
  })

  test.each([
    [400, aProblem('The words are not allowed.'), 'Error: The words are not allowed.'],
    [500, {}, 'Error: Something went wrong.'],
  ])(
    'that fails with %i says so for three seconds, and keeps what was typed',
    async (status, body, words) => {
      const { user, title } = await creating()
      await user.type(title, 'Storm')
      answer('post', TEMPLATE, body, status)
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true })
      screen.getByRole('button', { name: 'Save' }).click()
      expect(await toast(words)).toBeVisible()
      await act(() => vi.advanceTimersByTimeAsync(3_000))
      expect(screen.queryByText(words)).toBeNull()
      expect(title).toHaveValue('Storm')
    },
  )
})

describe('editing', () => {
  const editing = async () => {
    const { user } = opened(`${PAGE}?show=${leave.id}`)
    await user.click(await button('Edit'))
    return { user, title: await field(/^Title/) }
  }

  test('sends what was changed with the version that it was based on', async () => {
    const { user, title } = await editing()
    const bodies = receive('put', `${TEMPLATE}/${leave.id}`, (body) => ({ ...leave, ...body, version: 2 }))
    await user.clear(title)
    await user.type(title, 'Leave')
    await user.clear(await field(/^Email Message/))
    await user.click(await button('Save'))
    expect(await toast('Notification template updated.')).toBeVisible()
    expect(bodies).toMatchObject([{ title: 'Leave', level: 'CRITICAL', smsMessage: null, version: 1 }])
    expect(bodies[0]!['emailMessage'] || null).toBeNull()
    await waitFor(() => expect(screen.queryByRole('textbox', { name: /^Title/ })).toBeNull())
  })

  test('asks to discard when another one is selected, and keeps the text when that is declined', async () => {
    const { user, title } = await editing()
    await user.type(title, ' now')
    await user.click(await entry(/^All clear/))
    await user.click((await dialog('Discard changes?')).getByRole('button', { name: 'Cancel' }))
    await isGone()
    expect(title).toHaveValue('Evacuate now')
    await user.click(await entry(/^All clear/))
    await user.click((await dialog('Discard changes?')).getByRole('button', { name: 'Discard' }))
    expect(await detail('All clear')).toBeDefined()
  })

  test('is left by Cancel without a question when nothing was typed', async () => {
    const { user } = await editing()
    await user.click(await button('Cancel'))
    expect((await detail('Evacuate')).getByText(/car park B/)).toBeVisible()
  })

  test('says who was faster, and keeps what was typed', async () => {
    const { user, title } = await editing()
    await user.type(title, '!')
    const refusal = 'Maya Lindqvist changed this meanwhile. Your changes were not saved.'
    answer('put', `${TEMPLATE}/${leave.id}`, aProblem(refusal, 'stale'), 409)
    serveList(PATH, () => [clear, { ...leave, emailMessage: 'Theirs', version: 2 }])
    await user.click(await button('Save'))
    expect(await toast(`Error: ${refusal}`)).toBeVisible()
    expect(await screen.findByRole('alert')).toHaveTextContent(refusal)
    expect(title).toHaveValue('Evacuate!')
    expect(await field(/^Email Message/)).toHaveValue('Theirs')
  })
})

describe('deleting', () => {
  test('asks first, and shows another one afterwards', async () => {
    const { user } = opened(`${PAGE}?show=${leave.id}`)
    await user.click(await button('Delete'))
    const question = await dialog('Delete notification template?')
    expect(question.getByText(/^Evacuate will be permanently deleted/)).toBeVisible()
    answer('delete', `${TEMPLATE}/${leave.id}`, undefined)
    serveList(PATH, () => [clear])
    await user.click(question.getByRole('button', { name: 'Delete' }))
    expect(await toast('Evacuate has been deleted.')).toBeVisible()
    expect(await screen.findByRole('region', { name: 'All clear' })).toBeVisible()
  })

  test('that fails says so', async () => {
    const { user } = opened(`${PAGE}?show=${leave.id}`)
    await user.click(await button('Delete'))
    answer('delete', `${TEMPLATE}/${leave.id}`, {}, 500)
    await user.click((await dialog('Delete notification template?')).getByRole('button', { name: 'Delete' }))
    expect(await toast('Evacuate could not be deleted.')).toBeVisible()
  })
})

test('on a phone the list and a template follow one another', async () => {
  onAPhone()
  const { user } = opened()
  await user.click(await entry(/^Evacuate/))
  expect(await screen.findByRole('region', { name: 'Evacuate' })).toBeVisible()
  expect(screen.queryByRole('list', { name: 'Notification Templates' })).toBeNull()
  await user.click(await button('Back'))
  expect(await list()).toBeVisible()
})
