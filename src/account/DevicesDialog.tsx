import CheckCircleRounded from '@mui/icons-material/CheckCircleRounded'
import ComputerRounded from '@mui/icons-material/ComputerRounded'
import DevicesOtherRounded from '@mui/icons-material/DevicesOtherRounded'
import SmartphoneRounded from '@mui/icons-material/SmartphoneRounded'
import TabletMacRounded from '@mui/icons-material/TabletMacRounded'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Skeleton from '@mui/material/Skeleton'
import Typography from '@mui/material/Typography'
import { useQueryClient } from '@tanstack/react-query'
import { useNotify } from 'react-admin'
import { useState } from 'react'

import type { Device } from '#contract/account/schema.ts'
import { ConfirmDialog } from '#src/kit/feedback/ConfirmDialog.tsx'
import { ErrorState } from '#src/kit/feedback/ErrorState.tsx'
import { StatusChip } from '#src/kit/layout/StatusChip.tsx'
import { Time } from '#src/kit/time/Time.tsx'
import { useText } from '#src/kit/useText.ts'

import { AccountDialog } from './AccountDialog.tsx'
import { signOutDevice, signOutOthers, useDevices } from './queries.ts'

const ICON = {
  DESKTOP: ComputerRounded,
  MOBILE: SmartphoneRounded,
  TABLET: TabletMacRounded,
  UNKNOWN: DevicesOtherRounded,
} as const

/** The person's signed-in devices, each with a button that signs it out. */
export function DevicesDialog({ onClose }: { onClose: () => void }) {
  const text = useText()
  const notify = useNotify()
  const queryClient = useQueryClient()
  const { data: devices, error, refetch } = useDevices()
  const [leaving, setLeaving] = useState<Device | 'others'>()
  const nameOf = (device: Device) => device.name ?? text('account.device.unknown')
  const others = devices?.filter(({ current }) => !current) ?? []

  const signOut = async (which: Device | 'others') => {
    // Refreshes the list after an error too: the device may already be signed out.
    await (which === 'others' ? signOutOthers() : signOutDevice(which.id)).finally(
      () => void queryClient.invalidateQueries({ queryKey: ['sessions'] }),
    )
    const said =
      which === 'others'
        ? text('account.device.othersSignedOut')
        : text('account.device.signedOut', { name: nameOf(which) })
    notify(said, { type: 'success' })
  }
  return (
    <AccountDialog
      title={text('account.devices')}
      closeLabel={text('kit.close')}
      onClose={onClose}
      aside={
        others.length > 0 && (
          <Button color="error" onClick={() => setLeaving('others')}>
            {text('account.device.signOutOthers')}
          </Button>
        )
      }
    >
      <Typography sx={{ color: 'text.secondary' }}>{text('account.device.text')}</Typography>
      {error && !devices ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : (
        <Box component="ul" sx={{ m: 0, p: 0, listStyle: 'none' }}>
          {devices?.map((device) => (
            <DeviceRow
              key={device.id}
              device={device}
              name={nameOf(device)}
              onSignOut={() => setLeaving(device)}
            />
          )) ?? <Skeleton component="li" variant="rounded" height={64} />}
        </Box>
      )}
      {devices && others.length === 0 && (
        <Typography variant="body2" sx={{ color: 'text.secondary' }}>
          {text('account.device.alone')}
        </Typography>
      )}
      <ConfirmDialog
        open={leaving !== undefined}
        destructive
        title={text(
          leaving === 'others' ? 'account.device.signOutOthersTitle' : 'account.device.signOutTitle',
        )}
        text={
          leaving === 'others'
            ? text('account.device.signOutOthersText', { smart_count: others.length })
            : leaving &&
              text('account.device.signOutText', { name: nameOf(leaving), address: leaving.address })
        }
        submitLabel={text('account.device.signOut')}
        onSubmit={() => leaving && signOut(leaving)}
        onClose={() => setLeaving(undefined)}
      />
    </AccountDialog>
  )
}

function DeviceRow({ device, name, onSignOut }: { device: Device; name: string; onSignOut: () => void }) {
  const text = useText()
  const Icon = ICON[device.kind]
  return (
    <Box
      component="li"
      sx={{
        display: 'flex',
        alignItems: 'center',
        gap: 2,
        py: 1.5,
        '& + &': { borderTop: 1, borderColor: 'divider' },
      }}
    >
      <Icon sx={{ color: 'text.secondary', fontSize: 24 }} />
      <Box sx={{ flex: 1, minWidth: 0 }}>
        <Typography variant="subtitle2" component="div" sx={{ overflowWrap: 'anywhere' }}>
          {name}
        </Typography>
        <Typography variant="caption" component="div" sx={{ color: 'text.secondary' }}>
          {device.address} · {text('account.device.signedIn')} <Time at={device.createTimestamp} />
        </Typography>
        {!device.current && (
          <Typography variant="caption" component="div" sx={{ color: 'text.secondary' }}>
            {text('account.device.lastActive')} <Time at={device.lastActiveTimestamp} />
          </Typography>
        )}
      </Box>
      {device.current ? (
        <StatusChip label={text('account.device.current')} icon={CheckCircleRounded} tone="success" />
      ) : (
        <Button
          color="inherit"
          variant="outlined"
          size="small"
          aria-label={text('account.device.signOutNamed', { name })}
          onClick={onSignOut}
          sx={{ flex: 'none', borderColor: 'background.edge' }}
        >
          {text('account.device.signOut')}
        </Button>
      )}
    </Box>
  )
}
