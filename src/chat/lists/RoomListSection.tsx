import AddRounded from '@mui/icons-material/AddRounded'
import ExpandMoreRounded from '@mui/icons-material/ExpandMoreRounded'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import ButtonBase from '@mui/material/ButtonBase'
import IconButton from '@mui/material/IconButton'
import Skeleton from '@mui/material/Skeleton'
import Tooltip from '@mui/material/Tooltip'
import Typography from '@mui/material/Typography'
import { useId } from 'react'
import { useNavigate } from 'react-router-dom'

import type { RoomKind } from '#contract/chat/schema.ts'
import { useChat, useRoomList } from '#providers/chat/useChat.ts'
import { useRemembered } from '#src/kit/list/useRemembered.ts'
import { useText } from '#src/kit/useText.ts'

import { RoomRow } from './RoomRow.tsx'

const SKELETONS = 3

interface Props {
  kind: RoomKind
  openId: string | undefined
  /** True if the person may create rooms of this kind. */
  canCreate: boolean
}

/** A list of rooms of one kind, with a create button and paging on demand. */
export function RoomListSection({ kind, openId, canCreate }: Props) {
  const text = useText()
  const id = useId()
  const chat = useChat()
  const navigate = useNavigate()
  const list = useRoomList(kind)
  const [isFolded, setIsFolded] = useRemembered('chat', `folded.${kind}`, false)
  const name = text(`chat.lists.${kind}`)
  return (
    <Box component="section" aria-labelledby={`${id}-name`} sx={{ mb: 1.5 }}>
      <Box sx={{ display: 'flex', alignItems: 'center', minHeight: 36 }}>
        <ButtonBase
          aria-expanded={!isFolded}
          aria-controls={id}
          onClick={() => setIsFolded(!isFolded)}
          sx={{
            flex: 1,
            justifyContent: 'flex-start',
            gap: 0.5,
            px: 0.5,
            minHeight: { xs: 44, md: 32 },
            borderRadius: '6px',
          }}
        >
          <ExpandMoreRounded
            fontSize="small"
            sx={{ color: 'text.secondary', transform: isFolded ? 'rotate(-90deg)' : 'none' }}
          />
          <Typography
            id={`${id}-name`}
            variant="body2"
            component="h2"
            sx={{ fontWeight: 600, color: 'text.secondary' }}
          >
            {name}
          </Typography>
        </ButtonBase>
        {canCreate && (
          <Tooltip title={text(`chat.create.${kind}`)}>
            <IconButton
              aria-label={text(`chat.create.${kind}`)}
              onClick={() => void navigate(`/chat?new=${kind}`)}
              sx={{ width: { xs: 44, md: 32 }, height: { xs: 44, md: 32 } }}
            >
              <AddRounded fontSize="small" />
            </IconButton>
          </Tooltip>
        )}
      </Box>
      <Box id={id} hidden={isFolded}>
        <Box component="ul" sx={{ m: 0, p: 0, listStyle: 'none' }}>
          {list.rooms.map((room) => (
            <li key={room.id}>
              <RoomRow room={room} isOpen={room.id === openId} />
            </li>
          ))}
        </Box>
        {list.status === 'loading' &&
          Array.from({ length: SKELETONS }, (_, n) => <Skeleton key={n} height={32} sx={{ mx: 1 }} />)}
        {list.status === 'ready' && list.rooms.length === 0 && (
          <Typography variant="body2" sx={{ px: 1, py: 0.5, color: 'text.secondary' }}>
            {text('chat.noChannels')}
          </Typography>
        )}
        {list.hasMore && (
          <Button size="small" loading={list.isLoadingMore} onClick={() => void chat.loadMore(kind)}>
            {text('chat.loadMore')}
          </Button>
        )}
      </Box>
    </Box>
  )
}
