import Alert from '@mui/material/Alert'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Popover from '@mui/material/Popover'
import Skeleton from '@mui/material/Skeleton'
import Typography from '@mui/material/Typography'
import { useId, useState } from 'react'
import { useNotify } from 'react-admin'

import type { RoleHolding } from '#contract/incident-roles/schema.ts'
import { fullName } from '#contract/kit/names.ts'
import { command as words } from '#providers/i18n/command.ts'
import { usePeople } from '#providers/people.ts'
import { ConfirmDialog } from '#src/kit/feedback/ConfirmDialog.tsx'
import { ErrorState } from '#src/kit/feedback/ErrorState.tsx'
import { PlainText } from '#src/kit/rich-text/PlainText.tsx'
import { Time } from '#src/kit/time/Time.tsx'

import { HandOverDialog } from './HandOverDialog.tsx'
import { useCommandActs, useHolders } from './queries.ts'
import { nameOfHolder, type TakenRole } from './takenRole.ts'

/** Rows of a statement before it folds. */
const ROWS = 4

function Holding({ holding }: { holding: RoleHolding }) {
  const { nameOf } = usePeople()
  const { holder, fromTimestamp, untilTimestamp, givenBy, statement } = holding
  return (
    <Box component="li" sx={{ py: 0.75, borderTop: 1, borderColor: 'divider', overflowWrap: 'anywhere' }}>
      <Box component="bdi" sx={{ fontWeight: 600 }}>
        {fullName(holder) || holder.email}
      </Box>
      <Box sx={{ fontSize: '0.8125rem', color: 'text.secondary' }}>
        {untilTimestamp === null && `${words.since} `}
        <Time at={fromTimestamp} />
        {untilTimestamp !== null && (
          <>
            {' – '}
            <Time at={untilTimestamp} />
          </>
        )}
        {givenBy !== holder.email && ` · ${words.givenBy(nameOf(givenBy))}`}
      </Box>
      {statement !== null && <PlainText text={statement} rows={ROWS} />}
    </Box>
  )
}

function History({ incidentId, roleId }: { incidentId: string; roleId: string }) {
  const { data, error, refetch } = useHolders(incidentId, roleId)
  const heading = useId()
  return (
    <Box component="section" aria-labelledby={heading}>
      <Typography id={heading} variant="subtitle2" component="h4" sx={{ mb: 0.5 }}>
        {words.history}
      </Typography>
      {data ? (
        <Box component="ul" sx={{ m: 0, p: 0, listStyle: 'none' }}>
          {data.data.map((holding) => (
            <Holding key={holding.id} holding={holding} />
          ))}
        </Box>
      ) : error ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : (
        <Skeleton variant="rounded" height={56} />
      )}
      {data && data.total > data.data.length && (
        <Typography variant="body2" color="textSecondary">
          {words.olderHolders(data.total - data.data.length)}
        </Typography>
      )}
    </Box>
  )
}

interface Props {
  incidentId: string
  role: TakenRole
  canChange: boolean
  anchor: HTMLElement
  onClose: () => void
}

/** The description of a role, its history, and the ways to hand it over or to release it. */
export function RolePopover({ incidentId, role, canChange, anchor, onClose }: Props) {
  const titleId = useId()
  const notify = useNotify()
  const acts = useCommandActs(incidentId)
  const [dialog, setDialog] = useState<'hand over' | 'release' | null>(null)
  const name = nameOfHolder(role)
  return (
    <>
      <Popover
        open={dialog === null}
        anchorEl={anchor}
        onClose={onClose}
        anchorOrigin={{ vertical: 'bottom', horizontal: 'left' }}
        slotProps={{ paper: { role: 'dialog', 'aria-labelledby': titleId, tabIndex: -1 } }}
      >
        <Box sx={{ display: 'grid', gap: 1.5, p: 2, width: 360, maxWidth: '100%' }}>
          <Box>
            <Typography id={titleId} variant="h3" sx={{ overflowWrap: 'anywhere' }}>
              {role.name}
            </Typography>
            {role.description !== null && (
              <Typography variant="body2" color="textSecondary" dir="auto">
                {role.description}
              </Typography>
            )}
          </Box>
          {!role.holder.isActive && <Alert severity="warning">{words.goneHelp}</Alert>}
          <Box
            tabIndex={0}
            role="region"
            aria-labelledby={titleId}
            sx={{ maxHeight: 280, overflowY: 'auto' }}
          >
            <History incidentId={incidentId} roleId={role.id} />
          </Box>
          {canChange && (
            <Box sx={{ display: 'flex', justifyContent: 'flex-end', gap: 1 }}>
              <Button color="inherit" onClick={() => setDialog('release')}>
                {words.release}
              </Button>
              <Button variant="contained" onClick={() => setDialog('hand over')}>
                {words.handOver}
              </Button>
            </Box>
          )}
        </Box>
      </Popover>
      {dialog === 'hand over' && <HandOverDialog incidentId={incidentId} roles={[role]} onClose={onClose} />}
      {dialog === 'release' && (
        <ConfirmDialog
          open
          title={words.releaseTitle(role.name)}
          text={words.releaseText(name)}
          submitLabel={words.release}
          onSubmit={async () => {
            await acts.release(role.id, role.holder.email)
            notify(words.released(role.name), { type: 'success' })
          }}
          onClose={onClose}
        />
      )}
    </>
  )
}
