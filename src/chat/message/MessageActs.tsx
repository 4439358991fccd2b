import AddReactionOutlined from '@mui/icons-material/AddReactionOutlined'
import AlarmRounded from '@mui/icons-material/AlarmRounded'
import BookmarkBorderRounded from '@mui/icons-material/BookmarkBorderRounded'
import BookmarkRounded from '@mui/icons-material/BookmarkRounded'
import DeleteOutlineRounded from '@mui/icons-material/DeleteOutlineRounded'
import EditOutlined from '@mui/icons-material/EditOutlined'
import ForumOutlined from '@mui/icons-material/ForumOutlined'
import FactCheckOutlined from '@mui/icons-material/FactCheckOutlined'
import LinkRounded from '@mui/icons-material/LinkRounded'
import MarkChatUnreadOutlined from '@mui/icons-material/MarkChatUnreadOutlined'
import PlaylistAddRounded from '@mui/icons-material/PlaylistAddRounded'
import PushPinOutlined from '@mui/icons-material/PushPinOutlined'
import ReplyRounded from '@mui/icons-material/ReplyRounded'
import Box from '@mui/material/Box'
import IconButton from '@mui/material/IconButton'
import ListItemIcon from '@mui/material/ListItemIcon'
import Menu from '@mui/material/Menu'
import MenuItem from '@mui/material/MenuItem'
import Tooltip from '@mui/material/Tooltip'
import { useQueryClient } from '@tanstack/react-query'
import { useLocaleState, useNotify } from 'react-admin'
import { type ComponentType, type KeyboardEvent, type Ref, useImperativeHandle } from 'react'

import { addToIncidentAccess } from '#contract/chat/access.ts'
import { messageCan, roomCan } from '#contract/chat/rules.ts'
import type { Room } from '#contract/chat/schema.ts'
import { personWith } from '#contract/kit/access.ts'
import type { ChatMessage } from '#providers/chat/timeline.ts'
import { useChat, useIsSaved } from '#providers/chat/useChat.ts'
import type { TextKey } from '#providers/i18nProvider.ts'
import { messageOf } from '#providers/problem.ts'
import { useSession } from '#providers/session.ts'
import { useCan } from '#providers/useCan.ts'
import { copyText } from '#src/kit/browser/clipboard.ts'
import { exactTime } from '#src/kit/time/formats.ts'
import { useText } from '#src/kit/useText.ts'

import { useThreads } from '../room/threadContext.ts'
import { useCanEdit } from './useCanEdit.ts'
import { editKey, startEditing } from './useEditedMessage.ts'
import { useMessageActs } from './useMessageActs.ts'

const CHAT_ADMINS = personWith('chat-admin')

interface Act {
  readonly key: string
  readonly icon: ComponentType
  readonly label: TextKey
  readonly isDestructive?: boolean
  /** True for actions that also have a button beside the message. */
  readonly isQuick?: boolean
  /** Key that does it while the message has the focus, as `event.key`. */
  readonly shortcut?: string
  readonly run: (opener: HTMLElement) => void
}

/** True for a person who pins messages in the room. */
function useCanPin(room: Room): boolean {
  const { uuid } = useSession()
  const { lacks } = useChat().provider
  const isAdmin = useCan()(CHAT_ADMINS)
  const me = { userId: uuid ?? '', role: room.membership.role }
  return roomCan.pin(room, me, isAdmin) && !(room.isHeadquarters && lacks?.has('pinInHeadquarters'))
}

/** A message whose actions are offered. */
export interface MessageActsProps {
  room: Room
  message: ChatMessage
  onQuote: (message: ChatMessage) => void
}
export interface Asking {
  readonly react: (opener: HTMLElement) => void
  readonly remove: () => void
  readonly add: () => void
  readonly remind: () => void
}
/** The action of a pressed key. Combinations belong to the browser. */
const actOf = (acts: readonly Act[], event: KeyboardEvent): Act | undefined =>
  event.ctrlKey || event.metaKey || event.altKey
    ? undefined
    : acts.find(({ shortcut }) => shortcut === event.key)

/** The key of an action at the end of its entry, without a part in its name. */
const shortcutMark = {
  content: 'attr(data-shortcut) / ""',
  ml: 'auto',
  pl: 3,
  fontSize: '0.75rem',
  color: 'text.secondary',
  '@media (hover: none)': { display: 'none' },
} as const

/** Saving a message, and a reminder of it. */
function useKeepingActs(message: ChatMessage, asking: Asking): Act[] {
  const { lacks } = useChat().provider
  const { save } = useMessageActs(message)
  const isSaved = useIsSaved(message.id)
  if (lacks?.has('saved')) return []
  return [
    {
      key: 'save',
      shortcut: 's',
      icon: isSaved ? BookmarkRounded : BookmarkBorderRounded,
      label: isSaved ? 'chatMessages.unsave' : 'chatMessages.save',
      run: () => void save(!isSaved),
    },
    { key: 'remind', shortcut: 't', icon: AlarmRounded, label: 'chatMessages.remind', run: asking.remind },
  ]
}

/** Opening the thread of a message, and marking what follows it as unread: in the room only. */
function useRoomActs(message: ChatMessage): { answer: Act[]; unread: Act[] } {
  const { lacks } = useChat().provider
  const { isInThread, open } = useThreads()
  const { unreadFrom } = useMessageActs(message)
  if (isInThread) return { answer: [], unread: [] }
  return {
    answer: open
      ? [
          {
            key: 'thread',
            shortcut: 'h',
            icon: ForumOutlined,
            label: 'chatMessages.answerInThread',
            isQuick: true,
            run: () => open(message.thread?.id ?? message.id),
          },
        ]
      : [],
    unread: lacks?.has('unreadFrom')
      ? []
      : [
          {
            key: 'unread',
            shortcut: 'u',
            icon: MarkChatUnreadOutlined,
            label: 'chatMessages.markUnread',
            run: () => void unreadFrom(),
          },
        ],
  }
}

/** Asking everybody in the room to confirm the message. */
function useConfirmationActs({ room, message }: Pick<MessageActsProps, 'room' | 'message'>): Act[] {
  const text = useText()
  const notify = useNotify()
  const client = useQueryClient()
  const { uuid } = useSession()
  const { lacks } = useChat().provider
  const canPin = useCanPin(room)
  if (lacks?.has('confirmations') || message.isCall || room.isArchived) return []
  if (!canPin && message.user !== uuid) return []
  const ask = async () => {
    try {
      const { requestConfirmation } = await import('#src/confirmations/queries.ts')
      await requestConfirmation(client, { subject: 'MESSAGE', id: message.id })
      notify(text('confirmations.asked'), { type: 'success' })
    } catch (error) {
      notify(messageOf(error, text('kit.wentWrong')), { type: 'error' })
    }
  }
  return [
    {
      key: 'confirmation',
      shortcut: 'c',
      icon: FactCheckOutlined,
      label: 'confirmations.ask',
      run: () => void ask(),
    },
  ]
}

/** The caller's actions on a message, in order. */
function useActs({ room, message, onQuote }: MessageActsProps, asking: Asking): Act[] {
  const text = useText()
  const notify = useNotify()
  const { uuid } = useSession()
  const canEdit = useCanEdit(message)
  const can = useCan()
  const { pin } = useMessageActs(message)
  const { answer, unread } = useRoomActs(message)
  const keeping = useKeepingActs(message, asking)
  const isPinned = message.pinned !== null
  const { lacks } = useChat().provider
  const { isInThread } = useThreads()
  const canPin = useCanPin(room) && !isInThread
  const confirming = useConfirmationActs({ room, message })
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
      shortcut: 'a',
      icon: AddReactionOutlined,
      label: 'chatMessages.react',
      isQuick: true,
      run: asking.react,
    },
    !room.isArchived && {
      key: 'reply',
      shortcut: 'r',
      icon: ReplyRounded,
      label: 'chatMessages.reply',
      isQuick: true,
      run: () => onQuote(message),
    },
    ...answer,
    canEdit && {
      key: 'edit',
      shortcut: 'e',
      icon: EditOutlined,
      label: 'chatMessages.edit',
      isQuick: true,
      run: () => startEditing(editKey(message.id, isInThread)),
    },
    canPin && {
      key: 'pin',
      shortcut: 'p',
      icon: PushPinOutlined,
      label: isPinned ? 'chatMessages.unpin' : 'chatMessages.pin',
      isQuick: true,
      run: () => void pin(!isPinned),
    },
    !lacks?.has('addToIncident') &&
      can(addToIncidentAccess) &&
      !message.isCall && {
        key: 'incident',
        shortcut: 'i',
        icon: PlaylistAddRounded,
        label: 'chatActivities.add',
        run: asking.add,
      },
    ...confirming,
    ...keeping,
    ...unread,
    {
      key: 'link',
      shortcut: 'l',
      icon: LinkRounded,
      label: 'chatMessages.copyLink',
      run: () => void copyLink(),
    },
    messageCan.remove(message, uuid ?? '') && {
      key: 'delete',
      shortcut: 'Delete',
      icon: DeleteOutlineRounded,
      label: 'chatMessages.delete',
      isDestructive: true,
      run: asking.remove,
    },
  ]
  return acts.filter((act) => act !== false)
}

interface MenuProps extends MessageActsProps {
  asking: Asking
  anchor: HTMLElement | null
  onClose: () => void
}
/** Menu of all actions, below the exact time, which touch devices show nowhere else. */
export function ActsMenu({ asking, anchor, onClose, ...props }: MenuProps) {
  const text = useText()
  const [locale] = useLocaleState()
  const acts = useActs(props, asking)
  const press = (event: KeyboardEvent) => {
    const act = actOf(acts, event)
    if (!act) return
    // The menu would move to an entry that begins with the letter.
    event.stopPropagation()
    event.preventDefault()
    onClose()
    act.run(anchor!)
  }
  return (
    <Menu
      anchorEl={anchor}
      open={anchor !== null}
      onClose={onClose}
      slotProps={{ list: { onKeyDownCapture: press } }}
    >
      <Box
        component="li"
        role="presentation"
        sx={{ px: 2, py: 0.5, fontSize: '0.75rem', color: 'text.secondary' }}
      >
        {exactTime(locale, Date.parse(props.message.created_at))}
      </Box>
      {acts.map(({ key, icon: Icon, label, isDestructive = false, shortcut, run }) => (
        <MenuItem
          key={key}
          aria-keyshortcuts={shortcut}
          data-shortcut={shortcut?.toUpperCase()}
          onClick={() => {
            onClose()
            run(anchor!)
          }}
          sx={{
            minHeight: 44,
            '&::after': shortcutMark,
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

interface QuickProps extends MessageActsProps {
  asking: Asking
  /** Receives the keys of the toolbar. */
  keys: Ref<(event: KeyboardEvent<HTMLElement>) => void>
}
/** Buttons of the frequent actions, and the keys of all. */
export function QuickActs({ asking, keys, ...props }: QuickProps) {
  const text = useText()
  const acts = useActs(props, asking)
  useImperativeHandle(keys, () => (event) => {
    const act = actOf(acts, event)
    if (!act) return
    event.preventDefault()
    act.run(event.currentTarget.querySelector<HTMLElement>('button:last-of-type')!)
  })
  return acts
    .filter(({ isQuick }) => isQuick)
    .map(({ key, icon: Icon, label, shortcut, run }) => (
      <Tooltip key={key} title={text(label)}>
        <IconButton
          size="small"
          tabIndex={-1}
          aria-label={text(label)}
          aria-keyshortcuts={shortcut}
          onClick={(event) => run(event.currentTarget)}
          sx={{ '@media (hover: none)': { display: 'none' } }}
        >
          <Icon />
        </IconButton>
      </Tooltip>
    ))
}
