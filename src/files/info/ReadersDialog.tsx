import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Dialog from '@mui/material/Dialog'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import DialogTitle from '@mui/material/DialogTitle'
import { useId, useState } from 'react'

import { ErrorState } from '#src/kit/feedback/ErrorState.tsx'
import { ListSkeleton } from '#src/kit/list/ListSkeleton.tsx'
import { useText } from '#src/kit/useText.ts'
import { PersonLine } from '#src/users/PersonLine.tsx'

import { PageTurner } from './PageTurner.tsx'
import { useReaderPage } from './queries.ts'

interface Props {
  itemId: number
  onClose: () => void
}

export function ReadersDialog({ itemId, onClose }: Props) {
  const text = useText()
  const titleId = useId()
  const [page, setPage] = useState(1)
  const { data, error, refetch } = useReaderPage(itemId, page)
  const people = () => {
    if (data)
      return (
        <Box component="ul" sx={{ display: 'grid', gap: 1.5, m: 0, p: 0, listStyle: 'none' }}>
          {data.items.map((person) => (
            <li key={person.uuid}>
              <PersonLine email={person.email} user={person} withRole />
            </li>
          ))}
        </Box>
      )
    if (error)
      return (
        <ErrorState error={error} text={text('fileDetails.readersFailed')} onRetry={() => void refetch()} />
      )
    return <ListSkeleton phone={false} />
  }
  return (
    <Dialog open onClose={onClose} maxWidth="xs" fullWidth aria-labelledby={titleId}>
      <DialogTitle id={titleId}>{text('fileDetails.readers')}</DialogTitle>
      <DialogContent dividers>{people()}</DialogContent>
      <DialogActions>
        {data && <PageTurner page={page} total={data.total} onTurn={setPage} />}
        <Button color="inherit" onClick={onClose}>
          {text('kit.close')}
        </Button>
      </DialogActions>
    </Dialog>
  )
}
