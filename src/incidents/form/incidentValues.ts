import { type TargetingIncident, NewIncident, type Severity } from '#contract/incidents/schema.ts'
import { trimmed } from '#src/kit/rich-text/prose.ts'

import type { IncidentBody } from '../queries.ts'
import { amountOf, readTime, type TypedTime } from '#src/playbooks/typedTime.ts'

export interface IncidentValues {
  title: string
  fullText: string
  severity: Severity
  isTabletop: boolean
  /** Empty for none. */
  kindId: string
  /** Values of the organisation's own fields by their id; an empty text is none. */
  fieldValues: Record<string, string | number>
  recovery: TypedTime
  onlySelected: boolean
  /** External people who join everybody. */
  externals: string[]
  targetedUsers: string[]
  targetedGroupIds: string[]
}
type Field = keyof IncidentValues

export const blankValues = (isTabletop: boolean, fullText: string): IncidentValues => ({
  title: '',
  fullText,
  severity: 'MEDIUM',
  isTabletop,
  kindId: '',
  fieldValues: {},
  recovery: { amount: '', unit: 'HOURS' },
  onlySelected: false,
  externals: [],
  targetedUsers: [],
  targetedGroupIds: [],
})

export const valuesOf = (incident: TargetingIncident): IncidentValues => ({
  title: incident.title,
  fullText: incident.fullText,
  severity: incident.severity,
  isTabletop: incident.isTabletop,
  kindId: incident.kindId ?? '',
  fieldValues: incident.fieldValues,
  recovery: {
    amount: incident.estimatedTimeToRecovery?.toString() ?? '',
    unit: incident.estimatedTimeToRecoveryTimeUnit ?? 'HOURS',
  },
  onlySelected: incident.isTargeted,
  externals: incident.isTargeted ? [] : incident.targetedUsers,
  targetedUsers: incident.isTargeted ? incident.targetedUsers : [],
  targetedGroupIds: incident.targetedGroups.map(({ id }) => id),
})

/** Values of a new incident that is like another one. The time to recovery was that of the other one. */
export const valuesLike = (other: TargetingIncident, isTabletop: boolean): IncidentValues => ({
  ...valuesOf(other),
  isTabletop,
  recovery: blankValues(isTabletop, '').recovery,
})

/** True if two versions agree in all fields of the form. */
export const hasSameValues = (one: TargetingIncident, other: TargetingIncident): boolean =>
  JSON.stringify(valuesOf(one)) === JSON.stringify(valuesOf(other))

export function bodyOf(values: IncidentValues): IncidentBody {
  const recovery = readTime(values.recovery)
  const amount = amountOf(recovery)
  return {
    title: values.title.trim(),
    fullText: trimmed(values.fullText),
    severity: values.severity,
    isTabletop: values.isTabletop,
    estimatedTimeToRecovery: amount,
    estimatedTimeToRecoveryTimeUnit: amount === null ? null : recovery.unit,
    targetedUsers: values.onlySelected ? values.targetedUsers : values.externals,
    targetedGroupIds: values.onlySelected ? values.targetedGroupIds : [],
    ...(!values.onlySelected && values.externals.length > 0 && { withEverybody: true }),
  }
}

/** The kind and the values that a save sends: those that differ from the incident, or from none. */
export function ownPartsOf(
  { kindId, fieldValues }: IncidentValues,
  incident: Pick<TargetingIncident, 'kindId' | 'fieldValues'> | undefined,
): Pick<IncidentBody, 'kindId' | 'fieldValues'> {
  const changed = Object.entries(fieldValues).filter(
    ([id, value]) => value !== (incident?.fieldValues[id] ?? ''),
  )
  const values = Object.fromEntries(changed.map(([id, value]) => [id, value === '' ? null : value]))
  return {
    ...(kindId !== (incident?.kindId ?? '') && { kindId: kindId || null }),
    ...(changed.length > 0 && { fieldValues: values }),
  }
}

const FIELDS: { readonly [path: string]: Field } = {
  title: 'title',
  fullText: 'fullText',
  severity: 'severity',
  isTabletop: 'isTabletop',
  kindId: 'kindId',
  estimatedTimeToRecovery: 'recovery',
  estimatedTimeToRecoveryTimeUnit: 'recovery',
  targetedUsers: 'targetedUsers',
  targetedGroupIds: 'targetedUsers',
}
/** The form's field for a path of the request's body, such as `targetedUsers.3`. */
export const fieldOf = (path: string): Field | undefined => FIELDS[path.split('.')[0] ?? '']

/** The contract's first message for each refused field. */
export function problemsOf(values: IncidentValues): ReadonlyMap<Field, string> {
  const problems = new Map<Field, string>()
  for (const { path, message } of NewIncident.safeParse(bodyOf(values)).error?.issues ?? []) {
    const field = fieldOf(String(path[0]))
    if (field && !problems.has(field)) problems.set(field, message)
  }
  return problems
}

/** True if the incident is limited to selected people and none is selected. */
export const lacksTargets = ({ onlySelected, targetedUsers, targetedGroupIds }: IncidentValues): boolean =>
  onlySelected && targetedUsers.length + targetedGroupIds.length === 0
