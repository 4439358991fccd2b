import { useState } from 'react'
import type { UseFormReturn } from 'react-hook-form'

import type { TargetingIncident } from '#contract/incidents/schema.ts'
import { takeLatest } from '#src/kit/browser/takeLatest.ts'
import { wordsOf } from '#src/kit/rich-text/prose.ts'
import { useText } from '#src/kit/useText.ts'
import { usePeople } from '#providers/people.ts'

import type { Stale } from '../feed/StaleNotice.tsx'
import { useDuration } from '#src/playbooks/useDuration.ts'
import { useTargetingIncident } from '../queries.ts'
import { type IncidentValues, valuesOf } from './incidentValues.ts'

/** Formats the value of a field that somebody else saved. */
function useFieldWords() {
  const text = useText()
  const duration = useDuration()
  const { nameOf } = usePeople()
  return (incident: TargetingIncident, field: keyof IncidentValues): string => {
    const { estimatedTimeToRecovery: time, estimatedTimeToRecoveryTimeUnit: unit } = incident
    const nobody = text('incidents.nothing')
    const words: { readonly [F in keyof IncidentValues]: () => string } = {
      title: () => incident.title,
      fullText: () => wordsOf(incident.fullText),
      severity: () => text(`incidents.severities.${incident.severity}`),
      isTabletop: () => text(incident.isTabletop ? 'incidents.exercise' : 'incidents.incident'),
      kindId: () => incident.kind?.name ?? nobody,
      fieldValues: () => Object.values(incident.fieldValues).join(', ') || nobody,
      recovery: () => (time && unit ? duration.of(time, unit) : text('incidents.recoveryUnknown')),
      onlySelected: () =>
        text(incident.isTargeted ? 'incidents.onlySelectedText' : 'incidents.everybodyText'),
      externals: () => (incident.isTargeted ? [] : incident.targetedUsers).map(nameOf).join(', ') || nobody,
      targetedUsers: () => incident.targetedUsers.map(nameOf).join(', ') || nobody,
      targetedGroupIds: () => incident.targetedGroups.map(({ name }) => name).join(', ') || nobody,
    }
    return words[field]()
  }
}

/** The version at the form's opening, and the function that loads a newer one after a stale save. */
export function useLatestIncident(
  incident: TargetingIncident | undefined,
  form: UseFormReturn<IncidentValues>,
) {
  const text = useText()
  const wordsOfField = useFieldWords()
  const { refetch, isFetching } = useTargetingIncident(incident?.id ?? '', incident !== undefined)
  const [base, setBase] = useState(incident)
  const [stale, setStale] = useState<Stale | null>(null)
  return {
    base,
    stale,
    isLoading: isFetching,
    /** Reports that a save was refused as stale. */
    announce: (message: string) => setStale({ message, theirs: null }),
    dismiss: () => setStale(null),
    /** Loads the newest version into the form; input stays, and differences are shown beside it. */
    load: async () => {
      const { data: newest } = await refetch()
      if (!newest || !base) return
      const differing = takeLatest(form, valuesOf(base), valuesOf(newest))
      const theirs = differing.map((field) => ({
        label: text(`incidents.labels.${field}`),
        value: wordsOfField(newest, field),
      }))
      setBase(newest)
      setStale((known) => known && { ...known, theirs })
    },
  }
}
