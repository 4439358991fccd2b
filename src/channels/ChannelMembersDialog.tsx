import AddModeratorRounded from '@mui/icons-material/AddModeratorRounded'
import PersonRemoveRounded from '@mui/icons-material/PersonRemoveRounded'
import RemoveModeratorRounded from '@mui/icons-material/RemoveModeratorRounded'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Dialog from '@mui/material/Dialog'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import DialogTitle from '@mui/material/DialogTitle'
import IconButton from '@mui/material/IconButton'
import useMediaQuery from '@mui/material/useMediaQuery'
import { type ReactNode, useId, useRef, useState } from 'react'

import type { Channel, ChannelMember, MemberChanges } from '#contract/channels/schema.ts'
import { isManager } from '#contract/chat/rules.ts'
import { fullName } from '#contract/kit/names.ts'
import { EmptyState } from '#src/kit/feedback/EmptyState.tsx'
import { ErrorState } from '#src/kit/feedback/ErrorState.tsx'
import { ListSkeleton } from '#src/kit/list/ListSkeleton.tsx'
import { PHONE } from '#src/kit/layout/breakpoints.ts'
import { SearchBox } from '#src/kit/list/SearchBox.tsx'
import { useText } from '#src/kit/useText.ts'

import { OUT_OF_SIGHT } from '#src/kit/layout/outOfSight.ts'
import { PersonLine } from '#src/users/PersonLine.tsx'
import { AddChannelMembers } from './AddChannelMembers.tsx'
import { useChannelMembers, useMemberChanges } from './queries.ts'

const BUTTON = { color: 'text.secondary', width: { xs: 44, sm: 40 }, height: { xs: 44, sm: 40 } }

interface LineProps {
  member: ChannelMember
  isBusy: boolean
  onChange: (changes: MemberChanges, done: string) => void
}

/** A member with the channel role. The owner can be neither removed nor demoted. */
function MemberLine({ member: { user_id, channel_role: role, user }, isBusy, onChange }: LineProps) {
  const text = useText()
  const name = fullName(user)
  const action = (label: string, icon: ReactNode, run: () => void) => (
    <IconButton title={label} aria-label={label} disabled={isBusy} onClick={run} sx={BUTTON}>
      {icon}
    </IconButton>
  )
  return (
    <PersonLine email={user.email} user={user}>
      {role !== 'member' && (
        <Box component="span" sx={{ flex: 'none', fontSize: '0.8125rem', color: 'text.secondary' }}>
          {text(`channels.roles.${role}`)}
        </Box>
      )}
      {role !== 'owner' && (
        <Box sx={{ flex: 'none', display: 'flex' }}>
          {isManager(role)
            ? action(text('channels.demoteOne', { name }), <RemoveModeratorRounded />, () =>
                onChange({ demote_moderators: [user_id] }, text('channels.demoted', { name })),
              )
            : user.active &&
              action(text('channels.promoteOne', { name }), <AddModeratorRounded />, () =>
                onChange({ add_moderators: [user_id] }, text('channels.promoted', { name })),
              )}
          {action(text('grid.remove', { name }), <PersonRemoveRounded />, () =>
            onChange({ remove_members: [user_id] }, text('channels.memberRemoved', { name })),
          )}
        </Box>
      )}
    </PersonLine>
  )
}

interface ListProps extends Omit<LineProps, 'member'> {
  channel: Channel
  name: string
}

function Members({ channel, name, ...props }: ListProps) {
  const text = useText()
  const { members, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useChannelMembers(
    channel.id,
    name,
  )
  if (!members)
    return error ? <ErrorState error={error} onRetry={() => void refetch()} /> : <ListSkeleton phone />
  if (members.length === 0)
    return <EmptyState text={text(name === '' ? 'channels.nobody' : 'channels.noneFound')} />
  return (
    <>
      <Box
        component="ul"
        aria-label={text('channels.members')}
        sx={{
          m: 0,
          p: 0,
          listStyle: 'none',
          '& > li': { py: 0.75, ...OUT_OF_SIGHT },
          '& > li + li': { borderTop: 1, borderColor: 'divider' },
        }}
      >
        {members.map((member) => (
          <li key={member.user_id}>
            <MemberLine member={member} {...props} />
          </li>
        ))}
      </Box>
      {hasNextPage && (
        <Button size="small" loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          {text('grid.more')}
        </Button>
      )}
    </>
  )
}

interface Props {
  record: Channel
  onClose: () => void
}

/** The members of a channel, to be added, removed and made moderators (administration §2.1). */
export function ChannelMembersDialog({ record: channel, onClose }: Props) {
  const text = useText()
  const titleId = useId()
  const phone = useMediaQuery(PHONE, { noSsr: true })
  const [name, setName] = useState('')
  const { isBusy, change } = useMemberChanges(channel)
  const list = useRef<HTMLDivElement>(null)
  const onChange = (changes: MemberChanges, done: string) => {
    // The pressed button may disappear with its row, so the list takes the focus.
    list.current?.focus()
    void change(changes, done)
  }
  return (
    <Dialog open onClose={onClose} fullScreen={phone} fullWidth maxWidth="sm" aria-labelledby={titleId}>
      <DialogTitle id={titleId} sx={{ overflowWrap: 'anywhere' }}>
        {text('channels.membersOf', { name: channel.name })}
      </DialogTitle>
      <DialogContent dividers sx={{ display: 'grid', alignContent: 'start', gap: 2 }}>
        <AddChannelMembers
          isBusy={isBusy}
          onAdd={(ids) => change({ add_members: ids }, text('channels.added', { smart_count: ids.length }))}
        />
        <SearchBox label={text('channels.searchMembers')} value={name} onSearch={setName} />
        <Box ref={list} tabIndex={-1} sx={{ minHeight: 320, outline: 'none' }}>
          <Members channel={channel} name={name} isBusy={isBusy} onChange={onChange} />
        </Box>
      </DialogContent>
      <DialogActions sx={{ pt: 2 }}>
        <Button onClick={onClose}>{text('kit.close')}</Button>
      </DialogActions>
    </Dialog>
  )
}
