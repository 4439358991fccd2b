import GavelRounded from '@mui/icons-material/GavelRounded'
import StarRateRounded from '@mui/icons-material/StarRateRounded'
import Box from '@mui/material/Box'

import type { StorageItem } from '#contract/files/schema.ts'
import { useText } from '#src/kit/useText.ts'

import { ItemIcon } from './ItemIcon.tsx'
import { nameOf } from './itemValues.ts'

/** Marks of a file or folder that is starred or on legal hold. */
export function ItemMarks({ item }: { item: StorageItem }) {
  const text = useText()
  const sx = { flex: 'none', fontSize: 16, color: 'text.secondary' }
  return (
    <>
      {item.isStarred && <StarRateRounded titleAccess={text('files.starred')} sx={sx} />}
      {item.isOnHold && <GavelRounded titleAccess={text('files.onHold')} sx={sx} />}
    </>
  )
}

/** The icon, name and marks of a file or folder. */
export function ItemName({ item }: { item: StorageItem }) {
  return (
    <Box component="span" sx={{ display: 'flex', alignItems: 'center', gap: 1, minWidth: 0 }}>
      <ItemIcon item={item} sx={{ flex: 'none', color: item.isFolder ? 'primary.main' : 'text.secondary' }} />
      <Box component="bdi" title={nameOf(item)} sx={{ overflow: 'hidden', textOverflow: 'ellipsis' }}>
        {nameOf(item)}
      </Box>
      <ItemMarks item={item} />
    </Box>
  )
}
