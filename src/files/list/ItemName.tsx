import GavelRounded from '@mui/icons-material/GavelRounded'
import StarRounded from '@mui/icons-material/StarRounded'
import Box from '@mui/material/Box'

import type { StorageItem } from '#contract/files/schema.ts'
import { useText } from '#src/kit/useText.ts'

import { ItemIcon } from './ItemIcon.tsx'
import { nameOf } from './itemValues.ts'

/** The icon and name of a file or folder, with marks for a star and a legal hold. */
export function ItemName({ item }: { item: StorageItem }) {
  const text = useText()
  return (
    <Box component="span" sx={{ display: 'flex', alignItems: 'center', gap: 1, minWidth: 0 }}>
      <ItemIcon item={item} sx={{ flex: 'none', color: item.isFolder ? 'primary.main' : 'text.secondary' }} />
      <Box component="bdi" title={nameOf(item)} sx={{ overflow: 'hidden', textOverflow: 'ellipsis' }}>
        {nameOf(item)}
      </Box>
      {item.isStarred && (
        <StarRounded
          titleAccess={text('files.starred')}
          sx={{ flex: 'none', fontSize: 16, color: 'text.secondary' }}
        />
      )}
      {item.isOnHold && (
        <GavelRounded
          titleAccess={text('files.onHold')}
          sx={{ flex: 'none', fontSize: 16, color: 'text.secondary' }}
        />
      )}
    </Box>
  )
}
