import DownloadRounded from '@mui/icons-material/DownloadRounded'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import IconButton from '@mui/material/IconButton'
import { useLocaleState } from 'react-admin'
import { useState } from 'react'

import type { FileVersion, ItemDetails } from '#contract/files/schema.ts'
import { fileSize } from '#src/kit/browser/fileSize.ts'
import { Awaiting } from '#src/kit/feedback/Awaiting.tsx'
import { ConfirmDialog } from '#src/kit/feedback/ConfirmDialog.tsx'
import { Time } from '#src/kit/time/Time.tsx'
import { useUndoable } from '#src/kit/feedback/useUndoable.tsx'
import { useText } from '#src/kit/useText.ts'

import { useDownload } from '../useDownload.ts'
import { useFileVersions, useRestoreVersion } from './queries.ts'

interface RowProps {
  version: FileVersion
  isCurrent: boolean
  canRestore: boolean
  onDownload: () => void
  onRestore: () => void
}

function VersionRow({ version, isCurrent, canRestore, onDownload, onRestore }: RowProps) {
  const text = useText()
  const [locale] = useLocaleState()
  const words = { version: version.fileVersion }
  return (
    <Box component="li" sx={{ display: 'flex', alignItems: 'flex-start', gap: 1, py: 1 }}>
      <Box sx={{ flex: 1, minWidth: 0, overflowWrap: 'anywhere' }}>
        <Box sx={{ fontWeight: 600 }}>
          {text('fileDetails.version', words)}
          {isCurrent && ` · ${text('fileDetails.current')}`}
        </Box>
        <Box sx={{ fontSize: '0.8125rem', color: 'text.secondary' }}>
          <bdi>{version.createdByName}</bdi> · <Time at={version.createTimestamp} /> ·{' '}
          {fileSize(locale, version.size)}
        </Box>
        {canRestore && (
          <Button
            size="small"
            aria-label={text('fileDetails.restoreVersionOf', words)}
            onClick={onRestore}
            sx={{ ml: -0.5 }}
          >
            {text('fileDetails.restoreVersion')}
          </Button>
        )}
      </Box>
      <IconButton
        size="small"
        aria-label={text('fileDetails.downloadVersion', words)}
        title={text('fileDetails.downloadVersion', words)}
        onClick={onDownload}
      >
        <DownloadRounded />
      </IconButton>
    </Box>
  )
}

/** The versions of a file, to be downloaded or restored. */
export function VersionList({ item }: { item: ItemDetails }) {
  const text = useText()
  const notifyUndoable = useUndoable()
  const { downloadOne } = useDownload()
  const restore = useRestoreVersion(item.id)
  const query = useFileVersions(item.id)
  const [chosen, setChosen] = useState<number>()
  if (!query.data) return <Awaiting queries={[query]} height={80} />
  const newest = Math.max(...query.data.map(({ fileVersion }) => fileVersion))
  return (
    <>
      <Box component="ul" aria-label={text('fileDetails.versions')} sx={{ m: 0, p: 0, listStyle: 'none' }}>
        {query.data.map((version) => (
          <VersionRow
            key={version.fileVersion}
            version={version}
            isCurrent={version.fileVersion === newest}
            canRestore={item.isEditable && version.fileVersion !== newest}
            onDownload={() => void downloadOne(item.id, version.fileVersion)}
            onRestore={() => setChosen(version.fileVersion)}
          />
        ))}
      </Box>
      <ConfirmDialog
        open={chosen !== undefined}
        title={text('fileDetails.restoreTitle', { version: chosen ?? 0 })}
        text={text('fileDetails.restoreText')}
        submitLabel={text('fileDetails.restoreVersion')}
        onSubmit={async () => {
          await restore.mutateAsync(chosen!)
          // The content before is the newest but one by now.
          notifyUndoable(text('fileDetails.versionRestored', { version: chosen! }), () =>
            restore.mutateAsync(newest),
          )
        }}
        onClose={() => setChosen(undefined)}
      />
    </>
  )
}
