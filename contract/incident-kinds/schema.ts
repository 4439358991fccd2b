import * as z from 'zod/mini'

import { Severity } from '#contract/incidents/schema.ts'
import { id, listOf, requiredText, timestamp } from '#contract/kit/text.ts'

/** Kinds that an organisation keeps, retired ones included. */
export const KINDS_MAX = 50
export const TOO_MANY_KINDS = `An organization keeps at most ${KINDS_MAX} kinds. Please delete one that is not used.`
export const KIND_NAME_REQUIRED = 'Please enter a name.'
export const KIND_NAME_TAKEN = 'This name is in use.'
export const NO_SUCH_ROLE = 'This role does not exist. Please choose another one.'
export const NO_DEFAULT_PLAYBOOK = 'This playbook cannot be used. Please choose a published one.'
const KIND_NAME_MAX = 60
/** Roles that a kind wants. */
const ROLES_MAX = 20

/** Icons of kinds; the browser has a picture for each. */
export const KIND_ICONS = [
  'ALERT',
  'FIRE',
  'FLOOD',
  'STORM',
  'POWER',
  'NETWORK',
  'SERVER',
  'SECURITY',
  'DATA',
  'HEALTH',
  'INJURY',
  'BUILDING',
  'TRANSPORT',
  'SUPPLY',
  'MACHINE',
  'PEOPLE',
  'LEGAL',
  'MEDIA',
  'MONEY',
  'NATURE',
] as const
export const KindIcon = z.enum(KIND_ICONS)
export type KindIcon = z.infer<typeof KindIcon>

/** A kind of incidents, such as a fire or a data breach. */
export const IncidentKind = z.object({
  id,
  name: z.string(),
  icon: KindIcon,
  /** Severity that the form proposes; null for none. */
  severity: z.nullable(Severity),
  /** Playbook that the form proposes; null for none, and for one that was deleted for good. */
  playbookId: z.nullable(id),
  /** Its name, also after its deletion. */
  playbookName: z.nullable(z.string()),
  /** False for a playbook that was archived, withdrawn or deleted: the form proposes none then. */
  isPlaybookUsable: z.boolean(),
  /** Roles that an incident of this kind wants. */
  roleIds: z.array(id),
  /** True for a kind that no new incident gets. */
  isRetired: z.boolean(),
  /** Incidents and exercises of this kind. */
  usedCount: z.int(),
  updateTimestamp: timestamp,
  /** Sent back with a change, so that a stale one is refused. */
  version: z.int(),
})
export type IncidentKind = z.infer<typeof IncidentKind>

/** The body of a new kind. */
export const kindInputs = {
  name: requiredText(KIND_NAME_REQUIRED, KIND_NAME_MAX),
  icon: z._default(KindIcon, 'ALERT'),
  severity: z._default(z.nullable(Severity), null),
  playbookId: z._default(z.nullable(id), null),
  roleIds: z._default(listOf(id, ROLES_MAX), []),
  isRetired: z._default(z.boolean(), false),
}

/** A kind as the form of an incident uses it. */
export const ChoosableKind = z.object({
  id,
  name: z.string(),
  icon: KindIcon,
  severity: z.nullable(Severity),
  playbookId: z.nullable(id),
  playbookName: z.nullable(z.string()),
  isPlaybookUsable: z.boolean(),
  /** Names of the roles that it wants. */
  roles: z.array(z.string()),
  isRetired: z.boolean(),
})
export type ChoosableKind = z.infer<typeof ChoosableKind>
