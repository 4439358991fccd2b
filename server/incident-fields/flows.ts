import type * as z from 'zod/mini'

import {
  CHOICE_TWICE,
  CHOICES_REQUIRED,
  type Definitions,
  FIELD_TYPE_KEPT,
  type fieldInputs,
  FIELDS_KEPT_MAX,
  FIELDS_MAX,
  type IncidentField,
  NO_SUCH_KIND,
  TOO_MANY_FIELDS,
  TOO_MANY_KEPT_FIELDS,
} from '#contract/incident-fields/schema.ts'
import { holdKinds, listChoosableKinds } from '#server/incident-kinds/store.ts'
import { demand, FORBIDDEN, wrongField } from '#server/kit/core/refusal.ts'
import { lockFor, type OrgDb } from '#server/kit/database/db.ts'

import { countFields, fields, listDefinitions } from './store.ts'

type Inputs = z.output<z.ZodMiniObject<typeof fieldInputs>>

/** The inputs with choices only where the type has them. Kinds that were deleted meanwhile are refused. */
async function checkedInputs(db: OrgDb, inputs: Inputs): Promise<Inputs> {
  const isChoice = inputs.type === 'CHOICE'
  const choices = isChoice ? inputs.choices : []
  if (isChoice && choices.length === 0) throw wrongField('choices', CHOICES_REQUIRED)
  if (new Set(choices).size < choices.length) throw wrongField('choices', CHOICE_TWICE)
  const kindIds = [...new Set(inputs.kindIds)]
  if (kindIds.length > 0 && (await holdKinds(db, kindIds)).length < kindIds.length)
    throw wrongField('kindIds', NO_SUCH_KIND)
  return { ...inputs, choices, kindIds }
}

/** @throws Refusal 400 where the list is full or a part is wrong, 409 where the label is in use */
export async function createField(db: OrgDb, inputs: Inputs): Promise<IncidentField> {
  await lockFor(db, 'incident-fields names')
  const { all, active } = await countFields(db)
  demand(inputs.isRetired || active < FIELDS_MAX, 400, TOO_MANY_FIELDS)
  demand(all < FIELDS_KEPT_MAX, 400, TOO_MANY_KEPT_FIELDS)
  return fields.create(db, await checkedInputs(db, inputs))
}

/** @throws Refusal 400, 404, 409 where the label is in use or the field changed meanwhile */
export async function changeField(
  db: OrgDb,
  id: string,
  { version, ...inputs }: Inputs & { readonly version?: number | undefined },
): Promise<IncidentField> {
  await lockFor(db, 'incident-fields names')
  const before = await fields.hold(db, id, version)
  if (inputs.type !== before.type) throw wrongField('type', FIELD_TYPE_KEPT)
  if (before.isRetired && !inputs.isRetired)
    demand((await countFields(db, id)).active < FIELDS_MAX, 400, TOO_MANY_FIELDS)
  return fields.update(db, before, await checkedInputs(db, inputs))
}

/**
 * Deletes a field that no incident has a value of.
 * @throws Refusal 404, 409
 */
export async function removeField(db: OrgDb, id: string): Promise<void> {
  const { label, usedCount } = await fields.hold(db, id)
  const where = usedCount === 1 ? '1 incident has' : `${usedCount} incidents have`
  demand(usedCount === 0, 409, `${where} a value of ${label}. Please retire it instead.`)
  await fields.remove(db, id)
}

/** @throws Refusal 403 for external people */
export function demandInternal(by: { readonly type: string | null }): void {
  demand(by.type !== 'EXTERNAL', 403, FORBIDDEN)
}

/** Kinds and fields, retired ones too. */
export const definitionsOf = async (db: OrgDb): Promise<Definitions> => ({
  kinds: await listChoosableKinds(db),
  fields: await listDefinitions(db),
})
