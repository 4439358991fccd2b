import { expect } from '@playwright/test'

import { signIn } from '../support/product.ts'
import { testServer } from './test-server.ts'

interface Options {
  /** Email of the person who declares the incident. */
  readonly by?: string
  /** Email of the person to whom its task is assigned. */
  readonly assignedTo?: string
  readonly update?: string
}

/** Runs `work` with the path of an active incident's page, and resolves the incident for later stories. */
export async function duringAnIncident(
  work: (path: string) => Promise<void>,
  { by = 'admin@demo.example', assignedTo, update = 'The water is falling.' }: Options = {},
): Promise<void> {
  const { call } = await signIn(testServer.url, by)
  const { status, body } = await call('POST', '/incident', {
    title: 'Loss of the booking servers at both sites and of the telephone exchange',
    fullText: '<p>Water at <strong>pump 3</strong>.</p>',
  })
  expect(status, JSON.stringify(body)).toBe(201)
  const path = `/incident/${body.id}`
  try {
    const task = { title: 'Close the valve', description: 'The red one, behind pump 3.', assignedTo }
    for (const activity of [task, { type: 'UPDATE', description: update }]) {
      // oxlint-disable-next-line no-await-in-loop -- the feed shows them in this order
      const added = await call('POST', `${path}/activity`, activity)
      expect(added.status, JSON.stringify(added.body)).toBe(201)
    }
    await work(`/incidents/${body.id}`)
  } finally {
    await call('PATCH', path, { isActive: false })
  }
}
