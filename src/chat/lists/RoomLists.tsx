import AlternateEmailRounded from '@mui/icons-material/AlternateEmailRounded'
import BookmarkBorderRounded from '@mui/icons-material/BookmarkBorderRounded'
import ForumOutlined from '@mui/icons-material/ForumOutlined'
import ManageSearchRounded from '@mui/icons-material/ManageSearchRounded'
import ScheduleSendRounded from '@mui/icons-material/ScheduleSendRounded'
import SearchRounded from '@mui/icons-material/SearchRounded'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import IconButton from '@mui/material/IconButton'
import Typography from '@mui/material/Typography'
import type { ComponentType } from 'react'
import { Link, useLocation } from 'react-router-dom'

import { ROOM_KINDS } from '#contract/chat/schema.ts'
import { useChat, useRoomList, useUnreadThreads } from '#providers/chat/useChat.ts'
import { useSession } from '#providers/session.ts'
import { visuallyHidden } from '#src/kit/layout/visuallyHidden.ts'
import { useText } from '#src/kit/useText.ts'

import { AlertMenu } from './AlertMenu.tsx'
import { RoomListSection } from './RoomListSection.tsx'

/** Largest number beside a link. */
const COUNTED_MAX = 99

interface Props {
  openId: string | undefined
  onFind: () => void
}

interface ListLinkProps {
  to: string
  icon: ComponentType
  label: string
  /** Number at the end of the link; 0 for none. */
  count?: number
  countLabel?: string
}
/** A link to a list of messages of all rooms. */
function ListLink({ to, icon: Icon, label, count = 0, countLabel }: ListLinkProps) {
  const { pathname, search } = useLocation()
  const isOpen = pathname + search === to
  return (
    <Button
      component={Link}
      to={to}
      color="inherit"
      startIcon={<Icon />}
      aria-current={isOpen ? 'page' : undefined}
      sx={{
        justifyContent: 'flex-start',
        flex: 'none',
        mx: 1,
        px: 1,
        minHeight: { xs: 44, md: 32 },
        fontWeight: 400,
        '& .MuiButton-startIcon': { ml: 0, color: 'text.secondary' },
        ...(isOpen && { bgcolor: 'action.selected' }),
      }}
    >
      {label}
      {count > 0 && (
        <Box component="span" sx={{ ml: 'auto', fontWeight: 600, color: 'primary.main' }}>
          <span aria-hidden>{count > COUNTED_MAX ? `${COUNTED_MAX}+` : count}</span>
          <Box component="span" sx={visuallyHidden}>
            {countLabel}
          </Box>
        </Box>
      )}
    </Button>
  )
}

/** The link to the threads, with the number of those that are unread. */
function ThreadsLink() {
  const text = useText()
  const count = useUnreadThreads().size
  return (
    <ListLink
      to="/chat?threads"
      icon={ForumOutlined}
      label={text('chat.threads')}
      count={count}
      countLabel={text('chat.threadsUnread', { smart_count: count })}
    />
  )
}

/** The left side of the chat: the person's rooms in three lists. */
export function RoomLists({ openId, onFind }: Props) {
  const text = useText()
  const { user } = useSession()
  const { lacks } = useChat().provider
  const lists = [useRoomList('WAR_ROOM'), useRoomList('BREAKOUT_ROOM'), useRoomList('DIRECT_MESSAGE')]
  const isFailed = lists.some(({ status }) => status === 'failed')
  return (
    <Box
      component="nav"
      aria-label={text('chat.rooms')}
      sx={{
        display: 'flex',
        flexDirection: 'column',
        width: { xs: '100%', md: 280 },
        flex: 'none',
        minHeight: 0,
        borderRight: { md: 1 },
        borderColor: { md: 'divider' },
        bgcolor: 'background.paper',
      }}
    >
      <Box sx={{ display: 'flex', alignItems: 'center', gap: 0.5, p: 1.5, pb: 1 }}>
        <Button
          fullWidth
          variant="outlined"
          color="inherit"
          startIcon={<SearchRounded />}
          onClick={onFind}
          sx={{
            justifyContent: 'flex-start',
            minHeight: { xs: 44, md: 36 },
            color: 'text.secondary',
            borderColor: 'background.edge',
          }}
        >
          {text('chat.find')}
        </Button>
        <IconButton
          component={Link}
          to="/chat?search"
          aria-label={text('chat.searchAll')}
          title={text('chat.searchAll')}
          sx={{ width: { xs: 44, md: 36 }, height: { xs: 44, md: 36 }, flex: 'none' }}
        >
          <ManageSearchRounded />
        </IconButton>
        <AlertMenu />
      </Box>
      {!lacks?.has('threads') && <ThreadsLink />}
      {!lacks?.has('mentionList') && (
        <ListLink to="/chat?mentions" icon={AlternateEmailRounded} label={text('chat.mentions')} />
      )}
      {!lacks?.has('saved') && (
        <ListLink to="/chat?saved" icon={BookmarkBorderRounded} label={text('chat.saved')} />
      )}
      {!lacks?.has('scheduled') && (
        <ListLink to="/chat?scheduled" icon={ScheduleSendRounded} label={text('chat.scheduled')} />
      )}
      <Box sx={{ flex: 1, overflowY: 'auto', px: 1, pb: 2 }}>
        {isFailed ? (
          <Box role="alert" sx={{ display: 'grid', justifyItems: 'start', gap: 1, p: 1 }}>
            <Typography variant="body2">{text('chat.listsFailed')}</Typography>
            <Button size="small" variant="outlined" onClick={() => location.reload()}>
              {text('chat.reloadPage')}
            </Button>
          </Box>
        ) : (
          ROOM_KINDS.map((kind) => (
            <RoomListSection
              key={kind}
              kind={kind}
              openId={openId}
              canCreate={kind === 'DIRECT_MESSAGE' || user?.type !== 'EXTERNAL'}
            />
          ))
        )}
      </Box>
    </Box>
  )
}
