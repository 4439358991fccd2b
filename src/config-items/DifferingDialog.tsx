import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Dialog from '@mui/material/Dialog'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import DialogTitle from '@mui/material/DialogTitle'
import Link from '@mui/material/Link'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { Link as RouterLink } from 'react-router-dom'

import { managedOrganisationsApi } from '#contract/managed-organisations/api.ts'
import type { ManagedOrganisation } from '#contract/managed-organisations/schema.ts'
import { requestSlice } from '#providers/slice.ts'
import { Awaiting } from '#src/kit/feedback/Awaiting.tsx'
import { Pager } from '#src/kit/list/Pager.tsx'
import { useText } from '#src/kit/useText.ts'

const ROWS = 25

interface Props {
  databaseKey: string
  title: string
  onClose: () => void
}

/** The organisations with a value of their own for an item, each with the way to its configuration. */
export function DifferingDialog({ databaseKey, title, onClose }: Props) {
  const text = useText()
  const titleId = useId()
  const [page, setPage] = useState(1)
  const query = useQuery({
    queryKey: ['management/organizations', 'differing', databaseKey, page],
    queryFn: ({ signal }) =>
      requestSlice<ManagedOrganisation>(managedOrganisationsApi.list, {
        first: (page - 1) * ROWS,
        count: ROWS,
        filter: { ownConfigKey: databaseKey },
        sort: ['displayName', 'ASC'],
        signal,
      }),
    placeholderData: keepPreviousData,
  })
  const { data } = query
  return (
    <Dialog open onClose={onClose} aria-labelledby={titleId} fullWidth maxWidth="xs">
      <DialogTitle id={titleId}>{text('configItems.differingTitle', { title })}</DialogTitle>
      <DialogContent>
        {!data && <Awaiting queries={[query]} height={160} />}
        <Box component="ul" sx={{ m: 0, p: 0, listStyle: 'none' }}>
          {data?.items.map(({ id, enterprise }) => (
            <Box component="li" key={id} sx={{ py: 0.75 }}>
              <Link
                component={RouterLink}
                to={`/management/config/${id}?q=${databaseKey}`}
                dir="auto"
                sx={{ overflowWrap: 'anywhere' }}
              >
                {enterprise.displayName}
              </Link>
            </Box>
          ))}
        </Box>
        {data && data.total > ROWS && (
          <Pager page={page} perPage={ROWS} total={data.total} setPage={setPage} phone />
        )}
      </DialogContent>
      <DialogActions>
        <Button onClick={onClose}>{text('kit.close')}</Button>
      </DialogActions>
    </Dialog>
  )
}
