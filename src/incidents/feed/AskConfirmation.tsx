import FactCheckOutlined from '@mui/icons-material/FactCheckOutlined'
import ListItemIcon from '@mui/material/ListItemIcon'
import MenuItem from '@mui/material/MenuItem'
import { useQueryClient } from '@tanstack/react-query'
import { useNotify } from 'react-admin'

import { incidentsAccess } from '#contract/incidents/access.ts'
import { messageOf } from '#providers/problem.ts'
import { useCan } from '#providers/useCan.ts'
import { requestConfirmation } from '#src/confirmations/queries.ts'
import { useText } from '#src/kit/useText.ts'

import { useIncident } from '../queries.ts'

interface Props {
  incidentId: string
  activityId: string
  onChoose: () => void
}

/** The entry of a menu that asks everybody in a running incident to confirm an update. */
export function AskConfirmation({ incidentId, activityId, onChoose }: Props) {
  const text = useText()
  const notify = useNotify()
  const can = useCan()
  const client = useQueryClient()
  const { data: incident } = useIncident(incidentId)
  if (!can(incidentsAccess.write) || !incident?.isActive) return null
  const ask = async () => {
    onChoose()
    try {
      await requestConfirmation(client, { subject: 'UPDATE', id: activityId })
      notify(text('confirmations.asked'), { type: 'success' })
    } catch (error) {
      notify(messageOf(error, text('kit.wentWrong')), { type: 'error' })
    }
  }
  return (
    <MenuItem onClick={() => void ask()}>
      <ListItemIcon>
        <FactCheckOutlined />
      </ListItemIcon>
      {text('confirmations.ask')}
    </MenuItem>
  )
}
