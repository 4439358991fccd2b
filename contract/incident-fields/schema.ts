import * as z from 'zod/mini'

import { ChoosableKind, KINDS_MAX } from '#contract/incident-kinds/schema.ts'
import { position } from '#contract/incident-roles/schema.ts'
import { id, listOf, requiredText, timestamp } from '#contract/kit/text.ts'

/** Fields that are asked for. */
export const FIELDS_MAX = 20
/** Fields that an organisation keeps, retired ones included. */
export const FIELDS_KEPT_MAX = 100
export const TOO_MANY_FIELDS = `At most ${FIELDS_MAX} fields are asked for. Please retire one first.`
export const TOO_MANY_KEPT_FIELDS = `An organization keeps at most ${FIELDS_KEPT_MAX} fields. Please delete one that is not used.`
export const FIELD_LABEL_REQUIRED = 'Please enter a label.'
export const FIELD_LABEL_TAKEN = 'This label is in use.'
export const FIELD_TYPE_KEPT = 'The type of a field stays. Please retire this field and add another one.'
export const CHOICES_REQUIRED = 'Please add at least one choice.'
export const CHOICE_REQUIRED = 'Please enter a choice.'
export const CHOICE_TWICE = 'A choice is there twice.'
export const NO_SUCH_KIND = 'This kind does not exist. Please choose another one.'
const LABEL_MAX = 60
/** Choices of a field. */
export const CHOICES_MAX = 30
export const TOO_MANY_CHOICES = `A field has at most ${CHOICES_MAX} choices.`
const CHOICE_LENGTH_MAX = 100

export const FIELD_TYPES = ['TEXT', 'NUMBER', 'DATE', 'CHOICE', 'PERSON', 'LINK'] as const
export const FieldType = z.enum(FIELD_TYPES)
export type FieldType = z.infer<typeof FieldType>

const definition = {
  id,
  label: z.string(),
  type: FieldType,
  /** Choices in their order; none for another type. */
  choices: z.array(z.string()),
  isRequired: z.boolean(),
  /** Kinds of incidents for which it is asked; none for all incidents. */
  kindIds: z.array(id),
  /** True for a field that is no longer asked for. */
  isRetired: z.boolean(),
}
/** A field as the form of an incident uses it. */
export const FieldDefinition = z.object(definition)
export type FieldDefinition = z.infer<typeof FieldDefinition>

/** A field of incidents that an organisation defines. */
export const IncidentField = z.object({
  ...definition,
  /** Place in the order, lowest first. */
  position: z.int(),
  /** Incidents and exercises with a value of it. */
  usedCount: z.int(),
  updateTimestamp: timestamp,
  /** Sent back with a change, so that a stale one is refused. */
  version: z.int(),
})
export type IncidentField = z.infer<typeof IncidentField>

export const Choice = requiredText(CHOICE_REQUIRED, CHOICE_LENGTH_MAX)

/** The body of a new field. */
export const fieldInputs = {
  label: requiredText(FIELD_LABEL_REQUIRED, LABEL_MAX),
  type: z._default(FieldType, 'TEXT'),
  choices: z._default(listOf(Choice, CHOICES_MAX, { tooMany: TOO_MANY_CHOICES }), []),
  isRequired: z._default(z.boolean(), false),
  position: z._default(position, 100),
  kindIds: z._default(listOf(id, KINDS_MAX), []),
  isRetired: z._default(z.boolean(), false),
}

/** Kinds and fields, retired ones too, which stand on old incidents. Fields are in their order, kinds by name. */
export const Definitions = z.object({ kinds: z.array(ChoosableKind), fields: z.array(FieldDefinition) })
export type Definitions = z.infer<typeof Definitions>
