import { expect } from 'vitest'

import type { Activity, PopulatedIncident } from '#contract/incidents/schema.ts'

import type { Caller } from './server.ts'

export const NEW = {
  title: 'Flood in the machine hall',
  fullText: '<p>Water at <strong>pump 3</strong>.</p>',
}
export const TASK = { title: 'Close the valve', description: 'The red one, behind pump 3.' }
export const UPDATE = { type: 'UPDATE', description: 'The water is falling.' }

export async function declared(caller: Caller, given: object = {}): Promise<PopulatedIncident> {
  const { status, body } = await caller.post('/incident', { ...NEW, ...given })
  expect(status, JSON.stringify(body)).toBe(201)
  return body
}

export async function added(
  caller: Caller,
  incident: { id: string },
  given: object = TASK,
): Promise<Activity> {
  const { status, body } = await caller.post(`/incident/${incident.id}/activity`, given)
  expect(status, JSON.stringify(body)).toBe(201)
  return body
}

export const again = async (caller: Caller, { id }: { id: string }): Promise<PopulatedIncident> =>
  (await caller.get(`/incident/${id}`)).body

export const resolve = (caller: Caller, { id }: { id: string }) =>
  caller.patch(`/incident/${id}`, { isActive: false })
