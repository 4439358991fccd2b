import DeleteSweepRounded from '@mui/icons-material/DeleteSweepRounded'
import LinkRounded from '@mui/icons-material/LinkRounded'
import Box from '@mui/material/Box'
import IconButton from '@mui/material/IconButton'
import ToggleButton from '@mui/material/ToggleButton'
import ToggleButtonGroup from '@mui/material/ToggleButtonGroup'
import { Suspense, useState } from 'react'

import { ROOT } from '#contract/files/schema.ts'
import { useConfig } from '#src/config/useConfig.ts'
import { lazy } from '#src/kit/browser/lazy.ts'
import { useText } from '#src/kit/useText.ts'

import type { FilesLayout, ItemPlace, ItemView } from '../selectionValues.ts'
import { FilesToolbar } from './FilesToolbar.tsx'
import { FolderPath } from './FolderPath.tsx'
import { UploadButton } from './UploadButton.tsx'
import type { ItemDrag } from './useItemDrag.ts'

const AllLinksDialog = lazy(async () => ({
  default: (await import('#src/file-links/AllLinksDialog.tsx')).AllLinksDialog,
}))
const TrashDialog = lazy(async () => ({ default: (await import('../trash/TrashDialog.tsx')).TrashDialog }))

const PLACES: readonly ItemPlace[] = ['folder', 'recent', 'starred']

/** Opens the trash. */
function TrashButton() {
  const text = useText()
  const [isOpen, setOpen] = useState<boolean>()
  return (
    <>
      <IconButton
        aria-label={text('files.trash')}
        title={text('files.trash')}
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
        sx={{ color: 'text.secondary' }}
      >
        <DeleteSweepRounded />
      </IconButton>
      {isOpen !== undefined && (
        <Suspense>
          <TrashDialog open={isOpen} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}

/** Opens the links of the organisation, where it has links. */
function LinksButton() {
  const text = useText()
  const [isOpen, setOpen] = useState(false)
  if (useConfig()?.fileLinksEnabled !== true) return null
  return (
    <>
      <IconButton
        aria-label={text('fileLinks.title')}
        title={text('fileLinks.title')}
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
        sx={{ color: 'text.secondary' }}
      >
        <LinkRounded />
      </IconButton>
      {isOpen && (
        <Suspense>
          <AllLinksDialog onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}

interface SwitchProps {
  view: ItemView
  onChange: (patch: Partial<ItemView>) => void
}

/** Chooses between the folders and the lists of the person's own. */
function PlaceSwitch({ view, onChange }: SwitchProps) {
  const text = useText()
  return (
    <ToggleButtonGroup
      exclusive
      size="small"
      aria-label={text('files.places.label')}
      value={view.place}
      onChange={(_, place: ItemPlace | null) => place && onChange({ place, folderId: ROOT, search: '' })}
    >
      {PLACES.map((place) => (
        <ToggleButton key={place} value={place} sx={{ px: 1.5, minHeight: { xs: 44, md: 32 } }}>
          {text(`files.places.${place}`)}
        </ToggleButton>
      ))}
    </ToggleButtonGroup>
  )
}

interface Props extends SwitchProps {
  hasPreview: boolean
  drag: ItemDrag
  layout: FilesLayout
  onLayout: (layout: FilesLayout) => void
  onNewFolder: () => void
}

/** Path, choice of the list, search and buttons above the files. */
export function FilesHead({ view, onChange, hasPreview, drag, ...toolbar }: Props) {
  return (
    <>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 1 }}>
        <Box sx={{ flex: '1 1 240px', minWidth: 0 }}>
          <FolderPath view={view} hasPreview={hasPreview} drag={drag} />
        </Box>
        <PlaceSwitch view={view} onChange={onChange} />
      </Box>
      <FilesToolbar view={view} onChange={onChange} {...toolbar}>
        <LinksButton />
        <TrashButton />
        {view.place === 'folder' && <UploadButton folderId={view.folderId} />}
      </FilesToolbar>
    </>
  )
}
