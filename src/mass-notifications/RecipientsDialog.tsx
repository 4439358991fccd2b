import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Dialog from '@mui/material/Dialog'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import DialogTitle from '@mui/material/DialogTitle'
import useMediaQuery from '@mui/material/useMediaQuery'
import { useLocaleState } from 'react-admin'
import { useCallback, useId, useMemo, useRef, useState } from 'react'

import { useDebounced } from '#src/kit/browser/useDebounced.ts'
import { EmptyState } from '#src/kit/feedback/EmptyState.tsx'
import { ErrorState } from '#src/kit/feedback/ErrorState.tsx'
import { formatNumber } from '#src/kit/time/formats.ts'
import { ListSkeleton } from '#src/kit/list/ListSkeleton.tsx'
import { PHONE } from '#src/kit/layout/breakpoints.ts'
import { SearchBox } from '#src/kit/list/SearchBox.tsx'
import { useText } from '#src/kit/useText.ts'

import { PeopleTable, type PeopleView } from './PeopleTable.tsx'
import { type FindPeople, usePeoplePages } from './queries.ts'

const SEARCH_DELAY_MS = 250
const SEARCH_MAX = 255

interface Props {
  title: string
  view: PeopleView
  /** Total number of people. */
  count: number
  /** Query key of the results of `find`. */
  queryKey: readonly unknown[]
  find: FindPeople
  /** The notification of recipients, whose messages can be opened. */
  notificationId?: string
  onClose: () => void
}

/** People of a notification, with the lists or the group that included them (administration §2.1). */
export function RecipientsDialog({ title, view, count, queryKey, find, notificationId, onClose }: Props) {
  const text = useText()
  const [locale] = useLocaleState()
  const titleId = useId()
  const phone = useMediaQuery(PHONE, { noSsr: true })
  const [typed, setTyped] = useState('')
  const searched = useDebounced(typed.trim().slice(0, SEARCH_MAX), SEARCH_DELAY_MS)
  const people = usePeoplePages(queryKey, find, searched)
  const top = useRef<HTMLElement>(null)
  const [scroller, setScroller] = useState<HTMLElement | null>(null)
  const attach = useCallback((element: HTMLElement | null) => {
    top.current = element
    setScroller(element)
  }, [])
  const found = useMemo(() => people.data?.pages.flat(), [people.data])
  const failed = people.error && !found
  const search = (words: string) => {
    setTyped(words)
    // A search starts at its first result.
    if (top.current) top.current.scrollTop = 0
  }
  return (
    <Dialog
      open
      onClose={onClose}
      maxWidth="lg"
      fullScreen={phone}
      aria-labelledby={titleId}
      slotProps={{ paper: { sx: { height: { sm: 'min(720px, 100%)' } } } }}
    >
      <DialogTitle id={titleId} sx={{ px: { xs: 2, sm: 3 } }}>
        {title}
        <Box component="span" sx={{ ml: 1, fontWeight: 400, color: 'text.secondary' }}>
          {formatNumber(locale, count)}
        </Box>
      </DialogTitle>
      <Box sx={{ px: { xs: 2, sm: 3 }, pb: 2 }}>
        <SearchBox label={text('massNotifications.filterPeople')} value={typed} onSearch={search} />
      </Box>
      <DialogContent ref={attach} dividers tabIndex={0} sx={{ p: 0 }}>
        {!found && !failed && <ListSkeleton phone={phone} />}
        {failed && <ErrorState error={people.error} onRetry={() => void people.refetch()} />}
        {found?.length === 0 && <EmptyState text={text('massNotifications.noPeople')} />}
        {found && found.length > 0 && (
          <PeopleTable
            label={title}
            people={found}
            view={view}
            notificationId={notificationId}
            scroller={scroller}
          />
        )}
        {people.hasNextPage && (
          <Button
            loading={people.isFetchingNextPage}
            onClick={() => void people.fetchNextPage()}
            sx={{ m: 1.5, mx: { sm: 2 } }}
          >
            {text('massNotifications.showMore')}
          </Button>
        )}
      </DialogContent>
      <DialogActions sx={{ pt: 2 }}>
        <Button onClick={onClose}>{text('kit.close')}</Button>
      </DialogActions>
    </Dialog>
  )
}
