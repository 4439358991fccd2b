import Box from '@mui/material/Box'
import FormControlLabel from '@mui/material/FormControlLabel'
import Switch from '@mui/material/Switch'
import { useNotify } from 'react-admin'
import { useId, useState } from 'react'

import type { Room } from '#contract/chat/schema.ts'
import { useChat } from '#providers/chat/useChat.ts'
import { messageOf } from '#providers/problem.ts'
import { useText } from '#src/kit/useText.ts'

/** Turns the privileged mark of a war room on and off. */
export function PrivilegedSwitch({ room }: { room: Room }) {
  const text = useText()
  const notify = useNotify()
  const chat = useChat()
  const helpId = useId()
  const [wanted, setWanted] = useState<boolean>()
  const mark = async (isPrivileged: boolean) => {
    if (wanted !== undefined) return
    setWanted(isPrivileged)
    try {
      await chat.take((provider) => provider.markPrivileged(room.id, isPrivileged))
    } catch (error) {
      notify(messageOf(error, text('kit.wentWrong')), { type: 'error' })
    } finally {
      setWanted(undefined)
    }
  }
  return (
    <Box sx={{ px: 1 }}>
      <FormControlLabel
        labelPlacement="start"
        label={text('chatRooms.markPrivileged')}
        control={
          <Switch
            checked={wanted ?? room.privileged}
            onChange={(_, isOn) => void mark(isOn)}
            slotProps={{ input: { 'aria-describedby': helpId } }}
            sx={{ '& .MuiSwitch-thumb': { border: 1, borderColor: 'background.edge', boxShadow: 'none' } }}
          />
        }
        sx={{ width: '100%', m: 0, minHeight: 44, justifyContent: 'space-between' }}
      />
      <Box id={helpId} sx={{ fontSize: '0.75rem', color: 'text.secondary' }}>
        {text('chatRooms.marking')}
      </Box>
    </Box>
  )
}
