import FormControlLabel from '@mui/material/FormControlLabel'
import FormHelperText from '@mui/material/FormHelperText'
import FormLabel from '@mui/material/FormLabel'
import MenuItem from '@mui/material/MenuItem'
import Radio from '@mui/material/Radio'
import RadioGroup from '@mui/material/RadioGroup'
import Stack from '@mui/material/Stack'
import TextField from '@mui/material/TextField'
import { useQuery } from '@tanstack/react-query'
import { useNotify } from 'react-admin'
import { useId, useState } from 'react'

import type { NewMessageActivity } from '#contract/chat/schema.ts'
import { incidentsApi } from '#contract/incidents/api.ts'
import { SHORT_TEXT_MAX } from '#contract/kit/text.ts'
import { call } from '#providers/api.ts'
import type { ChatMessage } from '#providers/chat/timeline.ts'
import { useChat, useRoom } from '#providers/chat/useChat.ts'
import { Awaiting, isAwaiting } from '#src/kit/feedback/Awaiting.tsx'
import { ConfirmDialog } from '#src/kit/feedback/ConfirmDialog.tsx'
import { useText } from '#src/kit/useText.ts'

const TYPES = ['UPDATE', 'TASK', 'ENTRY', 'DECISION'] as const
type Type = NewMessageActivity['type']
const isTitled = (type: Type) => type === 'TASK' || type === 'DECISION'
/** A message becomes one update or task of an incident, one entry and one decision. */
const isOneOf = (made: Type, type: Type) =>
  made === type || [made, type].every((one) => one === 'TASK' || one === 'UPDATE')
/** Limit of offered incidents; fewer are in progress at a time. */
const OFFERED = 100

/** The chosen incident; the default is the room's incident, or the only one. */
function useChosen(message: ChatMessage) {
  const room = useRoom(message.roomId)
  const incidents = useQuery({
    queryKey: ['incidents', 'list', 'active'],
    queryFn: async ({ signal }) =>
      (await call(incidentsApi.list, { query: { isActive: 'true', size: String(OFFERED) }, signal })).data,
  })
  const [picked, setPicked] = useState<string>()
  const offered = incidents.data ?? []
  const usual =
    offered.find(({ id }) => id === room?.incidentId) ?? (offered.length === 1 ? offered[0] : undefined)
  const incident = offered.find(({ id }) => id === picked) ?? usual
  return { incidents, offered, incident, setPicked }
}

interface TypeProps {
  type: NewMessageActivity['type']
  onChange: (type: NewMessageActivity['type']) => void
}
function TypeField({ type, onChange }: TypeProps) {
  const text = useText()
  const id = useId()
  return (
    <div>
      <FormLabel id={id}>{text('chatActivities.type')}</FormLabel>
      <RadioGroup
        row
        aria-labelledby={id}
        value={type}
        onChange={(_, value) => onChange(value as NewMessageActivity['type'])}
      >
        {TYPES.map((one) => (
          <FormControlLabel
            key={one}
            value={one}
            control={<Radio size="small" />}
            label={text(`chatActivities.types.${one}`)}
            sx={{ minHeight: 44 }}
          />
        ))}
      </RadioGroup>
    </div>
  )
}

interface Props {
  message: ChatMessage
  onClose: () => void
}

/** Turns a message into a part of an active incident. */
export function AddToIncident({ message, onClose }: Props) {
  const text = useText()
  const notify = useNotify()
  const chat = useChat()
  const { incidents, offered, incident, setPicked } = useChosen(message)
  const [type, setType] = useState<NewMessageActivity['type']>('UPDATE')
  const [title, setTitle] = useState('')
  const isThere =
    message.activities?.some((made) => made.incidentId === incident?.id && isOneOf(made.type, type)) ?? false
  const add = async () => {
    const wanted = {
      incidentId: incident!.id,
      type,
      ...(isTitled(type) && title.trim() && { title: title.trim() }),
    }
    await chat.takeMessage((provider) => provider.addToIncident(message.id, wanted))
    notify(text('chatActivities.added', { title: incident!.title }), { type: 'success' })
  }
  const isLoading = isAwaiting([incidents])
  return (
    <ConfirmDialog
      open
      title={text('chatActivities.title')}
      text={text('chatActivities.text')}
      submitLabel={text('chatActivities.submit')}
      disabled={!incident || isThere}
      onSubmit={add}
      onClose={onClose}
    >
      {isLoading ? (
        <Awaiting queries={[incidents]} height={160} />
      ) : offered.length === 0 ? (
        <FormHelperText sx={{ mt: 2 }}>{text('chatActivities.none')}</FormHelperText>
      ) : (
        <Stack spacing={2} sx={{ mt: 2 }}>
          <TextField
            select
            fullWidth
            label={text('chatActivities.incident')}
            value={incident?.id ?? ''}
            onChange={(event) => setPicked(event.target.value)}
            helperText={isThere && text('chatActivities.already')}
          >
            {offered.map(({ id, isTabletop, title: name }) => (
              <MenuItem
                key={id}
                value={id}
                dir="auto"
                sx={{ whiteSpace: 'normal', overflowWrap: 'anywhere' }}
              >
                {isTabletop ? text('chatActivities.exercise', { title: name }) : name}
              </MenuItem>
            ))}
          </TextField>
          <TypeField type={type} onChange={setType} />
          {type === 'ENTRY' && <FormHelperText>{text('chatActivities.entryHelp')}</FormHelperText>}
          {type === 'DECISION' && <FormHelperText>{text('chatActivities.decisionHelp')}</FormHelperText>}
          {isTitled(type) && (
            <TextField
              fullWidth
              label={text(type === 'TASK' ? 'chatActivities.taskTitle' : 'chatActivities.decisionTitle')}
              helperText={text('chatActivities.taskTitleHelp')}
              value={title}
              onChange={(event) => setTitle(event.target.value)}
              slotProps={{ htmlInput: { maxLength: SHORT_TEXT_MAX, dir: 'auto' } }}
            />
          )}
        </Stack>
      )}
    </ConfirmDialog>
  )
}
