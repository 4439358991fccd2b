import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Checkbox from '@mui/material/Checkbox'
import FormControl from '@mui/material/FormControl'
import FormControlLabel from '@mui/material/FormControlLabel'
import FormLabel from '@mui/material/FormLabel'
import MenuItem from '@mui/material/MenuItem'
import Switch from '@mui/material/Switch'
import TextField from '@mui/material/TextField'
import Typography from '@mui/material/Typography'
import { useEffect, useRef, useState } from 'react'

import { calls } from '#providers/calls/calls.ts'
import { callChoices, keepCallChoices } from '#providers/calls/choices.ts'
import type { Devices } from '#providers/calls/engine.ts'
import { canSuppressNoise } from '#providers/calls/support.ts'
import { levelMeter } from '#providers/calls/levelMeter.ts'
import { DialogFrame } from '#src/kit/feedback/DialogFrame.tsx'
import { useText } from '#src/kit/useText.ts'

import { Picture } from './Picture.tsx'
import { playTestSound } from './soundValues.ts'
import { useCapture, useDeviceList } from './useDeviceTest.ts'

/** Level of the full bar: normal speech fills about half. */
const FULL = 0.25

/** Level of the microphone. Updates the DOM without rendering. */
function Meter({ stream }: { stream: MediaStream | null }) {
  const text = useText()
  const bar = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (!stream) return undefined
    const meter = levelMeter(stream)
    let frame = 0
    const draw = () => {
      const share = Math.min(1, meter.level() / FULL)
      if (bar.current) bar.current.style.transform = `scaleX(${share})`
      frame = requestAnimationFrame(draw)
    }
    draw()
    return () => {
      cancelAnimationFrame(frame)
      meter.close()
    }
  }, [stream])
  return (
    <Box>
      <Box
        role="img"
        aria-label={text('callDevices.level')}
        sx={{ height: 12, borderRadius: 6, overflow: 'hidden', border: 1, borderColor: 'background.edge' }}
      >
        <Box
          ref={bar}
          sx={{ height: '100%', bgcolor: 'success.main', transformOrigin: 'left', transform: 'scaleX(0)' }}
        />
      </Box>
      <Typography variant="caption" component="p" sx={{ color: 'text.secondary', mt: 0.5 }}>
        {text('callDevices.speak')}
      </Typography>
    </Box>
  )
}

interface DeviceProps {
  label: string
  devices: readonly MediaDeviceInfo[]
  value: string | null
  onChange: (id: string | null) => void
}
function DeviceField({ label, devices, value, onChange }: DeviceProps) {
  const text = useText()
  const known = devices.filter(({ deviceId }) => deviceId !== '' && deviceId !== 'default')
  return (
    <TextField
      select
      label={label}
      value={known.some(({ deviceId }) => deviceId === value) ? value : ''}
      onChange={({ target }) => onChange(target.value || null)}
      slotProps={{ select: { displayEmpty: true }, inputLabel: { shrink: true } }}
    >
      <MenuItem value="">{text('callDevices.automatic')}</MenuItem>
      {known.map(({ deviceId, label: name }, at) => (
        <MenuItem key={deviceId} value={deviceId}>
          {name || text('callDevices.unnamed', { number: at + 1 })}
        </MenuItem>
      ))}
    </TextField>
  )
}

/**
 * Tests and chooses microphone, camera and speaker, and the devices that are on when a call begins. The call
 * continues meanwhile.
 */
export function DevicesDialog({ onClose }: { onClose: () => void }) {
  const text = useText()
  const [choices] = useState(callChoices)
  const [devices, setDevices] = useState<Devices>(choices.devices)
  const [begin, setBegin] = useState({ audio: choices.audio, video: choices.video })
  const [isShown, setIsShown] = useState(false)
  const sound = useCapture('audio', devices.audioInput, true)
  const picture = useCapture('video', devices.videoInput, isShown)
  const list = useDeviceList([sound.stream, picture.stream])
  const use = (change: Partial<Devices>) => setDevices({ ...devices, ...change })
  const save = () => {
    keepCallChoices(begin)
    void calls.setDevices(devices)
    onClose()
  }
  return (
    <DialogFrame
      title={text('callDevices.title')}
      maxWidth="sm"
      onClose={onClose}
      actions={
        <>
          <Button color="inherit" onClick={onClose}>
            {text('callDevices.cancel')}
          </Button>
          <Button variant="contained" onClick={save}>
            {text('callDevices.done')}
          </Button>
        </>
      }
    >
      <Box sx={{ display: 'grid', gap: 2 }}>
        <DeviceField
          label={text('callDevices.microphone')}
          devices={list.filter(({ kind }) => kind === 'audioinput')}
          value={devices.audioInput}
          onChange={(audioInput) => use({ audioInput })}
        />
        {sound.problem ? (
          <Box role="status">{text(`callWindow.problem.${sound.problem}`)}</Box>
        ) : (
          <Meter stream={sound.stream} />
        )}
        {canSuppressNoise() && (
          <FormControlLabel
            control={
              <Switch
                checked={devices.suppressesNoise !== false}
                onChange={(_, suppressesNoise) => use({ suppressesNoise })}
              />
            }
            label={text('callDevices.noise')}
          />
        )}
        <DeviceField
          label={text('callDevices.camera')}
          devices={list.filter(({ kind }) => kind === 'videoinput')}
          value={devices.videoInput}
          onChange={(videoInput) => use({ videoInput })}
        />
        <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 2 }}>
          <Button variant="outlined" onClick={() => setIsShown(!isShown)}>
            {text(isShown ? 'callDevices.hideCamera' : 'callDevices.testCamera')}
          </Button>
          {picture.problem && <Box role="status">{text(`callWindow.problem.${picture.problem}`)}</Box>}
        </Box>
        {picture.stream && (
          <Box
            sx={{
              position: 'relative',
              aspectRatio: '16 / 9',
              overflow: 'hidden',
              borderRadius: 1,
              bgcolor: '#171C24',
            }}
          >
            <Picture stream={picture.stream} label={text('callDevices.preview')} isMirrored />
          </Box>
        )}
        <DeviceField
          label={text('callDevices.speaker')}
          devices={list.filter(({ kind }) => kind === 'audiooutput')}
          value={devices.audioOutput}
          onChange={(audioOutput) => use({ audioOutput })}
        />
        <Button
          variant="outlined"
          sx={{ justifySelf: 'start' }}
          onClick={() => void playTestSound(devices.audioOutput)}
        >
          {text('callDevices.testSpeaker')}
        </Button>
        <FormControl component="fieldset">
          <FormLabel component="legend">{text('callDevices.begin')}</FormLabel>
          {(['audio', 'video'] as const).map((source) => (
            <FormControlLabel
              key={source}
              control={
                <Checkbox
                  checked={begin[source]}
                  onChange={({ target }) => setBegin({ ...begin, [source]: target.checked })}
                />
              }
              label={text(source === 'audio' ? 'callDevices.beginAudio' : 'callDevices.beginVideo')}
            />
          ))}
        </FormControl>
      </Box>
    </DialogFrame>
  )
}
