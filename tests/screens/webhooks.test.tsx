import { screen, waitFor, within } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { beforeEach, expect, test } from 'vitest'

import { EVENTS_REQUIRED, type Webhook, type WebhookDelivery } from '#contract/webhooks/schema.ts'
import { API, answer, open, server, signedIn } from '#tests/support/client.tsx'
import { receive, serveList } from '#tests/support/client-lists.ts'

const PATH = '/webhook'
const AT = '2026-01-05T10:00:00.000Z'
const aWebhook = (changes: Partial<Webhook> = {}): Webhook => ({
  id: crypto.randomUUID(),
  name: 'Status page',
  url: 'https://status.example/hook',
  events: ['incident.declared'],
  isOn: true,
  failures: 0,
  offTimestamp: null,
  createTimestamp: AT,
  updateTimestamp: AT,
  version: 1,
  ...changes,
})
const aDelivery = (changes: Partial<WebhookDelivery> = {}): WebhookDelivery => ({
  id: crypto.randomUUID(),
  type: 'incident.declared',
  state: 'DELIVERED',
  attempts: 1,
  status: 200,
  problem: null,
  answer: null,
  occurredTimestamp: AT,
  attemptTimestamp: AT,
  dueTimestamp: null,
  incidentId: null,
  incidentTitle: null,
  ...changes,
})
let deliveries: WebhookDelivery[] = []

beforeEach(() => {
  signedIn()
  deliveries = []
  server.use(
    http.get(`${API}${PATH}/:id/deliveries`, ({ request }) => {
      const offset = Number(new URL(request.url).searchParams.get('offset'))
      return HttpResponse.json({ data: deliveries.slice(offset, offset + 10), total: deliveries.length })
    }),
  )
})
function opened(webhooks: () => readonly Webhook[]) {
  serveList('/webhooks', webhooks)
  return open('/settings/webhooks')
}
const detail = async () => within(await screen.findByRole('region', { name: 'Status page' }))

test('a webhook that failures switched off says what to do, and shows why', async () => {
  deliveries = [
    aDelivery({
      state: 'FAILED',
      status: 500,
      attempts: 3,
      problem: 'It answered 500.',
      answer: 'Out of order',
      incidentId: crypto.randomUUID(),
      incidentTitle: 'Flood',
    }),
    ...Array.from({ length: 10 }, () => aDelivery({ type: 'test' })),
  ]
  const user = opened(() => [aWebhook({ isOn: false, failures: 50, offTimestamp: AT })])
  const page = await detail()
  expect(await page.findByText(/switch it on again under Edit/)).toBeVisible()
  expect(await page.findByText(/It answered 500\. 3 attempts\./)).toBeVisible()
  expect(page.getByRole('link', { name: 'Flood' })).toBeVisible()
  await user.click(page.getByText('Answer'))
  expect(page.getByText('Out of order')).toBeVisible()
  await user.click(page.getByRole('button', { name: 'Go to next page' }))
  await waitFor(() => expect(page.queryByText('Out of order')).toBeNull())
  expect(await page.findByText('Test')).toBeVisible()
})

test('a test is sent, and a delivery again', async () => {
  const webhook = aWebhook()
  const old = aDelivery({ state: 'FAILED', status: 404, problem: 'It answered 404.' })
  deliveries = [old]
  let resent = 0
  server.use(
    http.post(`${API}${PATH}/${webhook.id}/test`, () => {
      const made = aDelivery({
        type: 'test',
        state: 'WAITING',
        attempts: 0,
        status: null,
        dueTimestamp: AT,
      })
      deliveries = [made, old]
      return HttpResponse.json(made, { status: 201 })
    }),
    http.post(`${API}${PATH}/${webhook.id}/delivery/${old.id}`, () => {
      resent += 1
      deliveries = [aDelivery()]
      return HttpResponse.json(aDelivery({ ...old, state: 'WAITING' }))
    }),
  )
  const user = opened(() => [webhook])
  const page = await detail()
  await page.findByText('It answered 404.')
  await user.click(page.getByRole('button', { name: 'Send test' }))
  expect(await page.findByText('Waiting')).toBeVisible()
  await user.click(page.getByRole('button', { name: /^Send again: Incident declared/ }))
  expect(await page.findByText('Delivered')).toBeVisible()
  expect(resent).toBe(1)
})

test('a new webhook needs an event, and shows its secret once', async () => {
  const rows: Webhook[] = []
  const made = aWebhook()
  const bodies = receive('post', PATH, () => {
    rows.push(made)
    return { ...made, secret: 'mw_the-secret' }
  })
  answer('get', `${PATH}/${made.id}`, made)
  const user = opened(() => rows)
  expect(await screen.findByText('No program is told of incidents yet.')).toBeVisible()
  await user.click(screen.getAllByRole('button', { name: 'Create Webhook' })[0]!)
  await user.type(await screen.findByRole('textbox', { name: /^Name/ }), 'Status page')
  await user.type(screen.getByRole('textbox', { name: /^Address/ }), 'https://status.example/hook')
  for (const box of screen.getAllByRole('checkbox')) await user.click(box)
  await user.click(screen.getByRole('button', { name: 'Create Webhook' }))
  expect(await screen.findByText(EVENTS_REQUIRED, { selector: 'p' })).toBeVisible()
  await user.click(screen.getByRole('checkbox', { name: 'Incident declared' }))
  await user.click(screen.getByRole('button', { name: 'Create Webhook' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Copy Secret' }))
  expect(dialog.getByRole('textbox', { name: 'Secret' })).toHaveValue('mw_the-secret')
  expect(bodies[0]).toMatchObject({ events: ['incident.declared'], isOn: true })
  await user.click(dialog.getByRole('button', { name: 'Done' }))
  await waitFor(() => expect(document.body.textContent).not.toContain('mw_the-secret'))
})
