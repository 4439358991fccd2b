import Skeleton from '@mui/material/Skeleton'
import { useState } from 'react'
import { Navigate, useParams, useSearchParams } from 'react-router-dom'

import { PageTitle } from '#src/kit/layout/PageTitle.tsx'
import { useText } from '#src/kit/useText.ts'

import { ExerciseFrame } from '../page/ExerciseFrame.tsx'
import { IncidentForm } from './IncidentForm.tsx'
import { OneTargetingIncident } from '../page/OneIncident.tsx'
import { type Kinds, useCreatableKinds } from '../queries.ts'

function Loading({ title }: { title: string }) {
  return (
    <ExerciseFrame exercise={false}>
      <PageTitle title={title} />
      <Skeleton variant="rounded" height={600} sx={{ maxWidth: 840, mx: 'auto' }} />
    </ExerciseFrame>
  )
}

/**
 * Decides once which kinds are offered, so that an open form stays; the server enforces the rule. `?like=` names an
 * incident whose fields are proposed.
 */
function Creation() {
  const text = useText()
  const kinds = useCreatableKinds()
  const like = useSearchParams()[0].get('like')
  const [decided, setDecided] = useState<Kinds>()
  if (kinds && !decided) setDecided(kinds)
  if (!decided) return <Loading title={text('incidents.create')} />
  if (!decided.incident && !decided.exercise) return <Navigate to="/incidents" replace />
  if (!like) return <IncidentForm kinds={decided} />
  return (
    <OneTargetingIncident id={like} loading={<Loading title={text('incidents.create')} />}>
      {(incident) => <IncidentForm key={incident.id} like={incident} kinds={decided} />}
    </OneTargetingIncident>
  )
}

function Change() {
  const text = useText()
  const kinds = useCreatableKinds()
  return (
    <OneTargetingIncident loading={<Loading title={text('incidents.editIncident')} />}>
      {(incident) => (
        <IncidentForm
          key={incident.id}
          incident={incident}
          kinds={{
            incident: !incident.isTabletop || (kinds?.incident ?? false),
            exercise: incident.isTabletop || (kinds?.exercise ?? false),
          }}
        />
      )}
    </OneTargetingIncident>
  )
}

/** Creates an incident or an exercise, or edits the incident of the address (operations §2). */
export function IncidentFormPage() {
  const { id } = useParams()
  return id === undefined ? <Creation /> : <Change />
}
