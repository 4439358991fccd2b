import ChevronRightRounded from '@mui/icons-material/ChevronRightRounded'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import FormControlLabel from '@mui/material/FormControlLabel'
import IconButton from '@mui/material/IconButton'
import Radio from '@mui/material/Radio'
import Skeleton from '@mui/material/Skeleton'
import Typography from '@mui/material/Typography'
import { useState } from 'react'

import { ErrorState } from '#src/kit/feedback/ErrorState.tsx'
import { useText } from '#src/kit/useText.ts'

import { useSubfolders } from '../queries.ts'

/** A folder that can receive moved items. */
export interface Target {
  readonly id: number
  readonly name: string
}
interface TreeProps {
  chosen: Target | undefined
  onChoose: (target: Target) => void
  /** True if the folder cannot be chosen; its subfolders can. */
  isClosed: (id: number) => boolean
  /** True if the folder is being moved, so that its subtree is no target. */
  isMoved: (id: number) => boolean
}

/** The subfolders of a folder, requested when it is expanded. */
function Subfolders({ parent, ...tree }: TreeProps & { parent: Target }) {
  const text = useText()
  const query = useSubfolders(parent.id)
  const folders = query.data?.pages.flatMap(({ items }) => items)
  if (!folders && query.error)
    return (
      <ErrorState
        error={query.error}
        text={text('files.foldersNotLoaded')}
        onRetry={() => void query.refetch()}
      />
    )
  if (!folders) return <Skeleton aria-label={text('kit.loading')} height={36} sx={{ ml: 5, maxWidth: 240 }} />
  if (folders.length === 0)
    return (
      <Typography variant="body2" sx={{ pl: 5, py: 0.5, color: 'text.secondary' }}>
        {text('files.noFolders')}
      </Typography>
    )
  return (
    <>
      <Box component="ul" sx={{ m: 0, p: 0, listStyle: 'none' }}>
        {folders.map((folder) => (
          <FolderNode key={folder.id} folder={folder} {...tree} />
        ))}
      </Box>
      {query.hasNextPage && (
        <Button
          size="small"
          loading={query.isFetchingNextPage}
          onClick={() => void query.fetchNextPage()}
          sx={{ ml: 4 }}
        >
          {text('files.more')}
        </Button>
      )}
    </>
  )
}

interface NodeProps extends TreeProps {
  folder: Target
  isUnfoldedAtFirst?: boolean
}

export function FolderNode({ folder, isUnfoldedAtFirst = false, ...tree }: NodeProps) {
  const text = useText()
  const [isUnfolded, setUnfolded] = useState(isUnfoldedAtFirst)
  const { id, name } = folder
  const isMoved = tree.isMoved(id)
  const label = text(isUnfolded ? 'files.collapse' : 'files.expand', { name })
  return (
    <Box component="li">
      <Box sx={{ display: 'flex', alignItems: 'center', minHeight: { xs: 44, md: 36 } }}>
        <IconButton
          size="small"
          aria-expanded={isUnfolded}
          aria-label={label}
          title={label}
          disabled={isMoved}
          onClick={() => setUnfolded(!isUnfolded)}
        >
          <ChevronRightRounded fontSize="small" sx={{ rotate: isUnfolded ? '90deg' : '0deg' }} />
        </IconButton>
        <FormControlLabel
          control={
            <Radio
              size="small"
              name="folder"
              checked={tree.chosen?.id === id}
              disabled={isMoved || tree.isClosed(id)}
              onChange={() => tree.onChoose(folder)}
            />
          }
          label={<bdi>{name}</bdi>}
          sx={{ m: 0, minWidth: 0, overflowWrap: 'anywhere' }}
        />
      </Box>
      {isUnfolded && !isMoved && (
        <Box sx={{ pl: 2.5 }}>
          <Subfolders parent={folder} {...tree} />
        </Box>
      )}
    </Box>
  )
}
