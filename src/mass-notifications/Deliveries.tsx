import CheckCircleOutlineRounded from '@mui/icons-material/CheckCircleOutlineRounded'
import DoneAllRounded from '@mui/icons-material/DoneAllRounded'
import ErrorOutlineRounded from '@mui/icons-material/ErrorOutlineRounded'
import ScheduleRounded from '@mui/icons-material/ScheduleRounded'
import Box from '@mui/material/Box'
import type { SvgIconProps } from '@mui/material/SvgIcon'
import { useLocaleState } from 'react-admin'
import type { ComponentType } from 'react'

import type { Delivery } from '#contract/mass-notifications/schema.ts'
import { formatNumber } from '#src/kit/time/formats.ts'
import { useText } from '#src/kit/useText.ts'

const STATES = [
  { name: 'delivered', color: 'success', icon: DoneAllRounded },
  { name: 'sent', color: 'success', icon: CheckCircleOutlineRounded },
  { name: 'waiting', color: 'warning', icon: ScheduleRounded },
  { name: 'failed', color: 'error', icon: ErrorOutlineRounded },
] as const

function Count({
  icon: Icon,
  color,
  value,
}: {
  icon: ComponentType<SvgIconProps>
  color: 'success' | 'warning' | 'error'
  value: number
}) {
  const [locale] = useLocaleState()
  return (
    <Box
      sx={{
        display: 'inline-flex',
        alignItems: 'center',
        gap: 0.5,
        color: value > 0 ? 'text.primary' : 'text.secondary',
        fontWeight: value > 0 ? 600 : 400,
        '& svg': { fontSize: 16 },
      }}
    >
      <Icon color={value > 0 ? color : 'inherit'} />
      {formatNumber(locale, value)}
    </Box>
  )
}

/** Messages of a state: what was delivered is counted there and not as sent. */
const countOf = (delivery: Delivery, name: (typeof STATES)[number]['name']): number =>
  name === 'sent' ? delivery.sent - delivery.delivered : delivery[name]

/** Progress of the messages by type. */
export function Deliveries({ deliveries }: { deliveries: readonly Delivery[] }) {
  const text = useText()
  // Without carriers that confirm deliveries the column would only puzzle.
  const states = STATES.filter(
    ({ name }) => name !== 'delivered' || deliveries.some(({ delivered }) => delivered > 0),
  )
  return (
    <Box
      component="table"
      aria-label={text('massNotifications.deliveries')}
      sx={{
        width: '100%',
        borderCollapse: 'collapse',
        '& th, & td': { py: 0.75, textAlign: 'start', borderTop: 1, borderColor: 'divider' },
        '& thead th': { pt: 0, border: 0, fontWeight: 400, color: 'text.secondary' },
        '& tbody th': { fontWeight: 600 },
      }}
    >
      <thead>
        <tr>
          <th scope="col">{text('massNotifications.type')}</th>
          {states.map(({ name }) => (
            <th key={name} scope="col">
              {text(`massNotifications.${name}`)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {deliveries.map((delivery) => (
          <tr key={delivery.type}>
            <th scope="row">{text(`massNotifications.types.${delivery.type}`)}</th>
            {states.map(({ name, icon, color }) => (
              <td key={name}>
                <Count icon={icon} color={color} value={countOf(delivery, name)} />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </Box>
  )
}
