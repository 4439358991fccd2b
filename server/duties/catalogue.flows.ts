import type * as z from 'zod/mini'

import { DUTIES_MAX, type Duty, type dutyInputs, TOO_MANY_DUTIES } from '#contract/duties/schema.ts'
import { demand } from '#server/kit/core/refusal.ts'
import { type OrgDb, lockFor } from '#server/kit/database/db.ts'

import { countDuties, duties } from './catalogue.store.ts'

type Inputs = z.output<z.ZodMiniObject<typeof dutyInputs>>
const keyOf = (name: string): string => name.toLowerCase()

/** @throws Refusal 400 where the list is full, 409 where the name is in use */
export async function createDuty(db: OrgDb, inputs: Inputs): Promise<Duty> {
  await lockFor(db, 'duties names')
  demand((await countDuties(db)) < DUTIES_MAX, 400, TOO_MANY_DUTIES)
  return duties.create(db, { ...inputs, nameKey: keyOf(inputs.name) })
}

/**
 * Changes a duty. Clocks that run keep the words and hours with which they were started.
 * @throws Refusal 404, 409 where the name is in use or the duty changed meanwhile
 */
export async function changeDuty(
  db: OrgDb,
  id: string,
  { version, ...inputs }: Inputs & { readonly version?: number | undefined },
): Promise<Duty> {
  const before = await duties.hold(db, id, version)
  return duties.update(db, before, { ...inputs, nameKey: keyOf(inputs.name) })
}

/**
 * Deletes a duty. Its clocks in incidents stay.
 * @throws Refusal 404
 */
export const removeDuty = (db: OrgDb, id: string): Promise<void> => duties.remove(db, id)
