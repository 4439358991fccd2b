import AddReactionOutlined from '@mui/icons-material/AddReactionOutlined'
import AlarmRounded from '@mui/icons-material/AlarmRounded'
import BookmarkBorderRounded from '@mui/icons-material/BookmarkBorderRounded'
import BookmarkRounded from '@mui/icons-material/BookmarkRounded'
import DeleteOutlineRounded from '@mui/icons-material/DeleteOutlineRounded'
import EditOutlined from '@mui/icons-material/EditOutlined'
import LinkRounded from '@mui/icons-material/LinkRounded'
import MarkChatUnreadOutlined from '@mui/icons-material/MarkChatUnreadOutlined'
import MoreHorizRounded from '@mui/icons-material/MoreHorizRounded'
import PlaylistAddRounded from '@mui/icons-material/PlaylistAddRounded'
import PushPinOutlined from '@mui/icons-material/PushPinOutlined'
import ReplyRounded from '@mui/icons-material/ReplyRounded'
import Box from '@mui/material/Box'
import IconButton from '@mui/material/IconButton'
import ListItemIcon from '@mui/material/ListItemIcon'
import Menu from '@mui/material/Menu'
import MenuItem from '@mui/material/MenuItem'
import Tooltip from '@mui/material/Tooltip'
import { useLocaleState, useNotify } from 'react-admin'
import { type ComponentType, type Ref, Suspense, useState } from 'react'

import { addToIncidentAccess } from '#contract/chat/access.ts'
import { messageCan, roomCan } from '#contract/chat/rules.ts'
import type { Room } from '#contract/chat/schema.ts'
import { personWith } from '#contract/kit/access.ts'
import type { ChatMessage } from '#providers/chat/timeline.ts'
import { useChat, useIsSaved } from '#providers/chat/useChat.ts'
import type { TextKey } from '#providers/i18nProvider.ts'
import { useSession } from '#providers/session.ts'
import { useCan } from '#providers/useCan.ts'
import { copyText } from '#src/kit/browser/clipboard.ts'
import { lazy } from '#src/kit/browser/lazy.ts'
import { moveFocus } from '#src/kit/browser/moveFocus.ts'
import { exactTime } from '#src/kit/time/formats.ts'
import { MINUTE, useNow } from '#src/kit/time/clock.ts'
import { useText } from '#src/kit/useText.ts'
import { useConfig } from '#src/config/useConfig.ts'

import { startEditing } from './useEditedMessage.ts'
import { useMessageActs } from './useMessageActs.ts'

const ReactionPopover = lazy(async () => ({
  default: (await import('./MessageDialogs.tsx')).ReactionPopover,
}))
const RemoveDialog = lazy(async () => ({ default: (await import('./MessageDialogs.tsx')).RemoveDialog }))
const RemindDialog = lazy(async () => ({ default: (await import('./RemindDialog.tsx')).RemindDialog }))
const AddToIncident = lazy(async () => ({ default: (await import('./AddToIncident.tsx')).AddToIncident }))

/** Minutes in which a message can be edited; default until the configuration has loaded. */
const EDIT_MINUTES = 15
const CHAT_ADMINS = personWith('chat-admin')

interface Act {
  readonly key: string
  readonly icon: ComponentType
  readonly label: TextKey
  readonly isDestructive?: boolean
  /** True for actions that also have a button beside the message. */
  readonly isQuick?: boolean
  readonly run: (opener: HTMLElement) => void
}

/** True while the caller may edit the message. */
export function useCanEdit(message: ChatMessage): boolean {
  const { uuid } = useSession()
  const minutes = useConfig()?.messageHistoryEditTimeout ?? EDIT_MINUTES
  const now = useNow(MINUTE)
  return message.status === 'received' && messageCan.edit(message, uuid ?? '', { now, minutes })
}

/** True for a person who pins messages in the room. */
function useCanPin(room: Room): boolean {
  const { uuid } = useSession()
  const { lacks } = useChat().provider
  const isAdmin = useCan()(CHAT_ADMINS)
  const me = { userId: uuid ?? '', role: room.membership.role }
  return roomCan.pin(room, me, isAdmin) && !(room.isHeadquarters && lacks?.has('pinInHeadquarters'))
}

interface Props {
  room: Room
  message: ChatMessage
  onQuote: (message: ChatMessage) => void
}
interface Asking {
  readonly react: (opener: HTMLElement) => void
  readonly remove: () => void
  readonly add: () => void
  readonly remind: () => void
}
/** Saving a message, and a reminder of it. */
function useKeepingActs(message: ChatMessage, asking: Asking): Act[] {
  const { lacks } = useChat().provider
  const { save } = useMessageActs(message)
  const isSaved = useIsSaved(message.id)
  if (lacks?.has('saved')) return []
  return [
    {
      key: 'save',
      icon: isSaved ? BookmarkRounded : BookmarkBorderRounded,
      label: isSaved ? 'chatMessages.unsave' : 'chatMessages.save',
      run: () => void save(!isSaved),
    },
    { key: 'remind', icon: AlarmRounded, label: 'chatMessages.remind', run: asking.remind },
  ]
}

/** The caller's actions on a message, in order. */
function useActs({ room, message, onQuote }: Props, asking: Asking): Act[] {
  const text = useText()
  const notify = useNotify()
  const { uuid } = useSession()
  const canEdit = useCanEdit(message)
  const can = useCan()
  const { pin, unreadFrom } = useMessageActs(message)
  const keeping = useKeepingActs(message, asking)
  const isPinned = message.pinned !== null
  const { lacks } = useChat().provider
  const canPin = useCanPin(room)
  const copyLink = async () => {
    try {
      await copyText(`${location.origin}/chat/${room.id}?message=${message.id}`)
      notify(text('chatMessages.linkCopied'), { type: 'success' })
    } catch {
      notify(text('kit.wentWrong'), { type: 'error' })
    }
  }
  const acts: (Act | false)[] = [
    {
      key: 'react',
      icon: AddReactionOutlined,
      label: 'chatMessages.react',
      isQuick: true,
      run: asking.react,
    },
    !room.isArchived && {
      key: 'reply',
      icon: ReplyRounded,
      label: 'chatMessages.reply',
      isQuick: true,
      run: () => onQuote(message),
    },
    canEdit && {
      key: 'edit',
      icon: EditOutlined,
      label: 'chatMessages.edit',
      isQuick: true,
      run: () => startEditing(message.id),
    },
    canPin && {
      key: 'pin',
      icon: PushPinOutlined,
      label: isPinned ? 'chatMessages.unpin' : 'chatMessages.pin',
      isQuick: true,
      run: () => void pin(!isPinned),
    },
    !lacks?.has('addToIncident') &&
      can(addToIncidentAccess) &&
      !message.isCall && {
        key: 'incident',
        icon: PlaylistAddRounded,
        label: 'chatActivities.add',
        run: asking.add,
      },
    ...keeping,
    !lacks?.has('unreadFrom') && {
      key: 'unread',
      icon: MarkChatUnreadOutlined,
      label: 'chatMessages.markUnread',
      run: () => void unreadFrom(),
    },
    { key: 'link', icon: LinkRounded, label: 'chatMessages.copyLink', run: () => void copyLink() },
    messageCan.remove(message, uuid ?? '') && {
      key: 'delete',
      icon: DeleteOutlineRounded,
      label: 'chatMessages.delete',
      isDestructive: true,
      run: asking.remove,
    },
  ]
  return acts.filter((act) => act !== false)
}

interface MenuProps extends Props {
  asking: Asking
  anchor: HTMLElement | null
  onClose: () => void
}
/** Menu of all actions, below the exact time, which touch devices show nowhere else. */
function ActsMenu({ asking, anchor, onClose, ...props }: MenuProps) {
  const text = useText()
  const [locale] = useLocaleState()
  const acts = useActs(props, asking)
  return (
    <Menu anchorEl={anchor} open={anchor !== null} onClose={onClose}>
      <Box
        component="li"
        role="presentation"
        sx={{ px: 2, py: 0.5, fontSize: '0.75rem', color: 'text.secondary' }}
      >
        {exactTime(locale, Date.parse(props.message.created_at))}
      </Box>
      {acts.map(({ key, icon: Icon, label, isDestructive = false, run }) => (
        <MenuItem
          key={key}
          onClick={() => {
            onClose()
            run(anchor!)
          }}
          sx={{
            minHeight: 44,
            ...(isDestructive && { color: 'error.main', '& svg': { color: 'error.main' } }),
          }}
        >
          <ListItemIcon>
            <Icon />
          </ListItemIcon>
          {text(label)}
        </MenuItem>
      ))}
    </Menu>
  )
}

/** Styles of the toolbar that floats over a message. */
export const actStyles = {
  position: 'absolute',
  top: -14,
  insetInlineEnd: 8,
  zIndex: 1,
  display: 'flex',
  p: '2px',
  border: 1,
  borderColor: 'divider',
  borderRadius: '6px',
  bgcolor: 'background.paper',
  color: 'text.secondary',
  // Touch has no hover, so the menu button stays beside the message.
  '@media (hover: none)': { top: 0, insetInlineEnd: 0, border: 0, bgcolor: 'transparent' },
} as const

const moreButton = { '@media (hover: none)': { width: 44, height: 44 } }

function QuickActs({ asking, ...props }: Props & { asking: Asking }) {
  const text = useText()
  const acts = useActs(props, asking)
  return acts
    .filter(({ isQuick }) => isQuick)
    .map(({ key, icon: Icon, label, run }) => (
      <Tooltip key={key} title={text(label)}>
        <IconButton
          size="small"
          tabIndex={-1}
          aria-label={text(label)}
          onClick={(event) => run(event.currentTarget)}
          sx={{ '@media (hover: none)': { display: 'none' } }}
        >
          <Icon />
        </IconButton>
      </Tooltip>
    ))
}

/** True once `holds` has been true: a menu or dialog is mounted from then on, so that its closing animates. */
function useEver(holds: boolean): boolean {
  const [has, setHas] = useState(holds)
  if (holds && !has) setHas(true)
  return has || holds
}

interface ActionsProps extends Props {
  /** True once the message was hovered or focused: action buttons are mounted from then on. */
  isMet: boolean
  /** The menu button, which is always mounted. */
  ref: Ref<HTMLButtonElement>
}

/**
 * Actions on a message: buttons on hover and focus, and a menu. Menu and dialogs mount when opened, because
 * scrolling mounts many rows.
 */
export function MessageActions({ isMet, ref, ...props }: ActionsProps) {
  const { message } = props
  const text = useText()
  const [menu, setMenu] = useState<HTMLElement | null>(null)
  const [picker, setPicker] = useState<HTMLElement | null>(null)
  const [asked, setAsked] = useState<'remove' | 'add' | 'remind' | null>(null)
  const hasMenu = useEver(menu !== null)
  const hasPicker = useEver(picker !== null)
  const hasRemove = useEver(asked === 'remove')
  const done = () => setAsked(null)
  const asking: Asking = {
    react: setPicker,
    remove: () => setAsked('remove'),
    add: () => setAsked('add'),
    remind: () => setAsked('remind'),
  }
  return (
    <>
      {/* oxlint-disable-next-line jsx-a11y/interactive-supports-focus -- its buttons take the focus */}
      <div
        className="acts"
        role="toolbar"
        aria-label={text('chatMessages.actions')}
        onKeyDown={moveFocus}
        data-held={menu !== null || picker !== null}
      >
        {isMet && <QuickActs {...props} asking={asking} />}
        <Tooltip title={text('chatMessages.more')}>
          <IconButton
            ref={ref}
            size="small"
            aria-label={text('chatMessages.more')}
            aria-haspopup="menu"
            aria-expanded={menu !== null}
            onClick={(event) => setMenu(event.currentTarget)}
            sx={moreButton}
          >
            <MoreHorizRounded />
          </IconButton>
        </Tooltip>
      </div>
      {hasMenu && <ActsMenu {...props} asking={asking} anchor={menu} onClose={() => setMenu(null)} />}
      <Suspense>
        {hasPicker && <ReactionPopover message={message} anchor={picker} onClose={() => setPicker(null)} />}
        {hasRemove && <RemoveDialog message={message} open={asked === 'remove'} onClose={done} />}
      </Suspense>
      {asked === 'remind' && (
        <Suspense>
          <RemindDialog messageId={message.id} onClose={done} />
        </Suspense>
      )}
      {asked === 'add' && (
        <Suspense>
          <AddToIncident message={message} onClose={done} />
        </Suspense>
      )}
    </>
  )
}
