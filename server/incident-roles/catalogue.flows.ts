import {
  COMMAND_ROLES_MAX,
  type CommandRole,
  type roleInputs,
  TOO_MANY_ROLES,
} from '#contract/incident-roles/schema.ts'
import { roleKey } from '#contract/incidents/rules.ts'
import type * as z from 'zod/mini'

import { demand } from '#server/kit/core/refusal.ts'
import { type OrgDb, lockFor } from '#server/kit/database/db.ts'

import { commandRoles, countRoles, updateHeldNames } from './catalogue.store.ts'

type Inputs = z.output<z.ZodMiniObject<typeof roleInputs>>

/** @throws Refusal 400 where the list is full, 409 where the name is in use */
export async function createRole(db: OrgDb, inputs: Inputs): Promise<CommandRole> {
  await lockFor(db, 'incident-roles names')
  demand((await countRoles(db)) < COMMAND_ROLES_MAX, 400, TOO_MANY_ROLES)
  return commandRoles.create(db, { ...inputs, nameKey: roleKey(inputs.name) })
}

/**
 * Changes a role. Those who hold it in running incidents hold it under its new name.
 * @throws Refusal 404, 409 where the name is in use or the role changed meanwhile
 */
export async function changeRole(
  db: OrgDb,
  id: string,
  { version, ...inputs }: Inputs & { readonly version?: number | undefined },
): Promise<CommandRole> {
  const before = await commandRoles.hold(db, id, version)
  const nameKey = roleKey(inputs.name)
  const after = await commandRoles.update(db, before, { ...inputs, nameKey })
  if (before.name !== after.name)
    await updateHeldNames(db, { from: roleKey(before.name), to: nameKey, title: after.name })
  return after
}

/**
 * Deletes a role that nobody holds in a running incident.
 * @throws Refusal 404, 409
 */
export async function removeRole(db: OrgDb, id: string): Promise<void> {
  const { name, heldCount } = await commandRoles.hold(db, id)
  const where = heldCount === 1 ? 'a running incident' : `${heldCount} running incidents`
  demand(heldCount === 0, 409, `Somebody holds ${name} in ${where}. Please retire it instead.`)
  await commandRoles.remove(db, id)
}
