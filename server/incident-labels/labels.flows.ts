import type { IncidentLabel } from '#contract/incident-labels/schema.ts'
import { demandInternal } from '#server/incident-fields/flows.ts'
import type { Changes } from '#server/kit/core/event.ts'
import type { OrgDb } from '#server/kit/database/db.ts'

import { distinctLabels, listLabels } from './store.ts'

/** The labels of an incident after a change; null where they stay. */
interface Labelled {
  readonly labels: readonly string[] | null
  /** For the event. */
  readonly changes: Changes
}

const wordsOf = (labels: readonly string[]): string | null => labels.join(', ') || null

/**
 * The requested labels of an incident, each once.
 * @throws Refusal 403 where an external person changes them
 */
export async function labelled(
  db: OrgDb,
  by: { readonly type: string | null },
  requested: readonly string[] | undefined,
  before: readonly string[] = [],
): Promise<Labelled> {
  const labels = requested && requested.length > 0 ? await distinctLabels(db, requested) : (requested ?? null)
  const isSame =
    labels === null || (labels.length === before.length && labels.every((one, n) => one === before[n]))
  if (isSame) return { labels: null, changes: {} }
  demandInternal(by)
  return { labels, changes: { labels: { from: wordsOf(before), to: wordsOf(labels) } } }
}

/**
 * Labels that contain the text, most used first.
 * @throws Refusal 403 for external people
 */
export async function suggestLabels(
  db: OrgDb,
  by: { readonly type: string | null },
  query: { readonly search: string; readonly size: number },
): Promise<IncidentLabel[]> {
  demandInternal(by)
  return listLabels(db, query)
}
