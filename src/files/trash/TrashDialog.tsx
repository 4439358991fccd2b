import DeleteForeverRounded from '@mui/icons-material/DeleteForeverRounded'
import DeleteOutlineRounded from '@mui/icons-material/DeleteOutlineRounded'
import FolderRounded from '@mui/icons-material/FolderRounded'
import Alert from '@mui/material/Alert'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Dialog from '@mui/material/Dialog'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import DialogTitle from '@mui/material/DialogTitle'
import IconButton from '@mui/material/IconButton'
import useMediaQuery from '@mui/material/useMediaQuery'
import { useNotify } from 'react-admin'
import { useId, useState } from 'react'

import { TRASH_DAYS, type TrashedItem } from '#contract/files/schema.ts'
import { wholeName } from '#contract/kit/files.ts'
import { messageOf } from '#providers/problem.ts'
import { useSession } from '#providers/session.ts'
import { ConfirmDialog } from '#src/kit/feedback/ConfirmDialog.tsx'
import { EmptyState } from '#src/kit/feedback/EmptyState.tsx'
import { ErrorState } from '#src/kit/feedback/ErrorState.tsx'
import { ListSkeleton } from '#src/kit/list/ListSkeleton.tsx'
import { PHONE } from '#src/kit/layout/breakpoints.ts'
import { Time } from '#src/kit/time/Time.tsx'
import { useText } from '#src/kit/useText.ts'
import { FileIcon } from '#src/attachments/FileIcon.tsx'

import { PageTurner } from '../info/PageTurner.tsx'
import { usePurgeItem, useRestoreItem, useTrashPage } from '../info/queries.ts'
import { placeOf } from '../list/itemValues.ts'

const rowSx = {
  display: 'grid',
  gridTemplateColumns: '20px minmax(0, 1fr) auto auto',
  alignItems: 'center',
  columnGap: 1,
  py: 1,
  '& + &': { borderTop: 1, borderColor: 'divider' },
} as const

interface RowProps {
  item: TrashedItem
  isBusy: boolean
  onRestore: () => void
  /** Absent without the right to delete for good. */
  onPurge: (() => void) | undefined
}

function TrashRow({ item, isBusy, onRestore, onPurge }: RowProps) {
  const text = useText()
  const name = wholeName(item)
  const place = placeOf(text('fileDetails.root'), item.path)
  return (
    <Box component="li" sx={rowSx}>
      {item.isFolder ? (
        <FolderRounded sx={{ color: 'text.secondary' }} />
      ) : (
        <FileIcon extension={item.extension} sx={{ color: 'text.secondary' }} />
      )}
      <Box sx={{ minWidth: 0, overflowWrap: 'anywhere' }}>
        <Box component="bdi" sx={{ fontWeight: 600 }}>
          {name}
        </Box>
        <Box sx={{ fontSize: '0.8125rem', color: 'text.secondary' }}>
          <bdi>{place}</bdi> · {text('fileDetails.deletedBy', { name: item.deletedByName })},{' '}
          <Time at={item.deleteTimestamp} /> · {text('fileDetails.until')} <Time at={item.expireTimestamp} />
        </Box>
      </Box>
      <Button
        size="small"
        disabled={isBusy}
        aria-label={text('fileDetails.restoreOf', { name })}
        onClick={onRestore}
      >
        {text('fileDetails.restore')}
      </Button>
      {onPurge && (
        <IconButton
          size="small"
          color="error"
          disabled={isBusy}
          aria-label={text('fileDetails.purgeOf', { name })}
          title={text('fileDetails.purgeOf', { name })}
          onClick={onPurge}
        >
          <DeleteForeverRounded />
        </IconButton>
      )}
    </Box>
  )
}

/** Restores deleted items, and notifies of refusals. */
function useRestoring() {
  const text = useText()
  const notify = useNotify()
  const mutation = useRestoreItem()
  const [problem, setProblem] = useState<string>()
  const restore = async (item: TrashedItem) => {
    setProblem(undefined)
    try {
      await mutation.mutateAsync(item.id)
      notify(text('fileDetails.restored', { name: wholeName(item) }), { type: 'success' })
    } catch (error) {
      setProblem(messageOf(error, text('kit.wentWrong')))
    }
  }
  return { restore, problem, isBusy: mutation.isPending }
}

function PurgeDialog({ item, onClose }: { item: TrashedItem; onClose: () => void }) {
  const text = useText()
  const notify = useNotify()
  const purge = usePurgeItem()
  const name = wholeName(item)
  return (
    <ConfirmDialog
      open
      title={text('fileDetails.purgeTitle')}
      text={text(item.isFolder ? 'fileDetails.purgeFolderText' : 'fileDetails.purgeText', { name })}
      submitLabel={text('fileDetails.purge')}
      destructive
      onSubmit={async () => {
        await purge.mutateAsync(item.id)
        notify(text('fileDetails.purged', { name }), { type: 'success' })
      }}
      onClose={onClose}
    />
  )
}

interface ListProps {
  page: number
  onTurn: (page: number) => void
}

function TrashList({ page, onTurn }: ListProps) {
  const text = useText()
  const isAdmin = useSession().user?.role === 'ADMIN'
  const { restore, problem, isBusy } = useRestoring()
  const [purging, setPurging] = useState<TrashedItem>()
  const { data, error, refetch } = useTrashPage(page)
  if (!data)
    return error ? (
      <ErrorState error={error} text={text('fileDetails.loadFailed')} onRetry={() => void refetch()} />
    ) : (
      <ListSkeleton phone={false} />
    )
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
          text={text('fileDetails.trashEmpty', { days: TRASH_DAYS })}
        />
      ) : (
        <Box component="ul" aria-label={text('fileDetails.trash')} sx={{ m: 0, p: 0, listStyle: 'none' }}>
          {data.items.map((item) => (
            <TrashRow
              key={item.id}
              item={item}
              isBusy={isBusy}
              onRestore={() => void restore(item)}
              onPurge={isAdmin ? () => setPurging(item) : undefined}
            />
          ))}
        </Box>
      )}
      <PageTurner page={page} total={data.total} onTurn={onTurn} />
      {purging && <PurgeDialog item={purging} onClose={() => setPurging(undefined)} />}
    </>
  )
}

interface Props {
  open: boolean
  onClose: () => void
}

/** The trash: deleted files and folders, to be restored or deleted for good. */
export function TrashDialog({ open, onClose }: Props) {
  const text = useText()
  const titleId = useId()
  const phone = useMediaQuery(PHONE, { noSsr: true })
  const [page, setPage] = useState(1)
  return (
    <Dialog
      open={open}
      onClose={onClose}
      maxWidth="md"
      fullWidth
      fullScreen={phone}
      aria-labelledby={titleId}
    >
      <DialogTitle id={titleId}>{text('fileDetails.trash')}</DialogTitle>
      <DialogContent dividers>
        <Box sx={{ mb: 1, color: 'text.secondary' }}>
          {text('fileDetails.trashLead', { days: TRASH_DAYS })}
        </Box>
        {open && <TrashList page={page} onTurn={setPage} />}
      </DialogContent>
      <DialogActions>
        <Button color="inherit" onClick={onClose}>
          {text('kit.close')}
        </Button>
      </DialogActions>
    </Dialog>
  )
}
