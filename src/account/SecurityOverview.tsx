import CheckCircleRounded from '@mui/icons-material/CheckCircleRounded'
import KeyRounded from '@mui/icons-material/KeyRounded'
import PhonelinkLockRounded from '@mui/icons-material/PhonelinkLockRounded'
import RemoveCircleOutlineRounded from '@mui/icons-material/RemoveCircleOutlineRounded'
import WarningAmberRounded from '@mui/icons-material/WarningAmberRounded'
import Alert from '@mui/material/Alert'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import type { SvgIconProps } from '@mui/material/SvgIcon'
import Typography from '@mui/material/Typography'
import type { ComponentType, ReactNode } from 'react'

import type { VerificationState } from '#contract/verifications/schema.ts'
import { StatusChip } from '#src/kit/layout/StatusChip.tsx'
import { useText } from '#src/kit/useText.ts'

/** The overview warns at this many recovery codes or fewer. */
const FEW = 3

interface Props {
  state: VerificationState
  /** True if the organisation requires an authenticator app. */
  demanded: boolean
  /** True while the setup is requested. */
  beginning: boolean
  onSetUp: () => void
  onRenew: () => void
  onRemove: () => void
}

/** State of the authenticator app and the recovery codes, with their actions. */
export function SecurityOverview({ state, demanded, beginning, onSetUp, onRenew, onRemove }: Props) {
  const text = useText()
  const { secondFactorType, initialized, recoveryCodesLeft: left } = state
  const enrolled = secondFactorType === 'TOTP' && initialized
  if (!enrolled)
    return (
      <Part
        icon={PhonelinkLockRounded}
        title={text('account.security.app')}
        status={<StatusChip label={text('account.security.notEnrolled')} icon={RemoveCircleOutlineRounded} />}
        about={text(demanded ? 'verifications.demanded' : 'account.security.noAppText')}
      >
        <Button variant="contained" loading={beginning} onClick={onSetUp}>
          {text('account.security.setUp')}
        </Button>
      </Part>
    )
  return (
    <Box sx={{ display: 'grid', gap: 2.5 }}>
      <Part
        icon={PhonelinkLockRounded}
        title={text('account.security.app')}
        status={
          <StatusChip label={text('account.security.enrolled')} icon={CheckCircleRounded} tone="success" />
        }
        about={text(demanded ? 'account.security.demandedText' : 'account.security.appText')}
      >
        {!demanded && (
          <Button variant="outlined" color="error" onClick={onRemove}>
            {text('account.security.remove')}
          </Button>
        )}
      </Part>
      <Part
        icon={KeyRounded}
        title={text('account.security.codes')}
        status={
          <StatusChip
            label={text('account.security.left', { smart_count: left })}
            icon={left > FEW ? CheckCircleRounded : WarningAmberRounded}
            tone={left > FEW ? 'success' : 'warning'}
          />
        }
        about={text('account.security.codesText')}
      >
        {left <= FEW && (
          <Alert severity="warning">
            {text(left === 0 ? 'account.security.none' : 'account.security.few', { smart_count: left })}
          </Alert>
        )}
        <Button
          variant={left > FEW ? 'outlined' : 'contained'}
          color={left > FEW ? 'inherit' : 'primary'}
          onClick={onRenew}
          sx={left > FEW ? { borderColor: 'background.edge' } : {}}
        >
          {text('account.security.renew')}
        </Button>
      </Part>
    </Box>
  )
}

interface PartProps {
  icon: ComponentType<SvgIconProps>
  title: string
  status: ReactNode
  about: string
  children: ReactNode
}

function Part({ icon: Icon, title, status, about, children }: PartProps) {
  return (
    <Box
      component="section"
      aria-label={title}
      sx={{ display: 'flex', gap: 2, p: 2, border: 1, borderColor: 'divider', borderRadius: 1 }}
    >
      <Icon sx={{ flex: 'none', mt: '2px', color: 'text.secondary' }} />
      <Box sx={{ flex: 1, minWidth: 0, display: 'grid', justifyItems: 'start', gap: 1.5 }}>
        <Box sx={{ width: '100%' }}>
          <Box sx={{ display: 'flex', alignItems: 'center', justifyContent: 'space-between', gap: 1 }}>
            <Typography variant="subtitle2" component="h3">
              {title}
            </Typography>
            {status}
          </Box>
          <Typography sx={{ mt: 0.5, color: 'text.secondary' }}>{about}</Typography>
        </Box>
        {children}
      </Box>
    </Box>
  )
}
