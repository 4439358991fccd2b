import CancelRounded from '@mui/icons-material/CancelRounded'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Checkbox from '@mui/material/Checkbox'
import Chip from '@mui/material/Chip'
import FormControlLabel from '@mui/material/FormControlLabel'
import FormHelperText from '@mui/material/FormHelperText'
import OutlinedInput from '@mui/material/OutlinedInput'
import Skeleton from '@mui/material/Skeleton'
import { memo, type ReactNode, type Ref, useId, useMemo, useState } from 'react'

import { useText } from '#src/kit/useText.ts'

/** Number of choices from which they can be filtered. */
const MANY = 8

export interface Choice {
  readonly id: string
  readonly name: string
  /** Number of members, or the reason why it cannot be chosen. */
  readonly note: string
  readonly disabled?: boolean
}

interface Props {
  label: string
  /** Content beside the label. */
  side?: ReactNode
  /** Undefined while loading. */
  choices: readonly Choice[] | undefined
  /** Error message and retry function after a failed load. */
  failed?: { readonly text: string; readonly retry: () => void } | undefined
  filterLabel: string
  /** Label of a chosen entry that no longer exists; its id by default. */
  goneName?: string
  empty: ReactNode
  value: readonly string[]
  onChange: (ids: string[]) => void
  error?: string | undefined
  inputRef?: Ref<HTMLInputElement>
}

const Row = memo(function Row({
  choice,
  checked,
  onToggle,
  inputRef,
}: {
  choice: Choice
  checked: boolean
  onToggle: (id: string) => void
  inputRef?: Ref<HTMLInputElement> | undefined
}) {
  const { id, name, note, disabled = false } = choice
  return (
    <Box component="li" sx={{ '& + &': { borderTop: 1, borderColor: 'divider' } }}>
      <FormControlLabel
        // A chosen entry can always be removed.
        disabled={disabled && !checked}
        control={
          <Checkbox
            size="small"
            checked={checked}
            onChange={() => onToggle(id)}
            {...(inputRef && { slotProps: { input: { ref: inputRef } } })}
          />
        }
        disableTypography
        label={
          <Box
            component="span"
            sx={{ flex: 1, minWidth: 0, display: 'flex', flexWrap: 'wrap', columnGap: 1, py: 0.5 }}
          >
            <Box
              component="span"
              dir="auto"
              sx={{ flex: '1 1 120px', minWidth: 0, overflowWrap: 'anywhere' }}
            >
              {name}
            </Box>
            <Box component="span" sx={{ color: 'text.secondary' }}>
              {note}
            </Box>
          </Box>
        }
        sx={{
          display: 'flex',
          m: 0,
          minHeight: 44,
          pr: 1.5,
          columnGap: 1,
          ...(disabled && { color: 'text.secondary' }),
        }}
      />
    </Box>
  )
})

/** Chips shown before the others are counted. */
const CHIPS = 8

/** The choices of a long list as chips: the first ones, or all on demand. */
function ChosenChips({
  choices,
  value,
  onRemove,
}: {
  choices: readonly Choice[]
  value: readonly string[]
  onRemove: (id: string) => void
}) {
  const text = useText()
  const [whole, setWhole] = useState(false)
  const there = new Set(value)
  const chosen = choices.filter(({ id }) => there.has(id))
  const more = chosen.length - CHIPS
  return (
    <Box
      sx={{
        mt: 1,
        display: 'flex',
        flexWrap: 'wrap',
        alignItems: 'center',
        gap: 0.5,
        maxHeight: 176,
        overflowY: 'auto',
      }}
    >
      {chosen.slice(0, whole ? undefined : CHIPS).map(({ id, name }) => (
        <Chip
          key={id}
          size="small"
          label={<bdi title={name}>{name}</bdi>}
          onDelete={() => onRemove(id)}
          deleteIcon={
            <CancelRounded aria-label={text('grid.remove', { name })} aria-hidden={false} role="img" />
          }
          sx={{ maxWidth: '100%' }}
        />
      ))}
      {more > 0 && (
        <Button size="small" aria-expanded={whole} onClick={() => setWhole(!whole)}>
          {whole
            ? text('massNotifications.showFewer')
            : text('massNotifications.showMoreChosen', { smart_count: more })}
        </Button>
      )}
    </Box>
  )
}

/** Checkboxes for several choices, all visible. Long lists have a filter. */
export function ChoiceList({ label, side, choices, failed, filterLabel, empty, value, ...props }: Props) {
  const { onChange, error, inputRef, goneName } = props
  const text = useText()
  const id = useId()
  const [filter, setFilter] = useState('')
  const all = useMemo(() => {
    const known = new Set(choices?.map((choice) => choice.id))
    // Chosen entries that no longer exist stay visible, so that they can be removed.
    const gone = choices ? value.filter((one) => !known.has(one)) : []
    const note = text('massNotifications.goneMeanwhile')
    return [...gone.map((one) => ({ id: one, name: goneName ?? one, note })), ...(choices ?? [])]
  }, [choices, value, goneName, text])
  const many = all.length > MANY
  const words = filter.trim().toLowerCase()
  const shown = words ? all.filter(({ name }) => name.toLowerCase().includes(words)) : all
  const toggle = (one: string) =>
    onChange(value.includes(one) ? value.filter((other) => other !== one) : [...value, one])

  const content = () => {
    if (!choices)
      return failed ? (
        <Box sx={{ display: 'flex', alignItems: 'center', gap: 1, px: 1.5, py: 0.5 }}>
          <Box sx={{ flex: 1 }}>{failed.text}</Box>
          <Button size="small" onClick={failed.retry}>
            {text('kit.retry')}
          </Button>
        </Box>
      ) : (
        <Box component="output" aria-label={text('kit.loading')} sx={{ display: 'block', px: 1.5 }}>
          <Skeleton height={44} />
          <Skeleton height={44} width="80%" />
        </Box>
      )
    if (shown.length === 0)
      return (
        <Box sx={{ px: 1.5, py: 1.25, color: 'text.secondary' }}>
          {all.length === 0 ? empty : text('massNotifications.nothingFound')}
        </Box>
      )
    return (
      <Box component="ul" sx={{ m: 0, p: 0, listStyle: 'none' }}>
        {shown.map((choice, index) => (
          <Row
            key={choice.id}
            choice={choice}
            checked={value.includes(choice.id)}
            onToggle={toggle}
            inputRef={index === 0 ? inputRef : undefined}
          />
        ))}
      </Box>
    )
  }
  return (
    <Box role="group" aria-labelledby={id} sx={{ minWidth: 0 }}>
      <Box sx={{ display: 'flex', alignItems: 'baseline', gap: 1, mb: 0.5 }}>
        <Box id={id} component="span" sx={{ fontWeight: 600 }}>
          {label}
        </Box>
        {value.length > 0 && (
          <Box component="span" sx={{ color: 'text.secondary' }}>
            {text('massNotifications.chosen', { smart_count: value.length })}
          </Box>
        )}
        <Box sx={{ ml: 'auto' }}>{side}</Box>
      </Box>
      {many && (
        <OutlinedInput
          fullWidth
          size="small"
          value={filter}
          placeholder={filterLabel}
          onChange={(event) => setFilter(event.target.value)}
          inputProps={{ role: 'searchbox', 'aria-label': filterLabel, autoComplete: 'off' }}
          sx={{ mb: 1 }}
        />
      )}
      <Box
        sx={{
          maxHeight: 224,
          overflowY: 'auto',
          border: 1,
          borderColor: error ? 'error.main' : 'divider',
          borderRadius: '6px',
        }}
      >
        {content()}
      </Box>
      {many && value.length > 0 && <ChosenChips choices={all} value={value} onRemove={toggle} />}
      {error && <FormHelperText error>{error}</FormHelperText>}
    </Box>
  )
}
