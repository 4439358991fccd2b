import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, test } from 'vitest'

import type { Escalation } from '#contract/notification-escalations/schema.ts'
import { answer, open, signedIn } from '#tests/support/client.tsx'
import { receive, serveList } from '#tests/support/client-lists.ts'
import { aNotification, aTemplate } from '#tests/support/client-notifications.ts'

const STEP = { afterMinutes: 5, to: 'PERSON', by: 'SMS' } as const
const PLAN = { steps: [STEP], rounds: 1, pauseMinutes: 15 }
const notification = aNotification({ escalation: PLAN })
const ESCALATION: Escalation = {
  notificationId: notification.id,
  next: { at: '2026-01-05T10:10:00.000Z', round: 2, asked: 'DEPUTY', types: ['SMS'], people: 3 },
  ended: null,
  endedBy: null,
  endedTimestamp: null,
  steps: [
    {
      number: 0,
      round: 1,
      asked: 'PERSON',
      types: ['VOICE_CALL'],
      people: 4,
      skips: [{ name: 'Bo', reason: 'NO_ADDRESS' }],
      skipped: 3,
      createTimestamp: '2026-01-05T10:05:00.000Z',
    },
  ],
}
const PATH = `/massNotification/history/${notification.id}`
const card = async () => within(await screen.findByRole('region', { name: 'Escalation' }))

beforeEach(() => {
  signedIn()
  answer('get', '/massNotification', {
    subscribed: true,
    organisation: 'Acme',
    remainingEvents: 100,
    types: ['EMAIL', 'SMS', 'VOICE_CALL'],
    answerLink: 'https://muster.example/answer/1-1-rr-0000000000000',
    takesReplies: false,
    takesKeys: false,
  })
})

describe('the escalation of a notification', () => {
  test('says what comes next and what was done, with those who were not asked', async () => {
    answer('get', PATH, notification)
    answer('get', `${PATH}/escalation`, ESCALATION)
    open(`/mass-notifications/history/${notification.id}`)
    const shown = await card()
    expect(await shown.findByRole('status')).toHaveTextContent(
      /^Next: SMS to the deputies of 3 people at .*, round 2$/,
    )
    expect(shown.getByRole('listitem')).toHaveTextContent(
      /^Step 1: Voice call to 4 people.*3 people not asked: \u2068Bo\u2069 \(no address or number for this channel\) and 2 more$/,
    )
  })

  test('is stopped after asking, and says who stopped it', async () => {
    answer('get', PATH, notification)
    answer('get', `${PATH}/escalation`, ESCALATION)
    answer('post', `${PATH}/escalation/stop`, undefined)
    const user = open(`/mass-notifications/history/${notification.id}`)
    await user.click(await (await card()).findByRole('button', { name: 'Stop escalation' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Stop the escalation?' }))
    answer('get', `${PATH}/escalation`, {
      ...ESCALATION,
      next: null,
      ended: 'STOPPED',
      endedBy: 'ada@demo.example',
      endedTimestamp: '2026-01-05T10:06:00.000Z',
    })
    await user.click(dialog.getByRole('button', { name: 'Stop escalation' }))
    expect(await (await card()).findByText('Stopped.')).toBeVisible()
    expect((await card()).queryByRole('button', { name: 'Stop escalation' })).toBeNull()
  })

  test('has no card where there is none', async () => {
    const plain = aNotification()
    answer('get', `/massNotification/history/${plain.id}`, plain)
    open(`/mass-notifications/history/${plain.id}`)
    await screen.findByRole('region', { name: 'Message' })
    expect(screen.queryByRole('region', { name: 'Escalation' })).toBeNull()
  })
})

describe('the plan of a template', () => {
  test('is edited below its question, and refused at the step', async () => {
    const template = aTemplate('Fire', {
      question: { kind: 'CONFIRMATION', answers: [{ label: 'Read', tone: 'GOOD' }] },
      escalation: PLAN,
    })
    answer('get', '/config', { massNotifsSmsMessageLimit: 100 })
    serveList('/massNotification/templates', () => [template])
    const saved = receive('put', `/massNotification/template/${template.id}`, () => ({ ...template }))
    const user = open(`/mass-notifications/templates?edit=${template.id}`)
    const minutes = await screen.findByRole('textbox', { name: 'Minutes from the send until step 1' })
    expect(minutes).toHaveValue('5')
    await user.click(screen.getByRole('button', { name: 'Add step' }))
    const second = screen.getByRole('textbox', { name: 'Minutes from the send until step 2' })
    await user.clear(second)
    await user.type(second, '3')
    expect(await screen.findByText('Each step has to come later than the one before it.')).toBeVisible()
    await user.clear(second)
    await user.type(second, '30')
    expect(screen.queryByText('Each step has to come later than the one before it.')).toBeNull()
    await user.click(screen.getByRole('button', { name: /^Save/ }))
    await waitFor(() => expect(saved).toHaveLength(1))
    expect(saved[0]).toMatchObject({
      escalation: { steps: [STEP, { ...STEP, afterMinutes: 30 }], rounds: 1 },
    })
  })
})
