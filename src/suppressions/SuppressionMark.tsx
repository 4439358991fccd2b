import WarningAmberRounded from '@mui/icons-material/WarningAmberRounded'
import Box from '@mui/material/Box'
import Tooltip from '@mui/material/Tooltip'
import { type ReactNode, useContext } from 'react'

import { withheldReason } from '#contract/suppressions/rules.ts'
import type { Suppression } from '#contract/suppressions/schema.ts'
import { StatusChip } from '#src/kit/layout/StatusChip.tsx'
import { useText } from '#src/kit/useText.ts'

import { SuppressedContext, type Suppressions } from './context.ts'

const suppressionsOf = (found: Suppressions, addresses: readonly (string | null)[]): Suppression[] =>
  addresses.flatMap((address) => found.get(address?.toLowerCase() ?? '') ?? [])

/** Looks like the chip inside. Lies above the target that covers a card. */
const BUTTON = {
  position: 'relative',
  zIndex: 1,
  display: 'inline-flex',
  flex: 'none',
  maxWidth: '100%',
  p: 0,
  border: 0,
  borderRadius: '6px',
  background: 'none',
  color: 'inherit',
  font: 'inherit',
  cursor: 'pointer',
  '&:hover': { bgcolor: 'action.hover' },
} as const

interface Props {
  /** Email addresses and numbers of one person. */
  addresses: readonly (string | null)[]
  /** Inside something that is pressed itself, such as an option: the mark opens nothing. */
  isStatic?: boolean
  /** In a narrow column of a table: the icon alone, except on a phone. */
  isNarrow?: boolean
}

/** The reason why an address is not tried, with the day and the way back; opens the dialog about it. */
export function SuppressionMark({ addresses, isStatic = false, isNarrow = false }: Props) {
  const text = useText()
  const { found, show } = useContext(SuppressedContext)
  const mine = suppressionsOf(found, addresses)
  const [first] = mine
  if (!first) return null
  const label = text(`suppressions.reasons.${first.reason}`)
  const chip = <StatusChip icon={WarningAmberRounded} tone="warning" label={label} />
  const help = mine.map(({ reason, createTimestamp }) => withheldReason(reason, createTimestamp)).join(' ')
  return (
    <Tooltip title={help} describeChild>
      {isStatic ? (
        <Box component="span" sx={{ display: 'inline-flex', flex: 'none' }}>
          {chip}
        </Box>
      ) : (
        <Box
          component="button"
          type="button"
          aria-label={`${label}: ${first.address}`}
          aria-haspopup="dialog"
          onClick={(event) => {
            // A click on the row does something else.
            event.stopPropagation()
            show(mine)
          }}
          sx={BUTTON}
        >
          {isNarrow ? (
            <>
              <Box component="span" sx={{ display: { xs: 'inline-flex', sm: 'none' } }}>
                {chip}
              </Box>
              <WarningAmberRounded
                color="warning"
                sx={{ display: { xs: 'none', sm: 'block' }, width: 24, height: 24, p: '3px' }}
              />
            </>
          ) : (
            chip
          )}
        </Box>
      )}
    </Tooltip>
  )
}

/** A cell of addresses, with the mark beside them, or below on a card of a phone, where one of them is not tried. */
export function Markable({ addresses, isNarrow = false, children }: Props & { children: ReactNode }) {
  const { found } = useContext(SuppressedContext)
  if (suppressionsOf(found, addresses).length === 0) return children
  return (
    <Box
      component="span"
      sx={{
        display: { xs: 'inline-grid', sm: 'inline-flex' },
        gridTemplateColumns: 'minmax(0, max-content)',
        justifyItems: 'start',
        alignItems: 'center',
        columnGap: 0.75,
        minWidth: 0,
        maxWidth: '100%',
        lineHeight: 1.4,
      }}
    >
      {children}
      <SuppressionMark addresses={addresses} isNarrow={isNarrow} />
    </Box>
  )
}

/** An email address in a table, as a plain element unless it is not tried. */
export const EmailCell = ({ email }: { email: string }) => (
  <Markable addresses={[email]}>
    <span className="cell-text" dir="auto" title={email}>
      {email}
    </span>
  </Markable>
)
