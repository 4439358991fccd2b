import Alert from '@mui/material/Alert'
import Box from '@mui/material/Box'
import { useNotify } from 'react-admin'
import { useRef, useState } from 'react'

import { MEMBER_REQUIRED, MEMBERS_AT_ONCE, type Room } from '#contract/chat/schema.ts'
import type { NamedPerson } from '#contract/users/schema.ts'
import { useChat } from '#providers/chat/useChat.ts'
import { messageOf } from '#providers/problem.ts'
import { SubmitButton } from '#src/kit/form/SubmitButton.tsx'
import { useSubmitOnce } from '#src/kit/form/useSubmitOnce.ts'
import { useText } from '#src/kit/useText.ts'

import { UserPicker } from '../form/UserPicker.tsx'
import { useRefreshMembers } from './queries.ts'

export function AddUsers({ room, label, isWide = false }: { room: Room; label: string; isWide?: boolean }) {
  const text = useText()
  const notify = useNotify()
  const chat = useChat()
  const refresh = useRefreshMembers(room.id)
  const input = useRef<HTMLInputElement>(null)
  const [people, setPeople] = useState<readonly NamedPerson[]>([])
  const [isMissing, setMissing] = useState(false)
  const [problem, setProblem] = useState<string>()
  const add = async () => {
    setProblem(undefined)
    setMissing(people.length === 0)
    // The picker itself shows the error of too many people.
    if (people.length === 0 || people.length > MEMBERS_AT_ONCE) return input.current?.focus()
    try {
      const userIds = people.map(({ uuid }) => uuid)
      await chat.take((provider) => provider.addMembers(room.id, userIds))
      refresh()
      setPeople([])
      notify(text('chatRooms.added', { smart_count: people.length }), { type: 'success' })
    } catch (error) {
      setProblem(messageOf(error, text('kit.wentWrong')))
    }
  }
  const { busy, submit } = useSubmitOnce(add)
  return (
    <Box
      component="form"
      noValidate
      aria-label={label}
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
      sx={{ display: 'grid', gridTemplateColumns: 'minmax(0, 1fr)', gap: 1 }}
    >
      <Box sx={isWide ? { display: 'flex', flexWrap: 'wrap', alignItems: 'flex-start', gap: 1 } : undefined}>
        <Box sx={{ flex: '1 1 240px', minWidth: 0 }}>
          <UserPicker
            label={label}
            isLabelHidden={!isWide}
            value={people}
            onChange={(chosen) => {
              setPeople(chosen)
              setMissing(false)
            }}
            roomId={room.id}
            problem={isMissing ? MEMBER_REQUIRED : undefined}
            inputRef={input}
          />
        </Box>
        {/* Aligns the button with the field, below its label. */}
        <Box sx={isWide ? { pt: '25px' } : { mt: 1 }}>
          <SubmitButton label={text('chatRooms.add')} busyLabel={text('chatRooms.adding')} busy={busy} />
        </Box>
      </Box>
      {problem && <Alert severity="error">{problem}</Alert>}
    </Box>
  )
}
