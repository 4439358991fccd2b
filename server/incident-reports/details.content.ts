import type { IncidentWithPeople } from '#server/incidents/reading.store.ts'
import { isOwnField } from '#server/incident-fields/sentences.content.ts'
import type { Happening } from '#server/incidents/history.store.ts'

/** Label and value of each field of the organisation's own. */
export type Details = readonly (readonly [label: string, value: string])[]

/** Facts about the kind of an incident, its labels and the organisation's own fields; none without them. */
export const detailFacts = (
  { kind, labels }: Pick<IncidentWithPeople, 'kind' | 'labels'>,
  details: Details,
): (readonly [string, string])[] => [
  ...(kind ? [['Kind', kind.name] as const] : []),
  ...(labels.length > 0 ? [['Labels', labels.join(', ')] as const] : []),
  ...details,
]

/** Events without what external people do not see of the incident itself: its kind and labels, and the organisation's own fields. */
export function withoutDetails(happened: readonly Happening[]): Happening[] {
  return happened.flatMap((one) => {
    const all = Object.entries(one.changes)
    const kept = one.noun === 'incidents' ? all.filter(([name]) => !isOwnField(name)) : all
    if (kept.length === all.length) return [one]
    const isEmpty = kept.every(([name]) => name === 'reason')
    return isEmpty ? [] : [{ ...one, changes: Object.fromEntries(kept) }]
  })
}
