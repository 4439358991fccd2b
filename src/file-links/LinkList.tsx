import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import { useState } from 'react'

import { fileLinksApi } from '#contract/file-links/api.ts'
import type { FileLink } from '#contract/file-links/schema.ts'
import { call } from '#providers/api.ts'
import { ConfirmDialog } from '#src/kit/feedback/ConfirmDialog.tsx'
import { ErrorState } from '#src/kit/feedback/ErrorState.tsx'
import { ListSkeleton } from '#src/kit/list/ListSkeleton.tsx'
import { Time } from '#src/kit/time/Time.tsx'
import { useText } from '#src/kit/useText.ts'

import { useLinks, useRefreshLinks } from './queries.ts'

const small = { fontSize: '0.8125rem', color: 'text.secondary', overflowWrap: 'anywhere' } as const

function LinkRow({
  link,
  withItem,
  onWithdraw,
}: {
  link: FileLink
  withItem: boolean
  onWithdraw: () => void
}) {
  const text = useText()
  const { label, direction, state, openings, openingsMax, madeByName, expireTimestamp, itemName } = link
  const isOpen = state === 'OPEN'
  return (
    <Box component="li" sx={{ py: 1, '& + &': { borderTop: 1, borderColor: 'divider' } }}>
      <Box sx={{ display: 'flex', alignItems: 'center', gap: 1 }}>
        <Box dir="auto" sx={{ flex: 1, minWidth: 0, fontWeight: 600, overflowWrap: 'anywhere' }}>
          {label}
        </Box>
        {isOpen && (
          <Button
            size="small"
            color="inherit"
            aria-label={text('fileLinks.withdrawOf', { label })}
            onClick={onWithdraw}
          >
            {text('fileLinks.withdraw')}
          </Button>
        )}
      </Box>
      {withItem && <Box sx={small}>{itemName}</Box>}
      <Box sx={small}>
        {text(`fileLinks.${direction}`)} · {text(`fileLinks.${state}`)}
        {isOpen && (
          <>
            {' '}
            <Time at={expireTimestamp} />
          </>
        )}
      </Box>
      <Box sx={small}>
        {openingsMax === null
          ? text('fileLinks.openings', { smart_count: openings })
          : text('fileLinks.openingsOf', { smart_count: openings, max: openingsMax })}
        {' · '}
        {text('fileLinks.madeBy', { name: madeByName })}
      </Box>
    </Box>
  )
}

/** Links to an item, or with the items to all, which can be withdrawn. */
export function LinkList({ itemId }: { itemId?: number }) {
  const text = useText()
  const { data, error, refetch } = useLinks(itemId)
  const refresh = useRefreshLinks()
  const [withdrawn, setWithdrawn] = useState<FileLink>()
  if (!data && error)
    return <ErrorState error={error} text={text('fileLinks.notLoaded')} onRetry={() => void refetch()} />
  if (!data) return <ListSkeleton phone={false} />
  return (
    <>
      {data.items.length === 0 ? (
        <Box sx={small}>{text('fileLinks.none')}</Box>
      ) : (
        <Box component="ul" sx={{ m: 0, p: 0, listStyle: 'none' }}>
          {data.items.map((link) => (
            <LinkRow
              key={link.id}
              link={link}
              withItem={itemId === undefined}
              onWithdraw={() => setWithdrawn(link)}
            />
          ))}
        </Box>
      )}
      <ConfirmDialog
        open={withdrawn !== undefined}
        title={text('fileLinks.withdrawTitle')}
        text={text('fileLinks.withdrawText', { label: withdrawn?.label ?? '' })}
        submitLabel={text('fileLinks.withdraw')}
        destructive
        onSubmit={async () => {
          if (withdrawn) await call(fileLinksApi.withdraw, { params: { id: withdrawn.id } })
          refresh()
        }}
        onClose={() => setWithdrawn(undefined)}
      />
    </>
  )
}
