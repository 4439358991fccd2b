import CallRounded from '@mui/icons-material/CallRounded'
import MailRounded from '@mui/icons-material/MailRounded'
import NotificationsActiveOutlined from '@mui/icons-material/NotificationsActiveOutlined'
import SendRounded from '@mui/icons-material/SendRounded'
import SmsRounded from '@mui/icons-material/SmsRounded'
import Button from '@mui/material/Button'
import IconButton from '@mui/material/IconButton'
import ListItemIcon from '@mui/material/ListItemIcon'
import Menu from '@mui/material/Menu'
import MenuItem from '@mui/material/MenuItem'
import { type ReactElement, useState } from 'react'
import { Link } from 'react-router-dom'

import { callsAccess } from '#contract/calls/access.ts'
import { incidentNudgesApi } from '#contract/incident-nudges/api.ts'
import { NUDGE_CHANNELS, type NudgeChannel } from '#contract/incident-nudges/schema.ts'
import type { Incident, TeamMember } from '#contract/incidents/schema.ts'
import { fullName } from '#contract/kit/names.ts'
import { massNotificationsAccess } from '#contract/mass-notifications/access.ts'
import { useCan } from '#providers/useCan.ts'
import { useOffersSms } from '#src/config/useConfig.ts'
import { ConfirmDialog } from '#src/kit/feedback/ConfirmDialog.tsx'
import { useText } from '#src/kit/useText.ts'

import { useNudge } from './useNudge.ts'

const ICONS: { readonly [C in NudgeChannel]: ReactElement } = {
  MESSAGE: <MailRounded />,
  SMS: <SmsRounded />,
  CALL: <CallRounded />,
}

/** Channels by which the visitor may nudge people of an incident. */
function useChannels({ breakoutRoomId, breakoutRoomAccess }: Incident): readonly NudgeChannel[] {
  const can = useCan()
  const offersSms = useOffersSms()
  const isOffered: { readonly [C in NudgeChannel]: boolean } = {
    MESSAGE: true,
    SMS: offersSms && can(massNotificationsAccess),
    CALL: can(callsAccess) && (breakoutRoomId === null || breakoutRoomAccess !== 'NONE'),
  }
  return NUDGE_CHANNELS.filter((channel) => isOffered[channel])
}

/** People to nudge: one, or everybody who is waited for. */
export type Nudgees = { readonly member: TeamMember } | { readonly count: number }

interface Props {
  incident: Incident
  whom: Nudgees
}

function Items({ incident, whom, onChoose }: Props & { onChoose: (channel: NudgeChannel) => void }) {
  const text = useText()
  const can = useCan()
  const channels = useChannels(incident)
  const items = channels.map((channel) => (
    <MenuItem key={channel} onClick={() => onChoose(channel)}>
      <ListItemIcon>{ICONS[channel]}</ListItemIcon>
      {text(`incidents.nudgeBy.${channel}`)}
    </MenuItem>
  ))
  if ('member' in whom || !can(massNotificationsAccess)) return items
  return [
    ...items,
    <MenuItem key="write" component={Link} to={`/mass-notifications/send?incident=${incident.id}`}>
      <ListItemIcon>
        <SendRounded />
      </ListItemIcon>
      {text('incidents.nudgeWrite')}
    </MenuItem>,
  ]
}

/** Nudges one person, or everybody who has not checked in after a confirmation, by a channel of a menu. */
export function NudgeMenu({ incident, whom }: Props) {
  const text = useText()
  const can = useCan()
  const [anchor, setAnchor] = useState<HTMLElement | null>(null)
  const [asked, setAsked] = useState<NudgeChannel | null>(null)
  const { send, isSending } = useNudge(incident)
  if (!can(incidentNudgesApi.nudge.access)) return null
  const label =
    'member' in whom
      ? text('incidents.nudgeOne', { name: fullName(whom.member) })
      : text('incidents.nudgeAll', { smart_count: whom.count })
  const choose = (channel: NudgeChannel) => {
    setAnchor(null)
    if ('member' in whom) void send(channel, [whom.member.id])
    else setAsked(channel)
  }
  const menu = {
    'aria-haspopup': 'menu',
    'aria-expanded': anchor !== null,
    onClick: (event: { currentTarget: HTMLElement }) => setAnchor(event.currentTarget),
  } as const
  return (
    <>
      {'member' in whom ? (
        <IconButton
          {...menu}
          size="small"
          aria-label={label}
          title={label}
          disabled={isSending}
          sx={{ width: { xs: 44, sm: 28 }, height: { xs: 44, sm: 28 }, my: -0.5 }}
        >
          <NotificationsActiveOutlined sx={{ fontSize: 18 }} />
        </IconButton>
      ) : (
        <Button {...menu} size="small" startIcon={<NotificationsActiveOutlined />} loading={isSending}>
          {label}
        </Button>
      )}
      <Menu open={anchor !== null} anchorEl={anchor} onClose={() => setAnchor(null)}>
        <Items incident={incident} whom={whom} onChoose={choose} />
      </Menu>
      {asked && 'count' in whom && (
        <ConfirmDialog
          open
          title={text('incidents.nudgeTitle', { smart_count: whom.count })}
          text={text(`incidents.nudgeText.${asked}`, { title: incident.title })}
          submitLabel={text('incidents.nudgeSubmit')}
          onSubmit={() => send(asked)}
          onClose={() => setAsked(null)}
        />
      )}
    </>
  )
}
