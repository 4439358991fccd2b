import DeleteForeverRounded from '@mui/icons-material/DeleteForeverRounded'
import DeleteOutlineRounded from '@mui/icons-material/DeleteOutlineRounded'
import Alert from '@mui/material/Alert'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import IconButton from '@mui/material/IconButton'
import { useNotify } from 'react-admin'
import { useState } from 'react'

import { type BinnedPlaybook, PLAYBOOK_BIN_DAYS } from '#contract/playbooks/schema.ts'
import { usePeople } from '#providers/people.ts'
import { messageOf } from '#providers/problem.ts'
import { Awaiting } from '#src/kit/feedback/Awaiting.tsx'
import { ConfirmDialog } from '#src/kit/feedback/ConfirmDialog.tsx'
import { DialogFrame } from '#src/kit/feedback/DialogFrame.tsx'
import { EmptyState } from '#src/kit/feedback/EmptyState.tsx'
import { Pager } from '#src/kit/list/Pager.tsx'
import { Time } from '#src/kit/time/Time.tsx'
import { useText } from '#src/kit/useText.ts'

import { ROWS_PER_PAGE, useBinPage, usePurgePlaybook, useRecoverPlaybook } from '../queries.ts'

interface RowProps {
  playbook: BinnedPlaybook
  isBusy: boolean
  onRestore: () => void
  onPurge: () => void
}

function Row({ playbook, isBusy, onRestore, onPurge }: RowProps) {
  const text = useText()
  const { nameOf } = usePeople()
  const { name } = playbook
  return (
    <Box
      component="li"
      sx={{
        display: 'grid',
        gridTemplateColumns: 'minmax(0, 1fr) auto auto',
        alignItems: 'center',
        columnGap: 1,
        py: 1,
        '& + &': { borderTop: 1, borderColor: 'divider' },
      }}
    >
      <Box sx={{ minWidth: 0, overflowWrap: 'anywhere' }}>
        <Box component="bdi" sx={{ fontWeight: 600 }}>
          {name}
        </Box>
        <Box sx={{ fontSize: '0.8125rem', color: 'text.secondary' }}>
          {text('playbooks.binDeleted', { name: nameOf(playbook.deletedBy) })},{' '}
          <Time at={playbook.deleteTimestamp} /> · {text('playbooks.binUntil')}{' '}
          <Time at={playbook.expireTimestamp} />
        </Box>
      </Box>
      <Button
        size="small"
        disabled={isBusy}
        aria-label={text('playbooks.restoreOf', { name })}
        onClick={onRestore}
      >
        {text('playbooks.restore')}
      </Button>
      <IconButton
        size="small"
        color="error"
        disabled={isBusy}
        aria-label={text('playbooks.purgeOf', { name })}
        title={text('playbooks.purgeOf', { name })}
        onClick={onPurge}
      >
        <DeleteForeverRounded />
      </IconButton>
    </Box>
  )
}

/** Restores playbooks from the bin, and keeps the message of a refusal. */
function useRestoring() {
  const text = useText()
  const notify = useNotify()
  const recover = useRecoverPlaybook()
  const [problem, setProblem] = useState<string>()
  const restore = async ({ id, name }: BinnedPlaybook) => {
    setProblem(undefined)
    try {
      await recover.mutateAsync(id)
      notify(text('playbooks.recovered', { name }), { type: 'success' })
    } catch (error) {
      setProblem(messageOf(error, text('kit.wentWrong')))
    }
  }
  return { problem, restore, isBusy: recover.isPending }
}

function BinList() {
  const text = useText()
  const notify = useNotify()
  const [page, setPage] = useState(1)
  const [purged, setPurged] = useState<BinnedPlaybook>()
  const purge = usePurgePlaybook()
  const { problem, restore, isBusy } = useRestoring()
  const query = useBinPage(page)
  const { data } = query
  if (!data) return <Awaiting queries={[query]} height={240} />
  const name = purged?.name ?? ''
  return (
    <>
      {problem && (
        <Alert severity="error" sx={{ mb: 1 }}>
          {problem}
        </Alert>
      )}
      {data.total === 0 ? (
        <EmptyState
          icon={<DeleteOutlineRounded />}
          text={text('playbooks.binEmpty', { days: PLAYBOOK_BIN_DAYS })}
        />
      ) : (
        <Box component="ul" aria-label={text('playbooks.bin')} sx={{ m: 0, p: 0, listStyle: 'none' }}>
          {data.items.map((playbook) => (
            <Row
              key={playbook.id}
              playbook={playbook}
              isBusy={isBusy}
              onRestore={() => void restore(playbook)}
              onPurge={() => setPurged(playbook)}
            />
          ))}
        </Box>
      )}
      {data.total > ROWS_PER_PAGE && (
        <Pager page={page} perPage={ROWS_PER_PAGE} total={data.total} setPage={setPage} phone />
      )}
      <ConfirmDialog
        open={purged !== undefined}
        title={text('playbooks.purgeTitle')}
        text={text('playbooks.purgeText', { name })}
        submitLabel={text('playbooks.purge')}
        destructive
        onSubmit={async () => {
          await purge.mutateAsync(purged!.id)
          notify(text('playbooks.purged', { name }), { type: 'success' })
        }}
        onClose={() => setPurged(undefined)}
      />
    </>
  )
}

/** The bin: deleted playbooks, to be restored or deleted for good. */
export function BinDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  const text = useText()
  if (!open) return null
  return (
    <DialogFrame
      title={text('playbooks.bin')}
      lead={
        <Box sx={{ color: 'text.secondary' }}>{text('playbooks.binLead', { days: PLAYBOOK_BIN_DAYS })}</Box>
      }
      onClose={onClose}
      actions={
        <Button color="inherit" onClick={onClose}>
          {text('kit.close')}
        </Button>
      }
    >
      <BinList />
    </DialogFrame>
  )
}
