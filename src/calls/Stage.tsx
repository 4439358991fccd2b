import ChevronLeftRounded from '@mui/icons-material/ChevronLeftRounded'
import ChevronRightRounded from '@mui/icons-material/ChevronRightRounded'
import Box from '@mui/material/Box'
import IconButton from '@mui/material/IconButton'

import type { Tile } from '#providers/calls/engine.ts'
import { useText } from '#src/kit/useText.ts'

import { CallTile } from './CallTile.tsx'
import { handsOf } from './handValues.ts'
import { usePagedTiles, useSpeaker } from './useStage.ts'

interface Props {
  tiles: readonly Tile[]
  /** True if the stage is wider than high. */
  isWide: boolean
  layout: 'grid' | 'speaker'
}

/** Tiles of a page: more of them would be too small for a name. */
const perPageOf = (isWide: boolean): number => (isWide ? 12 : 8)

/** Number of columns that gives the largest tiles. */
const columnsOf = (count: number, isWide: boolean): number => {
  if (isWide) return count <= 1 ? 1 : count <= 4 ? 2 : count <= 9 ? 3 : 4
  return count <= 3 ? 1 : 2
}

interface PagesProps {
  page: number
  pages: number
  setPage: (page: number) => void
}
/** Buttons to the other pages of tiles. */
function Pages({ page, pages, setPage }: PagesProps) {
  const text = useText()
  return (
    <Box sx={{ flex: 'none', display: 'flex', alignItems: 'center', justifyContent: 'center', gap: 1 }}>
      <IconButton
        size="small"
        aria-label={text('callWindow.previousPage')}
        disabled={page === 1}
        onClick={() => setPage(page - 1)}
      >
        <ChevronLeftRounded />
      </IconButton>
      <Box component="span" aria-live="polite" sx={{ fontSize: '0.8125rem', color: 'text.secondary' }}>
        {text('callWindow.page', { page, pages })}
      </Box>
      <IconButton
        size="small"
        aria-label={text('callWindow.nextPage')}
        disabled={page === pages}
        onClick={() => setPage(page + 1)}
      >
        <ChevronRightRounded />
      </IconButton>
    </Box>
  )
}

const list = { m: 0, p: 0, display: 'grid', gap: 1, listStyle: 'none' } as const

/** Styles of the tiles beside a large one. */
const stripOf = (count: number, isWide: boolean) => ({
  flex: isWide ? '0 0 220px' : 'none',
  maxHeight: 'none',
  my: 0,
  gridTemplateColumns: `repeat(${isWide ? 1 : Math.min(count, 3)}, minmax(0, 1fr))`,
  gridAutoRows: isWide ? 'minmax(88px, 1fr)' : '80px',
})
/** Styles of the tiles where they fill the stage. */
function gridOf(count: number, isWide: boolean) {
  const columns = columnsOf(count, isWide)
  return {
    flex: 1,
    // Limits the height, so that no picture is cropped to a strip.
    maxHeight: `calc(${Math.ceil(count / columns)} * ${isWide ? 56 / columns : 64}cqw)`,
    my: 'auto',
    gridTemplateColumns: `repeat(${columns}, minmax(0, 1fr))`,
    gridAutoRows: 'minmax(88px, 1fr)',
  }
}

/** The tiles that take most of the space: shared screens, or in the speaker's view who speaks. */
function useLarge(tiles: readonly Tile[], layout: Props['layout']): readonly Tile[] {
  const speaker = useSpeaker(tiles)
  const shared = tiles.filter(({ screen }) => screen !== null)
  if (shared.length > 0) return shared
  return layout === 'speaker' && speaker && tiles.length > 1 ? [speaker] : []
}

/** All participants, in pages. A shared screen, or who speaks, takes most of the space. */
export function Stage({ tiles, isWide, layout }: Props) {
  const large = useLarge(tiles, layout)
  const isScreen = large.some(({ screen }) => screen !== null)
  const hasLarge = large.length > 0
  const small = isScreen ? tiles : tiles.filter((tile) => !large.includes(tile))
  const { visible, ...paging } = usePagedTiles(small, perPageOf(isWide))
  const hands = handsOf(tiles)
  const tileOf = (tile: Tile, isLarge: boolean) => {
    const id = tile.participant.participantId
    return <CallTile key={id} tile={tile} isScreen={isLarge && isScreen} hand={hands.get(id)} />
  }
  return (
    <Box sx={{ flex: 1, minHeight: 0, display: 'flex', flexDirection: 'column', p: 1, gap: 1 }}>
      <Box
        sx={{
          flex: 1,
          minHeight: 0,
          display: 'flex',
          flexDirection: hasLarge && isWide ? 'row' : 'column',
          gap: 1,
          overflow: 'auto',
          containerType: 'inline-size',
          overscrollBehavior: 'contain',
        }}
      >
        {hasLarge && (
          <Box component="ul" sx={{ ...list, flex: '3 1 0', minWidth: 0, minHeight: 96 }}>
            {large.map((tile) => tileOf(tile, true))}
          </Box>
        )}
        <Box
          component="ul"
          sx={{
            ...list,
            minHeight: 0,
            ...(hasLarge ? stripOf(visible.length, isWide) : gridOf(visible.length, isWide)),
          }}
        >
          {visible.map((tile) => tileOf(tile, false))}
        </Box>
      </Box>
      {paging.pages > 1 && <Pages {...paging} />}
    </Box>
  )
}
