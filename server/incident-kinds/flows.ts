import type * as z from 'zod/mini'

import {
  type IncidentKind,
  type kindInputs,
  KINDS_MAX,
  NO_DEFAULT_PLAYBOOK,
  NO_SUCH_ROLE,
  TOO_MANY_KINDS,
} from '#contract/incident-kinds/schema.ts'
import { demand, wrongField } from '#server/kit/core/refusal.ts'
import { lockFor, type OrgDb } from '#server/kit/database/db.ts'
import { listPlaybookNames } from '#server/playbooks/store.ts'

import { countKinds, kinds, listKnownRoles, listLimitedFields } from './store.ts'

type Inputs = z.output<z.ZodMiniObject<typeof kindInputs>>

/** The name of a proposed playbook. One that a kind has already may be archived or deleted. */
async function playbookName(
  db: OrgDb,
  { playbookId }: Inputs,
  before: IncidentKind | null,
): Promise<string | null> {
  if (playbookId === null) return null
  const name = (await listPlaybookNames(db, [playbookId])).get(playbookId)
  if (name !== undefined) return name
  if (playbookId === before?.playbookId) return before.playbookName
  throw wrongField('playbookId', NO_DEFAULT_PLAYBOOK)
}

/** The wanted roles. Deleted ones that a kind had are left out. */
async function knownRoles(db: OrgDb, { roleIds }: Inputs, before: IncidentKind | null): Promise<string[]> {
  const ids = [...new Set(roleIds)]
  const known = new Set(ids.length === 0 ? [] : await listKnownRoles(db, ids))
  const unknown = ids.find((id) => !known.has(id) && !before?.roleIds.includes(id))
  if (unknown !== undefined) throw wrongField('roleIds', NO_SUCH_ROLE)
  return ids.filter((id) => known.has(id))
}

const withParts = async (db: OrgDb, inputs: Inputs, before: IncidentKind | null) => ({
  ...inputs,
  playbookName: await playbookName(db, inputs, before),
  roleIds: await knownRoles(db, inputs, before),
})

/** @throws Refusal 400 where the list is full or a playbook or role is unknown, 409 where the name is in use */
export async function createKind(db: OrgDb, inputs: Inputs): Promise<IncidentKind> {
  await lockFor(db, 'incident-kinds names')
  demand((await countKinds(db)) < KINDS_MAX, 400, TOO_MANY_KINDS)
  return kinds.create(db, await withParts(db, inputs, null))
}

/** @throws Refusal 400, 404, 409 where the name is in use or the kind changed meanwhile */
export async function changeKind(
  db: OrgDb,
  id: string,
  { version, ...inputs }: Inputs & { readonly version?: number | undefined },
): Promise<IncidentKind> {
  const before = await kinds.hold(db, id, version)
  return kinds.update(db, before, await withParts(db, inputs, before))
}

const many = (count: number, one: string): string => `${count} ${one}${count === 1 ? '' : 's'}`

/**
 * Deletes a kind that neither an incident has nor a field is limited to.
 * @throws Refusal 404, 409
 */
export async function removeKind(db: OrgDb, id: string): Promise<void> {
  const { name, usedCount } = await kinds.hold(db, id)
  demand(
    usedCount === 0,
    409,
    `${name} is the kind of ${many(usedCount, 'incident')}. Please retire it instead.`,
  )
  const labels = await listLimitedFields(db, id)
  demand(
    labels.length === 0,
    409,
    `${many(labels.length, 'field')} asked for ${name} by name: ${labels.join(', ')}. Please change that first, or retire the kind.`,
  )
  await kinds.remove(db, id)
}
