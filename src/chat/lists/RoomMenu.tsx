import NotificationsOffOutlined from '@mui/icons-material/NotificationsOffOutlined'
import NotificationsOutlined from '@mui/icons-material/NotificationsOutlined'
import StarOutlineRounded from '@mui/icons-material/StarOutlineRounded'
import StarRounded from '@mui/icons-material/StarRounded'
import { useNotify } from 'react-admin'

import type { MembershipChanges, Room } from '#contract/chat/schema.ts'
import { useChat } from '#providers/chat/useChat.ts'
import { messageOf } from '#providers/problem.ts'
import { type MenuPlace, RowMenu } from '#src/kit/list/RowMenu.tsx'
import { useText } from '#src/kit/useText.ts'

interface Props {
  room: Room
  title: string
  place: MenuPlace
  onClose: () => void
}

/** The person's own settings of a room. */
export function RoomMenu({ room, title, place, onClose }: Props) {
  const text = useText()
  const chat = useChat()
  const notify = useNotify()
  const { isFavourite = false, isMuted = false } = room.membership
  const change = (changes: MembershipChanges) => () => {
    chat
      .changeMembership(room.id, changes)
      .catch((error: unknown) => notify(messageOf(error, text('kit.wentWrong')), { type: 'error' }))
  }
  return (
    <RowMenu
      name={title}
      place={place}
      onClose={onClose}
      actions={[
        {
          key: 'favourite',
          label: text(isFavourite ? 'chat.noFavourite' : 'chat.makeFavourite'),
          icon: isFavourite ? StarRounded : StarOutlineRounded,
          destructive: false,
          run: change({ isFavourite: !isFavourite }),
        },
        {
          key: 'mute',
          label: text(isMuted ? 'chat.unmute' : 'chat.mute'),
          icon: isMuted ? NotificationsOutlined : NotificationsOffOutlined,
          destructive: false,
          run: change({ isMuted: !isMuted }),
        },
      ]}
    />
  )
}
