import {
  isAsked,
  isMissing,
  NOT_PERSON,
  storedValue,
  VALUE_REQUIRED,
  valueProblem,
} from '#contract/incident-fields/rules.ts'
import { type FieldDefinition, NO_SUCH_KIND } from '#contract/incident-fields/schema.ts'
import type { FieldValue } from '#contract/incidents/schema.ts'
import { fullName } from '#contract/kit/names.ts'
import { holdKind } from '#server/incident-kinds/store.ts'
import type { Changes } from '#server/kit/core/event.ts'
import { Refusal, wrongField } from '#server/kit/core/refusal.ts'
import type { OrgDb } from '#server/kit/database/db.ts'
import { listColleagues, listNamed } from '#server/users/people.store.ts'

import { FIELD_PREFIX } from './sentences.content.ts'
import { holdFields, listDefinitions } from './store.ts'

const RETIRED_KIND = 'This kind is retired. Please choose another one.'
const NO_SUCH_FIELD = 'This field does not exist.'
const RETIRED_FIELD = 'This field is retired. Please leave it out.'
const NOT_ASKED = 'This field is not asked for this kind. Please leave it out.'

/** An incident's kind and values before a change. */
export interface Before {
  readonly kindId: string | null
  readonly kindName: string | null
  readonly values: Readonly<Record<string, FieldValue>>
}
const NOTHING: Before = { kindId: null, kindName: null, values: {} }

interface Given {
  readonly kindId?: string | null | undefined
  readonly fieldValues?: Readonly<Record<string, FieldValue | null>> | undefined
}
/** Checked parts of an incident that an organisation defines. */
export interface Described {
  readonly kindId: string | null
  /** Values that change, as they are stored; null takes one away. */
  readonly values: ReadonlyMap<string, string | null>
  /** For the event, with names in place of ids. */
  readonly changes: Changes
}

/** The kind after a change. @throws Refusal 400 for one that is unknown or retired */
async function kindAfter(db: OrgDb, before: Before, { kindId }: Given) {
  if (kindId === undefined || kindId === before.kindId) return { id: before.kindId, name: before.kindName }
  if (kindId === null) return { id: null, name: null }
  const kind = await holdKind(db, kindId)
  if (!kind) throw wrongField('kindId', NO_SUCH_KIND)
  if (kind.isRetired) throw wrongField('kindId', RETIRED_KIND)
  return { id: kindId, name: kind.name }
}

type Problems = Map<string, string>

/** Given values that differ, in the order of their fields, as they are stored. Notes the problem of each wrong one. */
function changedValues(
  definitions: readonly FieldDefinition[],
  given: Readonly<Record<string, FieldValue | null>>,
  before: Before,
  kindId: string | null,
  problems: Problems,
): Map<string, string | null> {
  const known = new Set(definitions.map(({ id }) => id))
  for (const id of Object.keys(given)) if (!known.has(id)) problems.set(id, NO_SUCH_FIELD)
  const changed = new Map<string, string | null>()
  for (const field of definitions) {
    const value = given[field.id]
    const was = before.values[field.id]
    if (value === undefined) continue
    if (value === null || isMissing(value)) {
      if (was !== undefined) changed.set(field.id, null)
      continue
    }
    const stored = storedValue(field, value)
    // An unchanged value stays right, although its field or choice is gone.
    if (was !== undefined && typeof was === typeof value && storedValue(field, was) === stored) continue
    const problem = field.isRetired
      ? RETIRED_FIELD
      : isAsked(field, kindId)
        ? valueProblem(field, value)
        : NOT_ASKED
    if (problem === null) changed.set(field.id, stored)
    else problems.set(field.id, problem)
  }
  return changed
}

/** Notes each person who is no active colleague. */
async function checkPeople(
  db: OrgDb,
  definitions: readonly FieldDefinition[],
  changed: ReadonlyMap<string, string | null>,
  problems: Problems,
): Promise<void> {
  const named = definitions.flatMap(({ id, type }) => {
    const email = changed.get(id)
    return type === 'PERSON' && email ? [{ id, email }] : []
  })
  const found = await listColleagues(
    db,
    named.map(({ email }) => email),
  )
  const known = new Set(found.map(({ email }) => email))
  for (const { id, email } of named) if (!known.has(email)) problems.set(id, NOT_PERSON)
}

/** Changes for the event: kind and people by name, fields by label. */
async function changesOf(
  db: OrgDb,
  definitions: readonly FieldDefinition[],
  before: Before,
  kind: { readonly id: string | null; readonly name: string | null },
  changed: ReadonlyMap<string, string | null>,
): Promise<Changes> {
  const isPerson = ({ type }: FieldDefinition) => type === 'PERSON'
  const touched = definitions.filter(({ id }) => changed.has(id))
  const emails = touched.filter(isPerson).flatMap(({ id }) => [changed.get(id), before.values[id]])
  const people = await listNamed(
    db,
    emails.filter((one) => typeof one === 'string'),
  )
  const nameOf = new Map(people.map((one) => [one.email, fullName(one) || one.email]))
  const wordsOf = (field: FieldDefinition, value: string | null) =>
    value !== null && isPerson(field) ? (nameOf.get(value) ?? value) : value
  const entries = touched.map((field): [string, Changes[string]] => {
    const was = before.values[field.id]
    const from = was === undefined ? null : storedValue(field, was)
    const to = changed.get(field.id) ?? null
    return [`${FIELD_PREFIX}${field.label}`, { from: wordsOf(field, from), to: wordsOf(field, to) }]
  })
  return {
    ...(kind.id !== before.kindId && { kind: { from: before.kindName, to: kind.name } }),
    ...Object.fromEntries(entries),
  }
}

/** Fields without a value that the caller must fill in. */
function missingFields(
  definitions: readonly FieldDefinition[],
  before: Before,
  kindId: string | null,
  changed: ReadonlyMap<string, string | null>,
  demands: Demand,
): FieldDefinition[] {
  const isDemanded = ({ id }: FieldDefinition): boolean =>
    demands === 'all' || (demands === 'changed' && (changed.get(id) === null || kindId !== before.kindId))
  return definitions.filter(
    (field) =>
      field.isRequired &&
      isAsked(field, kindId) &&
      isDemanded(field) &&
      (changed.has(field.id) ? changed.get(field.id) === null : before.values[field.id] === undefined),
  )
}

/**
 * Required fields that a call must fill in: all of a new incident, those that it empties or that come with another kind
 * for a change, or none.
 */
export type Demand = 'all' | 'changed' | 'none'

/**
 * Checks the kind and the values of an incident.
 * @throws Refusal 400 with a sentence at `kindId`, and at `fieldValues.<id>` of each wrong value
 */
export async function describe(
  db: OrgDb,
  given: Given,
  demands: Demand,
  before: Before = NOTHING,
): Promise<Described> {
  const { kindId, fieldValues = {} } = given
  if (kindId === undefined && given.fieldValues === undefined && demands !== 'all')
    return { kindId: before.kindId, values: new Map(), changes: {} }
  const kind = await kindAfter(db, before, given)
  const ids = Object.keys(fieldValues)
  if (ids.length > 0) await holdFields(db, ids)
  const definitions = await listDefinitions(db)
  const problems: Problems = new Map()
  const changed = changedValues(definitions, fieldValues, before, kind.id, problems)
  await checkPeople(db, definitions, changed, problems)
  for (const { id } of missingFields(definitions, before, kind.id, changed, demands))
    if (!problems.has(id)) problems.set(id, VALUE_REQUIRED)
  const [first] = problems.values()
  if (first !== undefined) {
    const labelOf = new Map(definitions.map(({ id, label }) => [id, label]))
    const [id] = problems.keys()
    const sentence = labelOf.has(id!) ? `${labelOf.get(id!)}: ${first}` : first
    const fields = Object.fromEntries([...problems].map(([one, text]) => [`fieldValues.${one}`, text]))
    throw new Refusal(400, sentence, { fields })
  }
  return {
    kindId: kind.id,
    values: changed,
    changes: await changesOf(db, definitions, before, kind, changed),
  }
}

/** Label and value of each field that an incident has a value of, in their order, with people by name. */
export async function valuesInWords(
  db: OrgDb,
  values: Readonly<Record<string, FieldValue>>,
): Promise<(readonly [label: string, value: string])[]> {
  if (Object.keys(values).length === 0) return []
  const definitions = (await listDefinitions(db)).filter(({ id }) => values[id] !== undefined)
  const emails = definitions.flatMap(({ id, type }) => (type === 'PERSON' ? String(values[id]) : []))
  const nameOf = new Map((await listNamed(db, emails)).map((one) => [one.email, fullName(one)]))
  return definitions.map(({ id, label, type }) => {
    const value = String(values[id])
    const name = type === 'PERSON' ? nameOf.get(value) : undefined
    return [label, name ? `${name} (${value})` : value] as const
  })
}
