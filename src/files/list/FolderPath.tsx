import NavigateNextRounded from '@mui/icons-material/NavigateNextRounded'
import Breadcrumbs from '@mui/material/Breadcrumbs'
import Link from '@mui/material/Link'
import Skeleton from '@mui/material/Skeleton'
import Typography from '@mui/material/Typography'
import { Link as RouterLink } from 'react-router-dom'

import { ROOT } from '#contract/files/schema.ts'
import { useText } from '#src/kit/useText.ts'

import { useItem } from '../queries.ts'
import type { ItemView } from '../selectionValues.ts'
import { folderPath } from '../useFilesRoute.ts'
import type { ItemDrag } from './useItemDrag.ts'

/** Limits of shown path segments (operations §9). */
const STEPS_MAX = 8
const STEPS_MAX_BESIDE_PREVIEW = 5
const STEP_SX = { maxWidth: { xs: 140, md: 260 }, display: 'inline-block', verticalAlign: 'bottom' } as const

interface Props {
  view: ItemView
  hasPreview: boolean
  drag: ItemDrag
}

/** The path from the root to the open folder. Each segment is a drop target. */
export function FolderPath({ view, hasPreview, drag }: Props) {
  const text = useText()
  const { place, folderId } = view
  const { data: folder } = useItem(folderId)
  const root = { id: ROOT, name: text('files.title') }
  const isRoot = place === 'folder' && folderId === ROOT
  const above = isRoot ? [] : [root, ...(folder?.id === folderId ? folder.path : [])]
  const nameOfFolder = folderId === ROOT ? root.name : folder?.id === folderId ? folder.name : undefined
  const name = place === 'folder' ? nameOfFolder : text(`files.places.${place}`)
  return (
    <Breadcrumbs
      aria-label={text('files.path')}
      maxItems={hasPreview ? STEPS_MAX_BESIDE_PREVIEW : STEPS_MAX}
      itemsBeforeCollapse={1}
      itemsAfterCollapse={(hasPreview ? STEPS_MAX_BESIDE_PREVIEW : STEPS_MAX) - 2}
      separator={<NavigateNextRounded fontSize="small" />}
      expandText={text('files.showPath')}
    >
      {above.map((step) => (
        <Link
          key={step.id}
          component={RouterLink}
          to={folderPath(step.id, view)}
          underline="hover"
          noWrap
          dir="auto"
          title={step.name}
          onDragOver={(event) => drag.enter(step.id, event)}
          onDragLeave={drag.leave}
          onDrop={(event) => drag.drop(step.id, event)}
          sx={{
            ...STEP_SX,
            py: 0.5,
            ...(drag.over === step.id && { outline: '2px solid', outlineColor: 'primary.main' }),
          }}
        >
          {step.name}
        </Link>
      ))}
      <Typography
        component="h1"
        aria-current="page"
        noWrap
        dir="auto"
        title={name}
        sx={{ ...STEP_SX, m: 0, fontSize: '1rem', fontWeight: 600, color: 'text.primary' }}
      >
        {name ?? <Skeleton width={120} />}
      </Typography>
    </Breadcrumbs>
  )
}
