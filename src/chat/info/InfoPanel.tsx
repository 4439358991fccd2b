import CloseRounded from '@mui/icons-material/CloseRounded'
import EditRounded from '@mui/icons-material/EditRounded'
import LockRounded from '@mui/icons-material/LockRounded'
import Box from '@mui/material/Box'
import IconButton from '@mui/material/IconButton'
import Typography from '@mui/material/Typography'
import { Suspense, useId, useState } from 'react'

import { roomCan } from '#contract/chat/rules.ts'
import type { Room } from '#contract/chat/schema.ts'
import { useSession } from '#providers/session.ts'
import { lazy } from '#src/kit/browser/lazy.ts'
import { draftedForm } from '#src/kit/form/useDraft.ts'
import { PlainText } from '#src/kit/rich-text/PlainText.tsx'
import { useText } from '#src/kit/useText.ts'

import { AddUsers } from './AddUsers.tsx'
import { EditRoomDialog } from './EditRoomDialog.tsx'
import { FilesDialog } from './FilesDialog.tsx'
import { FilesSection } from './FilesSection.tsx'
import { ManageDialog } from './ManageDialog.tsx'
import { MembersSection } from './MembersSection.tsx'
import { PinnedSection } from './PinnedSection.tsx'
import { RoomActions } from './RoomActions.tsx'
import { EDIT_ROOM } from './formValues.ts'
import { titleOf } from '../titleValues.ts'
import { Section } from './Section.tsx'

const RoomCommand = lazy(async () => ({
  default: (await import('#src/incidents/command/RoomCommand.tsx')).RoomCommand,
}))

/** Pixels of the panel's content (operations §9). */
const WIDTH = 275

interface Props {
  room: Room
  onClose: () => void
  /** Jumps to a message of the room. */
  onJump: (sequence: number, messageId: string) => void
}

/** The room's title, with an edit button. */
function Heading({ room, onEdit }: { room: Room; onEdit: (() => void) | undefined }) {
  const text = useText()
  return (
    <Box sx={{ display: 'flex', alignItems: 'flex-start', gap: 0.5, px: 1, pb: 1 }}>
      <Box sx={{ flex: 1, minWidth: 0, pt: onEdit ? 0.75 : 0 }}>
        <Typography variant="h3" dir="auto" sx={{ overflowWrap: 'anywhere' }}>
          {titleOf(room)}
        </Typography>
        {room.privileged && (
          <Box
            sx={(theme) => ({
              display: 'flex',
              alignItems: 'center',
              gap: 0.5,
              color: theme.vars.palette.privileged.main,
              fontSize: '0.75rem',
              fontWeight: 600,
            })}
          >
            <LockRounded sx={{ fontSize: 16 }} />
            {text('chatRooms.privileged')}
          </Box>
        )}
      </Box>
      {onEdit && (
        <IconButton
          aria-label={text('chatRooms.editRoom')}
          title={text('chatRooms.editRoom')}
          onClick={onEdit}
          sx={{ color: 'text.secondary' }}
        >
          <EditRounded />
        </IconButton>
      )}
    </Box>
  )
}

function Panel({ room, onClose, onJump }: Props) {
  const text = useText()
  const titleId = useId()
  const { uuid } = useSession()
  const [dialog, setDialog] = useState<'edit' | 'members' | 'files' | undefined>(() =>
    draftedForm(EDIT_ROOM) === undefined ? undefined : 'edit',
  )
  const me = { userId: uuid ?? '', role: room.membership.role }
  const close = () => setDialog(undefined)
  return (
    <Box
      component="aside"
      aria-labelledby={titleId}
      sx={{
        flex: 'none',
        width: { xs: '100%', md: WIDTH },
        height: '100%',
        minHeight: 0,
        overflowY: 'auto',
        px: 1,
        bgcolor: 'background.paper',
        '& .MuiIconButton-root': { minWidth: { xs: 44, md: 36 }, minHeight: { xs: 44, md: 36 } },
      }}
    >
      <Box sx={{ display: 'flex', alignItems: 'center', minHeight: 56, pl: 1 }}>
        <Typography id={titleId} variant="h2" sx={{ flex: 1, fontSize: '1rem' }}>
          {text('chatRooms.info')}
        </Typography>
        <IconButton aria-label={text('chatRooms.closeInfo')} onClick={onClose}>
          <CloseRounded />
        </IconButton>
      </Box>
      <Heading room={room} onEdit={roomCan.edit(room, me) ? () => setDialog('edit') : undefined} />
      {room.description && (
        <Section name="description" title={text('chatRooms.description')}>
          <PlainText text={room.description} rows={8} />
        </Section>
      )}
      {room.incidentId !== null && (
        <Suspense>
          <RoomCommand incidentId={room.incidentId} />
        </Suspense>
      )}
      <MembersSection room={room} onManage={() => setDialog('members')} />
      {roomCan.addMembers(room, me) && (
        <Section name="addUsers" title={text('chatRooms.addUsers')}>
          <AddUsers room={room} label={text('chatRooms.addUsers')} />
        </Section>
      )}
      <PinnedSection room={room} onJump={onJump} />
      <FilesSection room={room} onJump={onJump} onViewAll={() => setDialog('files')} />
      <RoomActions room={room} onGone={onClose} />
      {dialog === 'edit' && <EditRoomDialog room={room} onClose={close} />}
      {dialog === 'members' && <ManageDialog room={room} onClose={close} />}
      {dialog === 'files' && (
        <FilesDialog
          room={room}
          onClose={close}
          onJump={(sequence, messageId) => {
            close()
            onJump(sequence, messageId)
          }}
        />
      )}
    </Box>
  )
}

/** Details, members, pins and files of a room (operations §2 "Channel info side panel"). */
export const InfoPanel = (props: Props) => <Panel key={props.room.id} {...props} />
