import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Dialog from '@mui/material/Dialog'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import DialogTitle from '@mui/material/DialogTitle'
import useMediaQuery from '@mui/material/useMediaQuery'
import { useLocaleState } from 'ra-core'
import { useCallback, useDeferredValue, useId, useMemo, useRef, useState } from 'react'

import type { NotifiedPerson } from '#contract/mass-notifications/schema.ts'
import { EmptyState } from '#src/kit/feedback/EmptyState.tsx'
import { ErrorState } from '#src/kit/feedback/ErrorState.tsx'
import { formatNumber } from '#src/kit/time/formats.ts'
import { ListSkeleton } from '#src/kit/resource/ListSkeleton.tsx'
import { PHONE } from '#src/kit/resource/resourceLayout.ts'
import { SearchBox } from '#src/kit/resource/SearchBox.tsx'
import { useText } from '#src/kit/useText.ts'

import { PeopleTable, type PeopleView } from './PeopleTable.tsx'

interface Props {
  title: string
  view: PeopleView
  /** Undefined while they load. */
  people: readonly NotifiedPerson[] | undefined
  /** Why they did not come. */
  failed?: { readonly error: unknown; readonly retry: () => void } | undefined
  onClose: () => void
}

const wordsOf = ({ name, email, phone, shqGroupName, lists }: NotifiedPerson) =>
  [name, email, phone, shqGroupName, ...lists].join(' ').toLowerCase()

/** Who is or was notified, and why: contacts with their lists, or members with their group (administration §2.1). */
export function RecipientsDialog({ title, view, people, failed, onClose }: Props) {
  const text = useText()
  const [locale] = useLocaleState()
  const titleId = useId()
  const phone = useMediaQuery(PHONE, { noSsr: true })
  const [typed, setTyped] = useState('')
  const top = useRef<HTMLElement>(null)
  const [scroller, setScroller] = useState<HTMLElement | null>(null)
  const attach = useCallback((element: HTMLElement | null) => {
    top.current = element
    setScroller(element)
  }, [])
  const searched = useDeferredValue(typed)
  const found = useMemo(() => {
    const words = searched.toLowerCase().split(/\s+/)
    return people?.filter((person) => {
      const known = wordsOf(person)
      return words.every((word) => known.includes(word))
    })
  }, [people, searched])
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
        {people && (
          <Box component="span" sx={{ ml: 1, fontWeight: 400, color: 'text.secondary' }}>
            {formatNumber(locale, people.length)}
          </Box>
        )}
      </DialogTitle>
      <Box sx={{ px: { xs: 2, sm: 3 }, pb: 2 }}>
        <SearchBox label={text('massNotifications.filterPeople')} value={typed} onSearch={search} />
      </Box>
      <DialogContent ref={attach} dividers tabIndex={0} sx={{ p: 0 }}>
        {!found && !failed && <ListSkeleton phone={phone} />}
        {!found && failed && <ErrorState error={failed.error} onRetry={failed.retry} />}
        {found?.length === 0 && <EmptyState text={text('massNotifications.noPeople')} />}
        {found && found.length > 0 && (
          <PeopleTable label={title} people={found} view={view} scroller={scroller} />
        )}
      </DialogContent>
      <DialogActions sx={{ pt: 2 }}>
        <Button onClick={onClose}>{text('kit.close')}</Button>
      </DialogActions>
    </Dialog>
  )
}
