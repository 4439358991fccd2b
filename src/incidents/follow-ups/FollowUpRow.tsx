import CheckCircleRounded from '@mui/icons-material/CheckCircleRounded'
import ErrorRounded from '@mui/icons-material/ErrorRounded'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Link from '@mui/material/Link'
import { Suspense, useState } from 'react'
import { useNotify } from 'react-admin'
import { Link as RouterLink } from 'react-router-dom'

import type { FollowUp } from '#contract/follow-ups/schema.ts'
import { fullName } from '#contract/kit/names.ts'
import { followUps as words } from '#providers/i18n/follow-ups.ts'
import { usePeople } from '#providers/people.ts'
import { messageOf } from '#providers/problem.ts'
import { lazy } from '#src/kit/browser/lazy.ts'
import { StatusChip } from '#src/kit/layout/StatusChip.tsx'
import { PlainText } from '#src/kit/rich-text/PlainText.tsx'
import { MINUTE, useNow } from '#src/kit/time/clock.ts'
import { Time } from '#src/kit/time/Time.tsx'
import { useText } from '#src/kit/useText.ts'

import { useFollowUpActs } from './queries.ts'

const FollowUpDialog = lazy(async () => ({
  default: (await import('./FollowUpDialog.tsx')).FollowUpDialog,
}))

/** Lines of details before they are folded. */
const ROWS = 3

function Acts({ followUp }: { followUp: FollowUp }) {
  const text = useText()
  const notify = useNotify()
  const [isEditing, setEditing] = useState(false)
  const { finish } = useFollowUpActs()
  const { title, incidentId, doneTimestamp, canEdit, canFinish } = followUp
  const isDone = doneTimestamp !== null
  const button = { size: 'small', disabled: finish.isPending } as const
  const act = () =>
    finish.mutate(
      { followUp, isDone: !isDone },
      {
        onSuccess: () => notify(isDone ? words.isOpen(title) : words.isDone(title), { type: 'success' }),
        onError: (error) => notify(messageOf(error, text('kit.wentWrong')), { type: 'error' }),
      },
    )
  return (
    <>
      {canEdit && (
        <Button
          {...button}
          color="inherit"
          aria-label={words.editNamed(title)}
          onClick={() => setEditing(true)}
        >
          {words.edit}
        </Button>
      )}
      {canFinish && (
        <Button
          {...button}
          {...(isDone ? { color: 'inherit' } : { variant: 'outlined' })}
          aria-label={isDone ? words.reopenNamed(title) : words.doneNamed(title)}
          onClick={act}
        >
          {isDone ? words.reopen : words.done}
        </Button>
      )}
      {isEditing && (
        <Suspense>
          <FollowUpDialog incidentId={incidentId} edited={followUp} onClose={() => setEditing(false)} />
        </Suspense>
      )}
    </>
  )
}

/** Incident, owner and time of a follow-up in one line. */
function Facts({ followUp, withIncident }: { followUp: FollowUp; withIncident: boolean }) {
  const { nameOf } = usePeople()
  const {
    incidentId,
    incidentNumber,
    incidentTitle,
    isTabletop,
    owner,
    dueTimestamp,
    doneBy,
    doneTimestamp,
  } = followUp
  const now = useNow(MINUTE)
  const isOverdue = doneTimestamp === null && Date.parse(dueTimestamp) < now
  return (
    <Box
      sx={{
        display: 'flex',
        flexWrap: 'wrap',
        alignItems: 'center',
        columnGap: 1.5,
        rowGap: 0.5,
        mt: 0.5,
        color: 'text.secondary',
        fontSize: '0.8125rem',
      }}
    >
      {doneTimestamp !== null ? (
        <StatusChip label={words.doneState} icon={CheckCircleRounded} tone="success" />
      ) : (
        isOverdue && <StatusChip label={words.overdue} icon={ErrorRounded} tone="error" />
      )}
      <span>
        {doneTimestamp !== null ? (
          <>
            <Time at={doneTimestamp} /> <bdi>{words.doneBy(nameOf(doneBy ?? ''))}</bdi>
          </>
        ) : (
          <>
            {words.due} <Time at={dueTimestamp} />
          </>
        )}
      </span>
      <span>
        {words.ownedBy} <bdi>{owner === null ? words.nobody : fullName(owner) || owner.email}</bdi>
      </span>
      {withIncident && (
        <Box component="span" sx={{ minWidth: 0, overflowWrap: 'anywhere' }}>
          {isTabletop && (
            <Box component="strong" sx={{ color: 'warning.main', fontWeight: 600 }}>
              {words.exercise}{' '}
            </Box>
          )}
          <Link component={RouterLink} to={`/incidents/${incidentId}`} color="inherit">
            {incidentNumber} <bdi>{incidentTitle}</bdi>
          </Link>
        </Box>
      )}
    </Box>
  )
}

/** A follow-up with the acts on it. */
export function FollowUpRow({
  followUp,
  withIncident = true,
}: {
  followUp: FollowUp
  withIncident?: boolean
}) {
  const { title, details, isTabletop } = followUp
  return (
    <Box
      component="li"
      data-exercise={isTabletop || undefined}
      sx={{
        display: 'flex',
        flexWrap: 'wrap',
        alignItems: 'center',
        columnGap: 2,
        rowGap: 1,
        py: 1.25,
        borderTop: 1,
        borderColor: 'divider',
        '&:first-of-type': { borderTop: 0 },
      }}
    >
      <Box sx={{ flex: '1 1 260px', minWidth: 0, overflowWrap: 'anywhere' }}>
        <Box dir="auto" sx={{ fontWeight: 600 }}>
          {title}
        </Box>
        {details !== null && <PlainText text={details} rows={ROWS} />}
        <Facts followUp={followUp} withIncident={withIncident} />
      </Box>
      <Box
        sx={{
          display: 'flex',
          flexWrap: 'wrap',
          gap: 1,
          '& .MuiButton-root': { minHeight: { xs: 44, sm: 32 } },
        }}
      >
        <Acts followUp={followUp} />
      </Box>
    </Box>
  )
}
