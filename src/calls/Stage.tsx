import Box from '@mui/material/Box'

import type { Tile } from '#providers/calls/engine.ts'

import { CallTile } from './CallTile.tsx'

interface Props {
  tiles: readonly Tile[]
  /** True if the stage is wider than high. */
  isWide: boolean
}

/** Number of columns that gives the largest tiles. */
const columnsOf = (count: number, isWide: boolean): number => {
  if (isWide) return count <= 1 ? 1 : count <= 4 ? 2 : count <= 9 ? 3 : 4
  return count <= 3 ? 1 : count <= 8 ? 2 : 3
}

/** All participants. A shared screen takes most of the space. */
export function Stage({ tiles, isWide }: Props) {
  const shared = tiles.filter(({ screen }) => screen !== null)
  const hasScreen = shared.length > 0
  const columns = columnsOf(tiles.length, isWide)
  const rows = Math.ceil(tiles.length / columns)
  return (
    <Box
      sx={{
        flex: 1,
        minHeight: 0,
        display: 'flex',
        flexDirection: hasScreen && isWide ? 'row' : 'column',
        gap: 1,
        p: 1,
        overflow: 'auto',
        containerType: 'inline-size',
        overscrollBehavior: 'contain',
      }}
    >
      {hasScreen && (
        <Box
          component="ul"
          sx={{
            flex: '3 1 0',
            minWidth: 0,
            minHeight: 96,
            m: 0,
            p: 0,
            display: 'grid',
            gap: 1,
            listStyle: 'none',
          }}
        >
          {shared.map((tile) => (
            <CallTile key={tile.participant.participantId} tile={tile} isScreen />
          ))}
        </Box>
      )}
      <Box
        component="ul"
        sx={{
          flex: hasScreen ? (isWide ? '0 0 220px' : 'none') : 1,
          minHeight: 0,
          // Limits the height, so that no picture is cropped to a strip.
          maxHeight: hasScreen ? 'none' : `calc(${rows} * ${isWide ? 56 / columns : 64}cqw)`,
          my: hasScreen ? 0 : 'auto',
          p: 0,
          listStyle: 'none',
          display: 'grid',
          gap: 1,
          gridTemplateColumns: `repeat(${hasScreen && isWide ? 1 : hasScreen ? Math.min(tiles.length, 3) : columns}, minmax(0, 1fr))`,
          gridAutoRows: hasScreen && !isWide ? '80px' : 'minmax(88px, 1fr)',
        }}
      >
        {tiles.map((tile) => (
          <CallTile key={tile.participant.participantId} tile={tile} />
        ))}
      </Box>
    </Box>
  )
}
