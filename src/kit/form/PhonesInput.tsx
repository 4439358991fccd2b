import AddRounded from '@mui/icons-material/AddRounded'
import SwapVertRounded from '@mui/icons-material/SwapVertRounded'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import TextField from '@mui/material/TextField'
import { useInput } from 'react-admin'
import { useState } from 'react'
import { useFormContext, useWatch } from 'react-hook-form'

import type { Phone } from '#contract/kit/phone.ts'

import { PhoneInput, type PhoneInputProps } from './PhoneInput.tsx'
import { useText } from '../useText.ts'

/** Fields of a person's numbers, in their order. */
const NUMBERS = ['phoneNumber', 'secondPhoneNumber'] as const
const EXTENSIONS = ['phoneExtension', 'secondPhoneExtension'] as const

function ExtensionInput({ source }: { source: (typeof EXTENSIONS)[number] }) {
  const text = useText()
  const { id, field, fieldState } = useInput({ source })
  return (
    <TextField
      {...field}
      id={id}
      value={field.value ?? ''}
      label={text('grid.phoneExtension')}
      error={fieldState.error !== undefined}
      helperText={fieldState.error?.message}
      slotProps={{ htmlInput: { autoComplete: 'off', inputMode: 'numeric', dir: 'ltr' } }}
    />
  )
}

/** A person's phone number with its extension, and a second one with its own. The first is dialled first. */
export function PhonesInput(props: Omit<PhoneInputProps, 'source' | 'onRead'>) {
  const text = useText()
  const { setValue, getValues } = useFormContext()
  const values = useWatch({ name: [...NUMBERS, ...EXTENSIONS] }) as readonly (string | null)[]
  const [number, second, extension, secondExtension] = values
  const [added, setAdded] = useState<ReadonlySet<string>>(new Set())
  const add = (source: string) => setAdded(new Set([...added, source]))
  const hasSecond = Boolean(second) || added.has('secondPhoneNumber')
  const shows = [extension, secondExtension].map((value, at) => Boolean(value) || added.has(EXTENSIONS[at]!))

  const put = (source: string, value: unknown) =>
    setValue(source, value, { shouldDirty: true, shouldValidate: true })
  const onRead = (at: 0 | 1) => (phones: readonly Phone[]) => {
    const [own, other] = phones
    if (own?.extension) put(EXTENSIONS[at], own.extension)
    if (at === 0 && other && !second) {
      put(NUMBERS[1], other.number)
      put(EXTENSIONS[1], other.extension ?? '')
    }
  }
  const swap = () => {
    const [one, two, ext, otherExt] = getValues([...NUMBERS, ...EXTENSIONS])
    for (const [source, value] of [
      [NUMBERS[0], two],
      [NUMBERS[1], one],
      [EXTENSIONS[0], otherExt],
      [EXTENSIONS[1], ext],
    ] as const)
      put(source, value ?? '')
  }
  const row = (at: 0 | 1) => (
    <Box
      sx={{
        display: 'grid',
        gap: 1.5,
        gridTemplateColumns: { xs: '1fr', sm: shows[at] ? '1fr 136px' : '1fr' },
      }}
    >
      <PhoneInput
        {...props}
        source={NUMBERS[at]}
        label={at === 0 ? props.label : 'grid.secondPhone'}
        help={at === 0 ? props.help : 'grid.secondPhoneHelp'}
        onRead={onRead(at)}
      />
      {shows[at] && <ExtensionInput source={EXTENSIONS[at]} />}
    </Box>
  )
  return (
    <Box sx={{ display: 'grid', gap: 1.5 }}>
      {row(0)}
      {hasSecond && row(1)}
      <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1, mt: -0.5 }}>
        {number && !shows[0] && (
          <Button size="small" startIcon={<AddRounded />} onClick={() => add('phoneExtension')}>
            {text('grid.addExtension')}
          </Button>
        )}
        {number && !hasSecond && (
          <Button size="small" startIcon={<AddRounded />} onClick={() => add('secondPhoneNumber')}>
            {text('grid.addSecondPhone')}
          </Button>
        )}
        {number && second && (
          <Button size="small" startIcon={<SwapVertRounded />} onClick={swap}>
            {text('grid.swapPhones')}
          </Button>
        )}
      </Box>
    </Box>
  )
}
