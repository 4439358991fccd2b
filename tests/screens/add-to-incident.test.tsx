import { render, screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { http, HttpResponse } from 'msw'
import { CoreAdminContext } from 'react-admin'
import { beforeEach, describe, expect, test, vi } from 'vitest'

import type { NewMessageActivity } from '#contract/chat/schema.ts'
import type { ChatMessage } from '#providers/chat/timeline.ts'
import { i18nProvider, loadMessages } from '#providers/i18nProvider.ts'
import { AddToIncident } from '#src/chat/message/AddToIncident.tsx'
import { MessageActivities } from '#src/chat/message/MessageActivities.tsx'
import { Toasts } from '#src/kit/feedback/Toasts.tsx'
import { answer, API, aProblem, aUser, server, signedIn } from '#tests/support/client.tsx'
import { aMessage } from '#tests/support/client-chat.ts'
import { aWhole, uuid } from '#tests/support/client-incidents.ts'

const ROOM = uuid(50)
const flood = aWhole({ id: uuid(1), title: 'Flood' })
const drill = aWhole({ id: uuid(2), title: 'Drill', isTabletop: true })
const message: ChatMessage = aMessage(ROOM, 1, {
  id: uuid(60),
  text: '<p>The pump is dry</p>',
  user: aUser().uuid,
})
const show = (element: React.ReactElement) => {
  render(
    <CoreAdminContext i18nProvider={i18nProvider}>
      {element}
      <Toasts />
    </CoreAdminContext>,
  )
  return userEvent.setup()
}
const inProgress = (...data: (typeof flood)[]) =>
  answer('get', '/incident', { data, page: 0, size: 100, total: data.length, people: [] })
/** Accepts messages into incidents and records the bodies. */
function taking() {
  const bodies: NewMessageActivity[] = []
  server.use(
    http.post(`${API}/chat/messages/${message.id}/activity`, async ({ request }) => {
      const body = (await request.json()) as NewMessageActivity
      bodies.push(body)
      const activities = [{ id: uuid(70), incidentId: body.incidentId, type: body.type }]
      return HttpResponse.json({ ...message, activities }, { status: 201 })
    }),
  )
  return bodies
}

beforeEach(async () => {
  signedIn()
  await loadMessages()
  answer('get', `/chat/rooms/${ROOM}`, aProblem('This room does not exist.'), 404)
})

describe('a message is added to an incident', () => {
  test('as an update of the only one', async () => {
    inProgress(flood)
    const bodies = taking()
    const onClose = vi.fn()
    const user = show(<AddToIncident message={message} onClose={onClose} />)
    const dialog = within(await screen.findByRole('dialog', { name: 'Add to an incident' }))
    expect(await dialog.findByText('Flood')).toBeVisible()
    await user.click(dialog.getByRole('button', { name: 'Add' }))
    expect(await screen.findByText('Added to Flood.')).toBeVisible()
    expect(bodies).toEqual([{ incidentId: flood.id, type: 'UPDATE' }])
    expect(onClose).toHaveBeenCalled()
  })

  test('as a task of the one that is chosen', async () => {
    inProgress(flood, drill)
    const bodies = taking()
    const user = show(<AddToIncident message={message} onClose={() => undefined} />)
    const dialog = within(await screen.findByRole('dialog', { name: 'Add to an incident' }))
    await user.click(await dialog.findByRole('combobox', { name: 'Incident' }))
    expect(dialog.getByRole('button', { name: 'Add', hidden: true })).toBeDisabled()
    await user.click(await screen.findByRole('option', { name: 'EXERCISE: Drill' }))
    await user.click(dialog.getByRole('radio', { name: 'Task' }))
    await user.type(dialog.getByRole('textbox', { name: 'Title of the task' }), 'Fill the pump')
    await user.click(dialog.getByRole('button', { name: 'Add' }))
    await waitFor(() =>
      expect(bodies).toEqual([{ incidentId: drill.id, type: 'TASK', title: 'Fill the pump' }]),
    )
  })

  test.each([
    ['Timeline entry', 'ENTRY'],
    ['Decision', 'DECISION'],
  ])('as a %s, also where it is an update already', async (name, type) => {
    inProgress(flood)
    const bodies = taking()
    const there = {
      ...message,
      activities: [{ id: uuid(70), incidentId: flood.id, type: 'UPDATE' as const }],
    }
    const user = show(<AddToIncident message={there} onClose={() => undefined} />)
    const dialog = within(await screen.findByRole('dialog', { name: 'Add to an incident' }))
    expect(await dialog.findByText('This message is in that incident already.')).toBeVisible()
    await user.click(dialog.getByRole('radio', { name }))
    await user.click(dialog.getByRole('button', { name: 'Add' }))
    await waitFor(() => expect(bodies).toEqual([{ incidentId: flood.id, type }]))
  })

  test('once, and a refusal stays in the dialog', async () => {
    inProgress(flood, drill)
    answer('post', `/chat/messages/${message.id}/activity`, aProblem('This incident is resolved.'), 409)
    const there = {
      ...message,
      activities: [{ id: uuid(70), incidentId: flood.id, type: 'UPDATE' as const }],
    }
    const user = show(<AddToIncident message={there} onClose={() => undefined} />)
    const dialog = within(await screen.findByRole('dialog', { name: 'Add to an incident' }))
    const choose = async (name: string) => {
      await user.click(await dialog.findByRole('combobox', { name: 'Incident' }))
      await user.click(await screen.findByRole('option', { name }))
    }
    await choose('Flood')
    expect(dialog.getByText('This message is in that incident already.')).toBeVisible()
    expect(dialog.getByRole('button', { name: 'Add' })).toBeDisabled()
    await choose('EXERCISE: Drill')
    await user.click(dialog.getByRole('button', { name: 'Add' }))
    expect(await dialog.findByText('This incident is resolved.')).toBeVisible()
  })

  test('only where one is in progress', async () => {
    inProgress()
    show(<AddToIncident message={message} onClose={() => undefined} />)
    expect(await screen.findByText('No incident or exercise is in progress.')).toBeVisible()
    expect(screen.getByRole('button', { name: 'Add' })).toBeDisabled()
  })
})

test('a message leads to what it became', async () => {
  const activities = [{ id: uuid(70), incidentId: flood.id, type: 'TASK' as const }]
  show(<MessageActivities message={{ ...message, activities }} />)
  expect(screen.getByRole('link', { name: 'Task of an incident' }).getAttribute('href')).toContain(
    `/incidents/${flood.id}`,
  )
})

test('a message leads to the part of the page that shows its entry and its decision', () => {
  const activities = (['ENTRY', 'DECISION'] as const).map((type, n) => ({
    id: uuid(70 + n),
    incidentId: flood.id,
    type,
  }))
  show(<MessageActivities message={{ ...message, activities }} />)
  const hrefOf = (name: string) => screen.getByRole('link', { name }).getAttribute('href')
  expect(hrefOf('Timeline of an incident')).toContain(`/incidents/${flood.id}?view=timeline`)
  expect(hrefOf('Decision of an incident')).toContain(`/incidents/${flood.id}?view=decisions`)
})
