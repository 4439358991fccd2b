import CheckRounded from '@mui/icons-material/CheckRounded'
import CloseRounded from '@mui/icons-material/CloseRounded'
import ContentCopyRounded from '@mui/icons-material/ContentCopyRounded'
import FolderRounded from '@mui/icons-material/FolderRounded'
import GavelRounded from '@mui/icons-material/GavelRounded'
import Alert from '@mui/material/Alert'
import Box from '@mui/material/Box'
import Dialog from '@mui/material/Dialog'
import FormControlLabel from '@mui/material/FormControlLabel'
import IconButton from '@mui/material/IconButton'
import Link from '@mui/material/Link'
import Paper from '@mui/material/Paper'
import Skeleton from '@mui/material/Skeleton'
import Switch from '@mui/material/Switch'
import Typography from '@mui/material/Typography'
import useMediaQuery from '@mui/material/useMediaQuery'
import { useLocaleState, useNotify } from 'react-admin'
import { type ReactNode, useId, useState } from 'react'

import type { ItemDetails } from '#contract/files/schema.ts'
import { wholeName } from '#contract/kit/files.ts'
import { messageOf } from '#providers/problem.ts'
import { useSession } from '#providers/session.ts'
import { fileSize } from '#src/kit/browser/fileSize.ts'
import { useCopied } from '#src/kit/browser/useCopied.ts'
import { ErrorState } from '#src/kit/feedback/ErrorState.tsx'
import { PHONE } from '#src/kit/layout/breakpoints.ts'
import { Time } from '#src/kit/time/Time.tsx'
import { useText } from '#src/kit/useText.ts'
import { FileIcon } from '#src/attachments/FileIcon.tsx'
import { useConfig } from '#src/config/useConfig.ts'
import { LinkList } from '#src/file-links/LinkList.tsx'

import { placeOf } from '../list/itemValues.ts'
import { HistoryList } from './HistoryList.tsx'
import { useHold, useItemDetails } from './queries.ts'
import { ReadersDialog } from './ReadersDialog.tsx'
import { VersionList } from './VersionList.tsx'

/** Pixels (operations §9). */
const WIDTH = 300

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Box component="section" sx={{ pt: 2, mt: 2, borderTop: 1, borderColor: 'divider' }}>
      <Typography variant="h3" sx={{ mb: 1 }}>
        {title}
      </Typography>
      {children}
    </Box>
  )
}

/** SHA-256 of the content, to compare with a local file. */
function Fingerprint({ sha256 }: { sha256: string }) {
  const text = useText()
  const notify = useNotify()
  const { isCopied, copy } = useCopied(sha256)
  return (
    <Box component="span" sx={{ display: 'flex', alignItems: 'center', gap: 0.5 }}>
      <Box
        component="code"
        title={sha256}
        sx={{ minWidth: 0, overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' }}
      >
        {sha256}
      </Box>
      <IconButton
        size="small"
        aria-label={text('fileDetails.copyFingerprint')}
        title={text('fileDetails.copyFingerprint')}
        onClick={() => copy().catch(() => notify(text('fileDetails.notCopied'), { type: 'error' }))}
      >
        {isCopied ? <CheckRounded color="success" /> : <ContentCopyRounded />}
      </IconButton>
    </Box>
  )
}

/** The legal hold: a mark for everybody, a switch for administrators. */
function Hold({ item, isAdmin }: { item: ItemDetails; isAdmin: boolean }) {
  const text = useText()
  const notify = useNotify()
  const hold = useHold(item.id)
  const { isOnHold } = item
  const change = async (next: boolean) => {
    try {
      await hold.mutateAsync(next)
      notify(text(next ? 'fileDetails.held' : 'fileDetails.released'), { type: 'success' })
    } catch (error) {
      notify(messageOf(error, text('kit.wentWrong')), { type: 'error' })
    }
  }
  return (
    <>
      {isOnHold && (
        <Alert severity="warning" icon={<GavelRounded />} sx={{ mt: 2 }}>
          {text('fileDetails.onHold')}
        </Alert>
      )}
      {isAdmin && (
        <Box sx={{ mt: 1.5 }}>
          <FormControlLabel
            control={
              <Switch
                checked={isOnHold}
                disabled={hold.isPending}
                onChange={(_, next) => void change(next)}
                aria-describedby="legal-hold-hint"
              />
            }
            label={text('fileDetails.hold')}
          />
          <Box id="legal-hold-hint" sx={{ fontSize: '0.8125rem', color: 'text.secondary' }}>
            {text('fileDetails.holdHint')}
          </Box>
        </Box>
      )}
    </>
  )
}

/** Label of the item's kind (operations §3 "Storage item"). */
function useTypeLabel({ isFolder, folderType, extension }: ItemDetails): string {
  const text = useText()
  if (isFolder) return text(`fileDetails.type${folderType}`)
  return extension === ''
    ? text('fileDetails.typeFilePlain')
    : text('fileDetails.typeFile', { type: extension.toUpperCase() })
}

function Details({ item }: { item: ItemDetails }) {
  const text = useText()
  const [locale] = useLocaleState()
  const type = useTypeLabel(item)
  const { isFolder, itemsCount, totalSize, size, path, sha256, fileVersion } = item
  const rows: readonly (readonly [string, ReactNode] | false)[] = [
    [text('fileDetails.type'), type],
    isFolder && [text('fileDetails.items'), text('fileDetails.itemsCount', { smart_count: itemsCount })],
    [text('fileDetails.size'), fileSize(locale, isFolder ? totalSize : size)],
    [text('fileDetails.location'), placeOf(text('fileDetails.root'), path)],
    [
      text('fileDetails.created'),
      <>
        <Time at={item.createTimestamp} />
        <Box component="bdi" sx={{ display: 'block' }}>
          {item.createdByName}
        </Box>
      </>,
    ],
    [text('fileDetails.updated'), <Time key="updated" at={item.updateTimestamp} />],
    !isFolder && [text('fileDetails.versionsCount'), String(fileVersion)],
    sha256 !== null && [text('fileDetails.fingerprint'), <Fingerprint key="fingerprint" sha256={sha256} />],
  ]
  return (
    <Box
      component="dl"
      sx={{
        m: 0,
        display: 'grid',
        gap: 1,
        '& dt': { fontSize: '0.8125rem', color: 'text.secondary' },
        '& dd': { m: 0, minWidth: 0, overflowWrap: 'anywhere' },
      }}
    >
      {rows.map(
        (row) =>
          row && (
            <Box key={row[0]} sx={{ minWidth: 0 }}>
              <dt>{row[0]}</dt>
              <dd dir="auto">{row[1]}</dd>
            </Box>
          ),
      )}
    </Box>
  )
}

function Content({ item }: { item: ItemDetails }) {
  const text = useText()
  const isAdmin = useSession().user?.role === 'ADMIN'
  const hasLinks = useConfig()?.fileLinksEnabled === true
  const [isListing, setListing] = useState(false)
  return (
    <>
      <Box sx={{ display: 'flex', alignItems: 'flex-start', gap: 1, mb: 2 }}>
        {item.isFolder ? (
          <FolderRounded sx={{ color: 'text.secondary' }} />
        ) : (
          <FileIcon extension={item.extension} sx={{ color: 'text.secondary' }} />
        )}
        <Box dir="auto" sx={{ flex: 1, minWidth: 0, fontWeight: 600, overflowWrap: 'anywhere' }}>
          {wholeName(item)}
        </Box>
      </Box>
      <Details item={item} />
      <Hold item={item} isAdmin={isAdmin} />
      <Part title={text('fileDetails.readers')}>
        <Link component="button" type="button" onClick={() => setListing(true)}>
          {text('fileDetails.readersCount', { smart_count: item.peopleCount })}
        </Link>
      </Part>
      {hasLinks && (
        <Part title={text('fileLinks.title')}>
          <LinkList itemId={item.id} />
        </Part>
      )}
      {!item.isFolder && (
        <Part title={text('fileDetails.versions')}>
          <VersionList item={item} />
        </Part>
      )}
      {isAdmin && (
        <Part title={text('fileDetails.history')}>
          <HistoryList key={item.id} itemId={item.id} />
        </Part>
      )}
      {isListing && <ReadersDialog itemId={item.id} onClose={() => setListing(false)} />}
    </>
  )
}

const skeleton = (
  <Box sx={{ display: 'grid', gap: 1 }}>
    <Skeleton variant="rounded" height={24} />
    {[1, 2, 3, 4, 5, 6].map((row) => (
      <div key={row}>
        <Skeleton width="40%" />
        <Skeleton width="80%" />
      </div>
    ))}
  </Box>
)

interface Props {
  itemId: number
  onClose: () => void
}

/** Details of a file or folder (operations §2): 300 px on the right, full screen on phones. */
export function InfoPanel({ itemId, onClose }: Props) {
  const text = useText()
  const titleId = useId()
  const phone = useMediaQuery(PHONE, { noSsr: true })
  const { data: item, error, refetch } = useItemDetails(itemId)
  const content = (
    <>
      <Box sx={{ display: 'flex', alignItems: 'center', minHeight: 40, mb: 1 }}>
        <Typography id={titleId} variant="h2" sx={{ flex: 1 }}>
          {text('fileDetails.title')}
        </Typography>
        <IconButton size="small" aria-label={text('fileDetails.close')} onClick={onClose}>
          <CloseRounded />
        </IconButton>
      </Box>
      {item && <Content key={item.id} item={item} />}
      {!item &&
        (error ? (
          <ErrorState error={error} text={text('fileDetails.loadFailed')} onRetry={() => void refetch()} />
        ) : (
          <Box component="output" aria-label={text('kit.loading')} sx={{ display: 'block' }}>
            {skeleton}
          </Box>
        ))}
    </>
  )
  if (phone)
    return (
      <Dialog open fullScreen onClose={onClose} aria-labelledby={titleId}>
        <Box sx={{ p: 2, overflow: 'auto' }}>{content}</Box>
      </Dialog>
    )
  return (
    <Paper
      component="aside"
      variant="outlined"
      aria-label={text('fileDetails.title')}
      sx={{
        boxSizing: 'border-box',
        width: WIDTH,
        flex: 'none',
        p: 2,
        overflow: 'auto',
        // Stays within the window, like the list beside it.
        maxHeight: 'max(320px, calc(100dvh - 230px))',
      }}
    >
      {content}
    </Paper>
  )
}
