import { expect } from 'vitest'

import type { OpenedPlaybook } from '#contract/playbooks/schema.ts'

import type { Caller } from './server.ts'

export const PLAYBOOK = '/playbook/template'
export const PLAYBOOKS = '/playbook/templates'
export const HEADING = { type: 'HEADING', title: 'First hour' }
export const TASK = { title: 'Close the valve', description: 'The red one, behind pump 3.' }

/** Creates a playbook, by default with one heading and one task. */
export async function madePlaybook(planner: Caller, given: object = {}): Promise<OpenedPlaybook> {
  const { status, body } = await planner.post(PLAYBOOK, {
    name: 'Flood',
    activities: [HEADING, TASK],
    ...given,
  })
  expect(status, JSON.stringify(body)).toBe(201)
  return body
}
