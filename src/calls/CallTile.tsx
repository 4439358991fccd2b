import GraphicEqRounded from '@mui/icons-material/GraphicEqRounded'
import MicOffRounded from '@mui/icons-material/MicOffRounded'
import PanToolRounded from '@mui/icons-material/PanToolRounded'
import SignalCellularAlt1BarRounded from '@mui/icons-material/SignalCellularAlt1BarRounded'
import SignalCellularAlt2BarRounded from '@mui/icons-material/SignalCellularAlt2BarRounded'
import Box from '@mui/material/Box'
import { memo } from 'react'

import type { Tile } from '#providers/calls/engine.ts'
import { Initials } from '#src/kit/layout/Initials.tsx'
import { visuallyHidden } from '#src/kit/layout/visuallyHidden.ts'
import { useText } from '#src/kit/useText.ts'
import { Picture } from './Picture.tsx'

import { partsOf } from './windowValues.ts'

/** Background of pictures, dark in both colour schemes. */
const STAGE = { light: '#171C24', dark: '#0F1319' }

/** State of somebody's sound and connection, as icons with words. */
export function TileMarks({ tile }: { tile: Tile }) {
  const text = useText()
  const { media, isSpeaking, quality, isConnected } = tile
  const marks = [
    !media.audio && isConnected && { icon: <MicOffRounded />, words: text('callWindow.muted') },
    isSpeaking && { icon: <GraphicEqRounded />, words: text('callWindow.speaks') },
    quality === 'fair' && {
      icon: <SignalCellularAlt2BarRounded />,
      words: text('callWindow.quality.fair'),
    },
    quality === 'poor' && {
      icon: <SignalCellularAlt1BarRounded />,
      words: text('callWindow.quality.poor'),
    },
  ].filter((mark) => mark !== false)
  return marks.map(({ icon, words }) => (
    <Box key={words} component="span" title={words} sx={{ display: 'flex', '& svg': { fontSize: 16 } }}>
      {icon}
      <span style={visuallyHidden}>{words}</span>
    </Box>
  ))
}

/** A raised hand with its place in the order of those that are up. */
export function HandMark({ place }: { place: number }) {
  const text = useText()
  const words = text('callWindow.handPlace', { place })
  return (
    <Box
      component="span"
      title={words}
      sx={{ display: 'flex', alignItems: 'center', gap: 0.25, '& svg': { fontSize: 16 } }}
    >
      <PanToolRounded />
      <span aria-hidden>{place}</span>
      <span style={visuallyHidden}>{words}</span>
    </Box>
  )
}

interface Props {
  tile: Tile
  /** Shows the shared screen instead of the camera. */
  isScreen?: boolean
  /** Place among the raised hands, from 1. */
  hand?: number | undefined
}

/** One participant: picture or initials, name, state of sound and connection. */
export const CallTile = memo(function CallTile({ tile, isScreen = false, hand }: Props) {
  const text = useText()
  const { participant, isMe, isConnected, isSpeaking } = tile
  const name = isMe ? text('callWindow.you') : participant.name
  const stream = isScreen ? tile.screen : tile.camera
  const label = isScreen
    ? isMe
      ? text('callWindow.myScreen')
      : text('callWindow.screenOf', { name })
    : text('callWindow.pictureOf', { name })
  return (
    <Box
      component="li"
      sx={(theme) => ({
        position: 'relative',
        display: 'grid',
        placeItems: 'center',
        minWidth: 0,
        minHeight: 0,
        overflow: 'hidden',
        borderRadius: 1,
        bgcolor: STAGE.light,
        color: '#FFFFFF',
        outline: isSpeaking && !isScreen ? '3px solid' : 'none',
        outlineColor: theme.vars.palette.primary.main,
        outlineOffset: -3,
        ...theme.applyStyles('dark', { bgcolor: STAGE.dark }),
      })}
    >
      {stream ? (
        <Picture stream={stream} label={label} isMirrored={isMe && !isScreen} isWhole={isScreen} />
      ) : (
        <Box sx={{ opacity: isConnected ? 1 : 0.5 }}>
          <Initials {...partsOf(participant.name)} imageUrl={participant.avatar} size={56} />
        </Box>
      )}
      <Box
        sx={{
          position: 'absolute',
          insetInlineStart: 6,
          bottom: 6,
          maxWidth: 'calc(100% - 12px)',
          display: 'flex',
          alignItems: 'center',
          gap: 0.5,
          px: 0.75,
          py: 0.25,
          borderRadius: 0.75,
          bgcolor: 'rgb(15 19 25 / 78%)',
          fontSize: '0.75rem',
        }}
      >
        <Box
          component="span"
          dir="auto"
          sx={{ overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' }}
        >
          {isScreen ? label : name}
        </Box>
        {!isScreen && <TileMarks tile={tile} />}
        {!isScreen && hand !== undefined && <HandMark place={hand} />}
        {!isConnected && !isScreen && <span>{text('callWindow.connecting')}</span>}
      </Box>
    </Box>
  )
})
