import Box from '@mui/material/Box'
import Link from '@mui/material/Link'
import Skeleton from '@mui/material/Skeleton'
import Typography from '@mui/material/Typography'
import { Link as RouterLink } from 'react-router-dom'

import type { StorageItem } from '#contract/files/schema.ts'
import { useText } from '#src/kit/useText.ts'

import { useMarked } from '../queries.ts'
import { placePath } from '../useFilesRoute.ts'
import { ItemName } from './ItemName.tsx'
import { nameOf, placeOf } from './itemValues.ts'

/** Pixels, as wide as the details of a file. */
const WIDTH = 300
/** Files of each list (decisions §6: recent files). */
const SHOWN = 5

type OwnList = 'recent' | 'starred'
interface Props {
  onOpen: (item: StorageItem) => void
}

function Own({ place, onOpen }: Props & { place: OwnList }) {
  const text = useText()
  const { data } = useMarked(place, SHOWN)
  if (data?.items.length === 0) return null
  return (
    <Box component="section" sx={{ '& + &': { mt: 2, pt: 2, borderTop: 1, borderColor: 'divider' } }}>
      <Box sx={{ display: 'flex', alignItems: 'baseline', gap: 1, mb: 0.5 }}>
        <Typography variant="h3" component="h2" sx={{ flex: 1 }}>
          {text(`files.places.${place}`)}
        </Typography>
        {data && data.total > SHOWN && (
          <Link
            component={RouterLink}
            to={placePath(place)}
            aria-label={text('files.showAllOf', { list: text(`files.places.${place}`) })}
            sx={{ fontSize: '0.8125rem' }}
          >
            {text('files.showAll')}
          </Link>
        )}
      </Box>
      {!data && [1, 2, 3].map((row) => <Skeleton key={row} height={44} />)}
      <Box component="ul" sx={{ m: 0, p: 0, listStyle: 'none' }}>
        {data?.items.map((item) => (
          <li key={item.id}>
            <Box
              component="button"
              type="button"
              onClick={() => onOpen(item)}
              title={nameOf(item)}
              sx={{
                all: 'unset',
                boxSizing: 'border-box',
                display: 'block',
                width: '100%',
                p: 0.75,
                mx: -0.75,
                borderRadius: '6px',
                cursor: 'pointer',
                whiteSpace: 'nowrap',
                '&:hover': { bgcolor: 'action.hover' },
                '&:focus-visible': { outline: '2px solid', outlineColor: 'primary.main' },
              }}
            >
              <ItemName item={{ ...item, isStarred: item.isStarred && place === 'recent' }} />
              <Box
                component="span"
                dir="auto"
                sx={{
                  display: 'block',
                  pl: 3.5,
                  fontSize: '0.75rem',
                  color: 'text.secondary',
                  overflow: 'hidden',
                  textOverflow: 'ellipsis',
                }}
              >
                {placeOf(text('files.title'), item.path)}
              </Box>
            </Box>
          </li>
        ))}
      </Box>
    </Box>
  )
}

/** The files that a person used last and has starred, beside the root of all files. Takes no room while there are none. */
export function FilesAside({ onOpen }: Props) {
  const text = useText()
  return (
    <Box
      component="aside"
      aria-label={text('files.own')}
      sx={{
        boxSizing: 'border-box',
        width: WIDTH,
        flex: 'none',
        px: 1,
        pt: 1,
        '&:empty': { display: 'none' },
      }}
    >
      <Own place="recent" onOpen={onOpen} />
      <Own place="starred" onOpen={onOpen} />
    </Box>
  )
}
