import DownloadRounded from '@mui/icons-material/DownloadRounded'
import RefreshRounded from '@mui/icons-material/RefreshRounded'
import IconButton from '@mui/material/IconButton'

import type { AnyDefinition } from './resource.ts'
import { useCsvExport } from './useCsvExport.ts'
import { RefreshButton } from './RefreshButton.tsx'
import type { ResourceList } from './useResourceList.ts'
import { useText } from '../useText.ts'

const turning = {
  '@keyframes turn': { to: { rotate: '360deg' } },
  animation: 'turn 800ms linear infinite',
}

interface Props {
  definition: AnyDefinition
  list: ResourceList
  /** Hides the export of an empty list. */
  isEmpty: boolean
}

/** The buttons of every list: CSV export and refresh. */
export function ListButtons({ definition, list, isEmpty }: Props) {
  const text = useText()
  const { busy, run } = useCsvExport(definition, list)
  return (
    <>
      {!isEmpty && (
        <IconButton
          title={text('grid.export')}
          aria-label={text('grid.export')}
          loading={busy}
          onClick={() => void run()}
          sx={{ color: 'text.secondary' }}
        >
          <DownloadRounded />
        </IconButton>
      )}
      {'refreshRests' in definition && definition.refreshRests ? (
        <RefreshButton resource={definition.name} onRefresh={() => void list.refresh()} />
      ) : (
        <IconButton
          title={text('grid.refresh')}
          aria-label={text('grid.refresh')}
          onClick={() => void list.refresh()}
          sx={{ color: 'text.secondary' }}
        >
          <RefreshRounded sx={list.isFetching ? turning : {}} />
        </IconButton>
      )}
    </>
  )
}
